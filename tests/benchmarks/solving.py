"""Solving, searching and counting.

What it costs that a file holds only tables, against models written by hand; boards that courses and their reports have
measured, random binary problems; and exact counts beside what other methods take.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import f2csp
from tests.benchmarks.measure import Action, Figure, Row, Run, Unit, best, milliseconds, program, start, timed
from tests.benchmarks.peers import pairs_of_cells, python_constraint_of
from tests.benchmarks.texts import Scale, Texts

if TYPE_CHECKING:
    from f2csp.puzzles.sudoku import Sudoku

_WORKERS = 2
_TIME_LIMIT = 60.0  # for the raw tables, which may take for ever
_IMPORT = (sys.executable, "-c", "import ortools.sat.python.cp_model")
_PLAIN = "search:inference=none,variable-order=static,counted=all"
_LATIN = "6...... .6.1..3 2.7.... 4..2..1 .3156.. 1..7.24 ......7".split()


# ---- Against models by hand ------------------------------------------------------------------------------------------


def _recover(path: Path, _: Texts) -> Action:
    from f2csp.structure import recover

    return partial(recover, f2csp.load(path))


def _loads(path: Path, _: Texts) -> float:
    return best(partial(f2csp.load, path))


def _solve(problem: f2csp.Problem) -> None:
    assert f2csp.solve(problem, workers=_WORKERS)


def _solve_model(lines: list[list[int]], values: range, given: dict[int, int], total: int | None = None) -> None:
    """Solve a model that a person would write: different cells in each line, or in all with this sum in each line."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    names = {cell for line in lines for cell in line}
    cells = {
        i: model.new_constant(given[i]) if i in given else model.new_int_var(values[0], values[-1], f"{i}")
        for i in sorted(names)
    }
    for line in lines if total is None else [sorted(names)]:
        model.add_all_different([cells[i] for i in line])
    for line in lines if total is not None else ():
        model.add(sum(cells[i] for i in line) == total)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = _WORKERS
    assert solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def _by_hand(board: "Sudoku", _: f2csp.Problem) -> None:
    n = board.size
    lines = [[(row - 1) * n + column - 1 for row, column in cells] for cells in board.groups().values()]
    _solve_model(lines, board.values, {(row - 1) * n + column - 1: value for row, column, value in board.clues})


def _raw(_: "Sudoku", problem: f2csp.Problem) -> None:
    """Solve with the tables as they are, up to a time limit."""
    f2csp.solve(problem, workers=_WORKERS, seconds=_TIME_LIMIT, use_structure=False)


def _against(which: int, peer: Callable[["Sudoku", f2csp.Problem], object]) -> Run:
    """The median over some boards of the time after loading, as a multiple of the peer's."""

    def run(path: Path, texts: Texts) -> Figure:
        root, n = texts.scale.boards[which]
        found = []
        for board in [texts.partial(root, seed) for seed in range(n)]:
            problem = f2csp.to_problem(board)
            mine = best(partial(_solve, problem), 3)
            found.append((mine / best(partial(peer, board, problem), 3), mine))
        ratio, seconds = sorted(found)[len(found) // 2]
        return Figure(seconds, ratio)

    return run


def _magic(_: Path, __: Texts) -> Action:
    """A magic square with chains of tables as sums."""
    return partial(_solve, f2csp.generate("magic", size=5))


def _magic_by_hand(_: Path, __: Texts) -> float:
    cells = range(25)
    lines = [list(cells[i::5]) for i in range(5)] + [list(cells[i : i + 5]) for i in range(0, 25, 5)]
    lines += [list(cells[::6]), list(cells[4:-1:4])]
    return best(partial(_solve_model, lines, range(1, 26), {}, 65), 3)


def _compare_beside_its_runs(path: Path, _: Texts) -> Figure:
    """Milliseconds for each of ten runs besides solving, with the start of the program."""
    command = [*start(), "compare", str(path), "--engines", "search", "--repeats", "10", "--json"]
    begin = perf_counter()
    done = subprocess.run(command, capture_output=True, check=True)
    seconds = perf_counter() - begin
    times = [json.loads(line)["seconds"] for line in done.stdout.splitlines()]
    return Figure(seconds, (seconds - sum(times)) / len(times) * 1e3)


def _generated(n: int, **options: object) -> Run:
    """Milliseconds for each of some Sudokus."""

    def prepare(_: Path, __: Texts) -> Action:
        return lambda: [f2csp.generate("sudoku", seed=seed, **options) for seed in range(n)]

    return timed(prepare, n / 1e3)


def _any(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


# ---- The engine search -----------------------------------------------------------------------------------------------


def _all_queens(_: Path, texts: Texts) -> Action:
    """All solutions of the queens by plain backtracking."""
    from tests.search.textbook import queens

    return partial(f2csp.solve, queens(texts.scale.queens), engine=_PLAIN, solutions=None, keep_solutions=False)


def _queens_by_recursion(path: Path, texts: Texts) -> float:
    """The same by the short recursive program of a textbook."""
    n, n_assigned = texts.scale.queens, 0

    def place(placed: list[int]) -> None:
        nonlocal n_assigned
        for row in range(n):
            if all(other != row and abs(other - row) != len(placed) - k for k, other in enumerate(placed)):
                n_assigned += 1
                if len(placed) < n - 1:
                    place([*placed, row])

    place([])
    assert _all_queens(path, texts)().statistics.assignments == n_assigned  # type: ignore[attr-defined]
    return best(lambda: place([]))


def _each_assignment(_: Path, texts: Texts) -> Figure:
    """Microseconds for each value accepted on a 7x7 Latin square, column by column, all cells counted.

    These are the 353,351 assignments that the code of Russell and Norvig's book makes.
    """
    problem = f2csp.read(StringIO("\n".join(map(" ".join, _LATIN))), "latin")
    counted = "all" if texts.is_full else "open"
    engine = f"search:inference=none,variable-order=column,value-order=recent,counted={counted}"
    n = f2csp.solve(problem, engine=engine).statistics.assignments or 1
    seconds = best(lambda: f2csp.solve(problem, engine=engine))
    return Figure(seconds, seconds / n * 1e6)


def _hard_sudokus(path: Path, texts: Texts) -> Figure:
    """Very hard Sudokus after loading, or some that are made: against python-constraint on the same pairs."""
    from tests.puzzles.records import LINES, read

    lines = [record["puzzle"].split()[1] for record in LINES if "sudoku_exchange" in record["id"]]
    if not lines or not texts.is_full:
        lines = path.read_text().split()[:30]
    problems = [f2csp.to_problem(read(line, "sudoku")) for line in lines]
    seconds = best(lambda: [f2csp.solve(problem, engine="search:variable-order=mrv") for problem in problems], 2)
    theirs = 1.0
    if find_spec("constraint"):
        peers = [pairs_of_cells(line) for line in lines]
        theirs = best(lambda: [one.getSolution() for one in peers], 2)
    return Figure(seconds, seconds / theirs)


def _takuzus(name: str, engine: str) -> Run:
    """Milliseconds for the slowest Takuzu of a battery; of one that is generated where the data is not there."""

    def run(_: Path, texts: Texts) -> Figure:
        from f2csp.puzzles.puzzle import cell_of
        from tests.puzzles.records import LINES, read

        boards = [record["puzzle"] for record in LINES if name in record["id"] and texts.is_full]
        problems = [f2csp.to_problem(read(board, "takuzu")) for board in boards]
        slowest = 0.0
        for problem in problems or [f2csp.generate("takuzu", size=6, unique=True, seed=1)]:
            cells = [one for one in problem.variable_names if cell_of(one)]
            slowest = max(slowest, best(partial(f2csp.solve, problem, engine=engine, project=cells), 2))
        return Figure(slowest, slowest * 1e3)

    return run


def _model_rb(_: Path, texts: Texts) -> Figure:
    """Random binary problems where satisfiable ones become rare: against python-constraint, if it is installed."""
    n = 24 if texts.is_full else 5
    problems = [f2csp.generate("model-rb", variables=n, arity=2, seed=seed) for seed in range(3)]
    seconds = best(lambda: [f2csp.solve(problem, engine="search") for problem in problems])
    theirs = 1.0
    if find_spec("constraint"):
        theirs = best(lambda: [python_constraint_of(problem).getSolution() for problem in problems])
    return Figure(seconds, seconds / theirs)


# ---- Counting --------------------------------------------------------------------------------------------------------

Family = Callable[[Scale], f2csp.Problem]


def _sudoku(_: Scale) -> f2csp.Problem:
    return f2csp.generate("sudoku", box="2x3", fill=0)


def _takuzu(scale: Scale) -> f2csp.Problem:
    return f2csp.generate("takuzu", size=(scale.small // 2 + 2) // 2 * 2, fill=0)


def _latin_square(scale: Scale, which: int = 0) -> f2csp.Problem:
    return f2csp.generate("latin", size=scale.latin[which], fill=0)


def _first_row(scale: Scale) -> f2csp.Problem:
    return _latin_square(scale).restricted({f"V1-{value}": value for value in range(1, scale.latin[0] + 1)})


def _queens(scale: Scale) -> f2csp.Problem:
    return f2csp.generate("queens", size=2 * scale.latin[0])


def _counted(problem_of: Family, unit: Unit = 1.0) -> Run:
    return timed(lambda _, texts: partial(f2csp.count, problem_of(texts.scale), method="merge"), unit)


def _counted_beside(problem_of: Family, method: str) -> Run:
    """As a multiple of the time that another method takes."""

    def theirs(_: Path, texts: Texts) -> float:
        problem = problem_of(texts.scale)
        found = f2csp.count(problem, method=method)
        assert found == f2csp.count(problem, method="merge")
        return sum(found.result.times.values())

    return _counted(problem_of, theirs)


_IMPORTED = program("main solve IN", milliseconds, _IMPORT)
_BY_HAND = timed(_magic, _magic_by_hand)
_RECURSION = timed(_all_queens, _queens_by_recursion)
_T01_TO_T13, _GREEDY = _takuzus("IST-public", "search"), _takuzus("size12", "search:strategy=greedy")
_LISTED_ROW = _counted_beside(_first_row, "enumerate")

SOLVING = [
    Row("`recover`, 64x64", "x loads", 1, 0.5, lambda t: t.sudoku(t.scale.large), timed(_recover, _loads)),
    Row("`recover`, all tables different", "x loads", 1, 0.5, Texts.different, timed(_recover, _loads)),
    Row("`recover`, all tables different, of triples", "x loads", 1, 0.5, Texts.triples, timed(_recover, _loads)),
    Row("`recover`, one table of 10^6 tuples", "x loads", 1, 0.5, Texts.large_table, timed(_recover, _loads)),
    Row("`solve`, 25x25 with 40 % givens", "x by hand", 1.5, 1.15, _any, _against(0, _by_hand)),
    Row("`solve`, 36x36 with 40 % givens", "x by hand", 1.5, 1.15, _any, _against(1, _by_hand)),
    Row("`solve`, 25x25, against the raw tables", "x raw", 0.2, 0.1, _any, _against(0, _raw)),
    Row("`solve`, 5x5 magic square, chains of sums", "x by hand", 2, 1, _any, _BY_HAND),
    Row("plain backtracking, 10 queens, all", "x recursion", 1, 0.5, _any, _RECURSION),
    Row("`f2csp solve`, 9x9, above the import of CP-SAT", "ms", 250, 120, _any, _IMPORTED),
    Row("`f2csp compare`, 9x9 with `search`, beside a run", "ms", 300, 100, _any, _compare_beside_its_runs),
    Row("`generate`, minimal 9x9", "ms", 1000, 100, _any, _generated(20, minimal=True)),
    Row("`generate`, unique 9x9", "ms", 100, 20, _any, _generated(50, unique=True)),
    Row("`generate`, 100x100 with 40 % givens", "ms", 2000, 500, _any, _generated(1, box=10, fill=0.4)),
    Row("MAC with MRV, very hard 9x9", "x python-constraint", 0.5, 0.17, Texts.sudoku_lines, _hard_sudokus),
    Row("plain backtracking, 7x7 Latin square", "µs each", 3.7, 1.1, _any, _each_assignment),
    Row("engine `search`, slowest of Takuzus T01 to T13", "ms", 461, 100, _any, _T01_TO_T13),
    Row("greedy search, slowest of 12x12 Takuzus", "ms", 3600, 1000, _any, _GREEDY),
    Row("MAC with dom/wdeg, model RB", "x python-constraint", 1, 0.2, _any, _model_rb),
    Row("`count`, 6x6 Sudoku, empty", "s", 0.2, 0.02, _any, _counted(_sudoku)),
    Row("`count`, 6x6 Takuzu, empty", "s", 10, 1, _any, _counted(_takuzu)),
    Row("`count`, Latin squares of order 6", "s", 1, 0.2, _any, _counted(partial(_latin_square, which=1))),
    Row("`count`, Latin squares of order 7", "s", 30, 5, _any, _counted(partial(_latin_square, which=2))),
    Row("`count`, Latin squares of order 5", "x Ganak", 0.01, 0.001, _any, _counted_beside(_latin_square, "ganak")),
    Row("`count`, Latin squares of order 5 with first row", "x listed", 0.1, 0.01, _any, _LISTED_ROW),
    Row("`count`, 10 queens", "x listed", 0.5, 0.1, _any, _counted_beside(_queens, "enumerate")),
]

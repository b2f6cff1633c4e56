"""Solving, searching and counting.

What it costs that a file holds only tables, against models written by hand; boards that courses and their reports have
measured, random binary problems; and exact counts beside what other methods take.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import f2csp
from tests.benchmarks.measure import (
    MAX_RUNS,
    NUMPY,
    Action,
    Figure,
    Prepare,
    Row,
    Run,
    best,
    byte_loop,
    needs,
    process,
    program,
    start,
    timed,
)
from tests.benchmarks.texts import Scale, Texts

if TYPE_CHECKING:
    from f2csp.puzzles.sudoku import Sudoku

_SAMPLES = Path(__file__).parents[2] / "samples" / "experiments"
_WORKERS = 2
_TIME_LIMIT = 60.0  # for the raw tables, which may take for ever
_IMPORT = (sys.executable, "-c", "import ortools.sat.python.cp_model")
_PLAIN = "search:inference=none,variable-order=static,counted=all"
_LATIN = "6...... .6.1..3 2.7.... 4..2..1 .3156.. 1..7.24 ......7".split()


# ---- Against models by hand ------------------------------------------------------------------------------------------


def _recover(path: Path, _: Texts) -> Action:
    from f2csp.structure import recover

    return partial(recover, f2csp.load(path))


def _load(path: Path, _: Texts) -> Action:
    return partial(f2csp.load, path)


def _by_cpsat(problem: f2csp.Problem, *, use_structure: bool = True) -> f2csp.Result:
    """Solve with the engine of the models by hand, so that the rows compare models, not engines."""
    return f2csp.solve(problem, engine="cpsat", workers=_WORKERS, seconds=_TIME_LIMIT, use_structure=use_structure)


def _solve(problem: f2csp.Problem) -> None:
    assert _by_cpsat(problem)


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
    """Solve with the tables as they are, perhaps without an answer at the time limit."""
    _by_cpsat(problem, use_structure=False)


def _against(which: int, peer: Callable[["Sudoku", f2csp.Problem], object]) -> Run:
    """The median over some boards of the time after loading, as a multiple of the peer's."""

    def run(path: Path, texts: Texts) -> Figure:
        needs("ortools")
        root, n = texts.scale.boards[which]
        figures = []
        for board in [texts.partial(root, seed) for seed in range(n)]:
            problem = f2csp.to_problem(board)
            mine, theirs = best(partial(_solve, problem), partial(peer, board, problem))
            figures.append((mine / theirs, mine))
        ratio, seconds = sorted(figures)[len(figures) // 2]
        return Figure(seconds, ratio)

    return run


def _magic(_: Path, __: Texts) -> Action:
    """A magic square with chains of tables as sums."""
    return partial(_solve, f2csp.generate("magic", size=5))


def _magic_by_hand(_: Path, __: Texts) -> Action:
    needs("ortools")
    cells = range(25)
    lines = [list(cells[i::5]) for i in range(5)] + [list(cells[i : i + 5]) for i in range(0, 25, 5)]
    lines += [list(cells[::6]), list(cells[4:-1:4])]
    return partial(_solve_model, lines, range(1, 26), {}, 65)


def _compare_beside_its_runs(path: Path, _: Texts) -> Figure:
    """The time for each of ten runs besides solving, with the start of the program."""
    command = [*start(), "compare", str(path), "--engines", "search", "--repeats", "10", "--json"]
    solving: list[float] = []

    def compare() -> None:
        done = subprocess.run(command, capture_output=True, check=True)
        solving.append(sum(json.loads(line)["seconds"] for line in done.stdout.splitlines()))

    seconds, numpy = best(compare, partial(process, NUMPY), clock=perf_counter)
    return Figure(seconds, (seconds - min(solving)) / 10 / numpy)


def _generated(n: int, **options: object) -> Run:
    """Each of some Sudokus."""

    def prepare(_: Path, __: Texts) -> Action:
        return lambda: [f2csp.generate("sudoku", seed=seed, **options) for seed in range(n)]

    return timed(prepare, byte_loop, each=n)


def _any(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


# ---- The engine search -----------------------------------------------------------------------------------------------


def _all_queens(_: Path, texts: Texts) -> Action:
    """All solutions of the queens by plain backtracking."""
    from tests.search.textbook import queens

    return partial(f2csp.solve, queens(texts.scale.queens), engine=_PLAIN, solutions=None, keep_solutions=False)


def _queens_by_recursion(path: Path, texts: Texts) -> Action:
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
    return partial(place, [])


def _latin_backtracking(_: Path, texts: Texts) -> Action:
    """A 7x7 Latin square, column by column, all cells counted.

    On it the code of Russell and Norvig's book makes 353,351 assignments.
    """
    problem = f2csp.read(StringIO("\n".join(map(" ".join, _LATIN))), "latin")
    counted = "all" if texts.is_full else "open"
    engine = f"search:inference=none,variable-order=column,value-order=recent,counted={counted}"
    assert not texts.is_full or f2csp.solve(problem, engine=engine).statistics.assignments == 353_351
    return partial(f2csp.solve, problem, engine=engine)


def _hard_sudokus(texts: Texts) -> list[f2csp.Problem]:
    return [f2csp.generate("sudoku", difficulty="hard", seed=seed) for seed in range(20 if texts.is_full else 1)]


def _random_binary(texts: Texts) -> list[f2csp.Problem]:
    """Random problems where satisfiable ones become rare."""
    return [f2csp.generate("model-rb", variables=24 if texts.is_full else 5, arity=2, seed=seed) for seed in range(3)]


def _beside_python_constraint(problems_of: Callable[[Texts], list[f2csp.Problem]], engine: str) -> Run:
    """Each problem solved once: F2CSP keeps what it has recovered of a problem."""

    def mine(_: Path, texts: Texts) -> Action:
        written = [f2csp.dumps(problem) for problem in problems_of(texts)]
        copies = [[f2csp.loads(text) for text in written] for _ in range(MAX_RUNS)]
        return lambda: [f2csp.solve(problem, engine=engine) for problem in copies.pop()]

    def theirs(_: Path, texts: Texts) -> Action:
        needs("constraint")
        models = [_in_python_constraint(problem) for problem in problems_of(texts)]
        return lambda: [model.getSolution() for model in models]

    return timed(mine, theirs)


def _in_python_constraint(problem: f2csp.Problem) -> Any:
    """A problem as users of python-constraint write it: cells that differ by name, and a predicate for each table.

    Of its solvers, the simplest takes a sixth of the time of the default on hard Sudokus.
    """
    from constraint import AllDifferentConstraint, BacktrackingSolver, Problem

    model, structure = Problem(BacktrackingSolver()), f2csp.structure(problem)
    for variable in problem.variables:
        model.addVariable(variable.name, list(variable.domain.values))
    for group in structure.all_different:
        model.addConstraint(AllDifferentConstraint(), group)
    for constraint in problem.constraints:
        rows, is_positive = set(constraint.tuples), constraint.kind == "Accept"
        if not structure.all_different or len(constraint.scope) == 1:
            model.addConstraint(lambda *row, rows=rows, kind=is_positive: (row in rows) == kind, constraint.scope)
    return model


def _takuzus(sample: str, engine: str) -> Run:
    """The slowest Takuzu of a sample."""

    def run(path: Path, texts: Texts) -> Figure:
        from f2csp.puzzles.puzzle import cell_of

        figures = []
        for board in islice(f2csp.puzzles(_SAMPLES / sample, "takuzu:ist"), None if texts.is_full else 1):
            problem = f2csp.to_problem(board)
            cells = [name for name in problem.variable_names if cell_of(name)]
            mine, loop = best(partial(f2csp.solve, problem, engine=engine, project=cells), byte_loop(path, texts))
            figures.append(Figure(mine, mine / loop))
        return max(figures, key=lambda figure: figure.value)

    return run


# ---- Counting --------------------------------------------------------------------------------------------------------

Family = Callable[[Scale], f2csp.Problem]


def _sudoku(scale: Scale, box: str = "2x3") -> f2csp.Problem:
    return f2csp.generate("sudoku", box=box if scale.small > 4 else "2x2", fill=0)


def _takuzu(scale: Scale) -> f2csp.Problem:
    return f2csp.generate("takuzu", size=(scale.small // 2 + 2) // 2 * 2, fill=0)


def _latin_square(scale: Scale, which: int = 0) -> f2csp.Problem:
    return f2csp.generate("latin", size=scale.latin[which], fill=0)


def _first_row(scale: Scale) -> f2csp.Problem:
    return _latin_square(scale).restricted({f"V1-{value}": value for value in range(1, scale.latin[0] + 1)})


def _queens(scale: Scale) -> f2csp.Problem:
    return f2csp.generate("queens", size=2 * scale.latin[0])


def _symmetries(_: Path, texts: Texts) -> Action:
    problem = f2csp.generate("sudoku", size=texts.scale.middle, fill=0)
    return lambda: f2csp.symmetry(problem)


def _pigeonholes(_: Path, texts: Texts) -> Action:
    n = texts.scale.queens + 2
    builder = f2csp.ProblemBuilder("pigeonholes")
    builder.domain("holes", range(1, n))
    names = [f"p{i}" for i in range(n)]
    for name in names:
        builder.variable(name, "holes")
    builder.all_different(names)
    problem = builder.build()
    return lambda: f2csp.solve(problem, engine="search")


def _count(problem_of: Family, method: str) -> Prepare:
    return lambda _, texts: partial(f2csp.count, problem_of(texts.scale), method=method)


def _counted(problem_of: Family) -> Run:
    return timed(_count(problem_of, "merge"), byte_loop)


def _counted_beside(problem_of: Family, method: str) -> Run:
    """As a multiple of the time that another method takes."""

    def theirs(path: Path, texts: Texts) -> Action:
        if method == "ganak":
            needs("pyganak")
        count = _count(problem_of, method)(path, texts)
        assert count() == _count(problem_of, "merge")(path, texts)()
        return count

    return timed(_count(problem_of, "merge"), theirs)


_IMPORTED = program("main solve IN", peer=_IMPORT)
_BY_HAND = timed(_magic, _magic_by_hand)
_RECURSION = timed(_all_queens, _queens_by_recursion)
_BATTERY_A, _GREEDY = _takuzus("takuzu-a.txt", "search"), _takuzus("takuzu-b-12x12.txt", "search:strategy=greedy")
_HARD = _beside_python_constraint(_hard_sudokus, "search:variable-order=mrv")
_RB = _beside_python_constraint(_random_binary, "search")
_LISTED_ROW = _counted_beside(_first_row, "enumerate")

SOLVING = [
    Row("`recover`, 64x64", "x load", 1, 0.5, lambda t: t.sudoku(t.scale.large), timed(_recover, _load)),
    Row("`recover`, all tables different", "x load", 1, 0.5, Texts.different, timed(_recover, _load)),
    Row("`recover`, all tables different, of triples", "x load", 1, 0.5, Texts.triples, timed(_recover, _load)),
    Row(
        *("`recover`, one table of 10^6 tuples", "x load", 1, 0.5, lambda t: t.large_table(t.scale.n_rows)),
        timed(_recover, _load),
    ),
    Row("`solve`, 25x25 with 40 % givens", "x by hand", 1.5, 1.15, _any, _against(0, _by_hand)),
    Row("`solve`, 36x36 with 40 % givens", "x by hand", 1.5, 1.15, _any, _against(1, _by_hand)),
    Row("`solve`, 25x25, against the raw tables", "x raw", 0.2, 0.1, _any, _against(0, _raw)),
    Row("`solve`, 5x5 magic square, chains of sums", "x by hand", 2, 1, _any, _BY_HAND),
    Row("plain backtracking, 10 queens, all", "x recursion", 1, 0.5, _any, _RECURSION),
    Row("`f2csp solve`, 9x9 with 25 givens", "x import of CP-SAT", 1.67, 1.32, Texts.unique, _IMPORTED),
    Row(
        *("`f2csp compare`, 9x9 with 25 givens, `search`, beside a run", "x numpy", 5, 1.7, Texts.unique),
        _compare_beside_its_runs,
    ),
    Row("`generate`, minimal 9x9", "x loop", 910, 91, _any, _generated(20, minimal=True)),
    Row("`generate`, unique 9x9", "x loop", 91, 18, _any, _generated(50, unique=True)),
    Row("`generate`, 100x100 with 40 % givens", "x loop", 1800, 450, _any, _generated(1, box=10, fill=0.4)),
    Row("MAC with MRV, hard 9x9", "x python-constraint", 0.5, 0.17, _any, _HARD),
    Row("plain backtracking, 7x7 Latin square", "x loop", 1200, 350, _any, timed(_latin_backtracking, byte_loop)),
    Row("engine `search`, slowest of 13 Takuzus", "x loop", 420, 91, _any, _BATTERY_A),
    Row("greedy search, slowest of 12x12 Takuzus", "x loop", 3300, 910, _any, _GREEDY),
    Row("MAC with dom/wdeg, model RB", "x python-constraint", 1, 0.2, _any, _RB),
    Row("`count`, 6x6 Sudoku, empty", "x loop", 180, 18, _any, _counted(_sudoku)),
    Row("`count`, 6x6 Takuzu, empty", "x loop", 9100, 910, _any, _counted(_takuzu)),
    Row("`count`, Latin squares of order 6", "x loop", 910, 180, _any, _counted(partial(_latin_square, which=1))),
    Row("`count`, Latin squares of order 7", "x loop", 450, 91, _any, _counted(partial(_latin_square, which=2))),
    Row("`count`, Latin squares of order 8", "x loop", 27000, 4500, _any, _counted(partial(_latin_square, which=3))),
    Row("`count`, 8x8 Sudoku, empty", "x loop", 13600, 3600, _any, _counted(partial(_sudoku, box="2x4"))),
    Row("`symmetry`, 36x36", "x loop", 54000, 4500, _any, timed(_symmetries, byte_loop)),
    Row("engine `search`, 12 pigeons in 11 holes", "x loop", 450, 45, _any, timed(_pigeonholes, byte_loop)),
    Row("`count`, Latin squares of order 5", "x Ganak", 0.01, 0.001, _any, _counted_beside(_latin_square, "ganak")),
    Row("`count`, Latin squares of order 5 with first row", "x listed", 0.1, 0.01, _any, _LISTED_ROW),
    Row("`count`, 10 queens", "x listed", 0.5, 0.1, _any, _counted_beside(_queens, "enumerate")),
]

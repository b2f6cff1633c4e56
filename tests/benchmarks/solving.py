"""Solving: what it costs that a file holds only tables, against models written by hand and against the tables raw."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from tests.benchmarks.measure import Figure, Row, Run, best, best_process, measured
from tests.benchmarks.texts import Texts

if TYPE_CHECKING:
    from f2csp.model import Problem
    from f2csp.puzzles.sudoku import Sudoku

_WORKERS = 2
_TIME_LIMIT = 60.0  # for the raw tables, which may take for ever

Peer = Callable[["Sudoku", "Problem"], object]


def _by_hand(board: "Sudoku", problem: "Problem") -> None:
    """Solve a model that a person would write."""
    from ortools.sat.python import cp_model

    n, height, width = board.size, board.box_rows, board.box_columns
    given = {(clue.row - 1, clue.column - 1): clue.value for clue in board.clues}
    model = cp_model.CpModel()
    cells = [
        [model.new_constant(given[r, c]) if (r, c) in given else model.new_int_var(1, n, f"{r} {c}") for c in range(n)]
        for r in range(n)
    ]
    for i in range(n):
        model.add_all_different(cells[i])
        model.add_all_different([row[i] for row in cells])
    for top in range(0, n, height):
        for left in range(0, n, width):
            model.add_all_different([cells[top + r][left + c] for r in range(height) for c in range(width)])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = _WORKERS
    assert solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def _raw(board: "Sudoku", problem: "Problem") -> None:
    """Solve with the tables as they are, up to a time limit."""
    from f2csp.solving import solve

    solve(problem, workers=_WORKERS, seconds=_TIME_LIMIT, use_structure=False)


def _against(which: int, peer: Peer) -> Run:
    """The median over some boards of the time after loading, as a multiple of the peer's."""

    def run(path: Path, texts: Texts) -> Figure:
        from f2csp.puzzles.to_problem import to_problem
        from f2csp.solving import Status, solve

        def ours(problem: "Problem") -> None:
            assert solve(problem, workers=_WORKERS).status == Status.SATISFIABLE

        root, n = texts.scale.boards[which]
        found = []
        for board in [texts.partial(root, seed) for seed in range(n)]:
            problem = to_problem(board)
            mine = best(lambda: ours(problem), 3)  # noqa: B023 - called at once
            theirs = best(lambda: peer(board, problem), 3)  # noqa: B023 - called at once
            found.append((mine / theirs, mine))
        ratio, seconds = sorted(found)[len(found) // 2]
        return Figure(seconds, ratio, None)

    return run


def _sums_against_by_hand(path: Path, texts: Texts) -> Figure:
    """Solve a magic square with chains of tables as sums, against a model with the sums themselves."""
    from ortools.sat.python import cp_model

    from f2csp.generation.kinds import generate
    from f2csp.solving import Status, solve

    n = 5
    problem = generate("magic", size=n)

    def by_hand() -> None:
        model = cp_model.CpModel()
        cells = [[model.new_int_var(1, n * n, f"{r} {c}") for c in range(n)] for r in range(n)]
        diagonals = [[cells[i][i] for i in range(n)], [cells[i][-1 - i] for i in range(n)]]
        model.add_all_different([cell for row in cells for cell in row])
        for line in [*cells, *zip(*cells, strict=True), *diagonals]:
            model.add(sum(line) == n * (n * n + 1) // 2)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = _WORKERS
        assert solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)

    def ours() -> None:
        assert solve(problem, workers=_WORKERS).status == Status.SATISFIABLE

    mine, theirs = best(ours, 3), best(by_hand, 3)
    return Figure(mine, mine / theirs, None)


def _solve_against_import(path: Path, texts: Texts) -> Figure:
    code = "from f2csp.cli.main import main; main()"
    seconds, peak = best_process([sys.executable, "-c", code, "solve", path], texts.scale.n_processes)
    imported, _ = best_process([sys.executable, "-c", "import ortools.sat.python.cp_model"], texts.scale.n_processes)
    return Figure(seconds, (seconds - imported) * 1e3, peak)


def _recover_against_loads(path: Path, texts: Texts) -> Figure:
    import f2csp
    from f2csp.structure import recover

    data = path.read_bytes()
    problem = f2csp.loads(data)
    seconds, peak = measured(lambda: recover(problem))
    return Figure(seconds, seconds / best(lambda: f2csp.loads(data)), peak)


def _plain_against_recursion(path: Path, texts: Texts) -> Figure:
    """All solutions of the queens by plain backtracking, against the short recursive program of a textbook."""
    from f2csp.solving import solve
    from tests.search.textbook import queens

    n = texts.scale.queens
    problem, rows, n_assigned = queens(n), range(n), 0

    def place(placed: list[int]) -> None:
        nonlocal n_assigned
        for row in rows:
            if all(other != row and abs(other - row) != len(placed) - k for k, other in enumerate(placed)):
                n_assigned += 1
                if len(placed) < n - 1:
                    place([*placed, row])

    engine = "search:inference=none,variable-order=static,counted=all"
    result = solve(problem, engine=engine, solutions=None, keep_solutions=False)
    place([])
    assert result.statistics.assignments == n_assigned
    mine = best(lambda: solve(problem, engine=engine, solutions=None, keep_solutions=False))
    return Figure(mine, mine / best(lambda: place([])), None)


def _compare_beside_its_runs(path: Path, texts: Texts) -> Figure:
    """Milliseconds for each of ten runs besides solving, with the start of the program."""
    code = "from f2csp.cli.main import main; main()"
    arguments = ["compare", path, "--engines", "search", "--repeats", "10", "--json"]
    start = perf_counter()
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=True)
    seconds = perf_counter() - start
    times = [json.loads(line)["seconds"] for line in done.stdout.splitlines()]
    return Figure(seconds, (seconds - sum(times)) / len(times) * 1e3, None)


def _any(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


def _generated(n: int, **options: object) -> Callable[[Path, Texts], Figure]:
    """Milliseconds for each of some Sudokus."""

    def run(_: Path, __: Texts) -> Figure:
        from f2csp.generation.draws import Draws
        from f2csp.generation.kinds import drawn, kind_named
        from f2csp.puzzles.puzzle import Puzzle
        from f2csp.puzzles.to_problem import to_problem

        def generate() -> None:
            draws = Draws(1)
            for _ in range(n):
                puzzle = drawn(kind_named("sudoku"), draws, options)
                assert isinstance(puzzle, Puzzle)
                to_problem(puzzle)

        seconds = best(generate)
        return Figure(seconds, seconds / n * 1e3, None)

    return run


SOLVING = [
    Row("`recover`, 64x64", "x loads", 1, 0.5, lambda t: t.sudoku(t.scale.large), _recover_against_loads),
    Row("`recover`, all tables different", "x loads", 1, 0.5, Texts.different, _recover_against_loads),
    Row("`recover`, all tables different, of triples", "x loads", 1, 0.5, Texts.triples, _recover_against_loads),
    Row("`recover`, one table of 10^6 tuples", "x loads", 1, 0.5, Texts.large_table, _recover_against_loads),
    Row("`solve`, 25x25 with 40 % givens", "x by hand", 1.5, 1.15, _any, _against(0, _by_hand)),
    Row("`solve`, 36x36 with 40 % givens", "x by hand", 1.5, 1.15, _any, _against(1, _by_hand)),
    Row("`solve`, 25x25, against the raw tables", "x raw", 0.2, 0.1, _any, _against(0, _raw)),
    Row("`solve`, 5x5 magic square, chains of sums", "x by hand", 2, 1, _any, _sums_against_by_hand),
    Row("plain backtracking, 10 queens, all", "x recursion", 0.33, 0.1, _any, _plain_against_recursion),
    Row("`f2csp solve`, 9x9, above the import of CP-SAT", "ms", 250, 120, _any, _solve_against_import),
    Row("`f2csp compare`, 9x9 with `search`, beside a run", "ms", 300, 100, _any, _compare_beside_its_runs),
    Row("`generate`, minimal 9x9", "ms", 1000, 100, _any, _generated(20, minimal=True)),
    Row("`generate`, unique 9x9", "ms", 100, 20, _any, _generated(50, unique=True)),
    Row("`generate`, 100x100 with 40 % givens", "ms", 2000, 500, _any, _generated(1, box=10, fill=0.4)),
]

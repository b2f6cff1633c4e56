"""The engine `search`: boards that courses and their reports have measured, and random binary problems."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.measure import Figure, Row, best
from tests.benchmarks.peers import pairs_of_cells
from tests.benchmarks.texts import Texts

if TYPE_CHECKING:
    from f2csp.model import Problem

_LATIN = "6...... .6.1..3 2.7.... 4..2..1 .3156.. 1..7.24 ......7".split()


def _each_assignment(path: Path, texts: Texts) -> Figure:
    """Microseconds for each value accepted on a 7x7 Latin square, column by column, all cells counted.

    These are the 353,351 assignments that the code of Russell and Norvig's book makes.
    """
    from f2csp.puzzles.latin import LatinSquare
    from f2csp.puzzles.puzzle import Clue
    from f2csp.puzzles.to_problem import to_problem
    from f2csp.solving import solve

    cells = [(i, k, sign) for i, row in enumerate(_LATIN, 1) for k, sign in enumerate(row, 1) if sign != "."]
    problem = to_problem(LatinSquare(7, clues=tuple(Clue(i, k, int(sign)) for i, k, sign in cells)))
    counted = "all" if texts.scale.large == 64 else "open"
    engine = f"search:inference=none,variable-order=column,value-order=recent,counted={counted}"
    n = solve(problem, engine=engine).statistics.assignments or 1
    seconds = best(lambda: solve(problem, engine=engine))
    return Figure(seconds, seconds / n * 1e6, None)


def _hard_sudokus(path: Path, texts: Texts) -> Figure:
    """Very hard Sudokus after loading, or some that are made: against python-constraint on the same pairs."""
    from f2csp.puzzles.to_problem import to_problem
    from f2csp.solving import solve
    from tests.puzzles.records import LINES, read

    lines = [record["puzzle"].split()[1] for record in LINES if "sudoku_exchange" in record["id"]]
    if not lines or texts.scale.large < 64:
        lines = path.read_text().split()[:30]
    problems = [to_problem(read(line, "sudoku")) for line in lines]
    seconds = best(lambda: [solve(problem, engine="search:variable-order=mrv") for problem in problems], 2)
    theirs = 1.0
    if find_spec("constraint"):
        peers = [pairs_of_cells(line) for line in lines]
        theirs = best(lambda: [one.getSolution() for one in peers], 2)
    return Figure(seconds, seconds / theirs, None)


def _takuzus(name: str, engine: str) -> Callable[[Path, Texts], Figure]:
    """Milliseconds for the slowest Takuzu of a battery; of some that are generated where the data is not there."""

    def run(path: Path, texts: Texts) -> Figure:
        import f2csp
        from f2csp.puzzles.puzzle import cell_of
        from f2csp.solving import solve
        from tests.puzzles.records import LINES, read

        boards = [record["puzzle"] for record in LINES if name in record["id"] and texts.scale.takuzu > 30]
        problems = [f2csp.to_problem(read(board, "takuzu")) for board in boards]
        slowest = 0.0
        for problem in problems or [f2csp.generate("takuzu", size=6, unique=True, seed=1)]:
            cells = [one for one in problem.variable_names if cell_of(one)]
            slowest = max(slowest, best(lambda: solve(problem, engine=engine, project=cells), 2))  # noqa: B023 - called at once
        return Figure(slowest, slowest * 1e3, None)

    return run


def _model_rb(path: Path, texts: Texts) -> Figure:
    """Random binary problems where satisfiable ones become rare: against python-constraint, if it is installed."""
    import f2csp
    from f2csp.solving import solve

    n = 24 if texts.scale.large == 64 else 5
    problems = [f2csp.generate("model-rb", variables=n, arity=2, seed=seed) for seed in range(3)]
    seconds = best(lambda: [solve(problem, engine="search") for problem in problems])
    theirs = best(lambda: [_python_constraint(problem) for problem in problems]) if find_spec("constraint") else 1.0
    return Figure(seconds, seconds / theirs, None)


def _python_constraint(problem: "Problem") -> object:
    from constraint import BacktrackingSolver, Problem

    theirs = Problem(BacktrackingSolver())
    for variable in problem.variables:
        theirs.addVariable(variable.name, list(variable.domain.values))
    for one in problem.constraints:
        rows, is_positive = set(one.tuples), one.kind == "Accept"
        theirs.addConstraint(lambda *row, rows=rows, kind=is_positive: (row in rows) == kind, one.scope)
    return theirs.getSolution()


def _any(texts: Texts) -> Path:
    return texts.sudoku(texts.scale.small)


SEARCHING = [
    Row("MAC with MRV, very hard 9x9", "x python-constraint", 0.5, 0.17, Texts.sudoku_lines, _hard_sudokus),
    Row("plain backtracking, 7x7 Latin square", "µs each", 3.7, 1.1, _any, _each_assignment),
    Row("engine `search`, slowest of Takuzus T01 to T13", "ms", 461, 100, _any, _takuzus("IST-public", "search")),
    Row(
        *("greedy search, slowest of 12x12 Takuzus", "ms", 3600, 1000, _any),
        _takuzus("size12", "search:strategy=greedy"),
    ),
    Row("MAC with dom/wdeg, model RB", "x python-constraint", 1, 0.2, _any, _model_rb),
]

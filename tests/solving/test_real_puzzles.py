"""Real puzzles, solved by every engine: the recorded solution where it is the only one, and a solution in any case."""

import pytest

import f2csp
from f2csp.instances import Instance
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving.questions import Uniqueness, projection, unique
from tests.puzzles.records import LINES, NONE, REASON, SEEDS, Record, matrix, read, texts

FAST = ("cpsat", "sat")  # the others take up to minutes for some of these
HARDEST = 16  # the size above which Sudokus may take minutes
QUICK = [record for record in LINES if record["kind"] != "sudoku" or record["n"] <= HARDEST]

pytestmark = pytest.mark.skipif(not (LINES and SEEDS), reason=REASON)


@pytest.mark.slow
@pytest.mark.parametrize("engine", FAST)
@pytest.mark.parametrize("record", QUICK or [NONE], ids=lambda record: record["id"])
def test_the_only_solution_is_the_recorded_one(record: Record, engine: str) -> None:
    puzzle = read(record["puzzle"], record["kind"])
    problem = to_problem(puzzle)
    verdict = unique(problem, engine=engine, seconds=60, project=projection(Instance("", "", problem), None))
    assert record["unique"]
    assert verdict.uniqueness == Uniqueness.UNIQUE
    assert f2csp.check(problem, verdict.solutions[0]) == []
    assert puzzle.grid_of(verdict.solutions[0]) == matrix(record["solution"])


@pytest.mark.parametrize("engine", FAST)
@pytest.mark.parametrize("record", SEEDS or [NONE], ids=lambda record: record["id"])
def test_the_reported_number_of_solutions(record: Record, engine: str) -> None:
    problem = to_problem(read(next(texts(record)), record["kind"]))
    at_least = str(record["n_solutions"]).startswith(">=")
    n = int(str(record["n_solutions"]).removeprefix(">="))
    result = f2csp.count(problem, engine=engine, solutions=n if at_least else n + 1)
    assert (result.n_solutions, result.is_complete) == (n, not at_least)
    assert (unique(problem, engine=engine).uniqueness == Uniqueness.UNIQUE) == record["unique"]

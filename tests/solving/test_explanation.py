"""Explanations: the subset is unsatisfiable and minimal, as another engine confirms."""

from collections.abc import Collection, Iterator
from importlib.util import find_spec
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.generation.kinds import generate
from f2csp.model import Problem, ProblemBuilder
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle, cell_of
from f2csp.puzzles.recognise import recognise
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import Status, solve
from f2csp.solving.explanation import Explanation, describe_group, explain
from tests.small import problem_of, solutions
from tests.strategies import examples, problems


@pytest.fixture(scope="module", autouse=True, params=["sat", "search"])
def _engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """By the SAT solver, and as if it were not installed."""
    missing = {"pysat"} if request.param == "search" else set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("f2csp.solving.registry.find_spec", lambda name: None if name in missing else find_spec(name))
        yield


def has_solution(problem: Problem, kept: Collection[int] | None = None) -> bool:
    """By another engine than the one that explains; with some of the constraints alone."""
    if kept is not None:
        problem = problem.without(*(label for i, label in enumerate(problem.constraints.names) if i not in kept))
    return solve(problem, engine="cpsat", use_structure=False).status == Status.SATISFIABLE


def assert_minimal(problem: Problem, explanation: Explanation) -> None:
    assert explanation.status == Status.UNSATISFIABLE
    assert explanation.is_minimal
    kept = list(explanation.constraints)
    assert kept == sorted(set(kept))
    assert not has_solution(problem, kept)
    for left_out in kept:
        assert has_solution(problem, {*kept} - {left_out})
    covered = {index for group in explanation.groups for index in group.constraints}
    assert set(kept) <= covered
    for group in explanation.groups:  # minimal in its groups, too
        others = {index for other in explanation.groups if other != group for index in other.constraints}
        assert has_solution(problem, others)


@examples(60)
@given(problems(max_variables=4, max_constraints=6, max_arity=3))
def test_random_problems(problem: Problem) -> None:
    explanation = explain(problem)
    if solutions(problem):
        assert explanation == Explanation(Status.SATISFIABLE)
    else:
        assert_minimal(problem, explanation)


def test_a_group_that_is_hard_to_leave_out_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("f2csp.solving.registry.find_spec", lambda name: None if name == "pysat" else find_spec(name))
    monkeypatch.setattr("f2csp.solving.explanation._MAX_NODES", 1)
    problem = to_problem(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 2, 2), Clue(2, 3, 3))))
    found = explain(problem)
    assert (found.status, found.is_minimal) == (Status.UNSATISFIABLE, False)
    assert not has_solution(problem, found.constraints)


def lines(*groups: str) -> list[str]:
    return [f"{group} holds each value once" for group in groups]


AROUND = [Cell(1, 1), Cell(1, 2), Cell(2, 2), Cell(2, 1)]


@pytest.mark.parametrize(
    ("puzzle", "rules", "n_unused"),
    [
        (Sudoku(9, 3, 3, clues=(Clue(7, 3, 7), Clue(1, 1, 1), Clue(7, 8, 7))), lines("row 7"), 1),
        (
            Sudoku(9, 3, 3, clues=(*(Clue(1, column, column) for column in range(1, 9)), Clue(5, 9, 9))),
            lines("row 1", "column 9"),
            0,
        ),
        (Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 2, 2), Clue(2, 3, 3))), lines("row 1", "box 2"), 0),
        (
            Futoshiki(4, tuple(map(Sign, AROUND, [*AROUND[1:], AROUND[0]]))),
            [f"{one} < {other}" for one, other in pairwise([*AROUND, AROUND[0]])],
            0,
        ),
        (LatinSquare(3, clues=(Clue(1, 1, 1), Clue(2, 1, 1))), lines("column 1"), 0),
        (
            Takuzu(6, 6, clues=(Clue(1, 1, 1), Clue(1, 2, 1), Clue(1, 3, 1))),
            ["row 1 has no three alike in columns 1 to 3"],
            0,
        ),
        (
            Takuzu(4, 4, clues=(Clue(1, 1, 1), Clue(1, 2, 1), Clue(1, 4, 1))),
            ["row 1 has as many zeros as ones"],
            0,
        ),
        (
            Takuzu(4, 4, clues=tuple(Clue(r, c, int(c in (1, 4))) for r in (1, 4) for c in range(1, 5))),
            ["rows 1 and 4 differ"],
            0,
        ),
    ],
    ids=lambda value: value.__class__.__name__ if isinstance(value, Puzzle) else None,
)
def test_rules_and_givens_of_a_puzzle(puzzle: Puzzle, rules: list[str], n_unused: int) -> None:
    problem = to_problem(puzzle)
    found = explain(problem, auxiliary=[name for name in problem.variable_names if cell_of(name) is None])
    assert_minimal(problem, found)
    words = [describe_group(problem, group, recognise(problem)) for group in found.groups]
    givens = [f"{clue.value} is given at {clue.cell}" for clue in puzzle.clues]
    assert set(words) - set(givens) == set(rules)
    assert len(words) == len(set(words)) == len(rules) + len(givens) - n_unused


def test_a_map_in_its_own_names() -> None:
    borders = ("France Spain", "Spain Andorra", "France Andorra", "Peru France")
    tables = [(f"reject {pair}", [("red", "red"), ("green", "green")]) for pair in borders]
    problem = problem_of({"colour: France Spain Andorra Peru": ["red", "green"]}, *tables)
    found = explain(problem)
    assert_minimal(problem, found)
    assert [group.describe([problem.variable_names[v] for v in group.variables]) for group in found.groups] == [
        "France Spain Andorra all differ"
    ]
    assert found.constraints == (0, 1, 2)


def test_labels_that_are_the_default_ones_of_a_part() -> None:
    builder = ProblemBuilder("Two of three")
    builder.domain("D1", [1, 2])
    builder.variable("x", "D1")
    for label, value in {"1": 1, "2": 2, "a": 1}.items():
        builder.accept(["x"], [value], label)
    assert explain(builder.build()).labels == ("1", "2")


def test_no_time_is_unknown() -> None:
    problem = to_problem(Sudoku(9, 3, 3, clues=(Clue(1, 1, 1), Clue(1, 2, 1))))
    assert explain(problem, seconds=0).status == Status.UNKNOWN


@examples(15)
@given(st.lists(st.tuples(*[st.integers(1, 6)] * 3), min_size=12, max_size=20, unique_by=lambda clue: clue[:2]))
def test_random_givens_of_a_sudoku(givens: list[tuple[int, int, int]]) -> None:
    problem = to_problem(Sudoku(6, 2, 3, clues=tuple(Clue(*given) for given in givens)))
    explanation = explain(problem)
    if has_solution(problem):
        assert explanation.status == Status.SATISFIABLE
    else:
        assert_minimal(problem, explanation)


def test_a_chain_of_tables_is_explained_as_a_sum() -> None:
    problem = generate("magic", size=3).restricted({"V1-1": 1, "V1-2": 2})
    found = explain(problem, auxiliary=[name for name in problem.variable_names if "sum" in name])
    assert found.sentences == ("V1-1 = 1", "V1-2 = 2", "sum of 3 variables = 15: V1-1 V1-2 V1-3")

"""Explanations: the subset is unsatisfiable and minimal, as another engine confirms."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def restricted(problem: Problem, constraints: list[int]) -> Problem:
    """The problem with some of its constraints alone."""
    arities = np.diff(problem.scope_offsets)[constraints]
    scopes = [problem.scope(index) for index in constraints]
    return replace(
        problem,
        scopes=np.concatenate([np.empty(0, dtype=np.int32), *scopes]),
        scope_offsets=np.concatenate(([0], np.cumsum(arities, dtype=np.int64))),
        constraint_relations=problem.constraint_relations[constraints],
        labels=None,
        origin=None,
    )


def has_solution(problem: Problem) -> bool:
    """By another engine than the one that explains."""
    return solve(problem, engine="cpsat", use_structure=False).status == Status.SATISFIABLE


def assert_minimal(problem: Problem, explanation: Explanation) -> None:
    assert explanation.status == Status.UNSATISFIABLE
    assert explanation.is_minimal
    kept = list(explanation.constraints)
    assert kept == sorted(set(kept))
    assert not has_solution(restricted(problem, kept))
    for left_out in kept:
        assert has_solution(restricted(problem, [index for index in kept if index != left_out]))
    covered = {index for group in explanation.groups for index in group.constraints}
    assert set(kept) <= covered
    for group in explanation.groups:  # minimal in its groups, too
        others = {index for other in explanation.groups if other != group for index in other.constraints}
        assert has_solution(restricted(problem, sorted(others)))


@examples(60)
@given(problems(max_variables=4, max_constraints=6, max_arity=3))
def test_random_problems(problem: Problem) -> None:
    explanation = explain(problem)
    if solutions(problem):
        assert explanation == Explanation(Status.SATISFIABLE)
    else:
        assert_minimal(problem, explanation)


def explained(puzzle: Puzzle) -> Explanation:
    problem = to_problem(puzzle)
    explanation = explain(problem, auxiliary=auxiliary(problem))
    assert_minimal(problem, explanation)
    return explanation


def auxiliary(problem: Problem) -> list[str]:
    return [name for name in problem.variable_names if cell_of(name) is None]


def words(puzzle: Puzzle) -> tuple[str, ...]:
    problem = to_problem(puzzle)
    return tuple(describe_group(problem, group, recognise(problem)) for group in explained(puzzle).groups)


def test_a_group_that_is_hard_to_leave_out_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("f2csp.solving.registry.find_spec", lambda name: None if name == "pysat" else find_spec(name))
    monkeypatch.setattr("f2csp.solving.explanation._MAX_NODES", 1)
    problem = to_problem(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 2, 2), Clue(2, 3, 3))))
    found = explain(problem)
    assert (found.status, found.is_minimal) == (Status.UNSATISFIABLE, False)
    assert not has_solution(restricted(problem, list(found.constraints)))


def test_two_givens_in_a_row() -> None:
    puzzle = Sudoku(9, 3, 3, clues=(Clue(7, 3, 7), Clue(1, 1, 1), Clue(7, 8, 7)))
    found = explained(puzzle)
    assert words(puzzle) == (
        "row 7 holds each value once",
        "7 is given at row 7, column 3",
        "7 is given at row 7, column 8",
    )
    problem = to_problem(puzzle)
    pair, *givens = [problem.constraints[index] for index in found.constraints]
    assert pair.scope == ("V7-3", "V7-8")
    assert [constraint.scope for constraint in givens] == [("V7-3",), ("V7-8",)]


def test_givens_that_leave_a_cell_nothing() -> None:
    clues = (*(Clue(1, column, column) for column in range(1, 9)), Clue(5, 9, 9))
    found = words(Sudoku(9, 3, 3, clues=clues))
    assert "row 1 holds each value once" in found
    assert "9 is given at row 5, column 9" in found


def test_a_box_that_no_value_fits() -> None:
    found = words(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 2, 2), Clue(2, 3, 3))))
    assert set(found) == {
        "row 1 holds each value once",
        "box 2 holds each value once",
        "1 is given at row 1, column 1",
        "2 is given at row 1, column 2",
        "3 is given at row 2, column 3",
    }


def test_signs_of_a_futoshiki() -> None:
    around = [Cell(1, 1), Cell(1, 2), Cell(2, 2), Cell(2, 1)]
    signs = tuple(map(Sign, around, [*around[1:], around[0]]))
    found = words(Futoshiki(4, signs))
    assert set(found) == {
        "row 1, column 1 < row 1, column 2",
        "row 1, column 2 < row 2, column 2",
        "row 2, column 2 < row 2, column 1",
        "row 2, column 1 < row 1, column 1",
    }


def test_a_latin_square() -> None:
    found = words(LatinSquare(3, clues=(Clue(1, 1, 1), Clue(2, 1, 1))))
    assert found[0] == "column 1 holds each value once"


@pytest.mark.parametrize(
    ("puzzle", "rule"),
    [
        (
            Takuzu(6, 6, clues=(Clue(1, 1, 1), Clue(1, 2, 1), Clue(1, 3, 1))),
            "V1-1 V1-2 V1-3 are not all equal",
        ),
        (
            Takuzu(4, 4, clues=(Clue(1, 1, 1), Clue(1, 2, 1), Clue(1, 4, 1))),
            "row 1 has as many zeros as ones, or one more of either where its length is odd",
        ),
        (
            Takuzu(4, 4, clues=tuple(Clue(r, c, int(c in (1, 4))) for r in (1, 4) for c in range(1, 5))),
            "rows 1 and 4 differ",
        ),
    ],
)
def test_rules_of_a_takuzu(puzzle: Takuzu, rule: str) -> None:
    given = [f"{clue.value} is given at {clue.cell}" for clue in puzzle.clues]
    assert set(words(puzzle)) == {rule, *given}


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
    builder = ProblemBuilder("Sum")
    for name, values in {"x": "0..2", "y": "0..2", "z": "0..2", "s": "0..4"}.items():
        builder.domain(f"D{name}", values)
        builder.variable(name, f"D{name}")
    builder.accept(["x", "y", "s"], lambda x, y, s: x + y == s)
    builder.accept(["s", "z"], lambda s, z: s + z == 5)
    builder.reject(["x"], [(2,)])
    builder.reject(["y"], [(2,)])
    assert "sum of 3 variables = 5: x y z" in explain(builder.build(), auxiliary=["s"]).sentences

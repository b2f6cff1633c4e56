"""Questions about solutions: uniqueness, counts, completion."""

from collections.abc import Callable
from typing import Any

import pytest

import f2csp
from f2csp.diagnostics import ProblemError
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import Limits, Status
from f2csp.solving.questions import Uniqueness, complete
from tests.small import problem_of


def colours(*pairs: str) -> f2csp.Problem:
    """A map: the pairs of letters are countries that must differ."""
    tables = [(f"reject {' '.join(pair)}", [("red", "red"), ("green", "green")]) for pair in pairs]
    return problem_of({f"colour: {' '.join(sorted(set(''.join(pairs))))}": ["red", "green"]}, *tables)


def test_completion() -> None:
    problem = colours("ab", "bc")
    assert complete(problem, {"a": "red"}).solution == {"a": "red", "b": "green", "c": "red"}
    assert complete(problem, {"a": "red", "c": "green"}).status == Status.UNSATISFIABLE


def test_unique() -> None:
    found = f2csp.unique(colours("ab"))
    assert found.uniqueness == Uniqueness.MULTIPLE
    assert found.differing == ("a", "b")
    assert f2csp.unique(colours("ab", "bc", "ca")).uniqueness == Uniqueness.NONE
    only = f2csp.unique(colours("ab").restricted({"a": "red"}))
    assert (only.uniqueness, only.solutions) == (Uniqueness.UNIQUE, ({"a": "red", "b": "green"},))
    late = f2csp.unique(to_problem(Sudoku(25, 5, 5)), seconds=0)
    assert (late.uniqueness, late.solutions) == (Uniqueness.UNKNOWN, ())


def test_count_keeps_no_solution() -> None:
    result = f2csp.count(colours("ab", "cd"))
    assert (result, result.result.solutions, result.is_complete) == (4, (), True)
    assert f2csp.count(colours("ab", "cd"), project=["a"]).n_solutions == 2


def test_answers_are_true_when_they_are_yes() -> None:
    some, none = colours("ab"), colours("ab", "bc", "ca")
    only = some.restricted({"a": "red"})
    assert [bool(f2csp.solve(problem)) for problem in (some, only, none)] == [True, True, False]
    assert [bool(f2csp.unique(problem)) for problem in (some, only, none)] == [False, True, False]
    assert [bool(f2csp.explain(problem)) for problem in (some, only, none)] == [False, False, True]
    assert f2csp.check(some, f2csp.solve(some))
    assert all(f2csp.check(some, solution) for solution in f2csp.solve(some, solutions=None))
    assert not f2csp.check(some, {"a": "red", "b": "red"})


def test_a_result_without_a_solution_cannot_be_checked() -> None:
    with pytest.raises(ProblemError, match="the result has no solution"):
        f2csp.check(colours("ab"), f2csp.solve(colours("ab", "bc", "ca")))


def test_a_count_is_a_number_that_knows_whether_it_is_exact() -> None:
    found = f2csp.count(colours("ab", "cd"), seconds=60)
    assert (found, int(found), found.n_solutions, found.is_complete, str(found)) == (4, 4, 4, True, "4")
    some = f2csp.count(colours("ab", "cd"), solutions=3)
    assert (some, some.is_complete, str(some)) == (3, False, "at least 3")


def test_limits_without_a_number_of_solutions_leave_it_to_the_question() -> None:
    problem, limits = colours("ab", "cd"), Limits(seconds=60)
    assert f2csp.count(problem, limits=limits) == 4
    assert f2csp.solve(problem, limits=limits).n_solutions == 1
    assert len(f2csp.unique(problem, limits=limits).solutions) == 2
    assert f2csp.count(problem, limits=Limits(solutions=3)) == 3
    assert f2csp.solve(problem, limits=Limits(solutions=None)).n_solutions == 4


QUESTIONS = [f2csp.solve, f2csp.unique, f2csp.count, f2csp.explain, f2csp.stats, f2csp.dumps]
PICTURES = [f2csp.board, f2csp.svg_board, f2csp.svg_graph]


@pytest.mark.parametrize("ask", [*QUESTIONS, *PICTURES, lambda file: f2csp.write(file, "p.csp")])
def test_what_is_no_problem_is_refused(ask: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match=r"expected a Problem, found 'puzzle.csp'; f2csp.read reads one from a file"):
        ask("puzzle.csp")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seconds": "10"}, "expected a number as seconds, found '10'"),
        ({"seconds": True}, "expected a number as seconds, found True"),
        ({"solutions": "all"}, "expected an integer as solutions, found 'all'"),
        ({"solutions": 1.0}, "expected an integer as solutions, found 1.0"),
        ({"workers": "2"}, "expected an integer as workers"),
        ({"seed": None}, "expected an integer as seed, found None"),
        ({"project": "ab"}, "expected a list of variables to project onto, found the string 'ab'"),
        ({"engine": Limits()}, "expected the name of an engine, found Limits"),
        ({"limits": 10}, "expected Limits, found 10"),
        ({"limits": Limits(), "seconds": 10}, "limits takes the place of seconds"),
    ],
)
def test_arguments_of_a_wrong_type_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        f2csp.solve(colours("ab"), **arguments)


@pytest.mark.parametrize("arguments", [{"seconds": -1}, {"seconds": float("nan")}, {"solutions": -1}, {"workers": 0}])
def test_limits_out_of_range_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ProblemError, match="expected at least"):
        f2csp.solve(colours("ab"), **arguments)

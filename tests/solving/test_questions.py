"""Questions about solutions: uniqueness, counts, completion."""

import pytest

import f2csp
from f2csp.diagnostics import ProblemError
from f2csp.model import ProblemBuilder
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import Limits, Status
from f2csp.solving.questions import Uniqueness, complete, with_assumptions


def colours(*pairs: str) -> f2csp.Problem:
    """A map: the pairs of letters are countries that must differ."""
    b = ProblemBuilder("map")
    b.domain("colour", ["red", "green"])
    for country in sorted({country for pair in pairs for country in pair}):
        b.variable(country, "colour")
    for one, other in pairs:
        b.reject([one, other], [(c, c) for c in ("red", "green")])
    return b.build()


def test_a_problem_with_some_values_fixed_has_the_solutions_that_have_them() -> None:
    problem = colours("ab", "bc")
    fixed = with_assumptions(problem, {"b": "red"})
    assert fixed.n_constraints == problem.n_constraints + 1
    assert f2csp.loads(f2csp.dumps(fixed)) == fixed
    assert f2csp.solve(fixed, limits=Limits(solutions=None)).solutions == ({"a": "green", "b": "red", "c": "green"},)
    assert (
        with_assumptions(fixed, {"b": "red"}).n_constraints == fixed.n_constraints + 1
    )  # the relation is there already


@pytest.mark.parametrize(
    ("values", "message"), [({"x": "red"}, "no variable x"), ({"a": "blue"}, "blue is no value of a")]
)
def test_values_that_do_not_fit_are_refused(values: dict[str, str], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        with_assumptions(colours("ab"), values)


def test_completion() -> None:
    problem = colours("ab", "bc")
    assert complete(problem, {"a": "red"}).solution == {"a": "red", "b": "green", "c": "red"}
    assert complete(problem, {"a": "red", "c": "green"}).status == Status.UNSATISFIABLE


def test_unique() -> None:
    found = f2csp.unique(colours("ab"))
    assert found.uniqueness == Uniqueness.MULTIPLE
    assert found.differing == ("a", "b")
    assert f2csp.unique(colours("ab", "bc", "ca")).uniqueness == Uniqueness.NONE
    only = f2csp.unique(with_assumptions(colours("ab"), {"a": "red"}))
    assert (only.uniqueness, only.solutions) == (Uniqueness.UNIQUE, ({"a": "red", "b": "green"},))
    late = f2csp.unique(to_problem(Sudoku(25, 5, 5)), Limits(seconds=0))
    assert (late.uniqueness, late.solutions) == (Uniqueness.UNKNOWN, ())


def test_count_keeps_no_solution() -> None:
    result = f2csp.count(colours("ab", "cd"))
    assert (result.n_solutions, result.solutions, result.is_complete) == (4, (), True)
    assert f2csp.count(colours("ab", "cd"), Limits(solutions=None, project_onto=("a",))).n_solutions == 2

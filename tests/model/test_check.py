"""``check`` says exactly which constraints an assignment breaks, by the definition and nothing cleverer."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp import Problem, ProblemBuilder, ProblemError, Violation, check, dumps, loads
from f2csp.model.check import check_all
from tests.small import problem_of
from tests.strategies import examples, problems, spelled_problems


def broken_by_definition(text: str, assignment: dict[str, str]) -> list[str]:
    """The labels of the constraints that an assignment breaks, from the canonical text alone."""
    lines = iter(text.split("\n"))
    for line in lines:
        if line == "Constraints:":
            break
    broken = []
    for _ in range(int(next(lines))):
        label, _, _, scope, kind = (next(lines) for _ in range(5))
        rows = [next(lines) for _ in range(int(next(lines)))]
        values = " ".join(assignment[name] for name in scope.split(" "))
        if (values in rows) == (kind == "Reject:"):
            broken.append(label)
    return broken


@examples(200)
@given(problems(), st.data())
def test_check_agrees_with_the_definition(problem: Problem, data: st.DataObject) -> None:
    text = dumps(problem)
    assignments = product(*(variable.domain.words for variable in problem.variables))
    for values in list(assignments)[: data.draw(st.integers(1, 40))]:
        assignment = dict(zip(problem.variable_names, values, strict=True))
        broken = check(problem, assignment)
        assert [violation.constraint.label for violation in broken] == broken_by_definition(text, assignment)
        for violation in broken:
            assert violation.values == tuple(assignment[name] for name in violation.constraint.scope)


@given(problems(), st.data())
def test_integers_may_be_given_as_numbers_or_as_words(problem: Problem, data: st.DataObject) -> None:
    numbers = {v.name: data.draw(st.sampled_from(v.domain.values)) for v in problem.variables}
    words = {name: str(value) for name, value in numbers.items()}
    assert check(problem, numbers) == check(problem, words)


@given(spelled_problems(), st.data())
def test_a_violated_constraint_is_named_with_its_line(drawn: tuple[Problem, bytes], data: st.DataObject) -> None:
    problem = loads(drawn[1])
    lines = drawn[1].decode().split("\n")
    assignment = {v.name: data.draw(st.sampled_from(v.domain.words)) for v in problem.variables}
    for violation in check(problem, assignment):
        constraint = violation.constraint
        assert constraint.line is not None
        written = lines[constraint.line - 1].strip(" \t\r\ufeff").rstrip(":").rstrip(" \t")
        assert written in (constraint.label.strip("\ufeff"), str(constraint.index + 1))
        assert f"{constraint.label} (line {constraint.line})" in str(violation)


@pytest.fixture
def colours() -> Problem:
    domains = {"colour: a": ["red", "01"], "number: n": [1, 2]}
    return problem_of(domains, ("reject a n", [("red", 1)]), ("accept n", [(1,)], "one"))


def test_a_violation_says_what_was_broken_and_how(colours: Problem) -> None:
    (rejected,) = check(colours, {"a": "red", "n": 1})
    assert str(rejected) == "C1 rejects a = red, n = 1"
    assert rejected == Violation(colours.constraints[0], ("red", "1"))
    (missed,) = check(colours, {"a": "01", "n": "2"})
    assert str(missed) == "one does not accept n = 2"
    assert check(colours, {"n": 1, "a": "01"}) == []


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ({"a": "red"}, "no value to n"),
        ({}, "no value to a"),
        ({"a": "red", "n": 1, "z": 1}, "no variable z"),
        ({"a": "blue", "n": 1}, "blue is not in the domain colour of a"),
        ({"a": 1, "n": 1}, "1 is not in the domain colour of a"),
        ({"a": "01", "n": "01"}, "01 is not in the domain number of n"),
        ({"a": "01", "n": "+1"}, r"\+1 is not in the domain number of n"),
        ({"a": "01", "n": 3}, "3 is not in the domain number of n"),
        ({"a": "01", "n": True}, "True is not in the domain number of n"),
        ({"a": "01", "n": 1.0}, "1.0 is not in the domain number of n"),
    ],
)
def test_an_assignment_that_does_not_fit_is_refused(
    colours: Problem, assignment: dict[str, int | str], message: str
) -> None:
    with pytest.raises(ProblemError, match=message):
        check(colours, assignment)


def test_an_accept_without_tuples_is_always_broken_and_a_reject_without_never() -> None:
    problem = problem_of({"D: v": ["x"]}, ("accept v", []), ("reject v", []))
    assert [violation.constraint.label for violation in check(problem, {"v": "x"})] == ["C1"]


def test_the_empty_problem_is_solved_by_the_empty_assignment() -> None:
    assert check(ProblemBuilder().build(), {}) == []


def test_many_assignments_are_checked_as_one_is() -> None:
    tables = ("reject a b", [(0, 0), (1, 1), (2, 2)]), ("accept b c", [(0, 1), (1, 2)])
    problem = problem_of({"D: a b c": range(3)}, *tables)
    assignments = [{"a": i, "b": j, "c": k} for i in range(3) for j in range(3) for k in range(3)]
    together = list(check_all(problem, assignments))
    assert together == [check(problem, assignment) for assignment in assignments]
    assert sum(not violations for violations in together) == 4

"""``check`` says exactly which constraints an assignment breaks, by the definition and nothing cleverer."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp import Problem, check, dumps, loads
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

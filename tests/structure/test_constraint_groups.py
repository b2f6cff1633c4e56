"""Variables that follow from others, against all solutions."""

from hypothesis import given
from hypothesis import strategies as st

from f2csp.model import Problem
from f2csp.structure import FunctionalClosure
from tests.small import small_problems, solutions


def following(problem: Problem, *known: str) -> set[str]:
    found = FunctionalClosure(problem, [problem.variable_names.index(name) for name in known]).found
    return {problem.variable_names[variable] for variable in found}


@given(st.data(), small_problems())
def test_solutions_that_agree_in_some_variables_agree_in_those_that_follow(
    data: st.DataObject, problem: Problem
) -> None:
    names = problem.variable_names
    known = data.draw(st.lists(st.sampled_from(names))) if names else []
    follow = following(problem, *known)
    assert follow >= set(known)
    values: dict[tuple[object, ...], list[object]] = {}
    for solution in solutions(problem):
        rest = [solution[name] for name in sorted(follow)]
        assert values.setdefault(tuple(solution[name] for name in known), rest) == rest

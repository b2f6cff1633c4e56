"""Variables that follow from others, against all solutions."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from f2csp.model import Problem
from f2csp.structure import FunctionalClosure
from tests.small import problem_of, small_problems, solutions


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


def test_values_follow_from_one_another_along_tables_of_any_arity() -> None:
    problem = problem_of(
        {"D: a b c d e f": range(3), "one: alone": [0]},
        ("accept d c", [(0, 2), (1, 1)]),
        ("accept b a d", [((x + y) % 3, x, y) for x, y in product(range(3), repeat=2)]),
        ("reject e", [(0,), (2,)]),
        ("reject a f", [(0, 0), (0, 1), (1, 1), (1, 2), (2, 0), (2, 1)]),
    )
    assert following(problem) == {"alone", "e"}
    assert following(problem, "c") == {"alone", "e", "c", "d"}
    assert following(problem, "a", "c") == following(problem, "a", "b") == {*"abcdef", "alone"}
    assert following(problem, "b", "d", "f") == {*"abcdef", "alone"}
    assert following(problem, "f") == {*"f", "e", "alone"}

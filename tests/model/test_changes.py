"""Other problems made from one, by name; and what is put together by hand is checked."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from f2csp import Problem, ProblemBuilder, dumps, loads
from tests.small import small_problems
from tests.strategies import examples, problems


def europe() -> Problem:
    b = ProblemBuilder("Europe")
    b.domain("colour", ["red", "green", "blue"])
    b.domain("size", "1..3")
    for name in ("France", "Spain", "Italy"):
        b.variable(name, "colour")
    b.variable("n", "size")
    equal = [(colour, colour) for colour in ("red", "green", "blue")]
    b.reject(["France", "Spain"], equal)
    b.accept(["n"], [1, 2])
    b.reject(["France", "Italy"], equal)
    return b.build()


# ---- Changes -------------------------------------------------------------------------------------------------------


@examples(50)
@given(problems(), st.data())
def test_a_problem_without_constraints_is_the_one_built_without_them(problem: Problem, data: st.DataObject) -> None:
    labels = [constraint.label for constraint in problem.constraints]
    gone = data.draw(st.lists(st.sampled_from(labels), unique=True)) if labels else []
    b = ProblemBuilder(problem.title)
    for domain in problem.domains:
        b.domain(domain.name, domain.values)
    for variable in problem.variables:
        b.variable(variable.name, variable.domain.name)
    for c in problem.constraints:
        if c.label not in gone:
            (b.reject if c.kind == "Reject" else b.accept)(c.scope, c.tuples, c.label)
    assert problem.without(*gone) == b.build()


@examples(50)
@given(problems())
def test_a_builder_that_continues_a_problem_builds_it_again(problem: Problem) -> None:
    assert problem.to_builder().build() == problem


# ---- Put together by hand ------------------------------------------------------------------------------------------


def ids(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def offsets(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


@examples(100)
@given(problems() | small_problems())
def test_columns_of_a_problem_pass(problem: Problem) -> None:
    assert replace(problem) == problem
    assert replace(loads(dumps(problem))) == problem


# ---- Other processes -----------------------------------------------------------------------------------------------

"""Other problems made from one, by name; and what is put together by hand is checked."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp import Problem, ProblemBuilder, ProblemError, dumps, loads
from f2csp.model import Relation
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


UNSOUND: dict[str, tuple[dict[str, Any], str]] = {
    "a header as title": ({"title": "Domains:"}, "a title cannot hold"),
    "a variable too much": ({"variable_names": ("a", "b", "c", "d", "e")}, "expected a domain for each variable"),
    "a name twice": ({"domain_names": ("size", "size")}, "domain size is declared twice"),
    "a domain too much": ({"domain_names": ("a", "b", "c")}, "as many lists of values as domain names"),
    "a word twice": ({"words": ("red", "green", "blue", "1", "2", "2")}, "domain size has the value 2 twice"),
    "a range as a word": ({"words": ("red", "green", "blue", "1", "2", "2..3")}, "cannot be a value"),
    "a word without use": ({"words": (*europe().words, "x")}, "in the order of their first use, and no others"),
    "an unknown word": ({"words": europe().words[:-1]}, "indices below 5 as the values of size"),
    "a domain without value": ({"domain_values": (ids(0, 1, 2), ids())}, "domain size has no value"),
    "a value twice": ({"domain_values": (ids(0, 1, 2, 2), ids(3, 4, 5))}, "domain colour has the value blue twice"),
    "an unknown domain": ({"variable_domains": ids(0, 0, 0, 2)}, "indices below 2 as variable_domains"),
    "an unknown variable": ({"scopes": ids(0, 1, 3, 0, 4)}, "indices below 4 as scopes"),
    "numbers of 64 bits": ({"scopes": np.array([0, 1, 3, 0, 2])}, "a row of int32 as scopes"),
    "a shorter scope": ({"scopes": ids(0, 1, 3, 0)}, "scope_offsets do not fit"),
    "an empty scope": ({"scope_offsets": np.array([0, 2, 2, 5])}, "scope_offsets do not fit"),
    "offsets of 32 bits": ({"scope_offsets": ids(0, 2, 3, 5)}, "a row of int64 as scope_offsets"),
    "an unknown relation": ({"constraint_relations": ids(0, 2, 0)}, "indices below 2 as constraint_relations"),
    "another arity": ({"constraint_relations": ids(0, 1, 1)}, "has 1 values for 2 variables"),
    "a variable twice": ({"scopes": ids(0, 1, 3, 2, 2)}, "holds a variable twice"),
    "another domain": ({"scopes": ids(0, 1, 3, 0, 3)}, "red is not in the domain of n"),
    "too few labels": ({"labels": ("a", "b")}, "2 labels for 3 constraints"),
    "default labels": ({"labels": ("C1", "C2", "C3")}, "expected None as labels"),
    "a kind of its own": ({"relations": (Relation("reject", ids(0).reshape(1, 1)),)}, "no kind of relation"),  # type: ignore[arg-type]
    "an empty table of another arity": (
        {"relations": (Relation("Reject", ids().reshape(0, 1)),)},
        "one relation for all constraints",
    ),
    "a tuple of an unknown word": ({"relations": (Relation("Reject", ids(0, 9).reshape(1, 2)),)}, "indices below 6"),
    "a flat relation": ({"relations": (Relation("Reject", ids(0)),)}, "a table of int32"),
    "a tuple twice": ({"relations": (Relation("Reject", ids(0, 0, 0, 0).reshape(2, 2)),)}, "holds the tuple"),
    "two equal relations": (
        {
            "relations": (europe().relations[0],) * 2,
            "constraint_relations": ids(0, 1),
            "scopes": ids(0, 1, 0, 2),
            "scope_offsets": np.array([0, 2, 4]),
        },
        "one relation for all constraints",
    ),
}


@pytest.mark.parametrize("name", UNSOUND)
def test_columns_that_make_no_problem_are_refused(name: str) -> None:
    changes, message = UNSOUND[name]
    changes = {"constraint_relations": ids(0, 0, 0), **changes} if len(changes.get("relations", "  ")) == 1 else changes
    with pytest.raises(ProblemError, match=message):
        replace(europe(), **changes)


@examples(100)
@given(problems() | small_problems())
def test_columns_of_a_problem_pass(problem: Problem) -> None:
    assert replace(problem) == problem
    assert replace(loads(dumps(problem))) == problem


# ---- Other processes -----------------------------------------------------------------------------------------------

"""Other problems made from one, by name; and what is put together by hand is checked."""

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp import Problem, ProblemBuilder, ProblemError, dumps, loads
from f2csp.model import Relation
from tests.small import small_problems, solutions
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


def test_a_constraint_is_added() -> None:
    more = europe().with_constraint(["Spain", "Italy"], accept=lambda one, other: one != other)
    assert (more.n_constraints, more.labels) == (4, None)
    assert (more.constraints["C4"].kind, len(more.constraints["C4"].table)) == ("Accept", 6)
    named = europe().with_constraint(["n"], reject=[3], label="small")
    assert named.constraints["small"].table == ((3,),)
    assert loads(dumps(named)) == named
    assert europe().n_constraints == 3


@pytest.mark.parametrize("arguments", [{}, {"accept": [], "reject": []}])
def test_a_constraint_needs_one_table(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="either accept or reject"):
        europe().with_constraint(["n"], **arguments)


def test_constraints_are_left_out_and_the_others_keep_their_labels_and_lines() -> None:
    problem = loads(dumps(europe()))
    fewer = problem.without("C1")
    assert [(c.label, c.line) for c in fewer.constraints] == [
        (c.label, c.line) for c in problem.constraints if c.label != "C1"
    ]
    assert [relation.kind for relation in fewer.relations] == ["Accept", "Reject"]
    assert loads(dumps(fewer)) == fewer
    again = fewer.with_constraint(["France", "Spain"], reject=europe().constraints["C1"].table)
    assert [c.label for c in again.constraints] == ["C2", "C3", "C4"]
    assert problem.without("C3").labels is None
    assert problem.without() == problem
    assert problem.without("C1", "C2", "C3").n_constraints == 0


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


def test_values_are_taken_away() -> None:
    less = europe().restricted({"France": "red", "Spain": ["red", "green"], "n": np.int64(2)})
    assert [c.table for c in less.constraints[3:]] == [(("red",),), (("red",), ("green",)), ((2,),)]
    assert {(one["France"], one["Spain"], one["n"]) for one in solutions(less)} == {("red", "green", 2)}
    assert europe().restricted({}) == europe()
    named = europe().without("C1").restricted({"France": "red", "Spain": "green"})
    assert [c.label for c in named.constraints] == ["C2", "C3", "C4", "C5"]


def test_things_are_renamed() -> None:
    other = europe().renamed(
        {"France": "FR", "n": "France"}, domains={"size": "number"}, constraints={"C2": "few"}, title="Map"
    )
    assert other.variable_names == ("FR", "Spain", "Italy", "France")
    assert (other.title, other.domain_names) == ("Map", ("colour", "number"))
    assert [c.label for c in other.constraints] == ["C1", "few", "C3"]
    assert other.constraints["few"].scope == ("France",)
    assert other.renamed({"France": "n", "FR": "France"}, domains={"number": "size"}, constraints={"few": "C2"}) == (
        europe().renamed(title="Map")
    )


REFUSED: dict[str, tuple[Callable[[Problem], object], str]] = {
    "no such label": (lambda p: p.without("C7"), "there is no constraint C7"),
    "no such variable": (lambda p: p.renamed({"Frence": "F"}), "no variable Frence; did you mean France"),
    "no such domain": (lambda p: p.renamed(domains={"x": "y"}), "no domain x"),
    "a name taken": (lambda p: p.renamed({"France": "Spain"}), "variable Spain is declared twice"),
    "a label taken": (lambda p: p.renamed(constraints={"C1": "C2"}), "two constraints are called C2"),
    "a section word": (lambda p: p.renamed({"France": "Goal"}), "'Goal' cannot name a variable"),
    "a title that is a header": (lambda p: p.renamed(title="Domains:"), "a title cannot hold"),
    "a value outside of the domain": (
        lambda p: p.restricted({"France": "pink"}),
        "pink is not in the domain of France",
    ),
    "an unknown variable": (lambda p: p.restricted({"Peru": "red"}), "'Peru', which is not declared"),
    "a label twice": (lambda p: p.with_constraint(["n"], accept=[1], label="C1"), "two constraints are called C1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_change_that_does_not_fit_is_refused(name: str) -> None:
    change, message = REFUSED[name]
    with pytest.raises(ProblemError, match=message):
        change(europe())


@examples(50)
@given(problems())
def test_a_builder_that_continues_a_problem_builds_it_again(problem: Problem) -> None:
    assert problem.to_builder().build() == problem


# ---- Put together by hand ------------------------------------------------------------------------------------------


def ids(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def offsets(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


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
    "numbers of 64 bits": ({"scopes": offsets(0, 1, 3, 0, 2)}, "a row of int32 as scopes"),
    "a shorter scope": ({"scopes": ids(0, 1, 3, 0)}, "scope_offsets do not fit"),
    "an empty scope": ({"scope_offsets": offsets(0, 2, 2, 5)}, "scope_offsets do not fit"),
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
            "scope_offsets": offsets(0, 2, 4),
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


def test_relations_are_put_in_order() -> None:
    problem = europe()
    last = replace(problem, scopes=ids(3), scope_offsets=offsets(0, 1), constraint_relations=ids(1))
    assert last == loads(dumps(last))
    assert last.relations == (problem.relations[1],)


@examples(100)
@given(problems() | small_problems())
def test_columns_of_a_problem_pass(problem: Problem) -> None:
    assert replace(problem) == problem
    assert replace(loads(dumps(problem))) == problem


# ---- Other processes -----------------------------------------------------------------------------------------------


def test_a_problem_that_was_looked_at_can_be_sent_and_stays_read_only() -> None:
    problem = loads(dumps(europe()))
    assert len(problem.variables) + len(problem.domains) + len(problem.constraints) == 9
    assert problem.variables["France"] is not None
    sent = pickle.loads(pickle.dumps(problem))
    assert sent == problem
    assert [c.line for c in sent.constraints] == [c.line for c in problem.constraints]
    assert not sent.scopes.flags.writeable
    assert not sent.relations[0].tuples.flags.writeable
    for view in (problem.variables, problem.domains, problem.constraints):
        assert list(pickle.loads(pickle.dumps(view))) == list(view)

"""A problem is immutable, columnar, and shown through small views."""

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given

from f2csp import Problem, ProblemBuilder, dumps, loads
from tests.small import problem_of
from tests.strategies import problems, spelled_problems


def small() -> Problem:
    diagonal = [(1, 1), (2, 2)]
    return problem_of(
        {"D: x y": [1, 2, 3], "E: c": ["red", "01"]},
        *((head, diagonal) for head in ("reject x y", "reject y x", "accept x y")),
        ("accept c x", [("01", 3)]),
        ("reject c", []),
        title="small",
    )


def arrays_of(problem: Problem) -> list[np.ndarray]:
    columns = [problem.variable_domains, problem.scopes, problem.scope_offsets, problem.constraint_relations]
    return [*columns, *problem.domain_values, *(relation.tuples for relation in problem.relations)]


SOURCES = {"built": small, "read": lambda: loads(dumps(small()))}


# ---- Immutable -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_no_array_of_a_problem_can_be_written(source: str) -> None:
    for array in arrays_of(SOURCES[source]()):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@given(spelled_problems())
def test_no_array_of_any_problem_can_be_written(drawn: tuple[Problem, bytes]) -> None:
    for problem in (drawn[0], loads(drawn[1])):
        assert not any(array.flags.writeable for array in arrays_of(problem))


def test_no_attribute_can_be_set() -> None:
    problem = small()
    things = (problem, problem.relations[0], problem.domains[0], problem.variables[0], problem.constraints[0])
    for thing in things:
        for field in fields(thing):
            with pytest.raises(FrozenInstanceError):
                setattr(thing, field.name, None)


# ---- Views ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["domains", "variables", "constraints"])
def test_a_view_is_a_sequence_like_a_list(name: str) -> None:
    view = getattr(small(), name)
    items = list(view)
    n = len(items)
    assert len(view) == n > 1
    assert [view[i] for i in range(n)] == items
    assert [view[i] for i in range(-n, 0)] == items
    assert [view[np.int64(i)] for i in range(n)] == items
    for cut in (slice(None), slice(1), slice(-1, None), slice(None, None, -1), slice(0, 99, 2), slice(5, 2)):
        assert view[cut] == items[cut]
    assert list(reversed(view)) == items[::-1]
    assert items[1] in view
    assert view.index(items[1]) == 1
    assert view.count(items[0]) == 1
    for index in (n, -n - 1, 10**30):
        with pytest.raises(IndexError):
            view[index]
    with pytest.raises(TypeError):
        view[1.5]


def test_constraints_know_their_line_after_reading_and_none_after_building() -> None:
    text = dumps(small())
    lines = text.split("\n")
    for constraint in loads(text).constraints:
        assert constraint.line is not None
        assert lines[constraint.line - 1] == constraint.label
    assert {constraint.line for constraint in small().constraints} == {None}


# ---- Interning -----------------------------------------------------------------------------------------------------


@given(problems())
def test_relations_are_distinct_and_words_unique_in_the_order_of_their_first_use(problem: Problem) -> None:
    keys = [relation.key for relation in problem.relations]
    assert len(set(keys)) == len(keys)
    first_uses = list(dict.fromkeys(problem.constraint_relations.tolist()))
    assert first_uses == list(range(len(problem.relations)))
    words = [word for domain in problem.domains for word in domain.words]
    assert list(dict.fromkeys(words)) == list(problem.words)


# ---- Equality ------------------------------------------------------------------------------------------------------


def test_what_differs_in_one_thing_is_not_equal() -> None:
    text = dumps(small())
    changes = [("small", "Small"), ("D: 1 2 3", "D: 1 3 2"), ("D:", "F:"), ("c: E", "d: E"), ("C5\n", "last\n")]
    changes += [
        ("Reject:\n2\n1 1\n2 2\nC2", "Reject:\n2\n2 2\n1 1\nC2"),
        ("C1\nVars:\n2\nx y\n", "C1\nVars:\n2\ny x\n"),
    ]
    changes += [("Accept:\n1\n01 3", "Reject:\n1\n01 3"), ("small\n", ""), ("small\n", "small\nsmall\n")]
    for old, new in changes:
        changed = text.replace(old, new)
        if old == "D:":
            changed = changed.replace(": D\n", ": F\n")
        if old == "c: E":
            changed = changed.replace("c x", "d x").replace("\nc\n", "\nd\n")
        assert changed != text
        assert loads(changed) != small(), new


def test_a_notebook_shows_a_problem_as_a_table() -> None:
    b = ProblemBuilder("<b> & co")
    b.domain("D", range(9))
    for i in range(9):
        b.variable(f"<x{i}>", "D")
    html = b.build()._repr_html_()
    assert html.startswith("<table><caption>&lt;b&gt; &amp; co</caption><tr><th>domains: 1</th>")
    assert (html.count("&lt;x"), html.count("...")) == (8, 2)  # of nine variables, and of the values of the domain


# ---- Names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["C0", "C6", "C01", "C", "1", "C\u0661", "x1", "Domain"])
def test_an_unknown_name_is_a_key_error(name: str) -> None:
    problem = small()
    for view in (problem.domains, problem.variables, problem.constraints, small_named().constraints):
        assert name not in view
        with pytest.raises(KeyError, match=f"there is no [a-z]* {name}"):
            view[name]


def small_named() -> Problem:
    return small().renamed(constraints={"C2": "turned"})

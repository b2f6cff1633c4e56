"""A problem is immutable, columnar, and shown through small views."""

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given

from f2csp import Problem, ProblemBuilder, dumps, loads
from f2csp.model import Constraint, Domain, Relation, Variable
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


def test_changing_what_a_view_gave_changes_no_problem() -> None:
    problem = small()
    problem.constraints[:].clear()
    problem.domains[:].clear()
    assert problem == small()


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


def test_the_views_of_an_empty_problem_are_empty() -> None:
    problem = ProblemBuilder().build()
    for view in (problem.domains, problem.variables, problem.constraints):
        assert len(view) == 0
        assert list(view) == []
        assert not view
        with pytest.raises(IndexError):
            view[0]
        with pytest.raises(IndexError):
            view[-1]


def test_views_show_what_was_built() -> None:
    problem = small()
    assert problem.domains[0] == Domain("D", ("1", "2", "3"))
    assert problem.domains[0].values == (1, 2, 3)
    assert problem.domains[1].values == ("red", "01")
    assert problem.variables[2] == Variable("c", Domain("E", ("red", "01")))
    accept = problem.constraints[3]
    assert (accept.label, accept.kind, accept.arity, accept.scope) == ("C4", "Accept", 2, ("c", "x"))
    assert accept.tuples == (("01", 3),)
    assert problem.constraints[4].tuples == ()
    assert problem.constraints[4].arity == 1
    assert (problem.n_domains, problem.n_variables, problem.n_constraints) == (2, 3, 5)
    assert problem.domain_sizes.tolist() == [3, 2]


def test_two_views_of_one_constraint_are_equal_and_of_two_problems_too() -> None:
    problem = small()
    assert problem.constraints[1] == problem.constraints[1]
    assert problem.constraints[1] != problem.constraints[2]
    assert isinstance(problem.constraints[1], Constraint)
    assert len({problem.constraints[0], problem.constraints[0], problem.constraints[1]}) == 2


@pytest.mark.parametrize(
    ("words", "is_integer"),
    [
        (["1", "2"], True),
        (["-9223372036854775808", "9223372036854775807", "0"], True),
        (["9223372036854775808"], False),
        (["-9223372036854775809"], False),
        (["01"], False),
        (["-0"], False),
        (["+1"], False),
        (["1", "a"], False),
        (["\u0661"], False),
        (["1\u00a0"], False),
    ],
)
def test_a_domain_is_of_integers_when_each_value_is_one_in_canonical_spelling(
    words: list[str], is_integer: bool
) -> None:
    domain = Domain("D", tuple(words))
    assert domain.is_integer == is_integer
    assert domain.values == (tuple(map(int, words)) if is_integer else tuple(words))


def test_constraints_know_their_line_after_reading_and_none_after_building() -> None:
    text = dumps(small())
    lines = text.split("\n")
    for constraint in loads(text).constraints:
        assert constraint.line is not None
        assert lines[constraint.line - 1] == constraint.label
    assert {constraint.line for constraint in small().constraints} == {None}


def test_a_problem_has_the_line_of_each_constraint() -> None:
    head = "\ufeff\n t\r\nDomains:2\n\nD: 1\n  E: 2\nVariables: 1\n\n\n x: D\n"
    text = head + "Constraints: 1\n\n C1 :\nVars: 1 \nx\nReject: 0\n"
    origin = loads(text).origin
    assert origin is not None
    assert (origin.name, origin.constraint_lines.tolist()) == ("<text>", [13])


def test_the_origin_is_no_part_of_equality() -> None:
    text = dumps(small())
    assert loads(text) == loads("\n" + text) == small()
    assert hash(loads(text)) == hash(loads("\n" + text)) == hash(small())


# ---- Interning -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES)
def test_equal_tables_are_one_object(source: str) -> None:
    constraints = SOURCES[source]().constraints
    assert constraints[0].relation is constraints[1].relation
    assert constraints[0].relation is not constraints[2].relation


def test_tables_that_differ_in_blanks_and_punctuation_alone_are_one_object() -> None:
    table = "Vars: 2\nx y\nReject: 2\n"
    text = (
        "t\nDomains: 1\nD: 1 2\nVariables: 2\nx: D\ny: D\nConstraints: 4\n"
        f"a\n{table}1 1\n2 2\nb\n{table}1  1\n\n2\t2\nc\n{table}(1, 1) (2 2)\nd\n{table}2 2\n1 1\n"
    )
    problem = loads(text)
    assert len(problem.relations) == 2
    one, same, too, turned = (constraint.relation for constraint in problem.constraints)
    assert one is same is too
    assert turned is not one


def test_empty_tables_of_two_arities_are_two() -> None:
    tables = [(head, []) for head in ("reject x", "reject x y", "accept x", "reject y")]
    built = problem_of({"D: x y": [1]}, *tables)
    for problem in (built, loads(dumps(built))):
        assert [(r.kind, r.arity) for r in problem.relations] == [("Reject", 1), ("Reject", 2), ("Accept", 1)]
        assert problem.constraint_relations.tolist() == [0, 1, 2, 0]


@given(problems())
def test_relations_are_distinct_and_words_unique_in_the_order_of_their_first_use(problem: Problem) -> None:
    keys = [relation.key for relation in problem.relations]
    assert len(set(keys)) == len(keys)
    first_uses = list(dict.fromkeys(problem.constraint_relations.tolist()))
    assert first_uses == list(range(len(problem.relations)))
    words = [word for domain in problem.domains for word in domain.words]
    assert list(dict.fromkeys(words)) == list(problem.words)


def test_the_same_indices_in_another_shape_are_another_relation() -> None:
    flat = np.arange(6, dtype=np.int32)
    assert Relation("Reject", flat.reshape(3, 2)).key != Relation("Reject", flat.reshape(2, 3)).key


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


def test_a_problem_is_shown_in_one_short_line() -> None:
    assert repr(small()) == "<Problem 'small': 2 domains, 3 variables, 5 constraints>"
    assert repr(small().variables) == "<3 variables: x, y, c>"
    assert repr(small().variables[0]) == "Variable('x': D)"
    assert repr(small().domains[0]) == "Domain('D': 1 2 3)"
    assert repr(small().constraints[3]) == "Constraint('C4': c x Accept 1 tuple)"
    assert repr(ProblemBuilder().build().domains) == "<0 domains>"


def test_a_notebook_shows_a_problem_as_a_table() -> None:
    b = ProblemBuilder("<b> & co")
    b.domain("D", range(9))
    for i in range(9):
        b.variable(f"<x{i}>", "D")
    html = b.build()._repr_html_()
    assert html.startswith("<table><caption>&lt;b&gt; &amp; co</caption><tr><th>domains: 1</th>")
    assert (html.count("&lt;x"), html.count("...")) == (8, 2)  # of nine variables, and of the values of the domain


# ---- Names ---------------------------------------------------------------------------------------------------------


def test_items_are_found_by_name() -> None:
    problem = small()
    for names, view in (
        (problem.domain_names, problem.domains),
        (problem.variable_names, problem.variables),
        (["C1", "C2", "C3", "C4", "C5"], problem.constraints),
    ):
        assert [view[name] for name in names] == list(view)
        assert all(name in view for name in names)
    assert problem.constraints["C4"].table == (("01", 3),)


@pytest.mark.parametrize("name", ["C0", "C6", "C01", "C", "1", "C\u0661", "x1", "Domain"])
def test_an_unknown_name_is_a_key_error(name: str) -> None:
    problem = small()
    for view in (problem.domains, problem.variables, problem.constraints, small_named().constraints):
        assert name not in view
        with pytest.raises(KeyError, match=f"there is no [a-z]* {name}"):
            view[name]


def small_named() -> Problem:
    return small().renamed(constraints={"C2": "turned"})


def test_a_near_name_is_proposed() -> None:
    b = ProblemBuilder()
    b.domain("colour", ["red"])
    b.variable("France", "colour")
    with pytest.raises(KeyError, match="there is no variable Frence; did you mean France"):
        b.build().variables["Frence"]

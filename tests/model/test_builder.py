"""The builder takes what the format can hold and refuses, with the reason, what it could not."""

from collections.abc import Callable

import numpy as np
import pytest

from f2csp import ProblemBuilder, ProblemError, dumps, loads
from f2csp.model.builder import Scopes, checked_title, labels_if_named

NOT_WORDS = [*"a:b a,b (a a) { } a=b \x00 \x7f a\x1b \ud800".split(), "", " ", "a b", "a\tb", "a\n", "\r"]
SECTION_WORDS = ["Domains", "variables", "CONSTRAINTS", "vArS", "Reject", "accept", "Goal"]
ODD_WORDS = [*"V1-1 x[2][3] quadrícula 01 +1 -0 .. 1.. 01..2 Var\u017f \ufeff".split(), "\u00a0", "\x85"]


def builder() -> ProblemBuilder:
    """Two variables of one domain and one of another."""
    b = ProblemBuilder("t")
    b.domain("D", [1, 2, 3])
    b.domain("E", ["red", "01"])
    b.variable("x", "D")
    b.variable("y", "D")
    b.variable("c", "E")
    return b


REFUSED: dict[str, tuple[Callable[[ProblemBuilder], object], str]] = {
    "range-too-large": (lambda b: b.domain("F", "1..99999999999"), "expected a range of at most 1,000,000 values"),
    "a domain twice": (lambda b: b.domain("D", [1]), "D is declared twice"),
    "a domain without value": (lambda b: b.domain("F", []), "F has no value"),
    "a value twice": (lambda b: b.domain("F", [1, 2, 1]), "the value 1 twice"),
    "a value twice, as number and as word": (lambda b: b.domain("F", [1, "1"]), "the value 1 twice"),
    "a range as a value": (lambda b: b.domain("F", ["1..9"]), "cannot be a value"),
    "a negative range as a value": (lambda b: b.domain("F", ["-3..-9"]), "cannot be a value"),
    "a float as a value": (lambda b: b.domain("F", [1.5]), "expected an integer or a word as a value"),  # type: ignore[list-item]
    "a bool as a value": (lambda b: b.domain("F", [True]), "expected an integer or a word as a value"),
    "nothing as a value": (lambda b: b.domain("F", [None]), "expected an integer or a word as a value"),  # type: ignore[list-item]
    "a variable twice": (lambda b: b.variable("x", "E"), "x is declared twice"),
    "a variable of an unknown domain": (lambda b: b.variable("z", "F"), "'F' of variable z is not declared"),
    "a scope without variable": (lambda b: b.reject([], []), "no variable"),
    "a scope that is a string": (lambda b: b.reject("xy", []), "found the string"),
    "a scope with an unknown variable": (lambda b: b.accept(["x", "z"], []), "'z', which is not declared"),
    "a scope with a variable twice": (lambda b: b.accept(["x", "y", "x"], []), "holds a variable twice"),
    "a string for tuples": (lambda b: b.accept(["c"], "red"), "expected a list of tuples, found the string 'red'"),
    "a tuple too short": (lambda b: b.reject(["x", "y"], [(1,)]), "1 values for 2 variables"),
    "a tuple too long": (lambda b: b.reject(["x", "y"], [(1, 2, 3)]), "3 values for 2 variables"),
    "a number for a pair": (lambda b: b.reject(["x", "y"], [1]), "1 values for 2 variables"),
    "a tuple twice": (lambda b: b.reject(["x", "y"], [(1, 2), (1, 2)]), "holds the tuple"),
    "a tuple twice, as numbers and as words": (lambda b: b.reject(["x", "y"], [(1, 2), ("1", "2")]), "holds the tuple"),
    "a value outside of the domain": (lambda b: b.reject(["x", "y"], [(1, 4)]), "4 is not in the domain of y"),
    "a value in another spelling": (lambda b: b.reject(["x"], [("01",)]), "01 is not in the domain of x"),
    "a string for values": (
        lambda b: b.domain("F", "red green"),
        "found the string .red green",
    ),
    "a range that is empty": (lambda b: b.domain("F", "3..1"), "F has no value"),
    "a scope of many with an unknown variable": (lambda b: b.reject_many([["x"], ["z"]], [1]), "'z', which is not"),
    "a table of many that fits only one": (lambda b: b.reject_many([["x"], ["c"]], [1]), "1 is not in the domain of c"),
    "indices without a variable": (lambda b: b.accept_many(np.array([[0, 3]]), []), "indices of the 3 variables"),
    "negative indices": (lambda b: b.accept_many(np.array([[0, -1]]), []), "indices of the 3 variables"),
    "a row of indices": (lambda b: b.accept_many(np.array([0, 1]), []), "expected a matrix of indices"),
    "a matrix of numbers": (lambda b: b.accept_many(np.array([[0.0]]), []), "expected a matrix of indices"),
    "a variable that differs from itself": (lambda b: b.all_different(["x", "y", "x"]), "holds a variable twice"),
    "a number for a symbol": (lambda b: b.accept(["c"], [(1,)]), "1 is not in the domain of c"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_format_could_not_hold_is_refused_and_leaves_no_trace(name: str) -> None:
    attempt, message = REFUSED[name]
    b = builder()
    with pytest.raises(ProblemError, match=message.replace("(", r"\(")):
        attempt(b)
    assert b.build() == builder().build()


@pytest.mark.parametrize("word", [*NOT_WORDS, *SECTION_WORDS])
def test_a_name_is_a_word_and_no_section_word(word: str) -> None:
    b = builder()
    with pytest.raises(ProblemError, match="cannot name a domain"):
        b.domain(word, [1])
    with pytest.raises(ProblemError, match="cannot name a variable"):
        b.variable(word, "D")
    with pytest.raises(ProblemError, match="cannot name a constraint"):
        b.reject(["x"], [], label=word)


@pytest.mark.parametrize("word", NOT_WORDS)
def test_a_value_is_a_word(word: str) -> None:
    with pytest.raises(ProblemError, match="cannot be a value"):
        builder().domain("F", ["a", word])


@pytest.mark.parametrize("word", ODD_WORDS)
def test_an_odd_word_is_a_name_and_a_value(word: str) -> None:
    b = ProblemBuilder()
    b.domain(word, [word])
    b.variable(word, word)
    b.accept([word], [(word,)], label=word)
    problem = b.build()
    assert loads(dumps(problem)) == problem
    assert problem.domains[0].words == (word,)


@pytest.mark.parametrize("word", SECTION_WORDS)
def test_a_section_word_is_a_value(word: str) -> None:
    b = ProblemBuilder()
    b.domain("D", [word])
    b.variable("x", "D")
    b.accept(["x"], [(word,)])
    assert loads(dumps(b.build())) == b.build()


@pytest.mark.parametrize(
    "title",
    [
        *(*"a\x00b \x7f \ufefft \ud800".split(), *"\n|a\n|\na|a\n\nb| a|a |\ta|a\t|a\r|a\r\nb".split("|")),
        *("Domains:", "a\nvars: 4", "GOAL :", "Reject:007\nAccept: 0", "x\nConstraints:"),
    ],
)
def test_a_title_that_would_not_read_back_is_refused(title: str) -> None:
    with pytest.raises(ProblemError, match="title"):
        ProblemBuilder(title)


@pytest.mark.parametrize(
    "title",
    ["", "a", "a\nb", "a\tb", "Domains", "Domains: x", "Vars: 007", "x\n\ufeffy", "\u00a0", "1\n2\n3", "Goal: Satisfy"],
)
def test_a_title_that_reads_back_is_taken(title: str) -> None:
    assert checked_title(title) == title
    problem = ProblemBuilder(title).build()
    assert loads(dumps(problem)).title == problem.title == title


def test_labels_are_the_default_ones_where_none_are_given() -> None:
    b = builder()
    b.reject(["x"], [])
    b.reject(["x"], [], label="here")
    b.reject(["x"], [])
    assert [c.label for c in b.build().constraints] == ["C1", "here", "C3"]
    assert b.build().labels == ("C1", "here", "C3")


@pytest.mark.parametrize("labels", [[None, None], ["C1", "C2"], ["1", "2"], [None, "C2"], []])
def test_default_labels_are_not_kept(labels: list[str | None]) -> None:
    assert labels_if_named(labels) is None


@pytest.mark.parametrize("labels", [["C2", "C1"], ["1", "3"], ["C1", "2"], [None, "2"], ["c1"]])
def test_other_labels_are_kept(labels: list[str | None]) -> None:
    assert labels_if_named(labels) == tuple(label or f"C{i}" for i, label in enumerate(labels, 1))


@pytest.mark.parametrize("labels", [["a", "a"], ["C2", None], ["a", "b", "c", "b"]])
def test_two_constraints_of_one_name_are_refused(labels: list[str | None]) -> None:
    b = builder()
    for label in labels:
        b.reject(["x"], [], label=label)
    with pytest.raises(ProblemError, match="two constraints are called"):
        b.build()


def test_values_are_integers_of_python_and_numpy_and_words() -> None:
    b = ProblemBuilder()
    b.domain("D", [1, np.int64(2), "3", -4])
    b.domain("R", range(-1, 2))
    b.variable("x", "D")
    b.accept(["x"], [("1",), np.int32(2), 3, "-4"])
    problem = b.build()
    assert problem.domains[0].values == (1, 2, 3, -4)
    assert problem.domains[1].values == (-1, 0, 1)
    assert problem.constraints[0].tuples == ((1,), (2,), (3,), (-4,))


def test_a_range_is_a_domain() -> None:
    b = ProblemBuilder()
    b.domain("D", "-1..2")
    assert b.build().domains["D"].values == (-1, 0, 1, 2)


def test_a_predicate_is_a_table() -> None:
    b = builder()
    b.accept(["x", "y"], lambda x, y: x < y)
    b.reject(["y", "c"], lambda y, c: y == 1 and c == "01")
    constraints = b.build().constraints
    assert [c.tuples for c in constraints] == [((1, 2), (1, 3), (2, 3)), ((1, "01"),)]
    assert [c.kind for c in constraints] == ["Accept", "Reject"]


@pytest.mark.parametrize("scopes", [[["x", "y"], ["y", "x"]], np.array([[0, 1], [1, 0]], dtype=np.uint8)])
def test_many_constraints_share_a_table(scopes: Scopes) -> None:
    one, many = builder(), builder()
    for scope in (["x", "y"], ["y", "x"]):
        one.reject(scope, [(1, 2), (3, 3)])
        one.accept(scope, [(1, 1)])
    many.reject_many(scopes, np.array([[1, 2], [3, 3]]))
    many.accept_many(scopes, ((i, i) for i in (1,)))
    assert one.build().constraints[0] == one.build().constraints[0]
    table = {(c.scope, c.kind, c.tuples) for c in one.build().constraints}
    assert {(c.scope, c.kind, c.tuples) for c in many.build().constraints} == table
    assert len(many.build().relations) == 2


def test_a_table_of_many_is_read_for_each_domain() -> None:
    b = builder()
    b.domain("S", [2, 1])
    b.variable("s", "S")
    b.reject_many([["x", "y"], ["x", "s"]], lambda one, other: one <= other)
    assert b.build().constraints[1].tuples == ((1, 2), (1, 1), (2, 2))


def test_all_different_variables_differ_in_pairs() -> None:
    b = builder()
    b.domain("S", [3, 4])
    b.variable("s", "S")
    b.all_different(["x", "y", "c", "s"])
    problem = b.build()
    assert [(c.scope, c.tuples) for c in problem.constraints] == [
        (("x", "y"), ((1, 1), (2, 2), (3, 3))),
        (("x", "s"), ((3, 3),)),
        (("y", "s"), ((3, 3),)),
    ]
    assert {c.kind for c in problem.constraints} == {"Reject"}
    assert len(problem.relations) == 2


def test_a_builder_is_shown_in_one_short_line() -> None:
    assert repr(builder()) == "<ProblemBuilder 't': 2 domains, 3 variables, 0 constraints>"


def test_a_builder_can_go_on_and_what_it_built_stays() -> None:
    b = builder()
    first = b.build()
    text = dumps(first)
    b.variable("z", "D")
    b.reject(["z", "x"], [(1, 1)])
    second = b.build()
    assert dumps(first) == text
    assert (first.n_variables, second.n_variables) == (3, 4)
    assert first != second


def test_tables_may_come_from_a_generator() -> None:
    b = builder()
    b.reject(["x", "y"], ((i, i) for i in range(1, 4)))
    assert b.build().constraints[0].relation.n_tuples == 3

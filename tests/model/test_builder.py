"""The builder takes what the format can hold and refuses, with the reason, what it could not."""

from collections.abc import Callable

import numpy as np
import pytest

from f2csp import ProblemBuilder, ProblemError, dumps, loads
from f2csp.model.builder import checked_title

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
    ["", "a", "a\nb", "a\tb", "Domains", "Domains: x", "Vars: 007", "x\n\ufeffy", "\u00a0", "1\n2\n3", "Goal: Satisfy"],
)
def test_a_title_that_reads_back_is_taken(title: str) -> None:
    assert checked_title(title) == title
    problem = ProblemBuilder(title).build()
    assert loads(dumps(problem)).title == problem.title == title

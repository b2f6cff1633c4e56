"""The builder takes what the format can hold and refuses, with the reason, what it could not."""

import pytest

from f2csp import ProblemBuilder, ProblemError, dumps, loads

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

"""Where a format has a grammar, its reader finds no fault of form exactly in the texts of the language."""

from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from f2csp.diagnostics import InvalidInput
from f2csp.text.terminals import parser
from tests.boards.puzzle_texts import read

BYTES = (b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf", b"\x85", b"\xc2\xa0", b"\r", b"\0")


class Language(NamedTuple):
    """A grammar, its start rule, the codes of faults of form, and texts and pieces of texts."""

    grammar: str
    rule: str
    codes: frozenset[str]
    texts: tuple[str, ...]
    pieces: tuple[str, ...]


_IDENTIFIER_CODES = frozenset({"F604", "F606", "F607", "F610", "F613", "F615"})
_IDENTIFIER_PIECES = (
    *("2x2", "3x3", "2", "4", ":", "#", "a", "b", "d", "p", "z", "A", "C", "Z", "R", "L", "U", "D", ",", "0", "1", "_"),
    *(*"x j k u dt de m4 md r . 2x2:a4b1b2_4b1b2a 2:0R,0,0,0 2x2u:cBa".split(), " ", "\t", "\n"),
)


def _identifiers(rule: str, *texts: str) -> Language:
    return Language("tatham.lark", rule, _IDENTIFIER_CODES, texts, _IDENTIFIER_PIECES)


def _clues(rule: str, *texts: str) -> Language:
    pieces = "0 1 2 4 9 10 x -1 2x2 1x4 2X3 0x1 sudoku latin 1000000000000000000".split()
    more = ("\n", "\r\n", " ", "\t", "1 1 1\n", "4\n1\n", " latin", " sudoku", " 2x2")
    return Language("clues.lark", rule, frozenset({"F604", "F606", "F607"}), texts, (*pieces, *more))


LANGUAGES = {
    "sudoku:clues": _clues("sudoku", "9\n2\n1 1 5\n3 7 2\n", "", "4\r\n1\r\n\t1 1 1", "6 2x3\n1\n1 1 5", "4 sudoku\n0"),
    "latin:clues": _clues("latin", "9 latin\n2\n1 1 5\n3 7 2\n", "5\n1\n1 1 5"),
    "sudoku:tatham": _identifiers("solo", "2x2:a4b1b2_4b1b2a", "2:1_2_3_4l", "2x3dbr2:zj", "\u00a0"),
    "futoshiki:tatham": _identifiers("unequal", "3:0R,0,0L,0,0,0,0,0,0L,", "3dk:c2UD,e", "2:0D,c", "2:0R,0,0,0,"),
    "takuzu:tatham": _identifiers("unruly", "6x6u:FBcCBBIeda", "2:ABb", "5x5udn:zA", "2x2u:cBa"),
    "latin:minizinc": Language(
        "minizinc_data.lark",
        "start",
        frozenset({"F604", "F606", "F607", "F615"}),
        ("N = 2;\nstart = [| 1, 0\n | 0, 2 |];\n", "N=1;a=[|1|", "% N\nstart=[|0,1|2,0|];/**/N=02;"),
        ("N=2;", "a=", "[|1,0|0,2|]", "[", "|", "]", ";", ",", "1", "1,2", "=", "x", "/*", "*/", "% ;\n", "\n", " "),
    ),
}


@cache
def language(grammar: str, rule: str) -> Lark:
    return parser(grammar, start=rule)


def is_in_the_language(data: bytes, name: str) -> bool:
    grammar, rule = LANGUAGES[name][:2]
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    if grammar == "tatham.lark":  # the first line that is neither blank nor a comment
        lines = [line.strip(" \t") for line in text.split("\n")]
        text = next((line for line in lines if line and line[0] != "#"), "").removesuffix("\r")
    try:
        language(grammar, rule).parse(text)
    except UnexpectedInput:
        return False
    return True


def codes(data: bytes, name: str) -> set[str]:
    """The codes of all faults; none if there is a puzzle."""
    try:
        read(data, name)
    except InvalidInput as error:
        found = {d.code for d in error.diagnostics if d.severity == "error"}
        assert found
        return found
    return set()


@st.composite
def texts(draw: st.DrawFn, name: str) -> bytes:
    whole, pieces = LANGUAGES[name].texts, (*(piece.encode() for piece in LANGUAGES[name].pieces), *BYTES)
    if draw(st.booleans()):
        return b"".join(draw(st.lists(st.sampled_from(pieces), max_size=12)))
    text = draw(st.sampled_from(whole)).encode()
    for _ in range(draw(st.integers(0, 3))):
        start, end = sorted(draw(st.integers(0, len(text))) for _ in range(2))
        text = text[:start] + draw(st.sampled_from((b"", *pieces))) + text[end:]
    return text


@pytest.mark.parametrize("name", LANGUAGES)
@given(data=st.data())
def test_the_grammar_is_the_language_of_the_reader(name: str, data: st.DataObject) -> None:
    text = data.draw(texts(name))
    found = codes(text, name)
    if found.isdisjoint({"F001", "F002"}):  # characters that no file has
        assert is_in_the_language(text, name) == found.isdisjoint(LANGUAGES[name].codes)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, found in LANGUAGES.items() for text in found.texts])
def test_examples(name: str, text: str) -> None:
    assert is_in_the_language(text.encode(), name) == codes(text.encode(), name).isdisjoint(LANGUAGES[name].codes)

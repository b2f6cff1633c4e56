"""What identifiers of Solo, Unequal and Unruly share: many to a file, a strict grammar, and nothing breaks a reader."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from f2csp.diagnostics import F2cspError, InvalidInput, Source
from f2csp.puzzles.files.formats import named_formats, read_puzzle, read_puzzles
from f2csp.text.terminals import parser
from tests.puzzles.files.places import faults, read

SAMPLES = Path(__file__).parents[3] / "samples"

# For each format: the rule of its language, and three different identifiers.
FORMATS = {
    "sudoku:tatham": ("solo", ("2x2:a4b1b2_4b1b2a", "2:1_2_3_4l", "2x3dbr2:zj")),
    "futoshiki:tatham": ("unequal", ("3:0R,0,0L,0,0,0,0,0,0L,", "3dk:c2UD,e", "2:0D,c")),
    "takuzu:tatham": ("unruly", ("6x6u:FBcCBBIeda", "2:ABb", "5x5udn:zA")),
}
FORM_CODES = {"F001", "F002", "F604", "F606", "F607", "F610", "F613", "F615"}
PIECES = [
    *("2x2", "3x3", "2", "4", ":", "#", "a", "b", "d", "p", "z", "A", "C", "Z", "R", "L", "U", "D", ","),
    *("0", "1", "_", "x", "j", "k", "u", "dt", "de", "m4", "md", "r", " ", "\t", "\n", ".", "é", "\u00a0", "\x85"),
    *("2x2:a4b1b2_4b1b2a", "2:0R,0,0,0", "2x2u:cBa"),
]
lines = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
a_format = st.sampled_from(list(FORMATS))


def codes(data: str | bytes, name: str) -> set[str]:
    """The codes of all faults; none if there is a puzzle."""
    try:
        read(data, name)
    except InvalidInput as error:
        found = {d.code for d in error.diagnostics if d.severity == "error"}
        assert found
        return found
    return set()


@cache
def language(rule: str) -> Lark:
    return parser("tatham.lark", start=rule)


def is_in_the_language(text: str, rule: str) -> bool:
    """Whether the first line that is neither blank nor a comment is an identifier."""
    identifiers = [line.strip(" \t") for line in text.split("\n") if line.strip(" \t") and line.strip(" \t")[0] != "#"]
    try:
        language(rule).parse(identifiers[0] if identifiers else "")
    except UnexpectedInput:
        return False
    return True


@pytest.mark.parametrize("name", FORMATS)
@given(text=lines)
@example("2x2:a4b1b2_4b1b2a")
@example("2:0R,0,0,0,")
@example("2x2u:cBa")
@example("\u00a0")
def test_the_strict_grammar_is_the_language(name: str, text: str) -> None:
    assert is_in_the_language(text, FORMATS[name][0]) == codes(text, name).isdisjoint(FORM_CODES)


@given(data=st.binary(max_size=60), name=a_format)
def test_random_bytes(data: bytes, name: str) -> None:
    codes(data, name)


@given(data=st.data(), name=a_format)
def test_mutations(data: st.DataObject, name: str) -> None:
    text = data.draw(st.sampled_from(FORMATS[name][1]))
    for _ in range(data.draw(st.integers(1, 3))):
        start, end = sorted(data.draw(st.integers(0, len(text))) for _ in range(2))
        text = text[:start] + data.draw(st.sampled_from(["", *PIECES, text])) + text[end:]
    codes(text, name)


@pytest.mark.parametrize("name", FORMATS)
def test_every_line_is_a_puzzle_and_comments_are_none(name: str) -> None:
    _, identifiers = FORMATS[name]
    one, two, three = identifiers
    text = f"\ufeff# three puzzles\r\n\n{one}\r\n  \t\n {two} \n#{one}\n\t{three}"
    source, formats = Source("many", text.encode()), named_formats(name)
    expected = [read(identifier, name) for identifier in identifiers]
    assert len(set(expected)) == 3
    assert [found.puzzle for found in read_puzzles(source, formats) if not isinstance(found, InvalidInput)] == expected
    for index, puzzle in enumerate(expected, 1):
        found = read_puzzle(source, formats, index=index)
        assert (found.puzzle, found.n_puzzles) == (puzzle, 3)
    with pytest.raises(F2cspError, match="has 3 puzzles, no number 4"):
        read_puzzle(source, formats, index=4)


@pytest.mark.parametrize("name", FORMATS)
def test_a_fault_is_that_of_its_puzzle_alone_and_has_its_line(name: str) -> None:
    good = FORMATS[name][1][0]
    source = Source("many", f"# ä\n{good}\n\n  {good}?é?\n{good}".encode())
    first, second, third = read_puzzles(source, named_formats(name))
    assert not isinstance(first, InvalidInput)
    assert not isinstance(third, InvalidInput)
    assert isinstance(second, InvalidInput)
    (diagnostic,) = second.diagnostics
    span, at = diagnostic.span, 3 + len(good)
    assert (diagnostic.code, span.line, span.column, span.end_line, span.end_column) == ("F610", 4, at, 4, at + 3)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", ("F615", 1, 1, 1)),
        ("\n  \n", ("F615", 3, 1, 1)),
        ("# only a comment", ("F615", 1, 17, 17)),
        ("2", ("F615", 1, 2, 2)),
        ("2dt", ("F615", 1, 4, 4)),
        (" :a", ("F604", 1, 2, 2)),
        ("dt:a", ("F604", 1, 1, 1)),
        ("2: a", ("F615", 1, 3, 5)),
        ("2 a", ("F615", 1, 2, 4)),
        ("2#1234567", ("F613", 1, 2, 10)),
        ("2dt#abc", ("F613", 1, 4, 8)),
    ],
)
def test_faults_before_the_cells(name: str, text: str, place: tuple[str, int, int, int]) -> None:
    assert faults(text, name) == [place]


@pytest.mark.parametrize("name", FORMATS)
def test_something_beside_an_identifier(name: str) -> None:
    text = FORMATS[name][1][0]
    assert faults(f"{text}  my puzzle ", name) == [("F606", 1, len(text) + 1, len(text) + 12)]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("parameter", ["q", "dq", "Ä"])
def test_unknown_parameters(name: str, parameter: str) -> None:
    size, _, cells = FORMATS[name][1][1].partition(":")
    size = size[0]
    expected = [("F615", 1, 2, 2 + len(parameter))]
    assert faults(f"{size}{parameter}:{cells}", name) == expected


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/tatham.txt")), ids=lambda path: path.parent.name)
def test_the_samples_are_found_to_be_identifiers(path: Path) -> None:
    kind = path.parent.name
    found = read_puzzle(Source(path.name, path.read_bytes()), named_formats(kind))
    assert found.format.full_name == f"{kind}:tatham"
    assert found.n_puzzles == len(path.read_text().splitlines()) > 2

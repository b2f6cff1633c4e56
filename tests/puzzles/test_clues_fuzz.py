"""Whatever a clue file holds, there is a board or an InvalidInput."""

from functools import cache
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from f2csp.diagnostics import InvalidInput, Source
from f2csp.puzzles.files.formats import named_formats, read_puzzle
from f2csp.puzzles.files.reading import Wish
from f2csp.puzzles.sudoku import Box
from f2csp.text.terminals import parser

SAMPLES = Path(__file__).parents[2] / "samples" / "sudoku"
FORM_CODES = {"F001", "F002", "F604", "F606", "F607"}
PIECES = [
    *(b"\n", b"\r\n", b" ", b"\t", b"0", b"1", b"2", b"4", b"9", b"10", b"1 1 1\n", b"4\n1\n", b"x", b"-1"),
    *(b"\r", b"\0", b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf", b"\x85", b"\xc2\xa0", b"1000000000000000000"),
]


def codes(data: bytes, box: Box | None = None) -> set[str]:
    """The codes of all faults; none if there is a board."""
    try:
        read_puzzle(Source("clues.txt", data), named_formats("sudoku:clues"), Wish(box))
    except InvalidInput as error:
        found = {d.code for d in error.diagnostics if d.severity == "error"}
    else:
        return set()
    assert found
    return found


@cache
def strict_parser() -> Lark:
    return parser("clues.lark", start="start")


def is_in_the_language(data: bytes) -> bool:
    start = Source("", data).start
    try:
        strict_parser().parse(data[start:].decode("latin-1"))
    except UnexpectedInput:
        return False
    return True


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join))
@example(b"9\n2\n1 1 5\n3 7 2\n")
@example(b"")
@example(b"9\n0\n1 1 1 \r")
def test_the_strict_grammar_is_the_language(data: bytes) -> None:
    assert is_in_the_language(data) == codes(data).isdisjoint(FORM_CODES)


@settings(deadline=None)
@given(st.binary(max_size=60), st.none() | st.tuples(st.integers(1, 20), st.integers(1, 20)))
def test_random_bytes(data: bytes, box: Box | None) -> None:
    codes(data, box)


@settings(deadline=None)
@given(data=st.data(), name=st.sampled_from(["4x4.txt", "9x9.txt", "9x9-no-solution.txt", "6x6-box-2x3.txt"]))
def test_mutations_of_valid_files(data: st.DataObject, name: str) -> None:
    text = (SAMPLES / name).read_bytes()
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        lines = text.splitlines(keepends=True)
        line = data.draw(st.integers(0, max(0, len(lines) - 1)))
        other = data.draw(st.integers(0, max(0, len(lines) - 1)))
        text = data.draw(
            st.sampled_from(
                [
                    text[:at],
                    text[:at] + data.draw(st.sampled_from(PIECES)) + text[at:],
                    text[:at] + data.draw(st.binary(max_size=4)) + text[at + 1 :],
                    b"".join(lines[:line] + lines[line + 1 :]),
                    b"".join(lines[:line] + lines[line : line + 1] + lines[line:]),
                    b"".join(lines[:line] + lines[other : other + 1] + lines[line + 1 :]),
                ]
            )
        )
    codes(text, data.draw(st.sampled_from([None, (2, 3)])))

"""Latin squares of lsencode: values from 0, -1 for a blank, and every fault with its place."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Unsuitable
from f2csp.puzzles.files.formats import named_formats, written
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import in_row_order, latin_squares

NAME = "latin:pls"
SAMPLE = Path(__file__).parents[3] / "samples" / "latin" / "8x8.pls"
VALID = "order 3\n0 -1 2\n-1 -1 -1\n-1 0 -1\n"
SQUARE = LatinSquare(3, clues=(Clue(1, 1, 1), Clue(1, 3, 3), Clue(3, 2, 1)))


@given(latin_squares())
def test_what_is_written_is_read_again(puzzle: LatinSquare) -> None:
    assert read(written(puzzle, NAME), NAME) == in_row_order(puzzle)


@pytest.mark.parametrize("size", [18, 33, 100, 256])
def test_what_is_written_is_read_again_at_large_sizes(size: int) -> None:
    puzzle = LatinSquare(size, clues=tuple(Clue(row, row, size - row + 1) for row in range(1, size + 1)))
    assert read(written(puzzle, NAME), NAME) == puzzle


@given(latin_squares())
def test_the_format_is_found_among_those_of_all_kinds(puzzle: LatinSquare) -> None:
    assert format_of(written(puzzle, NAME)) == format_of(written(puzzle, NAME), "latin") == NAME


def test_the_sample_is_found() -> None:
    text = SAMPLE.read_text()
    assert format_of(text) == NAME
    assert written(read(text, NAME), NAME) == text


def test_how_a_square_is_spelled() -> None:
    assert written(SQUARE, NAME) == VALID


@pytest.mark.parametrize(
    "text",
    [
        VALID.rstrip("\n"),
        VALID.replace("\n", "\r\n"),
        "\ufeff" + VALID,
        VALID.replace(" ", "\t"),
        VALID.replace(" ", "   "),
        VALID.replace("\n", " \t\n"),
        VALID.replace("\n", "\n\n \n  "),
        VALID.replace("order", "Order"),
        VALID.replace("0", "00").replace("3", "03"),
    ],
)
def test_spellings_of_one_square(text: str) -> None:
    assert read(text, NAME) == SQUARE


FAULTS: list[tuple[str, str, list[Place]]] = [
    ("empty", "", [("F604", 1, 1, 1)]),
    ("only blanks", "\n \n", [("F604", 3, 1, 1)]),
    ("no number", "order\n0", [("F604", 1, 6, 6)]),
    ("no number, blanks after", "  order  \n0", [("F604", 1, 8, 8)]),
    ("a word as the order", "order two\n0 1\n1 0", [("F607", 1, 7, 10)]),
    ("a negative order", "order -2\n0 1\n1 0", [("F607", 1, 7, 9)]),
    ("no order", "2\n0 1\n1 0", [("F615", 1, 1, 2)]),
    ("another word", "size 2\n0 1\n1 0", [("F615", 1, 1, 5)]),
    ("something beside the order", "order 2  x y \n0 1\n1 0", [("F606", 1, 10, 13)]),
    ("zero", "order 0\n", [("F601", 1, 7, 8)]),
    ("beyond the limit", "order 257\n0 1", [("F601", 1, 7, 10)]),
    ("5000 digits", f"order {'9' * 5000}\n0 1", [("F601", 1, 7, 5007)]),
    ("one row too few", "order 2\n0 1\n", [("F609", 3, 1, 1)]),
    ("no row", "order 2", [("F609", 1, 8, 8)]),
    ("one row too many", "order 2\n0 1\n1 0\n -1 -1 \n-1 -1", [("F609", 4, 2, 7)]),
    ("one cell too few", "order 2\n0 1\n1 \n", [("F609", 3, 2, 2)]),
    ("two cells too many", "order 2\n0 1 -1 1 \n1 0\n", [("F609", 2, 5, 9)]),
    ("the wrong order, once", "order 3\n0 1\n1 0", [("F609", 1, 7, 8)]),
    ("an order that is too small, once", "order 1\n0 1\n1 0", [("F609", 1, 7, 8)]),
    ("a value beyond the board", "order 2\n0 2\n1 -1", [("F603", 2, 3, 4)]),
    ("values that count from 1", "order 2\n2 -1\n-1 -1", [("F603", 2, 1, 2)]),
    ("another negative value", "order 2\n0 -2\n1 -1", [("F603", 2, 3, 5)]),
    ("5000 digits as a value", f"order 2\n0 {'1' * 5000}\n1 -1", [("F603", 2, 3, 5003)]),
    ("words as values", "order 2\n. é\n1 +0", [("F607", 2, 1, 2), ("F607", 2, 3, 4), ("F607", 3, 3, 5)]),
    ("several", "order 3 :\nx 0\n0 1 2 1\n5 -1 -1\n", [("F606", 1, 9, 10), ("F607", 2, 1, 2), ("F609", 2, 4, 4),
                                                       ("F609", 3, 7, 8), ("F603", 4, 1, 2)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, NAME) == places


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("order 2\n0 2\n1 -1", "the value at row 1, column 2 is 2, and this format has values 0 to 1",
         "values are 0 to 1, and -1 is a blank"),
        ("order 2\n0\n1 0", "row 1 has 1 cell, and a row of the board has 2",
         "add the cells that are missing, or remove those that are too many"),
        ("order 2\n0 1", "a 2x2 board has 2 rows, and 1 row stands here",
         "add the cells that are missing, or remove those that are too many"),
        ("order 3\n0 1\n1 0", "a row of a 3x3 board has 3 cells, and each of the rows has 2",
         "correct the size, or the rows"),
    ],
)  # fmt: skip
def test_messages_name_the_thing_both_quantities_and_the_cure(text: str, message: str, hint: str) -> None:
    assert messages(text, NAME) == [(message, hint)]


PIECES = ["order", "order 2", "\n", " ", "0", "1", "-1", "2", "x", "é", "\r\n", "\t", "-"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.binary(max_size=40))
def test_nothing_breaks_the_reader(text: str | bytes) -> None:
    with suppress(InvalidInput):
        assert read(text, NAME).KIND == "latin"


def test_other_puzzles_cannot_be_written() -> None:
    with pytest.raises(Unsuitable, match="for the kind latin, and the puzzle is a Futoshiki 4x4"):
        named_formats(NAME)[0].load().write(Futoshiki(4))

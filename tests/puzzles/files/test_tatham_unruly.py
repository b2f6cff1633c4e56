"""Identifiers of Unruly: letters for cells and the blanks before them, rectangles, and whether lines must differ."""

import pytest
from hypothesis import given

from f2csp.diagnostics import Source, Unsuitable
from f2csp.puzzles.files.formats import named_formats, read_puzzle, written
from f2csp.puzzles.files.reading import Wish
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import in_row_order, takuzus

NAME = "takuzu:tatham"


@given(takuzus())
def test_what_is_written_is_read_again(puzzle: Takuzu) -> None:
    assert read(written(puzzle, NAME), NAME) == in_row_order(puzzle)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 128), (128, 1), (31, 31), (128, 128)])
@pytest.mark.parametrize("value", [0, 1])
def test_what_is_written_is_read_again_at_every_size(rows: int, columns: int, value: int) -> None:
    puzzle = Takuzu(rows, columns, clues=(Clue(rows, columns, value),))
    assert read(written(puzzle, NAME), NAME) == puzzle
    assert read(written(Takuzu(rows, columns), NAME), NAME) == Takuzu(rows, columns)


@given(takuzus())
def test_the_format_is_found(puzzle: Takuzu) -> None:
    assert format_of(written(puzzle, NAME), "takuzu") == NAME
    assert format_of(written(puzzle, NAME)) == NAME


@pytest.mark.parametrize(
    ("clues", "text"),
    [
        ((), "g"),
        ((Clue(1, 1, 0),), "af"),
        ((Clue(1, 1, 1),), "Af"),
        ((Clue(1, 3, 1), Clue(2, 1, 0)), "Cac"),
        ((Clue(2, 3, 0),), "fa"),
        ((Clue(2, 3, 1),), "Fa"),
    ],
)
def test_how_an_identifier_is_spelled(clues: tuple[Clue, ...], text: str) -> None:
    assert written(Takuzu(2, 3, clues=clues), NAME) == f"3x2u:{text}\n"
    assert read(f"3x2u:{text}", NAME) == Takuzu(2, 3, clues=clues)


@pytest.mark.parametrize(
    ("clue", "text"),
    [
        (Clue(4, 1, 1), "Yzo"),
        (Clue(4, 2, 1), "ZAzn"),
        (Clue(4, 3, 0), "zbzm"),
        (Clue(8, 7, 0), "zzmb"),
        (Clue(8, 8, 1), "ZZNa"),
    ],
)
def test_z_is_25_blanks_and_no_cell(clue: Clue, text: str) -> None:
    puzzle = Takuzu(8, 8, False, clues=(clue,))
    assert written(puzzle, NAME) == f"8x8:{text}\n"
    assert read(f"8x8:{text}", NAME) == read(f"8x8:{text.replace('Z', 'z')}", NAME) == puzzle


def test_the_letter_that_ends_the_last_run_gives_nothing() -> None:
    blank = Takuzu(5, 5, False)
    assert written(blank, NAME) == "5x5:za\n"
    assert read("5x5:za", NAME) == read("5x5:zA", NAME) == blank
    assert read("5x5:yA", NAME) == Takuzu(5, 5, False, clues=(Clue(5, 5, 0),))


def test_a_run_of_25_may_end_the_board() -> None:
    assert read("4x6:z", NAME) == Takuzu(6, 4, False)
    assert faults("5x5:z", NAME) == [("F609", 1, 6, 6)]


def test_the_size_is_columns_x_rows() -> None:
    assert read("4x2u:DDa", NAME) == Takuzu(2, 4, clues=(Clue(1, 4, 1), Clue(2, 4, 1)))
    assert read("4u:DDi", NAME) == Takuzu(4, 4, clues=(Clue(1, 4, 1), Clue(2, 4, 1)))


@pytest.mark.parametrize("difficulty", ["", "dt", "de", "dn"])
@pytest.mark.parametrize(("parameter", "is_distinct"), [("u", True), ("", False)])
def test_only_u_forbids_equal_lines(parameter: str, difficulty: str, *, is_distinct: bool) -> None:
    puzzle = read(f"3x2{parameter}{difficulty}:g", NAME)
    assert puzzle == Takuzu(2, 3, is_distinct)
    assert written(puzzle, NAME) == f"3x2{parameter}:g\n"


@pytest.mark.parametrize("text", ["3x2:g", "3x2u:g"])
@pytest.mark.parametrize("wish", [True, False])
def test_what_the_user_says_of_lines_comes_first(text: str, *, wish: bool) -> None:
    found = read_puzzle(Source("id", text.encode()), named_formats(NAME), Wish(has_distinct_lines=wish))
    assert found.puzzle == Takuzu(2, 3, wish)


FAULTS: list[tuple[str, str, list[Place]]] = [
    ("no cells", "2x3u:", [("F609", 1, 6, 6)]),
    ("one too few: the end of the last run", "2x3u:f", [("F609", 1, 7, 7)]),
    ("one too many", "2x3:h", [("F609", 1, 5, 6)]),
    ("one too many after the end", "2x3:gA", [("F609", 1, 6, 7)]),
    ("many too many", "2x3:eCabz", [("F609", 1, 6, 10)]),
    ("z with too many", "2x3:AzB", [("F609", 1, 6, 8)]),
    ("a digit", "2x3:b1e", [("F610", 1, 6, 7)]),
    ("full stops and others", "2x3u:b..bé", [("F610", 1, 7, 9), ("F610", 1, 10, 11)]),
    ("no columns", "0x3:a", [("F601", 1, 1, 4)]),
    ("no rows", "3x0:a", [("F601", 1, 1, 4)]),
    ("too many columns", "129x3:a", [("F601", 1, 1, 6)]),
    ("5000 digits", f"2x{'9' * 5000}:a", [("F601", 1, 1, 5003)]),
    ("an unknown symbol on no board", "0u:a.", [("F601", 1, 1, 2), ("F610", 1, 5, 6)]),
    ("u twice", "2x3uu:g", [("F615", 1, 5, 6)]),
    ("u after the difficulty", "2x3dtu:g", [("F615", 1, 6, 7)]),
    ("a parameter of another program", "2x3j:g", [("F615", 1, 4, 5)]),
    ("three numbers", "2x3x4:g", [("F615", 1, 4, 6)]),
    ("a random seed", "8x8udt#12", [("F613", 1, 7, 10)]),
    ("several", "2x3q:1 x", [("F615", 1, 4, 5), ("F610", 1, 6, 7), ("F606", 1, 7, 9)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, NAME) == places


@pytest.mark.parametrize("text", ["8x8u:BEaaBbkebcDCdfcbBB", "8x8:BEaaB.bkebcDCdfcbBBe", "8x8u#123"])
def test_faults_are_those_of_a_takuzu_if_the_kind_is_not_told(text: str) -> None:
    assert faults(text, "auto") == faults(text, "takuzu") == faults(text, NAME)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("3x2:d", "the identifier has 4 cells, and a board of 3x2 has 6, and one more is due that ends the last run",
         None),
        ("3x2:1f", "'1' is no letter from a to z",
         "cells are letters: a to y end in a 0, A to Y in a 1, and z is 25 blanks"),
        ("3x2?:g", "'?' is no parameter of Unruly", "an identifier of Unruly begins like 8x8u:BEaaBbkeb"),
    ],
)  # fmt: skip
def test_messages_name_the_thing_both_quantities_and_the_cure(text: str, message: str, hint: str | None) -> None:
    assert messages(text, NAME) == [(message, hint)]


def test_givens_that_break_a_rule_are_a_warning() -> None:
    found = read_puzzle(Source("id", b"4x4:AAAn"), named_formats(NAME))
    assert {d.code for d in found.warnings} == {"F608"}
    assert found.warnings[0].span.column == 7


def test_other_puzzles_cannot_be_written() -> None:
    module = named_formats(NAME)[0].load()
    with pytest.raises(Unsuitable, match="the format is for the kind takuzu, and the puzzle is a Sudoku 4x4"):
        module.write(Sudoku(4, 2, 2))

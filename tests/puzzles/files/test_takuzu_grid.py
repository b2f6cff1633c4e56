"""Takuzus as they are drawn: blanks of three kinds, rectangles, the lines around, and every fault with its place."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import InvalidInput, Source, Unsuitable
from f2csp.puzzles.files.formats import named_formats, read_puzzle, written
from f2csp.puzzles.files.reading import Wish
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.takuzu import Takuzu
from tests.puzzles.files.places import Place, faults, format_of, messages, read
from tests.puzzles.strategies import in_row_order, takuzus

NAME = "takuzu:grid"
SAMPLES = sorted((Path(__file__).parents[3] / "samples" / "takuzu").glob("grid*.txt"))
VALID = ". 0 1\n. . .\n"
BOARD = Takuzu(2, 3, clues=(Clue(1, 2, 0), Clue(1, 3, 1)))

distinct = takuzus(distinct_lines=st.just(True))


@given(distinct)
def test_what_is_written_is_read_again(puzzle: Takuzu) -> None:
    assert read(written(puzzle, NAME), NAME) == in_row_order(puzzle)


@pytest.mark.parametrize(("rows", "columns"), [(31, 31), (1, 128), (128, 1), (128, 128)])
def test_what_is_written_is_read_again_at_large_sizes(rows: int, columns: int) -> None:
    puzzle = Takuzu(rows, columns, clues=(Clue(1, 1, 0), Clue(rows, columns, 1)))
    assert read(written(puzzle, NAME), NAME) == puzzle


@given(distinct)
def test_the_format_is_found(puzzle: Takuzu) -> None:
    if (puzzle.rows, puzzle.columns) != (2, 1):  # which may be the size 1 and a cell
        assert format_of(written(puzzle, NAME), "takuzu") == NAME


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_are_found(path: Path) -> None:
    text = path.read_text()
    assert format_of(text, "takuzu") == format_of(text) == NAME
    assert read(written(read(text, NAME), NAME), NAME) == read(text, NAME)


def test_how_a_board_is_spelled() -> None:
    assert written(BOARD, NAME) == VALID


def test_whether_lines_must_differ_is_not_said_but_may_be_wished() -> None:
    text = written(Takuzu(2, 3, False), NAME)
    assert text == written(Takuzu(2, 3), NAME)
    found = read_puzzle(Source("grid", text.encode()), named_formats(NAME), Wish(has_distinct_lines=False))
    assert found.puzzle == Takuzu(2, 3, False)


SPELLINGS = [
    VALID.rstrip("\n"),
    VALID.replace("\n", "\r\n"),
    "\ufeff" + VALID,
    VALID.replace(" ", ""),
    VALID.replace(" ", "\t"),
    VALID.replace(".", "_"),
    VALID.replace(".", "-"),
    "_0 1\n-  .\t_\n",
    "\n \n  " + VALID.replace("\n", " \n\n"),
    "# a comment\n. 0 1\n  #another\n. . .",
    "#Start\n2 3\n" + VALID + "#End\n",
    "#Start\r\n2 3\r\n.01\r\n...\r\n#End",
    "\n#START\n02\t3 \n\n.01\n# a comment\n...\n#end\n\n",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_spellings_of_one_board(text: str) -> None:
    assert read(text, NAME) == read(text, "takuzu") == BOARD


WRAPPED = "#Start\n2 3\n.01\n...\n#End\n"

FAULTS: list[tuple[str, str, list[Place]]] = [
    ("empty", "", [("F615", 1, 1, 1)]),
    ("only a comment", "# 2 3\n", [("F615", 2, 1, 1)]),
    ("a short row", "0 1 .\n0 1 \n. . .", [("F609", 2, 4, 4)]),
    ("a long row", "01.\n01.10 \n...", [("F609", 2, 4, 6)]),
    ("most rows tell the width", "0\n01.\n...", [("F609", 1, 2, 2)]),
    ("unknown symbols", "01.\n2é.\n..|", [("F610", 2, 1, 2), ("F610", 2, 2, 3), ("F610", 3, 3, 4)]),
    ("too many columns", "." * 129, [("F601", 1, 1, 130)]),
    ("a row of a million cells", f"..\n..\n{'.' * 10**6}", [("F601", 3, 1, 10**6 + 1)]),
    ("too many rows", "..\n" * 130, [("F601", 129, 1, 3)]),
    ("only #Start", "#Start", [("F604", 1, 7, 7), ("F615", 1, 7, 7)]),
    ("no shape", "#Start\n#End\n", [("F604", 2, 1, 5)]),
    ("no shape but rows", WRAPPED.replace("2 3\n", ""), [("F604", 2, 1, 4)]),
    ("one number", WRAPPED.replace("2 3", " 3 "), [("F604", 2, 2, 3)]),
    ("no numbers", WRAPPED.replace("2 3", "2 x"), [("F607", 2, 3, 4)]),
    ("three numbers", WRAPPED.replace("2 3", "2 3 4 5"), [("F606", 2, 5, 8)]),
    ("no #End", WRAPPED.replace("#End\n", ""), [("F615", 5, 1, 1)]),
    ("something after #End", WRAPPED + "\n 01.\n...", [("F606", 7, 2, 5)]),
    ("zero rows", WRAPPED.replace("2 3", "0 3"), [("F601", 2, 1, 4)]),
    ("many columns", WRAPPED.replace("2 3", f"2 {'9' * 5000}"), [("F601", 2, 1, 5003)]),
    ("one row too few", WRAPPED.replace("2 3", "3 3"), [("F609", 5, 1, 1)]),
    ("one row too many", WRAPPED.replace("2 3", "1 3"), [("F609", 4, 1, 4)]),
    ("no row", "#Start\n2 3\n#End\n", [("F615", 3, 1, 1)]),
    ("the wrong width, once", WRAPPED.replace("2 3", "2 4"), [("F609", 2, 1, 4)]),
    ("columns x rows", WRAPPED.replace("2 3", "3 2"), [("F609", 2, 1, 4)]),
    ("several", "#Start\n3 3 .\n.2.\n..\n...\n...", [("F606", 2, 5, 6), ("F610", 3, 2, 3), ("F609", 4, 3, 3),
                                                     ("F609", 6, 1, 4), ("F615", 6, 4, 4)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, NAME) == places


@pytest.mark.parametrize("text", ["0 1 .\n0 2 1\n. . .", "01.\n0..1\n..1", WRAPPED.replace("1", "x", 1)])
def test_a_mistake_is_told_if_the_format_is_not_said(text: str) -> None:
    assert faults(text, "takuzu") == faults(text, NAME)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("01\n0", "row 2 has 1 cell, and a row of the board has 2",
         "add the cells that are missing, or remove those that are too many"),
        ("01\n0?", "the cell at row 2, column 2 is '?', and cells are 0, 1 or a blank", "write . for a blank"),
        ("#Start\n2 2\n01\n#End", "a 2x2 board has 2 rows, and 1 row stands here",
         "add the cells that are missing, or remove those that are too many"),
        ("." * 129, "this row has 129 cells, and boards with at most 128 lines each way are converted", None),
    ],
)  # fmt: skip
def test_messages_name_the_thing_both_quantities_and_the_cure(text: str, message: str, hint: str | None) -> None:
    assert messages(text, NAME) == [(message, hint)]


PIECES = ["01", ".", "\n", " ", "0", "-", "_", "#Start\n", "2 2\n", "\n#End\n", "x", "é", "\r\n", "\t", "#"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.binary(max_size=40))
def test_nothing_breaks_the_reader(text: str | bytes) -> None:
    with suppress(InvalidInput):
        assert read(text, NAME).KIND == "takuzu"


def test_other_puzzles_cannot_be_written() -> None:
    with pytest.raises(Unsuitable, match="for the kind takuzu, and the puzzle is a Latin square 4x4"):
        named_formats(NAME)[0].load().write(LatinSquare(4))

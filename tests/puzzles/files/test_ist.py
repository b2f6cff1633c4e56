"""Takuzus as tables with tabs: 2 is a blank; every fault with its place; real boards where they are present."""

import json
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

NAME = "takuzu:ist"
ROOT = Path(__file__).parents[3]
SAMPLES = sorted((ROOT / "samples" / "takuzu").glob("ist*.txt"))
REAL = ROOT.parent / "shared" / "puzzles" / "takuzu_ist.jsonl"
VALID = "3\n2\t1\t2\n0\t2\t2\n2\t2\t0\n"
BOARD = Takuzu(3, 3, clues=(Clue(1, 2, 1), Clue(2, 1, 0), Clue(3, 3, 0)))

squares = takuzus(distinct_lines=st.just(True)).filter(lambda puzzle: puzzle.rows == puzzle.columns)


@given(squares)
def test_what_is_written_is_read_again(puzzle: Takuzu) -> None:
    assert read(written(puzzle, NAME), NAME) == in_row_order(puzzle)


@pytest.mark.parametrize("size", [31, 128])
def test_what_is_written_is_read_again_at_large_sizes(size: int) -> None:
    puzzle = Takuzu(size, size, clues=tuple(Clue(row, row, row % 2) for row in range(1, size + 1)))
    assert read(written(puzzle, NAME), NAME) == puzzle


@given(squares)
def test_the_format_is_found(puzzle: Takuzu) -> None:
    if puzzle.rows > 1:  # a board of one cell may be a grid of two
        assert format_of(written(puzzle, NAME), "takuzu") == NAME


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_samples_are_found(path: Path) -> None:
    text = path.read_text()
    assert format_of(text, "takuzu") == NAME
    assert written(read(text, NAME), NAME) == text


def test_how_a_board_is_spelled() -> None:
    assert written(BOARD, NAME) == VALID


def test_whether_lines_must_differ_is_not_said_but_may_be_wished() -> None:
    text = written(Takuzu(3, 3, False), NAME)
    assert text == written(Takuzu(3, 3), NAME)
    found = read_puzzle(Source("ist", text.encode()), named_formats(NAME), Wish(has_distinct_lines=False))
    assert found.puzzle == Takuzu(3, 3, False)


@pytest.mark.parametrize(
    "text",
    [
        VALID.rstrip("\n"),
        VALID.replace("\n", "\r\n"),
        "\ufeff" + VALID,
        VALID.replace("\t", " "),
        VALID.replace("\n", "\t\n"),
        "\n \n" + VALID.replace("\n", "\n\n"),
        VALID.replace("3", "03"),
    ],
)
def test_spellings_of_one_board(text: str) -> None:
    assert read(text, NAME) == BOARD


FAULTS: list[tuple[str, str, list[Place]]] = [
    ("empty", "", [("F604", 1, 1, 1)]),
    ("a word as the size", "x\n2", [("F607", 1, 1, 2)]),
    ("something beside the size", "1 1\n2", [("F606", 1, 3, 4)]),
    ("no size", "2\t1\n0\t2", [("F606", 1, 3, 4), ("F609", 2, 4, 4)]),
    ("zero", "0\n", [("F601", 1, 1, 2)]),
    ("beyond the limit", "129\n0\t1", [("F601", 1, 1, 4)]),
    ("one row too few", "2\n2\t1\n", [("F609", 3, 1, 1)]),
    ("one row too many", "2\n2\t1\n1\t2\n0\t1", [("F609", 4, 1, 4)]),
    ("one cell too few", "2\n2\t1\n1\t\n", [("F609", 3, 2, 2)]),
    ("one cell too many", "2\n2\t1\n1\t2\t2\n", [("F609", 3, 5, 6)]),
    ("the wrong size, once", "4\n2\t1\n1\t2\n", [("F609", 1, 1, 2)]),
    ("an unknown value", "2\n2\t3\n1\t-1\n", [("F610", 2, 3, 4), ("F610", 3, 3, 5)]),
    ("words and others", "2\n.\té\n00\t1\n", [("F610", 2, 1, 2), ("F610", 2, 3, 4), ("F610", 3, 1, 3)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_faults(text: str, places: list[Place]) -> None:
    assert faults(text, NAME) == places


def test_a_mistake_in_a_cell_is_told_if_the_format_is_not_said() -> None:
    assert faults(VALID.replace("0", "7", 1), "takuzu") == [("F610", 3, 1, 2)]


def test_a_message_names_the_cell_and_the_cure() -> None:
    message = "the cell at row 2, column 1 is '5', and cells are 0, 1 or 2"
    assert messages("2\n2 1\n5 1", NAME) == [(message, "write 2 for a blank")]


PIECES = ["2", "\n", " ", "0", "1", "2\n2\t1\n", "\t", "x", "é", "\r\n", "-"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.binary(max_size=40))
def test_nothing_breaks_the_reader(text: str | bytes) -> None:
    with suppress(InvalidInput):
        assert read(text, NAME).KIND == "takuzu"


@pytest.mark.parametrize("puzzle", [Takuzu(2, 3), LatinSquare(4)])
def test_other_boards_cannot_be_written(puzzle: Takuzu | LatinSquare) -> None:
    with pytest.raises(Unsuitable, match="the format"):
        named_formats(NAME)[0].load().write(puzzle)


@pytest.mark.skipif(not REAL.exists(), reason="puzzle data not present")
def test_real_boards() -> None:
    records = [json.loads(line) for line in REAL.read_text().splitlines()]
    assert len(records) > 200
    for record in records:
        puzzle = read(record["puzzle"], "takuzu")
        rows = [row.split() for row in record["givens"].splitlines()]
        assert isinstance(puzzle, Takuzu)
        assert (puzzle.rows, puzzle.columns, puzzle.has_distinct_lines) == (record["n"], record["n"], True)
        assert puzzle.clues == tuple(
            Clue(r, c, int(cell)) for r, row in enumerate(rows, 1) for c, cell in enumerate(row, 1) if cell != "2"
        )
        assert read(written(puzzle, NAME), NAME) == puzzle

"""Boards in mails, tables, pages and programs are read right, or refused where a person would ask."""

import pytest

from tests.door.pasted_boards import Outcome, PastedBoard, pasted_boards
from tests.door.reading import Reading, readings

EXAMPLES = [*pasted_boards()]

REFUSED = frozenset(
    """
    both-tight.txt cells-commas.txt cells-lines.txt futoshiki-page.html futoshiki-sheet.tsv own-diagonal-9-112.txt
    takuzu-x-o-bare.txt
    """.split()
)
"""Boards that a person reads and the program refuses: with and without the name of their kind, or one of both."""


def are_right(found: list[Reading], example: PastedBoard) -> bool:
    return [reading[:3] for reading in found] == [(given.kind, given.givens, given.rules) for given in example.boards]


def are_other(found: list[Reading], example: PastedBoard) -> bool:
    """Whether the same cells were read as another kind that the text alone may mean."""
    grids = [reading.grid for reading in found if reading.kind == example.also]
    return grids == [given.givens for given in example.boards]


def are_refused(found: list[Reading]) -> bool:
    return {reading.kind for reading in found} == {None}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_board_is_read_from_the_text_alone(example: PastedBoard) -> None:
    found = readings(example.name, example.text)
    may_refuse = example.outcome is not Outcome.READ or example.name in REFUSED
    assert are_right(found, example) or are_other(found, example) or (may_refuse and are_refused(found)), found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_board_is_read_with_the_name_of_its_kind(example: PastedBoard) -> None:
    options = {"box": example.box} if example.box else {}
    found = readings(example.name, example.text, example.boards[0].kind, **options)
    may_refuse = example.outcome is Outcome.HARD or example.name in REFUSED
    assert are_right(found, example) or (may_refuse and are_refused(found)), found


@pytest.mark.parametrize("example", [example for example in EXAMPLES if example.name in REFUSED], ids=lambda e: e.name)
def test_what_is_listed_as_refused_is_refused(example: PastedBoard) -> None:
    options = {"box": example.box} if example.box else {}
    found = [
        readings(example.name, example.text),
        readings(example.name, example.text, example.boards[0].kind, **options),
    ]
    assert any(map(are_refused, found)), found


def test_the_plain_sudokus_of_andoku_are_read_from_its_files() -> None:
    cells = ".8.4.96536428...7.......8....7..5.42...7.1...85.6..1....6.......1...47362735.8.1."
    found = readings("standard_n_1.adk", f"# Andoku - a sudoku puzzle game for Android.\n\n{cells}\n{cells}\n")
    assert [(reading.kind, reading.rules) for reading in found] == [("sudoku", frozenset())] * 2


def test_a_takuzu_with_all_cells_on_one_line_may_have_one_value_alone() -> None:
    (reading,) = readings("takuzu.txt", "6\n222222222222220020220222222202222202\n")
    assert (reading.kind, sum(value is not None for line in reading.grid for value in line)) == ("takuzu", 6)

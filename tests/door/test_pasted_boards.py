"""Boards in mails, tables, pages and programs are read right, or refused where a person would ask."""

import pytest

from tests.door.pasted_boards import Outcome, PastedBoard, pasted_boards
from tests.door.reading import Reading, readings

EXAMPLES = [*pasted_boards()]


def are_right(found: list[Reading], example: PastedBoard) -> bool:
    return [reading[:3] for reading in found] == [(given.kind, given.givens, given.rules) for given in example.boards]


def are_other(found: list[Reading], example: PastedBoard) -> bool:
    """Whether the same cells were read as another kind that the text alone may mean."""
    grids = [reading.grid for reading in found if reading.kind in example.also]
    return grids == [given.givens for given in example.boards]


def are_refused(found: list[Reading]) -> bool:
    return {reading.kind for reading in found} == {None}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_board_is_read_from_the_text_alone(example: PastedBoard) -> None:
    found = readings(example.name, example.text)
    may_refuse = example.outcome is not Outcome.READ
    assert are_right(found, example) or are_other(found, example) or (may_refuse and are_refused(found)), found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_a_board_is_read_with_the_name_of_its_kind(example: PastedBoard) -> None:
    options = {"box": example.box} if example.box else {}
    found = readings(example.name, example.text, example.boards[0].kind, **options)
    may_refuse = example.outcome is Outcome.HARD
    assert are_right(found, example) or (may_refuse and are_refused(found)), found

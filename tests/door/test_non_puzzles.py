"""What is no puzzle is never read as one, and what is one never loses its rules."""

import pytest

from tests.door.dropped_rules import RuledText, ruled_texts
from tests.door.non_puzzles import non_puzzles
from tests.door.reading import readings
from tests.door.texts import Text


@pytest.mark.parametrize("text", [*non_puzzles()], ids=lambda text: text.name)
def test_a_text_that_is_no_puzzle_is_refused(text: Text) -> None:
    assert {reading.kind for reading in readings(text.name, text.text)} == {None}, text.note


@pytest.mark.parametrize("text", [*ruled_texts()], ids=lambda text: text.name)
def test_a_board_never_loses_the_rules_beside_it(text: RuledText) -> None:
    for form in ("auto", *text.kinds):
        for reading in readings(text.name, text.text, form):
            is_allowed = reading.kind is None or any(outcome.allows(reading) for outcome in text.outcomes)
            assert is_allowed, (form, reading.kind)


def test_a_matrix_of_more_bytes_than_formats_are_tried_on_is_refused() -> None:
    size = 95
    rows = (" ".join("01"[abs(i - j) in (1, size - 1)] for j in range(size)) for i in range(size))
    (reading, *others) = readings("cycle.txt", "\n".join([str(size), *rows, ""]))
    assert (reading.kind, others) == (None, [])

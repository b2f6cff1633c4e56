"""How lists of clues, maps, cages and JSON documents were read, in words; their puzzles are cases of the corpus."""

import json

import pytest

from f2csp.boards import json_puzzles
from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, Unreadable
from f2csp.diagnostics import Collector
from tests.boards.puzzle_texts import source_of


def builder_of(codec: Codec, kind: str, text: str) -> PuzzleBuilder:
    """The builder of the last puzzle of a text that has no faults."""
    source = source_of(text)
    for part in codec.parts(Text.whole(source)):
        builder = PuzzleBuilder(kind, Collector(source))
        codec.read(part, builder)
    return builder


@pytest.mark.parametrize("n_puzzles", [2, 300])
def test_every_puzzle_of_a_collection_has_its_place(n_puzzles: int) -> None:
    puzzles = {f"{i}": {"problem": "4 4\n" + "- - - -\n" * 3 + "- - - x", "info": ""} for i in range(n_puzzles)}
    source = source_of(json.dumps({"name": "Sudoku", "data": puzzles}))
    parts = json_puzzles.DOCUMENTS.parts(Text.whole(source))
    assert len(parts) == n_puzzles
    for part in parts:
        collector = Collector(source)
        with pytest.raises(Unreadable):
            json_puzzles.DOCUMENTS.read(part, PuzzleBuilder("sudoku", collector))
        (fault,) = collector.diagnostics()
        assert (fault.code, fault.span.column - 1) == ("F607", source.data.index(b"x", part.start))

"""How lists of clues, maps, cages and JSON documents were read, in words; their puzzles are cases of the corpus."""

import json

import pytest

from f2csp.boards import clue_lists, json_puzzles, sudoku_variants
from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder, Unreadable
from f2csp.diagnostics import Collector
from tests.boards.puzzle_texts import source_of

CLUES = "\n".join(f"{i} {i} {i}" for i in range(1, 10))


def builder_of(codec: Codec, kind: str, text: str) -> PuzzleBuilder:
    """The builder of the last puzzle of a text that has no faults."""
    source = source_of(text)
    for part in codec.parts(Text.whole(source)):
        builder = PuzzleBuilder(kind, Collector(source))
        codec.read(part, builder)
    return builder


@pytest.mark.parametrize(
    ("codec", "kind", "text", "reading"),
    [
        (clue_lists.CLUES, "sudoku", f"9\n9\n{CLUES}\n", ""),
        (clue_lists.TRIPLES, "latin", f"9\n{CLUES}\n", "9 clues, row column value, counted from 1; lines 2 to 10"),
        (clue_lists.TRIPLES, "latin", "4\n0 1 0\n3 0 3\n", "2 clues, row column value, counted from 0; lines 2 to 3"),
        (
            clue_lists.TRIPLES,
            "latin",
            "4\n0 1 1\n3 0 4\n",
            "2 clues, row column value, counted from 0, values from 1; lines 2 to 3",
        ),
        (sudoku_variants.MAP, "jigsaw", "12\n21\n" + "11\n22\n", "2x2, the map of the regions below the cells"),
        (
            sudoku_variants.CAGES,
            "killer",
            "4\n3 r1c1 r1c2\n",
            "1 cage, total and cells, rows and columns counted from 1",
        ),
        (json_puzzles.DOCUMENTS, "sudoku", '{"board": ["1"]}', "JSON, board"),
        (json_puzzles.DOCUMENTS, "sudoku", '{"puzzle": {"0": 1, "6": 2}}', "JSON, puzzle, cells numbered from 0"),
    ],
)
def test_how_a_puzzle_was_read(codec: Codec, kind: str, text: str, reading: str) -> None:
    assert builder_of(codec, kind, text).reading == reading


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

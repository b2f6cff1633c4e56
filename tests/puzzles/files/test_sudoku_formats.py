"""What the formats of Sudokus have in common: writing and reading is the identity, and nothing breaks a reader."""

import inspect
import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from f2csp.diagnostics import Collector, InvalidInput, Source, Unsuitable
from f2csp.puzzles.files.formats import PuzzleFile, named_formats, read_puzzle, read_puzzles, written
from f2csp.puzzles.files.reading import Reading, Wish
from f2csp.puzzles.files.text import Text
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku, square_box
from f2csp.puzzles.to_problem import to_problem
from tests.puzzles.files.places import faults, format_of, read
from tests.puzzles.strategies import in_row_order, latin_squares, sudokus
from tests.sat import is_unique

SAMPLES = Path(__file__).parents[3] / "samples"
SUDOKUS = [f"sudoku:{name}" for name in ("line", "grid", "matrix", "csv", "opensudoku")]
RUNS = ["sudoku:line", "sudoku:csv"]
"""Formats that have the cells side by side, and do not say the boxes."""

a_format = st.sampled_from(SUDOKUS)


def dense(size: int, *box: int) -> Sudoku:
    """A board with a given in most cells, of every value and without conflict in rows and columns."""
    numbers = range(1, size + 1)
    clues = [Clue(row, column, (row + column) % size + 1) for row in numbers for column in numbers if row % 4]
    return Sudoku(size, *(box or square_box(size) or ()), clues=tuple(clues))


def read_back(puzzle: Sudoku, name: str) -> Puzzle:
    """What is read of a written puzzle, by a user who knows the box if there is no square one."""
    wish = Wish(None if square_box(puzzle.size) else (puzzle.box_rows, puzzle.box_columns))
    return read_puzzle(Source("puzzle.txt", written(puzzle, name).encode()), named_formats(name), wish).puzzle


def can_express(name: str, puzzle: Sudoku) -> bool:
    """Whether a format has a place for all that the puzzle says, or asks for the rest."""
    if name == "sudoku:opensudoku":
        return puzzle.size == 9 and puzzle.has_square_boxes
    if name in RUNS or (name == "sudoku:grid" and 1 in (puzzle.box_rows, puzzle.box_columns)):
        return puzzle.has_square_boxes or square_box(puzzle.size) is None
    return True


@given(sudokus(), a_format)
def test_what_is_written_is_read_again(puzzle: Sudoku, name: str) -> None:
    if can_express(name, puzzle):
        assert read_back(puzzle, name) == in_row_order(puzzle)
    else:
        with pytest.raises(Unsuitable):
            written(puzzle, name)


@given(sudokus(boxes=((3, 3),)))
def test_what_is_written_for_opensudoku_is_read_again(puzzle: Sudoku) -> None:
    assert read(written(puzzle, "sudoku:opensudoku"), "sudoku:opensudoku") == in_row_order(puzzle)


@given(latin_squares())
def test_what_is_written_of_a_latin_square_is_read_again(puzzle: LatinSquare) -> None:
    assert read(written(puzzle, "latin:matrix"), "latin:matrix") == in_row_order(puzzle)


@pytest.mark.parametrize("name", ["sudoku:grid", "sudoku:matrix"])
@given(sudokus(boxes=((2, 3), (3, 2), (2, 4), (4, 2), (2, 5), (3, 4), (4, 3), (2, 2), (3, 3))))
def test_boxes_need_not_be_told_where_they_are_written(name: str, puzzle: Sudoku) -> None:
    assert read(written(puzzle, name), name) == in_row_order(puzzle)


@pytest.mark.parametrize("size", [1, 4, 9, 16, 25, 36, 64, 100, 256])
@pytest.mark.parametrize("name", ["sudoku:line", "sudoku:csv", "sudoku:grid", "sudoku:matrix"])
def test_every_size_is_read_again_or_refused(name: str, size: int) -> None:
    puzzle = dense(size)
    if name in RUNS and size > 35:
        with pytest.raises(Unsuitable, match="a character for each cell and boards of up to 35x35"):
            written(puzzle, name)
    else:
        assert read(written(puzzle, name), name) == puzzle


@pytest.mark.parametrize("size", [10, 12, 35])
@pytest.mark.parametrize("name", RUNS)
def test_sizes_that_have_no_square_box_need_be_told_one(name: str, size: int) -> None:
    rows = max(rows for rows in range(1, 6) if size % rows == 0)
    puzzle = dense(size, rows, size // rows)
    assert read_back(puzzle, name) == puzzle
    (fault,) = faults(written(puzzle, name), name)
    assert fault[0] == "F601"


@pytest.mark.parametrize("name", ["sudoku:grid", "sudoku:matrix"])
@pytest.mark.parametrize("box", [(2, 8), (8, 2), (2, 32), (3, 12), (10, 20)])
def test_boxes_that_are_no_squares_on_boards_that_could_have_such(name: str, box: tuple[int, int]) -> None:
    puzzle = dense(box[0] * box[1], *box)
    assert read(written(puzzle, name), name) == puzzle


@given(sudokus(), a_format)
def test_the_problem_is_that_of_the_puzzle(puzzle: Sudoku, name: str) -> None:
    if can_express(name, puzzle):
        assert to_problem(read_back(puzzle, name)) == to_problem(in_row_order(puzzle))


@given(sudokus(boxes=((2, 2), (3, 3), (4, 4), (2, 3), (4, 3))), a_format, st.data())
def test_spellings_of_one_puzzle(puzzle: Sudoku, name: str, data: st.DataObject) -> None:
    if not can_express(name, puzzle):
        return
    text = written(puzzle, name)
    changes = data.draw(st.sets(st.sampled_from(["CRLF", "mark", "end", "blanks", "first"])))
    if "end" in changes:
        text = text.removesuffix("\n")
    if "blanks" in changes:
        text = re.sub("$", " " * data.draw(st.integers(0, 3)), text, flags=re.MULTILINE)
    if "first" in changes and name != "sudoku:opensudoku":  # XML begins with its declaration
        text = f"\n \n{text}\n \n"
    if "CRLF" in changes:
        text = text.replace("\n", "\r\n")
    if "mark" in changes:
        text = f"\ufeff{text}"
    box = puzzle.box_rows, puzzle.box_columns
    found = read_puzzle(Source("puzzle.txt", text.encode()), named_formats(name), Wish(box))
    assert found.puzzle == in_row_order(puzzle)


@given(sudokus(boxes=((2, 2), (3, 3), (4, 4))), a_format)
def test_the_format_need_not_be_told_if_there_is_a_value_above_one(puzzle: Sudoku, name: str) -> None:
    if can_express(name, puzzle) and any(clue.value > 1 for clue in puzzle.clues):
        assert read(written(puzzle, name), "sudoku") == in_row_order(puzzle)


@given(latin_squares(min_size=2))
def test_a_matrix_is_found_among_the_latin_squares(puzzle: LatinSquare) -> None:
    if any(clue.value > 1 for clue in puzzle.clues):
        assert format_of(written(puzzle, "latin:matrix"), "latin") == "latin:matrix"


CHANGES = st.lists(
    st.tuples(
        st.integers(0, 2**16), st.integers(0, 3), st.text("0159AGa.-*_|+=#[]<>\"'&:;, \t\n┃─é?", max_size=4)
    ),
    max_size=4,
)  # fmt: skip


@settings(deadline=None)
@given(sudokus(max_size=9) | latin_squares(max_size=5), a_format, CHANGES)
def test_any_change_gives_a_puzzle_or_faults_that_point_into_the_text(
    puzzle: Sudoku | LatinSquare, name: str, changes: list[tuple[int, int, str]]
) -> None:
    if isinstance(puzzle, LatinSquare):
        name = "latin:matrix"
    elif not can_express(name, puzzle):
        return
    text = written(puzzle, name)
    for place, n_deleted, inserted in changes:
        at = place % (len(text) + 1)
        text = text[:at] + inserted + text[at + n_deleted :]
    _read_in_every_way(text, name)
    _read_in_every_way(text, puzzle.KIND)


@settings(deadline=None)
@given(st.text("0123456789AGPZagx.-*_|+=#[]<>/\"'&:;, \t\n\n\n┌─│é?puzle", max_size=400), a_format)
def test_any_text_gives_a_puzzle_or_faults_that_point_into_it(text: str, name: str) -> None:
    _read_in_every_way(text, name)


def _read_in_every_way(text: str, name: str) -> None:
    lines = text.split("\n")
    for wish in (None, Wish((2, 3))):
        try:
            found = list(read_puzzles(Source("puzzle.txt", text.encode()), named_formats(name), wish))
        except InvalidInput as error:
            found = [error]
        assert found
        for puzzle in found:
            if isinstance(puzzle, InvalidInput):
                assert any(d.severity == "error" for d in puzzle.diagnostics)
                for span in (d.span for d in puzzle.diagnostics):
                    assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
                    assert span.end_line <= len(lines)
                    assert span.column <= len(lines[span.line - 1]) + 1
            else:
                values = puzzle.puzzle.values
                assert all(clue.value in values for clue in puzzle.puzzle.clues)


@pytest.mark.parametrize("name", [*SUDOKUS, "latin:matrix"])
@pytest.mark.parametrize("text", ["", "\n", "\n  \n \n", "\r\n", "\ufeff"])
def test_nothing_at_all(name: str, text: str) -> None:
    ((code, _, _, _),) = faults(text, name)
    assert code in ("F604", "F615")


HOSTILE = {
    "blank lines": "\n" * 200_000,
    "blanks": " " * 200_000,
    "a digit": "1" * 200_000,
    "digits in two bytes": "é1" * 100_000,
    "digits between blanks": "1 " * 100_000,
    "words in two bytes": "é " * 100_000,
    "bars": "|" * 200_000,
    "cells in bars": "│1" * 100_000,
    "dashes": "-" * 200_000,
    "an open section": "[" + " " * 200_000,
    "sections": "[a]\n" * 50_000,
    "remarks": "#\n" * 100_000,
    "separators": ":;," * 70_000,
    "quotation marks": "puzzle,a\n" + '"' * 200_000,
    "quoted fields": '"a",' * 30 + "puzzle\n" + '"a",' * 30 + '\n"a","' * 1000,
    "columns": "a," * 50_000 + "puzzle\n" + "1," * 50_000,
    "rows of a table": "a,puzzle\n" + "1\n" * 3000,
    "a row for each character": "1\n" * 3000,
    "rows": ("1" * 9 + "\n") * 3000,
    "a header": "9" * 200_000 + "\n1",
    "a header of two": "9" * 100_000 + " " + "9" * 100_000 + "\n1",
    "elements in each other": "<game>" * 30_000,
    "an attribute": f'<opensudoku><game data="{"1" * 200_000}"/></opensudoku>',
    "attributes": "<game" + "".join(f' a{i}="1"' for i in range(3000)) + "/>",
    "an open tag": "<game " + " " * 200_000,
    "entities": "<!DOCTYPE a ["
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 9}">' for i in range(99))
    + "]><a>&a98;</a>",
}


@pytest.mark.parametrize("name", [*SUDOKUS, "latin:matrix", "sudoku"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_refused(name: str, text: str) -> None:
    source = Source("puzzle.txt", text.encode())
    forms = named_formats(name)
    assert all(form.load().looks_like(Text.whole(source)) is not None for form in forms)
    parts = forms[-1].parts(Text.whole(source))
    assert len(parts) >= 1
    for part in parts[:3]:
        collector = Collector(source)
        puzzle = forms[-1].load().read(part, Reading(forms[-1].kind, collector))
        assert (puzzle is None) == (collector.n_errors > 0)


@pytest.mark.parametrize("name", [*SUDOKUS, "latin:matrix"])
def test_another_puzzle_is_not_written(name: str) -> None:
    (form,) = named_formats(name)
    with pytest.raises(Unsuitable):
        form.load().write(Futoshiki(9))


SAMPLE_FORMATS = {
    "sudoku/line.sdm": "sudoku:line",
    "sudoku/grid.sdk": "sudoku:grid",
    "sudoku/grid.ss": "sudoku:grid",
    "sudoku/grid-6x6.txt": "sudoku:grid",
    "sudoku/grid-12x12.txt": "sudoku:grid",
    "sudoku/matrix-12x12.txt": "sudoku:matrix",
    "sudoku/table.csv": "sudoku:csv",
    "sudoku/table.tsv": "sudoku:csv",
    "sudoku/games.opensudoku": "sudoku:opensudoku",
    "latin/matrix.txt": "latin:matrix",
}


@pytest.mark.parametrize(("sample", "name"), SAMPLE_FORMATS.items())
def test_samples_are_of_their_format_and_have_one_solution_each(sample: str, name: str) -> None:
    source = Source(sample, (SAMPLES / sample).read_bytes())
    for forms in (named_formats("auto"), named_formats(name.partition(":")[0])):
        for found in read_puzzles(source, forms):
            assert not isinstance(found, InvalidInput)
            assert (found.format.full_name, found.warnings) == (name, ())
            assert is_unique(to_problem(found.puzzle))


@pytest.mark.parametrize("name", SUDOKUS)
def test_the_example_that_a_format_opens_with_is_one(name: str) -> None:
    (form,) = named_formats(name)
    example = inspect.cleandoc(inspect.getdoc(form.load()) or "").split("\n\n")[1]
    found = list(read_puzzles(Source("example", textwrap.dedent(example).encode()), [form]))
    assert all(
        isinstance(file, PuzzleFile) and not file.warnings and is_unique(to_problem(file.puzzle)) for file in found
    )


@pytest.mark.parametrize("name", SUDOKUS)
def test_the_ending_of_a_name_belongs_to_one_format(name: str) -> None:
    (form,) = named_formats(name)
    others = [ending for other in named_formats("auto") if other is not form for ending in other.endings]
    assert set(form.endings).isdisjoint(others)

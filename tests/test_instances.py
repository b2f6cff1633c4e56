"""Problems and puzzles in any format: found from the text, read, and written by the extension."""

import io
from pathlib import Path

import pytest

from f2csp.diagnostics import InvalidInput, Source, Unsuitable
from f2csp.file_formats import formats
from f2csp.instances import Instance, instances, write
from f2csp.puzzles.puzzle import Clue, puzzle_class
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem

SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))


def found(text: str, *args: str, name: str = "-", **options: object) -> list[Instance]:
    return list(instances(Source(name, text.encode()), *args, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("form", [form.name for form in formats() if form.is_read and form.is_written])
def test_what_is_written_is_found_from_its_text(form: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    problem = to_problem(SUDOKU)
    try:
        write(SUDOKU, path, form)
    except Unsuitable:
        assert not form.startswith("sudoku") or form == "sudoku:opensudoku"
        return
    (instance,) = found(path.read_text())
    assert instance.format in (form, "sudoku:grid")  # rows of a matrix are a grid as well
    back = instance.problem
    assert back.n_variables == problem.n_variables or form == "dimacs"
    if not form.startswith(("dimacs", "xcsp3", "wcsp")):
        assert instance.puzzle == SUDOKU


@pytest.mark.parametrize("form", ["diagonal:line", "diagonal:matrix", "latin:matrix"])
@pytest.mark.parametrize("size", [4, 9])
def test_a_board_that_looks_like_a_sudoku_is_read_as_the_puzzle_that_was_written(form: str, size: int) -> None:
    numbers = range(1, size + 1)
    clues = tuple(Clue(row, 1 + 2 * row % size, 1 + 3 * row % size) for row in numbers if row % 3)
    puzzle = puzzle_class(form.partition(":")[0])
    board = puzzle(size, *([int(size**0.5)] * 2 if issubclass(puzzle, Sudoku) else []), clues=clues)
    text = io.StringIO()
    write(board, text, form)
    assert [instance.content for instance in found(text.getvalue())] == [board]


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("", "x.csp", "F007"),
        ("", "x.csp.gz", "F007"),
        ("no format at all\n", "-", "F614"),
        ("no format at all\n", "notes.txt", "F614"),
    ],
)
def test_a_text_of_no_format(text: str, name: str, code: str) -> None:
    try:
        (instance,) = found(text, name=name)
        diagnostics = instance.diagnostics
    except InvalidInput as error:
        diagnostics = error.diagnostics
    assert diagnostics[0].code == code

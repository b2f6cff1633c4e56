"""Boards as text and as SVG: word for word, what holds of all of them, candidates, and the files of pictures."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import F2cspError, MissingExtra
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.rendering.pictures import encoded
from f2csp.rendering.svg_board import board_picture, svg_board, worksheet
from f2csp.rendering.text_board import board_text
from tests.boards.puzzle_texts import read, written
from tests.conftest import Expected
from tests.puzzles.strategies import futoshikis, jigsaws, puzzles, variants
from tests.rendering.elements import texts

SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
WIDE = Sudoku(12, 3, 4, clues=(Clue(1, 1, 12), Clue(12, 12, 1)))
SIGNS = [((1, 1), (1, 2)), ((2, 3), (2, 2)), ((1, 2), (2, 2)), ((3, 3), (2, 3))]
CAGES = [(8, [(1, 1), (2, 1), (3, 1)]), (4, [(1, 2), (1, 3)]), (3, [(1, 4), (2, 4)]), (5, [(2, 2), (2, 3)])]
CAGED = tuple(Cage(total, tuple(Cell(*cell) for cell in cells)) for total, cells in CAGES)
KILLER = Killer(4, 2, 2, CAGED, clues=(Clue(4, 4, 3),))
FUTOSHIKI = Futoshiki(3, tuple(Sign(Cell(*a), Cell(*b)) for a, b in SIGNS), clues=(Clue(1, 3, 3), Clue(3, 1, 1)))
WIDE_SIGNS = (Sign(Cell(1, 2), Cell(1, 1)), Sign(Cell(1, 3), Cell(2, 3)), Sign(Cell(2, 10), Cell(1, 10)))
JIGSAW = Jigsaw(4, ((1, 1, 1, 2), (1, 3, 2, 2), (3, 3, 2, 4), (3, 4, 4, 4)), clues=(Clue(2, 3, 4),))
BOARDS: list[tuple[str, Puzzle, bool]] = [
    ("sudoku", SUDOKU, False),
    ("sudoku in ASCII", SUDOKU, True),
    ("boxes of 3x4", WIDE, True),
    ("boxes that are rows", Sudoku(2, 1, 2), False),
    ("boxes that are columns", Sudoku(2, 2, 1), False),
    ("futoshiki", FUTOSHIKI, False),
    ("futoshiki in ASCII", FUTOSHIKI, True),
    ("futoshiki without signs", Futoshiki(2), False),
    ("latin square", LatinSquare(3, clues=(Clue(2, 2, 3),)), False),
    ("takuzu", Takuzu(2, 4, clues=(Clue(1, 4, 0), Clue(2, 1, 1))), False),
    ("one cell", Takuzu(1, 1), False),
    ("jigsaw", JIGSAW, False),
    ("diagonal", Diagonal(6, 2, 3, clues=(Clue(1, 1, 6),)), True),
    ("killer", KILLER, False),
    ("killer in ASCII", KILLER, True),
    ("latin square of two digits", LatinSquare(10, clues=(Clue(1, 2, 10), Clue(1, 3, 9))), False),
    ("takuzu of two digits", Takuzu(2, 10), False),
    ("futoshiki of two digits", Futoshiki(10, WIDE_SIGNS, clues=(Clue(1, 1, 10), Clue(2, 2, 9))), False),
]


def test_boards(expected: Expected) -> None:
    blocks = [f"# {name}\n{board_text(puzzle, as_ascii=as_ascii)}" for name, puzzle, as_ascii in BOARDS]
    expected("boards.txt", "\n".join(blocks))


def test_boards_with_numbers(expected: Expected) -> None:
    blocks = [
        f"# {name}{', compact' if is_compact else ''}\n"
        + board_text(puzzle, as_ascii=as_ascii, is_compact=is_compact, has_numbers=True)
        for name, puzzle, as_ascii in BOARDS
        for is_compact in (False, True)
    ]
    expected("boards_with_numbers.txt", "\n".join(blocks))


def test_the_style_is_told_the_role_of_each_cell() -> None:
    def style(text: str, role: str) -> str:
        return f"<{role}>{text}</{role}>"

    puzzle = LatinSquare(10, clues=(Clue(1, 1, 7), Clue(1, 2, 10)))
    values = [[None, None, 3, 4, None, *[None] * 5]] + [[None] * 10] * 9
    marked = {Cell(1, 2), Cell(1, 4), Cell(1, 6)}
    line = board_text(puzzle, values, marked=marked, style=style).splitlines()[0]
    assert line == (
        " <given>7</given> <mark>10</mark>  <found>3</found>  <mark>4</mark>  .  <mark>?</mark>  .  .  .  ."
    )


@given(puzzles() | jigsaws(), st.booleans())
def test_every_board_shows_its_givens_and_ends_no_line_with_blanks(puzzle: Puzzle, as_ascii: bool) -> None:
    text = board_text(puzzle, as_ascii=as_ascii)
    assert text.isascii() or not as_ascii
    assert text.endswith("\n")
    lines = text[:-1].split("\n")
    assert lines == [line.rstrip() for line in lines]
    shown = [[word for word in line.split() if word.isdigit() or word == "."] for line in lines]
    rows = [row for row in shown if row]
    given = {(clue.row, clue.column): str(clue.value) for clue in puzzle.clues}
    assert rows == [
        [given.get((row, column), ".") for column in range(1, puzzle.n_columns + 1)]
        for row in range(1, puzzle.n_rows + 1)
    ]


@given(futoshikis(min_size=2), st.booleans())
def test_a_futoshiki_is_drawn_as_its_puzzle_files_have_it(puzzle: Futoshiki, as_ascii: bool) -> None:
    text = board_text(puzzle, as_ascii=as_ascii)
    found = read(text, "futoshiki:picture")
    assert isinstance(found, Futoshiki)
    assert (found.signs, sorted(found.clues)) == (puzzle.signs, sorted(puzzle.clues))
    assert as_ascii or text == written(puzzle, "futoshiki:picture").removeprefix("# Futoshiki\n")


@given(puzzles() | variants(), st.data())
def test_a_style_adds_to_the_cells_alone(puzzle: Puzzle, data: st.DataObject) -> None:
    value = st.none() | st.sampled_from(puzzle.values)
    size = {"min_size": puzzle.n_columns, "max_size": puzzle.n_columns}
    values = [data.draw(st.lists(value, **size)) for _ in range(puzzle.n_rows)]
    marked = {Cell(data.draw(st.integers(1, puzzle.n_rows)), 1)}
    styled = board_text(puzzle, values, marked=marked, style=lambda text, role: f"\x1b[{role}]{text}\x1b[0]")
    bare = styled.replace("\x1b[0]", "")
    for role in ("given", "found", "mark"):
        bare = bare.replace(f"\x1b[{role}]", "")
    assert bare == board_text(puzzle, values, marked=marked)


@pytest.mark.parametrize("name", ["sudoku", "killer", "futoshiki", "jigsaw", "takuzu", "diagonal", "latin square"])
def test_pictures(name: str, expected: Expected) -> None:
    expected(f"svg/{name.split()[0]}.svg", svg_board(next(puzzle for of, puzzle, _ in BOARDS if of == name)))


def test_values_and_candidates_are_in_the_cells_without_a_given(expected: Expected) -> None:
    expected("svg/candidates.svg", svg_board(SUDOKU, {"V1-2": 4, "V1-1": 2}, candidates=True))


@given(puzzles() | variants())
def test_every_board_is_xml_with_the_givens_in_it(puzzle: Puzzle) -> None:
    totals = [str(total) for total in puzzle.layout().totals.values()]
    given_values = [str(value) for row in puzzle.grid() for value in row if value is not None]
    assert texts(svg_board(puzzle)) == totals + given_values


def test_pictures_in_png_and_pdf() -> None:
    try:
        import cairosvg  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"f2csp\[pictures\]"):
            encoded([board_picture(SUDOKU)], ".png")
        pytest.skip("CairoSVG is not installed")
    except OSError:
        with pytest.raises(F2cspError, match="the library cairo"):
            encoded([board_picture(SUDOKU)], ".png")
        pytest.skip("the library cairo is missing")
    png = encoded([board_picture(SUDOKU)], ".png")
    assert (png[:8], int.from_bytes(png[16:20])) == (b"\x89PNG\r\n\x1a\n", 2 * 177)
    pdf = encoded(worksheet([SUDOKU] * 3, per_page=2), ".pdf")
    assert (pdf[:5], len(re.findall(rb"/Type /Page\b", pdf))) == (b"%PDF-", 3)

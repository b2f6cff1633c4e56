"""Boards as text, word for word, and what holds of all of them."""

from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import Source
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.files.formats import named_formats, read_puzzle, written
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Cage, Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.rendering.text_board import board_text
from tests.conftest import Expected
from tests.puzzles.strategies import futoshikis, jigsaws, puzzles, variants

SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
WIDE = Sudoku(12, 3, 4, clues=(Clue(1, 1, 12), Clue(12, 12, 1)))
SIGNS = [((1, 1), (1, 2)), ((2, 3), (2, 2)), ((1, 2), (2, 2)), ((3, 3), (2, 3))]
CAGES = [(8, [(1, 1), (2, 1), (3, 1)]), (4, [(1, 2), (1, 3)]), (5, [(2, 2), (2, 3)]), (3, [(1, 4), (2, 4)])]
CAGED = tuple(Cage(total, tuple(Cell(*cell) for cell in cells)) for total, cells in CAGES)
KILLER = Killer(4, 2, 2, CAGED, clues=(Clue(4, 4, 3),))
FUTOSHIKI = Futoshiki(3, tuple(Sign(Cell(*a), Cell(*b)) for a, b in SIGNS), clues=(Clue(1, 3, 3), Clue(3, 1, 1)))


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
]


def test_boards(expected: Expected) -> None:
    blocks = [f"# {name}\n{board_text(puzzle, as_ascii=as_ascii)}" for name, puzzle, as_ascii in BOARDS]
    expected("boards.txt", "\n".join(blocks))


def test_boards_with_numbers(expected: Expected) -> None:
    more: list[tuple[str, Puzzle, bool]] = [
        ("latin square of two digits", LatinSquare(10, clues=(Clue(1, 2, 10),)), False),
        ("takuzu of two digits", Takuzu(2, 10), False),
    ]
    blocks = [
        f"# {name}{', compact' if is_compact else ''}\n"
        + board_text(puzzle, as_ascii=as_ascii, is_compact=is_compact, has_numbers=True)
        for name, puzzle, as_ascii in BOARDS + more
        for is_compact in (False, True)
    ]
    expected("boards_with_numbers.txt", "\n".join(blocks))


def test_values_of_compact_boards_are_digits_and_letters() -> None:
    values = [list(range(1, 37))] + [[None] * 36] * 35
    text = board_text(LatinSquare(36), values, is_compact=True)
    assert text.splitlines()[0] == "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa"
    assert board_text(LatinSquare(62), is_compact=True) == board_text(LatinSquare(62))


def test_a_value_found_in_a_marked_cell_is_followed_by_the_mark() -> None:
    marked = {Cell(1, 1), Cell(1, 3), Cell(2, 2), Cell(3, 1)}
    text = board_text(FUTOSHIKI, [[1, 2, 3], [1, 3, 2], [1, 2, 3]], marked=marked, mark="*")
    assert text == "1*< 2   3\n    ∧\n1   3*> 2\n        ∨\n1   2   3\n"
    framed = board_text(SUDOKU, [[1, 2, 3, 4]] * 4, marked={Cell(1, 2), Cell(1, 1), Cell(1, 4)}, mark="*")
    assert framed.splitlines()[1] == "│ 1 2*│ 3 4*│"


def test_a_latin_square_with_two_digits_is_aligned_on_the_right() -> None:
    text = board_text(LatinSquare(10, clues=(Clue(1, 2, 10), Clue(1, 3, 9))))
    assert text.splitlines()[0] == " . 10  9  .  .  .  .  .  .  ."


def test_a_futoshiki_with_two_digits_is_wider() -> None:
    signs = (Sign(Cell(1, 2), Cell(1, 1)), Sign(Cell(1, 3), Cell(2, 3)), Sign(Cell(2, 10), Cell(1, 10)))
    text = board_text(Futoshiki(10, signs, clues=(Clue(1, 1, 10), Clue(2, 2, 9))))
    assert text.splitlines()[:3] == [
        "10 >  .    .    .    .    .    .    .    .    .",
        "           ∧                                  ∨",
        " .    9    .    .    .    .    .    .    .    .",
    ]


def test_found_values_fill_blanks_and_no_givens() -> None:
    assert board_text(Takuzu(1, 4, clues=(Clue(1, 1, 0),)), [[1, 0, None, 1]]) == "0 0 . 1\n"
    assert board_text(FUTOSHIKI, [[1, 2, 3], [2, 3, 1], [None, 1, 2]]).splitlines()[::2] == [
        "1 < 2   3",
        "2   3 > 1",
        "1   1   2",
    ]


def test_a_blank_that_is_pointed_at_is_a_question_mark() -> None:
    puzzle = Takuzu(1, 4, clues=(Clue(1, 1, 0),))
    assert board_text(puzzle, marked={Cell(1, 1), Cell(1, 3)}) == "0 . ? .\n"


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
    read = read_puzzle(Source("board", text.encode()), named_formats("futoshiki:picture")).puzzle
    assert isinstance(read, Futoshiki)
    assert (read.signs, sorted(read.clues)) == (puzzle.signs, sorted(puzzle.clues))
    assert as_ascii or text == written(puzzle, "futoshiki:picture")


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

"""Boards as text and as SVG: word for word, what holds of all of them, candidates, and the files of pictures."""

import pickle
import re
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import F2cspError, MissingExtra, Unsuitable
from f2csp.puzzles.diagonal import Diagonal
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.killer import Cage, Killer
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.rendering.pictures import Picture, encoded, escaped
from f2csp.rendering.svg_board import board_picture, candidates_of, svg_board, worksheet
from f2csp.rendering.text_board import board_text
from f2csp.solving.questions import solve
from f2csp.statistics import stats
from f2csp.text.load import load
from tests.boards.puzzle_texts import read, written
from tests.conftest import Expected
from tests.puzzles.strategies import futoshikis, jigsaws, puzzles, variants
from tests.rendering.elements import elements, texts

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
    found = read(text, "futoshiki:picture")
    assert isinstance(found, Futoshiki)
    assert (found.signs, sorted(found.clues)) == (puzzle.signs, sorted(puzzle.clues))
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


@pytest.mark.parametrize("name", ["sudoku", "killer", "futoshiki", "jigsaw", "takuzu", "diagonal", "latin square"])
def test_pictures(name: str, expected: Expected) -> None:
    expected(f"svg/{name.split()[0]}.svg", svg_board(next(puzzle for of, puzzle, _ in BOARDS if of == name)))


def test_a_problem_is_drawn_as_its_puzzle() -> None:
    killer = replace(KILLER, clues=())
    assert svg_board(to_problem(killer)) == svg_board(killer) == killer._repr_svg_()


def test_a_notebook_shows_problems_and_results_of_puzzles() -> None:
    problem = to_problem(SUDOKU)
    result = solve(problem)
    assert problem._repr_svg_() == svg_board(SUDOKU)
    assert problem._repr_html_().endswith(f"</table>{svg_board(SUDOKU)}")
    assert result._repr_svg_() == svg_board(SUDOKU, result)
    assert result._repr_html_() == f"<p>{escape(repr(result))}</p>{svg_board(SUDOKU, result)}"
    assert "<tr><th>Variables</th><td>16</td></tr>" in stats(problem)._repr_html_()
    again = pickle.loads(pickle.dumps(result))
    assert (again, again.problem, again._repr_svg_()) == (result, None, None)
    other = load(Path(__file__).parents[2] / "samples" / "map.csp")
    assert (other._repr_svg_(), solve(other)._repr_svg_()) == (None, None)
    assert solve(problem.restricted({"V1-2": 1}))._repr_svg_() is None


def test_values_and_candidates_are_in_the_cells_without_a_given(expected: Expected) -> None:
    expected("svg/candidates.svg", svg_board(SUDOKU, {"V1-2": 4, "V1-1": 2}, candidates=True))


def test_a_marked_cell_has_a_ground() -> None:
    plain, marked = board_picture(SUDOKU).body, board_picture(SUDOKU, marked=[Cell(1, 2)]).body
    ground = '<rect x="48" y="8" width="40" height="40" fill="#fcc"/>\n'
    assert marked.replace(ground, "") == plain != marked


@given(puzzles() | variants())
def test_every_board_is_xml_with_the_givens_in_it(puzzle: Puzzle) -> None:
    totals = [str(total) for total in puzzle.layout().totals.values()]
    given_values = [str(value) for row in puzzle.grid() for value in row if value is not None]
    assert texts(svg_board(puzzle)) == totals + given_values


def test_candidates_are_what_propagation_leaves() -> None:
    futoshiki = Futoshiki(3, (Sign(Cell(1, 1), Cell(1, 2)), Sign(Cell(1, 2), Cell(1, 3))))
    found = candidates_of(futoshiki)
    assert [found[Cell(1, column)] for column in (1, 2, 3)] == [[1], [2], [3]]
    assert [found[Cell(2, column)] for column in (1, 2, 3)] == [[2, 3], [1, 3], [1, 2]]
    takuzu = candidates_of(Takuzu(1, 4, has_distinct_lines=False), [[0, 0, None, None]])
    assert takuzu[Cell(1, 4)] == [1]


def test_no_candidates_are_an_error() -> None:
    with pytest.raises(Unsuitable, match="there is no solution: arc consistency leaves no value for"):
        candidates_of(Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(1, 2, 1))))


def test_a_large_board_is_small_as_a_file() -> None:
    values = [[(row * 8 + row // 8 + column) % 64 + 1 for column in range(64)] for row in range(64)]
    puzzle = Sudoku(64, 8, 8)
    assert len(board_picture(puzzle, values).svg()) < 300_000
    assert len(svg_board(puzzle, candidates=True)) < 3_000_000


def test_text_stays_text() -> None:
    title = "<script>alert('&')</script>\ud800\x01"
    picture = Picture(title, 1, 1, f"<text>{escaped(title)}</text>")
    assert set(texts(picture.svg(), "title")) == {"<script>alert('&')</script>\ufffd␁"}
    assert not elements(picture.svg(), "script")


def test_a_worksheet_has_the_solutions_on_the_last_page() -> None:
    unsolvable = Takuzu(1, 3, clues=(Clue(1, 1, 1), Clue(1, 2, 1), Clue(1, 3, 1)))
    pages = worksheet([SUDOKU, LatinSquare(3), unsolvable], per_page=2)
    assert [page.title for page in pages] == ["Puzzles", "Puzzles", "Solutions"]
    shown = texts(pages[2].svg())
    assert {"Solutions", "1. Sudoku 4x4", "2. Latin square 3x3", "3. Takuzu 1x3: no solution"} < set(shown)
    assert sum(word.isdigit() for word in shown) == 16 + 9 + 3
    assert texts(encoded(pages, ".svg").decode()) == [text for page in pages for text in texts(page.svg())]


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

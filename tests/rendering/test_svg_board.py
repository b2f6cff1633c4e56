"""Boards as SVG: their texts, what holds of all of them, candidates, and the files of pictures."""

import pickle
import re
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given

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
from f2csp.solving.questions import solve
from f2csp.statistics import stats
from f2csp.text.load import load
from tests.conftest import Expected
from tests.puzzles.strategies import puzzles, variants

SUDOKU = Sudoku(4, 2, 2, clues=(Clue(1, 1, 1), Clue(2, 3, 4), Clue(4, 4, 3)))
CAGES = [(10, [(1, 1), (2, 1), (3, 1), (3, 2)]), (3, [(1, 4), (2, 4)])]
KILLER = Killer(4, 2, 2, tuple(Cage(total, tuple(Cell(*cell) for cell in cells)) for total, cells in CAGES))
SIGNS = [((1, 1), (1, 2)), ((2, 3), (2, 2)), ((1, 2), (2, 2)), ((3, 3), (2, 3))]
FUTOSHIKI = Futoshiki(3, tuple(Sign(Cell(*a), Cell(*b)) for a, b in SIGNS), clues=(Clue(1, 3, 3),))
JIGSAW = Jigsaw(4, ((1, 1, 1, 2), (1, 3, 2, 2), (3, 3, 2, 4), (3, 4, 4, 4)), clues=(Clue(2, 3, 4),))
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("name", "puzzle"),
    [
        ("sudoku", SUDOKU),
        ("killer", KILLER),
        ("futoshiki", FUTOSHIKI),
        ("jigsaw", JIGSAW),
        ("takuzu", Takuzu(2, 4, clues=(Clue(1, 4, 0), Clue(2, 1, 1)))),
        ("diagonal", Diagonal(4, 2, 2)),
        ("latin", LatinSquare(3, clues=(Clue(2, 2, 3),))),
    ],
)
def test_boards(name: str, puzzle: Puzzle, expected: Expected) -> None:
    expected(f"svg/{name}.svg", svg_board(puzzle))


def test_a_problem_is_drawn_as_its_puzzle() -> None:
    assert svg_board(to_problem(KILLER)) == svg_board(KILLER) == KILLER._repr_svg_()


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
    root = ElementTree.fromstring(picture.svg())
    assert root.find(f"{SVG}title").text == "<script>alert('&')</script>\ufffd\ufffd"  # type: ignore[union-attr]
    assert not list(root.iter(f"{SVG}script"))


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

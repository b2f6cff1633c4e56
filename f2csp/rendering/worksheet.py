"""Worksheets: several puzzles on each page, and their solutions on the last one."""

from collections.abc import Sequence
from math import ceil

from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.to_problem import to_problem
from f2csp.rendering.pictures import Picture, background, escaped
from f2csp.rendering.svg_board import board_picture
from f2csp.solving.questions import solve
from f2csp.solving.search_run import Status

_WIDTH, _HEIGHT = 794, 1123  # of A4, in pixels
_MARGIN = 57
_HEADING = 30  # the height of a line of text
_SPACE = 20  # between boards
_MIN_SOLUTIONS = 24  # on a page
_SECONDS = 10.0  # the time limit for each puzzle


def worksheet(puzzles: Sequence[Puzzle], per_page: int) -> list[Picture]:
    """The pages; the solutions are on one page up to 24, or up to twice the number of puzzles on the others."""
    numbered = [(f"{number}. {puzzle.title}", puzzle) for number, puzzle in enumerate(puzzles, 1)]
    boards = [(caption, board_picture(puzzle)) for caption, puzzle in numbered]
    solved = [_solved(caption, puzzle) for caption, puzzle in numbered]
    n_solutions = min(len(solved), max(_MIN_SOLUTIONS, 2 * per_page))
    return _pages("Puzzles", boards, per_page) + _pages("Solutions", solved, n_solutions)


def _pages(heading: str, boards: Sequence[tuple[str, Picture]], n: int) -> list[Picture]:
    return [_page(heading, boards[start : start + n], n) for start in range(0, len(boards), n)]


def _solved(caption: str, puzzle: Puzzle) -> tuple[str, Picture]:
    result = solve(to_problem(puzzle), seconds=_SECONDS)
    if result.solution is not None:
        return caption, board_picture(puzzle, puzzle.grid_of(result.solution))
    reason = "no solution" if result.status == Status.UNSATISFIABLE else f"not solved in {_SECONDS:g} s"
    return f"{caption}: {reason}", board_picture(puzzle)


def _page(heading: str, boards: Sequence[tuple[str, Picture]], n: int) -> Picture:
    """A page with room for ``n`` boards, each below its caption."""
    width, height = _WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN - _HEADING

    def side(n_columns: int) -> float:
        return min(width / n_columns - _SPACE, height / ceil(n / n_columns) - _SPACE - _HEADING)

    n_columns = max(range(1, n + 1), key=side)
    across, down = width / n_columns, height / ceil(n / n_columns)
    parts = [
        background(_WIDTH, _HEIGHT),
        f'<text x="{_MARGIN + _SPACE // 2}" y="{_MARGIN + _HEADING // 2}" font-size="18">{heading}</text>\n',
    ]
    size = min(14.0, side(n_columns) / 14)
    for place, (caption, board) in enumerate(boards):
        row, column = divmod(place, n_columns)
        x, y = _MARGIN + column * across + _SPACE / 2, _MARGIN + _HEADING + row * down
        parts.append(f'<text x="{x:g}" y="{y + _HEADING - 8:g}" font-size="{size:g}">{escaped(caption)}</text>\n')
        parts.append(board.placed(x, y + _HEADING, across - _SPACE, down - _HEADING - _SPACE))
    return Picture(heading, _WIDTH, _HEIGHT, "".join(parts))

"""Steps of reasoning as pictures: the board with what is left, the cells of the step marked, below the sentence."""

from collections.abc import Sequence
from textwrap import wrap

from f2csp.puzzles.puzzle import Puzzle, cell_of
from f2csp.reasoning.hints import Hint
from f2csp.rendering.pictures import Picture, escaped
from f2csp.rendering.svg_board import board_picture

_MIN_WIDTH = 480
_LINE_HEIGHT, _LETTER = 18, 7  # pixels
_MAX_LINES = 6


def hint_picture(puzzle: Puzzle, step: Hint) -> Picture:
    """A step on the board, with what was known before it."""
    words = {puzzle.word(value): value for value in puzzle.values}
    left = {cell: [words[str(one)] for one in some] for name, some in step.left.items() if (cell := cell_of(name))}
    marked = {cell for name in step.pattern if (cell := cell_of(name))}
    board = board_picture(puzzle, puzzle.grid_of(step.values), left, marked)
    width = max(board.width, _MIN_WIDTH)
    title = f"{step.technique}: {step.sentence}" if step else step.sentence
    lines = wrap(title, width // _LETTER, max_lines=_MAX_LINES, placeholder=" ...")
    places = [f'x="8" y="{_LINE_HEIGHT * number}" font-size="13"' for number in range(1, len(lines) + 1)]
    texts = [f"<text {place}>{escaped(line)}</text>\n" for place, line in zip(places, lines, strict=True)]
    top = _LINE_HEIGHT * _MAX_LINES + 8
    body = "".join(texts) + board.placed(0, top, board.width, board.height)
    return Picture(title, width, top + board.height, body)


def hint_page(title: str, pictures: Sequence[Picture]) -> bytes:
    """A page of pictures, one below the other, each with its sentence as a text that can be read and searched."""
    figures = [f"{one.svg()}<figcaption>{escaped(one.title)}</figcaption>" for one in pictures]
    items = "".join([f"<li><figure>{figure}</figure></li>\n" for figure in figures])
    style = "body{font-family:sans-serif;max-width:44em;margin:1em auto;padding:0 1em}svg{max-width:100%;height:auto}"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escaped(title)}</title>'
    page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}<style>{style}</style></head>\n'
    return f"{page}<body><h1>{escaped(title)}</h1>\n<ol>\n{items}</ol></body></html>\n".encode()

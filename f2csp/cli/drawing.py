"""Boards and solutions on standard output."""

from __future__ import annotations

import sys
from functools import partial
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.failures import is_coloured

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from f2csp.cli.options import BoardLook
    from f2csp.instances import Instance
    from f2csp.model import Value
    from f2csp.puzzles.puzzle import Puzzle

_LOOKS: dict[str, dict[str, Any]] = {
    "given": {"bold": True},
    "found": {"fg": "green"},
    "number": {"dim": True},
    "mark": {"fg": "red", "bold": True, "reverse": True},
}


def board_writer(puzzle: Puzzle, look: BoardLook, marked: Collection[str] = ()) -> Callable[[Mapping[str, Value]], str]:
    """A function that draws a solution on the board, with the characters that standard output can show.

    The cells of the variables in ``marked`` are marked; names of others are ignored.
    """
    from f2csp.diagnostics.render import plain
    from f2csp.puzzles.puzzle import cell_of
    from f2csp.rendering.text_board import board_text

    is_terminal = sys.stdout.isatty()
    style = _coloured if is_coloured(sys.stdout) else plain
    features: dict[str, Any] = {
        "has_numbers": is_terminal if look.has_numbers is None else look.has_numbers,
        "is_compact": look.is_compact,
        "marked": {cell for cell in map(cell_of, marked) if cell is not None},
        "mark": "*" if style is plain else " ",
    }
    if look.is_compact is None:
        width = max(map(len, board_text(puzzle, **features).splitlines())) if is_terminal else 0
        features["is_compact"] = width > get_terminal_size().columns

    def write(solution: Mapping[str, Value]) -> str:
        draw = partial(board_text, puzzle, puzzle.grid_of(solution), style=style, **features)
        text = draw(as_ascii=look.as_ascii)
        try:
            text.encode(sys.stdout.encoding)
        except UnicodeEncodeError:
            return draw(as_ascii=True)
        return text

    return write


def _coloured(text: str, role: str) -> str:
    return click.style(text, **_LOOKS[role])


def solution_printer(
    instance: Instance, look: BoardLook, marked: Collection[str] = ()
) -> Callable[[Mapping[str, Value]], None]:
    """A function that prints one solution after the other: boards for a puzzle, else lines NAME = VALUE."""
    from f2csp.instances import puzzle_of

    puzzle = puzzle_of(instance)
    write = board_writer(puzzle, look, marked) if puzzle else _assignments
    separator = "" if puzzle else "---"
    n_printed = 0

    def show(solution: Mapping[str, Value]) -> None:
        nonlocal n_printed
        if n_printed:
            click.echo(separator)
        click.echo(write(solution), nl=False)
        n_printed += 1

    return show


def _assignments(solution: Mapping[str, Value]) -> str:
    from f2csp.solutions import own_values

    return "".join([f"{name} = {value}\n" for name, value in own_values(solution).items()])

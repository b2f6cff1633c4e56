"""Boards and solutions on standard output, and the steps of a search, played there or written to a file."""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain, repeat
from select import select
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.failures import is_coloured
from f2csp.files import writing
from f2csp.puzzles.puzzle import Puzzle, cell_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from f2csp.cli.options import Look
    from f2csp.instances import Instance
    from f2csp.model import Value
    from f2csp.search import TraceStep

    Observer = Callable[[TraceStep], None]
    Domains = Mapping[str, tuple[Value, ...]]

_LOOKS: dict[str, dict[str, Any]] = {
    "given": {"bold": True},
    "found": {"fg": "green"},
    "number": {"dim": True},
    "mark": {"fg": "red", "bold": True, "reverse": True},
}
_OPEN = "\x1b[?1049h\x1b[?25l"  # another screen, without a cursor
_CLOSE = "\x1b[?1049l\x1b[?25h"
_TOP, _LINE_END, _REST = "\x1b[H", "\x1b[K\n", "\x1b[J"  # the last two clear what is left of a line, and of the screen
_KEYS = "space: pause, go on   s: one step   q: quit"


def board_writer(puzzle: Puzzle, look: Look, marked: Collection[str] = ()) -> Callable[[Mapping[str, Value]], str]:
    """A function that draws a solution on the board, with the characters that standard output can show.

    The cells of the variables in ``marked`` are marked; names of others are ignored.
    """
    from f2csp.diagnostics.render import plain
    from f2csp.rendering.text_board import board_text

    is_terminal = sys.stdout.isatty()
    style = (lambda text, role: click.style(text, **_LOOKS[role])) if is_coloured(sys.stdout) else plain
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


class SolutionPrinter:
    """Prints one solution after the other: boards for a puzzle, else lines NAME = VALUE."""

    def __init__(self, instance: Instance, look: Look, marked: Collection[str] = ()) -> None:
        puzzle = instance.recognised
        self._write = board_writer(puzzle, look, marked) if puzzle else _assignments
        self._separators = chain([""], repeat("\n" if puzzle else "---\n"))

    def show(self, solution: Mapping[str, Value]) -> None:
        click.echo(next(self._separators) + self._write(solution), nl=False)


def _assignments(solution: Mapping[str, Value]) -> str:
    from f2csp.solutions import own_values

    return assignment_lines(own_values(solution))


def assignment_lines(values: Mapping[str, Value], prefix: str = "") -> str:
    """Lines NAME = VALUE; on a terminal without control characters, for other readers as they are."""
    from f2csp.diagnostics.render import visible

    shown = visible if sys.stdout.isatty() else str
    return "".join([shown(f"{prefix}{name} = {value}") + "\n" for name, value in values.items()])


@contextmanager
def steps_observed(file: str | None, speed: float | None, instance: Instance, look: Look) -> Iterator[Observer | None]:
    """A function that writes a step to a file, or shows it at a speed in steps a second; None without both."""
    with ExitStack() as stack:
        stream = None if file is None else stack.enter_context(writing(file))
        player = None if speed is None else stack.enter_context(_played(instance, look, 1 / speed))

        def observe(step: TraceStep) -> None:
            if stream is not None:
                stream.write(json.dumps(step, ensure_ascii=False).encode() + b"\n")
            if player is not None:
                player.play(step)

        yield observe if stream is not None or player is not None else None


@contextmanager
def _played(instance: Instance, look: Look, seconds: float) -> Iterator[_Player]:
    try:
        import termios
        import tty
    except ImportError:
        raise click.UsageError("--show needs a terminal of Unix") from None
    # Standard input may be the problem.
    keyboard = os.open(os.ttyname(sys.stdout.fileno()), os.O_RDONLY | os.O_NOCTTY)
    mode = termios.tcgetattr(keyboard)
    player = _Player(instance, look, keyboard, seconds)
    try:
        tty.setcbreak(keyboard)
        click.echo(_OPEN, nl=False)
        yield player
        player.end()
    finally:
        click.echo(_CLOSE, nl=False)
        termios.tcsetattr(keyboard, termios.TCSADRAIN, mode)
        os.close(keyboard)


class _Player:
    """Draws the state of the search after each step, and waits as the keys say."""

    def __init__(self, instance: Instance, look: Look, keyboard: int, seconds: float) -> None:
        from f2csp.rendering.search_steps import SearchSteps

        self._puzzle, self._look = instance.recognised, look
        self._keyboard, self._seconds = keyboard, seconds
        self._steps = SearchSteps(instance)
        self._states: dict[int, Domains] = {0: {name: self._steps.start[name] for name in self._steps.own}}
        self._n_steps = 0
        self._is_paused = self._has_quit = False

    def play(self, step: TraceStep) -> None:
        text = None if self._has_quit else self._steps.words(step)
        if text is None:
            return
        self._n_steps += 1
        self._draw(self._state_after(step), step.get("variable", ""), f"{self._n_steps:,} {text}", _KEYS)
        self._wait(self._seconds)

    def end(self) -> None:
        if self._n_steps and not self._has_quit:
            click.echo(f"\r{'end of the search; press a key':{len(_KEYS)}}", nl=False)
            os.read(self._keyboard, 1)

    def _state_after(self, step: TraceStep) -> Domains:
        event, node, name = step["event"], step["node"], step.get("variable", "")
        if event == "assign":
            self._states[node] = {**self._states[step["parent"]], name: (step["value"],)}
        elif event == "prune":
            left = tuple(value for value in self._states[node][name] if value not in step["values"])
            self._states[node] = {**self._states[node], name: left}
        elif event == "backtrack":
            while (last := next(reversed(self._states))) > node:  # what the search does not come back to
                del self._states[last]
        return self._states[node]

    def _draw(self, state: Domains, marked: str, *status: str) -> None:
        if self._puzzle is None:
            picture = [f"{'>' if name == marked else ' '} {name}: {' '.join(map(str, state[name]))}" for name in state]
        else:
            single = {name: values[0] for name, values in state.items() if len(values) == 1}
            picture = board_writer(self._puzzle, self._look, [marked])(single).splitlines()
        size = get_terminal_size()
        lines = [*picture[: size.lines - len(status)], *(line[: size.columns - 1] for line in status)]
        click.echo(_TOP + _LINE_END.join(lines) + _REST, nl=False)
        sys.stdout.flush()

    def _wait(self, seconds: float) -> None:
        end = monotonic() + seconds
        while select([self._keyboard], [], [], None if self._is_paused else max(0.0, end - monotonic()))[0]:
            key = os.read(self._keyboard, 1)
            if key == b" ":
                self._is_paused = not self._is_paused
            elif key == b"s":
                self._is_paused = True
                return
            elif key in (b"q", b""):  # the search goes on without pictures
                self._has_quit = True
                click.echo(_CLOSE, nl=False)
                return

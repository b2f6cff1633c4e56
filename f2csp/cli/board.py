"""``f2csp board``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.inputs import Answer, Choice, InputCommand, for_each_instance
from f2csp.cli.options import BOARD_LOOK, FILE, FILES, NUMBER, OUT, BoardLook, picture_ending
from f2csp.diagnostics import F2cspError, listed
from f2csp.files import STDIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from f2csp.instances import Instance
    from f2csp.puzzles.puzzle import Puzzle
    from f2csp.solutions import Solution

_MAX_LISTED = 5  # cells, and broken rules


@click.command(cls=InputCommand)
@FILES
@click.option("--solution", metavar="SOLUTION", type=FILE, help="Fill in the values of this solution file.")
@click.option("--solution-index", type=click.IntRange(min=1), metavar="K", help="Take solution number K of SOLUTION.")
@click.option("--output", "-o", **OUT, help="Write a picture: OUT.svg, .png or .pdf, or - for SVG.")
@click.option("--candidates", is_flag=True, help="Show the values that arc consistency leaves, in pictures.")
@click.option(
    "--per-page", **NUMBER, help="Write a worksheet of N puzzles on each page, with the solutions on the last one."
)
@BOARD_LOOK
def board(
    files: tuple[str, ...],
    choice: Choice,
    solution: str | None,
    solution_index: int | None,
    output: str | None,
    candidates: bool,
    per_page: int | None,
    look: BoardLook,
) -> int:
    """Draw the puzzles in FILE, on standard output or as a picture.

    FILE has any format; the puzzle in an F2CSP file is recognised by its constraints. SOLUTION has lines
    NAME = VALUE, or is JSON; auxiliary variables and cells may be missing. Either file may be compressed, one of them
    may be - for standard input. On a terminal the givens are bold and the other values coloured. Exit code 3: the
    solution contradicts a given, or breaks a rule of the puzzle; these cells are marked.

    \b
    Examples:
      f2csp board puzzle.csp
      f2csp board puzzle.csp --solution solution.txt
      f2csp board puzzles.sdm --index 7 --ascii
      f2csp sudoku clues.txt | f2csp board -
      f2csp board puzzle.csp --candidates -o puzzle.svg
      f2csp board puzzles.sdm --index 1-12 --per-page 6 -o worksheet.pdf
    """
    from f2csp.cli.drawing import board_writer

    ending = _picture_ending(output, look, has_picture_options=candidates or per_page is not None)
    if solution is None and solution_index is not None:
        raise click.UsageError("--solution-index requires --solution")
    if solution == STDIN in files:
        raise click.UsageError("only one of the two files can be standard input")
    if output is not None and per_page is not None:
        if candidates or solution is not None or ending == ".png":
            raise click.UsageError("--per-page writes .svg or .pdf, without --candidates and --solution")
        return _worksheet(files, choice, output, ending, per_page)

    def work(instance: Instance, has_others: bool) -> Answer:
        puzzle = instance.puzzle
        if has_others and solution is not None:
            raise F2cspError("--solution applies to a single puzzle; select one with --index")
        values = {} if solution is None else _values(instance, solution, solution_index)
        wrong = [] if solution is None else _check(puzzle, values, solution)
        if output is not None:
            if has_others:
                raise click.UsageError("a picture shows a single puzzle; select one with --index, or use --per-page")
            _draw(puzzle, output, ending, values, candidates, wrong)
            return Answer("drawn", 3 if wrong else 0)
        if has_others:
            click.echo(f"{instance.name}:")
        click.echo(board_writer(puzzle, look, wrong)(values), nl=False)
        return Answer("drawn", 3 if wrong else 0)

    return for_each_instance(files, choice, work, totals_to_stderr=True)


def _picture_ending(output: str | None, look: BoardLook, *, has_picture_options: bool) -> str:
    """The ending of a picture's name, which selects its format."""
    from f2csp.rendering.pictures import ENDINGS

    if output is None:
        if has_picture_options:
            raise click.UsageError("--candidates and --per-page require --output")
        return ""
    if look != (False, None, None):
        raise click.UsageError("--ascii, --compact and --numbers apply to text, not to pictures")
    return picture_ending(output, ENDINGS)


def _draw(
    puzzle: Puzzle, output: str, ending: str, values: Solution, has_candidates: bool, wrong: Sequence[str]
) -> None:
    """Write the picture of a board."""
    from f2csp.files import write_chunks
    from f2csp.puzzles.puzzle import cell_of
    from f2csp.rendering.pictures import encoded
    from f2csp.rendering.svg_board import board_picture, candidates_of

    grid = puzzle.grid_of(values)
    candidates = candidates_of(puzzle, grid) if has_candidates else None
    picture = board_picture(puzzle, grid, candidates, {cell for name in wrong if (cell := cell_of(name))})
    write_chunks([encoded([picture], ending)], output)


def _worksheet(files: tuple[str, ...], choice: Choice, output: str, ending: str, per_page: int) -> int:
    """Write pages of puzzles, and their solutions; none if a puzzle has faults."""
    from f2csp.files import write_chunks
    from f2csp.rendering.pictures import encoded
    from f2csp.rendering.svg_board import worksheet

    puzzles: list[Puzzle] = []

    def collect(instance: Instance, has_others: bool) -> Answer:  # noqa: ARG001 - for all puzzles the same
        puzzles.append(instance.puzzle)
        return Answer("drawn")

    code = for_each_instance(files, choice, collect, totals_to_stderr=True)
    if code == 0:
        write_chunks([encoded(worksheet(puzzles, per_page), ending)], output)
    return code


def _values(instance: Instance, solution: str, index: int | None) -> Solution:
    """The values in a solution file, which may leave out variables."""
    from dataclasses import replace

    from f2csp.model import Problem
    from f2csp.puzzles.to_problem import rules_of
    from f2csp.solutions import load_solutions

    is_problem = isinstance(instance.content, Problem)
    rules = rules_of(instance.puzzle)  # its variables, without the cost of its constraints
    variables = instance.problem if is_problem else replace(rules, relations=(), n_constraints=0, blocks=()).collect()
    solutions = load_solutions(solution, variables, optional=variables.variable_names)
    n = len(solutions)
    if index is None and n > 1:
        click.echo(f"{solution}: drew the first of {n:,} solutions (see --solution-index)", err=True)
    if index is not None and index > n:
        raise F2cspError(f"{solution}: no solution number {index:,}: the file has {n:,}")
    return solutions[(index or 1) - 1]


def _check(puzzle: Puzzle, solution: Solution, name: str) -> list[str]:
    """Report contradicted givens, broken rules, and cells without a value; return the variables of the wrong cells."""
    values = puzzle.grid_of(solution)
    wrong = [clue for clue in puzzle.clues if values[clue.row - 1][clue.column - 1] not in (None, clue.value)]
    found = [(clue, values[clue.row - 1][clue.column - 1]) for clue in wrong]
    messages = [f"expected the given {clue.value} at {clue.cell}, found {value}" for clue, value in found]
    for conflict in puzzle.conflicts_of(solution):
        wrong += conflict.clues
        messages.append(conflict.message)
    for message in messages[:_MAX_LISTED]:
        click.echo(f"{name}: {message}", err=True)
    if len(messages) > _MAX_LISTED:
        click.echo(f"... and {len(messages) - _MAX_LISTED:,} more", err=True)
    given = {(clue.row, clue.column) for clue in puzzle.clues}
    blank = [
        f"V{row}-{column}"
        for row, cells in enumerate(values, 1)
        for column, value in enumerate(cells, 1)
        if value is None and (row, column) not in given
    ]
    if blank:
        cells = f"{len(blank):,} {'cells' if len(blank) > 1 else 'cell'}"
        click.echo(f"{name}: no value for {cells}: {listed(blank, _MAX_LISTED)}", err=True)
    return [f"V{clue.row}-{clue.column}" for clue in wrong]

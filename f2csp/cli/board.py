"""``f2csp board``: a puzzle as it is drawn, with a solution if there is one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.inputs import is_problem, read_problem
from f2csp.cli.puzzle import BOX, FROM, INDEX, read_one
from f2csp.cli.report import is_coloured

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from f2csp.model import Problem, Value
    from f2csp.puzzles.puzzle import Puzzle
    from f2csp.solutions import Solution

_LOOKS: dict[str, dict[str, Any]] = {
    "given": {"bold": True},
    "found": {"fg": "green"},
    "mark": {"fg": "red", "bold": True, "reverse": True},
}
_LISTED = 5  # cells that a message lists


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@click.option("--solution", metavar="SOLUTION", help="Fill in the values of this solution file.")
@click.option("--solution-index", type=click.IntRange(min=1), metavar="K", help="Which solution of SOLUTION, from 1.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Draw with ASCII alone.")
@FROM
@INDEX
@BOX
def board(
    file: str,
    solution: str | None,
    solution_index: int | None,
    as_ascii: bool,
    from_: str,
    index: int | None,
    box: tuple[int, int] | None,
) -> int:
    """Draw the puzzle in FILE: a Sudoku, Latin square, Futoshiki or Takuzu.

    FILE is F2CSP or a puzzle file; which puzzle an F2CSP file holds is told from its tables. SOLUTION has lines NAME =
    VALUE, or is JSON; auxiliary variables and cells may be missing. Either may be compressed, one of them may be - for
    standard input. On a terminal the givens are bold, and what was found is coloured. Exit code 1: the solution
    contradicts a given.

    \b
    Examples:
      f2csp board puzzle.csp
      f2csp board puzzle.csp --solution solution.txt
      f2csp board puzzles.sdm --index 7 --ascii
      f2csp sudoku clues.txt | f2csp board -
    """
    from f2csp.files import read_source
    from f2csp.puzzles.files.formats import named_formats
    from f2csp.puzzles.recovery import from_problem
    from f2csp.solutions import load_solutions

    if file == solution == "-":
        raise click.UsageError("only one of the two files can be standard input")
    if solution is None and solution_index is not None:
        raise click.UsageError("--solution-index asks for --solution")
    source = read_source(file)
    problem = read_problem(source) if is_problem(source, from_) else None
    puzzle = from_problem(problem) if problem else read_one(source, named_formats(from_), index, box).puzzle
    if solution is None:
        click.echo(board_writer(puzzle, as_ascii)({}), nl=False)
        return 0
    variables = problem or _variables(puzzle)
    solutions = load_solutions(solution, variables, optional=variables.variable_names)
    values = _selected(solutions, solution, solution_index)
    wrong = _check(puzzle, values, solution)
    click.echo(board_writer(puzzle, as_ascii, wrong)(values), nl=False)
    return int(bool(wrong))


def board_writer(puzzle: Puzzle, as_ascii: bool, marked: Collection[str] = ()) -> Callable[[Mapping[str, Value]], str]:
    """What makes the text of a board from a solution, as standard output can show it.

    Args:
        puzzle: the board.
        as_ascii: whether to draw with ASCII alone, even if standard output can show more.
        marked: names of variables to point at; those that are no cells are passed over.
    """
    from f2csp.diagnostics.render import plain
    from f2csp.puzzles.recovery import from_solution
    from f2csp.puzzles.squares import cell_of
    from f2csp.rendering.board import board_text

    cells = {cell for cell in map(cell_of, marked) if cell is not None}
    style = _coloured if is_coloured(sys.stdout) else plain

    def write(solution: Mapping[str, Value]) -> str:
        values = from_solution(puzzle, solution)
        text = board_text(puzzle, values, as_ascii=as_ascii, marked=cells, style=style)
        if as_ascii or _can_be_shown(text):
            return text
        return board_text(puzzle, values, as_ascii=True, marked=cells, style=style)

    return write


def _coloured(text: str, role: str) -> str:
    return click.style(text, **_LOOKS[role])


def _can_be_shown(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return True


def _variables(puzzle: Puzzle) -> Problem:
    """The variables of a puzzle alone, as a problem: what a solution gives values to."""
    from dataclasses import replace

    return replace(puzzle.rules(), relations=(), n_constraints=0, blocks=()).collect()


def _selected(solutions: list[Solution], name: str, index: int | None) -> Solution:
    """The solution that is asked for."""
    n = len(solutions)
    if index is None and n > 1:
        click.echo(f"{name} has {n:,} solutions; this is the first (see --solution-index)", err=True)
    if index is not None and index > n:
        from f2csp.diagnostics import F2cspError

        raise F2cspError(f"{name} has {n:,} {'solutions' if n > 1 else 'solution'}, no number {index:,}")
    return solutions[(index or 1) - 1]


def _check(puzzle: Puzzle, solution: Solution, name: str) -> list[str]:
    """Say on standard error which cells get no value, and which get another than the given one; these are named."""
    from f2csp.diagnostics import listed
    from f2csp.puzzles.recovery import from_solution

    values = from_solution(puzzle, solution)
    wrong = [clue for clue in puzzle.clues if values[clue.row - 1][clue.column - 1] not in (None, clue.value)]
    for clue in wrong[:_LISTED]:
        value = values[clue.row - 1][clue.column - 1]
        click.echo(f"{name}: {value} at {clue.cell}, where {clue.value} is given", err=True)
    if len(wrong) > _LISTED:
        click.echo(f"... and {len(wrong) - _LISTED:,} more", err=True)
    given = {(clue.row, clue.column) for clue in puzzle.clues}
    blank = [
        f"V{row}-{column}"
        for row, cells in enumerate(values, 1)
        for column, value in enumerate(cells, 1)
        if value is None and (row, column) not in given
    ]
    if blank:
        cells = f"{len(blank):,} {'cells' if len(blank) > 1 else 'cell'}"
        click.echo(f"{name} gives no value to {cells}: {listed(blank, _LISTED)}", err=True)
    return [f"V{clue.row}-{clue.column}" for clue in wrong]

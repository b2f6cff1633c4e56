"""``f2csp board``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.inputs import Answer, Choice, InputCommand, for_each_instance
from f2csp.cli.options import BOARD_LOOK, FILE, FILES, BoardLook
from f2csp.diagnostics import F2cspError, listed
from f2csp.instances import STDIN

if TYPE_CHECKING:
    from f2csp.instances import Instance
    from f2csp.puzzles.puzzle import Puzzle
    from f2csp.solutions import Solution

_MAX_LISTED = 5  # cells, and broken rules


@click.command(cls=InputCommand)
@FILES
@click.option("--solution", metavar="SOLUTION", type=FILE, help="Fill in the values of this solution file.")
@click.option("--solution-index", type=click.IntRange(min=1), metavar="K", help="Take solution number K of SOLUTION.")
@BOARD_LOOK
def board(
    files: tuple[str, ...], choice: Choice, solution: str | None, solution_index: int | None, look: BoardLook
) -> int:
    """Draw the puzzles in FILE.

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
    """
    from f2csp.cli.drawing import board_writer

    if solution is None and solution_index is not None:
        raise click.UsageError("--solution-index requires --solution")
    if solution == STDIN in files:
        raise click.UsageError("only one of the two files can be standard input")

    def work(instance: Instance, has_others: bool) -> Answer:
        puzzle = instance.puzzle
        if has_others and solution is not None:
            raise F2cspError("--solution applies to a single puzzle; select one with --index")
        values = {} if solution is None else _values(instance, solution, solution_index)
        wrong = [] if solution is None else _check(puzzle, values, solution)
        if has_others:
            click.echo(f"{instance.name}:")
        click.echo(board_writer(puzzle, look, wrong)(values), nl=False)
        return Answer("drawn", 3 if wrong else 0)

    return for_each_instance(files, choice, work, totals_to_stderr=True)


def _values(instance: Instance, solution: str, index: int | None) -> Solution:
    """The values in a solution file, which may leave out variables."""
    from dataclasses import replace

    from f2csp.model import Problem
    from f2csp.puzzles.to_problem import rules_of
    from f2csp.solutions import load_solutions

    is_problem = isinstance(instance.content, Problem)
    rules = rules_of(instance.puzzle)  # its variables, without the cost of its constraints
    variables = instance.problem if is_problem else replace(rules, relations=(), n_constraints=0, blocks=()).collect()
    return _selected(load_solutions(solution, variables, optional=variables.variable_names), solution, index)


def _selected(solutions: list[Solution], name: str, index: int | None) -> Solution:
    """The solution that ``--solution-index`` selects."""
    n = len(solutions)
    if index is None and n > 1:
        click.echo(f"{name}: drew the first of {n:,} solutions (see --solution-index)", err=True)
    if index is not None and index > n:
        raise F2cspError(f"{name}: no solution number {index:,}: the file has {n:,}")
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

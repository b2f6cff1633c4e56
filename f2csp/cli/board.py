"""``f2csp board``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.inputs import is_problem, load_problem, read_one
from f2csp.cli.options import ASCII, FILE, FROM, INDEX, PuzzleCommand, refuse_two_dashes
from f2csp.diagnostics import F2cspError, listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from f2csp.puzzles.puzzle import Puzzle
    from f2csp.solutions import Solution

_MAX_LISTED_CELLS = 5


@click.command(cls=PuzzleCommand)
@click.argument("file", type=FILE)
@click.option("--solution", metavar="SOLUTION", type=FILE, help="Fill in the values of this solution file.")
@click.option("--solution-index", type=click.IntRange(min=1), metavar="K", help="Take solution number K of SOLUTION.")
@ASCII
@FROM
@INDEX
def board(
    file: str,
    solution: str | None,
    solution_index: int | None,
    as_ascii: bool,
    from_: str,
    index: int | None,
    options: Mapping[str, Any],
) -> int:
    """Draw the puzzle in FILE.

    FILE is F2CSP or a puzzle file; the puzzle in an F2CSP file is recognised by its constraints. SOLUTION has lines
    NAME = VALUE, or is JSON; auxiliary variables and cells may be missing. Either file may be compressed, one of them
    may be - for standard input. On a terminal the givens are bold and the other values coloured. Exit code 1: the
    solution contradicts a given.

    \b
    Examples:
      f2csp board puzzle.csp
      f2csp board puzzle.csp --solution solution.txt
      f2csp board puzzles.sdm --index 7 --ascii
      f2csp sudoku clues.txt | f2csp board -
    """
    from dataclasses import replace

    from f2csp.cli.drawing import board_writer
    from f2csp.files import read_source
    from f2csp.puzzles.files.formats import named_formats
    from f2csp.puzzles.recognise import recognise
    from f2csp.puzzles.to_problem import rules_of
    from f2csp.solutions import load_solutions

    if solution is None and solution_index is not None:
        raise click.UsageError("--solution-index requires --solution")
    refuse_two_dashes(file, solution or "")
    source = read_source(file)
    problem = load_problem(source) if is_problem(source, from_) else None
    puzzle = recognise(problem) if problem else read_one(source, named_formats(from_), index, options).puzzle
    if solution is None:
        click.echo(board_writer(puzzle, as_ascii)({}), nl=False)
        return 0
    variables = problem or replace(rules_of(puzzle), relations=(), n_constraints=0, blocks=()).collect()
    solutions = load_solutions(solution, variables, optional=variables.variable_names)
    values = _selected(solutions, solution, solution_index)
    wrong = _check(puzzle, values, solution)
    click.echo(board_writer(puzzle, as_ascii, wrong)(values), nl=False)
    return int(bool(wrong))


def _selected(solutions: list[Solution], name: str, index: int | None) -> Solution:
    """The solution that ``--solution-index`` selects."""
    n = len(solutions)
    if index is None and n > 1:
        click.echo(f"{name}: drew the first of {n:,} solutions (see --solution-index)", err=True)
    if index is not None and index > n:
        raise F2cspError(f"{name}: no solution number {index:,}: the file has {n:,}")
    return solutions[(index or 1) - 1]


def _check(puzzle: Puzzle, solution: Solution, name: str) -> list[str]:
    """Report cells without a value, and cells whose value contradicts a given; return the names of the latter."""
    values = puzzle.grid_of(solution)
    wrong = [clue for clue in puzzle.clues if values[clue.row - 1][clue.column - 1] not in (None, clue.value)]
    for clue in wrong[:_MAX_LISTED_CELLS]:
        value = values[clue.row - 1][clue.column - 1]
        click.echo(f"{name}: expected the given {clue.value} at {clue.cell}, found {value}", err=True)
    if len(wrong) > _MAX_LISTED_CELLS:
        click.echo(f"... and {len(wrong) - _MAX_LISTED_CELLS:,} more", err=True)
    given = {(clue.row, clue.column) for clue in puzzle.clues}
    blank = [
        f"V{row}-{column}"
        for row, cells in enumerate(values, 1)
        for column, value in enumerate(cells, 1)
        if value is None and (row, column) not in given
    ]
    if blank:
        cells = f"{len(blank):,} {'cells' if len(blank) > 1 else 'cell'}"
        click.echo(f"{name}: no value for {cells}: {listed(blank, _MAX_LISTED_CELLS)}", err=True)
    return [f"V{clue.row}-{clue.column}" for clue in wrong]

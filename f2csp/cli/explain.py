"""``f2csp explain``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from f2csp.cli.inputs import Answer, InputCommand, Inputs, for_each_instance
from f2csp.cli.options import BOARD_LOOK, FILES, JSON, SEED, TIME_LIMIT, BoardLook
from f2csp.instances import puzzle_of

if TYPE_CHECKING:
    from f2csp.instances import Instance
    from f2csp.model import Problem
    from f2csp.puzzles.puzzle import Puzzle
    from f2csp.solving.explanation import Explanation

_MAX_LISTED_CONSTRAINTS = 20


@click.command(cls=InputCommand)
@FILES
@TIME_LIMIT
@SEED
@JSON
@BOARD_LOOK
def explain(inputs: Inputs, time_limit: float | None, seed: int, look: BoardLook) -> int:
    """Explain why the problems in FILE have no solution.

    The constraints shown are a minimal unsatisfiable subset: removing any one makes the rest satisfiable. For a puzzle,
    they are given as rules and givens, with a board on which their cells are marked. FILE has any format, and may hold
    several puzzles. Exit code 0: explained; 3: there is a solution; 4: the time limit was reached.

    \b
    Examples:
      f2csp explain puzzle.csp
      f2csp explain clues.txt --json
    """
    from f2csp.cli.progress import clock
    from f2csp.model.words import is_auxiliary
    from f2csp.puzzles.puzzle import cell_of
    from f2csp.solving.explanation import describe_group
    from f2csp.solving.explanation import explain as ask

    def work(instance: Instance, _: bool) -> Answer:
        problem, puzzle = instance.problem, puzzle_of(instance)
        is_other = is_auxiliary if puzzle is None else lambda name: cell_of(name) is None
        auxiliary = list(filter(is_other, problem.variable_names))
        with clock("Searching", time_limit):
            explanation = ask(problem, seconds=time_limit, seed=seed, auxiliary=auxiliary)
        words = [describe_group(problem, group, puzzle) for group in explanation.groups]
        is_done = explanation.status == "unsatisfiable" and explanation.is_minimal
        code = 0 if is_done else 3 if explanation.status == "satisfiable" else 4
        show = partial(_print, problem, explanation, words, puzzle, look)
        return Answer(explanation.status, code, _record(problem, explanation, words), show)

    return for_each_instance(inputs, work)


def _print(
    problem: Problem, explanation: Explanation, words: list[str], puzzle: Puzzle | None, look: BoardLook
) -> None:
    if explanation.status != "unsatisfiable":
        click.echo("there is a solution" if explanation.status == "satisfiable" else "unknown: time limit reached")
        return
    click.echo("There is no solution: these contradict each other:")
    for sentence in words:
        click.echo(f"  {sentence}")
    n = len(explanation.constraints)
    minimal = "all of them needed" if explanation.is_minimal else "perhaps not all of them needed"
    click.echo(f"In the file {'this is one constraint' if n == 1 else f'these are {n} constraints, {minimal}'}:")
    for constraint in [problem.constraints[index] for index in explanation.constraints[:_MAX_LISTED_CONSTRAINTS]]:
        where = f" (line {constraint.line})" if constraint.line is not None else ""
        click.echo(f"  {constraint.label}{where} on {' '.join(constraint.scope)}")
    if n > _MAX_LISTED_CONSTRAINTS:
        click.echo(f"  ... and {n - _MAX_LISTED_CONSTRAINTS} more (all with --json)")
    if puzzle is not None:
        click.echo(_board(problem, explanation, puzzle, look), nl=False)


def _board(problem: Problem, explanation: Explanation, puzzle: Puzzle, look: BoardLook) -> str:
    """The board with only the givens of these constraints, and a question mark in their other cells."""
    from dataclasses import replace

    from f2csp.cli.drawing import board_writer
    from f2csp.puzzles.puzzle import cell_of

    names = {name for index in explanation.constraints for name in problem.constraints[index].scope}
    cells = set(map(cell_of, names))
    clues = tuple(clue for clue in puzzle.clues if clue.cell in cells)
    return board_writer(replace(puzzle, clues=clues), look, names)({})


def _record(problem: Problem, explanation: Explanation, words: list[str]) -> dict[str, object]:
    constraints = [problem.constraints[index] for index in explanation.constraints]
    return {
        "status": explanation.status,
        "minimal": explanation.is_minimal,
        "parts": [
            {"words": sentence, "constraints": [problem.constraints[index].label for index in group.constraints]}
            for sentence, group in zip(words, explanation.groups, strict=True)
        ],
        "constraints": [{"constraint": c.label, "line": c.line, "scope": c.scope, "kind": c.kind} for c in constraints],
    }

"""``f2csp explain``: why a problem has no solution, in its own constraints and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from f2csp.model import Problem
    from f2csp.puzzles.puzzle import Puzzle
    from f2csp.solving.explanation import Explanation

_SHOWN = 20  # constraints that are listed one by one


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@click.option("--time-limit", type=click.FloatRange(min=0), metavar="SECONDS", help="Then stop, with what is known.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the order of trying.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Draw boards with ASCII alone.")
def explain(file: str, time_limit: float | None, seed: int, as_json: bool, as_ascii: bool) -> int:
    """Say why the problem in FILE has no solution.

    What is shown cannot hold together, and nothing of it can be spared: without any one of the constraints the others
    have a solution. Of a puzzle it is told in givens and rules, on a board where the cells in question are marked. Exit
    code 1: there is a solution, or the time was over.

    \b
    Examples:
      f2csp explain puzzle.csp
      f2csp explain puzzle.csp --json
    """
    from f2csp.cli.group_wording import describe_group
    from f2csp.cli.progress import progress
    from f2csp.diagnostics import Unsuitable
    from f2csp.puzzles.recovery import from_problem
    from f2csp.puzzles.squares import cell_of
    from f2csp.solving import Limits
    from f2csp.solving.explanation import explain as ask
    from f2csp.text.load import load

    with progress("Reading bytes", None) as advance:
        problem = load(file, advance=advance)
    puzzle: Puzzle | None
    try:
        puzzle = from_problem(problem)
    except Unsuitable:
        puzzle = None
    auxiliary = [name for name in problem.variable_names if puzzle is not None and cell_of(name) is None]
    explanation = ask(problem, Limits(seconds=time_limit, seed=seed), auxiliary=auxiliary)
    words = [describe_group(problem, group, puzzle) for group in explanation.groups]
    if as_json:
        click.echo(_as_json(problem, explanation, words))
    else:
        _tell(problem, explanation, words, puzzle, as_ascii)
    return int(explanation.status != "unsatisfiable" or not explanation.is_minimal)


def _tell(
    problem: Problem, explanation: Explanation, words: Sequence[str], puzzle: Puzzle | None, as_ascii: bool
) -> None:
    if explanation.status != "unsatisfiable":
        has_one = explanation.status == "satisfiable"
        click.echo("there is a solution" if has_one else "unknown: stopped by the limit")
        return
    click.echo("There is no solution, because these cannot hold together:")
    for sentence in words:
        click.echo(f"  {sentence}")
    n = len(explanation.constraints)
    minimal = "none of which can be spared" if explanation.is_minimal else "perhaps not all of them needed"
    click.echo(
        "In the file this is one constraint:" if n == 1 else f"In the file these are {n} constraints, {minimal}:"
    )
    for index in explanation.constraints[:_SHOWN]:
        click.echo(f"  {_constraint(problem, index)}")
    if n > _SHOWN:
        click.echo(f"  ... and {n - _SHOWN} more (all with --json)")
    if puzzle is not None:
        click.echo(_board(problem, explanation, puzzle, as_ascii), nl=False)


def _board(problem: Problem, explanation: Explanation, puzzle: Puzzle, as_ascii: bool) -> str:
    """The board with the cells in question alone: their givens, and a question mark for each that has none."""
    from dataclasses import replace

    from f2csp.cli.board import board_writer
    from f2csp.puzzles.squares import cell_of

    names = {name for index in explanation.constraints for name in problem.constraints[index].scope}
    cells = set(map(cell_of, names))
    clues = tuple(clue for clue in puzzle.clues if clue.cell in cells)
    return board_writer(replace(puzzle, clues=clues), as_ascii, names)({})


def _constraint(problem: Problem, index: int) -> str:
    constraint = problem.constraints[index]
    where = f" (line {constraint.line})" if constraint.line is not None else ""
    return f"{constraint.label}{where} on {' '.join(constraint.scope)}"


def _as_json(problem: Problem, explanation: Explanation, words: Sequence[str]) -> str:
    import json

    constraints = [problem.constraints[index] for index in explanation.constraints]
    record = {
        "status": explanation.status,
        "minimal": explanation.is_minimal,
        "parts": [
            {"words": sentence, "constraints": [problem.constraints[index].label for index in group.constraints]}
            for sentence, group in zip(words, explanation.groups, strict=True)
        ],
        "constraints": [{"constraint": c.label, "line": c.line, "scope": c.scope, "kind": c.kind} for c in constraints],
    }
    return json.dumps(record, ensure_ascii=False)

"""``f2csp unique``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.options import ASCII, JSON, Command, SearchOptions, echo_json, search_options

if TYPE_CHECKING:
    from f2csp.model import Problem
    from f2csp.solving.questions import Verdict

_MAX_LISTED_VARIABLES = 10


@click.command(cls=Command)
@click.argument("file")
@search_options
@JSON
@ASCII
def unique(file: str, search: SearchOptions, as_json: bool, as_ascii: bool) -> int:
    """Check whether the problem in FILE has exactly one solution.

    If it has several, two are shown, with the variables in which they differ. Exit code 0: exactly one solution; 1:
    none, several, or unknown within the limits.

    \b
    Examples:
      f2csp unique puzzle.csp
      f2csp unique puzzle.csp --json --time-limit 60
    """
    from f2csp.cli.inputs import load_problem
    from f2csp.solving.questions import unique as ask

    problem = load_problem(file)
    verdict = ask(problem, search.limits(problem, 2), engine=search.engine)
    if as_json:
        record = {"verdict": verdict.uniqueness, "solutions": verdict.solutions, "differing": verdict.differing}
        echo_json(record)
    else:
        _print(problem, verdict, as_ascii)
    return int(verdict.uniqueness != "unique")


def _print(problem: Problem, verdict: Verdict, as_ascii: bool) -> None:
    lines = {
        "unique": "there is exactly one solution",
        "none": "there is no solution",
        "unknown": "unknown: stopped by a limit" + (" after a first solution" if verdict.solutions else ""),
        "multiple": "there are several solutions; two of them",
    }
    click.echo(lines[verdict.uniqueness])
    if verdict.uniqueness == "multiple":
        from f2csp.cli.drawing import solution_printer

        show = solution_printer(problem, as_ascii)
        for solution in verdict.solutions:
            show(solution)
        n = len(verdict.differing)
        names = ", ".join(verdict.differing[:_MAX_LISTED_VARIABLES]) + (", ..." if n > _MAX_LISTED_VARIABLES else "")
        click.echo(f"they differ in {n} variable{'s'[: n != 1]}: {names}")

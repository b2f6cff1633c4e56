"""``f2csp unique`` and ``f2csp count``: whether there is exactly one solution, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.solve import limits_of, search_options, solution_shown

if TYPE_CHECKING:
    from f2csp.model import Problem
    from f2csp.solving.questions import Verdict

_LISTED = 10  # variables that a line lists


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@search_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Draw boards with ASCII alone.")
def unique(
    file: str,
    engine: str | None,
    time_limit: float | None,
    workers: int | None,
    seed: int,
    project: str | None,
    as_json: bool,
    as_ascii: bool,
) -> int:
    """Say whether the problem in FILE has exactly one solution.

    If it has more, two are shown, and the variables in which they differ. Exit code 0: exactly one; 1: none, several,
    or not known within the limits.

    \b
    Examples:
      f2csp unique puzzle.csp
      f2csp unique puzzle.csp --json --time-limit 60
    """
    from f2csp.solving.questions import unique as ask

    problem = _loaded(file)
    limits = limits_of(problem, project, time_limit, workers, seed, 2)
    verdict = ask(problem, limits, engine=engine)
    if as_json:
        click.echo(_as_json(verdict))
    else:
        _tell(problem, verdict, as_ascii)
    return int(verdict.uniqueness != "unique")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@search_options
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Count no further than N.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def count(
    file: str,
    engine: str | None,
    time_limit: float | None,
    workers: int | None,
    seed: int,
    project: str | None,
    limit: int | None,
    as_json: bool,
) -> int:
    """Count the solutions of the problem in FILE.

    The number is exact, or "at least" where a limit stopped the count. Exit code 1: the time was over.

    \b
    Examples:
      f2csp count puzzle.csp
      f2csp count puzzle.csp --limit 1000
      f2csp count map.csp --project "France Spain" --json
    """
    from f2csp.cli.progress import progress
    from f2csp.solving.questions import count as ask

    problem = _loaded(file)
    limits = limits_of(problem, project, time_limit, workers, seed, None if limit is None else limit + 1)
    with progress("Counting solutions", limit) as advance:
        result = ask(problem, limits, engine=engine, observer=lambda _: advance(1))
    n = result.n_solutions if limit is None else min(limit, result.n_solutions)
    is_exact = result.is_complete and n == result.n_solutions
    if as_json:
        import json

        click.echo(json.dumps({"count": n, "exact": is_exact}))
    else:
        click.echo(f"{n}" if is_exact else f"at least {n}")
    return int(not is_exact and n != limit)


def _loaded(file: str) -> Problem:
    from f2csp.cli.progress import progress
    from f2csp.text.load import load

    with progress("Reading bytes", None) as advance:
        return load(file, advance=advance)


def _tell(problem: Problem, verdict: Verdict, as_ascii: bool) -> None:
    lines = {
        "unique": "there is exactly one solution",
        "none": "there is no solution",
        "unknown": "unknown: stopped by a limit" + (" after a first solution" if verdict.solutions else ""),
        "multiple": "there are several solutions; two of them",
    }
    click.echo(lines[verdict.uniqueness])
    if verdict.uniqueness == "multiple":
        show = solution_shown(problem, as_ascii)
        for solution in verdict.solutions:
            show(solution)
        n = len(verdict.differing)
        names = ", ".join(verdict.differing[:_LISTED]) + (", ..." if n > _LISTED else "")
        click.echo(f"they differ in {n} variable{'s'[: n != 1]}: {names}")


def _as_json(verdict: Verdict) -> str:
    import json

    record = {"verdict": verdict.uniqueness, "solutions": verdict.solutions, "differing": verdict.differing}
    return json.dumps(record, ensure_ascii=False)

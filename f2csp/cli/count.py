"""``f2csp count``."""

from __future__ import annotations

import click

from f2csp.cli.options import JSON, Command, SearchOptions, echo_json, search_options


@click.command(cls=Command)
@click.argument("file")
@search_options
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop counting at N solutions.")
@JSON
def count(file: str, search: SearchOptions, limit: int | None, as_json: bool) -> int:
    """Count the solutions of the problem in FILE.

    The number is exact, or "at least" where a limit stopped the count. Exit code 1: the time limit was reached.

    \b
    Examples:
      f2csp count puzzle.csp
      f2csp count puzzle.csp --limit 1000
      f2csp count map.csp --project "France Spain" --json
    """
    from f2csp.cli.inputs import load_problem
    from f2csp.cli.progress import progress
    from f2csp.solving.questions import count as ask

    problem = load_problem(file)
    limits = search.limits(problem, None if limit is None else limit + 1)
    with progress("Counting solutions", limit) as advance:
        result = ask(problem, limits, engine=search.engine, observer=lambda _: advance(1))
    n = result.n_solutions if limit is None else min(limit, result.n_solutions)
    is_exact = result.is_complete and n == result.n_solutions
    if as_json:
        echo_json({"count": n, "exact": is_exact})
    else:
        click.echo(f"{n}" if is_exact else f"at least {n}")
    return int(not is_exact and n != limit)

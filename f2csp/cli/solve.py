"""``f2csp solve``."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import click

from f2csp.cli.options import ASCII, JSON, Command, SearchOptions, echo_json, search_options

if TYPE_CHECKING:
    from f2csp.solving import Result, Solution

_COMPETITION = {
    "satisfiable": ("s SATISFIABLE", 10),
    "unsatisfiable": ("s UNSATISFIABLE", 20),
    "unknown": ("s UNKNOWN", 0),
}


@click.command(cls=Command)
@click.argument("file")
@search_options
@click.option("--no-structure", is_flag=True, help="Give the engine the tables as they are.")
@click.option("--all", "all_", is_flag=True, help="Find all solutions.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Find at most N different solutions.")
@JSON
@click.option("--competition", is_flag=True, help="SAT-competition output: s and v lines, exit code 10, 20 or 0.")
@click.option("-o", "--output", metavar="OUT", help="Write the solutions to OUT, too.")
@ASCII
def solve(
    file: str,
    search: SearchOptions,
    no_structure: bool,
    all_: bool,
    limit: int | None,
    as_json: bool,
    competition: bool,
    output: str | None,
    as_ascii: bool,
) -> int:
    """Solve the problem in FILE.

    Constraints such as allDifferent are recognised in the tables first and passed to the engine as such. A solution is
    shown as a board if FILE is a puzzle, else as lines NAME = VALUE, with --- between solutions. Each is checked
    against every constraint before it is shown. Exit code 1: unknown within the limits.

    \b
    Examples:
      f2csp solve puzzle.csp
      f2csp solve puzzle.csp --all --json
      f2csp solve puzzle.csp --engine sat --time-limit 60 -o solution.txt
    """
    from f2csp.cli.drawing import solution_printer
    from f2csp.cli.inputs import load_problem
    from f2csp.cli.progress import progress
    from f2csp.solutions import dump_solutions
    from f2csp.solving import solve as run

    if as_json and competition:
        raise click.UsageError("--json and --competition cannot be combined")
    start = perf_counter()
    problem = load_problem(file)
    load_time = perf_counter() - start
    wanted = limit if limit is not None else None if all_ else 1
    limits = search.limits(problem, wanted)
    show = None if as_json else _print_v_lines if competition else solution_printer(problem, as_ascii)
    with progress("Searching, solutions", wanted) as advance:

        def take(solution: Solution) -> None:
            advance(1)
            if show is not None:
                show(solution)

        keep = as_json or output is not None
        result = run(problem, search.engine, limits, use_structure=not no_structure, observer=take, keep_solutions=keep)
    if output is not None and result.solutions:
        dump_solutions(result.solutions, problem, output)
    times = {"load": load_time, **result.times, "total": perf_counter() - start}
    if as_json:
        echo_json(_record(result, times))
    elif competition:
        line, code = _COMPETITION[result.status]
        click.echo(line)
        return code
    else:
        click.echo(_summary(result, times), err=True)
    return int(result.status == "unknown")


def _print_v_lines(solution: Solution) -> None:
    click.echo("".join([f"v {name} = {value}\n" for name, value in solution.items()]), nl=False)


def _summary(result: Result, times: dict[str, float]) -> str:
    n = result.n_solutions
    found = f"{n:,} solution{'s'[: n != 1]} found, {'no others' if result.is_complete else 'there may be others'}"
    what = found if n else {"unsatisfiable": "there is no solution"}.get(result.status, "unknown: stopped by a limit")
    return f"{what} ({result.engine}, {times['total']:.2f} s)"


def _record(result: Result, times: dict[str, float]) -> dict[str, object]:
    from dataclasses import asdict

    statistics = {name: value for name, value in asdict(result.statistics).items() if value is not None}
    return {
        "status": result.status,
        "solutions": result.solutions,
        "complete": result.is_complete,
        "engine": result.engine,
        "statistics": statistics,
        "times": {name: round(seconds, 6) for name, seconds in times.items()},
    }

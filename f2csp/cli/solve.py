"""``f2csp solve``, ``unique``, ``count`` and ``engines``."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import click

from f2csp.cli.inputs import load_problem
from f2csp.cli.options import ASCII, FILE, JSON, Command, SearchOptions, complete_engine, echo_json, search_options
from f2csp.cli.progress import clock

if TYPE_CHECKING:
    from f2csp.model import Problem
    from f2csp.solving import Result, Solution
    from f2csp.solving.questions import Verdict
    from f2csp.solving.registry import Engine

_MAX_LISTED_VARIABLES = 10
_COMPETITION = {
    "satisfiable": ("s SATISFIABLE", 10),
    "unsatisfiable": ("s UNSATISFIABLE", 20),
    "unknown": ("s UNKNOWN", 0),
}


@click.command(cls=Command)
@click.argument("file", type=FILE)
@search_options
@click.option("--no-structure", is_flag=True, help="Give the engine the tables as they are.")
@click.option("--all", "all_", is_flag=True, help="Find all solutions.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Find at most N different solutions.")
@JSON
@click.option("--competition", is_flag=True, help="SAT-competition output: s and v lines, exit code 10, 20 or 0.")
@click.option("-o", "--output", metavar="OUT", type=FILE, help="Write the solutions to OUT, too.")
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
    with clock("Searching", search.time_limit) as shown:

        def take(solution: Solution) -> None:
            shown.advance(1)
            if show is not None:
                with shown.paused():
                    show(solution)

        keep = as_json or output is not None
        result = run(
            problem,
            engine=search.engine,
            limits=limits,
            use_structure=not no_structure,
            observer=take,
            keep_solutions=keep,
        )
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


@click.command(cls=Command)
@click.argument("file", type=FILE)
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
    from f2csp.solving.questions import unique as ask

    problem = load_problem(file)
    with clock("Searching", search.time_limit):
        verdict = ask(problem, engine=search.engine, limits=search.limits(problem, 2))
    if as_json:
        echo_json({"verdict": verdict.uniqueness, "solutions": verdict.solutions, "differing": verdict.differing})
    else:
        _print_verdict(problem, verdict, as_ascii)
    return int(verdict.uniqueness != "unique")


def _print_verdict(problem: Problem, verdict: Verdict, as_ascii: bool) -> None:
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


@click.command(cls=Command)
@click.argument("file", type=FILE)
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
    from f2csp.solving.questions import count as ask

    problem = load_problem(file)
    limits = search.limits(problem, None if limit is None else limit + 1)
    with clock("Counting", search.time_limit) as shown:
        result = ask(problem, engine=search.engine, limits=limits, observer=lambda _: shown.advance(1))
    n = result.n_solutions if limit is None else min(limit, result.n_solutions)
    is_exact = result.is_complete and n == result.n_solutions
    if as_json:
        echo_json({"count": n, "exact": is_exact})
    else:
        click.echo(f"{n}" if is_exact else f"at least {n}")
    return int(not is_exact and n != limit)


@click.command(cls=Command)
@click.argument("name", required=False, shell_complete=complete_engine)
@JSON
def engines(name: str | None, as_json: bool) -> int:
    """List the engines, and whether they are installed; or the options of the engine NAME.

    Options follow the name of an engine: --engine sat:encoding=direct. The first value is the default.

    \b
    Examples:
      f2csp engines
      f2csp engines --json
      f2csp engines sat
    """
    from f2csp.solving.registry import ENGINES, named_engine

    if name is None:
        keys = ("name", "summary", "is_installed", "extra")
        records = [{key.removeprefix("is_"): getattr(one, key) for key in keys} for one in ENGINES]
        width = max(len(one.name) for one in ENGINES)
        lines = [f"{one.name:{width}}  {one.summary} ({_availability(one)})" for one in ENGINES]
    else:
        options = named_engine(name).options
        records = [{"name": option.name, "summary": option.summary, "values": option.values} for option in options]
        lines = [f"{option.name}={'|'.join(option.values)}  {option.summary}" for option in options]
    if as_json:
        echo_json(records)
    for line in () if as_json else lines:
        click.echo(line)
    return 0


def _availability(engine: Engine) -> str:
    return "installed" if engine.is_installed else f"not installed: pip install 'f2csp[{engine.extra}]'"

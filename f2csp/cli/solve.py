"""``f2csp solve``: the solutions of a problem, as a board, as names and values, or as JSON."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from f2csp.model import Problem
    from f2csp.solving import Limits, Result, Solution

_COMPETITION = {
    "satisfiable": ("s SATISFIABLE", 10),
    "unsatisfiable": ("s UNSATISFIABLE", 20),
    "unknown": ("s UNKNOWN", 0),
}


def _given(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The value of an option, or that of its other name."""
    given: str | None = ctx.params.get(param.name or "")
    return given if value is None else value


def search_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that every command has which starts an engine."""
    options = (
        click.option("--engine", metavar="NAME", help="The first installed of f2csp engines by default."),
        click.option("--time-limit", type=click.FloatRange(min=0), metavar="SECONDS", help="Of search; then stop."),
        click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Threads, if the engine uses several."),
        click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is random."),
        click.option(
            "--project",
            metavar="NAMES|cells|all",
            callback=_given,
            help="Variables in which solutions must differ (default: the cells of a puzzle, else all).",
        ),
        click.option("--over", "project", hidden=True, callback=_given),
    )
    for option in reversed(options):
        command = option(command)
    return command


def limits_of(
    problem: Problem,
    project: str | None,
    time_limit: float | None,
    workers: int | None,
    seed: int,
    solutions: int | None,
) -> Limits:
    """The limits that the options say."""
    from f2csp.solving import Limits

    # One solution needs none to differ from: whether it is a puzzle need not be found out.
    names = None if solutions == 1 else projection(problem, project)
    return Limits(seconds=time_limit, solutions=solutions, workers=workers, seed=seed, project_onto=names)


def projection(problem: Problem, wanted: str | None) -> tuple[str, ...] | None:
    """The variables in which solutions must differ to count as distinct.

    Args:
        problem: the problem.
        wanted: ``all``, ``cells`` (the variables ``V<row>-<column>``), or names separated by blanks or commas; None for
            the cells of a puzzle, and for all variables of another problem.

    Returns:
        Their names; None for all variables.

    Raises:
        Unsuitable: there are no cells.
        ProblemError: the problem has no variable of such a name.
    """
    from f2csp.diagnostics import ProblemError, Unsuitable
    from f2csp.puzzles.recovery import from_problem
    from f2csp.puzzles.squares import cell_names, cell_of

    if wanted == "all":
        return None
    if wanted is None:
        try:
            puzzle = from_problem(problem)
        except Unsuitable:
            return None
        return cell_names(puzzle.n_rows, puzzle.n_columns)
    if wanted == "cells":
        cells = tuple(name for name in problem.variable_names if cell_of(name))
        if not cells:
            raise Unsuitable("the problem has no cells: no variable is called V<row>-<column>")
        return cells
    known = set(problem.variable_names)
    names = tuple(dict.fromkeys(wanted.replace(",", " ").split()))
    for name in names:
        if name not in known:
            raise ProblemError(f"the problem has no variable {name}")
    return names


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@search_options
@click.option("--no-structure", is_flag=True, help="Give the engine the tables as they are.")
@click.option("--all", "all_", is_flag=True, help="All solutions.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N different solutions.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--competition", is_flag=True, help="Lines s and v; exit code 10, 20 or 0, as solvers have it.")
@click.option("-o", "--output", metavar="OUT", help="Write a solution file, too.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Draw boards with ASCII alone.")
def solve(
    file: str,
    engine: str | None,
    time_limit: float | None,
    workers: int | None,
    seed: int,
    project: str | None,
    no_structure: bool,
    all_: bool,
    limit: int | None,
    as_json: bool,
    competition: bool,
    output: str | None,
    as_ascii: bool,
) -> int:
    """Solve the problem in FILE.

    What the tables mean is recovered first, so that the engine works as if the problem had been modelled for it by
    hand. A solution is shown as a board where FILE is a puzzle, else as lines NAME = VALUE with --- between solutions.
    Each is checked against every constraint before it is shown. Exit code 1: nothing is known within the limits.

    \b
    Examples:
      f2csp solve puzzle.csp
      f2csp solve puzzle.csp --all --json
      f2csp solve puzzle.csp --engine sat --time-limit 60 -o solution.txt
    """
    from f2csp.cli.progress import progress
    from f2csp.solutions import dump_solutions
    from f2csp.solving import solve as search
    from f2csp.text.load import load

    if as_json and competition:
        raise click.UsageError("--json and --competition exclude each other")
    start = perf_counter()
    with progress("Reading bytes", None) as advance:
        problem = load(file, advance=advance)
    load_time = perf_counter() - start
    wanted = limit if limit is not None else None if all_ else 1
    limits = limits_of(problem, project, time_limit, workers, seed, wanted)
    show = None if as_json else _lines_shown(problem) if competition else solution_shown(problem, as_ascii)
    with progress("Searching, solutions", wanted) as advance:

        def take(solution: Solution) -> None:
            advance(1)
            if show is not None:
                show(solution)

        keep = as_json or output is not None
        result = search(problem, engine, limits, use_structure=not no_structure, observer=take, keep_solutions=keep)
    if output is not None and result.solutions:
        dump_solutions(result.solutions, problem, output)
    times = {"load": load_time, **result.times, "total": perf_counter() - start}
    if as_json:
        click.echo(_as_json(result, times))
    elif competition:
        line, code = _COMPETITION[result.status]
        click.echo(line)
        return code
    else:
        click.echo(_summary(result, times), err=True)
    return int(result.status == "unknown")


def solution_shown(problem: Problem, as_ascii: bool) -> Callable[[Solution], None]:
    """What writes one solution after the other to standard output: boards for a puzzle, else names and values."""
    from f2csp.cli.board import board_writer
    from f2csp.diagnostics import Unsuitable
    from f2csp.puzzles.recovery import from_problem

    separator = "---"
    try:
        write = board_writer(from_problem(problem), as_ascii)
        separator = ""
    except Unsuitable:
        write = _assignments
    n_shown = 0

    def show(solution: Solution) -> None:
        nonlocal n_shown
        if n_shown:
            click.echo(separator)
        click.echo(write(solution), nl=False)
        n_shown += 1

    return show


def _assignments(solution: Solution) -> str:
    return "".join([f"{name} = {value}\n" for name, value in solution.items()])


def _lines_shown(problem: Problem) -> Callable[[Solution], None]:  # noqa: ARG001 - as the others
    def show(solution: Solution) -> None:
        click.echo("".join([f"v {name} = {value}\n" for name, value in solution.items()]), nl=False)

    return show


def _summary(result: Result, times: dict[str, float]) -> str:
    n = result.n_solutions
    found = f"{n:,} solution{'s'[: n != 1]} found, {'no others' if result.is_complete else 'there may be others'}"
    what = found if n else {"unsatisfiable": "there is no solution"}.get(result.status, "unknown: stopped by a limit")
    return f"{what} ({result.engine}, {times['total']:.2f} s)"


def _as_json(result: Result, times: dict[str, float]) -> str:
    import json
    from dataclasses import asdict

    statistics = {name: value for name, value in asdict(result.statistics).items() if value is not None}
    record = {
        "status": result.status,
        "solutions": result.solutions,
        "complete": result.is_complete,
        "engine": result.engine,
        "statistics": statistics,
        "times": {name: round(seconds, 6) for name, seconds in times.items()},
    }
    return json.dumps(record, ensure_ascii=False)

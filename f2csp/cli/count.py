"""``f2csp count``, ``sample`` and ``marginals``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from f2csp.cli.inputs import Answer, Choice, InputCommand, echo_record, for_each_instance
from f2csp.cli.options import (
    BOARD_LOOK,
    FILES,
    JSON,
    NUMBER,
    SEED,
    TIME_LIMIT,
    BoardLook,
    SearchOptions,
    search_options,
)
from f2csp.cli.progress import clock
from f2csp.instances import puzzle_of
from f2csp.json_text import numbers_of_any_length

if TYPE_CHECKING:
    from f2csp.counting import BeyondBudget
    from f2csp.instances import Instance
    from f2csp.solving.counts import Count, Marginals

_METHODS = {"merge": "by merging", "enumerate": "by enumeration", "ganak": "by Ganak"}
MAX_STATES = click.option(
    "--max-states",
    **NUMBER,
    default=1_500_000,
    show_default=True,
    help="Keep at most N merged states, of some kB each.",
)


@click.command(cls=InputCommand)
@FILES
@click.option(
    "--method",
    type=click.Choice(["auto", *_METHODS]),
    default="auto",
    show_default=True,
    help="Count by merging partial solutions, by enumeration, or by Ganak.",
)
@MAX_STATES
@search_options
@click.option("--limit", **NUMBER, help="Stop counting at N solutions.")
@JSON
def count(
    files: tuple[str, ...],
    choice: Choice,
    method: str,
    max_states: int,
    search: SearchOptions,
    limit: int | None,
    as_json: bool,
) -> int:
    """Count the solutions of the problems in FILE.

    The number is exact, or "at least" where a limit stopped the count. It may have any size: partial solutions that
    leave the same problem are merged, and only their numbers are kept. Where that takes too many states, or with
    --engine or --limit, solutions are found one after the other. FILE has any format, and may hold several puzzles:
    then a line for each, and the totals. Exit code 4: the time limit was reached.

    \b
    Examples:
      f2csp count puzzle.csp
      f2csp count puzzle.csp --limit 1000
      f2csp count puzzle.csp --method merge --max-states 5000000
      f2csp count map.csp --project "France Spain" --json
    """
    from f2csp.solving.counts import count as ask

    if search.engine is not None or method == "enumerate":
        search.require_engine()

    def work(instance: Instance, has_others: bool) -> Answer:
        limits = search.limits(instance, None if limit is None else limit + 1)
        with clock("Counting", search.time_limit) as shown:
            result = ask(
                instance.problem,
                method=method,
                max_states=max_states,
                engine=search.engine,
                limits=limits,
                observer=lambda _: shown.advance(1),
                advance=shown.show_states,
            )
        n = int(result) if limit is None else min(limit, result)
        is_exact = result.is_complete and n == result
        with numbers_of_any_length():
            if as_json:
                seconds = round(sum(result.result.times.values()), 6)
                extra = {"method": result.method, "states": result.n_states, "seconds": seconds}
                echo_record(instance, count=n, exact=is_exact, **extra)
            else:
                name = f"{instance.name}: " if has_others else ""
                click.echo(f"{name}{n}" if is_exact else f"{name}at least {n}")
                if not has_others:
                    click.echo(_summary(result), err=True)
        if result.result.is_interrupted:
            raise click.Abort
        is_late = not is_exact and n != limit
        return Answer("counted" if is_exact else "stopped by a limit", 4 if is_late else 0)

    return for_each_instance(files, choice, work, as_json=as_json)


def _summary(result: Count) -> str:
    n = result.n_states
    states = "" if n is None else f", {n:,} state{'s'[: n != 1]} at most"
    seconds = f"{sum(result.result.times.values()):.2f} s"
    found = "exact" if result.is_complete else result.reason
    return f"{int(result):,} solution{'s'[: result != 1]}: {found} ({_METHODS[result.method]}{states}, {seconds})"


@click.command(cls=InputCommand)
@FILES
@click.option("-n", "n", **NUMBER, default=1, show_default=True, help="Draw N solutions.")
@SEED
@MAX_STATES
@TIME_LIMIT
@JSON
@BOARD_LOOK
def sample(
    files: tuple[str, ...],
    choice: Choice,
    n: int,
    seed: int,
    max_states: int,
    time_limit: float | None,
    as_json: bool,
    look: BoardLook,
) -> int:
    """Draw solutions of the problems in FILE at random.

    Each solution is as probable as any other, and drawn independently of the others; equal seeds draw equal solutions.
    All solutions are counted first. FILE has any format, and may hold several puzzles. Exit code 4: there are too many
    states, or the time limit was reached.

    \b
    Examples:
      f2csp sample puzzle.csp
      f2csp sample puzzle.csp -n 5 --seed 7 --json
    """
    from f2csp.cli.drawing import solution_printer
    from f2csp.counting import BeyondBudget
    from f2csp.solutions import own_values
    from f2csp.solving.counts import sample as draw

    def work(instance: Instance, has_others: bool) -> Answer:
        try:
            with clock("Counting", time_limit) as shown:
                found = draw(
                    instance.problem, n, seed=seed, max_states=max_states, seconds=time_limit, advance=shown.show_states
                )
        except BeyondBudget as error:
            return _stopped(instance, error, as_json=as_json)
        if as_json:
            echo_record(instance, solutions=list(map(own_values, found)))
            return Answer("sampled")
        if has_others:
            click.echo(f"{instance.name}:")
        show = solution_printer(instance, look)
        for solution in found:
            show(solution)
        if not found:
            click.echo("UNSATISFIABLE")
        return Answer("sampled" if found else "unsatisfiable")

    return for_each_instance(files, choice, work, as_json=as_json)


def _stopped(instance: Instance, error: BeyondBudget, *, as_json: bool) -> Answer:
    """Report that a limit was reached before an answer."""
    if as_json:
        echo_record(instance, error=str(error), diagnostics=[])
    else:
        click.echo(f"{instance.name}: {error}", err=True)
    return Answer("stopped by a limit", 4)


@click.command(cls=InputCommand)
@FILES
@MAX_STATES
@TIME_LIMIT
@JSON
@BOARD_LOOK
def marginals(
    files: tuple[str, ...], choice: Choice, max_states: int, time_limit: float | None, as_json: bool, look: BoardLook
) -> int:
    """Count for each variable and value the solutions with it.

    A line for each variable, of a puzzle for each cell: its values, each with the number of solutions that have
    it. The variables that have the same value in all solutions, the backbone, are shown first; of a puzzle as a
    board. Where counting takes too many states, a SAT solver finds the values that occur, without numbers. Exit code 4:
    the time limit was reached first.

    \b
    Examples:
      f2csp marginals puzzle.csp
      f2csp marginals map.csp --json
    """
    from f2csp.counting import BeyondBudget
    from f2csp.solutions import own_values
    from f2csp.solving.counts import marginals as ask

    def work(instance: Instance, has_others: bool) -> Answer:
        try:
            with clock("Counting", time_limit) as shown:
                found = ask(instance.problem, max_states=max_states, seconds=time_limit, advance=shown.show_states)
        except BeyondBudget as error:
            return _stopped(instance, error, as_json=as_json)
        if as_json:
            possible = {name: list(values) for name, values in own_values(found.possible).items()}
            numbers = own_values(found.numbers) if found.numbers is not None else None
            backbone = own_values(found.backbone)
            echo_record(instance, count=found.count, numbers=numbers, possible=possible, backbone=backbone)
        else:
            if has_others:
                click.echo(f"{instance.name}:")
            _print_marginals(instance, found, look)
        return Answer("counted" if found.count is not None else "possible values found")

    return for_each_instance(files, choice, work, as_json=as_json)


def _print_marginals(instance: Instance, found: Marginals, look: BoardLook) -> None:
    from f2csp.cli.drawing import solution_printer
    from f2csp.puzzles.puzzle import cell_names
    from f2csp.solutions import own_values

    if found.count == 0 or not all(found.possible.values()):
        click.echo("UNSATISFIABLE")
        return
    puzzle = puzzle_of(instance)
    names = cell_names(puzzle.n_rows, puzzle.n_columns) if puzzle else own_values(found.possible)
    solution_printer(instance, look)(found.backbone)
    for name in names:
        values = found.possible[name]
        if len(values) > 1:
            numbers = found.numbers[name] if found.numbers else {}
            of_values = [f"{value} ({numbers[value]:,})" if numbers else f"{value}" for value in values]
            click.echo(f"{name}: {', '.join(of_values)}")
    n = found.count
    number = "The numbers are unknown: too many states" if n is None else f"{n:,} solution{'s'[: n != 1]}"
    click.echo(number, err=True)

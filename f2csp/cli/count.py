"""``f2csp count``, ``sample`` and ``marginals``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.drawing import SolutionPrinter
from f2csp.cli.failures import refuse, say
from f2csp.cli.options import (
    CLUSTER_HELP,
    FILES,
    JSON,
    LOOK,
    NUMBER,
    PROBLEMS,
    SEARCH,
    SEED,
    SYMMETRIES,
    SYMMETRIES_HELP,
    TIME_LIMIT,
    UP_TO_SYMMETRY,
    Look,
    SearchOptions,
    check_symmetries,
    option,
    shown,
)
from f2csp.cli.progress import clock
from f2csp.cli.session import Answer, Session, command, reads
from f2csp.json_text import digits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from f2csp.instances import Instance
    from f2csp.model import Value
    from f2csp.solving.counts import Count, Marginals

_METHODS = {"merge": "by merging", "enumerate": "by enumeration", "ganak": "by Ganak"}
_METHOD = {"type": click.Choice(["auto", *_METHODS]), **shown("auto")}
_STATES = option("--max-states", **NUMBER, help="Keep at most N merged states (default: as many as need 1 GB to 5).")


@command("count")
@reads(FILES, *PROBLEMS, JSON)
@option("--method", **_METHOD, help="Count by merging partial solutions, by enumeration, or by Ganak.")
@_STATES
@option("--keep-states", metavar="FOLDER", help="Keep the states of a long count in FOLDER, and go on from them.")
@option("--cluster", metavar="ADDRESS", help=CLUSTER_HELP)
@SEARCH
@option("--limit", **NUMBER, help="Stop counting at N solutions.")
@option("--up-to-symmetry", is_flag=True, help=UP_TO_SYMMETRY)
@option("--symmetries", **SYMMETRIES, help=SYMMETRIES_HELP)
def count_command(
    session: Session,
    method: str,
    max_states: int | None,
    keep_states: str | None,
    cluster: str | None,
    search: SearchOptions,
    limit: int | None,
    up_to_symmetry: bool,
    symmetries: str,
) -> int:
    """Count the solutions of the problems in FILE.

    The number is exact, or "at least" where a limit stopped the count. It may have any size: partial solutions that
    leave the same problem are merged, and only their numbers are kept. Where that takes too many states, Ganak counts
    if it is installed. Otherwise, and with --engine or --limit, solutions are found one after the other. FILE has any
    format, and may hold several puzzles: then a line for each, and the totals. Exit code 4: a count is not exact, for
    another limit than --limit was reached.

    \b
    Examples:
      f2csp count puzzle.csp
      f2csp count puzzle.csp --limit 1000
      f2csp count puzzle.csp --keep-states states --workers 4
      f2csp count map.csp --project "France Spain" --json
      f2csp count puzzle.csp --up-to-symmetry
    """
    from f2csp.solving.counts import count as ask
    from f2csp.solving.registry import GANAK

    if search.engine is not None or method == "enumerate":
        search.require_engine()
    is_listed = search.engine is not None or limit is not None or method in ("enumerate", "ganak")
    refuse(cluster is not None and is_listed, "--cluster applies to counting by merging")
    if method == "ganak":
        GANAK.require("counting with Ganak")

    others = {"method": method != "auto", "keep-states": keep_states, "limit": limit}
    check_symmetries(symmetries, up_to_symmetry=up_to_symmetry, project=search.project, **others)
    if up_to_symmetry:
        return session.answer_each(partial(_up_to_symmetry, search, symmetries, cluster))

    def answer(instance: Instance) -> Answer:
        limits = search.limits(instance, None if limit is None else limit + 1)
        with clock("Counting", search.time_limit) as shown:
            watched = {"observer": lambda _: shown.advance(1), "advance": shown.show_states}
            how: dict[str, Any] = {"method": method, "max_states": max_states, "engine": search.engine, **watched}
            result = ask(instance.problem, limits=limits, keep_states=keep_states, cluster=cluster, **how)
        n = int(result) if limit is None else min(limit, result)
        is_exact = result.is_complete and n == result
        seconds = round(sum(result.result.times.values()), 6)
        record = {"count": n, "exact": is_exact, "method": result.method, "states": result.n_states, "seconds": seconds}
        line, summary = digits(n) if is_exact else f"at least {digits(n)}" if n else "unknown", _summary(result)

        def show() -> None:
            click.echo(line)
            say(summary)

        verdict, code = ("counted", 0) if is_exact else ("stopped by a limit", 0 if n == limit else 4)
        return Answer(verdict, code, record, show, line, result.result.is_interrupted)

    return session.answer_each(answer)


def _up_to_symmetry(search: SearchOptions, symmetries: str, cluster: str | None, instance: Instance) -> Answer:
    from f2csp.solving.up_to_symmetry import count_essentially_different

    limit = search.time_limit
    with clock("Counting", limit) as shown:
        how: dict[str, Any] = {"engine": search.engine, "workers": search.workers, "cluster": cluster}
        how["advance"] = shown.show_states
        found = count_essentially_different(instance.problem, group=symmetries, seconds=limit, **how)
    n, total, order = found.classes, found.solutions, found.symmetry.order
    record = {"count": n, "exact": True, "solutions": total, "symmetries": order, "group": symmetries}
    words = found.symmetry.sentences
    of = {"all": "", "board": " of the board"}.get(symmetries, f" of {symmetries}")

    def show() -> None:
        click.echo(digits(n))
        symmetry = "symmetry" if order == 1 else "symmetries"
        which = f": {'; '.join(words[:-1])}" if len(words) > 1 else ""  # the last one has the number
        every = f"{digits(total, ',')} solution{'s'[: total != 1]}"
        say(f"{n:,} of {every}, up to {digits(order, ',')} {symmetry}{of}{which}")

    return Answer("counted", record=record | {"words": words}, show=show, line=digits(n))


def _summary(result: Count) -> str:
    n = result.n_states
    states = "" if n is None else f", {n:,} state{'s'[: n != 1]} at most"
    seconds = f"{sum(result.result.times.values()):.2f} s"
    found = "exact" if result.is_complete else result.reason
    number = f"{digits(result, ',')} solution{'s'[: result != 1]}"
    counted = number if result or result.is_complete else "no solution counted"
    return f"{counted}: {found} ({_METHODS[result.method]}{states}, {seconds})"


@command("sample")
@reads(FILES, *PROBLEMS, JSON)
@option("-n", "n", **NUMBER, **shown(1), help="Draw N solutions.")
@option("--approximate", is_flag=True, help="Draw by searches with random values: not with equal probability.")
@SEED
@_STATES
@TIME_LIMIT
@LOOK
def sample_command(
    session: Session, n: int, approximate: bool, seed: int, max_states: int | None, time_limit: float | None, look: Look
) -> int:
    """Draw solutions of the problems in FILE at random.

    Each solution is as probable as any other, and drawn independently of the others; equal seeds draw equal solutions.
    All solutions are counted first; where that takes too many states, --approximate finds each by a search that tries
    values at random. FILE has any format, and may hold several puzzles. Exit code 4: there are too many states, or the
    time limit was reached.

    \b
    Examples:
      f2csp sample puzzle.csp
      f2csp sample puzzle.csp -n 5 --seed 7 --json
      f2csp generate sudoku --fill 0 | f2csp sample - --approximate
    """
    from f2csp.solutions import own_values
    from f2csp.solving.counts import sample as draw

    def answer(instance: Instance) -> Answer:
        problem = instance.problem
        how: dict[str, Any] = {"seed": seed, "seconds": time_limit, "max_states": max_states}
        with clock("Counting", time_limit) as shown:
            found = draw(problem, n, approximate=approximate, advance=shown.show_states, **how)
        record = {"solutions": list(map(own_values, found))}
        verdict = "sampled" if found or session.as_json else "unsatisfiable"
        return Answer(verdict, record=record, show=partial(_print_samples, instance, found, look))

    return session.answer_each(answer)


def _print_samples(instance: Instance, found: Sequence[Mapping[str, Value]], look: Look) -> None:
    printer = SolutionPrinter(instance, look)
    for solution in found:
        printer.show(solution)
    if not found:
        click.echo("UNSATISFIABLE")


@command("marginals")
@reads(FILES, *PROBLEMS, JSON)
@_STATES
@TIME_LIMIT
@LOOK
def marginals_command(session: Session, max_states: int | None, time_limit: float | None, look: Look) -> int:
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
    from f2csp.solutions import own_values
    from f2csp.solving.counts import marginals as ask

    def answer(instance: Instance) -> Answer:
        with clock("Counting", time_limit) as shown:
            found = ask(instance.problem, max_states=max_states, seconds=time_limit, advance=shown.show_states)
        record = {
            "count": found.count,
            "numbers": own_values(found.numbers) if found.numbers is not None else None,
            "possible": {name: list(values) for name, values in own_values(found.possible).items()},
            "backbone": own_values(found.backbone),
        }
        verdict = "counted" if found.count is not None else "possible values found"
        return Answer(verdict, record=record, show=partial(_print_marginals, instance, found, look))

    return session.answer_each(answer)


def _print_marginals(instance: Instance, found: Marginals, look: Look) -> None:
    from f2csp.solutions import own_values

    if found.count == 0 or not all(found.possible.values()):
        click.echo("UNSATISFIABLE")
        return
    puzzle = instance.recognised
    names = tuple([cell.variable for cell in puzzle.cells]) if puzzle else own_values(found.possible)
    SolutionPrinter(instance, look).show(found.backbone)
    for name in names:
        values = found.possible[name]
        if len(values) > 1:
            numbers = found.numbers[name] if found.numbers else {}
            of_values = [f"{value} ({numbers[value]:,})" if numbers else f"{value}" for value in values]
            say(f"{name}: {', '.join(of_values)}", err=False)
    n = found.count
    number = "The numbers are unknown: too many states" if n is None else f"{n:,} solution{'s'[: n != 1]}"
    say(number)

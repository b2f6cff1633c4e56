"""``f2csp solve``, ``unique`` and ``explain``."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.drawing import SolutionPrinter, assignment_lines, board_writer, steps_observed
from f2csp.cli.failures import refuse, say
from f2csp.cli.options import (
    FILES,
    JSON,
    LOOK,
    NUMBER,
    OUT,
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
    shown,
)
from f2csp.cli.progress import clock
from f2csp.cli.session import Answer, Session, command, gathered, reads, setting, switch
from f2csp.diagnostics import F2cspError, counted
from f2csp.files import STDIN, bare_name
from f2csp.puzzles.puzzle import Puzzle, cell_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from f2csp.instances import Instance
    from f2csp.model import Problem
    from f2csp.solving import Result, Solution
    from f2csp.solving.explanation import Explanation, Group
    from f2csp.solving.questions import Verdict

_MAX_LISTED_VARIABLES = 10
_MAX_LISTED_CONSTRAINTS = 20
_STEPS_PER_SECOND = 10.0  # that are played


_TEXTBOOK = click.Choice(["bt", "cbj", "fc", "fc-cbj", "mac"])
_SPEED: dict[str, Any] = {"type": click.FloatRange(0, min_open=True), "metavar": "N"}
_COMPETITION_CODES = {"satisfiable": 10, "unsatisfiable": 20, "unknown": 0}


@dataclass
class _Solving(Session):
    no_structure: bool = switch("--no-structure", "Give the engine the tables as they are.")
    all_: bool = switch("--all", "Find all solutions.")
    limit: int | None = setting("--limit", "Find at most N different solutions.", **NUMBER)
    up_to_symmetry: bool = switch("--up-to-symmetry", UP_TO_SYMMETRY)
    symmetries: str = setting("--symmetries", SYMMETRIES_HELP, **SYMMETRIES)
    competition: bool = switch("--competition", "Print s and v lines; exit with 10, 20 or 0, as SAT solvers.")
    textbook: str | None = setting("--textbook", "Search as textbooks do, counters as published.", type=_TEXTBOOK)
    output: str | None = setting("-o --output", "Also write the solutions to OUT.", **OUT)
    has_cells_only: bool = switch("--cells", "Leave out the auxiliary variables of a puzzle.")
    verbose: bool = switch("--verbose", "Also print what each engine that auto asked has done.")
    trace: str | None = setting("--trace", "Write the steps of the engine search to OUT, as JSON Lines.", **OUT)
    show: bool = switch("--show", "Play the steps of the engine search on the terminal.")
    speed: float | None = setting("--speed", "Play N steps per second (default: 10).", **_SPEED)

    @property
    def n_wanted(self) -> int | None:
        """The number of solutions to find; None for all."""
        return None if self.all_ else self.limit or 1

    def answer(self, search: SearchOptions, look: Look, instance: Instance) -> Answer:
        from f2csp.solutions import own_values
        from f2csp.solving import solve as run
        from f2csp.solving.questions import projection

        one = "--competition" if self.competition else "--output" if self.output else "--trace" if self.trace else None
        if one and self.has_others(instance):
            raise F2cspError(f"{one} applies to a single problem; select one with --index")
        problem, load_time = instance.problem, self.lap()
        self.print_head(instance)
        show: Callable[[Solution], None] | None = None
        if not self.as_json and STDIN not in (self.output, self.trace):
            holes = {hole.name: "*" for hole in instance.holes}
            lines = partial(_print_competition_lines, holes)
            show = lines if self.competition else SolutionPrinter(instance, look).show
        cells = projection(instance, "cells") if self.has_cells_only else None
        shown = clock("Searching", search.time_limit)

        def own(solution: Solution) -> Solution:
            return own_values(solution) if cells is None else {name: solution[name] for name in cells}

        def take(solution: Solution) -> None:
            shown.advance(1)
            if show and not self.show:
                with shown.paused():
                    show(own(solution))

        speed = (self.speed or _STEPS_PER_SECOND) if self.show else None
        with steps_observed(self.trace, speed, instance, look) as step, nullcontext() if self.show else shown:
            if self.up_to_symmetry:
                result = self._different(search, problem, take)
            else:
                limits, keeps = search.limits(instance, self.n_wanted), self.show or self.as_json or bool(self.output)
                how: dict[str, Any] = {"use_structure": not self.no_structure, "keep_solutions": keeps, "trace": step}
                result = run(problem, engine=search.engine, limits=limits, observer=take, **how)
            if result.is_interrupted and step is not None:
                raise click.Abort  # the file is as it was
        result = replace(result, solutions=tuple(map(own, result.solutions)))
        if self.output is not None:
            _write_solutions(result, problem, self.output)
        times = {"load": load_time, **result.times, "total": load_time + self.lap()}
        record = _record(result, times)
        if self.competition:
            click.echo(f"s {result.status.upper()}")
            code = _COMPETITION_CODES[result.status]
            return Answer(result.status, code, record, is_interrupted=result.is_interrupted)
        if not self.as_json:
            self._sum_up(result, show, times["total"])
        is_done = result.is_complete or (self.n_wanted is not None and result.n_solutions >= self.n_wanted)
        return Answer(result.status, 0 if is_done else 4, record, is_interrupted=result.is_interrupted)

    def _sum_up(self, result: Result, show: Callable[[Solution], None] | None, seconds: float) -> None:
        """Print what was not printed when it was found."""
        if show is not None:
            for solution in result.solutions if self.show else ():
                show(solution)
            if not result.n_solutions:
                click.echo(result.status.upper())
            elif sys.stdout.isatty() and sys.stderr.isatty():
                click.echo(err=True)  # between the last board and the summary
        say(f"{_summary(result)} ({result.engine}{'' if self.show else f', {seconds:.2f} s'})")
        for line, record in (result.statistics.engines or {}).items() if self.verbose else ():
            reason = f" ({record['message']})" if "message" in record else ""
            say(f"  {line}: {record['status']}{reason}, {record['seconds']:.2f} s")

    def _different(self, search: SearchOptions, problem: Problem, take: Callable[[Solution], None]) -> Result:
        """A solution of each class of those that symmetries map to each other."""
        from f2csp.solving.search_run import Result, Statistics, Status
        from f2csp.solving.up_to_symmetry import essentially_different

        limit, engine = search.time_limit, search.engine
        found = essentially_different(problem, group=self.symmetries, seconds=limit, engine=engine).solutions
        for solution in found:
            take(solution)
        status = Status.SATISFIABLE if found else Status.UNSATISFIABLE
        return Result(status, len(found), found, True, "up to symmetry", Statistics(), {})


@command("solve")
@gathered("session", _Solving, FILES, *PROBLEMS, JSON)
@SEARCH
@LOOK
def solve_command(session: _Solving, search: SearchOptions, look: Look) -> int:
    """Solve the problems in FILE.

    FILE has any format that f2csp formats lists as read, and may hold several puzzles. Constraints such as allDifferent
    are recognised in the tables first and passed to the engine as such. A solution is shown as a board if FILE is a
    puzzle, else as lines NAME = VALUE, with --- between solutions. Each is checked against every constraint before it
    is shown. Exit code 0: solved, or there is no solution; 4: a limit was reached before all solutions asked for.

    \b
    Examples:
      f2csp solve puzzle.csp
      f2csp solve clues.txt
      f2csp solve puzzle.csp --all --json
      f2csp solve puzzle.csp --all --up-to-symmetry
      f2csp solve puzzles.sdm --index 1-10
      f2csp solve puzzle.csp --engine sat --time-limit 60 -o solution.txt
      f2csp solve puzzle.csp --engine search --inference fc --json
      f2csp solve puzzle.csp --textbook bt --time-limit 20 --json
      f2csp solve puzzle.csp --inference mac --trace steps.jsonl
      f2csp solve puzzle.csp --variable-order mrv --show --speed 4
    """
    refuse(session.as_json and session.competition, "--json and --competition cannot be combined")
    refuse(session.all_ and session.limit is not None, "--all and --limit cannot be combined")
    refuse(session.up_to_symmetry and not session.all_, "--up-to-symmetry requires --all")
    others = {"project": search.project, "trace": session.trace, "show": session.show}
    check_symmetries(session.symmetries, up_to_symmetry=session.up_to_symmetry, **others)
    is_taken = session.trace == STDIN and (session.as_json or session.output == STDIN)
    refuse(is_taken, "only one result can be written to standard output")
    refuse(session.show and not sys.stdout.isatty(), "--show needs a terminal as standard output")
    refuse(session.speed is not None and not session.show, "--speed requires --show")
    if session.textbook is not None:
        from f2csp.solving.registry import TEXTBOOK

        other = next(iter(search.engine_options), f"engine {search.engine}").strip("_").replace("_", "-")
        refuse(search.engine not in (None, "search"), f"--textbook and --{other} cannot be combined")
        search.engine = TEXTBOOK[session.textbook]
    if (session.show or session.trace is not None) and search.engine is None:
        search.engine = "search"
    search.require_engine()
    return session.answer_each(partial(session.answer, search, look))


def _print_competition_lines(holes: Mapping[str, str], solution: Solution) -> None:
    click.echo(assignment_lines({**solution, **holes}, "v "), nl=False)


def _write_solutions(result: Result, problem: Problem, output: str) -> None:
    from f2csp.solutions import dump_solutions

    if result.solutions:
        is_json = bare_name(output).endswith(".json")
        dump_solutions(result.solutions, problem, output, form="json" if is_json else "text")
    else:
        say(f"{output} is not written: no solution was found")


def _summary(result: Result) -> str:
    n = result.n_solutions
    if n:
        others = "no others" if result.is_complete else "there may be others"
        return f"{counted(n, 'solution')} found, {others}"
    if result.status == "unsatisfiable":
        return "there is no solution"
    return f"unknown: {'interrupted' if result.is_interrupted else 'stopped by a limit'}"


def _record(result: Result, times: dict[str, float]) -> dict[str, object]:
    keys = {"status": result.status, "solutions": result.solutions, "complete": result.is_complete}
    statistics = {name: value for name, value in asdict(result.statistics).items() if value is not None}
    rounded = {name: round(seconds, 6) for name, seconds in times.items()}
    return {**keys, "engine": result.engine, "statistics": statistics, "times": rounded}


@command("unique")
@reads(FILES, *PROBLEMS, JSON)
@SEARCH
@LOOK
def unique_command(session: Session, search: SearchOptions, look: Look) -> int:
    """Check whether the problems in FILE have exactly one solution.

    If a problem has several, two are shown, with the variables that differ. FILE has any format, and may hold
    several puzzles: then a line for each, and the totals. Exit code 0: exactly one solution; 3: none or several; 4: a
    limit was reached first.

    \b
    Examples:
      f2csp unique puzzle.csp
      f2csp unique puzzles.sdm --json
      f2csp unique puzzles/ --time-limit 60
    """
    from f2csp.solutions import own_values
    from f2csp.solving.questions import unique as ask

    search.require_engine()

    def answer(instance: Instance) -> Answer:
        limits = search.limits(instance, 2)
        with clock("Searching", search.time_limit):
            verdict = ask(instance.problem, engine=search.engine, limits=limits)
        word, solutions = verdict.uniqueness, list(map(own_values, verdict.solutions))
        record: dict[str, object] = {"verdict": word, "solutions": solutions, "differing": verdict.differing}
        if search.project:
            record["project"] = search.project
        code = {"unique": 0, "unknown": 4}.get(word, 3)
        return Answer(word, code, record, partial(_print_verdict, instance, verdict, look, search.project), word)

    return session.answer_each(answer)


def _print_verdict(instance: Instance, verdict: Verdict, look: Look, project: str | None) -> None:
    projected = f", projected on {project}" if project else ""
    lines = {
        "unique": f"there is exactly one solution{projected}",
        "none": "there is no solution",
        "unknown": "unknown: stopped by a limit" + (" after a first solution" if verdict.solutions else ""),
        "multiple": f"there are several solutions{projected}; two of them",
    }
    say(lines[verdict.uniqueness], err=False)
    if verdict.uniqueness == "multiple":
        printer = SolutionPrinter(instance, look, verdict.differing)
        for solution in verdict.solutions:
            printer.show(solution)
        n = len(verdict.differing)
        names = ", ".join(verdict.differing[:_MAX_LISTED_VARIABLES]) + (", ..." if n > _MAX_LISTED_VARIABLES else "")
        say(f"they differ in {counted(n, 'variable')}: {names}", err=False)


@dataclass
class _Explaining(Session):
    all_: bool = switch("--all", "Find all minimal unsatisfiable subsets, the smallest first.")
    smallest: bool = switch("--smallest", "Find a minimal unsatisfiable subset of least size.")
    relax: bool = switch("--relax", "Find the smallest sets of constraints without which there is a solution.")
    limit: int = setting("--limit", "Find at most N sets.", **NUMBER, **shown(20))

    def answer(self, time_limit: float | None, seed: int, look: Look, instance: Instance) -> Answer:
        from f2csp.solving.explanation import explain, explanations, relaxations

        problem, puzzle = instance.problem, instance.recognised
        options: dict[str, Any] = {"seconds": time_limit, "seed": seed, "auxiliary": instance.auxiliary}
        with clock("Searching", time_limit):
            if self.relax:
                return _relaxed(problem, list(islice(relaxations(problem, **options), self.limit)), puzzle)
            if self.all_ or self.smallest:
                found = list(islice(explanations(problem, **options), self.limit if self.all_ else 1))
            else:
                found = [explain(problem, **options)]
        is_late = len(found) > 1 and found[-1].status == "unknown"
        del found[len(found) - is_late :]
        found.sort(key=lambda explanation: (len(explanation.groups), explanation.constraints))
        first = found[0]
        are_known = first.is_smallest if self.all_ or self.smallest else first.is_minimal
        is_done = first.status == "unsatisfiable" and are_known and not is_late
        code = 0 if is_done else 3 if first.status == "satisfiable" else 4
        records = [_explanation_record(problem, explanation, puzzle) for explanation in found]
        more = {"others": records[1:], "smallest": first.is_smallest} if self.all_ or self.smallest else {}
        has_more = is_late or (self.smallest and not is_done)

        def show() -> None:
            if first.status != "unsatisfiable":
                click.echo("there is a solution" if first.status == "satisfiable" else "unknown: time limit reached")
                return
            for explanation, record in zip(found, records, strict=True):
                _print_explanation(record)
                if puzzle is not None:
                    click.echo(_board(problem, explanation, puzzle, look), nl=False)
            if has_more or (self.all_ and len(found) == self.limit):
                reason = "the time limit was reached" if has_more else "the limit was reached"
                click.echo(f"There may be {'others' if self.all_ else 'a smaller subset'}: {reason}")

        return Answer(first.status, code, records[0] | more, show)


@command("explain")
@gathered("session", _Explaining, FILES, *PROBLEMS, JSON)
@TIME_LIMIT
@SEED
@LOOK
def explain_command(session: _Explaining, time_limit: float | None, seed: int, look: Look) -> int:
    """Explain why the problems in FILE have no solution.

    The constraints shown are a minimal unsatisfiable subset: removing any one makes the rest satisfiable. For a puzzle,
    they are given as rules and givens, with a board on which their cells are marked. FILE has any format, and may hold
    several puzzles. Exit code 0: explained; 3: there is a solution; 4: the time limit was reached.

    \b
    Examples:
      f2csp explain puzzle.csp
      f2csp explain clues.txt --json
      f2csp explain puzzle.csp --all --time-limit 60
      f2csp explain puzzle.csp --relax
    """
    refuse(session.all_ + session.smallest + session.relax > 1, "expected one of --all, --smallest and --relax")
    return session.answer_each(partial(session.answer, time_limit, seed, look))


def _relaxed(problem: Problem, found: list[tuple[Group, ...] | None], puzzle: Puzzle | None) -> Answer:
    """The sets of least size; None at the end is the time limit."""
    from f2csp.solving.explanation import describe_group

    sets = [groups for groups in found if groups is not None and len(groups) == len(found[0] or ())]
    sets.sort(key=lambda groups: [group.constraints for group in groups])
    words = [[describe_group(problem, group, puzzle) for group in groups] for groups in sets]

    def show() -> None:
        for number, sentences in enumerate(words, 1):
            click.echo(f"{number}. There is a solution without:")
            for sentence in sentences:
                say(f"  {sentence}", err=False)
        if not sets:
            click.echo("unknown: time limit reached")

    if sets == [()]:
        record: dict[str, object] = {"status": "satisfiable", "relaxations": []}
        return Answer("satisfiable", 3, record, partial(click.echo, "there is a solution"))
    status, code = ("unsatisfiable", 0) if sets else ("unknown", 4)
    return Answer(status, code, {"status": status, "relaxations": words}, show)


def _print_explanation(record: dict[str, Any]) -> None:
    click.echo("There is no solution: these contradict each other:")
    for part in record["parts"]:
        say(f"  {part['words']}", err=False)
    n = len(record["constraints"])
    minimal = "all of them needed" if record["minimal"] else "perhaps not all of them needed"
    click.echo(f"In the file {'this is one constraint' if n == 1 else f'these are {n} constraints, {minimal}'}:")
    for constraint in record["constraints"][:_MAX_LISTED_CONSTRAINTS]:
        where = f" (line {constraint['line']})" if constraint["line"] is not None else ""
        say(f"  {constraint['constraint']}{where} on {' '.join(constraint['scope'])}", err=False)
    if n > _MAX_LISTED_CONSTRAINTS:
        click.echo(f"  ... and {n - _MAX_LISTED_CONSTRAINTS} more (all with --json)")


def _board(problem: Problem, explanation: Explanation, puzzle: Puzzle, look: Look) -> str:
    """The board with only the givens of these constraints, and a question mark in their other cells."""
    names = {name for index in explanation.constraints for name in problem.constraints[index].scope}
    cells = set(map(cell_of, names))
    clues = tuple(clue for clue in puzzle.clues if clue.cell in cells)
    return board_writer(replace(puzzle, clues=clues), look, names)({})


def _explanation_record(problem: Problem, explanation: Explanation, puzzle: Puzzle | None) -> dict[str, Any]:
    from f2csp.solving.explanation import describe_group

    constraints = [problem.constraints[index] for index in explanation.constraints]
    return {
        "status": explanation.status,
        "minimal": explanation.is_minimal,
        "parts": [
            {
                "words": describe_group(problem, group, puzzle),
                "constraints": list(map(problem.label, group.constraints)),
            }
            for group in explanation.groups
        ],
        "constraints": [{"constraint": c.label, "line": c.line, "scope": c.scope, "kind": c.kind} for c in constraints],
    }

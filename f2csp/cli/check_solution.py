"""``f2csp check`` and ``decode``: solution files, and the answers of foreign solvers."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import click

from f2csp.cli.failures import first_lines, report_diagnostics, say, write_diagnostics
from f2csp.cli.options import FILE, FORMAT, INDEX, JSON, NUMBER, ONE_FILE, OUT, STRICT, flag, option, shown
from f2csp.cli.session import Answer, Session, command, gathered, reads, setting, switch, worst
from f2csp.diagnostics import DEFAULT_LIMIT, InvalidInput, counted
from f2csp.diagnostics.render import RENDERERS
from f2csp.inputs import file_names, source_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from f2csp.instances import Instance
    from f2csp.model import Checker, Violation
    from f2csp.puzzles.puzzle import Cell, Conflict
    from f2csp.solutions import Solution

_SECONDS = 1.0  # of the search for a solution with the values of an incomplete one


@dataclass
class _Checking(Session):
    """A session that checks the solutions of several files against one problem."""

    form_of_answers: str | None = setting("--from", "Read SOLUTION as the output of a solver for FORMAT.", **FORMAT)
    quiet: bool = switch("-q --quiet", "List what does not hold only.")
    max_errors: int = setting("--max-errors", "List at most N errors of a file.", **NUMBER, **shown(DEFAULT_LIMIT))
    verbose: bool = switch("--verbose", "List all that is broken, and the violated constraints of puzzles.")
    rendering: str = setting("--format", "Output format of errors.", type=click.Choice([*RENDERERS]), **shown("full"))
    has_several: bool = field(default=False, init=False)  # solution files

    def report(self, error: InvalidInput) -> None:
        listed = error.diagnostics[: self.max_errors]
        write_diagnostics(listed, self.rendering, sys.stdout if self.rendering in ("json", "github") else sys.stderr)
        report_diagnostics((), error.n_hidden + len(error.diagnostics) - len(listed))

    def check(self, solutions: Sequence[str], instance: Instance) -> int:
        from f2csp.model import Checker

        self.accept(instance)
        if self.has_others(instance):
            n, hint = instance.n_instances, "select one with --index"
            message = f"expected one problem to check solutions against, found {n:,} in {instance.file}; {hint}"
            raise click.UsageError(message)
        files = file_names(solutions)
        self.has_several = len(files) > 1
        check = partial(self._check_file, Checker(instance.problem), instance)
        return worst([self.guarded(partial(check, file), file) for file in files])

    def fail(self, name: str, error: Exception) -> None:
        super().fail(name, error)
        if self.has_several and not self.as_json:  # where the verdicts are
            reason = counted(len(error.diagnostics), "error") if isinstance(error, InvalidInput) else "cannot be read"
            say(f"{name}: not checked: {reason}", err=False)

    def _check_file(self, checker: Checker, instance: Instance, solution: str) -> int:
        from f2csp.formats.foreign import fitting, readings

        problem = instance.problem
        found = readings(source_of(solution), problem, self.form_of_answers, problem.variable_names, instance.format)
        fit = fitting(found, problem)
        judged = [
            (reading, [_verdict(checker, instance, values) for values in reading.solutions])
            for reading in ([fit] if fit else found)
        ]
        usual, own = judged[0]
        holds = all(verdict.holds for verdict in own)

        def show() -> None:
            for reading, verdicts in judged:
                is_named = len(judged) > 1 or not reading.is_usual
                name = f"{solution}, read as {reading.words}" if is_named else solution
                _print_verdicts(name, verdicts, is_verbose=self.verbose)

        record = {"solution_file": solution, "read_as": usual.form, "holds": holds}
        record |= {"solutions": [verdict.record for verdict in own]}
        word = "correct" if holds else "wrong" if any(verdict.is_wrong for verdict in own) else "incomplete"
        return self.take(instance, Answer(word, 0 if holds else 3, record, None if holds and self.quiet else show))


@command("check")
@gathered("session", _Checking, ONE_FILE, INDEX, STRICT, JSON)
@click.argument("solutions", nargs=-1, required=True, type=FILE, metavar="SOLUTION...")
def check_command(session: _Checking, solutions: tuple[str, ...]) -> int:
    """Check the solutions in SOLUTION against the problem in FILE.

    SOLUTION has lines NAME = VALUE, and lines --- between solutions; or it is JSON, an object or a list of objects; or,
    for a puzzle, boards or clues. It may be a directory (all files in it), a pattern, or @LIST for the names in LIST.
    Any of the files may be compressed, one of them may be - for standard input. A solution may leave out the auxiliary
    variables of a puzzle or of an import: it holds if values for them exist. An unfinished solution does not hold; what
    it has is judged. The answer of a foreign solver is recognised, or named by --from; of two ways to read it the one
    that breaks no constraint is taken. Exit code 0: all solutions hold; 3: one does not.

    \b
    Examples:
      f2csp check puzzle.csp solution.txt
      f2csp check puzzle.csp answers/*.txt --quiet
      f2csp check puzzle.csp.xz solutions.json --json
      f2csp check puzzle.csp ace.log --from xcsp3
    """
    code = session.work_on_each_problem(partial(session.check, solutions))
    session.print_totals("solution files")
    return code


@dataclass(frozen=True, slots=True)
class _Verdict:
    values: Solution
    violations: list[Violation]
    blank: Sequence[str | Cell]  # the cells of a puzzle, or the variables, that have no value
    n_places: int  # with and without a value
    is_completable: bool | None  # whether a solution has these values; None if a search was too short to say
    conflicts: list[Conflict]  # the broken rules of a puzzle

    @property
    def holds(self) -> bool:
        return self.is_completable is True and not self.blank

    @property
    def is_wrong(self) -> bool:
        return self.is_completable is False or bool(self.conflicts)

    @property
    def record(self) -> dict[str, object]:
        violations = [
            {"constraint": c.label, "line": c.line, "scope": c.scope, "values": values, "kind": c.kind}
            for c in [violation.constraint for violation in self.violations]
            for values in [[self.values[name] for name in c.scope]]
        ]
        blank = [place if isinstance(place, str) else place.variable for place in self.blank]
        rules = [conflict.message for conflict in self.conflicts]
        found = {"holds": self.holds, "completable": self.is_completable, "blank": blank}
        return {**found, "violations": violations, "broken_rules": rules}

    @property
    def sentence(self) -> str:
        """The verdict in words, with a colon where what is broken follows."""
        broken = f"{counted(len(self.violations), 'constraint')}:"
        if not self.blank:
            reason = (
                ":" if self.conflicts else ": no values of the variables that it leaves out satisfy the constraints"
            )
            is_plain = self.violations and not self.conflicts
            return "holds" if self.holds else f"breaks {broken}" if is_plain else f"does not hold{reason}"
        n, first = len(self.blank), self.blank[0]
        is_variable = isinstance(first, str)
        places = counted(self.n_places, "variable" if is_variable else "cell")
        state = f"{'is' if n == 1 else 'are'} {'unassigned' if is_variable else 'blank'}"
        where = f"{'' if n == 1 else 'the first: '}{first}"
        return f"is incomplete: {n:,} of {places} {state} ({where}); {self._of_the_others(broken, is_variable)}"

    def _of_the_others(self, broken: str, is_variable: bool) -> str:
        if self.conflicts:
            n = len({clue.cell for conflict in self.conflicts for clue in conflict.clues})
            return f"of the others, {n:,} {'is' if n == 1 else 'are'} in conflict:"
        if self.violations:
            return f"the others break {broken}"
        end = {True: " and can be completed", False: " but cannot be completed", None: ""}[self.is_completable]
        return f"the others break no {'constraint' if is_variable else 'rule'}{end}"


def _verdict(checker: Checker, instance: Instance, values: Solution) -> _Verdict:
    from f2csp.solutions import own_values
    from f2csp.solving.questions import complete

    puzzle, problem = instance.recognised, instance.problem
    places: Sequence[str | Cell] = puzzle.cells if puzzle else [*own_values(dict.fromkeys(problem.variable_names))]
    blank = puzzle.blanks_of(values) if puzzle else [name for name in places if name not in values]
    violations = checker.broken_by(values)
    is_completable: bool | None = not violations
    if is_completable and len(values) < problem.n_variables:
        result = complete(problem, values, _SECONDS if blank else None)
        is_completable = {"satisfiable": True, "unsatisfiable": False}.get(result.status)
    is_solution = is_completable is True and not blank
    conflicts = list(puzzle.conflicts_of(values)) if puzzle and not is_solution else []
    return _Verdict(values, violations, blank, len(places), is_completable, conflicts)


def _print_verdicts(solution: str, verdicts: list[_Verdict], *, is_verbose: bool) -> None:
    for i, verdict in enumerate(verdicts, 1):
        say(f"{solution}: solution {i} of {len(verdicts)} {verdict.sentence}", err=False)
        rules, constraints = [conflict.message for conflict in verdict.conflicts], list(map(str, verdict.violations))
        for reason in [*rules, *constraints] if is_verbose else first_lines(rules or constraints):
            say(f"  {reason}", err=False)
    if len(verdicts) > 1:
        n = sum(verdict.holds for verdict in verdicts)
        n_repeated = len(verdicts) - len({tuple(sorted(verdict.values.items())) for verdict in verdicts})
        repeated = f"; {n_repeated:,} repeat another" if n_repeated > 1 else "; 1 repeats another" if n_repeated else ""
        say(f"{n:,} of {len(verdicts):,} solutions {'holds' if n == 1 else 'hold'}{repeated}", err=False)


@command("decode")
@reads(ONE_FILE, INDEX, STRICT)
@click.argument("answer", type=FILE)
@option("--from", "from_", **FORMAT, help="Format of the file that the solver read (default: detected from ANSWER).")
@option("-o", "--output", **OUT, default="-", help="Write to OUT (default: standard output).")
@flag("--json", "to_json", help="Write JSON.")
def decode_command(session: Session, answer: str, from_: str | None, output: str, to_json: bool) -> int:
    """Turn a foreign solver's ANSWER into a solution file.

    FILE is the F2CSP file from which the solver's input was converted; the solutions have its names and values. The
    constraints are not checked (see f2csp check). Either file may be compressed, one of them may be - for standard
    input.

    \b
    Examples:
      f2csp convert puzzle.csp puzzle.cnf && cadical -q puzzle.cnf > answer.txt
      f2csp decode puzzle.csp answer.txt
    """
    from f2csp.solutions import dump_solutions

    def write(instance: Instance) -> None:
        solutions = session.solutions(answer, instance, from_, instance.auxiliary)
        dump_solutions(solutions, instance.problem, output, form="json" if to_json else "text")

    return session.work_on_first(write)

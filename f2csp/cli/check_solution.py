"""``f2csp check`` and ``decode``: solution files, and the answers of foreign solvers."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from f2csp.cli.failures import report_diagnostics, say, write_diagnostics
from f2csp.cli.options import FILE, FORMAT, INDEX, JSON, NUMBER, ONE_FILE, OUT, STRICT, flag, option, shown
from f2csp.cli.session import Answer, Session, command, gathered, reads, setting, switch, worst
from f2csp.diagnostics import DEFAULT_LIMIT, InvalidInput
from f2csp.diagnostics.render import RENDERERS
from f2csp.files import read_source
from f2csp.inputs import expanded, source_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from f2csp.instances import Instance
    from f2csp.model import Checker, Violation
    from f2csp.solutions import Solution


@dataclass
class _Checking(Session):
    """A session that checks the solutions of several files against one problem."""

    form_of_answers: str | None = setting("--from", "Read SOLUTION as the output of a solver for FORMAT.", **FORMAT)
    quiet: bool = switch("-q --quiet", "List what does not hold only.")
    max_errors: int = setting("--max-errors", "List at most N errors of a file.", **NUMBER, **shown(DEFAULT_LIMIT))
    rendering: str = setting("--format", "Output format of errors.", type=click.Choice([*RENDERERS]), **shown("full"))

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
        check = partial(self._check_file, Checker(instance.problem), instance)
        return worst([self.guarded(partial(check, solution), solution) for solution in expanded(solutions)])

    def _check_file(self, checker: Checker, instance: Instance, solution: str) -> int:
        from f2csp.formats.foreign import answers_in

        answers = answers_in(source_of(solution), instance.problem, self.form_of_answers, instance.auxiliary)
        found = [_verdict(checker, instance, values) for values in answers]
        holds = all(verdict.holds for verdict in found)
        show = partial(_print_verdicts, solution, found) if not (holds and self.quiet) else None
        record = {"solution_file": solution, "holds": holds, "solutions": [verdict.record for verdict in found]}
        return self.take(instance, Answer("hold" if holds else "violated", 0 if holds else 3, record, show))


@command("check")
@gathered("session", _Checking, ONE_FILE, INDEX, STRICT, JSON)
@click.argument("solutions", nargs=-1, required=True, type=FILE, metavar="SOLUTION...")
def check_command(session: _Checking, solutions: tuple[str, ...]) -> int:
    """Check the solutions in SOLUTION against the problem in FILE.

    SOLUTION has lines NAME = VALUE, and lines --- between solutions; or it is JSON, an object or a list of objects; or,
    for a puzzle, boards or clues. It may be a directory (all files in it), a pattern, or @LIST for the names in LIST.
    Any of the files may be compressed, one of them may be - for standard input. A solution may leave out the auxiliary
    variables of a puzzle or of an import: it holds if values for them exist. The answer of a foreign solver is
    recognised, or named by --from. Exit code 0: all solutions hold; 3: one does not.

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


class _Verdict(NamedTuple):
    values: Solution
    violations: list[Violation]
    is_completable: bool  # whether the variables that the solution leaves out can have values
    broken_rules: list[str]  # of a puzzle, in words

    @property
    def holds(self) -> bool:
        return self.is_completable and not self.violations

    @property
    def record(self) -> dict[str, object]:
        violations = [
            {"constraint": c.label, "line": c.line, "scope": c.scope, "values": values, "kind": c.kind}
            for c in [violation.constraint for violation in self.violations]
            for values in [[self.values[name] for name in c.scope]]
        ]
        return {"holds": self.holds, "completable": self.is_completable, "violations": violations}


def _verdict(checker: Checker, instance: Instance, values: Solution) -> _Verdict:
    violations, is_completable = checker.broken_by(values), True
    if not violations and len(values) < instance.problem.n_variables:
        from f2csp.solving.questions import complete

        is_completable = complete(instance.problem, values).n_solutions == 1
    puzzle = instance.recognised if violations or not is_completable else None
    broken_rules = [broken.message for broken in puzzle.conflicts_of(values)] if puzzle else []
    return _Verdict(values, violations, is_completable, broken_rules)


def _print_verdicts(solution: str, found: list[_Verdict]) -> None:
    for i, verdict in enumerate(found, 1):
        n = len(verdict.violations)
        what = f"breaks {n} constraint{'s'[: n > 1]}:" if n else "holds"
        if not verdict.is_completable:
            what = "does not hold: no values of the variables that it leaves out satisfy the constraints"
        say(f"{solution}: solution {i} of {len(found)} {what}", err=False)
        for reason in (*verdict.violations, *verdict.broken_rules):
            say(f"  {reason}", err=False)
    if len(found) > 1:
        n_repeated = len(found) - len({tuple(sorted(verdict.values.items())) for verdict in found})
        repeated = f"; {n_repeated:,} repeat another" if n_repeated else ""
        say(f"{sum(verdict.holds for verdict in found):,} of {len(found):,} solutions hold{repeated}", err=False)


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
    from f2csp.formats.foreign import answers_in
    from f2csp.solutions import dump_solutions

    def write(instance: Instance) -> None:
        solutions = answers_in(read_source(answer), instance.problem, from_, instance.auxiliary)
        dump_solutions(solutions, instance.problem, output, form="json" if to_json else "text")

    return session.work_on_first(write)

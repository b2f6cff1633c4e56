"""``f2csp check`` and ``decode``: solution files, and the answers of foreign solvers."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from f2csp.cli.failures import refuse_two_dashes
from f2csp.cli.options import FILE, FORMAT, INDEX, JSON, ONE_FILE, OUT, STRICT, flag, option
from f2csp.cli.session import Answer, Session, command, reads
from f2csp.files import read_source
from f2csp.puzzles.puzzle import cell_of

if TYPE_CHECKING:
    from f2csp.instances import Instance
    from f2csp.model import Checker, Violation
    from f2csp.solutions import Solution


@command("check")
@reads(ONE_FILE, INDEX, STRICT, JSON)
@click.argument("solution", type=FILE)
@option("--from", "from_", **FORMAT, help="SOLUTION is the output of a solver for this format.")
def check_command(session: Session, solution: str, from_: str | None) -> int:
    """Check the solutions in SOLUTION against the problem in FILE.

    SOLUTION has lines NAME = VALUE, and lines --- between solutions; or it is JSON, an object or a list of objects.
    Either file may be compressed, one of them may be - for standard input. A solution may leave out the auxiliary
    variables of a puzzle or of an import: it holds if values for them exist. The answer of a foreign solver is
    recognised, or named by --from. Exit code 0: all solutions hold; 3: one does not.

    \b
    Examples:
      f2csp check puzzle.csp solution.txt
      f2csp check puzzle.csp.xz solutions.json --json
      f2csp check puzzle.csp ace.log --from xcsp3
    """
    from f2csp.formats.foreign import answer_reader
    from f2csp.model import Checker
    from f2csp.solutions import solutions_in

    refuse_two_dashes(*session.files, solution)

    def answer(instance: Instance) -> Answer:
        if session.has_others(instance):
            n, hint = instance.n_instances, "select one with --index"
            message = f"expected one problem to check solutions against, found {n:,} in {instance.file}; {hint}"
            raise click.UsageError(message)
        problem = instance.problem
        source = read_source(solution)
        form = from_ or next((name for name, pattern in _ANSWERS.items() if pattern.search(source.data)), None)
        if form is None:
            solutions = solutions_in(source, problem, _auxiliary(instance))
        else:
            solutions = answer_reader(form).answers(source, problem)
        checker = Checker(problem)
        found = [_verdict(checker, instance, values) for values in solutions]
        holds = all(verdict.holds for verdict in found)
        show = partial(click.echo, _as_text(solution, found).encode("utf-8", "backslashreplace"))
        record = {"solution_file": solution, "holds": holds, "solutions": list(map(_record, found))}
        return Answer("holds" if holds else "violated", 0 if holds else 3, record, show)

    return session.answer_each(answer)


_ANSWERS = {  # what the lines of solvers' answers look like; a solution file has no such line
    "xcsp3": re.compile(rb"<instantiation"),
    "dimacs": re.compile(rb"^(?:v(?: -?\d+)+|SAT|UNSAT|s SATISFIABLE) *\r?$", re.MULTILINE),
    "minizinc": re.compile(rb"^(?:-{10}|={10}) *\r?$", re.MULTILINE),
}


class _Verdict(NamedTuple):
    values: Solution
    violations: list[Violation]
    is_completable: bool  # whether the variables that the solution leaves out can have values
    broken_rules: list[str]  # of a puzzle, in words

    @property
    def holds(self) -> bool:
        return self.is_completable and not self.violations


def _auxiliary(instance: Instance) -> list[str]:
    """The variables that a solution may leave out."""
    from f2csp.model.words import is_auxiliary

    names = instance.problem.variable_names
    others = [name for name in names if cell_of(name) is None]
    return others if others and instance.recognised else [name for name in names if is_auxiliary(name)]


def _verdict(checker: Checker, instance: Instance, values: Solution) -> _Verdict:
    violations, is_completable = checker.broken_by(values), True
    if not violations and len(values) < instance.problem.n_variables:
        from f2csp.solving.questions import complete

        is_completable = complete(instance.problem, values).n_solutions == 1
    puzzle = instance.recognised if violations or not is_completable else None
    broken_rules = [broken.message for broken in puzzle.conflicts_of(values)] if puzzle else []
    return _Verdict(values, violations, is_completable, broken_rules)


def _record(verdict: _Verdict) -> dict[str, object]:
    return {
        "holds": verdict.holds,
        "completable": verdict.is_completable,
        "violations": [_violation(violation, verdict.values) for violation in verdict.violations],
    }


def _violation(violation: Violation, values: Solution) -> dict[str, object]:
    c = violation.constraint
    of_scope = [values[name] for name in c.scope]
    return {"constraint": c.label, "line": c.line, "scope": c.scope, "values": of_scope, "kind": c.kind}


def _as_text(solution: str, found: list[_Verdict]) -> str:
    lines = []
    for i, verdict in enumerate(found, 1):
        n = len(verdict.violations)
        what = f"breaks {n} constraint{'s'[: n > 1]}:" if n else "holds"
        if not verdict.is_completable:
            what = "does not hold: no values of the variables that it leaves out satisfy the constraints"
        lines.append(f"{solution}: solution {i} of {len(found)} {what}")
        lines += [f"  {reason}" for reason in (*verdict.violations, *verdict.broken_rules)]
    if len(found) > 1:
        n_repeated = len(found) - len({tuple(sorted(verdict.values.items())) for verdict in found})
        repeated = f"; {n_repeated:,} repeat another" if n_repeated else ""
        lines.append(f"{sum(verdict.holds for verdict in found):,} of {len(found):,} solutions hold{repeated}")
    return "\n".join(lines)


@command("decode")
@reads(ONE_FILE, INDEX, STRICT)
@click.argument("answer", type=FILE)
@option("--from", "from_", **FORMAT, required=True, help="Format of the file that the solver read.")
@option("-o", "--output", **OUT, default="-", help="Write to OUT (default: standard output).")
@flag("--json", "to_json", help="Write JSON.")
def decode_command(session: Session, answer: str, from_: str, output: str, to_json: bool) -> int:
    """Turn a foreign solver's ANSWER into a solution file.

    FILE is the F2CSP file from which the solver's input was converted; the solutions have its names and values. The
    constraints are not checked (see f2csp check). Either file may be compressed, one of them may be - for standard
    input.

    \b
    Examples:
      f2csp convert puzzle.csp puzzle.cnf && cadical -q puzzle.cnf > answer.txt
      f2csp decode puzzle.csp answer.txt --from dimacs
    """
    from f2csp.formats.foreign import answer_reader
    from f2csp.solutions import dump_solutions

    refuse_two_dashes(*session.files, answer)
    reader = answer_reader(from_)

    def write(instance: Instance) -> None:
        solutions = reader.answers(read_source(answer), instance.problem)
        dump_solutions(solutions, instance.problem, output, form="json" if to_json else "text")

    return session.work_on_first(write)

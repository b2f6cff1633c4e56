"""``f2csp check``: whether solutions hold, and which constraints they break."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

if TYPE_CHECKING:
    from f2csp.model import Problem, Value, Violation


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@click.argument("solution")
@click.option("--from", "from_", metavar="FORMAT", help="SOLUTION is what a solver of this format printed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def check(file: str, solution: str, from_: str | None, as_json: bool) -> int:
    """Say of each solution in the file SOLUTION whether it solves the problem in FILE.

    SOLUTION has lines NAME = VALUE, and lines --- between solutions; or it is JSON, an object or a list of objects.
    Either file may be compressed, one of them may be - for standard input. A solution of a puzzle need only give values
    to the cells: it holds if the other variables can be completed. Exit code 0: all hold.

    \b
    Examples:
      f2csp check puzzle.csp solution.txt
      f2csp check puzzle.csp.xz solutions.json --json
      f2csp check puzzle.csp ace.log --from xcsp3
    """
    from f2csp.cli.progress import progress
    from f2csp.solutions import load_solutions
    from f2csp.text.load import load

    if file == solution == "-":
        raise click.UsageError("only one of the two files can be standard input")
    with progress("Reading bytes", None) as advance:
        problem = load(file, advance=advance)
    if from_ is None:
        solutions = load_solutions(solution, problem, optional=_auxiliary(problem))
    else:
        from f2csp.files import read_source
        from f2csp.formats.foreign import foreign_format

        solutions = foreign_format(from_).answer_reader().answers(read_source(solution), problem)
    found = _verdicts(problem, solutions)
    text = _as_json(file, solution, solutions, found) if as_json else _as_text(solution, found)
    click.echo(text.encode("utf-8", "backslashreplace"))  # a file's name need not be UTF-8
    return int(not all(verdict.holds for verdict in found))


class _Verdict(NamedTuple):
    """What is to be said of a solution: the constraints that it breaks, and whether it can be completed."""

    violations: list[Violation]
    is_completable: bool

    @property
    def holds(self) -> bool:
        return self.is_completable and not self.violations


def _auxiliary(problem: Problem) -> list[str]:
    """The variables that a puzzle's solution may leave out."""
    from f2csp.diagnostics import Unsuitable
    from f2csp.puzzles.recovery import from_problem
    from f2csp.puzzles.squares import cell_of

    auxiliary = [name for name in problem.variable_names if cell_of(name) is None]
    if not auxiliary:
        return []
    try:
        from_problem(problem)
    except Unsuitable:
        return []
    return auxiliary


def _verdicts(problem: Problem, solutions: list[dict[str, Value]]) -> list[_Verdict]:
    from f2csp.model import Checker

    checker = Checker(problem)
    found = []
    for values in solutions:
        violations = checker.broken_by(values)
        is_partial = len(values) < problem.n_variables
        found.append(_Verdict(violations, not is_partial or bool(violations) or _can_be_completed(problem, values)))
    return found


def _can_be_completed(problem: Problem, values: dict[str, Value]) -> bool:
    from f2csp.solving.questions import complete

    return complete(problem, values).n_solutions == 1


def _as_json(file: str, solution: str, solutions: list[dict[str, Value]], found: list[_Verdict]) -> str:
    import json

    record = {
        "file": file,
        "solution_file": solution,
        "holds": all(verdict.holds for verdict in found),
        "solutions": [
            {
                "holds": verdict.holds,
                "completable": verdict.is_completable,
                "violations": [_record(violation, values) for violation in verdict.violations],
            }
            for values, verdict in zip(solutions, found, strict=True)
        ],
    }
    return json.dumps(record, ensure_ascii=False)


def _record(violation: Violation, values: dict[str, Value]) -> dict[str, object]:
    constraint = violation.constraint
    return {
        "constraint": constraint.label,
        "line": constraint.line,
        "scope": constraint.scope,
        "values": [values[name] for name in constraint.scope],
        "kind": constraint.kind,
    }


def _as_text(solution: str, found: list[_Verdict]) -> str:
    lines = []
    for i, verdict in enumerate(found, 1):
        n = len(verdict.violations)
        what = f"breaks {n} constraint{'s'[: n > 1]}:" if n else "holds"
        if not verdict.is_completable:
            what = "does not hold: the variables that it leaves out cannot be completed"
        lines.append(f"{solution}: solution {i} of {len(found)} {what}")
        lines += [f"  {violation}" for violation in verdict.violations]
    return "\n".join(lines)

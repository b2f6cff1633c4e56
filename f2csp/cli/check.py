"""``f2csp check``: whether solutions hold, and which constraints they break."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from f2csp.model import Value, Violation


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@click.argument("solution")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def check(file: str, solution: str, as_json: bool) -> int:
    """Say of each solution in the file SOLUTION whether it solves the problem in FILE.

    SOLUTION has lines NAME = VALUE, and lines --- between solutions; or it is JSON, an object or a list of objects.
    Either file may be compressed, one of them may be - for standard input. Exit code 0: all hold.

    \b
    Examples:
      f2csp check puzzle.csp solution.txt
      f2csp check puzzle.csp.xz solutions.json --json
    """
    from f2csp.cli.progress import progress
    from f2csp.model.check import check_all
    from f2csp.syntax.solutions import load_solutions
    from f2csp.validation import load

    if file == solution == "-":
        raise click.UsageError("only one of the two files can be standard input")
    with progress("Reading bytes", None) as advance:
        problem = load(file, advance=advance)
    solutions = load_solutions(solution, problem)
    found = list(check_all(problem, solutions))
    text = _as_json(file, solution, solutions, found) if as_json else _as_text(solution, found)
    click.echo(text.encode("utf-8", "backslashreplace"))  # a file's name need not be UTF-8
    return int(any(found))


def _as_json(file: str, solution: str, solutions: list[dict[str, Value]], found: list[list[Violation]]) -> str:
    import json

    record = {
        "file": file,
        "solution_file": solution,
        "holds": not any(found),
        "solutions": [
            {"holds": not violations, "violations": [_record(violation, values) for violation in violations]}
            for values, violations in zip(solutions, found, strict=True)
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


def _as_text(solution: str, found: list[list[Violation]]) -> str:
    lines = []
    for i, violations in enumerate(found, 1):
        n = len(violations)
        verdict = f"breaks {n} constraint{'s'[: n > 1]}:" if n else "holds"
        lines.append(f"{solution}: solution {i} of {len(found)} {verdict}")
        lines += [f"  {violation}" for violation in violations]
    return "\n".join(lines)

"""``f2csp stats``."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, cast

import click

from f2csp.cli.options import JSON, Command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from f2csp.statistics import Spread, Stats, StructureStats
    from f2csp.text.counter import Counts

    Found = Counts | Stats | tuple[Stats, StructureStats]
    Count = Callable[[str], Found]
    Write = Callable[[str, Found], str]

_MAX_LISTED_SIZES = 10


@click.command(cls=Command)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("-o", "--output", metavar="OUT", help="Write to OUT, if all files are valid (default: standard output).")
@JSON
@click.option("--structure", is_flag=True, help="Also recognise constraints: all-different groups, comparisons, ...")
@click.option("--fast", is_flag=True, help="Only count, and check only the counts; for files of any size.")
def stats(files: tuple[str, ...], output: str | None, as_json: bool, structure: bool, fast: bool) -> int:
    """Count the domains, variables, constraints and tuples of F2CSP files.

    FILE may be compressed, a directory (all .csp files in it) or - for standard input. Without arguments, on a
    terminal, the command asks for the names of the problem file and the output file.

    \b
    Examples:
      f2csp-stats puzzle.csp
      f2csp-stats puzzles/ --json -o counts.jsonl
      f2csp-stats --structure puzzle.csp
      f2csp-stats --fast huge.csp.xz
    """
    from f2csp.cli.options import ask_two_names, problem_files
    from f2csp.files import writing

    if structure and fast:
        raise click.UsageError("--fast and --structure cannot be combined")
    if not files:
        first, output = ask_two_names("Problem file", "Output file")
        files = (first,)
    names = problem_files(files)
    count = _counted if fast else _with_structure if structure else _measured
    write = _as_json if as_json else _as_text
    if output is None or output == "-":
        with writing("-") as stream:
            return _write_all(names, count, write, stream)
    return _write_all_into(output, names, count, write)


def _counted(name: str) -> Counts:
    from f2csp.text.counter import count

    return count(name)


def _measured(name: str) -> Stats:
    from f2csp.cli.inputs import load_problem
    from f2csp.statistics import stats as stats_of

    return stats_of(load_problem(name))


def _with_structure(name: str) -> tuple[Stats, StructureStats]:
    from f2csp.cli.inputs import load_problem
    from f2csp.statistics import stats as stats_of
    from f2csp.statistics import structure_stats

    problem = load_problem(name)
    return stats_of(problem), structure_stats(problem)


def _write_all_into(output: str, names: list[str], count: Count, write: Write) -> int:
    """Count, then write all or nothing."""
    from io import BytesIO

    from f2csp.files import writing

    if any(_is_same_file(output, name) for name in names):
        raise click.UsageError(f"{output} is both input and output")
    text = BytesIO()
    code = _write_all(names, count, write, text)
    if code:
        click.echo(f"{output} is not written: a file could not be counted", err=True)
        return code
    with writing(output) as stream:
        stream.write(text.getvalue())
    return 0


def _is_same_file(one: str, other: str) -> bool:
    from pathlib import Path

    try:
        return other != "-" and Path(one).samefile(other)
    except OSError:  # one of the two is not there
        return False


def _write_all(names: list[str], count: Count, write: Write, stream: BinaryIO) -> int:
    """Write the numbers of each valid file, report the faults of the others, and return the exit code."""
    from f2csp.cli.report import for_each_file

    separator = ""

    def write_one(name: str) -> int:
        nonlocal separator
        text = write(name, count(name))
        if write is _as_text and len(names) > 1:
            text = f"{separator}File: {name}\n{text}"
            separator = "\n"
        stream.write(text.encode("utf-8", "backslashreplace"))  # a file's name need not be UTF-8
        stream.flush()
        return 0

    return for_each_file(names, write_one)


def _as_json(name: str, found: Found) -> str:
    import json
    from dataclasses import asdict

    numbers, structure = found if isinstance(found, tuple) else (found, None)
    record = {"file": name, **asdict(numbers)}
    if structure is not None:
        record["structure"] = asdict(structure)
    return json.dumps(record, ensure_ascii=False) + "\n"


def _as_text(name: str, found: Found) -> str:  # noqa: ARG001 - like _as_json; the name is on the line before
    numbers, structure = found if isinstance(found, tuple) else (found, None)
    lines = _counts(numbers)
    if hasattr(numbers, "distinct_relations"):  # it is not counted by --fast
        lines |= _measures(cast("Stats", numbers))
    return _as_lines(lines | _meanings(structure) if structure else lines)


def _as_lines(lines: Mapping[str, object]) -> str:
    return "".join([f"{label}: {value}".rstrip() + "\n" for label, value in lines.items()])


def _meanings(found: StructureStats) -> dict[str, object]:
    meanings = ", ".join(f"{n} {meaning}" for meaning, n in found.meanings.items())
    return {
        "Meanings": meanings or "no constraints",
        "All-different groups": _histogram(found.all_different, "size", "pairs that must differ"),
        "Constraints left as tables": found.tables,
    }


def _counts(found: Counts | Stats) -> dict[str, object]:
    return {
        "Title": found.title.replace("\n", " / "),
        "Domains": found.domains,
        "Variables": found.variables,
        "Constraints": found.constraints,
        "Accepted tuples": found.accepted_tuples,
        "Rejected tuples": found.rejected_tuples,
    }


def _measures(found: Stats) -> dict[str, object]:
    return {
        "Distinct relations": found.distinct_relations,
        "Domain sizes": _histogram(found.domain_sizes, "size", "variables"),
        "Arities": _histogram(found.arities, "arity", "constraints"),
        "Tightness": _spread(found.tightness, "no constraints"),
        "Constraint graph density": _density(found),
        "Constraint graph degrees": _spread(found.degrees, "not computed" if found.variables else "no variables"),
        "Constraint graph components": found.components,
        "Log10 of the search space": f"{found.log10_search_space:.6g}",
    }


def _histogram(counts: Mapping[int, int], of: str, things: str) -> str:
    if not counts:
        return f"no {things}"
    if len(counts) > _MAX_LISTED_SIZES:
        n = sum(counts.values())
        mean = sum(size * count for size, count in counts.items()) / n
        return f"{len(counts)} different ones, min {min(counts)}, mean {mean:.6g}, max {max(counts)}"
    return ", ".join(f"{count} of {of} {size}" for size, count in counts.items())


def _spread(spread: Spread | None, nothing: str) -> str:
    return f"min {spread.min:.6g}, mean {spread.mean:.6g}, max {spread.max:.6g}" if spread else nothing


def _density(found: Stats) -> str:
    if found.density is not None:
        return f"{found.density:.6g}"
    return "not computed" if found.variables > 1 else "fewer than two variables"

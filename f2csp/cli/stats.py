"""``f2csp stats``."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, cast

import click

from f2csp.cli.inputs import Answer, Choice, InputCommand, for_each_instance, is_same_file
from f2csp.cli.options import FILE, JSON, ask_two_names, confirm_written, problem_files
from f2csp.files import STDIN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from f2csp.instances import Instance
    from f2csp.statistics import Spread, Stats, StructureStats
    from f2csp.text.counter import Counts

_MAX_LISTED_SIZES = 10


@click.command(cls=InputCommand)
@click.argument("files", nargs=-1, type=FILE, metavar="FILE...")
@click.option(
    "-o", "--output", metavar="OUT", type=FILE, help="Write to OUT, if all files are valid (default: standard output)."
)
@JSON
@click.option("--structure", is_flag=True, help="Also recognise constraints: all-different groups, comparisons, ...")
@click.option("--fast", is_flag=True, help="Only count, and check only the counts; for files of any size.")
def stats(
    files: tuple[str, ...], choice: Choice, output: str | None, as_json: bool, structure: bool, fast: bool
) -> int:
    """Count the domains, variables, constraints and tuples of problems.

    FILE has any format, and may be compressed, a directory (all .csp files in it) or - for standard input. Without
    arguments, on a terminal, the command asks for the names of the problem file and the output file.

    \b
    Examples:
      f2csp-stats puzzle.csp
      f2csp-stats puzzles/ --json -o counts.jsonl
      f2csp-stats --structure puzzle.csp
      f2csp-stats --fast huge.csp.xz
    """
    from io import BytesIO

    from f2csp.files import writing

    if structure and fast:
        raise click.UsageError("--fast and --structure cannot be combined")
    if not files:
        first, output = ask_two_names("Problem file", "Output file")
        files = (first,)
    names = problem_files(files)

    def run(stream: BinaryIO) -> int:
        if not fast:
            return _measure(names, choice, structure, as_json, stream)
        if choice != Choice(options={}):
            raise click.UsageError("--fast counts F2CSP files only")
        return _count(names, as_json, stream)

    if output is None or output == STDIN:
        with writing(STDIN) as stream:
            return run(stream)
    if any(is_same_file(output, name) for name in names):
        raise click.UsageError(f"{output} is both input and output")
    text = BytesIO()
    code = run(text)
    if code:
        click.echo(f"{output} is not written: a file could not be counted", err=True)
        return code
    with writing(output) as stream:
        stream.write(text.getvalue())
    confirm_written(output)
    return 0


def _measure(names: list[str], choice: Choice, structure: bool, as_json: bool, stream: BinaryIO) -> int:
    """Write the numbers of each problem without faults, and return the exit code."""
    from f2csp import statistics

    separator = ""

    def work(instance: Instance, has_others: bool) -> Answer:
        nonlocal separator
        found = statistics.stats(instance.problem)
        meanings = statistics.structure_stats(instance.problem) if structure else None
        if as_json:
            _write(stream, _as_json({"file": instance.file, "index": instance.index}, found, meanings))
        else:
            head = f"{separator}File: {instance.name}\n" if has_others else ""
            _write(stream, head + _as_text(found, meanings))
        separator = "\n"
        return Answer("counted")

    return for_each_instance(names, choice, work, as_json=as_json, totals_to_stderr=True)


def _count(names: list[str], as_json: bool, stream: BinaryIO) -> int:
    """Write the counts of each F2CSP file, and return the exit code; the files may have any size."""
    from f2csp.cli.failures import for_each_file
    from f2csp.cli.progress import clock
    from f2csp.text.counter import count

    separator = ""

    def work(name: str) -> int:
        nonlocal separator
        head = f"{separator}File: {name}\n" if len(names) > 1 else ""
        with clock("Counting"):
            counts = count(name)
        _write(stream, _as_json({"file": name, "index": 1}, counts, None) if as_json else head + _as_text(counts, None))
        separator = "\n"
        return 0

    return for_each_file(names, work)


def _write(stream: BinaryIO, text: str) -> None:
    stream.write(text.encode("utf-8", "backslashreplace"))  # the name of a file need not be UTF-8
    stream.flush()


def _as_json(place: dict[str, object], numbers: Counts | Stats, structure: StructureStats | None) -> str:
    import json
    from dataclasses import asdict

    meanings = {"structure": asdict(structure)} if structure else {}
    return json.dumps({"command": "stats", **place, **asdict(numbers), **meanings}, ensure_ascii=False) + "\n"


def _as_text(numbers: Counts | Stats, structure: StructureStats | None) -> str:
    lines = _counts(numbers)
    if hasattr(numbers, "distinct_relations"):  # it is not counted by --fast
        lines |= _measures(cast("Stats", numbers))
    if structure:
        lines |= _meanings(structure)
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
        mean = sum(size * count for size, count in counts.items()) / sum(counts.values())
        return f"{len(counts)} different ones, min {min(counts)}, mean {mean:.6g}, max {max(counts)}"
    return ", ".join(f"{count} of {of} {size}" for size, count in counts.items())


def _spread(spread: Spread | None, nothing: str) -> str:
    return f"min {spread.min:.6g}, mean {spread.mean:.6g}, max {spread.max:.6g}" if spread else nothing


def _density(found: Stats) -> str:
    if found.density is not None:
        return f"{found.density:.6g}"
    return "not computed" if found.variables > 1 else "fewer than two variables"

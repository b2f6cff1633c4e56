"""``f2csp stats``."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, cast

import click

from f2csp.cli.options import FILE, JSON, Command, ask_two_names, problem_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from f2csp.statistics import Spread, Stats, StructureStats
    from f2csp.text.counter import Counts

    Found = tuple[Counts | Stats, StructureStats | None]

_MAX_LISTED_SIZES = 10


@click.command(cls=Command)
@click.argument("files", nargs=-1, metavar="FILE...", type=FILE)
@click.option(
    "-o", "--output", metavar="OUT", type=FILE, help="Write to OUT, if all files are valid (default: standard output)."
)
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
    from io import BytesIO

    from f2csp.files import writing

    if structure and fast:
        raise click.UsageError("--fast and --structure cannot be combined")
    if not files:
        first, output = ask_two_names("Problem file", "Output file")
        files = (first,)
    names = problem_files(files)
    is_headed = len(names) > 1 and not as_json

    def text_of(name: str) -> str:
        found = _measured(name, structure, fast)
        return _as_json(name, *found) if as_json else (f"File: {name}\n" if is_headed else "") + _as_text(*found)

    if output is None or output == "-":
        with writing("-") as stream:
            return _write_all(names, text_of, "\n" if is_headed else "", stream)
    if any(_is_same_file(output, name) for name in names):
        raise click.UsageError(f"{output} is both input and output")
    text = BytesIO()
    code = _write_all(names, text_of, "\n" if is_headed else "", text)
    if code:
        click.echo(f"{output} is not written: a file could not be counted", err=True)
        return code
    with writing(output) as stream:
        stream.write(text.getvalue())
    return 0


def _measured(name: str, structure: bool, fast: bool) -> Found:
    if fast:
        from f2csp.text.counter import count

        return count(name), None
    from f2csp import statistics
    from f2csp.cli.inputs import load_problem

    problem = load_problem(name)
    return statistics.stats(problem), statistics.structure_stats(problem) if structure else None


def _is_same_file(one: str, other: str) -> bool:
    from pathlib import Path

    try:
        return other != "-" and Path(one).samefile(other)
    except OSError:  # one of the two is not there
        return False


def _write_all(names: list[str], text_of: Callable[[str], str], separator: str, stream: BinaryIO) -> int:
    """Write the numbers of each valid file, report the faults of the others, and return the exit code."""
    from f2csp.cli.report import for_each_file

    before = ""

    def write_one(name: str) -> int:
        nonlocal before
        text = before + text_of(name)
        stream.write(text.encode("utf-8", "backslashreplace"))  # a file's name need not be UTF-8
        stream.flush()
        before = separator
        return 0

    return for_each_file(names, write_one)


def _as_json(name: str, numbers: Counts | Stats, structure: StructureStats | None) -> str:
    import json
    from dataclasses import asdict

    record = {"file": name, **asdict(numbers)} | ({"structure": asdict(structure)} if structure else {})
    return json.dumps(record, ensure_ascii=False) + "\n"


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

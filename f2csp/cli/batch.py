"""``f2csp batch``."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.convert import ENCODING, STRUCTURE, holds_many, target_format
from f2csp.cli.failures import refuse, refuse_same_file, say
from f2csp.cli.options import (
    CLUSTER_HELP,
    FILE,
    FORMAT,
    FROM,
    NUMBER,
    OUT,
    SEARCH,
    STRICT,
    SYMMETRIES,
    SYMMETRIES_HELP,
    SearchOptions,
    shown,
)
from f2csp.cli.progress import Display
from f2csp.cli.session import Session, command, gathered, setting, switch, worst
from f2csp.files import STDIN

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from f2csp.batch.portions import BatchTask
    from f2csp.batch.records import Output
    from f2csp.batch.work import Item

_COMMANDS = ("convert", "validate", "stats", "solve", "unique", "count", "rate", "dedupe")
_SEARCHES = ("solve", "unique", "count")


@dataclass
class _Batch(Session):
    """A session of many inputs."""

    output: str = setting("-o --output", "Write to OUT (default: standard output).", default=STDIN, **OUT)
    resume: bool = switch("--resume", "Continue an interrupted run to OUT.")
    jobs: int | None = setting("--jobs", "Use N processes (default: one per core).", **NUMBER)
    cluster: str | None = setting("--cluster", CLUSTER_HELP, metavar="ADDRESS")
    shared_files: bool = switch("--shared-files", "Send the cluster file names, not texts; its workers see the files.")
    chunk: int = setting("--chunk", "Send a worker N problems at a time.", **NUMBER, **shown(64))
    to: str | None = setting("--to", "Write puzzles and problems as FORMAT (default: from the name of OUT).", **FORMAT)
    is_sorted: bool = switch("--sort", "Write what rate finds in the order of the ratings.")
    symmetries: str = setting("--symmetries", SYMMETRIES_HELP, **SYMMETRIES)


@command("batch")
@click.argument("work", type=click.Choice(_COMMANDS), metavar="COMMAND")
@gathered("session", _Batch, click.argument("files", nargs=-1, metavar="INPUT...", type=FILE), FROM, STRICT)
@STRUCTURE
@ENCODING
@SEARCH
def batch_command(work: str, session: _Batch, structure: bool, encoding: str | None, search: SearchOptions) -> int:
    """Run a command on many problems: convert, validate, stats, solve, unique, count, rate or dedupe.

    INPUT is a file of one or many problems, FILE:INDEX for one of them, a directory, a .zip or .tar archive, a pattern
    in quotes, @LIST for the names in LIST, or - for standard input. OUT is a file of records, one for each problem in
    the order of the inputs (.jsonl, .csv or .parquet); for convert also an archive (.zip, .tar, .tar.gz) or a directory
    (its name ends in /), with the records beside it in OUT.jsonl. Of problems that symmetries map to each other, dedupe
    writes the first. For dedupe and rate, OUT may also be a file of puzzles, in the format of its ending or --to, as
    f2csp convert writes it; records have them under text if --to names a format. A problem that fails has a record with
    its diagnostics, and the others are worked on. The time limit applies to each problem. Exit code 1: a problem
    failed; 3: an answer is no; 4: a limit was reached before an answer.

    \b
    Examples:
      f2csp batch solve puzzles.sdm -o solved.jsonl
      f2csp batch convert puzzles.csv -o problems.zip --to xcsp3
      f2csp batch unique puzzles/ 'more/*.sdm' -o unique.csv --time-limit 10
      f2csp batch solve puzzles.sdm -o solved.jsonl --resume
      f2csp batch dedupe puzzles.sdm -o distinct.sdm
      f2csp batch rate puzzles.sdm --sort -o easiest-first.sdm
      f2csp batch count @names.txt -o counts.parquet --cluster tcp://host:8786
    """
    from f2csp.batch.records import Output
    from f2csp.batch.work import IN_FILES, Settings
    from f2csp.batch.workers import worked
    from f2csp.inputs import require_inputs

    names = session.files
    refuse(not names, "expected at least one input, or - for standard input (see --help)")
    writes_puzzles = work in IN_FILES
    refuse(session.to and work != "convert" and not writes_puzzles, "--to applies to convert, dedupe and rate only")
    refuse((structure or encoding) and work != "convert", "--structure and --encoding apply to convert only")
    refuse(session.is_sorted and work != "rate", "--sort applies to rate only")
    has_search = (replace(search, time_limit=None) if work == "rate" else search) != SearchOptions()
    refuse(has_search and work not in _SEARCHES, f"the options of a search apply to {', '.join(_SEARCHES)} only")
    refuse(session.symmetries != "all" and work != "dedupe", "--symmetries applies to dedupe only")
    refuse(session.shared_files and not session.cluster, "--shared-files applies to --cluster only")
    is_stream = session.output == STDIN or not {STDIN, "@-"}.isdisjoint(names)
    refuse(session.resume and is_stream, "--resume needs files to read and to write, found -")
    refuse_same_file(session.output, *names)
    if search.engine is not None:
        search.require_engine()
    target = Output(session.output, work, has_form=session.to is not None)
    to = target_format(STDIN, session.to) if session.to or work == "convert" else None
    if target.has_puzzles:
        to = target_format(session.output, session.to)
        refuse(not holds_many(to), f"a file of the format {to} has one problem: write records, or another format")
    chosen: dict[str, Any] = {"form": session.form, "options": session.options, "is_strict": session.is_strict}
    chosen |= {"to": to, "structure": structure, "encoding": encoding or "support", "has_text": target.has_text}
    chosen |= {"group": session.symmetries, "is_sorted": session.is_sorted}
    chosen |= {name: getattr(search, name) for name in ("engine", "time_limit", "seed", "project")}
    settings = Settings(work, **chosen, workers=search.workers or 1)
    require_inputs(names)
    with target:
        target.begin(asdict(settings), names, resume=session.resume)
        if target.is_complete:
            say(f"{session.output} is complete: there is nothing to do")
        else:
            workers = session.jobs, session.cluster, session.shared_files, session.chunk
            found = worked(names, settings, *workers, target.place, target.files)
            try:
                _write_all(found, target, _size(names, target))
            except KeyboardInterrupt:
                if session.output != STDIN:
                    say(f"{target.verdicts.total():,} problems are done; go on with --resume")
                raise
        target.finish()
    n, counts = target.verdicts.total(), [f"{count:,} {verdict}" for verdict, count in target.verdicts.most_common()]
    say(f"{n:,} problem{'s'[: n != 1]}: {', '.join(counts) or 'the inputs have none'}")
    return worst(target.codes) if n else 2


def _write_all(found: Generator[tuple[BatchTask, list[Item]]], target: Output, size: int | None) -> None:
    with closing(found), Display("Working", size, "bytes") as display:
        for task, items in found:
            target.add(task[-1].end, items)
            for error in target.errors(items):
                say(f"f2csp: {error}")
            display.advance(sum(portion.n_bytes for portion in task), len(items))


def _size(names: Sequence[str], target: Output) -> int | None:
    """The bytes of the inputs that are left, for the progress on a terminal; None where it would be work to know."""
    from f2csp.inputs import found_files, is_list

    if not sys.stderr.isatty() or any(name == STDIN or is_list(name) for name in names):
        return None
    n_bytes = 0
    for n_files, file in enumerate(found_files(names, target.files), 1):
        if file.size is None:
            return None
        n_bytes += file.size if n_files > target.place.n_files else 0
    return n_bytes

"""``f2csp convert``, and the commands of puzzles such as ``sudoku``."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from inspect import cleandoc
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.failures import confirm_written, refuse, refuse_same_file
from f2csp.cli.options import FORMAT, PROBLEMS, TEXT, flag, option
from f2csp.cli.progress import Display
from f2csp.cli.session import Answer, Command, Session, command, reads
from f2csp.diagnostics import F2cspError, Source
from f2csp.file_formats import AUTO, F2CSP, ending_of, format_by_extension, format_name
from f2csp.files import STDIN, bare_name, require_compression, write_chunks
from f2csp.instances import Instance, chunks
from f2csp.puzzles import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from f2csp.model import ProblemStream


_ENCODINGS = ("support", "direct", "order")
STRUCTURE = flag("--structure", help="Write recognised constraints (allDifferent, <, ...) instead of tables.")
ENCODING = option("--encoding", type=click.Choice(_ENCODINGS), help="Encode constraints in CNF (default: support).")


class _Names(click.Path):
    """The names of inputs, and of an output."""


_NAMES = click.argument("files", nargs=-1, metavar="[INPUT]... [OUTPUT]", type=_Names(allow_dash=True, readable=False))


@command("convert")
@reads(_NAMES, *PROBLEMS)
@option("--to", **FORMAT, help="Write OUTPUT as FORMAT (default: from its extension).")
@STRUCTURE
@ENCODING
@TEXT
def convert_command(session: Session, to: str | None, structure: bool, encoding: str | None, text: str | None) -> int:
    """Convert puzzles and problems from any format to any other that can express them.

    INPUT and OUTPUT may be - for standard input and output, and compressed. The format of INPUT is detected from its
    text, that of OUTPUT from its extension; f2csp formats lists all formats. If INPUT has several puzzles, all go to
    OUTPUT where its format has several puzzles in a file, or where it is a directory (its name ends in /): one file
    each. Otherwise the first is converted unless --index selects another. OUTPUT is written only if INPUT has no
    errors.

    \b
    Examples:
      f2csp convert clues.txt puzzle.csp --from sudoku
      f2csp convert puzzle.csp puzzle.sdk
      f2csp convert puzzle.csp puzzle.xml --structure
      f2csp convert puzzle.csp puzzle.cnf.gz --encoding direct
      f2csp convert puzzles.sdm puzzles/ --to xcsp3
      f2csp convert --text 5:0,0,3D,0R,... futoshiki.csp
    """
    out = _take_output(session, text, "File to write")
    target = target_format(out, to)
    session.keeps_holes = target == "xcsp3"
    refuse(encoding is not None and target != "dimacs", "--encoding applies to DIMACS CNF only")
    return _convert(session, out, target, structure=structure, encoding=encoding or _ENCODINGS[0])


class _Converter(Command):
    """A command of a kind of puzzle."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from f2csp.file_formats import puzzle_formats

        kind = str(self.name)
        forms = puzzle_formats(kind)
        self.help = cleandoc(str(self.help)).format(title=KINDS[kind], kind=kind, form=forms[-1].short_name)
        super().format_help_text(ctx, formatter)
        with formatter.section("Formats"):
            formatter.write_dl([(form.short_name, form.summary) for form in forms])


def converter(kind: str) -> click.Command:
    """The command of a kind of puzzle."""

    @click.command(kind, cls=_Converter, short_help=f"Turn a {KINDS[kind]} file into F2CSP.")
    @reads(_NAMES, *PROBLEMS)
    @TEXT
    def convert(session: Session, text: str | None) -> int:
        """Turn a {title} file into F2CSP.

        INPUT is the puzzle file, OUTPUT the F2CSP file (default: standard output); - is standard input or output.
        Without arguments, on a terminal, the command asks for both names. OUTPUT is written only if INPUT has no
        errors. The format is detected from the text. Of several puzzles in a file, the first is converted unless
        --index selects another; all are if OUTPUT is a directory (its name ends in /).

        \b
        Examples:
          {kind}-to-f2csp puzzle.txt puzzle.csp
          {kind}-to-f2csp puzzles.txt puzzles/
          {kind}-to-f2csp --index 7 puzzles.txt - | f2csp stats -
          {kind}-to-f2csp --from {kind}:{form} - < puzzle.txt
        """
        out = _take_output(session, text, "F2CSP file to write")
        refuse(format_by_extension(out) not in (None, F2CSP), f"this command writes F2CSP; f2csp convert writes {out}")
        session.kind = kind
        return _convert(session, out, F2CSP)

    return convert


def _take_output(session: Session, text: str | None, question: str) -> str:
    """Leave the inputs in the session, and return the name of the output; both are asked for if they are missing."""
    if text is not None:
        refuse(len(session.files) > 1, "--text replaces INPUT: expected OUTPUT only")
        out = session.files[0] if session.files else STDIN
        session.files = ("--text",)
        session.text = Source("--text", text.replace("\\n", "\n").encode("utf-8", "surrogateescape"))
        return out
    names = session.files
    if not names:
        from f2csp.cli.asking import ask_two_names

        names = ask_two_names("Puzzle file", question)
    *inputs, out = names if len(names) > 1 else (*names, STDIN)
    session.files = tuple(inputs)
    require_compression(out)
    refuse_same_file(out, *session.sources)
    return out


def target_format(out: str, to: str | None) -> str:
    """The name of the output's format: from ``--to``, or from the extension."""
    if to is not None and (name := format_name(to)) != AUTO:
        return name
    found = F2CSP if out == STDIN or is_directory(out) else format_by_extension(out)
    if found is None:
        raise click.UsageError(f"cannot infer the format from the name {out}; use --to")
    return found


def is_directory(out: str) -> bool:
    return out.endswith("/") or Path(out).is_dir()


def _convert(session: Session, out: str, target: str, **options: Any) -> int:
    """Write every problem to a directory, or to one file all that it can hold."""
    if is_directory(out):
        folder = Folder(out, ending_of(target))

        def write_one(instance: Instance) -> Answer:
            write_instances([instance], folder.name_for(instance, session.sources), target, **options)
            return Answer("written")

        return session.answer_each(write_one, totals_to_stderr=True)
    if not holds_many(target):
        if len(session.sources) > 1:
            require_room(out, target)
        return session.work_on_first(lambda instance: write_instances([instance], out, target, **options))

    def write_all() -> None:
        found = chain.from_iterable(map(session.instances, session.sources))
        write_instances(list(map(session.accept, found)), out, target, **options)

    return session.guarded(write_all, ", ".join(session.sources))


def require_room(out: str, target: str) -> None:
    """Raise a usage error if a file in this format cannot have several puzzles."""
    refuse(not holds_many(target), f"{out} can hold one problem only; to write several, name a directory: {out}/")


def holds_many(target: str) -> bool:
    if target == F2CSP:
        return False
    from f2csp.file_formats import puzzle_formats

    forms = [form for form in puzzle_formats() if target in (form.name, form.short_name, form.kind)]
    return bool(forms) and all(form.load().has_several for form in forms)


class Folder:
    """A directory in which each problem has a file of its own."""

    def __init__(self, name: str, ending: str) -> None:
        self._path, self._ending = Path(name), ending
        self._path.mkdir(parents=True, exist_ok=True)
        self._written: set[str] = set()

    def name_for(self, instance: Instance, sources: Iterable[str] = ()) -> str:
        """The name of the file for a problem, such as ``puzzles-007.xml``: none that was written before."""
        stem = Path(Path(instance.file).name[: len(bare_name(instance.file))]).stem.strip("-") or "puzzle"
        number = f"-{instance.index:0{len(str(instance.n_instances))}}" if instance.n_instances > 1 else ""
        name = str(self._path / f"{stem}{number}{self._ending}")
        if name in self._written:
            raise F2cspError(f"another input was written to {name}; give the inputs different names")
        self._written.add(name)
        refuse_same_file(name, *sources)
        return name


def write_instances(instances: Sequence[Instance], out: str, target: str, **options: Any) -> None:
    """Write one problem, or several puzzles; none if one has faults."""
    for instance in instances:
        instance.require()
    if target == F2CSP:
        write_problem(instances[0].stream(), out)
        return
    text = chunks(instances, target, **options)
    with Display("Writing", unit="bytes") as display:
        write_chunks(display.watch(text, len), out)
    confirm_written(out)


def write_problem(stream: ProblemStream, out: str) -> None:
    """Write F2CSP."""
    from f2csp.text.writer import dump

    display = Display("Writing", stream.n_constraints, "constraints")
    with nullcontext() if out == STDIN and sys.stdout.isatty() else display:  # a bar would interrupt the text
        dump(replace(stream, blocks=display.watch(stream.blocks, lambda block: len(block.relations))), out)
    confirm_written(out, f": {len(stream.variable_names):,} variables, {stream.n_constraints:,} constraints")

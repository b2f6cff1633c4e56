"""One session of the command line: what a command reads, the loop over all of it, what it prints, and its exit code.

A command declares the files and options that it reads, and gets them as a session; a group of options is one argument::

    @command("count")
    @reads(FILES, *PROBLEMS, JSON)
    @SEARCH
    @option("--limit", **NUMBER, help="Stop counting at N solutions.")
    def count_command(session: Session, search: SearchOptions, limit: int | None) -> int:
        def answer(instance: Instance) -> Answer:
            n = ...
            return Answer("counted", record={"count": n}, show=partial(click.echo, n))

        return session.answer_each(answer)
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cached_property, partial, wraps
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from f2csp.cli.failures import (
    describe,
    failure_text,
    is_about_streams,
    refuse,
    refuse_same_file,
    report_diagnostics,
    say,
    write_diagnostics,
)
from f2csp.cli.progress import Display
from f2csp.diagnostics import DEFAULT_LIMIT, F2cspError, InvalidInput, Source
from f2csp.file_formats import AUTO, F2CSP, format_by_extension
from f2csp.files import COMPRESSIONS, STDIN, require_compression
from f2csp.inputs import file_and_indices, file_names, is_problem_file, source_of
from f2csp.instances import Instance, instances

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from _typeshed import DataclassInstance
    from click.shell_completion import CompletionItem

    from f2csp.solutions import Solution

    Decorator = Callable[[Callable[..., Any]], Any]

_OWN_INPUTS = ("batch", "format")  # commands whose help says what they read
_INPUTS = """ can also be FILE:INDEX, a problem of several, or FILE:1-10; a directory, which means all files in it
whose ending f2csp formats names, and .txt; a pattern in quotes; @LIST, the names in the file LIST; or - for standard
input."""
_SEVERITY = (0, 10, 20, 3, 4, 1, 2)  # of exit codes; 10 and 20 are those of solver competitions


class Answer(NamedTuple):
    """What a command finds of a problem."""

    verdict: str  # a word or two, for the totals
    code: int = 0  # exit code
    record: Mapping[str, object] = {}  # what --json prints
    show: Callable[[], object] | None = None  # prints the answer for people
    line: str = ""  # printed instead where there are several problems
    is_interrupted: bool = False  # by Ctrl-C, which ends the command


@dataclass
class Session:
    """The files that a command names, what its options say of them, and what has come of them so far."""

    files: tuple[str, ...] = ()
    as_json: bool = False  # whether to print JSON
    exclude: tuple[str, ...] = ()  # patterns of files and folders in directories
    form: str = AUTO
    indices: tuple[range, ...] | None = None  # of the problems in a file; None for all
    options: Mapping[str, Any] = field(default_factory=dict)  # of puzzles, and of other formats
    is_strict: bool = False
    kind: str | None = field(default=None, init=False)  # of the puzzles, where only those are expected
    text: Source | None = field(default=None, init=False)  # instead of that of a file
    keeps_holes: bool = field(default=False, init=False)  # whether what is written has variables in no constraint, too
    is_f2csp_only: bool = field(default=False, init=False)  # whether only F2CSP files in directories are read
    max_found: int = field(default=DEFAULT_LIMIT, init=False)  # of the errors, and of the warnings, that are looked for
    verdicts: Counter[str] = field(default_factory=Counter, init=False)
    source: Source = field(init=False, default=Source("", b""))  # the text read last
    _noted: str = field(default="", init=False)  # the last file of which a note was printed
    _last_lap: float = field(default_factory=perf_counter, init=False)

    @cached_property
    def sources(self) -> Sequence[str]:
        """The files to read, also with the numbers of their problems: those in directories that are not excluded."""
        refuse(not self.files, "expected at least one file, or - for standard input (see --help)")
        files = file_names(self.files, self._is_to_read)
        for file in files if self.indices else ():
            refuse(file_and_indices(file)[1], f"{file} names its problems, and cannot be combined with --index")
        refuse_same_file(STDIN, *files)
        refuse_outputs_among(files)
        return files

    def _is_to_read(self, path: Path) -> bool:
        """Whether a file in a directory is read."""
        from f2csp.settings import is_excluded

        is_read = format_by_extension(path.name) == F2CSP if self.is_f2csp_only else is_problem_file(path)
        return is_read and not is_excluded(path, self.exclude)

    @property
    def selection(self) -> tuple[object, ...]:
        """What decides, beside the text of a file, which problems it holds."""
        return self.form, self.indices, self.options, self.is_strict

    @property
    def is_plain(self) -> bool:
        """Whether no option says anything of the files."""
        return self.selection == Session().selection

    @property
    def is_single(self) -> bool:
        """Whether one problem of the first file is chosen."""
        return sum(map(len, self._indices_of(self.sources[0]) or ())) == 1

    def _indices_of(self, file: str) -> tuple[range, ...] | None:
        return file_and_indices(file)[1] or self.indices

    def has_others(self, instance: Instance) -> bool:
        """Whether the answer to a problem is one of several."""
        return len(self.sources) > 1 or (instance.n_instances > 1 and not self.is_single)

    def lap(self) -> float:
        """The seconds since the last lap, or the beginning."""
        last, self._last_lap = self._last_lap, perf_counter()
        return self._last_lap - last

    # ---- Reading -----------------------------------------------------------------------------------------------------

    def read(self, file: str) -> Source:
        """The text of a file."""
        self.source = self.text or source_of(file)
        return self.source

    def instances(self, name: str, indices: Sequence[range] | None = None) -> Iterator[Instance]:
        """The problems of a file, each with all its faults and warnings; those of a text in no format are of one."""
        more: dict[str, Any] = {"options": self.options, "kind": self.kind, "is_strict": self.is_strict}
        more |= {"indices": indices or self._indices_of(name), "limit": self.max_found}
        file, _ = file_and_indices(name)
        try:
            with reading(file) as display:
                found = instances(self.read(file), self.form, advance=display.advance, **more)
                first = next(found, None)
        except InvalidInput as error:
            found, first = iter(()), Instance(file, "", None, 1, 1, tuple(error.diagnostics), error.n_hidden)
        yield from found if first is None else chain([first], found)

    def accept(self, instance: Instance) -> Instance:
        """Report what is to be said of a problem; raise InvalidInput if it has faults."""
        instance.require()
        if instance.reading and instance.file != self._noted:
            self._noted = instance.file
            say(f"{instance.file}: {instance.reading}")
        if instance.format != F2CSP:
            assumed = [diagnostic for diagnostic in instance.diagnostics if diagnostic.code == "F617"]
            if assumed:
                write_diagnostics(assumed, "concise", sys.stderr)
            others = [diagnostic for diagnostic in instance.diagnostics if diagnostic.code not in ("F404", "F617")]
            report_diagnostics(others, instance.n_hidden)
            instance = self._projected(instance)
        return instance

    def _projected(self, instance: Instance) -> Instance:
        """The instance with the variables that ``--project`` asks for; says which ones a command leaves out."""
        options = click.get_current_context().params
        chosen = instance.projected(options.get("project"))
        if chosen is instance and instance.left_out and not self.keeps_holes:
            cure = "; --project all counts them" if "project" in options else ""
            say(f"{instance.file}: {instance.left_out}{cure}")
        return chosen

    # ---- The loop ----------------------------------------------------------------------------------------------------

    def answer_each(self, answer: Callable[[Instance], Answer], *, totals_to_stderr: bool = False) -> int:
        """Print the answer to every problem, faults and totals; return the worst exit code."""
        code = self.work_on_each_problem(lambda instance: self.take(instance, answer(self.accept(instance))))
        self.print_totals("problems", to_stderr=totals_to_stderr)
        return code

    def take(self, instance: Instance, answer: Answer) -> int:
        """Count and print an answer; return its exit code."""
        self.verdicts[answer.verdict] += 1
        self._print_answer(instance, answer)
        if answer.is_interrupted:
            raise click.Abort
        return answer.code

    def work_on_each_problem(self, work: Callable[[Instance], int | None]) -> int:
        """Work on every problem of all files, and report what fails; return the worst exit code."""

        def work_on_all(file: str) -> int:
            return worst([self.guarded(partial(work, instance), instance.name) for instance in self.instances(file)])

        return self.work_on_each_file(work_on_all)

    def work_on_each_file(self, work: Callable[[str], int | None]) -> int:
        """Work on every file, and report what fails; return the worst exit code."""
        return worst([self.guarded(partial(work, file), file) for file in self.sources])

    def work_on_first(self, work: Callable[[Instance], None]) -> int:
        """Work on the first of the chosen problems, with a note if there are more and none was chosen."""
        file, *others = self.sources
        refuse(others, f"expected a single file, found {len(self.sources):,} in {self.files[0]}")
        is_chosen = self._indices_of(file) is not None
        refuse(is_chosen and not self.is_single, "several problems are selected, and the result is a single one")

        def work_on_it() -> None:
            instance = self.accept(next(self.instances(file, None if is_chosen else [range(1, 2)])))
            if not is_chosen and instance.n_instances > 1:
                n = f"{instance.n_instances:,}"
                say(f"{file}: read the first of {n} puzzles (see --index)")
            work(instance)

        return self.guarded(work_on_it, file)

    def guarded(self, work: Callable[[], int | None], name: str) -> int:
        """Work on one input, report what fails, and return the exit code.

        The code is that of the work (None for 0), 1 for an input with faults, 2 for one that cannot be read or written.
        """
        try:
            return work() or 0
        except BrokenPipeError:
            raise  # the reader of the output needs no more of it
        except InvalidInput as error:
            self.report(error)
            self.fail(name, error)
            return 1
        except (OSError, F2cspError) as error:
            if isinstance(error, OSError) and is_about_streams(error):
                raise  # the results of other inputs do not fit either
            program = click.get_current_context().find_root().info_name
            say(f"{program}: {failure_text(name, error)}")
            self.fail(name, error)
            return error.exit_code if isinstance(error, F2cspError) else 2

    def report(self, error: InvalidInput) -> None:
        """Print the faults of an input."""
        report_diagnostics(error.diagnostics, error.n_hidden, self.source)

    def fail(self, name: str, error: Exception) -> None:
        """Count a failure, and print it as JSON where that is wanted."""
        is_late = isinstance(error, F2cspError) and error.exit_code == 4
        verdict = "with errors" if isinstance(error, InvalidInput) else "stopped by a limit" if is_late else "failed"
        self.verdicts[verdict] += 1
        if self.as_json:
            from f2csp.diagnostics.render import as_record

            diagnostics = list(map(as_record, error.diagnostics if isinstance(error, InvalidInput) else ()))
            self._print_record(name, error=describe(error), diagnostics=diagnostics)

    def solutions(
        self, file: str, instance: Instance, form: str | None = None, optional: Collection[str] = ()
    ) -> list[Solution]:
        """The solutions in a file, with a note of how it was read unless that is the usual way."""
        from f2csp.formats.foreign import fitting, readings

        found = readings(source_of(file), instance.problem, form, optional, instance.format)
        usual, reading = found[0], fitting(found, instance.problem)
        if reading is None:
            others = " or ".join([other.words for other in found[1:]])
            say(f"{file}: read as {usual.words}; it breaks constraints as {others}, too")
        elif not reading.is_usual:
            say(f"{file}: read as {reading.words}")
        return (reading or usual).solutions

    # ---- Printing ----------------------------------------------------------------------------------------------------

    def print_head(self, instance: Instance) -> None:
        """Print the name of one of several problems, above an answer for people."""
        if self.has_others(instance) and not self.as_json:
            say(f"{instance.name}:", err=False)

    def print_totals(self, what: str, *, to_stderr: bool = False) -> None:
        """Print how many answers have each verdict, if there are several."""
        n = self.verdicts.total()
        if n > 1:
            counts = ", ".join([f"{count:,} {verdict}" for verdict, count in self.verdicts.most_common()])
            click.echo(f"{n:,} {what}: {counts}", err=self.as_json or to_stderr)

    def _print_answer(self, instance: Instance, answer: Answer) -> None:
        if self.as_json:
            if answer.record:
                self._print_record(instance.file, index=instance.index, **answer.record)
        elif answer.line and self.has_others(instance):
            say(f"{instance.name}: {answer.line}", err=False)
        elif answer.show:
            self.print_head(instance)
            answer.show()

    def _print_record(self, file: str, **result: object) -> None:
        echo_json({"command": click.get_current_context().command.name, "file": file, **result})


def echo_json(record: object) -> None:
    """Print a line of JSON."""
    from f2csp.json_text import json_line

    click.echo(json_line(record), nl=False)


def worst(codes: Iterable[int]) -> int:
    """The exit code of a run over several inputs: an unreadable file, faults, a limit, a no, or success."""
    return max(codes, key=_SEVERITY.index, default=0)


def reading(file: str) -> Display:
    """The progress of reading a file, the size of which may be known, and of checking it."""
    size = None
    if file != STDIN and not file.endswith(COMPRESSIONS):
        with suppress(OSError):
            size = Path(file).stat().st_size
    return Display("Reading", size, "bytes", then="Checking")


# ---- How a command is declared ---------------------------------------------------------------------------------------


def setting(names: str, text: str, **more: Any) -> Any:
    """A field of a dataclass that an option of a command sets: the names of the option, and its help."""
    option = partial(click.option, *names.split(), help=text, **more)
    return field(default=more.get("default"), metadata={"option": option})


switch = partial(setting, is_flag=True, default=False)


def gathered(name: str, make: type[DataclassInstance], *params: Decorator) -> Decorator:
    """A decorator that adds parameters to a command, which gets what is made of their values as one argument.

    What is made is an object of a dataclass, whose settings are further options.
    """
    declared = [item for item in fields(make) if item.init]
    names = {item.name for item in declared}
    options = [item.metadata["option"](item.name) for item in declared if "option" in item.metadata]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(**values: Any) -> Any:
            own = {key: values.pop(key) for key in names if key in values}
            return function(**values, **{name: make(**own)})

        for param in reversed([*params, *options]):
            param(call)
        return call

    return decorate


reads = partial(gathered, "session", Session)
"""A decorator for the parameters that say what a command reads; its function takes them as ``session``."""


class OutputPath(click.Path):
    """The name of a file that is written, and never one that is read."""


class Bringing(click.Option):
    """An option that brings others along, a dictionary of whose values is an argument of the function.

    They are made only when one of them is used, or the help is printed.
    """

    def __init__(self, *args: Any, into: str, others: Callable[[str], Sequence[click.Option]], **more: Any):
        super().__init__(*args, **more)
        self.into, self.others = into, others


class Command(click.Command):
    """A command of this program: its options may bring others along, and faults of an input are an exit code."""

    brought: Mapping[str, Sequence[click.Option]] = {}  # by arguments of the function; empty until they are made

    def bring(self) -> None:
        """Make the options that others bring along, once."""
        if not self.brought:
            own = {name for param in self.params for name in param.opts}
            made = {param.into: param.others(str(self.name)) for param in self.params if isinstance(param, Bringing)}
            self.brought = {into: [one for one in made[into] if own.isdisjoint(one.opts)] for into in made}
            self.params = [*self.params, *chain.from_iterable(self.brought.values())]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))
        except click.NoSuchOption:
            if self.brought:
                raise
            self.bring()
            return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.bring()
        super().format_help(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for param in self.params:
            if param.name == "files" and isinstance(param.type, click.Path) and self.name not in _OWN_INPUTS:
                formatter.write_paragraph()
                with formatter.indentation():
                    formatter.write_text(("INPUT" if "INPUT" in str(param.metavar) else "FILE") + _INPUTS)
        super().format_epilog(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        self.bring()
        hidden = [name for option in chain(*self.brought.values()) if option.hidden for name in option.opts]
        wanted = [name for name in hidden if incomplete.startswith("-") and name.startswith(incomplete)]
        return [*super().shell_complete(ctx, incomplete), *map(CompletionItem, wanted)]

    def invoke(self, ctx: click.Context) -> Any:
        for param in self.params:
            if isinstance(param, Bringing):
                names = [str(option.name) for option in self.brought.get(param.into, ())]
                values = {name: ctx.params.pop(name) for name in names}
                ctx.params[param.into] = {name: value for name, value in values.items() if value is not None}
        try:
            inputs = _file_names(ctx, click.Path)
            refuse(inputs.count(STDIN) > 1, "only one of the files can be standard input")
            refuse_outputs_among(inputs)
            return super().invoke(ctx)
        except InvalidInput as error:
            report_diagnostics(error.diagnostics, error.n_hidden)
            return 1


def refuse_outputs_among(inputs: Sequence[str]) -> None:
    """Raise a usage error where the command would write into an input, or replace one of its outputs by another one.

    Raises MissingExtra if an output cannot be compressed.
    """
    outputs = _file_names(click.get_current_context(), OutputPath)
    for output in outputs:
        require_compression(output)
        refuse_same_file(output, *inputs)
        others = [name for name in outputs if name != STDIN and Path(name).absolute() == Path(output).absolute()]
        refuse(len(others) > 1, f"two results cannot both be written to {output}")


def _file_names(ctx: click.Context, kind: type[click.Path]) -> list[str]:
    """The names of files that the values of a command's parameters of this type are."""
    given = [ctx.params.get(str(param.name)) for param in ctx.command.params if type(param.type) is kind]
    return [name for value in given if value for name in ([value] if isinstance(value, str) else value)]


command = partial(click.command, cls=Command)


class TableGroup(click.Group):
    """A group of commands by headings, each made by a function of its name only when it is called or listed."""

    def __init__(self, *args: Any, headings: Mapping[str, str], make: Callable[[str], click.Command], **more: Any):
        super().__init__(*args, **more)
        self.commands = {name: click.Command(name) for name in headings}  # click lists and suggests their names
        self._headings, self._make = headings, make

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        return self._make(cmd_name) if cmd_name in self._headings else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        for heading in dict.fromkeys(self._headings.values()):
            names = [name for name, own in self._headings.items() if own == heading]
            with formatter.section(heading):
                formatter.write_dl([(name, self._make(name).get_short_help_str(100)) for name in names])

"""The problems in the files that a command names: options, a loop over all of them, and JSON records."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from f2csp.cli.failures import describe, guarded, refuse, report_diagnostics, worst
from f2csp.cli.options import FORMAT, NUMBER, echo_json, problem_files
from f2csp.cli.progress import reading
from f2csp.diagnostics import InvalidInput, Source
from f2csp.file_formats import AUTO, F2CSP
from f2csp.files import read_source
from f2csp.instances import Instance, instances

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from f2csp.puzzles.puzzle import Option
    from f2csp.solving import Limits


class Inputs(NamedTuple):
    """The files that a command names, and what its options say of them."""

    files: tuple[str, ...] = ()
    as_json: bool = False  # whether to print JSON
    form: str = AUTO
    indices: tuple[range, ...] | None = None  # of the problems in a file; None for all
    options: Mapping[str, Any] | None = None  # of puzzles
    is_strict: bool = False

    @property
    def is_single(self) -> bool:
        """Whether one problem of a file is chosen."""
        return self.indices is not None and sum(map(len, self.indices)) == 1

    @property
    def has_options(self) -> bool:
        """Whether an option says something of the files."""
        return self[2:] != (AUTO, None, {}, False)

    def instances(self, file: str | Source, kind: str | None = None) -> Iterator[Instance]:
        """The problems of a file; the warnings of puzzles are reported."""
        with reading(file) as display:
            source = read_source(file) if isinstance(file, str) else file
            more: dict[str, Any] = {"options": self.options, "is_strict": self.is_strict, "kind": kind}
            found = instances(source, self.form, indices=self.indices, advance=display.advance, **more)
            first = next(found, None)
        if first is not None and first.reading:
            click.echo(f"{first.file}: {first.reading}", err=True)
        for instance in found if first is None else chain([first], found):
            if instance.content is not None and instance.format != F2CSP:
                report_diagnostics(instance.diagnostics, instance.n_hidden)
            yield instance

    def one(self, file: str | Source, kind: str | None = None) -> Instance:
        """The first of the chosen problems; a note says so if the file has more and none was chosen."""
        refuse(self.indices and not self.is_single, "--index selects several problems, and the result is a single one")
        chosen = self if self.indices else self._replace(indices=(range(1, 2),))
        instance = next(chosen.instances(file, kind))
        if self.indices is None and instance.n_instances > 1:
            click.echo(f"{instance.file}: read the first of {instance.n_instances:,} puzzles (see --index)", err=True)
        return instance


class SearchOptions(NamedTuple):
    engine: str | None
    time_limit: float | None
    workers: int | None
    seed: int
    project: str | None

    def require_engine(self) -> None:
        """Raise F2cspError if there is no such engine or option, or the engine is not installed."""
        from f2csp.solving.registry import engine_and_options

        engine_and_options(self.engine)[0].load()

    def limits(self, instance: Instance, solutions: int | None) -> Limits:
        """The limits of a search for this number of solutions; None for all."""
        from f2csp.solving import Limits
        from f2csp.solving.questions import projection

        names = projection(instance, self.project, solutions)
        return Limits(self.time_limit, solutions, self.workers, self.seed, names)


class BoardLook(NamedTuple):
    as_ascii: bool = False
    is_compact: bool | None = None  # one character for a cell; None for a board that is wider than the terminal
    has_numbers: bool | None = None  # of rows and columns; None for yes on a terminal


def _indices(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[range, ...] | None:  # noqa: ARG001 - click's signature
    """Parse numbers and ranges of problems such as ``1-10,17``."""
    if value is None:
        return None
    parts = []
    for part in value.split(","):
        found = re.fullmatch(r"\s*([1-9][0-9]{0,17})(?:-([1-9][0-9]{0,17}))?\s*", part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last:
            raise click.BadParameter(f"expected numbers and ranges such as 3 or 1-10,17, found {value!r}")
        parts.append(range(first, last + 1))
    return tuple(parts)


FROM = click.Option(
    ["--from", "form"], **FORMAT, default=AUTO, help="Read input as FORMAT (default: detected from its text)."
)
INDEX = click.Option(
    ["--index", "indices"], metavar="K", callback=_indices, help="Take puzzle number K of a file, or a range: 1-10."
)
STRICT = click.Option(
    ["--strict", "is_strict"], is_flag=True, help="Read puzzles in the named formats alone, no boards in other text."
)

_SWITCH: dict[str, Any] = {"is_flag": True, "default": None}
_FORMAT_OPTIONS = [
    click.Option([name], **kind, help=text)
    for name, kind, text in (
        ("--max-tuples", NUMBER, "Try at most N tuples for one table of a constraint in XCSP (default: 1000000)."),
        ("--ignore-objective", _SWITCH, "Read the constraints of an optimisation problem in XCSP3."),
        ("--hard-only", _SWITCH, "Read the hard costs alone of a weighted problem in WCSP."),
        ("--colours", NUMBER | {"metavar": "K"}, "Colour a DIMACS graph with K colours."),
    )
]


class InputCommand(click.Command):
    """A command that reads problems in any format: what its options say of the input is its argument ``inputs``.

    Puzzles have options of their own, and so have engines, in a command that starts one. They are imported only when
    such an option is used or the help is printed. A command that is named as a kind of puzzle has the options of this
    kind. What fails in a command with an argument ``file`` is reported with its name.
    """

    _has_rare_options = True

    @cached_property
    def _puzzle_options(self) -> list[click.Option]:
        from f2csp.puzzles.puzzle import KINDS, puzzle_class

        is_converter = self.name in KINDS
        kinds = map(puzzle_class, [self.name] if is_converter else KINDS)
        options = dict.fromkeys(option for kind in kinds for option in kind.OPTIONS)
        found = list(map(_puzzle_option, options))
        return found if is_converter else [*found, *_FORMAT_OPTIONS]

    @cached_property
    def _engine_options(self) -> list[click.Option]:
        """Those of all engines; help leaves them to ``f2csp engines``."""
        if all(param.name != "engine" for param in self.params):
            return []
        from f2csp.solving.registry import ENGINES

        names = dict.fromkeys(option.name for engine in ENGINES for option in engine.options)
        return [click.Option([f"--{name}", f"_{name.replace('-', '_')}"], hidden=True) for name in names]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *params, help_option = super().get_params(ctx)
        rare = [*self._puzzle_options, *self._engine_options] if self._has_rare_options else []
        return [*params, FROM, INDEX, STRICT, *rare, help_option]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with the options of puzzles and engines where an option is unknown without them."""
        self._has_rare_options = False
        known = {name for param in self.get_params(ctx)[:-1] for name in (*param.opts, *param.secondary_opts)}
        self._has_rare_options = any(arg[:1] == "-" != arg and arg.split("=")[0] not in known for arg in args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        def take(name: str | None, default: object = None) -> Any:
            return ctx.params.pop(str(name), default)

        of_puzzles, of_engines = (self._puzzle_options, self._engine_options) if self._has_rare_options else ([], [])
        options = {str(option.name): take(option.name) for option in of_puzzles}
        files, as_json = take("files", ()), take("as_json", False)
        ctx.params["inputs"] = Inputs(files, as_json, take("form"), take("indices"), options, take("is_strict"))
        if "as_ascii" in ctx.params:
            ctx.params["look"] = BoardLook(*map(take, BoardLook._fields))
        if "engine" in ctx.params:
            search = SearchOptions(*map(take, SearchOptions._fields))
            found = {option.opts[0].removeprefix("--"): take(option.name) for option in of_engines}
            if own := {name: value for name, value in found.items() if value is not None}:
                from f2csp.solving.registry import with_options

                search = search._replace(engine=with_options(search.engine, own))
            ctx.params["search"] = search
        run = partial(super().invoke, ctx)
        return guarded(run, ctx.params["file"]) if "file" in ctx.params else run()


def _puzzle_option(option: Option) -> click.Option:
    flag = "--" + option.name.replace("_", "-")
    if option.metavar is None:
        return click.Option([f"{flag}/{flag.replace('--', '--no-')}", option.name], default=None, help=option.help)

    def parse(ctx: click.Context, param: click.Parameter, value: str | None) -> object:  # noqa: ARG001 - click's signature
        try:
            return None if value is None else option.parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return click.Option([flag, option.name], metavar=option.metavar, callback=parse, help=option.help)


class Answer(NamedTuple):
    verdict: str  # a word or two, for the totals
    code: int = 0  # exit code
    record: Mapping[str, object] = {}  # what --json prints
    show: Callable[[], object] | None = None  # prints the answer for people
    line: str = ""  # printed instead where there are several problems
    is_interrupted: bool = False  # by Ctrl-C, which ends the command


def for_each_instance(
    inputs: Inputs,
    work: Callable[[Instance, bool], Answer],
    *,
    sources: Sequence[str | Source] = (),
    kind: str | None = None,
    totals_to_stderr: bool = False,
) -> int:
    """Work on every problem of the files, or the sources, print answers, faults and totals; return the exit code.

    The second argument of the work is whether there are several problems.
    """
    sources = sources or problem_files(inputs.files)
    verdicts: Counter[str] = Counter()
    codes = [0]

    def fail(name: str, error: Exception) -> None:
        verdicts["with faults" if isinstance(error, InvalidInput) else "failed"] += 1
        if inputs.as_json:
            _echo_failure(name, error)

    def one(instance: Instance) -> int:
        instance.require()
        has_others = len(sources) > 1 or (instance.n_instances > 1 and not inputs.is_single)
        answer = work(instance, has_others)
        verdicts[answer.verdict] += 1
        _print_answer(instance, answer, has_others, inputs.as_json)
        if answer.is_interrupted:
            raise click.Abort
        return answer.code

    def all_of(source: str | Source) -> None:
        found = inputs.instances(source, kind)
        codes.extend(guarded(partial(one, instance), instance.name, fail) for instance in found)

    codes += [guarded(partial(all_of, one), one if isinstance(one, str) else one.name, fail) for one in sources]
    n = verdicts.total()
    if n > 1:
        counts = ", ".join([f"{count:,} {verdict}" for verdict, count in verdicts.most_common()])
        click.echo(f"{n:,} problems: {counts}", err=inputs.as_json or totals_to_stderr)
    return worst(codes)


def _print_answer(instance: Instance, answer: Answer, has_others: bool, as_json: bool) -> None:
    if as_json:
        if answer.record:
            _echo_record(instance.file, index=instance.index, **answer.record)
    elif has_others and answer.line:
        click.echo(f"{instance.name}: {answer.line}")
    elif answer.show:
        if has_others:
            click.echo(f"{instance.name}:")
        answer.show()


def _echo_record(file: str, **result: object) -> None:
    echo_json({"command": click.get_current_context().command.name, "file": file, **result})


def _echo_failure(name: str, error: Exception) -> None:
    from f2csp.diagnostics.render import as_record

    diagnostics = list(map(as_record, error.diagnostics if isinstance(error, InvalidInput) else ()))
    _echo_record(name, error=describe(error), diagnostics=diagnostics)

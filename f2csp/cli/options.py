"""Arguments and options that several commands share, and JSON output."""

from __future__ import annotations

import re
import sys
from functools import cached_property, reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from f2csp.cli.report import choose_colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from f2csp.model import Problem
    from f2csp.puzzles.puzzle import Option
    from f2csp.solving import Limits


_COLOR = click.Option(
    ["--color"],
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    expose_value=False,
    callback=choose_colour,
    help="Write in colour (default: on terminals, as NO_COLOR and FORCE_COLOR say).",
)


class Command(click.Command):
    """A command that prints its help for ``-h``, too, and takes ``--color``."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, --color before the help."""
        *params, help_option = super().get_params(ctx)
        return [*params, _COLOR, help_option]

    def get_help_option_names(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The options that print the help."""
        return ["-h", "--help"]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help, with the command in its examples as it was called: f2csp-stats, or f2csp stats."""
        from f2csp.cli.main import COMMANDS

        program = COMMANDS[self.name].program if self.name in COMMANDS else None
        text = self.help
        if text and program and ctx.parent:
            self.help = text.replace(f"{program} ", f"{ctx.command_path} ")
        super().format_help_text(ctx, formatter)
        self.help = text


FILE = click.Path(allow_dash=True, readable=False)
"""The name of a file, which a shell completes; the file is not looked at."""


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """The names of formats that begin with a word."""
    from f2csp.formats.foreign import FOREIGN_FORMATS
    from f2csp.puzzles.files.formats import FORMATS

    names = ["f2csp", *(form.name for form in FOREIGN_FORMATS), *(form.full_name for form in FORMATS)]
    return [name for name in names if name.startswith(incomplete.lower())]


def complete_engine(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """The names of engines that begin with a word."""
    from f2csp.solving.registry import ENGINES

    return [engine.name for engine in ENGINES if engine.name.startswith(incomplete)]


_PROBLEM_FILE = re.compile(r".*\.csp(?:\.(?:gz|xz|bz2|zst))?", re.DOTALL)

EXCLUDE = click.option(
    "--exclude", multiple=True, metavar="GLOB", help="Skip files and folders in directories whose path ends in GLOB."
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
ASCII = click.option("--ascii", "as_ascii", is_flag=True, help="Draw boards with ASCII characters only.")
_HELP_OF_FROM = "Format of INPUT (default: detected from its text)."
FROM = click.option(
    "--from", "from_", metavar="FORMAT", default="auto", shell_complete=complete_format, help=_HELP_OF_FROM
)
INDEX = click.option("--index", type=click.IntRange(min=1), metavar="K", help="Take puzzle number K of the file.")
TEXT = click.option("--text", metavar="PUZZLE", help=r"The puzzle itself instead of INPUT, with \n for line ends.")
TIME_LIMIT = click.option(
    "--time-limit", type=click.FloatRange(min=0), metavar="SECONDS", help="Stop the search after SECONDS."
)
SEED = click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")


class PuzzleCommand(Command):
    """A command that reads puzzle files: the options of puzzles are its last argument, ``options``.

    The puzzles are imported when the command runs, or prints its help. One that is named as a kind of puzzle has the
    options of this kind only.
    """

    @cached_property
    def _puzzle_options(self) -> list[click.Option]:
        from f2csp.puzzles.puzzle import KINDS, puzzle_class

        kinds = map(puzzle_class, [self.name] if self.name in KINDS else KINDS)
        return [_puzzle_option(option) for option in dict.fromkeys(option for kind in kinds for option in kind.OPTIONS)]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, those of puzzles before the help."""
        *params, help_option = super().get_params(ctx)
        return [*params, *self._puzzle_options, help_option]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        ctx.params["options"] = {option.name: ctx.params.pop(str(option.name)) for option in self._puzzle_options}
        return super().invoke(ctx)


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


class SearchOptions(NamedTuple):
    """The options of a command that starts an engine."""

    engine: str | None
    time_limit: float | None
    workers: int | None
    seed: int
    project: str | None

    def limits(self, problem: Problem, solutions: int | None) -> Limits:
        """The limits of a search for this number of solutions; None for all."""
        from f2csp.solving import Limits

        # A single solution needs no others to differ from, so the puzzle need not be recognised.
        names = None if solutions == 1 else projection(problem, self.project)
        return Limits(
            seconds=self.time_limit, solutions=solutions, workers=self.workers, seed=self.seed, project_onto=names
        )


def projection(problem: Problem, wanted: str | None) -> tuple[str, ...] | None:
    """The names of the variables in which solutions must differ to count as distinct; None for all variables.

    Args:
        problem: the problem.
        wanted: ``all``, ``cells`` (the variables ``V<row>-<column>``), or names separated by blanks or commas; None for
            the cells of a puzzle, and for all variables of another problem.
    """
    from f2csp.cli.inputs import puzzle_of
    from f2csp.diagnostics import ProblemError, Unsuitable
    from f2csp.puzzles.puzzle import cell_names, cell_of

    if wanted == "all":
        return None
    if wanted is None:
        puzzle = puzzle_of(problem)
        return cell_names(puzzle.n_rows, puzzle.n_columns) if puzzle else None
    if wanted == "cells":
        cells = tuple(name for name in problem.variable_names if cell_of(name))
        if not cells:
            raise Unsuitable("the problem has no cells: no variable is called V<row>-<column>")
        return cells
    names = tuple(dict.fromkeys(wanted.replace(",", " ").split()))
    known = set(problem.variable_names)
    for name in names:
        if name not in known:
            raise ProblemError(f"the problem has no variable {name}")
    return names


def _given(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """The value of an option, or that of its other name."""
    given: str | None = ctx.params.get(param.name or "")
    return given if value is None else value


def search_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a search, which the command takes as one argument ``search``."""

    @wraps(command)
    def run(**arguments: Any) -> int:
        search = SearchOptions(*[arguments.pop(name) for name in SearchOptions._fields])
        return command(search=search, **arguments)

    options = (
        click.option(
            "--engine",
            metavar="NAME",
            shell_complete=complete_engine,
            help="Engine (default: the first installed of f2csp engines).",
        ),
        TIME_LIMIT,
        click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Number of threads."),
        SEED,
        click.option(
            "--project",
            callback=_given,
            metavar="NAMES|cells|all",
            help="Variables in which solutions must differ (default: the cells of a puzzle, else all).",
        ),
        click.option("--over", "project", hidden=True, callback=_given),
    )
    return reduce(lambda decorated, option: option(decorated), reversed(options), run)


def refuse_two_dashes(first: str, second: str) -> None:
    """Refuse to read two files from standard input."""
    if first == second == "-":
        raise click.UsageError("only one of the two files can be standard input")


def problem_files(names: Iterable[str], exclude: Sequence[str] = ()) -> list[str]:
    """The names, with each directory replaced by the .csp files in it, compressed or not, that are not excluded."""
    files: list[str] = []
    is_empty = True
    for name in names:
        is_empty = False
        if name == "-" or not Path(name).is_dir():
            files.append(name)
            continue
        found = [path for path in Path(name).rglob("*.csp*") if _PROBLEM_FILE.fullmatch(path.name) and path.is_file()]
        wanted = sorted(str(path) for path in found if not _is_excluded(path, exclude))
        if not wanted:
            click.echo(f"warning: no .csp file in directory {name}", err=True)
        files += wanted
    if is_empty:
        raise click.UsageError("expected at least one file, or - for standard input (see --help)")
    return files


def _is_excluded(path: Path, patterns: Sequence[str]) -> bool:
    return any(part.match(pattern) for part in (path, *path.parents) for pattern in patterns)


def ask_two_names(first: str, second: str) -> tuple[str, str]:
    """Ask for two file names on the terminal."""
    if not sys.stdin.isatty():
        raise click.UsageError("expected a file name, or - for standard input (see --help)")
    return click.prompt(first, err=True), click.prompt(second, err=True)


def echo_json(record: object) -> None:
    """Print a line of JSON; a file name in it need not be UTF-8."""
    import json

    click.echo(json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace"))

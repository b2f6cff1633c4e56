"""Arguments and options that several commands share, and JSON output."""

from __future__ import annotations

import re
import sys
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.failures import choose_colour, refuse
from f2csp.door import formats
from f2csp.files import bare_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


COLOR = click.Option(
    ["--color"],
    type=click.Choice(["auto", "always", "never"]),
    expose_value=False,
    callback=choose_colour,
    help="Write in colour (default: on terminals, as NO_COLOR and FORCE_COLOR say).",
)


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
            names = [name for name, its in self._headings.items() if its == heading]
            with formatter.section(heading):
                formatter.write_dl([(name, self._make(name).get_short_help_str(100)) for name in names])


FILE = click.Path(allow_dash=True, readable=False)  # a name, which a shell completes; the file is not looked at


def completed_by(words: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """What a shell offers for the beginning of one of these words, in any letter case."""
    return lambda *given: [word for word in words() if word.casefold().startswith(given[-1].casefold())]


def engine_names() -> list[str]:
    from f2csp.solving.registry import ENGINES

    return [engine.name for engine in ENGINES]


# What options with values of one kind have in common.
FORMAT: dict[str, Any] = {"metavar": "FORMAT", "shell_complete": completed_by(lambda: [one.name for one in formats()])}
NUMBER: dict[str, Any] = {"metavar": "N", "type": click.IntRange(min=1)}
FROM_ZERO: dict[str, Any] = {"metavar": "N", "type": click.IntRange(min=0)}
SECONDS: dict[str, Any] = {"metavar": "SECONDS", "type": click.FloatRange(min=0)}
OUT: dict[str, Any] = {"metavar": "OUT", "type": FILE}


def shown(default: object) -> dict[str, Any]:
    return {"default": default, "show_default": True}


_ASKED = "f2csp.asked"  # among the notes of a context: whether the user was asked for the names of files
_PROBLEM_FILE = re.compile(r".*\.csp(?:\.(?:gz|xz|lzma|bz2|zst))?", re.DOTALL)

option = click.option
flag = partial(click.option, is_flag=True)
EXCLUDE = option(
    "--exclude", multiple=True, metavar="GLOB", help="Skip files and folders in directories whose path ends in GLOB."
)
JSON = flag("--json", "as_json", help="Print JSON.")
TEXT = option("--text", metavar="PUZZLE", help=r"The puzzle itself instead of INPUT, with \n for line ends.")
TIME_LIMIT = option("--time-limit", **SECONDS, help="Stop the search after SECONDS.")
SEED = option("--seed", **FROM_ZERO, **shown(0), help="Random seed.")


def _together(*options: Callable[..., Any]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """A decorator that adds options; an ``InputCommand`` takes their values as one argument."""
    return lambda command: reduce(lambda decorated, option: option(decorated), reversed(options), command)


BOARD_LOOK = _together(
    flag("--ascii", "as_ascii", help="Draw boards with ASCII characters only."),
    option(
        "--compact/--no-compact",
        "is_compact",
        default=None,
        help="Draw a cell as one character, 1-9, A-Z (default: if a board is wider than the terminal).",
    ),
    option(
        "--numbers/--no-numbers",
        "has_numbers",
        default=None,
        help="Number the rows and columns of boards (default: on terminals).",
    ),
)
SEARCH_OPTIONS = _together(
    option(
        "--engine",
        metavar="NAME",
        shell_complete=completed_by(engine_names),
        help="Search with engine NAME (default: the first installed of f2csp engines). Its options, which "
        "f2csp engines NAME lists, are options here, too: --inference fc.",
    ),
    TIME_LIMIT,
    option("--workers", **NUMBER, help="Use N threads."),
    SEED,
    option(
        "--project",
        "--over",
        metavar="NAMES|cells|all",
        help="Take solutions as distinct if these variables differ (default: the cells of a puzzle, else all).",
    ),
)


def picture_ending(output: str, endings: Sequence[str] = (".svg", ".png", ".pdf")) -> str:
    """The ending of a picture's name, which selects its format; the first for standard output."""
    name = endings[0] if output == "-" else bare_name(output)
    ending = next((one for one in endings if name.endswith(one)), "")
    refuse(not ending, f"expected a name that ends in {', '.join(endings)}, found {output}")
    return ending


def plot_ending(plot: str | None) -> str:
    """The ending of the name of a plot; empty if none is wanted."""
    refuse(plot == "-", "--plot writes a file, not standard output")
    return picture_ending(plot) if plot is not None else ""


def problem_files(names: Sequence[str], exclude: Sequence[str] = ()) -> list[str]:
    """The names, with each directory replaced by the .csp files in it, compressed or not, that are not excluded."""
    refuse(not names, "expected at least one file, or - for standard input (see --help)")
    files: list[str] = []
    for name in names:
        if name == "-" or not Path(name).is_dir():
            files.append(name)
            continue
        found = [path for path in Path(name).rglob("*.csp*") if _PROBLEM_FILE.fullmatch(path.name) and path.is_file()]
        wanted = sorted(str(path) for path in found if not _matches(path, exclude))
        if not wanted:
            click.echo(f"warning: no .csp file in directory {name}", err=True)
        files += wanted
    return files


def _matches(path: Path, patterns: Sequence[str]) -> bool:
    return any(part.match(pattern) for part in (path, *path.parents) for pattern in patterns)


def ask_two_names(first: str, second: str) -> tuple[str, str]:
    """Ask for the names of an input, until there is such a file, and of an output; Enter for standard output."""
    if sys.stdin.isatty() and sys.stderr.isatty():
        click.echo("Press Enter at the second question to show the result on the screen.", err=True)
    source = _ask_for_file(first)
    while True:
        out = _asked_name(second, default="-")
        if out == "-" or not Path(out).is_file() or click.confirm(f"{out} exists. Replace it?", err=True):
            click.get_current_context().meta[_ASKED] = True
            return source, out


def _ask_for_file(question: str) -> str:
    refuse(not sys.stdin.isatty(), "expected a file name, or - for standard input (see --help)")
    while (name := _asked_name(question)) != "-" and not Path(name).exists():
        click.echo(f"{name}: no such file", err=True)
    return name


def _or_asked(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001 - click's signature
    """The names of files, or the one that the user types on a terminal."""
    return value if value or ctx.resilient_parsing or not sys.stdin.isatty() else (_ask_for_file("File"),)


FILES = click.argument("files", nargs=-1, type=FILE, metavar="FILE...", callback=_or_asked)


def _asked_name(question: str, default: str | None = None) -> str:
    """A file name typed on the terminal, perhaps in quotes or with ~ for the home directory."""
    name: str = click.prompt(question, default=default, show_default=False, err=True).strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        return name[1:-1]
    return str(Path(name).expanduser()) if name.startswith("~") else name


def confirm_written(file: str, content: str = "") -> None:
    """Say that a file is written, if its name was asked for."""
    if file != "-" and click.get_current_context().meta.get(_ASKED):
        click.echo(f"{file} written{content}", err=True)


def echo_json(record: object) -> None:
    """Print a line of JSON; a file name in it need not be UTF-8."""
    import json

    from f2csp.json_text import numbers_of_any_length

    with numbers_of_any_length():
        click.echo(json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace"))


_SETTINGS = {"exclude": list, "select": list, "ignore": list, "max-errors": int, "warnings-as-errors": bool}
_KIND_NAMES = {list: "a list of strings", int: "an integer", bool: "true or false"}


class ConfiguredCommand(click.Command):
    """A command whose options have defaults such as ``ignore = ["F402"]`` in a table ``tool.f2csp``.

    It is that of the nearest pyproject.toml that has one, in the working directory or one above it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.default_map = {key.replace("-", "_"): value for key, value in _settings(Path.cwd()).items()}
        return super().parse_args(ctx, args)


def _settings(folder: Path) -> dict[str, Any]:
    for file in (place / "pyproject.toml" for place in (folder, *folder.parents)):
        if file.is_file():
            import tomllib

            try:
                tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
                if isinstance(tool, dict) and "f2csp" in tool:
                    return _checked(tool["f2csp"])
            except ValueError as error:
                raise click.UsageError(f"{file}: {error}") from None
    return {}


def _checked(settings: Any) -> dict[str, Any]:
    if not isinstance(settings, dict):
        raise ValueError(f"expected a table tool.f2csp, found {settings!r}")
    for key, value in settings.items():
        if key not in _SETTINGS:
            raise ValueError(f"tool.f2csp has no key {key}; its keys are {', '.join(_SETTINGS)}")
        kind, items = _SETTINGS[key], value if isinstance(value, list) else ()
        if type(value) is not kind or not all(isinstance(item, str) for item in items):
            raise ValueError(f"expected {_KIND_NAMES[kind]} for {key} in tool.f2csp, found {value!r}")
    return settings

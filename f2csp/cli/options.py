"""Arguments and options that several commands share."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.failures import choose_colour, refuse
from f2csp.cli.session import Bringing, OutputPath, gathered, setting, switch
from f2csp.diagnostics import F2cspError
from f2csp.file_formats import AUTO, formats
from f2csp.files import STDIN, bare_name
from f2csp.inputs import index_ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from f2csp.instances import Instance
    from f2csp.puzzles.puzzle import Option
    from f2csp.solving import Limits

option = click.option
flag = partial(click.option, is_flag=True)
FILE = click.Path(allow_dash=True, readable=False)  # a name, which a shell completes; the file is not looked at


def completed_by(words: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """What a shell offers for the beginning of one of these words, in any letter case."""
    return lambda *given: [word for word in words() if word.casefold().startswith(given[-1].casefold())]


def parsed_by(parse: Callable[[Any], object]) -> Callable[..., object]:
    """The callback of an option whose value this function makes, or refuses with an error."""

    def parsed(ctx: click.Context, param: click.Parameter, value: Any) -> object:  # noqa: ARG001 - click's signature
        try:
            return None if value is None else parse(value)
        except (ValueError, F2cspError) as error:
            raise click.BadParameter(str(error)) from None

    return parsed


def engine_names() -> list[str]:
    from f2csp.solving.registry import ENGINES

    return [engine.name for engine in ENGINES]


def _formats_read(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """The names that --from takes: in the command of a kind of puzzle its formats, with and without the kind."""
    names, kind = [form.name for form in formats() if form.is_read], str(ctx.command.name)
    of_kind = [name for name in names if name.startswith(f"{kind}:")]
    if of_kind:
        names = [kind, *of_kind, *(name.removeprefix(f"{kind}:") for name in of_kind)]
    return [name for name in (AUTO, *names) if name.startswith(incomplete.casefold())]


# What options with values of one kind have in common.
_written = completed_by(lambda: [form.name for form in formats() if form.is_written])
FORMAT: dict[str, Any] = {"metavar": "FORMAT", "shell_complete": _written}
NUMBER: dict[str, Any] = {"metavar": "N", "type": click.IntRange(min=1)}
FROM_ZERO: dict[str, Any] = {"metavar": "N", "type": click.IntRange(min=0)}
SECONDS: dict[str, Any] = {"metavar": "SECONDS", "type": click.FloatRange(min=0)}
OUT: dict[str, Any] = {"metavar": "OUT", "type": OutputPath(allow_dash=True, readable=False)}


def shown(default: object) -> dict[str, Any]:
    return {"default": default, "show_default": True}


UP_TO_SYMMETRY = "Take one solution of those that symmetries map to each other."
SYMMETRIES: dict[str, Any] = {"type": click.Choice(["all", "values", "variables", "board"]), **shown("all")}
CLUSTER_HELP = "Use the workers of a Dask scheduler, such as tcp://host:8786."
SYMMETRIES_HELP = "Which symmetries count: of values alone, of variables alone, turns of a board, or all."


def check_symmetries(symmetries: str, *, up_to_symmetry: bool, **others: object) -> None:
    """Refuse options of symmetries that are not asked for; raises MissingExtra if those that are cannot be found.

    ``others`` are the values of options that have no meaning beside them.
    """
    refuse(symmetries != "all" and not up_to_symmetry, "--symmetries requires --up-to-symmetry")
    for name, value in others.items():
        refuse(up_to_symmetry and bool(value), f"--up-to-symmetry and --{name} cannot be combined")
    if up_to_symmetry:
        from f2csp.symmetry.graphs import require_nauty

        require_nauty()


# ---- What a command reads: the parameters of a session ---------------------------------------------------------------


def _or_asked(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001 - click's signature
    """The names of files, or the one that the user types on a terminal."""
    if value or ctx.resilient_parsing or not sys.stdin.isatty():
        return value
    from f2csp.cli.asking import ask_for_file

    return (ask_for_file("File"),)


def _input_options(command: str) -> list[click.Option]:
    """The options of puzzles and other formats; in the command of a kind of puzzle those of this kind."""
    from f2csp.puzzles import KINDS
    from f2csp.puzzles.puzzle import puzzle_class

    kinds = map(puzzle_class, [command] if command in KINDS else KINDS)
    of_puzzles = [_puzzle_option(option) for option in dict.fromkeys(one for kind in kinds for one in kind.OPTIONS)]
    of_formats = [click.Option([name], **kind, help=text) for name, (kind, text) in _FORMAT_OPTIONS.items()]
    return of_puzzles + (of_formats if command not in KINDS else [])


def _puzzle_option(option: Option) -> click.Option:
    name = "--" + option.name.replace("_", "-")
    if option.metavar is None:
        return click.Option([f"{name}/{name.replace('--', '--no-')}", option.name], default=None, help=option.help)

    return click.Option([name, option.name], metavar=option.metavar, callback=parsed_by(option.parse), help=option.help)


_SWITCH: dict[str, Any] = {"is_flag": True, "default": None}
_FORMAT_OPTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "--max-tuples": (NUMBER, "Try at most N tuples for one table of a constraint in XCSP (default: 1000000)."),
    "--ignore-objective": (_SWITCH, "Read the constraints of an optimisation problem in XCSP3."),
    "--hard-only": (_SWITCH, "Read the hard costs alone of a weighted problem in WCSP."),
    "--colours": (NUMBER | {"metavar": "K"}, "Colour a DIMACS graph with K colours."),
}

FILES = click.argument("files", nargs=-1, type=FILE, metavar="FILE...", callback=_or_asked)
ONE_FILE = click.argument("files", type=FILE, metavar="FILE", callback=lambda _ctx, _param, file: (file,))
_READ: dict[str, Any] = {"metavar": "FORMAT", "shell_complete": _formats_read, "default": AUTO}
FROM = option("--from", "form", **_READ, help="Read input as FORMAT (default: detected from its text).")
_RANGES: dict[str, Any] = {"metavar": "K", "callback": parsed_by(index_ranges)}
INDEX = option("--index", "indices", **_RANGES, help="Take puzzle number K, or a range: 1-10.")
_BRINGS_OPTIONS: dict[str, Any] = {"cls": Bringing, "others": _input_options, "into": "options"}
_STRICT_HELP = "Read puzzles in the named formats alone, no boards in other text."
STRICT = flag("--strict", "is_strict", **_BRINGS_OPTIONS, help=_STRICT_HELP)
PROBLEMS = (FROM, INDEX, STRICT)
_EXCLUDE_HELP = "Skip files and folders in directories whose path ends in GLOB."
EXCLUDE = option("--exclude", multiple=True, metavar="GLOB", help=_EXCLUDE_HELP)
JSON = flag("--json", "as_json", help="Print JSON.")

# ---- What several commands print and search --------------------------------------------------------------------------

TEXT = option("--text", metavar="PUZZLE", help=r"The puzzle itself instead of INPUT, with \n for line ends.")
TIME_LIMIT = option("--time-limit", **SECONDS, help="Stop the search after SECONDS.")
SEED = option("--seed", **FROM_ZERO, **shown(0), help="Random seed.")
_COLORS = click.Choice(["auto", "always", "never"])
_COLOR_HELP = "Write in colour (default: on terminals, as NO_COLOR and FORCE_COLOR say)."
COLOR = click.Option(["--color"], type=_COLORS, expose_value=False, callback=choose_colour, help=_COLOR_HELP)


_COMPACT_HELP = "Draw a cell as one character, 1-9, A-Z (default: if a board is wider than the terminal)."
_NUMBERS_HELP = "Number the rows and columns of boards (default: on terminals)."


@dataclass(frozen=True)
class Look:
    """How boards are drawn."""

    as_ascii: bool = switch("--ascii", "Draw boards with ASCII characters only.")
    is_compact: bool | None = setting("--compact/--no-compact", _COMPACT_HELP, default=None)
    has_numbers: bool | None = setting("--numbers/--no-numbers", _NUMBERS_HELP, default=None)


def _engine_options(command: str) -> list[click.Option]:  # noqa: ARG001 - those of all commands
    """The options of all engines; help leaves them to ``f2csp engines``."""
    from f2csp.solving.registry import ENGINES

    options = {option.name: option.values for engine in ENGINES for option in engine.options}
    made = []
    for name, values in options.items():
        kind: dict[str, Any] = {"is_flag": True, "flag_value": "yes"} if values == ("no", "yes") else {}
        made.append(click.Option([f"--{name}", f"_{name.replace('-', '_')}"], hidden=True, **kind))
    return made


_ENGINE: dict[str, Any] = {"metavar": "NAME", "shell_complete": completed_by(engine_names)}
_ENGINE |= {"cls": Bringing, "others": _engine_options, "into": "engine_options"}
_ENGINE_HELP = """Search with engine NAME (default: auto, several side by side). Its options, which
    f2csp engines NAME lists, are options here, too: --inference fc."""
_PROJECT_HELP = "Take solutions as distinct if these variables differ (default: the cells of a puzzle, else all)."


@dataclass
class SearchOptions:
    """What the options say of a search."""

    engine: str | None = setting("--engine", _ENGINE_HELP, **_ENGINE)
    time_limit: float | None = setting("--time-limit", "Stop the search after SECONDS.", **SECONDS)
    workers: int | None = setting("--workers", "Use N threads, or processes for merging.", **NUMBER)
    seed: int = setting("--seed", "Random seed.", **FROM_ZERO, **shown(0))
    project: str | None = setting("--project --over", _PROJECT_HELP, metavar="NAMES|cells|all")
    engine_options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.engine_options:
            from f2csp.solving.registry import with_options

            options = {name.strip("_").replace("_", "-"): value for name, value in self.engine_options.items()}
            self.engine = with_options(self.engine, options)

    def require_engine(self) -> None:
        """Raise F2cspError if there is no such engine or option, or the engine is not installed."""
        from f2csp.solving.registry import engine_and_options

        engine, _ = engine_and_options(self.engine)
        engine.require(f"the engine {engine.name}")  # which is imported only where a problem can be read

    def limits(self, instance: Instance, solutions: int | None) -> Limits:
        """The limits of a search for this number of solutions; None for all."""
        from f2csp.solving import Limits
        from f2csp.solving.questions import projection

        names = projection(instance, self.project, solutions)
        return Limits(self.time_limit, solutions, self.workers, self.seed, names)


LOOK = gathered("look", Look)
SEARCH = gathered("search", SearchOptions)


_PICTURES = (".svg", ".png", ".pdf")


def picture_ending(output: str, endings: Sequence[str] = _PICTURES) -> str:
    """The ending of a picture's name, which selects its format; raises MissingExtra if none can be written with it."""
    from f2csp.rendering.pictures import require_converter

    ending = _ending_among(endings, output)
    require_converter(ending)
    return ending


def _ending_among(endings: Sequence[str], output: str) -> str:
    """The ending of a name; the first for standard output."""
    name = endings[0] if output == STDIN else bare_name(output)
    ending = next(filter(name.endswith, endings), "")
    refuse(not ending, f"expected a name that ends in {', '.join(endings)}, found {output}")
    return ending


def plot_ending(plot: str | None) -> str:
    """The ending of the name of a plot; empty if none is wanted."""
    refuse(plot == STDIN, "--plot writes a file, not standard output")
    return _ending_among(_PICTURES, plot) if plot is not None else ""

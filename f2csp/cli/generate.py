"""``f2csp generate``: a group with a command for each kind of puzzle and family of instances."""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.convert import Folder, is_directory, require_room, target_format, write_instances
from f2csp.cli.drawing import board_writer
from f2csp.cli.failures import say
from f2csp.cli.options import COLOR, FILE, FORMAT, FROM_ZERO, NUMBER, OUT, SECONDS, Look, parsed_by
from f2csp.cli.progress import Display
from f2csp.cli.session import Command, TableGroup
from f2csp.file_formats import ending_of
from f2csp.files import STDIN
from f2csp.generation.kinds import PROBLEM_KINDS, ProblemKind, drawn, kind_named
from f2csp.instances import Instance
from f2csp.puzzles import KINDS

if TYPE_CHECKING:
    from f2csp.puzzles.puzzle import Parameter

_SEEDS = 1 << 32
_LONG_SECONDS = 10.0  # after which a search that has no end yet says so
_METAVARS = {int: "N", float: "X", tuple: "RxC"}
_OUT_HELP = "Write to FILE, or to files in a folder, FOLDER/ (default: standard output; boards on a terminal)."
_TO_HELP = "Write as FORMAT (default: from the extension, else F2CSP)."
_SEED_HELP = "Random seed (default: a new one, which is reported on standard error)."


def _command(name: str) -> click.Command:
    kind = kind_named(name)

    def run(out: str, to: str | None, **values: Any) -> int:
        return _generate(kind, out, to, values)

    params: list[click.Parameter] = [*map(_option, kind.parameters)]
    params.append(click.Option(["-o", "--output", "out"], default=STDIN, **OUT | {"metavar": "FILE"}, help=_OUT_HELP))
    params.append(click.Option(["--to"], **FORMAT, help=_TO_HELP))
    if kind.is_random:
        params.append(click.Option(["--count"], **NUMBER | {"metavar": "K"}, default=1, help="Generate K of them."))
        params.append(click.Option(["--time-limit"], **SECONDS, help="Stop after SECONDS."))
    seed = {"help": _SEED_HELP} if kind.is_random else {"default": 0, "hidden": True}
    params += [click.Option(["--seed"], **FROM_ZERO, **seed), COLOR]
    text = f"{kind.summary}\n\n{kind.details}"
    return Command(name, callback=run, params=params, help=text, short_help=kind.summary)


_HEADINGS = {name: "Puzzles" if name in KINDS else "Families of instances" for name in PROBLEM_KINDS}


@click.group("generate", cls=TableGroup, headings=_HEADINGS, make=_command)
def generate_command() -> None:
    """Generate puzzles and instances of families, at random from a seed.

    The same seed gives the same files on every machine. f2csp generate KIND --help explains the options of a kind.

    \b
    Examples:
      f2csp generate sudoku --box 3 --fill 0.4 --seed 7 -o puzzle.csp
      f2csp generate sudoku --unique --count 100 -o puzzles.sdm
      f2csp generate takuzu --size 10 --minimal --to takuzu:grid
      f2csp generate model-rb --variables 40 --count 10 -o instances/ --to xcsp3
      f2csp generate coloring --graph myciel3.col --colours 4 -o problem.csp
    """


def _option(parameter: Parameter) -> click.Option:
    name = f"--{parameter.name.replace('_', '-')}"
    if parameter.type is bool:
        return click.Option([name, parameter.name], is_flag=True, help=parameter.help)

    default = parameter.default
    shown = "x".join(map(str, default)) if isinstance(default, tuple) else default
    note = "" if default is None else f" (default: {shown})"
    return click.Option(
        [name, parameter.name],
        type=FILE if "FILE" in parameter.metavar else None,
        metavar=parameter.metavar or "|".join(parameter.choices) or _METAVARS[parameter.type],
        callback=parsed_by(parameter.checked),
        required=parameter.is_required,
        help=f"{parameter.help.removesuffix('.')}{note}.",
    )


def _generate(kind: ProblemKind, out: str, to: str | None, values: dict[str, Any]) -> int:
    """Generate problems and write them to a file, or to a directory, each as soon as it is made."""
    from secrets import randbelow
    from threading import Timer

    from f2csp.generation.draws import LATE, Draws, OutOfTimeError

    count, seed, seconds = values.pop("count", 1), values.pop("seed"), values.pop("time_limit", None)
    target = target_format(out, to)
    folder = Folder(out, ending_of(target)) if is_directory(out) else None
    is_shown = out == STDIN and to is None and kind.name in KINDS and sys.stdout.isatty()
    if folder is None and count > 1 and not is_shown:
        require_room(out, target)
    if seed is None:
        seed = randbelow(_SEEDS)
        say(f"seed: {seed}")
    draws, made, code = Draws(seed, seconds), [], 0
    word = Timer(_LONG_SECONDS, say, [f"f2csp: still searching for a {kind.name}; --time-limit SECONDS ends it"])
    with suppress(RuntimeError):  # in a browser, where no thread can be started
        word.start()
    display = Display("Generating", count if count > 1 else None, "problems")
    with ExitStack() as at_end, display:
        at_end.callback(word.cancel)
        try:
            for index in range(1, count + 1):
                instance = Instance(kind.name, "generated", drawn(kind, draws, values), index, count)
                if folder:
                    write_instances([instance], folder.name_for(instance), target)
                else:
                    made.append(instance)
                display.advance(1)
        except OutOfTimeError as error:
            say(f"f2csp: {LATE} after {index - 1:,} of {count:,}{str(error).removeprefix(LATE)}")
            code = 4
    for instance in made if is_shown else ():
        click.echo(board_writer(instance.puzzle, Look())({}))
    if made and not is_shown:
        write_instances(made, out, target)
    return code

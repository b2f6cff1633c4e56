"""The pages of commands: their help, with an anchor for each option, and a transcript made while the page is built."""

import re
import shutil
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from docs.program import ROOT, printed, sample_of
from f2csp.cli.commands import command_named, commands
from f2csp.puzzles import KINDS

SAMPLES = ROOT / "samples"
_UNWRAPPED = 1 << 20  # columns, so that a paragraph of help is one line


def _conversion(kind: str) -> str:
    name, index = sample_of(kind)
    return f"f2csp {kind} {name} {kind}.csp --index {index}"


EXAMPLES = {
    "sudoku": ["f2csp sudoku 4x4.txt puzzle.csp", "f2csp board puzzle.csp"],
    **{kind: [_conversion(kind), f"f2csp board {kind}.csp"] for kind in KINDS if kind != "sudoku"},
    "board": ["f2csp board token.txt"],
    "generate": ["f2csp generate latin --size 5 --minimal --seed 3 --to latin:matrix"],
    "validate": ["f2csp validate two-cells.csp", "f2csp validate two-cells.csp --format concise"],
    "code": ["f2csp code F304"],
    "stats": ["f2csp stats map.csp", "f2csp stats 4x4.txt --structure"],
    "graph": ["f2csp graph map.csp -o map.svg"],
    "format": ["f2csp format --fix --diff by-hand.csp"],
    "convert": ["f2csp convert map.csp - --to minizinc", "f2csp convert 4x4.txt - --to sudoku:line"],
    "formats": ["f2csp formats"],
    "batch": ["f2csp batch unique tatham.txt --jobs 1"],
    "solve": ["f2csp solve map.csp --all --engine search", "f2csp solve 4x4.txt --engine search"],
    "unique": ["f2csp unique map.csp", "f2csp unique grid-6x6.txt"],
    "hint": ["f2csp hint grid-6x6.txt"],
    "rate": ["f2csp rate grid-6x6.txt"],
    "count": ["f2csp count map.csp --json", "f2csp count 4x4.txt"],
    "sample": ["f2csp sample map.csp -n 2 --seed 1"],
    "marginals": ["f2csp marginals map.csp"],
    "explain": ["f2csp explain 9x9-no-solution.txt"],
    "check": ["f2csp check map.csp map-solutions.txt"],
    "engines": ["f2csp engines", "f2csp engines search"],
}
_FILES = [
    *(
        "sudoku/4x4.txt",
        "futoshiki/token.txt",
        "faulty/two-cells.csp",
        "faulty/by-hand.csp",
        "map.csp",
        "sudoku/tatham.txt",
    ),
    *("map-solutions.txt", "sudoku/grid-6x6.txt", "sudoku/9x9-no-solution.txt"),
]


def command_pages() -> dict[str, str]:
    """The page of each command, and their list."""
    pages = {}
    groups: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copytree(SAMPLES, place, dirs_exist_ok=True)
        for name in _FILES:
            shutil.copy(SAMPLES / name, place)
        for name, entry in commands().items():
            command = command_named(name)
            parts = _reference(name, command)
            groups.setdefault(entry.group, []).append(f"- [`f2csp {name}`]({name}.md): {parts[1]}")
            if entry.program:
                parts.insert(3, f"The program `{entry.program}` does the same.")
            if shown := [f"$ {line}\n{printed(line, place)}" for line in EXAMPLES.get(name, ())]:
                parts += ["## What it prints", "```console\n{}\n```".format("".join(shown).rstrip())]
            pages[f"commands/{name}.md"] = _page(parts)
            if isinstance(command, click.Group):
                for kind in command.commands:
                    member = command.get_command(click.Context(command), kind)
                    if member:
                        pages[f"commands/{name}/{kind}.md"] = _page(_reference(f"{name} {kind}", member))
    lines = ["# Commands", "", "Each has `--help`, and prints nothing but its result to standard output.", ""]
    for group, items in groups.items():
        lines += [f"## {group}", "", *items, ""]
    return pages | {"commands/index.md": "\n".join(lines)}


def _page(parts: list[str]) -> str:
    """The page of these paragraphs, whose options are links to their headings."""
    text = "\n\n".join(parts) + "\n"
    for option in re.findall(r"\{ #([\w-]+) \}", text):
        text = re.sub(rf"(?<!### )`--{option}`", f"[`--{option}`](#{option})", text)
    return text


def _reference(name: str, command: click.Command) -> list[str]:
    """The help of a command as paragraphs of Markdown, with a heading and an anchor for each option."""
    width = {"terminal_width": _UNWRAPPED, "max_content_width": _UNWRAPPED}
    context = click.Context(command, info_name=f"f2csp {name}", **width, **command.context_settings)
    usage, summary, *blocks = command.get_help(context).split("\n\n")
    parts = [f"# f2csp {name}", _prose(summary), f"```text\n{usage.removeprefix('Usage: ')}\n```"]
    above = "../" * name.count(" ")
    options: list[str] = []
    for block in blocks:
        title, *rows = block.strip("\n").split("\n")
        if title == "Options:":
            options = [
                "## Options",
                *chain.from_iterable(_option(param, context) for param in command.get_params(context)),
            ]
        elif title == "  Examples:":
            parts += ["## Examples", "```sh\n{}\n```".format("\n".join(row.strip() for row in rows))]
        elif title.startswith(" "):
            parts.append(_prose(block, above))
        else:
            parts += [f"## {title.removesuffix(':')}", "\n".join(_row(row, name, command) for row in rows)]
    return parts + options


def _row(row: str, name: str, command: click.Command) -> str:
    """A line of a list: a command of a group, which has a page, or a format."""
    word, text = row.split(maxsplit=1)
    shown = f"[`{word}`]({name}/{word}.md)" if isinstance(command, click.Group) else f"`{word}`"
    return f"- {shown}: {_prose(text)}"


def _option(param: click.Parameter, context: click.Context) -> list[str]:
    """The heading of an option, whose other names are anchors, too, and what it does."""
    record = param.get_help_record(context)
    if record is None or isinstance(param, click.Argument):
        return []
    words = [word.lstrip("-") for word in [*param.opts, *param.secondary_opts]]
    name, *aliases = sorted(words, key=lambda word: len(word) == 1)
    anchors = "".join(f'<span id="{alias}"></span>' for alias in aliases)
    return [f"### `{record[0]}` {{ #{name} }}", anchors + _prose(record[1])]


def _prose(text: str, above: str = "") -> str:
    """A paragraph of a help as Markdown: options as code, commands as links to their pages."""
    escaped = re.sub(r"([\\`*_<\[\]|])", r"\\\1", " ".join(text.split()))
    coded = re.sub(r"(?<![\w-])--[a-z][a-z-]*\b", r"`\g<0>`", escaped)
    return re.sub(rf"\bf2csp ({'|'.join(commands())})\b", rf"[`f2csp \1`]({above}\1.md)", coded)

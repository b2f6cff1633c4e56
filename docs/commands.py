"""The pages of commands: their help, and a transcript made while the page is built."""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.program import ROOT, printed, sample_of
from f2csp.cli.commands import commands
from f2csp.puzzles import KINDS

SAMPLES = ROOT / "samples"


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
    lines = ["# Commands", "", "Each has `--help`, and prints nothing but its result to standard output.", ""]
    groups: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copytree(SAMPLES, place, dirs_exist_ok=True)
        for name in _FILES:
            shutil.copy(SAMPLES / name, place)
        for name, entry in commands().items():
            text = printed(f"f2csp {name} --help", place)
            summary = next(line.strip() for line in text.splitlines()[1:] if line.strip())
            groups.setdefault(entry.group, []).append(f"- [`f2csp {name}`]({name}.md): {summary}")
            shown = [f"$ {line}\n{printed(line, place)}" for line in EXAMPLES.get(name, ())]
            parts = [f"# f2csp {name}", f"```console\n$ f2csp {name} --help\n{text.rstrip()}\n```"]
            if entry.program:
                parts.append(f"The program `{entry.program}` does the same.")
            if shown:
                parts += ["## Example", "```console\n{}\n```".format("".join(shown).rstrip())]
            pages[f"commands/{name}.md"] = "\n\n".join(parts) + "\n"
    for group, items in groups.items():
        lines += [f"## {group}", "", *items, ""]
    return pages | {"commands/index.md": "\n".join(lines)}

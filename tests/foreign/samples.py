"""The problems of all samples: F2CSP files, and the first puzzle of each puzzle file."""

import re
from pathlib import Path

import f2csp
from f2csp.files import read_source
from f2csp.model import Problem
from f2csp.puzzles.files.formats import KINDS, PuzzleFile, named_formats
from f2csp.puzzles.to_problem import to_problem
from tests.puzzles.files.puzzle_texts import read_puzzles

_ROOT = Path(__file__).parents[2] / "samples"
SAMPLES = [*sorted(_ROOT.glob("*.csp")), *(path for kind in KINDS for path in sorted((_ROOT / kind).iterdir()))]
"""The files."""


def sample_name(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


def sample(path: Path) -> Problem:
    """The problem in a file, or that of the first puzzle in it."""
    if path.suffix == ".csp":
        return f2csp.load(path)
    box = re.search(r"-box-(\d+)x(\d+)", path.name)
    options = {"box": (int(box[1]), int(box[2]))} if box else {}
    found = next(iter(read_puzzles(read_source(path), named_formats(path.parent.name), options)))
    assert isinstance(found, PuzzleFile)
    return to_problem(found.puzzle)

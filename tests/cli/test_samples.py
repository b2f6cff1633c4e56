"""Every sample of a puzzle: the program for its kind converts it, and it has the solutions that its page says."""

import re
from pathlib import Path

import pytest

from f2csp.files import read_source
from f2csp.puzzles import KINDS
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving.questions import Uniqueness, unique
from tests.boards.puzzle_texts import read_all
from tests.cli.in_process import run

SAMPLES = Path(__file__).parents[2] / "samples"
FILES = [path for kind in KINDS for path in sorted((SAMPLES / kind).iterdir())]
VERDICTS = {"4x4.txt": Uniqueness.MULTIPLE, "9x9-no-solution.txt": Uniqueness.NONE}

every_sample = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")


def box_of(path: Path) -> list[str]:
    """The option that the name of a file asks for."""
    box = re.search(r"-box-(\d+x\d+)", path.name)
    return ["--box", box[1]] if box else []


@every_sample
def test_its_program_converts_it(path: Path) -> None:
    result = run(path.parent.name, *box_of(path), path)
    assert result.code == 0
    drawn = run("board", "-", stdin=result.out)
    direct = run("board", *box_of(path), "--from", path.parent.name, "--index", 1, path)
    assert drawn.out == direct.out != ""
    assert ("F608" in result.err) == ("no-solution" in path.name)


@every_sample
def test_it_has_one_solution_unless_its_page_says_otherwise(path: Path) -> None:
    box = tuple(map(int, box_of(path)[1].split("x"))) if box_of(path) else None
    for puzzle in read_all(read_source(path).data, path.parent.name, box=box):
        verdict = unique(to_problem(puzzle))
        assert verdict.uniqueness == VERDICTS.get(path.name, Uniqueness.UNIQUE)

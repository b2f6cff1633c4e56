"""Fresh puzzles of other programs become problems with one solution, and the programs take what is written.

The puzzles come from Simon Tatham's Solo, Unequal and Unruly and from QQwing; a SAT solver looks for the solutions of
the tables. ``F2CSP_GENERATED`` says how many are made of a size.
"""

import os
import random
import re
import shutil
import subprocess

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from tests.boards.puzzle_texts import format_of, read, written
from tests.puzzles.strategies import futoshikis, sudokus, takuzus

pytest.importorskip("pysat", reason="needs python-sat, of the extra solve")

from tests.sat import Sat
from tests.strategies import examples

N_EACH = int(os.environ.get("F2CSP_GENERATED", "1"))

PARAMETERS = {
    "sgt-solo": "2x2 2x3 3x2 2x4 4x2 3x3 3x3de 2x5 5x2 3x4 4x3 2x6 6x2 3x5 5x3 4x4 2x8 8x2 4x5 5x4 5x5 "
    "9j 6j 3x3x 2x3x 3x3k 2x2k",
    "sgt-unequal": "3 4 5 5de 6 7 7dk 8 9 10 12",
    "sgt-unruly": "6x6 6x6u 8x6u 6x8 8x8u 10x6 6x14u 12x12u 14x10 16x16 20x20u",
}
KINDS = {"sgt-solo": "sudoku", "sgt-unequal": "futoshiki", "sgt-unruly": "takuzu"}


def output(program: str, *arguments: str, package: str = "sgt-puzzles") -> str:
    """What a program prints; games are not on everybody's path."""
    path = shutil.which(program) or shutil.which(program, path="/usr/games")
    if path is None:
        pytest.skip(f"needs {program}, of the Debian package {package}")
    return subprocess.run([path, *arguments], capture_output=True, text=True, check=False, timeout=300).stdout


def assert_is_solved(puzzle: Puzzle) -> None:
    """There is one solution; with the values of two cells exchanged it is none."""
    problem = to_problem(puzzle)
    sat = Sat(problem)
    solution = sat.solution()
    assert solution is not None
    assert f2csp.check(problem, solution) == []
    cells = {name: value for name, value in solution.items() if name.startswith("V")}
    rng = random.Random(str(puzzle.clues))
    one = rng.choice(sorted(cells))
    other = rng.choice([name for name in sorted(cells) if cells[name] != cells[one]])
    swapped = cells | {one: cells[other], other: cells[one]}
    assert f2csp.check(problem, solution | swapped) != []
    assert sat.solution(swapped) is None
    assert list(sat.solutions(list(cells))) == [cells]


@pytest.mark.parametrize(
    ("program", "parameters"), [(name, one) for name, found in PARAMETERS.items() for one in found.split()]
)
def test_fresh_identifiers_are_read_and_written_alike(program: str, parameters: str) -> None:
    lines = output(program, "--generate", str(N_EACH), parameters).splitlines(keepends=True)
    assert len(lines) == N_EACH
    for text in lines:
        puzzle = read(text, "auto")
        assert written(puzzle, format_of(text)) == text
        assert parameters[-1] in "jxk" or KINDS[program] == puzzle.KIND
        assert_is_solved(puzzle)


@pytest.mark.parametrize("form", ["--one-line", "--compact", "--csv", "--readable"])
def test_qqwing(form: str) -> None:
    for _ in range(N_EACH):
        text = output("qqwing", "--generate", "1", form, package="qqwing")
        cells = enumerate(re.findall(r"[1-9.]", text))
        clues = tuple(Clue(i // 9 + 1, i % 9 + 1, int(cell)) for i, cell in cells if cell != ".")
        assert read(text, "sudoku") == Sudoku(9, 3, 3, clues=clues)
        assert_is_solved(read(text, "sudoku"))


WRITTEN: dict[str, st.SearchStrategy[Puzzle]] = {
    "sgt-solo": sudokus(boxes=((2, 2), (3, 3), (2, 3), (4, 2), (3, 4), (4, 4))),
    "sgt-unequal": futoshikis(min_size=3),
    "sgt-unruly": takuzus(min_lines=6, max_lines=14),
}


@pytest.mark.parametrize("program", WRITTEN)
@examples(30)
@given(data=st.data())
def test_the_programs_take_what_is_written(program: str, data: st.DataObject) -> None:
    puzzle = data.draw(WRITTEN[program])
    assume(not isinstance(puzzle, Takuzu) or puzzle.rows % 2 == puzzle.columns % 2 == 0)
    identifier = written(puzzle, f"{puzzle.KIND}:tatham")
    assert output(program, "--generate", "1", identifier.rstrip()) == identifier


EXAMPLES = {
    "sgt-solo": ("2x3:", "i4a3_6a3a4b1_4c5b1a6f", "abcdz_16,Ax"),
    "sgt-unequal": ("4:", "0,0D,0R,0,0,0R,0,0,0R,0D,4,0,0,0,0,0,", "URDL0145,._"),
    "sgt-unruly": ("6x6u:", "dhAeAclc", "abdzABDZ1_,"),
}


@pytest.mark.parametrize("program", EXAMPLES)
@examples(60)
@given(data=st.data())
def test_the_programs_take_what_is_read_and_nothing_else(program: str, data: st.DataObject) -> None:
    head, cells, letters = EXAMPLES[program]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(cells)))
        end = data.draw(st.integers(start, min(start + 2, len(cells))))
        cells = cells[:start] + data.draw(st.text(letters, max_size=2)) + cells[end:]
    is_taken = output(program, "--generate", "1", head + cells) == f"{head}{cells}\n"
    try:
        read(head + cells, f"{KINDS[program]}:tatham")
    except InvalidInput:
        assert not is_taken
    else:
        assert is_taken

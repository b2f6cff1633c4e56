"""Fresh puzzles of other programs become problems whose only solution is the puzzle's.

The puzzles come from Simon Tatham's Solo, Unequal and Unruly and from QQwing. Here they are decoded once more, letter
by letter, and a SAT solver looks for the solutions of the tables. ``F2CSP_GENERATED`` says how many are made of a size.
"""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput
from f2csp.puzzles.files.formats import written
from f2csp.puzzles.futoshiki import Futoshiki
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from tests.puzzles.files.puzzle_texts import read
from tests.puzzles.strategies import futoshikis, sudokus, takuzus

pytest.importorskip("pysat", reason="needs python-sat, of the extra solve")

from tests.sat import Sat, Solution
from tests.strategies import examples

N_EACH = int(os.environ.get("F2CSP_GENERATED", "1"))

Place = tuple[int, int]  # row and column, from 1
Givens = dict[Place, int]

SOLO = [
    *("2x2", "2x3", "3x2", "2x4", "4x2", "3x3", "3x3de", "2x5", "5x2", "3x4", "4x3", "2x6", "6x2"),
    *("3x5", "5x3", "4x4", "2x8", "8x2", "4x5", "5x4", "5x5"),
]
UNEQUAL = ["3", "4", "5", "5de", "6", "7", "7dk", "8", "9", "10", "12"]
UNRULY = ["6x6", "6x6u", "8x6u", "6x8", "8x8u", "10x6", "6x14u", "12x12u", "14x10", "16x16", "20x20u"]


def found(name: str) -> str | None:
    """Where a program is; games are not on everybody's path."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def generated(program: str, *arguments: str, package: str) -> str:
    """What a program prints."""
    path = found(program)
    if path is None:
        pytest.skip(f"needs {program}, of the Debian package {package}")
    return subprocess.run([path, *arguments], capture_output=True, text=True, check=True, timeout=300).stdout


def identifiers(program: str, parameters: str) -> list[str]:
    lines = generated(program, "--generate", str(N_EACH), parameters, package="sgt-puzzles").splitlines()
    assert len(lines) == N_EACH
    return lines


def in_order(n_rows: int, n_columns: int) -> Iterator[Place]:
    return ((row, column) for row in range(1, n_rows + 1) for column in range(1, n_columns + 1))


def givens_of(puzzle: Puzzle) -> Givens:
    return {(row, column): value for row, column, value in puzzle.clues}


def the_solution(puzzle: Puzzle) -> Givens:
    """The values of all cells in the only solution; swapping two of them makes it none."""
    problem = to_problem(puzzle)
    names = {f"V{row}-{column}": (row, column) for row, column in in_order(puzzle.n_rows, puzzle.n_columns)}
    sat = Sat(problem)
    solution = sat.solution()
    assert solution is not None
    assert f2csp.check(problem, solution) == []
    cells = {name: solution[name] for name in names}
    swapped = exchanged(cells, random.Random(str(puzzle.clues)))
    assert f2csp.check(problem, solution | swapped) != []
    assert sat.solution(swapped) is None
    assert list(sat.solutions(list(names))) == [cells]
    return {place: int(cells[name]) for name, place in names.items()}


def exchanged(cells: Solution, rng: random.Random) -> Solution:
    """The cells with the values of two of them exchanged, which are different."""
    one = rng.choice(sorted(cells))
    other = rng.choice([name for name in sorted(cells) if cells[name] != cells[one]])
    return cells | {one: cells[other], other: cells[one]}


def assert_lines_differ_within(solution: Givens, size: int, more: Mapping[Place, Place]) -> None:
    """Every row, every column and every group of ``more`` (a name for each cell) holds 1 to N."""
    for group in ({place: (0, place[0]) for place in solution}, {place: (0, place[1]) for place in solution}, more):
        for name in set(group.values()):
            assert sorted(solution[place] for place in solution if group[place] == name) == list(range(1, size + 1))


def decoded_solo(text: str) -> tuple[int, int, Givens]:
    """The height and the width of a box, and the givens."""
    parameters, cells = text.split(":")
    height, width = (int(number) for number in parameters.split("x"))
    places = in_order(height * width, height * width)
    givens: Givens = {}
    for item in re.findall(r"\d+|[a-z]", cells):
        if item.isdigit():
            givens[next(places)] = int(item)
        else:
            for _ in range(" abcdefghijklmnopqrstuvwxyz".index(item)):
                next(places)
    assert list(places) == []
    return height, width, givens


@pytest.mark.parametrize("parameters", SOLO)
def test_solo(parameters: str) -> None:
    for text in identifiers("sgt-solo", parameters):
        height, width, givens = decoded_solo(text)
        puzzle = read(text, "sudoku")
        assert isinstance(puzzle, Sudoku)
        assert (puzzle.size, puzzle.box_rows, puzzle.box_columns) == (height * width, height, width)
        assert givens_of(puzzle) == givens
        assert written(puzzle, "sudoku:tatham") == f"{text}\n"
        solution = the_solution(puzzle)
        assert givens.items() <= solution.items()
        boxes = {(row, column): ((row - 1) // height, (column - 1) // width) for row, column in solution}
        assert_lines_differ_within(solution, puzzle.size, boxes)


def decoded_unequal(text: str) -> tuple[int, Givens, set[tuple[Place, Place]]]:
    """The size, the givens, and the pairs of the smaller and the greater cell of each sign."""
    size, cells = text.rstrip(",").split(":")
    givens, pairs = {}, set()
    for (row, column), cell in zip(in_order(int(size), int(size)), cells.split(","), strict=True):
        if value := int(cell.rstrip("URDL")):
            givens[row, column] = value
        neighbours = {"U": (row - 1, column), "R": (row, column + 1), "D": (row + 1, column), "L": (row, column - 1)}
        pairs |= {(place, (row, column)) for sign, place in neighbours.items() if sign in cell}
    return int(size), givens, pairs


@pytest.mark.parametrize("parameters", UNEQUAL)
def test_unequal(parameters: str) -> None:
    for text in identifiers("sgt-unequal", parameters):
        size, givens, pairs = decoded_unequal(text)
        puzzle = read(text, "futoshiki")
        assert isinstance(puzzle, Futoshiki)
        assert puzzle.size == size
        assert givens_of(puzzle) == givens
        assert {(tuple(sign.smaller), tuple(sign.greater)) for sign in puzzle.signs} == pairs
        assert written(puzzle, "futoshiki:tatham") == f"{text}\n"
        solution = the_solution(puzzle)
        assert givens.items() <= solution.items()
        assert all(solution[smaller] < solution[greater] for smaller, greater in pairs)
        assert_lines_differ_within(solution, size, {})


def decoded_unruly(text: str) -> tuple[int, int, bool, Givens]:
    """The numbers of columns and rows, whether lines must differ, and the givens."""
    parameters, letters = text.split(":")
    n_columns, n_rows = (int(number) for number in parameters.rstrip("u").split("x"))
    places: list[Place | None] = [*in_order(n_rows, n_columns), None]
    givens: Givens = {}
    for letter in letters:
        run = "abcdefghijklmnopqrstuvwxyz".index(letter.lower())
        places = places[run:]
        if run < 25:
            place, *places = places
            if place is not None:
                givens[place] = 1 if letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" else 0
    assert places == []
    return n_columns, n_rows, "u" in parameters, givens


@pytest.mark.parametrize("parameters", UNRULY)
def test_unruly(parameters: str) -> None:
    for text in identifiers("sgt-unruly", parameters):
        n_columns, n_rows, is_distinct, givens = decoded_unruly(text)
        puzzle = read(text, "takuzu")
        assert isinstance(puzzle, Takuzu)
        assert (puzzle.columns, puzzle.rows, puzzle.has_distinct_lines) == (n_columns, n_rows, is_distinct)
        assert givens_of(puzzle) == givens
        assert written(puzzle, "takuzu:tatham") == f"{text}\n"
        solution = the_solution(puzzle)
        assert givens.items() <= solution.items()
        rows = [tuple(solution[row, column] for column in range(1, n_columns + 1)) for row in range(1, n_rows + 1)]
        for lines in (rows, list(zip(*rows, strict=True))):
            assert all(2 * sum(line) == len(line) for line in lines)
            assert all(not re.search("000|111", "".join(map(str, line))) for line in lines)
            assert not is_distinct or len(set(lines)) == len(lines)


@pytest.mark.parametrize("form", ["--one-line", "--compact", "--csv", "--readable"])
def test_qqwing(form: str) -> None:
    for _ in range(N_EACH):
        text = generated("qqwing", "--generate", "1", form, package="qqwing")
        cells = re.findall(r"[1-9.]", text)
        givens = {place: int(cell) for place, cell in zip(in_order(9, 9), cells, strict=True) if cell != "."}
        puzzle = read(text, "sudoku")
        assert isinstance(puzzle, Sudoku)
        assert (puzzle.size, puzzle.box_rows, puzzle.box_columns) == (9, 3, 3)
        assert givens_of(puzzle) == givens
        solution = the_solution(puzzle)
        assert givens.items() <= solution.items()
        boxes = {(row, column): ((row - 1) // 3, (column - 1) // 3) for row, column in solution}
        assert_lines_differ_within(solution, 9, boxes)


def accepts(program: str, identifier: str) -> bool:
    """Whether a program takes an identifier for one of its own, and prints it again."""
    path = found(program)
    if path is None:
        pytest.skip(f"needs {program}, of the Debian package sgt-puzzles")
    done = subprocess.run([path, "--generate", "1", identifier], capture_output=True, text=True, check=False)
    return done.stdout == f"{identifier}\n"


@examples(30)
@given(sudokus(boxes=((2, 2), (3, 3), (2, 3), (4, 2), (3, 4), (4, 4))))
def test_solo_takes_what_is_written(puzzle: Sudoku) -> None:
    assert accepts("sgt-solo", written(puzzle, "sudoku:tatham").rstrip())


@examples(30)
@given(futoshikis(min_size=3))
def test_unequal_takes_what_is_written(puzzle: Futoshiki) -> None:
    assert accepts("sgt-unequal", written(puzzle, "futoshiki:tatham").rstrip())


@examples(30)
@given(takuzus(min_lines=6, max_lines=14))
def test_unruly_takes_what_is_written(puzzle: Takuzu) -> None:
    assume(puzzle.rows % 2 == puzzle.columns % 2 == 0)
    assert accepts("sgt-unruly", written(puzzle, "takuzu:tatham").rstrip())


EXAMPLES = [
    ("sgt-solo", "sudoku:tatham", "2x3:", "i4a3_6a3a4b1_4c5b1a6f", "abcdz_16,Ax"),
    ("sgt-unequal", "futoshiki:tatham", "4:", "0,0D,0R,0,0,0R,0,0,0R,0D,4,0,0,0,0,0,", "URDL0145,._"),
    ("sgt-unruly", "takuzu:tatham", "6x6u:", "dhAeAclc", "abdzABDZ1_,"),
]


@pytest.mark.parametrize(("program", "name", "head", "cells", "letters"), EXAMPLES, ids=lambda value: value[:11])
@examples(60)
@given(data=st.data())
def test_the_programs_take_what_is_read_and_nothing_else(
    program: str, name: str, head: str, cells: str, letters: str, data: st.DataObject
) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(cells)))
        end = data.draw(st.integers(start, min(start + 2, len(cells))))
        cells = cells[:start] + data.draw(st.text(letters, max_size=2)) + cells[end:]
    try:
        read(head + cells, name)
    except InvalidInput:
        assert not accepts(program, head + cells)
    else:
        assert accepts(program, head + cells)

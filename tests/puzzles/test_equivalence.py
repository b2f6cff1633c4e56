"""Least puzzles and classes: against all images of small boards, and shuffled copies."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.equivalence import class_of, least_puzzle
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Cell, Clue
from f2csp.puzzles.squares import Square
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.symmetry import SymmetryGroup, canonical

pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")

Line = tuple[int, ...]  # the values row by row, 0 for a blank

BOARDS = {"sudoku": (Sudoku(4, 2, 2), (2, 2)), "6x6": (Sudoku(6, 2, 3), (2, 3)), "latin": (LatinSquare(4), (1, 4))}
SUDOKU = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"


def puzzle_of(board: Square, line: Line) -> Square:
    n = board.size
    return replace(board, clues=tuple(Clue(i // n + 1, i % n + 1, value) for i, value in enumerate(line) if value))


def line_of(puzzle: Square) -> Line:
    return tuple(value or 0 for row in puzzle.grid() for value in row)


def orders(n: int, width: int) -> Iterator[list[int]]:
    """The orders of n lines that keep those of each block of some lines together."""
    for blocks in permutations(range(n // width)):
        for inner in product(permutations(range(width)), repeat=n // width):
            yield [block * width + i for block, inside in zip(blocks, inner, strict=True) for i in inside]


def images(line: Line, n: int, box: tuple[int, int]) -> Iterator[Line]:
    """All images of a board, with values in the order of their first use."""
    rows = [line[i : i + n] for i in range(0, n * n, n)]
    is_square = box[0] in (1, box[1])
    for lines in (rows, list(zip(*rows, strict=True)))[: 1 + is_square]:
        for order, columns in product(orders(n, box[0]), list(orders(n, box[1]))):
            numbers = {0: 0}
            yield tuple(numbers.setdefault(lines[row][column], len(numbers)) for row in order for column in columns)


def drawn_line(random: Random, n: int, fill: float) -> Line:
    return tuple(random.randint(1, n) if random.random() < fill else 0 for _ in range(n * n))


@pytest.mark.parametrize("fill", [0.1, 0.4, 0.9])
@pytest.mark.parametrize("name", BOARDS)
def test_the_least_puzzle_is_the_least_of_all_images(name: str, fill: float) -> None:
    board, box = BOARDS[name]
    random = Random(name)
    for _ in range(10 if board.size == 4 else 1):
        line = drawn_line(random, board.size, fill)
        assert line_of(least_puzzle(puzzle_of(board, line))) == min(images(line, board.size, box))


@pytest.mark.parametrize("name", ["sudoku", "latin"])
def test_puzzles_have_one_class_exactly_if_they_have_one_least_image(name: str) -> None:
    board, box = BOARDS[name]
    random = Random(name)
    lines = {drawn_line(random, 4, 0.15) for _ in range(150)}
    least = {line: min(images(line, 4, box)) for line in lines}
    classes = {line: class_of(puzzle_of(board, line)) for line in lines}
    pairs = {(least[line], classes[line]) for line in lines}
    assert len(pairs) == len(set(least.values())) == len(set(classes.values())) < len(lines)


def test_shuffled_copies_of_a_sudoku() -> None:
    random, (n, box) = Random(1), (9, (3, 3))
    board = Sudoku(n, *box)
    line = tuple(map(int, SUDOKU))
    least, found = least_puzzle(puzzle_of(board, line)), class_of(puzzle_of(board, line))
    every = list(orders(n, 3))
    for _ in range(20):
        rows, columns, words = random.choice(every), random.choice(every), [0, *random.sample(range(1, 10), 9)]
        copy = puzzle_of(board, tuple(words[line[row * n + column]] for row in rows for column in columns))
        assert least_puzzle(copy) == least
        assert class_of(copy) == found
        assert class_of(replace(copy, clues=copy.clues[1:])) != found
    assert class_of(LatinSquare(9, clues=least.clues)) != found


def test_classes_of_boards_with_signs_and_of_problems() -> None:
    """A Futoshiki that is turned, one with a sign the other way round, and problems with and without solutions."""
    one, other = (Futoshiki(3, (Sign(*cells),)) for cells in ((Cell(1, 1), Cell(1, 2)), (Cell(3, 3), Cell(2, 3))))
    assert class_of(one) == class_of(other)
    assert class_of(one, SymmetryGroup.BOARD) == class_of(other, SymmetryGroup.BOARD)
    assert class_of(one, SymmetryGroup.VALUES) != class_of(other, SymmetryGroup.VALUES)
    with_given = [replace(one, clues=(Clue(*cell, 1),)) for cell in (Cell(1, 1), Cell(1, 2))]
    assert class_of(with_given[0]) != class_of(with_given[1])
    problem = to_problem(one)
    assert class_of(problem) == class_of(to_problem(other))
    assert class_of(problem) != class_of(to_problem(with_given[0]))


@pytest.mark.parametrize("fill", [0.1, 0.4, 0.9])
@pytest.mark.parametrize("name", ["sudoku", "latin"])
def test_images_that_symmetries_map_to_each_other_are_merged(
    name: str, fill: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, box = BOARDS[name]
    monkeypatch.setattr(canonical, "_MAX_IMAGES", 2000)
    random = Random(name)
    for _ in range(5):
        line = drawn_line(random, 4, fill)
        assert line_of(least_puzzle(puzzle_of(board, line))) == min(images(line, 4, box))


def test_a_board_with_too_many_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canonical, "_MAX_IMAGES", 1000)
    with pytest.raises(Unsuitable, match="too many images"):
        least_puzzle(puzzle_of(Sudoku(6, 2, 3), tuple(range(1, 7))))

"""Skyscrapers, KenKen, Kakuro and nonograms: their solutions by their rules, and from the tables back to the puzzle."""

from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest

import f2csp
from f2csp.generation.draws import Draws
from f2csp.generation.kinds import drawn, kind_named
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.kakuro import Kakuro, Sums
from f2csp.puzzles.kenken import KenKen, cage_rule, results_of
from f2csp.puzzles.nonogram import Nonogram, lengths_of
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle
from f2csp.puzzles.recognise import recognise
from f2csp.puzzles.skyscrapers import Skyscrapers, n_seen
from f2csp.puzzles.to_problem import to_problem
from tests.puzzles.drafts import Draft

KINDS = {
    "skyscrapers": {"size": 4, "rim": 0.3},
    "kenken": {"size": 4},
    "kakuro": {"rows": 4, "columns": 5},
    "nonogram": {"rows": 3, "columns": 4},
}
each_kind = pytest.mark.parametrize("kind", KINDS)
each_seed = pytest.mark.parametrize("seed", range(5))


def made(kind: str, seed: int, **options: object) -> Puzzle:
    puzzle = drawn(kind_named(kind), Draws(seed), KINDS[kind] | options)
    assert isinstance(puzzle, Puzzle)
    return puzzle


def is_solution(puzzle: Puzzle, values: dict[Cell, int]) -> bool:
    """Whether the values keep the rules, as their books have them."""
    if any(values[clue.cell] != clue.value for clue in puzzle.clues):
        return False
    if isinstance(puzzle, Nonogram):
        rows = [[values[Cell(i, j)] for j in range(1, puzzle.n_columns + 1)] for i in range(1, puzzle.n_rows + 1)]
        lines = [*map(lengths_of, rows), *(lengths_of(column) for column in zip(*rows, strict=True))]
        return all(known in (None, found) for known, found in zip((*puzzle.rows, *puzzle.columns), lines, strict=True))
    if isinstance(puzzle, Kakuro):
        runs = [([values[cell] for cell in run.cells], run.total) for run in puzzle.runs()]
        return all(len(set(run)) == len(run) and total in (None, sum(run)) for run, total in runs)
    if isinstance(puzzle, KenKen):
        return all(cage.total in results_of(cage.operation, [values[c] for c in cage.cells]) for cage in puzzle.cages)
    assert isinstance(puzzle, Skyscrapers)
    numbers = range(1, puzzle.size + 1)
    rows = [[values[Cell(i, j)] for j in numbers] for i in numbers]
    columns = [list(column) for column in zip(*rows, strict=True)]
    lines = [columns, [line[::-1] for line in columns], rows, [line[::-1] for line in rows]]
    pairs = zip(puzzle.rim, lines, strict=True)
    return all(n in (0, n_seen(line)) for side, seen in pairs for n, line in zip(side, seen, strict=True))


def n_boards(puzzle: Puzzle) -> int:
    """The number of solutions, by trying all boards."""
    if isinstance(puzzle, (Skyscrapers, KenKen)):
        squares = product(permutations(puzzle.values), repeat=puzzle.size)
        boards = (
            [value for row in rows for value in row] for rows in squares if all(map(_is_mixed, zip(*rows, strict=True)))
        )
    else:
        boards = map(list, product(puzzle.values, repeat=len(puzzle.cells)))
    return sum(is_solution(puzzle, dict(zip(puzzle.cells, board, strict=True))) for board in boards)


def _is_mixed(column: tuple[int, ...]) -> bool:
    return len(set(column)) == len(column)


@each_kind
@each_seed
def test_there_are_as_many_solutions_as_boards_that_keep_the_rules(kind: str, seed: int) -> None:
    puzzle = made(kind, seed, **({"rows": 3, "columns": 3} if kind == "kakuro" else {}))
    assert int(f2csp.count(to_problem(puzzle))) == n_boards(puzzle) > 0


@each_kind
@each_seed
def test_a_puzzle_is_recognised_in_its_tables(kind: str, seed: int) -> None:
    """Also if all is in another order, with other labels, other names of auxiliary variables, and other tables."""
    puzzle = made(kind, seed, fill=0.2)
    problem = to_problem(puzzle)
    assert recognise(problem) == _as_drawn(puzzle)
    draft = Draft.of(problem)
    Random(seed).shuffle(draft.parts)
    names = list(draft.variables)
    Random(seed).shuffle(names)
    draft.variables = {name: draft.variables[name] for name in names}
    found = recognise(f2csp.loads(f2csp.dumps(draft.build())))
    assert found == replace(_as_drawn(puzzle), clues=found.clues)
    assert set(found.clues) == set(_as_drawn(puzzle).clues)
    other = recognise(Draft.of(problem).shuffled(Random(seed)).build())
    assert to_problem(replace(other, clues=())) == to_problem(replace(_as_drawn(puzzle), clues=()))


def _as_drawn(puzzle: Puzzle) -> Puzzle:
    """Without the givens that are cages of one cell, too."""
    single = {cage.cells[0] for cage in getattr(puzzle, "cages", ()) if len(cage.cells) == 1}
    return replace(puzzle, clues=tuple(clue for clue in puzzle.clues if clue.cell not in single))


@each_kind
def test_one_solution_is_left_if_that_is_asked_for(kind: str) -> None:
    puzzle = made(kind, 3, unique=True)
    verdict = f2csp.unique(to_problem(puzzle))
    assert verdict.uniqueness == f2csp.Uniqueness.UNIQUE
    assert [*puzzle.conflicts_of(verdict.solutions[0])] == []


@pytest.mark.parametrize(("operation", "n"), [(op, n) for op in ("+", "x", "") for n in (3, 4)] + [("-", 2), ("/", 2)])
def test_the_values_of_a_cage(operation: str, n: int) -> None:
    for total in range(1, 30):
        rule = cage_rule(4, n, operation, total)
        found = set(rule.words()) if isinstance(rule, f2csp.model.automaton.Chain) else set(rule)
        every = product(range(1, 5), repeat=n)
        assert found == {values for values in every if total in results_of(operation, values)}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Skyscrapers(3, ((4, 0, 0), *[(0, 0, 0)] * 3)), "4 of 3 towers cannot be seen"),
        (lambda: Skyscrapers(3, ((0, 0),) * 4), "expected 3 numbers on each of the 4 sides"),
        (lambda: KenKen(3, (Cage(99, (Cell(1, 1), Cell(1, 2)), "+"),)), r"2 values of 1 to 3 cannot give 99\+"),
        (lambda: KenKen(3, (Cage(1, (Cell(1, 1), Cell(1, 2), Cell(1, 3)), "-"),)), "between two cells"),
        (lambda: KenKen(3, (Cage(3, (Cell(1, 1), Cell(4, 1)), "+"),)), "not on the board"),
        (lambda: KenKen(3, (Cage(3, (Cell(1, 1),), ""),) * 2), "row 1, column 1 is in 2 cages"),
        (lambda: Kakuro(1, 2, (Sums(Cell(1, 1)), Sums(Cell(1, 2)))), "no white cell"),
        (lambda: Kakuro(1, 3, (Sums(Cell(1, 1), None, 18),)), "2 different digits cannot add up to 18"),
        (lambda: Kakuro(1, 10), "has 10 cells"),
        (lambda: Kakuro(1, 2, (Sums(Cell(1, 1)),), clues=(Clue(1, 1, 3),)), "is black"),
        (lambda: Nonogram(((2, 2),), ((1,),) * 4), "blocks of 2 2 do not fit the 4 cells of row 1"),
        (lambda: Nonogram((), ((1,),)), "a board of 0x1"),
    ],
)
def test_what_is_no_such_puzzle(make, message: str) -> None:
    with pytest.raises(f2csp.ProblemError, match=message):
        make()


@pytest.mark.parametrize(
    ("puzzle", "words"),
    [
        (Skyscrapers(2, ((1, 0), (0, 0), (0, 0), (0, 0))), "column 1 shows 1 tower from the top"),
        (KenKen(3, (Cage(6, (Cell(1, 1), Cell(2, 1), Cell(2, 2)), "+"),)), "cage 6+ at row 1, column 1 gives 6"),
        (Kakuro(1, 4, (Sums(Cell(1, 1), None, 6),)), "the run from column 2 in row 1 adds up to 6"),
        (Nonogram(((1, 1),), ((1,), (), (1,))), "row 1 has blocks of 1, 1"),
    ],
)
def test_rules_in_words(puzzle: Puzzle, words: str) -> None:
    start = 2 if isinstance(puzzle, Kakuro) else 1
    cells = [Cell(1, start), Cell(2, 1) if isinstance(puzzle, (KenKen, Skyscrapers)) else Cell(1, start + 1)]
    assert puzzle.describe(cells, are_different=False) == words

"""Puzzles made to order, one function for each kind: a solution that is drawn, and the cells of it that are given.

Of the cells a fraction are given, or as few as leave a single solution.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import Any

from f2csp.diagnostics import F2cspError, listed
from f2csp.generation.draws import LATE, Draws, OutOfTimeError, rounded
from f2csp.generation.full_grids import (
    GridValues,
    black_cells,
    cell_at,
    jigsaw_regions,
    latin_square,
    lines_of,
    neighbours,
    network_of_board,
    random_cages,
    searched,
    sudoku_pattern,
    until_found,
)
from f2csp.generation.rules import NO_RULES, BoardRules, balanced_lines, cage_sums
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.equivalence import least_puzzle
from f2csp.puzzles.futoshiki import Futoshiki, Sign
from f2csp.puzzles.jigsaw import Jigsaw
from f2csp.puzzles.kakuro import Kakuro, Sums
from f2csp.puzzles.kenken import OPERATIONS, KenKen, results_of
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.nonogram import Nonogram, lengths_of
from f2csp.puzzles.puzzle import Clue, Puzzle
from f2csp.puzzles.skyscrapers import Skyscrapers, n_seen
from f2csp.puzzles.squares import Square
from f2csp.puzzles.sudoku import Box, Sudoku, squarest_box
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.reasoning.hints import GRADES, Rating, rating_by_steps
from f2csp.reasoning.ladder import technique_named
from f2csp.search import ArcConsistency, Counters, Network, Stopped, completions, network_of
from f2csp.symmetry import require_nauty

_MAX_SEARCHED = 25
"""The largest square that is filled and solved by a search; a larger one is a shuffled pattern."""

_MAX_ATTEMPTS = 200  # boards
_MAX_RATED_SECONDS = 60.0  # of attempts, where a difficulty is wished
_MARGIN = 0.5  # between the easiest steps of a technique and harder ones
_MAX_TRIED = 500  # values in the search for a second solution; a given that needs more stays, unless all are tried


@dataclass(frozen=True, slots=True)
class _Draft:
    """A puzzle without givens, its solution, and its rules beside groups of different cells."""

    puzzle: Puzzle
    solution: GridValues
    rules: BoardRules | None = NO_RULES  # None to search in the problem of the puzzle

    def with_givens(self, given: Iterable[int]) -> Puzzle:
        first, cells = self.puzzle.values[0], self.puzzle.cells
        return replace(self.puzzle, clues=tuple([Clue(*cells[i], self.solution[i] + first) for i in sorted(given)]))

    def network(self) -> Network:
        return network_of(to_problem(self.puzzle)) if self.rules is None else network_of_board(self.puzzle, self.rules)


@dataclass(frozen=True, slots=True)
class _Wish:
    """What the givens of a puzzle are to be."""

    size: int  # rows of the board
    default_fill: float  # of the cells
    fill: float | None = None
    unique: bool = False
    minimal: bool = False
    symmetry: str = "none"
    canonical: bool = False
    difficulty: str | None = None
    hardest: str | None = None  # technique

    def __post_init__(self) -> None:
        if self.canonical:
            require_nauty()
            if self.symmetry != "none":
                raise F2cspError("a canonical puzzle has no symmetry to choose: expected symmetry or canonical")
        if self.minimal and self.fill is not None:
            raise F2cspError("a minimal puzzle has no fraction of given cells to choose: expected fill or minimal")
        if self.is_unique and self.size > _MAX_SEARCHED:
            most = f"{_MAX_SEARCHED}x{_MAX_SEARCHED}"
            raise F2cspError(f"a single solution can be wished of boards up to {most}, not {self.size}")

    @property
    def is_unique(self) -> bool:
        return self.unique or self.minimal or self.is_rated

    @property
    def is_rated(self) -> bool:
        return self.difficulty is not None or self.hardest is not None

    @property
    def most(self) -> float:
        """The difficulty of the hardest step that the puzzle may need."""
        of_technique = technique_named(self.hardest).difficulty + _MARGIN if self.hardest else inf
        return min(GRADES[self.difficulty] if self.difficulty else inf, of_technique)

    def is_fulfilled(self, rating: Rating) -> bool:
        is_hardest = self.hardest is None or rating.hardest.startswith(technique_named(self.hardest).name)
        return self.difficulty in (None, rating.grade) and is_hardest

    def n_givens(self, n_cells: int) -> int:
        """The number of givens, or the least if it is not exact; even where symmetry has no cell in the centre."""
        default = 0.0 if self.minimal or self.is_rated else self.default_fill
        n = rounded((default if self.fill is None else self.fill) * n_cells)
        return n + n % 2 if self.symmetry == "rotational" and n_cells % 2 == 0 else n

    @property
    def is_exact(self) -> bool:
        """Whether the number of givens is fixed; otherwise there are more where they are needed."""
        return self.fill is not None or not self.is_unique


def square(kind: type[Square], draws: Draws, *, size: int, **wishes: Any) -> Puzzle:
    """A square whose rows, columns and perhaps further groups of cells hold each value once."""
    blank, wish = kind(size), _Wish(size, **wishes)
    return _with_givens(lambda: _Draft(blank, _full_grid(blank, draws)), draws, wish)


def boxed(kind: type[Sudoku], draws: Draws, *, box: Box | None, size: int | None, **wishes: Any) -> Puzzle:
    """A square with boxes whose rows, columns, boxes and perhaps further groups of cells hold each value once."""
    box, size = _box_and_size(box, size)
    blank, wish = kind(size, *box), _Wish(size, **wishes)
    return _with_givens(lambda: _Draft(blank, _full_grid(blank, draws)), draws, wish)


def killer(kind: type[Killer], draws: Draws, *, box: Box | None, size: int | None, **wishes: Any) -> Puzzle:
    """A Killer Sudoku whose cages cover the board."""
    box, size = _box_and_size(box, size)
    blank, wish = kind(size, *box), _Wish(size, **wishes)

    def new_draft() -> _Draft:
        grid = _full_grid(blank, draws)
        sums = [(sum(grid[cell] + 1 for cell in group), group) for group in random_cages(grid, size, draws)]
        cages = tuple(Cage(total, tuple(cell_at(cell, size) for cell in group)) for total, group in sums)
        return _Draft(replace(blank, cages=cages), grid, cage_sums(sums, size))

    return _with_givens(new_draft, draws, wish)


def futoshiki(kind: type[Futoshiki], draws: Draws, *, size: int, signs: float, **wishes: Any) -> Puzzle:
    """A Futoshiki: some cells and signs of a Latin square."""
    sides = [(one, other) for one, near in enumerate(neighbours(size)) for other in near if one < other]

    def new_draft() -> _Draft:
        grid = latin_square(size, draws)
        chosen = [sides[i] for i in draws.sample(len(sides), rounded(signs * len(sides)))]
        pairs = [pair if grid[pair[0]] < grid[pair[1]] else pair[::-1] for pair in chosen]
        puzzle = kind(size, tuple(Sign(*(cell_at(cell, size) for cell in pair)) for pair in pairs))
        return _Draft(puzzle, grid, BoardRules(ascending=tuple(pairs)))

    return _with_givens(new_draft, draws, _Wish(size, **wishes))


def jigsaw(kind: type[Jigsaw], draws: Draws, *, size: int, **wishes: Any) -> Puzzle:
    def attempt() -> _Draft | None:
        puzzle = kind(size, jigsaw_regions(size, draws))
        grid = searched(network_of_board(puzzle), draws)
        return None if grid is None else _Draft(puzzle, grid)

    return _with_givens(lambda: until_found(attempt), draws, _Wish(size, **wishes))


def takuzu(kind: type[Takuzu], draws: Draws, *, size: int, **wishes: Any) -> Puzzle:
    blank, rules = kind(size, size), balanced_lines(lines_of(size))
    network, wish = network_of_board(blank, rules), _Wish(size, **wishes)
    return _with_givens(lambda: _Draft(blank, until_found(lambda: searched(network, draws)), rules), draws, wish)


def skyscrapers(kind: type[Skyscrapers], draws: Draws, *, size: int, rim: float, **wishes: Any) -> Puzzle:
    """Skyscrapers: some of the numbers on the rim of a Latin square, and some of its cells."""

    def new_draft() -> _Draft:
        grid = latin_square(size, draws)
        rows, columns = (lines_of(size)[start : start + size] for start in (0, size))
        lines = [*columns, *(line[::-1] for line in columns), *rows, *(line[::-1] for line in rows)]
        shown = set(draws.sample(4 * size, rounded(rim * 4 * size)))
        seen = [n_seen([grid[cell] for cell in line]) if i in shown else 0 for i, line in enumerate(lines)]
        sides = tuple(tuple(seen[start : start + size]) for start in range(0, 4 * size, size))
        return _Draft(kind(size, sides), grid, None)

    return _with_givens(new_draft, draws, _Wish(size, **wishes))


def kenken(kind: type[KenKen], draws: Draws, *, size: int, **wishes: Any) -> Puzzle:
    """A KenKen whose cages cover the board, with random operations."""

    def new_draft() -> _Draft:
        grid, cages = latin_square(size, draws), []
        for group in random_cages(grid, size, draws):
            values = [grid[cell] + 1 for cell in group]
            totals = {"": [sum(values)]} if len(group) == 1 else {sign: results_of(sign, values) for sign in OPERATIONS}
            sign = draws.choice([sign for sign, found in totals.items() if found])
            cages.append(Cage(totals[sign][0], tuple(cell_at(cell, size) for cell in group), sign))
        return _Draft(kind(size, tuple(cages)), grid, None)

    return _with_givens(new_draft, draws, _Wish(size, **wishes))


def nonogram(
    kind: type[Nonogram], draws: Draws, *, rows: int, columns: int | None, filled: float, **wishes: Any
) -> Puzzle:
    width = columns or rows

    def new_draft() -> _Draft:
        chosen = set(draws.sample(rows * width, rounded(filled * rows * width)))
        grid = [int(cell in chosen) for cell in range(rows * width)]
        across = tuple(lengths_of(grid[start : start + width]) for start in range(0, rows * width, width))
        return _Draft(kind(across, tuple(lengths_of(grid[i::width]) for i in range(width))), grid, None)

    return _with_givens(new_draft, draws, _Wish(max(rows, width), **wishes))


def kakuro(kind: type[Kakuro], draws: Draws, *, rows: int, columns: int | None, **wishes: Any) -> Puzzle:
    """A Kakuro whose black cells are symmetric, but for those of the first row and column."""
    width = columns or rows

    def attempt() -> _Draft | None:
        blank = kind(rows, width, tuple(map(Sums, black_cells(rows, width, draws))))
        grid = searched(network_of(to_problem(blank)), draws)
        if grid is None:
            return None
        value_of = dict(zip(blank.cells, grid, strict=True))
        totals = {(run.start, run.is_across): sum(value_of[cell] + 1 for cell in run.cells) for run in blank.runs()}
        black = [Sums(cell, totals.get((cell, False)), totals.get((cell, True))) for cell, _, _ in blank.black]
        return _Draft(kind(rows, width, tuple(black)), grid, None)

    return _with_givens(lambda: until_found(attempt), draws, _Wish(max(rows, width), **wishes))


def _box_and_size(box: Box | None, size: int | None) -> tuple[Box, int]:
    """The rows and columns of a box, and the size of the board; by default 9."""
    found = box or squarest_box(9 if size is None else size)
    if found is None:
        raise F2cspError(f"a board of size {size} has no boxes but rows: expected box, such as 1x{size}")
    if size not in (None, found[0] * found[1]):
        raise F2cspError(f"boxes of {found[0]}x{found[1]} do not fit a board of size {size}")
    return found, found[0] * found[1]


def _full_grid(blank: Square, draws: Draws) -> GridValues:
    """A solution of a board, found by a search if it has more groups than rows and columns, and is no large Sudoku."""
    if blank.size > _MAX_SEARCHED and blank.more_groups():
        raise F2cspError(f"a {blank.NAME} has up to {_MAX_SEARCHED} rows here, found {blank.size}")
    if isinstance(blank, Sudoku) and blank.size > _MAX_SEARCHED:
        return sudoku_pattern(blank.box_rows, blank.box_columns, draws)
    if isinstance(blank, Sudoku) or blank.more_groups():
        return until_found(lambda: searched(network_of_board(blank), draws))
    return latin_square(blank.size, draws)


# ---- Givens ----------------------------------------------------------------------------------------------------------


def _with_givens(new_draft: Callable[[], _Draft], draws: Draws, wish: _Wish) -> Puzzle:
    """A puzzle with the givens that are wished; drafts are made until one can have them, or many cannot."""
    end = monotonic() + (_MAX_RATED_SECONDS if wish.is_rated else inf)
    found: Counter[str] = Counter()
    n_attempts, failure, reason = 0, F2cspError, ""
    try:
        while n_attempts < _MAX_ATTEMPTS and monotonic() < end:
            draft, n_attempts = new_draft(), n_attempts + 1
            n_wanted = wish.n_givens(len(draft.solution))
            given = _chosen(draft, n_wanted, draws, wish)
            if len(given) == n_wanted or not wish.is_exact:
                puzzle = draft.with_givens(given)
                puzzle = least_puzzle(puzzle) if wish.canonical else puzzle
                rating = rating_by_steps(puzzle, seconds=draws.seconds_left) if wish.is_rated else None
                if rating is None or wish.is_fulfilled(rating):
                    return puzzle
                found[rating.grade if wish.hardest is None else f"{rating.grade} ({rating.hardest})"] += 1
    except OutOfTimeError:
        if not found:
            raise
        failure, reason = OutOfTimeError, f"{LATE}: "
    advice = "another size or difficulty" if wish.is_rated else "more givens (fill)"
    others = f": {listed([f'{n} {grade}' for grade, n in found.most_common()], 4, ', ')}" if found else ""
    raise failure(f"{reason}no such {draft.puzzle.title} was found in {n_attempts} attempts{others}; try {advice}")


def _chosen(draft: _Draft, n_wanted: int, draws: Draws, wish: _Wish) -> Collection[int]:
    """The cells that are given, ``n_wanted`` or more."""
    given = set(range(len(draft.solution)))
    checker = _Uniqueness(draft, wish, draws) if wish.is_unique else None
    for cells in _removals(len(given), len(given) - n_wanted, wish, draws):
        if len(given) - len(cells) >= n_wanted:
            given.difference_update(cells)
            if checker and not checker.survives(given, cells):
                given.update(cells)
    return given


def _removals(n_cells: int, n_removed: int, wish: _Wish, draws: Draws) -> list[list[int]]:
    """Cells in the order of their removal, one by one or in pairs; a cell in the centre first, where it must go."""
    if wish.symmetry == "none":
        return [[cell] for cell in draws.shuffled(range(n_cells))]
    pairs = [[cell, n_cells - 1 - cell] for cell in draws.shuffled(range(n_cells // 2))]
    return [[n_cells // 2], *pairs] if n_cells % 2 and n_removed % 2 else pairs


class _Uniqueness:
    """Decides whether givens may be removed from a puzzle with a single solution."""

    def __init__(self, draft: _Draft, wish: _Wish, draws: Draws) -> None:
        self._draws = draws
        self._network = draft.network()
        self._bits = [1 << value for value in draft.solution]
        self._draft = draft
        self._most = inf if wish.minimal else wish.most
        self._max_tried = inf if wish.minimal else _MAX_TRIED

    def survives(self, given: Collection[int], removed: Sequence[int]) -> bool:
        """Whether the solution is still the only one, and easy enough; the removed cells are not given any more."""
        propagation = ArcConsistency(self._network, self._network.domains, Counters())
        for cell in given:
            propagation.domains[cell] = self._bits[cell]
        propagation.propagate(given)
        if any(self._may_have_other_value(propagation.domains, cell) for cell in removed):
            return False
        self._draws.check_time()
        if self._most == inf:
            return True
        return bool(rating_by_steps(self._draft.with_givens(given), most=self._most, seconds=self._draws.seconds_left))

    def _may_have_other_value(self, domains: Sequence[int], cell: int) -> bool:
        """Whether there is a solution with another value in a cell, or the search for it gives up."""
        others = domains[cell] & ~self._bits[cell]
        if not others:
            return False
        propagation = ArcConsistency(self._network, domains, Counters())
        try:
            found = completions(propagation, max_tried=self._max_tried, is_late=self._draws.is_late)
            return propagation.assign(cell, others) and any(found)
        except Stopped:
            self._draws.check_time()
            return True

"""Which cells of a full board are given: a fraction of them, or as few as leave a single solution."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf

from f2csp.diagnostics import F2cspError
from f2csp.generation.cell_search import CellSearch, Domains, SearchLimitError
from f2csp.generation.draws import Draws, rounded
from f2csp.generation.full_grids import Values, cell_at
from f2csp.puzzles.puzzle import Clue, Puzzle

LEVELS: dict[str, tuple[float, float]] = {"easy": (0, 0), "medium": (1, 4), "hard": (5, inf)}
"""The least and the most values that a search for all solutions tries at choice points."""

DEFAULT_FILL = 0.4
_MAX_ATTEMPTS = 200  # boards
_MAX_TRIED = 500  # values in the search for a second solution; a given that needs more stays, unless all are tried


@dataclass(frozen=True, slots=True)
class Draft:
    """A puzzle without givens, its solution, and the search for all its solutions."""

    puzzle: Puzzle
    solution: Values
    search: Callable[[], CellSearch]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the givens of a puzzle are to be."""

    fill: float | None = None  # of the cells
    unique: bool = False
    minimal: bool = False
    symmetry: str = "none"
    difficulty: str | None = None

    def __post_init__(self) -> None:
        if self.minimal and self.fill is not None:
            raise F2cspError("a minimal puzzle has no fraction of given cells to choose: expected fill or minimal")

    @property
    def is_unique(self) -> bool:
        """Whether there is to be a single solution."""
        return self.unique or self.minimal or self.difficulty is not None

    def n_givens(self, n_cells: int, default: float) -> int:
        """The number of givens, or the least if it is not exact; even where symmetry has no cell in the centre."""
        fill = self.fill if self.fill is not None else default if self.is_exact(default) else 0.0
        n = rounded(fill * n_cells)
        return n + n % 2 if self.symmetry == "rotational" and n_cells % 2 == 0 else n

    def is_exact(self, default: float) -> bool:
        """Whether the number of givens is fixed; otherwise there are as few as possible."""
        has_default = not (self.minimal or self.difficulty) and (default > 0 or not self.unique)
        return self.fill is not None or has_default


def with_givens(new_draft: Callable[[], Draft], draws: Draws, wish: Wish, default_fill: float = DEFAULT_FILL) -> Puzzle:
    """A puzzle with the givens that are wished; drafts are made until one can have them.

    Raises:
        F2cspError: none of many drafts can.
    """
    for _ in range(_MAX_ATTEMPTS):
        draft = new_draft()
        n_wanted = wish.n_givens(len(draft.solution), default_fill)
        given = _chosen(draft, n_wanted, draws, wish)
        if given is not None and (len(given) == n_wanted or not wish.is_exact(default_fill)):
            first, n_columns = draft.puzzle.values[0], draft.puzzle.n_columns
            clues = [Clue(*cell_at(i, n_columns), draft.solution[i] + first) for i in given]
            return replace(draft.puzzle, clues=tuple(clues))
    raise F2cspError(f"no such {draft.puzzle.title} was found in {_MAX_ATTEMPTS} attempts; try more givens (fill)")


def _chosen(draft: Draft, n_wanted: int, draws: Draws, wish: Wish) -> list[int] | None:
    """The cells that are given, ``n_wanted`` or more; None if the difficulty is another one."""
    n_cells = len(draft.solution)
    is_given = [True] * n_cells
    n_given = n_cells
    checker = Uniqueness(draft, wish) if wish.is_unique else None
    for cells in _removals(n_cells, n_cells - n_wanted, wish, draws):
        if n_given - len(cells) < n_wanted:
            continue
        for cell in cells:
            is_given[cell] = False
        if checker is None or checker.survives(is_given, cells):
            n_given -= len(cells)
        else:
            for cell in cells:
                is_given[cell] = True
    given = [cell for cell in range(n_cells) if is_given[cell]]
    return None if checker and not checker.has_difficulty(given) else given


def _removals(n_cells: int, n_removed: int, wish: Wish, draws: Draws) -> list[list[int]]:
    """Cells in the order of their removal, one by one or in pairs; a cell in the centre first, where it must go."""
    if wish.symmetry == "none":
        return [[cell] for cell in draws.shuffled(range(n_cells))]
    pairs = [[cell, n_cells - 1 - cell] for cell in draws.shuffled(range(n_cells // 2))]
    return [[n_cells // 2], *pairs] if n_cells % 2 and n_removed % 2 else pairs


class Uniqueness:
    """Decides whether givens may be removed from a puzzle with a single solution."""

    def __init__(self, draft: Draft, wish: Wish) -> None:
        self._search = draft.search()
        self._bits = [1 << value for value in draft.solution]
        self._least, self._most = LEVELS.get(wish.difficulty or "", (0, inf))
        self._most_meanwhile = inf if wish.minimal else self._most
        self._max_tried = None if wish.minimal else _MAX_TRIED

    def survives(self, is_given: Sequence[bool], removed: Sequence[int]) -> bool:
        """Whether the solution is still the only one, and easy enough; the removed cells are not given any more."""
        if all(self._is_implied(cell, is_given) for cell in removed):
            return True
        given = [cell for cell, is_one in enumerate(is_given) if is_one]
        domains = self._propagated(given)
        if all(domain & (domain - 1) == 0 for domain in domains):
            return True
        try:
            if self._most_meanwhile < inf:
                return self._effort(domains) <= self._most_meanwhile
            return not any(self._has_other_value(domains, cell) for cell in removed)
        except SearchLimitError:
            return False

    def has_difficulty(self, given: Sequence[int]) -> bool:
        """Whether the puzzle has the difficulty that is wished."""
        if (self._least, self._most) == (0, inf):
            return True
        try:
            effort: float = self._effort(self._propagated(given))
        except SearchLimitError:
            effort = inf
        return self._least <= effort <= self._most

    def _is_implied(self, cell: int, is_given: Sequence[bool]) -> bool:
        """Whether given peers exclude every other value: a quick look, for at first most cells are such."""
        excluded = 0
        for peer in self._search.peers[cell]:
            if is_given[peer]:
                excluded |= self._bits[peer]
        return self._search.blank[cell] == excluded | self._bits[cell]

    def _propagated(self, given: Sequence[int]) -> Domains:
        domains = self._search.blank.copy()
        for cell in given:
            domains[cell] = self._bits[cell]
        self._search.assign(domains, list(given))
        return domains

    def _has_other_value(self, domains: Domains, cell: int) -> bool:
        """Whether there is a solution with another value in a cell."""
        others = domains[cell] & ~self._bits[cell]
        if not others:
            return False
        domains = domains.copy()
        domains[cell] = others
        if not self._search.assign(domains, [] if others & (others - 1) else [cell]):
            return False
        return next(self._search.solutions(domains, None, self._max_tried), None) is not None

    def _effort(self, domains: Domains) -> int:
        """The number of values that a search for all solutions tries; raises SearchLimitError if there is a second."""
        before = self._search.n_tried
        for n, _ in enumerate(self._search.solutions(domains, None, self._max_tried), 1):
            if n > 1:
                raise SearchLimitError
        return self._search.n_tried - before

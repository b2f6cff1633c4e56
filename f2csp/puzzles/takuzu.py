"""Takuzu, also called Binairo, binary puzzle or Unruly: a board of zeros and ones.

No three neighbours in a line are equal; each line holds as many zeros as ones, or one more of either where its length
is odd; no two rows are equal, and no two columns. Some hold puzzles without the last rule.

In the problem no table grows with the length of a line, but for one tuple for each pair of lines. ``R1-ones-4`` counts
the ones in the first four cells of row 1, step by step (the sequential counter of Sinz, "Towards an optimal CNF
encoding of Boolean cardinality constraints", 2005, as tables), and the domain of the last such variable is the
balance. ``C2-C5-same-3`` is 1 if columns 2 and 5 hold the same in their third cells; not all of these may be 1. All of
them follow from the cells, so a problem has as many solutions as the puzzle.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import ClassVar, Literal

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model import ConstraintBlock, Ids, Kind, ProblemStream, Relation
from f2csp.puzzles.puzzle import Clue, Conflict, Puzzle
from f2csp.puzzles.squares import cell_names

MAX_LINES = 128
"""The most rows or columns: there are two million auxiliary variables then, which are held in memory."""

Direction = Literal["row", "column"]


@dataclass(frozen=True, slots=True)
class Takuzu(Puzzle):
    """A board of zeros and ones and its givens.

    Attributes:
        rows: how many rows of cells there are.
        columns: how many columns of cells there are.
        has_distinct_lines: whether no two rows and no two columns may be equal.
        clues: see :class:`Puzzle`.

    Raises:
        ProblemError: there is no such board, or a given does not fit it.
    """

    KIND: ClassVar[str] = "takuzu"

    rows: int
    columns: int
    has_distinct_lines: bool = True

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= MAX_LINES and 1 <= self.columns <= MAX_LINES):
            raise ProblemError(
                f"a board of {self.rows}x{self.columns} has not between 1 and {MAX_LINES} lines each way"
            )
        self._check_clues()

    @property
    def n_rows(self) -> int:
        """How many rows of cells there are."""
        return self.rows

    @property
    def n_columns(self) -> int:
        """How many columns of cells there are."""
        return self.columns

    @property
    def values(self) -> range:
        """What a cell may hold."""
        return range(2)

    @property
    def title(self) -> str:
        """The title of its problem."""
        return f"Takuzu {self.rows}x{self.columns}"

    def rules(self) -> ProblemStream:
        """Three neighbours, row by row and column by column; then the balance of each line; then different lines."""
        return _Rules(self).stream()

    def conflicts(self) -> Iterator[Conflict]:
        """Three equal neighbours, lines with too many of a value, and full lines that are equal."""
        yield from chain(self._equal_neighbours(), self._unbalanced_lines(), self._equal_lines())

    def _equal_neighbours(self) -> Iterator[Conflict]:
        given = {(clue.row, clue.column): (order, clue) for order, clue in enumerate(self.clues)}
        for clue in self.clues:
            for down, across in ((0, 1), (1, 0)):
                cells = [(clue.row + i * down, clue.column + i * across) for i in range(3)]
                if all(cell in given and given[cell][1].value == clue.value for cell in cells):
                    clues = tuple(held for _, held in sorted(given[cell] for cell in cells))
                    where = ", ".join(str(held.cell) for held in clues)
                    yield Conflict(clues, f"three neighbours are given as {clue.value}: {where}")

    def _unbalanced_lines(self) -> Iterator[Conflict]:
        for direction, number, clues in self._given_lines():
            length = self._length(direction)
            for value in self.values:
                holders = [clue for clue in clues if clue.value == value]
                most = (length + 1) // 2
                if len(holders) > most:
                    first, last = holders[0], holders[-1]
                    where = f"from {first.cell} to {last.cell}"
                    message = (
                        f"{direction} {number} has {value} given {len(holders)} times, {where}, and may have {most}"
                    )
                    yield Conflict((first, last), message)

    def _equal_lines(self) -> Iterator[Conflict]:
        if not self.has_distinct_lines:
            return
        seen: dict[tuple[Direction, tuple[int, ...]], tuple[int, list[Clue]]] = {}
        for direction, number, clues in self._given_lines():
            if len(clues) < self._length(direction):
                continue
            values = tuple(clue.value for clue in sorted(clues))
            if (direction, values) in seen:
                other, held = seen[direction, values]
                message = (
                    f"{direction}s {other} and {number} are given in full and are equal: "
                    f"from {min(held).cell} and from {min(clues).cell} on"
                )
                yield Conflict((min(held), min(clues)), message)
            seen[direction, values] = number, clues

    def _given_lines(self) -> Iterator[tuple[Direction, int, list[Clue]]]:
        """The lines that have givens, each with them in their order."""
        lines: defaultdict[tuple[Direction, int], list[Clue]] = defaultdict(list)
        for clue in self.clues:
            lines["row", clue.row].append(clue)
            lines["column", clue.column].append(clue)
        for (direction, number), clues in lines.items():
            yield direction, number, clues

    def _length(self, direction: Direction) -> int:
        """How many cells a line has."""
        return self.columns if direction == "row" else self.rows


class _Rules:
    """The tables of a board: variables, domains and relations first, constraints when they are asked for."""

    def __init__(self, board: Takuzu) -> None:
        self._board = board
        self._names = list(cell_names(board.rows, board.columns))
        self._domain_of = [0] * len(self._names)
        self._ranges = {(0, 1): 0}  # the first and the last value of each domain
        self._relations: dict[tuple[Kind, int, bytes], Relation] = {}
        cells = np.arange(board.rows * board.columns, dtype=np.int32).reshape(board.rows, board.columns)
        self._directions = [("R", cells), ("C", cells.T)]

    def stream(self) -> ProblemStream:
        """The rules as a problem."""
        # What is asked for first comes first: the order of the auxiliary variables and of the relations.
        groups = [self._neighbours(lines) for _, lines in self._directions]
        groups += [self._balance(prefix, lines) for prefix, lines in self._directions]
        if self._board.has_distinct_lines:
            groups += [self._differences(prefix, lines) for prefix, lines in self._directions]
        n_values = max(last for _, last in self._ranges) + 1
        return ProblemStream(
            title=self._board.title,
            words=tuple(map(str, range(n_values))),
            domain_names=tuple(f"D{i}" for i in range(1, len(self._ranges) + 1)),
            domain_values=tuple(np.arange(first, last + 1, dtype=np.int32) for first, last in self._ranges),
            variable_names=tuple(self._names),
            variable_domains=np.array(self._domain_of, dtype=np.int32),
            relations=tuple(self._relations.values()),
            n_constraints=sum(len(block.relations) for group in groups for block in group),
            blocks=chain.from_iterable(groups),
        )

    def _relation(self, kind: Kind, tuples: Sequence[Sequence[int]]) -> int:
        """The index of a relation, new or not; a value is its own index in the words."""
        relation = Relation(kind, np.array(tuples, dtype=np.int32))
        self._relations.setdefault(relation.key, relation)
        return list(self._relations).index(relation.key)

    def _new_variables(self, names: list[str], first: int, last: int) -> int:
        """Add variables that take the values from ``first`` to ``last``, and give the index of the first of them."""
        domain = self._ranges.setdefault((first, last), len(self._ranges))
        self._names += names
        self._domain_of += [domain] * len(names)
        return len(self._names) - len(names)

    def _neighbours(self, lines: Ids) -> list[ConstraintBlock]:
        if lines.shape[1] < 3:
            return []
        relation = self._relation("Reject", [(0, 0, 0), (1, 1, 1)])
        scopes = np.stack((lines[:, :-2], lines[:, 1:-1], lines[:, 2:]), axis=2)
        return [_block(scopes, relation)]

    def _balance(self, prefix: str, lines: Ids) -> list[ConstraintBlock]:
        """The counters of each line; all lines have the same relations, one for each step."""
        length = lines.shape[1]
        reachable = [_counts(length, n) for n in range(length + 1)]
        relations = [
            self._relation("Accept", [(p, b, p + b) for p in reachable[n - 1] for b in (0, 1) if p + b in reachable[n]])
            for n in range(2, length + 1)
        ]
        blocks = []
        for number, line in enumerate(lines.tolist(), 1):
            counters = [
                self._new_variables([f"{prefix}{number}-ones-{n}"], reachable[n][0], reachable[n][-1])
                for n in range(2, length + 1)
            ]
            scopes = list(zip([line[0], *counters], line[1:], counters, strict=False))
            blocks.append(
                ConstraintBlock(np.array(scopes, dtype=np.int32).ravel(), np.array(relations, dtype=np.int32))
            )
        return blocks

    def _differences(self, prefix: str, lines: Ids) -> list[ConstraintBlock]:
        n_lines, length = lines.shape
        if n_lines < 2:
            return []
        same = self._relation("Accept", [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)])
        relations = np.array([same] * length + [self._relation("Reject", [(1,) * length])], dtype=np.int32)
        blocks = []
        for one, other in combinations(range(n_lines), 2):
            names = [f"{prefix}{one + 1}-{prefix}{other + 1}-same-{i}" for i in range(1, length + 1)]
            first = self._new_variables(names, 0, 1)
            flags = np.arange(first, first + length, dtype=np.int32)
            scopes = np.stack((lines[one], lines[other], flags), axis=1)
            blocks.append(ConstraintBlock(np.concatenate((scopes.ravel(), flags)), relations))
        return blocks


def _counts(length: int, n: int) -> range:
    """How many ones the first ``n`` cells of a line of this length can hold, as the whole line must be balanced."""
    fewest, most = length // 2, (length + 1) // 2
    return range(max(0, fewest - (length - n)), min(n, most) + 1)


def _block(scopes: Ids, relation: int) -> ConstraintBlock:
    """A constraint of the same relation on each scope; ``scopes`` has one along its last axis."""
    n_scopes = scopes.size // scopes.shape[-1]
    return ConstraintBlock(scopes.ravel(), np.full(n_scopes, relation, dtype=np.int32))

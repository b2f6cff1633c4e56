"""A puzzle as a problem: its rules, then its givens."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from f2csp.model import ConstraintBlock, Ids, Kind, Problem, ProblemStream, Relation
from f2csp.model.linear_sums import LinearSum, Term
from f2csp.puzzles.puzzle import Cell, Puzzle

if TYPE_CHECKING:
    from f2csp.model.automaton import Chain

_MAX_KEPT_CELLS = 1000  # of the boards whose rules are kept for the next puzzle


class Rules:
    """Collects the constraints of a board; variables, domains and relations are in the order of their first use.

    Attributes:
        cells: the indices of the variables of the cells, -1 for a block; shape (n_rows, n_columns).
    """

    def __init__(self, puzzle: Puzzle) -> None:
        n_rows, n_columns = puzzle.n_rows, puzzle.n_columns
        self.cells: Ids = np.full((n_rows, n_columns), -1, dtype=np.int32)
        self.cells[tuple(np.array(puzzle.cells, dtype=np.int32).T - 1)] = np.arange(len(puzzle.cells))
        self._title = puzzle.title
        self._term = Term(np.arange(len(puzzle.values), dtype=np.int32), np.array(puzzle.values))
        self._symbols = puzzle.SYMBOLS
        self._names = [cell.variable for cell in puzzle.cells]
        self._domains = {tuple(puzzle.values): 0}
        self._domain_of = [0] * len(self._names)
        self._relations: dict[tuple[Kind, int, bytes], tuple[int, Relation]] = {}
        self._relations_of: dict[int, tuple[Chain, Ids]] = {}  # by the id of the chain, which is kept
        self._n_constraints = 0
        self._blocks: list[Iterable[ConstraintBlock]] = []

    def variables(self, names: Sequence[str], values: Iterable[int]) -> range:
        """Add auxiliary variables of one domain, and return their indices.

        Their values are not those of the cells if these are symbols: they count from the number of symbols on then.
        """
        domain = self._domains.setdefault(tuple(values), len(self._domains))
        first = len(self._names)
        self._names += names
        self._domain_of += [domain] * len(names)
        return range(first, len(self._names))

    def relation(self, kind: Kind, tuples: Sequence[Sequence[int]] | Ids) -> int:
        """The index of a relation, new or not; its tuples hold values, not indices of words."""
        relation = Relation(kind, np.array(tuples, dtype=np.int32))
        return self._relations.setdefault(relation.key, (len(self._relations), relation))[0]

    def add(self, scopes: Ids | Sequence[Sequence[int]], relation: int) -> None:
        """Add a constraint of one relation on each scope; the scopes are along the last axis."""
        array = np.asarray(scopes, dtype=np.int32)
        self.add_block(array.ravel(), np.full(array.size // array.shape[-1], relation, dtype=np.int32))

    def add_block(self, scopes: Ids, relations: Ids) -> None:
        """Add a constraint of each of these relations; the scopes are end to end."""
        self.add_blocks(len(relations), [ConstraintBlock(scopes, relations)])

    def scope(self, cells: Sequence[Cell]) -> list[int]:
        """The indices of the variables of cells."""
        return [int(self.cells[row - 1, column - 1]) for row, column in cells]

    def add_chain(self, scope: Sequence[int], found: "Chain", name: str) -> None:
        """Add a chain on cells; its state variables are ``name-K`` after cell K. One with ranges is of partial sums."""
        numbered = enumerate(found.states, len(found.places[0]) - 1 if found.states else 0)
        states = tuple([self.variables([f"{name}-{n}"], values)[0] for n, values in numbered])
        if id(found) not in self._relations_of:
            indices = [self.relation("Accept", table) for table in found.tables]
            self._relations_of[id(found)] = found, np.array(indices, dtype=np.int32)
        _, relations = self._relations_of[id(found)]
        scopes = np.array(list(chain.from_iterable(found.scopes(scope, states))), dtype=np.int32)
        sums: tuple[LinearSum, ...] = ()
        if len(relations) > 1 and found.ranges:
            terms = (self._term,) * len(scope)
            sums = (LinearSum(tuple(scope), terms, found.ranges, tuple(range(len(relations))), states),)
        self.add_blocks(len(relations), [ConstraintBlock(scopes, relations, sums)])

    def add_blocks(self, n_constraints: int, blocks: Iterable[ConstraintBlock]) -> None:
        """Add many constraints, which are made when they are needed."""
        self._n_constraints += n_constraints
        self._blocks.append(blocks)

    def stream(self) -> ProblemStream:
        """The rules as a problem."""
        values = list(dict.fromkeys(chain.from_iterable(self._domains)))
        index = np.zeros(max(values) + 1, dtype=np.int32)  # of a value in the problem's words
        index[values] = np.arange(len(values), dtype=np.int32)
        return ProblemStream(
            title=self._title,
            words=tuple([self._symbols[value] if value < len(self._symbols) else str(value) for value in values]),
            domain_names=tuple(f"D{i}" for i in range(1, len(self._domains) + 1)),
            domain_values=tuple(index[list(domain)] for domain in self._domains),
            variable_names=tuple(self._names),
            variable_domains=np.array(self._domain_of, dtype=np.int32),
            relations=tuple(Relation(table.kind, index[table.tuples]) for _, table in self._relations.values()),
            n_constraints=self._n_constraints,
            blocks=chain.from_iterable(self._blocks),
        )


def to_problem(puzzle: Puzzle) -> Problem:
    """The puzzle as a problem: section 7 of the format fixes variables, constraints and their order.

    Example:
        >>> from f2csp.puzzles.sudoku import Sudoku
        >>> to_problem(Sudoku(4, 2, 2))
        <Problem 'Sudoku 4x4': 1 domain, 16 variables, 56 constraints>
    """
    if not isinstance(puzzle, Puzzle):
        raise TypeError(f"expected a Puzzle, found {puzzle!r:.80}; f2csp.puzzle reads one from a file")
    return to_stream(puzzle).collect()


def to_stream(puzzle: Puzzle) -> ProblemStream:
    """The same as :func:`to_problem`, with the constraints in blocks, made when they are needed."""
    is_small = puzzle.n_rows * puzzle.n_columns <= _MAX_KEPT_CELLS
    rules = _kept_rules(replace(puzzle, clues=())) if is_small else rules_of(puzzle)
    relations, block = _givens(puzzle, rules.relations)
    n, blocks = rules.n_constraints + len(block.relations), chain(rules.blocks, [block])
    return replace(rules, relations=rules.relations + relations, n_constraints=n, blocks=blocks)


def rules_of(puzzle: Puzzle) -> ProblemStream:
    rules = Rules(puzzle)
    puzzle.add_rules(rules)
    return rules.stream()


@lru_cache(maxsize=8)
def _kept_rules(blank: Puzzle) -> ProblemStream:
    """The rules of a blank puzzle in one block: many puzzles are often converted that differ in givens alone."""
    rules = rules_of(blank)
    problem = rules.collect()
    return replace(rules, blocks=[ConstraintBlock(problem.scopes, problem.constraint_relations, problem.sums)])


def _givens(puzzle: Puzzle, known: Sequence[Relation]) -> tuple[tuple[Relation, ...], ConstraintBlock]:
    """The relations of given values that the rules do not have, and a constraint for each given."""
    first_value, n_columns = puzzle.values[0], puzzle.n_columns
    index = {cell: i for i, cell in enumerate(puzzle.cells)} if puzzle.blocks else None
    index_of = {relation.key: i for i, relation in enumerate(known) if relation.arity == 1}
    relation_of: dict[int, int] = {}
    new: list[Relation] = []
    for value in dict.fromkeys([clue.value for clue in puzzle.clues]):
        relation = _given(value - first_value)
        if relation.key not in index_of:
            index_of[relation.key] = len(known) + len(new)
            new.append(relation)
        relation_of[value] = index_of[relation.key]
    cells = [(row - 1) * n_columns + column - 1 for row, column, _ in puzzle.clues]
    cells = cells if index is None else [index[clue.cell] for clue in puzzle.clues]
    relations = [relation_of[clue.value] for clue in puzzle.clues]
    return tuple(new), ConstraintBlock(np.array(cells, dtype=np.int32), np.array(relations, dtype=np.int32))


@lru_cache(maxsize=256)
def _given(word: int) -> Relation:
    """The relation that holds one value; ``word`` is its index in the problem's words."""
    return Relation("Accept", np.array([[word]], dtype=np.int32))

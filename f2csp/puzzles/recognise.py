"""From a problem back to its puzzle: the puzzles that it may be are generated and compared with it.

The comparison is by what the tables allow. Domains, variables, constraints, scopes and tuples may come in any order,
tables may be positive or negative, and constraints may be repeated or always true. Auxiliary variables may have any
names: they are matched by the tables that define them.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import NamedTuple, cast

import numpy as np

from f2csp.arrays import by_value, grouped, row_codes
from f2csp.diagnostics import ProblemError, Unsuitable, brief, listed
from f2csp.model import Kind, Offsets, Problem, expect_problem
from f2csp.puzzles import KINDS
from f2csp.puzzles.puzzle import Cell, Clue, Puzzle, cell_of, puzzle_class
from f2csp.puzzles.to_problem import to_problem
from f2csp.structure import groups_by_relation, supports

_MAX_LISTED = 9  # values or variables in a message
_MAX_ROWS = 2_000_000  # of tables that are compared, beyond those of the problem itself

Rows = frozenset[tuple[str, ...]]
_Cells = frozenset[int]
_Definition = tuple[Kind, Rows, tuple[int, ...], _Cells]


def recognise(problem: Problem) -> Puzzle:
    """The puzzle that a problem encodes as section 7 of the format describes.

    Where several fit, as for a square without boxes and signs, the title decides, or else the one with fewer rules. The
    givens come in the order of their constraints. If it encodes none, the error names the first difference from the
    puzzle that it resembles most.
    """
    expect_problem(problem)
    board = Board(problem)
    title = problem.title.casefold()
    letters = title[next((i for i, letter in enumerate(title) if letter.isalnum()), 0) :]
    failures: list[tuple[int, str]] = []
    puzzles = map(puzzle_class, KINDS)
    for kind in sorted(puzzles, key=lambda kind: (not letters.startswith(kind.NAME.casefold()), not kind.IS_GENERAL)):
        if board.gap and not kind.HAS_BLOCKS:
            continue
        try:
            for puzzle in kind.candidates(board):
                difference = board.difference(puzzle)
                if difference is None:
                    return puzzle
                failures.append(difference)
        except ProblemError as error:  # there is no such puzzle
            failures.append((problem.n_constraints, str(error)))
    values = listed(map(brief, board.values), _MAX_LISTED)
    reason = f"no puzzle has {board.n_rows}x{board.n_columns} cells with the values {values}"
    if board.gap and not failures:
        reach = f"cells reach to row {board.n_rows} and to column {board.n_columns}"
        reason = f"{reach}, and there is no cell {board.gap.variable}"
    raise _unrecognised(min(failures, key=lambda failure: failure[0])[1] if failures else reason)


@dataclass(frozen=True, slots=True)
class _Table:
    """Constraints that allow the same tuples, on variables in ascending order; none of them is always true."""

    kind: Kind  # "Reject" only where the allowed tuples are too many to be listed
    rows: Rows
    is_integer: bool  # all domains are integer domains
    scopes: Offsets  # the numbers of the variables; shape (n, arity)
    constraints: Offsets  # the index of each constraint


class _Difference(NamedTuple):
    """A scope with other tables in a problem than in a puzzle; the smallest is the one to report."""

    is_missing: bool  # the problem has no constraint on it that the puzzle does not have
    constraint: int  # such a constraint: the first of equal ones, the last of different ones
    scope: tuple[int, ...]  # the numbers of the variables


class FoundChain(NamedTuple):
    """What is found of a chain of tables on a board."""

    cells: tuple[Cell, ...]  # row by row
    values: list[str]  # of the cells, such as the tables allow together
    head: Rows  # the tuples of the table on the first cell


class Board:
    """The cells of a problem, and what its tables require of them: what a puzzle's ``candidates`` are made from.

    Cells are numbered row by row from 0, auxiliary variables after them; ``values`` are those of a cell, as words.
    """

    def __init__(self, problem: Problem) -> None:
        found = {cell: v for v, name in enumerate(problem.variable_names) if (cell := cell_of(name))}
        if not found:
            raise _unrecognised("no variable is a cell V<row>-<column>")
        self.n_rows, self.n_columns = max(cell.row for cell in found), max(cell.column for cell in found)
        self._n_cells = len(found)
        self._cells = sorted(found)
        places = (Cell(i // self.n_columns + 1, i % self.n_columns + 1) for i in range(self._n_cells + 1))
        is_full = self.n_rows * self.n_columns == self._n_cells
        self.gap = None if is_full else next(place for place in places if place not in found)  # the first block
        self.n_auxiliary = problem.n_variables - self._n_cells
        self.values = problem.variables[found[self._cells[0]]].domain.words
        self._problem = problem
        self._numbers = np.full(problem.n_variables, -1, dtype=np.int64)
        self._numbers[[found[cell] for cell in self._cells]] = np.arange(self._n_cells)
        self._numbers[self._numbers < 0] = np.arange(self._n_cells, problem.n_variables)
        self._tables = list(_tables(problem, self._numbers))

    def cell(self, number: int) -> Cell:
        return self._cells[number]

    def cells_of(self, numbers: Iterable[int]) -> tuple[Cell, ...]:
        return tuple(self.cell(number) for number in sorted(numbers) if number < self._n_cells)

    @property
    def is_square(self) -> bool:
        """Whether there are N rows and N columns, and the values are 1 to N."""
        numbers = {str(value) for value in range(1, self.n_rows + 1)}
        return self.n_rows == self.n_columns and set(self.values) == numbers

    @cached_property
    def blocks(self) -> list[Cell]:
        """The places on the board that are no cells."""
        known = set(self._cells)
        places = (Cell(i, j) for i in range(1, self.n_rows + 1) for j in range(1, self.n_columns + 1))
        return [place for place in places if place not in known]

    @cached_property
    def givens(self) -> list[tuple[Cell, str]]:
        """The cells that a constraint leaves one value, in the order of the constraints."""
        given: list[tuple[int, int, str]] = []
        for table in self._tables:
            if table.kind == "Accept" and len(table.rows) == 1 and table.scopes.shape[1] == 1:
                ((word,),) = table.rows
                places = zip(table.constraints.tolist(), table.scopes[:, 0].tolist(), strict=True)
                given += [(constraint, number, word) for constraint, number in places if number < self._n_cells]
        return [(self.cell(number), word) for _, number, word in sorted(given)]

    @property
    def clues(self) -> tuple[Clue, ...]:
        """The givens that are numbers."""
        return tuple(dict.fromkeys(Clue(*cell, int(word)) for cell, word in self.givens if word.isdigit()))

    @cached_property
    def apart(self) -> Offsets:
        """The pairs of cells that must differ and are in no common row or column; shape (n, 2)."""
        different = [table.scopes for table in self.tables_of_pairs() if all(a != b for a, b in table.rows)]
        pairs = np.concatenate([np.empty((0, 2), dtype=np.int64), *different])
        rows, columns = np.array(self._cells).T[:, pairs]
        return cast("Offsets", pairs[(rows[:, 0] != rows[:, 1]) & (columns[:, 0] != columns[:, 1])])

    @cached_property
    def box(self) -> tuple[int, int]:
        """The height and the width of the boxes whose cells differ; those of a row if there are no boxes."""
        size = self.n_rows
        pairs = set(map(tuple, self.apart[self.apart[:, 0] < size].tolist()))
        boxes = ((rows, size // rows) for rows in range(2, size) if size % rows == 0)
        return next((box for box in boxes if (box[1] - 1, (box[0] - 1) * size) in pairs), (1, size))

    def difference(self, puzzle: Puzzle) -> tuple[int, str] | None:
        """The number of differences from the problem of a puzzle, and the first in words; None if there are none.

        Auxiliary variables are matched by their names, or else by their definitions.
        """
        problem, made = self._problem, to_problem(puzzle)
        if problem.n_variables != made.n_variables:
            n = made.n_variables - self._n_cells
            reason = f"expected {n} auxiliary variables for a {puzzle.title}, found {self.n_auxiliary}"
            return problem.n_constraints, reason
        if set(problem.variable_names) == set(made.variable_names):
            index = {name: i for i, name in enumerate(made.variable_names)}
            numbers = np.array([index[name] for name in problem.variable_names], dtype=np.int64)
            found = self._difference_with(numbers, made, puzzle)
            if found is None or not self.n_auxiliary:
                return found
            with suppress(ProblemError):  # then the names are as good
                found = self._difference_with(self._numbers_in(made), made, puzzle) and found
            return found
        return self._difference_with(self._numbers_in(made), made, puzzle)

    def _difference_with(self, numbers: Offsets, made: Problem, puzzle: Puzzle) -> tuple[int, str] | None:
        """The first difference if the variables have these numbers in the generated problem."""
        problem = self._problem
        domains, expected = ([set(domain.words) for domain in side.domains] for side in (problem, made))
        pairs = zip(problem.variable_domains.tolist(), made.variable_domains[numbers].tolist(), strict=True)
        odd = next((v for v, (mine, theirs) in enumerate(pairs) if domains[mine] != expected[theirs]), None)
        if odd is not None:
            name, values = problem.variable_names[odd], problem.variables[odd].domain.words
            reason = f"a {puzzle.title} does not have the values {listed(map(brief, values), _MAX_LISTED)}"
            return problem.n_constraints, f"{reason} of {brief(name)}"
        tables = self._tables if (numbers == self._numbers).all() else list(_tables(problem, numbers))
        found = _differences(tables, list(_tables(made, np.arange(made.n_variables))))
        if not found:
            return None
        first = min(found)
        names = listed([made.variable_names[v] for v in first.scope], _MAX_LISTED)
        if first.is_missing:
            return len(found), f"a {puzzle.title} has a constraint on {names} that is missing"
        constraint = problem.constraints[first.constraint]
        line = f" (line {constraint.line})" if constraint.line is not None else ""
        return len(found), f"a {puzzle.title} does not have the constraint {brief(constraint.label)}{line} on {names}"

    def tables_of_pairs(self) -> Iterator[_Table]:
        """The positive tables over integers on two cells."""
        for table in self._tables:
            if table.kind == "Accept" and table.rows and table.is_integer and table.scopes.shape[1] == 2:
                fits = (table.scopes < self._n_cells).all(axis=1)
                if fits.any():
                    yield replace(table, scopes=table.scopes[fits], constraints=table.constraints[fits])

    @cached_property
    def chains(self) -> "list[FoundChain]":
        """The chains of tables that auxiliary variables link."""
        touching: defaultdict[int, dict[tuple[int, ...], Rows]] = defaultdict(dict)
        for table in self._tables:
            for scope in map(tuple, table.scopes.tolist() if table.kind == "Accept" else ()):
                for variable in scope[bisect_left(scope, self._n_cells) :]:
                    touching[variable][scope] = table.rows
        found: list[FoundChain] = []
        visited: set[tuple[int, ...]] = set()
        for scope, rows in [item for tables in touching.values() for item in tables.items()]:
            if scope in visited or scope[-2] >= self._n_cells:  # a table at an end has one auxiliary variable
                continue
            values: dict[int, str] = {}
            ends: dict[int, Rows] = {}
            following = [(scope, rows)]
            while len(following) == 1:
                ((scope, rows),) = following
                visited.add(scope)
                fitting = (row for row in rows if all(values.get(v, x) == x for v, x in zip(scope, row, strict=True)))
                values |= zip(scope, next(fitting, ()), strict=False)
                ends[scope[0]] = rows
                links = scope[bisect_left(scope, self._n_cells) :]
                following = [(s, r) for link in links for s, r in touching[link].items() if s not in visited]
            if not following:
                cells = sorted(v for v in values if v < self._n_cells)
                found.append(FoundChain(self.cells_of(cells), [values[v] for v in cells], ends[cells[0]]))
        return found

    @cached_property
    def sums(self) -> dict[tuple[Cell, ...], int]:
        """The sums of the cells of each chain, and of each table of two cells that all have the same."""
        found = {chained.cells: sum(map(int, chained.values)) for chained in self.chains}
        for table in self.tables_of_pairs():
            totals = {int(a) + int(b) for a, b in table.rows}
            if len(totals) == 1:
                found |= dict.fromkeys(map(self.cells_of, table.scopes.tolist()), totals.pop())
        return found

    def _numbers_in(self, made: Problem) -> Offsets:
        """The number of each variable in the generated problem; auxiliary ones are matched by their definitions."""
        names = self._problem.variable_names
        numbers = np.where(self._numbers < self._n_cells, self._numbers, made.n_variables)
        known = np.arange(made.n_variables)
        known[self._n_cells :] = made.n_variables
        mine, theirs = _cells_beside(self._problem, numbers), _cells_beside(made, known)
        while (numbers == made.n_variables).any():
            defined = _definitions(made, known, theirs)
            own = _definitions(self._problem, numbers, mine)
            found = [(v, defined[key]) for key, v in own.items() if key in defined]
            if not found:
                break
            variables, originals = np.array(found).T
            numbers[variables] = known[originals] = originals
        seen = {made.n_variables}
        for name, number in zip(names, numbers.tolist(), strict=True):
            if number in seen:
                raise ProblemError(f"the auxiliary variable {brief(name)} is not one of a {made.title}")
            seen.add(number)
        return numbers


def _unrecognised(reason: str) -> Unsuitable:
    return Unsuitable(f"no puzzle is recognised in this problem: {reason}")


def _tables(problem: Problem, numbers: Offsets, constraints: Offsets | None = None) -> Iterator[_Table]:
    """The tables of a problem, or of some constraints; one for each relation, domains and order of columns."""
    first_with: dict[frozenset[int], int] = {}
    alias = [first_with.setdefault(frozenset(values.tolist()), i) for i, values in enumerate(problem.domain_values)]
    domains = np.array(alias, dtype=np.int32)[problem.variable_domains]
    merged = replace(problem, variable_domains=domains, sums=(), is_checked=True)
    n_rows, n_given = 0, sum(relation.n_tuples for relation in problem.relations)
    for group in groups_by_relation(merged, constraints):
        values = [problem.domain_values[domain] for domain in group.domains]
        is_integer = all(problem.domains[domain].is_integer for domain in group.domains)
        allowed = supports(group.relation, values)
        kind: Kind = "Reject" if allowed is None else "Accept"
        tuples = group.relation.tuples if allowed is None else allowed
        is_always_true = len(tuples) == (prod(map(len, values)) if kind == "Accept" else 0)
        if is_always_true and problem.n_variables > 1:  # on a board of one cell it is a given
            continue
        n_rows += len(tuples)
        if n_rows > _MAX_ROWS + 4 * n_given:
            raise _unrecognised(f"its {len(problem.relations):,} tables are not those of a puzzle")
        order = np.argsort(numbers[group.scopes], axis=1)
        _, firsts, which = np.unique(row_codes(order.T), return_index=True, return_inverse=True)
        for i, members in by_value(which):
            columns = order[firsts[i]]
            rows = frozenset(tuple([problem.words[word] for word in row]) for row in tuples[:, columns].tolist())
            scopes = numbers[group.scopes[members][:, columns]]
            yield _Table(kind, rows, is_integer, scopes, group.constraints[members])


def _n_unknown(problem: Problem, numbers: Offsets) -> Offsets:
    """For each constraint the number of its variables without a number."""
    n_before = np.concatenate(([0], np.cumsum(numbers[problem.scopes] == problem.n_variables)))
    return cast("Offsets", np.diff(n_before[problem.scope_offsets]))


def _cells_beside(problem: Problem, numbers: Offsets) -> dict[int, _Cells]:
    """For each variable without a number those with one that are in its constraints, where chains begin alike."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for constraint in np.flatnonzero(_n_unknown(problem, numbers)).tolist():
        variables = problem.scope(constraint)
        is_unknown = numbers[variables] == problem.n_variables
        for variable in variables[is_unknown].tolist():
            found[variable].update(numbers[variables[~is_unknown]].tolist())
    return {variable: frozenset(cells) for variable, cells in found.items()}


def _definitions(problem: Problem, numbers: Offsets, beside: Mapping[int, _Cells]) -> dict[_Definition, int]:
    """The variables without a number that are in a constraint with numbered ones: by the table and the numbers."""
    unknown = problem.n_variables
    found: dict[_Definition, int] = {}
    for table in _tables(problem, numbers, np.flatnonzero(_n_unknown(problem, numbers) == 1)):
        for scope, constraint in zip(table.scopes.tolist(), table.constraints.tolist(), strict=True):
            variables = problem.scope(constraint)
            variable = int(variables[numbers[variables] == unknown][0])
            found.setdefault((table.kind, table.rows, tuple(scope[:-1]), beside[variable]), variable)
    return found


def _differences(mine: Sequence[_Table], theirs: Sequence[_Table]) -> list[_Difference]:
    """The scopes that have another table in a problem than in a puzzle, or one on one side only."""
    both = [*[(True, table) for table in mine], *[(False, table) for table in theirs]]
    found: list[_Difference] = []
    for same in grouped((table.scopes.shape[1], (is_mine, table)) for is_mine, table in both).values():
        counts = [len(table.scopes) for _, table in same]
        relations: dict[tuple[Kind, Rows], int] = {}
        relation = np.array([relations.setdefault((table.kind, table.rows), len(relations)) for _, table in same])
        scopes = np.concatenate([table.scopes for _, table in same])
        constraints = np.concatenate([table.constraints for _, table in same])
        own = np.repeat([is_mine for is_mine, _ in same], counts)
        distinct, codes = np.unique(row_codes([*scopes.T, np.repeat(relation, counts)]), return_inverse=True)
        sides = np.zeros((2, len(distinct)), dtype=np.bool_)
        sides[own.astype(np.int64), codes] = True
        is_odd = (sides[0] != sides[1])[codes]
        entries = np.flatnonzero(is_odd & own)
        entries = entries[np.argsort(constraints[entries])]
        entries = entries[np.sort(np.unique(codes[entries], return_index=True)[1])]  # the first of equal constraints
        other = dict(zip(map(tuple, scopes[entries].tolist()), constraints[entries].tolist(), strict=True))
        found += [_Difference(False, constraint, scope) for scope, constraint in other.items()]
        missing = set(map(tuple, scopes[is_odd & ~own].tolist())) - set(other)
        found += [_Difference(True, 0, scope) for scope in missing]
    return found

"""Lines of a Takuzu that must be balanced: auxiliary variables count from cell to cell.

Such variables make a chain along a line: a constraint is on one of them, the next cell, and the next of them. A chain
is an automaton that reads the cells of a line in some order. It makes the line balanced if a beginning leads somewhere
exactly as long as the rest can balance it. That is found out for all beginnings at once: those with as many ones that
lead to the same states are alike.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from f2csp.diagnostics import Unsuitable, shown
from f2csp.model import Offsets
from f2csp.puzzles.recovery_board import NO_CELL, Board, foreign_constraint, unrecognised
from f2csp.puzzles.recovery_distinct import Comparisons

_States = frozenset[int]
_Reached = frozenset[tuple[_States, int]]  # the states that some cells can lead to, and how many of the cells are ones
_Table = dict[tuple[int, int], _States]  # the states after, by the state before and the cell's value; all are words

_START = -1  # the state before any cell, where no variable stands for it
_MOST_REACHED = 2  # times the length of a line; a chain that counts needs no more than once


class _Chain(NamedTuple):
    """Variables that count the cells of a line.

    Attributes:
        first: the first of them.
        cells: those that are read.
        start: what is reached before the first table reads a cell.
        tables: numbers of tables; each reads one cell, the last ones.
    """

    first: int
    cells: tuple[int, ...]
    start: _Reached
    tables: tuple[int, ...]


def check_balance(board: Board, counting: Offsets, limiting: Offsets, compared: Comparisons) -> None:
    """See that each row and each column of two or more cells must be balanced.

    Args:
        board: the board.
        counting: the constraints on one or two cells and one or two other variables, each once.
        limiting: the constraints on other variables alone.
        compared: the variables that compare lines.

    Raises:
        Unsuitable: a line need not be balanced, or a constraint says something else.
    """
    counters = _Counters(board, compared)
    for constraint in counting.tolist():
        counters.add(constraint)
    for constraint in limiting.tolist():
        counters.limit(constraint)
    balanced = {_balanced_line(board, counters, chain) for chain in counters.chains()}
    rows = [f"row {row}" for row in range(1, board.n_rows + 1) if board.n_columns > 1]
    columns = [f"column {column}" for column in range(1, board.n_columns + 1) if board.n_rows > 1]
    for line in rows + columns:
        if line not in balanced:
            raise unrecognised(f"{line} need not have as many zeros as ones")


def _balanced_line(board: Board, counters: "_Counters", chain: _Chain) -> str:
    """The name of the line that a chain makes balanced."""
    places = [board.cell(cell) for cell in chain.cells]
    name = board.problem.variable_names[chain.first]
    rows, columns = {place.row for place in places}, {place.column for place in places}
    n_cells = len(set(places))
    if len(rows) == 1 and n_cells == len(places) == board.n_columns:
        line = f"row {places[0].row}"
    elif len(columns) == 1 and n_cells == len(places) == board.n_rows:
        line = f"column {places[0].column}"
    else:
        raise unrecognised(f"the chain of {shown(name)} reads {len(places)} cells, which are no row and no column")
    if not counters.balance(chain):
        raise unrecognised(f"the chain of {shown(name)} lets {line} have other numbers of zeros and ones, or too few")
    return line


class _Counters:
    """The variables of a board that count, and the constraints on them."""

    def __init__(self, board: Board, compared: Comparisons) -> None:
        self._board = board
        self._bits = tuple(board.problem.words.index(word) for word in ("0", "1"))
        self._is_other = compared.are_made
        self._heads: dict[int, int] = {}  # the constraint on cells and this counter alone
        self._links: defaultdict[int, list[int]] = defaultdict(list)  # those on a cell, this counter and another
        self._limits: dict[int, _States] = {}
        self._seen: set[int] = set()
        self._tables: dict[tuple[object, ...], tuple[int, _Table]] = {}
        self._verdicts: dict[tuple[object, ...], bool] = {}

    def add(self, constraint: int) -> None:
        """Take a constraint on cells and one or two counters."""
        counters = self._counters(constraint)
        for counter in counters:
            if self._is_other[counter]:
                raise self._refused(constraint, counter, "compares lines elsewhere")
            if len(counters) == 2:
                self._links[counter].append(constraint)
            elif counter in self._heads:
                raise self._refused(constraint, counter, "counts other cells elsewhere")
            else:
                self._heads[counter] = constraint

    def limit(self, constraint: int) -> None:
        """Take a constraint on a counter alone."""
        counter, *others = self._counters(constraint)
        rows = self._board.allowed(constraint)
        if others or rows is None:
            raise self._refused(constraint, counter, "is neither counting from cell to cell nor comparing lines")
        allowed = frozenset(rows[:, 0].tolist())
        self._limits[counter] = self._limits.get(counter, allowed) & allowed

    def chains(self) -> Iterator[_Chain]:
        """All chains of counters, each once."""
        ends = [*self._heads, *(counter for counter, links in self._links.items() if len(links) == 1)]
        for counter in ends:
            if counter not in self._seen:
                yield self._chain(counter)
        for counter, links in self._links.items():
            if counter not in self._seen:
                raise self._refused(links[0], counter, "is in a chain without an end")
        for counter in self._limits:
            if counter not in self._seen:
                name = shown(self._board.problem.variable_names[counter])
                raise unrecognised(f"the values of {name} are limited, and it counts no cells")

    def balance(self, chain: _Chain) -> bool:
        """Whether a chain makes its line balanced; chains with the same tables are looked at once."""
        key = chain.start, chain.tables
        if key not in self._verdicts:
            tables = dict(self._tables.values())
            steps = [tables[number] for number in chain.tables]
            self._verdicts[key] = _is_balance(chain.start, steps, self._bits, len(chain.cells))
        return self._verdicts[key]

    def _chain(self, first: int) -> _Chain:
        """The chain that begins with this counter."""
        start, cells, tables = self._start(first)
        current, came = first, None
        self._seen.add(first)
        while onward := [link for link in self._links.get(current, []) if link != came]:
            came = onward[-1]
            after = next(counter for counter in self._counters(came) if counter != current)
            if len(onward) > 1 or after in self._seen or after in self._heads:
                raise self._refused(came, current, "is in more than one chain")
            cell = next(v for v in self._scope(came) if self._is_cell(v))
            cells.append(cell)
            tables.append(self._table(came, current, cell, after))
            self._seen.add(after)
            current = after
        return _Chain(first, tuple(self._board.cells[cells].tolist()), start, tuple(tables))

    def _start(self, first: int) -> tuple[_Reached, list[int], list[int]]:
        """How a chain begins: what is reached before its first table, the variables of the cells read, that table."""
        if first not in self._heads:
            values = self._limits.get(first, frozenset(self._values(first)))
            return frozenset({(values, 0)}), [], []
        head = self._heads[first]
        cells = [v for v in self._scope(head) if self._is_cell(v)]
        if len(cells) == 1:
            return frozenset({(frozenset({_START}), 0)}), cells, [self._table(head, None, cells[0], first)]
        # The first cell is itself a variable that counts the ones among one cell.
        start = frozenset((frozenset({bit}), n_ones) for n_ones, bit in enumerate(self._bits))
        return start, cells, [self._table(head, cells[0], cells[1], first)]

    def _table(self, constraint: int, before: int | None, cell: int, after: int) -> int:
        """The number of the table by which a constraint leads from one variable over a cell to another."""
        scope = self._scope(constraint)
        order = tuple(scope.index(variable) for variable in (before, cell, after) if variable is not None)
        relation, domains = self._board.table(constraint)
        limit = self._limits.get(after)
        key = id(relation), order, tuple(map(id, domains)), limit
        if key not in self._tables:
            rows = self._board.allowed(constraint)
            if rows is None:
                raise self._refused(constraint, after, "has too many values to count cells")
            table: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
            for *states, bit, state in rows[:, order].tolist():
                if limit is None or state in limit:
                    table[states[0] if states else _START, bit].add(state)
            self._tables[key] = len(self._tables), {key: frozenset(found) for key, found in table.items()}
        return self._tables[key][0]

    def _scope(self, constraint: int) -> list[int]:
        scope: list[int] = self._board.problem.scope(constraint).tolist()
        return scope

    def _is_cell(self, variable: int) -> bool:
        return bool(self._board.cells[variable] != NO_CELL)

    def _counters(self, constraint: int) -> list[int]:
        return [variable for variable in self._scope(constraint) if not self._is_cell(variable)]

    def _values(self, variable: int) -> list[int]:
        problem = self._board.problem
        values: list[int] = problem.domain_values[problem.variable_domains[variable]].tolist()
        return values

    def _refused(self, constraint: int, counter: int, reason: str) -> Unsuitable:
        name = shown(self._board.problem.variable_names[counter])
        return foreign_constraint(self._board, constraint, f"{name} {reason}")


def _is_balance(start: _Reached, tables: Sequence[_Table], bits: Sequence[int], length: int) -> bool:
    """Whether exactly the balanced lines are read to the end.

    Args:
        start: what is reached before the first table reads a cell.
        tables: one for each cell that is read from then on.
        bits: the words of a zero and a one.
        length: how many cells there are.
    """
    reached = start
    for n_read, table in enumerate(tables, length - len(tables) + 1):
        following = {
            (frozenset().union(*(table.get((state, bit), ()) for state in states)), n_ones + one)
            for states, n_ones in reached
            for one, bit in enumerate(bits)
        }
        if any(not states and _can_be_balanced(n_ones, n_read, length) for states, n_ones in following):
            return False
        reached = frozenset((states, n_ones) for states, n_ones in following if states)
        if len(reached) > _MOST_REACHED * length:
            return False
    return all(_can_be_balanced(n_ones, length, length) for _, n_ones in reached)


def _can_be_balanced(n_ones: int, n_read: int, length: int) -> bool:
    """Whether a line can be balanced of which some cells are read."""
    return max(n_ones, n_read - n_ones) <= (length + 1) // 2

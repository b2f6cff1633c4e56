"""Clauses as a problem: what each clause rejects.

A clause fails where all its literals fail, so it rejects one tuple of variables over 0 and 1. In a file with notes the
literal of a value is about a noted variable: ``x=a`` fails at all other values of x, and its negation at ``a`` alone.
Clauses that never fail, as those that define the literals of values, vanish; the conflicts of one scope are one table.
"""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, count, product
from math import prod
from typing import NamedTuple

import numpy as np

from f2csp.arrays import by_value, concatenated_ranges, in_order_of_first_use, offsets_of, row_codes
from f2csp.encode import literals_of
from f2csp.model import Ids, Offsets, Origin, Problem, ProblemBuilder, Relation

_MAX_TUPLES = 1 << 12  # of one clause; the literals of a clause with more become variables
_MAX_VALUES = 1 << 24  # in all tuples, and _VALUES_PER_LITERAL more for each literal of the formula
_VALUES_PER_LITERAL = 1 << 6
_BLOCK = 1 << 16  # clauses that are tabulated together: arrays of this size are in the cache
BITS, BIT_VALUES = "D1", ("0", "1")
"""The domain of the variables that are literals, and its values."""

_PLACEHOLDER = "nobody"  # the variable of a clause that cannot hold, where there is none


class _Conflicts(NamedTuple):
    """Rejected tuples of one arity, with the clause of each."""

    clauses: Ids  # of shape (n,), ascending
    scopes: Ids  # of shape (n, arity)
    positions: Ids  # in the domains, of shape (n, arity)


class _TooManyTuples(Exception):
    pass


def problem_of(n_variables: int, numbers: Ids, names: Problem | None, clauses: Origin | None = None) -> Problem:
    """The problem over the variables of another one, and one variable over 0 and 1 for each further literal.

    Without names, and where the tables would be much larger than the clauses, all variables are over 0 and 1. The
    numbers are the literals of all clauses, a zero after each clause; ``clauses`` says where these come from.
    """
    if names is not None:
        with suppress(_TooManyTuples):
            return _Tabulator(n_variables, numbers, names).problem(clauses)
    return _Tabulator(n_variables, numbers, ProblemBuilder().build()).problem(clauses)


class _Tabulator:
    """Turns clauses into tables; a literal from 1 says that a variable has the value at a position of its domain."""

    def __init__(self, n_variables: int, numbers: Ids, names: Problem) -> None:
        self._numbers = numbers
        self._names = names
        literals = literals_of(names)
        values = np.flatnonzero(literals.values > 0)  # that the literals are about, in their order
        owners = literals.variables[values]
        self._own = range(len(values) + 1, n_variables + 1)  # the literals that are no values
        self._sizes: list[int] = [*names.domain_sizes[names.variable_domains].tolist(), *[2] * len(self._own)]
        others = np.arange(names.n_variables, len(self._sizes))
        self._variables = np.concatenate([[0], owners, others]).astype(np.int32)
        positions = values - literals.starts[owners]
        self._positions = np.concatenate([[0], positions, np.ones(len(self._own))]).astype(np.int32)
        self._has_two_values = np.array([*self._sizes, 0])[self._variables] == 2
        self._n_left = _MAX_VALUES + _VALUES_PER_LITERAL * len(numbers)
        self._conflicts: defaultdict[int, list[_Conflicts]] = defaultdict(list)  # by their arity
        self._listed: dict[int, tuple[array[int], array[int]]] = {}  # by arity: clauses, counts, scopes; tuples
        self._impossible: list[int] = []
        self._linked: dict[int, int] = {}  # literals that became variables, which come after all others

    def problem(self, origin: Origin | None) -> Problem:
        """The problem; raises _TooManyTuples where the tables would be too large."""
        ends = np.flatnonzero(self._numbers == 0).astype(np.int32)
        starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)].astype(np.int32)
        for width, clauses in by_value(ends - starts):
            if not width:
                self._impossible += clauses.tolist()
                continue
            for part in np.split(clauses.astype(np.int32), range(_BLOCK, len(clauses), _BLOCK)):
                self._tabulate_block(part, self._numbers[starts[part][:, None] + np.arange(width)])
        for arity, (flat_heads, positions) in self._listed.items():
            heads = np.array(flat_heads).reshape(-1, arity + 2)
            repeated = np.repeat(heads, heads[:, 1], axis=0).astype(np.int32)
            flat = np.array(positions, dtype=np.int32).reshape(-1, arity)
            self._conflicts[arity].append(_Conflicts(repeated[:, 0], repeated[:, 2:], flat))
        return self._assembled(self._further_names(), origin)

    def _assembled(self, further: list[str], origin: Origin | None) -> Problem:
        names = self._names
        words = {word: i for i, word in enumerate(names.words)}
        domains, values = [*names.domain_names], [*names.domain_values]
        if further:
            domains.append(next(name for name in chain([BITS], map("D{}".format, count(2))) if name not in domains))
            values.append(np.array([words.setdefault(word, len(words)) for word in BIT_VALUES], dtype=np.int32))
        of_variables = np.append(names.variable_domains, np.full(len(further), names.n_domains, dtype=np.int32))
        starts = offsets_of(np.array([len(ids) for ids in values], dtype=np.int64))
        flat = np.concatenate([np.empty(0, dtype=np.int32), *values])
        tables = _Constraints(self._impossible)
        for arity in sorted(self._conflicts):  # they are taken out, to save memory
            clauses, scopes, positions = _in_order(self._conflicts.pop(arity))
            for start in range(0, len(scopes), _BLOCK):
                part = slice(start, start + _BLOCK)
                positions[part] = flat[starts[of_variables[scopes[part]]] + positions[part]]
            tables.add(clauses, scopes, positions, by_scope=bool(names.n_variables))
        relations, scopes, offsets, used, first = tables.build()
        return Problem(
            title=names.title,
            words=tuple(words),
            domain_names=tuple(domains),
            domain_values=tuple(values),
            variable_names=(*names.variable_names, *further),
            variable_domains=of_variables,
            relations=relations,
            scopes=scopes,
            scope_offsets=offsets,
            constraint_relations=used,
            origin=origin and Origin(origin.name, origin.constraint_lines[first]),
            is_checked=True,
        )

    def _further_names(self) -> list[str]:
        """Names for the variables that are literals: x1 ..., after underscores where a name is taken."""
        numbers = [f"x{literal}" for literal in (*self._own, *self._linked)]
        while not set(self._names.variable_names).isdisjoint(numbers):
            numbers = [f"_{number}" for number in numbers]
        return numbers or [_PLACEHOLDER] * (bool(self._impossible) and not self._names.n_variables)

    def _tabulate_block(self, clauses: Ids, literals: Ids) -> None:
        """Tabulate clauses of one width; those that reject one tuple all at once."""
        numbers = np.abs(literals)
        scopes, values = self._variables[numbers], self._positions[numbers]
        is_positive = literals > 0
        ordered = np.sort(scopes, axis=1)
        is_single = (~is_positive | self._has_two_values[numbers]).all(axis=1)
        is_plain = is_single & (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
        positions = np.where(is_positive, 1 - values, values)
        self._spend(int(np.count_nonzero(is_plain)) * literals.shape[1])
        if is_plain.any():
            plain = _Conflicts(clauses[is_plain], scopes[is_plain], positions[is_plain])
            self._conflicts[plain.scopes.shape[1]].append(plain)
        others = np.flatnonzero(~is_plain)
        if literals.shape[1] == 2:  # "x has not both values" holds always
            first, second = literals[others].T
            others = others[(scopes[others, 0] != scopes[others, 1]) | (first >= 0) | (second >= 0) | (first == second)]
        parts = [part[others].tolist() for part in (clauses, literals, scopes, values)]
        for clause, row, variables, at in zip(*parts, strict=True):
            self._tabulate(clause, row, variables, at)

    def _tabulate(self, clause: int, literals: list[int], variables: list[int], values: list[int]) -> None:
        """Add the tuples that any clause rejects; each literal is about a value of a variable."""
        negated: dict[int, int] = {}  # the only position at which the negated literals of a variable fail
        holds: dict[int, set[int]] = {}  # the positions at which the other literals of a variable hold
        for literal, variable, position in zip(literals, variables, values, strict=True):
            if literal > 0:
                holds.setdefault(variable, set()).add(position)
            elif negated.setdefault(variable, position) != position:
                return  # it always holds
        sizes = [self._sizes[v] - len(at) for v, at in holds.items() if v not in negated]
        if 0 in sizes or any(position in holds.get(v, ()) for v, position in negated.items()):
            return
        if prod(sizes) > _MAX_TUPLES:
            wide = [i for i, v in enumerate(variables) if literals[i] > 0 and v not in negated and self._sizes[v] > 2]
            negated |= {self._link(clause, literals[i], variables[i], values[i]): 0 for i in wide}
            holds = {v: at for v, at in holds.items() if self._sizes[v] == 2}
        fails = {v: [p for p in range(self._sizes[v]) if p not in at] for v, at in holds.items()}
        fails |= {v: [position] for v, position in negated.items()}
        scope = [v for v in dict.fromkeys((*variables, *fails)) if v in fails]
        self._add_rows(clause, scope, list(product(*[fails[v] for v in scope])))

    def _add_rows(self, clause: int, scope: list[int], rows: Sequence[tuple[int, ...]]) -> None:
        """Add the tuples that one clause rejects; flat, for many tuples burden the garbage collector."""
        self._spend(len(rows) * len(scope))
        heads, positions = self._listed.setdefault(len(scope), (array("q"), array("i")))
        heads.extend((clause, len(rows), *scope))
        positions.extend(chain.from_iterable(rows))

    def _spend(self, n_values: int) -> None:
        self._n_left -= n_values
        if self._n_left < 0:
            raise _TooManyTuples

    def _link(self, clause: int, literal: int, variable: int, position: int) -> int:
        """The variable over 0 and 1 that is the literal of a value."""
        if literal not in self._linked:
            self._linked[literal] = len(self._sizes) + len(self._linked)
            rows = [(p, int(p != position)) for p in range(self._sizes[variable])]
            self._add_rows(clause, [variable, self._linked[literal]], rows)
        return self._linked[literal]


def _in_order(parts: list[_Conflicts]) -> _Conflicts:
    found = _Conflicts(*map(np.concatenate, zip(*parts, strict=True)))
    if (found.clauses[1:] >= found.clauses[:-1]).all():
        return found
    order = np.argsort(found.clauses, kind="stable")
    return _Conflicts(*(column[order] for column in found))


class _Constraints:
    """Collects tables in any order, each with its first clause."""

    def __init__(self, impossible: list[int]) -> None:
        n = len(impossible)
        self._relations = [Relation("Accept", np.empty((0, 1), dtype=np.int32))]
        self._parts = [(np.array(impossible, dtype=np.int32), np.zeros((n, 1), np.int32), np.zeros(n, np.int64))]

    def add(self, clauses: Ids, scopes: Ids, ids: Ids, *, by_scope: bool) -> None:
        """Add rejected tuples: those of one scope as one table, otherwise each as a table of its own."""
        groups = np.arange(len(clauses))
        if by_scope:
            unsorted = np.flatnonzero(~(scopes[:, 1:] > scopes[:, :-1]).all(axis=1))
            order = np.argsort(scopes[unsorted], axis=1)
            scopes[unsorted] = np.take_along_axis(scopes[unsorted], order, axis=1)
            ids[unsorted] = np.take_along_axis(ids[unsorted], order, axis=1)
            groups = _equal_groups(row_codes(scopes.T))
            keys = row_codes((groups, *ids.T))
            if not (keys[1:] > keys[:-1]).all():
                kept = np.sort(np.unique(keys, return_index=True)[1])
                kept = kept[np.argsort(groups[kept], kind="stable")]
                clauses, scopes, ids, groups = clauses[kept], scopes[kept], ids[kept], groups[kept]
            del keys
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        for size, at in by_value(np.diff(starts, append=len(groups))):
            tuples = ids[starts[at][:, None] + np.arange(size)]
            self._parts.append((clauses[starts[at]], scopes[starts[at]], self._tables(tuples)))

    def _tables(self, tuples: Ids) -> Offsets:
        known: dict[bytes, int] = {}
        which = np.array([known.setdefault(table.tobytes(), len(known)) for table in tuples])
        first_number = len(self._relations)
        self._relations += [Relation("Reject", tuples[i].copy()) for i in np.unique(which, return_index=True)[1]]
        return which + first_number

    def build(self) -> tuple[tuple[Relation, ...], Ids, Offsets, Ids, Ids]:
        """The relations in the order of their use; of the constraints scopes, offsets, relations and first clauses."""
        clauses = np.concatenate([part[0] for part in self._parts])
        arities = np.concatenate([np.full(len(part[1]), part[1].shape[1]) for part in self._parts])
        flat = np.concatenate([part[1].ravel() for part in self._parts]).astype(np.int32)
        used = np.concatenate([part[2] for part in self._parts])
        order = np.argsort(clauses, kind="stable")
        scopes = flat[concatenated_ranges((np.cumsum(arities) - arities)[order], arities[order])[0]]
        distinct, which = in_order_of_first_use(used[order])
        relations = tuple(self._relations[i] for i in distinct.tolist())
        return relations, scopes, offsets_of(arities[order]), which.astype(np.int32), clauses[order]


def _equal_groups(codes: Offsets) -> Offsets:
    """For each code the number of its distinct value, in the order of their first use; equal codes mostly follow."""
    runs = np.flatnonzero(np.diff(codes, prepend=codes[0] - 1))
    ranks = in_order_of_first_use(codes[runs])[1].astype(np.int32)
    return np.repeat(ranks, np.diff(runs, append=len(codes)))

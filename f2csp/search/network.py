"""A constraint network of bitsets, which all searches share.

A domain is an integer: bit ``i`` is set if the variable may still have the ``i``-th value of its domain in the problem.
Unary constraints are in the domains from the start (node consistency). All constraints on the same two variables are
one relation, so that the network is normalised (Bessiere, "Constraint propagation", in the Handbook of Constraint
Programming, 2006). It is a table of supports in each direction (:class:`Image`); what a set of values supports is
computed once and then looked up (:class:`Supports`). A wider table is filtered as a whole, and that too is computed
once for the same domains (:class:`Filter`).
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from itertools import accumulate, combinations
from math import prod
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from f2csp.arrays import Bools, bit_rows, count_each, row_codes
from f2csp.model import Ids, Offsets, Problem, Relation
from f2csp.structure import groups_by_relation

Domains = tuple[int, ...]

_MAX_SUPPORTS = 1 << 23  # sets of supported values that a network keeps
_MAX_KEPT = 1 << 16  # consistent domains that a table keeps
_MAX_KEPT_BITS = 1 << 28  # in these
_MAX_BITS = 1 << 27  # of a table as bitsets; a larger one stays an array


class Stopped(Exception):
    """A limit was reached."""


def bits_of(values: int) -> Iterator[int]:
    """The values of a set, each as a bit, ascending."""
    while values:
        bit = values & -values
        yield bit
        values ^= bit


def is_single(values: int) -> bool:
    """Whether a set has one value, or none."""
    return not values & (values - 1)


class Image(dict[int, int]):
    """For each value of one variable, as a bit, the values of another that it supports."""

    def __init__(self, rows: Sequence[int], n_values: int) -> None:
        """Take the rows of the relation, and the number of values of the other variable."""
        super().__init__((1 << i, row) for i, row in enumerate(rows))
        self.rows, self.full = rows, (1 << n_values) - 1
        conflicts = [~row & self.full for row in rows]
        # Whether only a single value prunes: no two values have a conflict in common, so that any two support all.
        self.needs_single = reduce(int.__or__, conflicts, 0).bit_count() == sum(map(int.bit_count, conflicts))

    def __missing__(self, values: int) -> int:
        return reduce(int.__or__, map(self.__getitem__, bits_of(values)), 0)


class Supports(dict[int, list[tuple[int, int]]]):
    """For each set of values of a variable, what it supports by each of its relations, unless that is all.

    Relations are named by their places. The conflicts of a value are one integer, so that those that all values of a
    set have in common are found for all relations at once. Variables with the same relations share what is found.
    """

    def __init__(self, images: Sequence[Image], max_kept: int, is_late: Callable[[], bool]) -> None:
        super().__init__()
        self._max_kept, self._is_late = max_kept, is_late
        starts = accumulate([image.full.bit_length() for image in images], initial=0)
        self._parts = list(zip(range(len(images)), images, starts, strict=False))
        self._always_waits = all(image.needs_single for image in images)
        self._conflicts: dict[int, int] = {}  # of each value that was looked at

    def __missing__(self, values: int) -> list[tuple[int, int]]:
        if self._is_late():
            raise Stopped
        if len(self) >= self._max_kept:
            self.clear()
        found = self[values] = []
        if is_single(values):
            found += [(place, image[values]) for place, image, _ in self._parts]
            return found
        conflicts, common, rest = self._conflicts, 0 if self._always_waits else -1, values
        while common and rest:
            bit = rest & -rest
            rest ^= bit
            if bit not in conflicts:
                conflicts[bit] = sum([(image.full ^ image[bit]) << start for _, image, start in self._parts])
            common &= conflicts[bit]
        for place, image, start in self._parts if common else ():
            lost = common >> start & image.full
            if lost:
                found.append((place, image.full ^ lost))
        return found


class Filter(dict[Domains, Domains | None]):
    """For the domains of a scope, what generalised arc consistency on a table leaves of them; None for a wipeout.

    In a negative table, a value is lost if there is a tuple for each assignment of the other variables. Stopped is
    raised when it is late.
    """

    def __init__(self, left: Callable[[Domains], Domains], sizes: Sequence[int], is_late: Callable[[], bool]) -> None:
        """``left`` computes what the table leaves, and ``sizes`` are those of the whole domains."""
        super().__init__()
        self._left, self._is_late = left, is_late
        self._max_kept = max(1, min(_MAX_KEPT, _MAX_KEPT_BITS // max(1, sum(sizes))))

    def __missing__(self, domains: Domains) -> Domains | None:
        if self._is_late():
            raise Stopped
        if len(self) >= self._max_kept:
            self.clear()
        left = self._left(domains) if all(domains) else domains
        # What is left is looked at again, as some constraints of boards infer more from it.
        self[domains] = found = None if not all(left) else left if left == domains else self[left]
        return found


def _unless_few(left: Callable[[Domains], Domains], n_tuples: int) -> Callable[[Domains], Domains]:
    """A negative table, which removes nothing while a value has more assignments of the others than it has tuples."""

    def left_of(domains: Domains) -> Domains:
        sizes = [*map(int.bit_count, domains)]
        return domains if n_tuples * max(sizes) < prod(sizes) else left(domains)

    return left_of


def _bitset_filter(is_positive: bool, holders: list[dict[int, int]]) -> Callable[[Domains], Domains]:
    """A table as bitsets: for each place of the scope and each value, by its bit, the tuples that hold it there.

    The intersections are those of Demeulenaere and others, "Compact-table", 2016, without their state.
    """

    def left(domains: Domains) -> Domains:
        valid, n_all = -1, 1
        several: list[tuple[int, list[tuple[int, int]]]] = []  # places with several values, and the tuples of each
        for place, (domain, of_bit) in enumerate(zip(domains, holders, strict=True)):
            if is_single(domain):
                valid &= of_bit[domain]
            else:
                held = [(bit, of_bit[bit]) for bit in bits_of(domain)]
                several.append((place, held))
                n_all *= len(held)
                valid &= reduce(int.__or__, [with_bit for _, with_bit in held])
        if not several and (valid > 0) != is_positive:
            return (0,) * len(domains)
        found = list(domains)
        for place, held in several:
            if is_positive:
                found[place] = sum([bit for bit, with_bit in held if valid & with_bit])
            else:
                most = n_all // len(held)
                found[place] = sum([bit for bit, with_bit in held if (valid & with_bit).bit_count() < most])
        return tuple(found)

    return left


def _array_filter(is_positive: bool, columns: Sequence[Ids], sizes: Sequence[int]) -> Callable[[Domains], Domains]:
    """A table that is too large for bitsets: for each place of the scope the places of values in their domain."""

    def left(domains: Domains) -> Domains:
        has = [_places(domain, size) for domain, size in zip(domains, sizes, strict=True)]
        valid = np.ones(len(columns[0]), dtype=np.bool_)
        for column, is_left in zip(columns, has, strict=True):
            valid &= is_left[column]
        found = []
        n_all = prod(map(int.bit_count, domains))
        for column, is_left, domain in zip(columns, has, domains, strict=True):
            counts = count_each(column[valid], len(is_left))
            is_kept = counts > 0 if is_positive else counts < min(n_all // max(domain.bit_count(), 1), 1 << 62)
            found.append(_bits(is_left & is_kept))
        return tuple(found)

    return left


def _bits(has: Bools) -> int:
    """The set of the values that are marked."""
    return int.from_bytes(np.packbits(has, bitorder="little").tobytes(), "little")


def _places(values: int, size: int) -> Bools:
    """For each value whether it is in a set."""
    packed = np.frombuffer(values.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").astype(np.bool_)


class Arc(NamedTuple):
    """The relation of a variable to another one, and the number of the constraints in it."""

    other: int
    image: Image  # from values of the variable to sets of those of the other
    n_constraints: int


@dataclass(slots=True, eq=False)
class Table:
    """A constraint on three variables or more."""

    scope: tuple[int, ...]
    filtered: Filter
    constraint: int  # its index
    domains_of: Callable[[Sequence[int]], Domains]  # those of its scope, of the domains of all variables

    def left(self, variable: int, domains: Sequence[int]) -> int:
        """The values of a variable that the table allows."""
        found = self.filtered[self.domains_of(domains)]
        return found[self.scope.index(variable)] if found else 0


class Grouped(NamedTuple):
    """The arcs of a variable, as arc consistency needs them."""

    n_arcs: int
    n_waiting: int  # arcs that prune only when the variable has a single value left
    others: list[list[int]]  # for each relation the variables that it is to
    supports: Supports  # by the relations


class Pairs:
    """The relations of variables to others, in both directions; those on one pair are joined.

    Attributes:
        variables: those of the pairs, ascending.
        others: the other variables, of each variable ascending.
        kinds: of each pair the number of its relation.
        images: by these numbers the relations, with the number of the constraints in each.
    """

    def __init__(self, groups: Sequence[tuple[Ids, Image, Image]]) -> None:
        """Take pairs in an array of shape (n, 2) that have one relation, and the relation in both directions."""
        self.images = [(image, 1) for _, *ways in groups for image in ways]
        scopes = np.concatenate([np.empty((0, 2), dtype=np.int32), *[pairs for pairs, _, _ in groups]])
        pairs = np.concatenate((scopes, scopes[:, ::-1]))
        counts = [len(pairs) for pairs, _, _ in groups]
        is_symmetric = np.array([forward is backward for _, forward, backward in groups], dtype=np.bool_)
        forwards = np.arange(0, len(self.images), 2)
        kinds = np.concatenate((np.repeat(forwards, counts), np.repeat(forwards + ~is_symmetric, counts)))
        order = np.argsort(row_codes([*pairs.T, kinds]))
        pairs, kinds = pairs[order], kinds[order]
        starts = np.flatnonzero(np.diff(row_codes(pairs.T), prepend=-1))
        if len(starts) < len(pairs):
            self._join(pairs, kinds, starts)
        self.variables, self.others, self.kinds = *pairs[starts].T, kinds[starts]

    def _join(self, pairs: Ids, kinds: Offsets, starts: Offsets) -> None:
        """Give the first of several relations on a pair the number of what holds where all of these do."""
        joined: dict[tuple[int, ...], int] = {}
        ends = np.append(starts, len(pairs))[1:]
        for start, end in zip(*(some[ends - starts > 1].tolist() for some in (starts, ends)), strict=True):
            images = kinds[start:end].tolist()
            key = (pairs[start, 0] < pairs[start, 1], *images)
            if key not in joined:
                joined[key] = len(self.images)
                rows = [reduce(int.__and__, row) for row in zip(*[self.images[i][0].rows for i in images], strict=True)]
                self.images.append((Image(rows, self.images[images[0]][0].full.bit_length()), len(images)))
            kinds[start] = joined[key]


@dataclass(frozen=True)
class Network:
    """Variables with bitset domains, and constraints on them."""

    names: tuple[str, ...]
    values: tuple[list[int], ...]  # for each variable the words that its bits mean
    domains: list[int]  # node consistent
    pairs: Pairs
    tables: list[list[Table]]  # for each variable
    is_late: Callable[[], bool] = lambda: False  # Stopped is raised then

    @cached_property
    def arcs(self) -> list[list[Arc]]:
        """For each variable its relations to others, by the index of the other one."""
        pairs, arcs = self.pairs, [list[Arc]() for _ in self.names]
        # The arcs to a variable are one object, which all variables that the relation relates to it share.
        arc = cache(lambda other, kind: Arc(other, *pairs.images[kind]))
        columns = [column.tolist() for column in (pairs.variables, pairs.others, pairs.kinds)]
        for variable, other, kind in zip(*columns, strict=True):
            arcs[variable].append(arc(other, kind))
        return arcs

    @cached_property
    def grouped(self) -> list[Grouped]:
        """The arcs of each variable by relation."""
        pairs = self.pairs
        order = np.argsort(row_codes([pairs.variables, pairs.kinds, pairs.others]))
        variables, kinds, others = pairs.variables[order], pairs.kinds[order], pairs.others[order].tolist()
        starts = np.flatnonzero(np.diff(row_codes([variables, kinds]), prepend=-1))
        ends = np.append(starts, len(others))[1:]
        parts: dict[int, list[tuple[bool, list[int], int]]] = {}
        columns = [column.tolist() for column in (variables[starts], kinds[starts], starts, ends)]
        for variable, kind, start, end in zip(*columns, strict=True):
            parts.setdefault(variable, []).append((not pairs.images[kind][0].needs_single, others[start:end], kind))
        for some in parts.values():
            some.sort()  # those that wait come first, then by the first variable
        keys = {variable: tuple([kind for _, _, kind in some]) for variable, some in parts.items()}
        distinct = set(keys.values())
        max_kept = _MAX_SUPPORTS // max(1, sum(map(len, distinct)))
        shared = {key: Supports([pairs.images[kind][0] for kind in key], max_kept, self.is_late) for key in distinct}
        # Variables without pairs, which can be most, share an entry.
        grouped = [Grouped(0, 0, [], Supports([], 1, self.is_late))] * len(self.names)
        for variable, some in parts.items():
            n_waiting = sum([len(related) for prunes_before, related, _ in some if not prunes_before])
            n_arcs = sum([len(related) for _, related, _ in some])
            grouped[variable] = Grouped(n_arcs, n_waiting, [related for _, related, _ in some], shared[keys[variable]])
        return grouped

    @cached_property
    def waits(self) -> list[bool]:
        """For each variable whether its arcs prune only when it has a single value left."""
        return [grouped.n_waiting == grouped.n_arcs for grouped in self.grouped]

    @cached_property
    def degrees(self) -> list[int]:
        """For each variable the number of its constraints, but at least 1; those on a pair are one."""
        n_arcs = count_each(self.pairs.variables, len(self.names)).tolist()
        return [max(1, n + len(tables)) for n, tables in zip(n_arcs, self.tables, strict=True)]

    def words(self, domains: Sequence[int]) -> list[int]:
        """The word that each variable has where all domains have a single value."""
        return [values[domain.bit_length() - 1] for values, domain in zip(self.values, domains, strict=True)]


@contextmanager
def without_collections() -> Iterator[None]:
    """Leave out the searches for cycles that Python starts whenever enough objects are made: all of these are kept."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_enabled:
            gc.enable()


@without_collections()
def network_of(problem: Problem, is_late: Callable[[], bool] = lambda: False) -> Network:
    """The network of a problem; every constraint is in it as its table.

    Raises:
        Stopped: it is late; later the tables of the network raise it, too.
    """
    domain_of = problem.variable_domains.tolist()
    listed = [values.tolist() for values in problem.domain_values]
    domains = [(1 << len(listed[domain])) - 1 for domain in domain_of]
    places_of = _places_of(problem)
    pairs: list[tuple[Ids, Image, Image]] = []
    tables: list[list[Table]] = [[] for _ in domain_of]
    for group in groups_by_relation(problem):
        if is_late():
            raise Stopped
        columns, sizes = places_of(group.relation, group.domains), [len(listed[one]) for one in group.domains]
        if len(sizes) == 1:
            mask = _bits(count_each(columns[0], sizes[0]) > 0)
            mask = mask if group.relation.kind == "Accept" else ~mask
            for variable in group.scopes[:, 0].tolist():
                domains[variable] &= mask
        elif len(sizes) == 2 and prod(sizes) <= _MAX_BITS:
            forward = Image(_rows(group.relation, columns, sizes), sizes[1])
            backward = Image(_rows(group.relation, columns[::-1], sizes[::-1]), sizes[0])
            pairs.append((group.scopes, forward, forward if backward == forward else backward))
        else:
            table = Filter(_filter(group.relation, columns, sizes), sizes, is_late)
            for constraint, scope in zip(group.constraints.tolist(), map(tuple, group.scopes.tolist()), strict=True):
                one = Table(scope, table, constraint, itemgetter(*scope))
                for variable in scope:
                    tables[variable].append(one)
    values = tuple(listed[domain] for domain in domain_of)
    return Network(problem.variable_names, values, domains, Pairs(pairs), tables, is_late)


def network_of_groups(
    n_variables: int,
    n_values: int,
    groups: Iterable[Sequence[int]],
    ascending: Iterable[tuple[int, int]] = (),
    tables: Iterable[tuple[Sequence[int], Callable[[Domains], Domains]]] = (),
) -> Network:
    """The network of a board, without a problem.

    Args:
        n_variables: the number of variables.
        n_values: the number of values of each.
        groups: variables that differ; a group with a variable for each value has them all.
        ascending: pairs of which the first has the smaller value.
        tables: scopes, and what a constraint leaves of their domains: some without values for a wipeout.
    """
    full = (1 << n_values) - 1
    different = Image([full ^ 1 << i for i in range(n_values)], n_values)
    above = Image([full & -2 << i for i in range(n_values)], n_values)
    below = Image([(1 << i) - 1 for i in range(n_values)], n_values)
    filters: dict[Callable[[Domains], Domains], Filter] = {}
    tables_of: list[list[Table]] = [[] for _ in range(n_variables)]
    wide = list(tables)
    singles = _hidden_singles(full)
    differ: set[tuple[int, int]] = set()
    for group in groups:
        differ.update(combinations(sorted(group), 2))
        if len(group) == n_values > 1:
            wide.append((group, singles))
    both = [np.array(list(some), dtype=np.int32).reshape(-1, 2) for some in (differ, ascending)]
    pairs = Pairs([(both[0], different, different), (both[1], above, below)])
    for number, (scope, left) in enumerate(wide):
        if left not in filters:
            filters[left] = Filter(left, [n_values] * len(scope), lambda: False)
        picked = itemgetter(*scope) if len(scope) > 1 else lambda domains, variable=scope[0]: (domains[variable],)
        table = Table(tuple(scope), filters[left], number, picked)
        for variable in scope:
            tables_of[variable].append(table)
    names = tuple(map(str, range(n_variables)))
    return Network(names, (list(range(n_values)),) * n_variables, [full] * n_variables, pairs, tables_of)


def _hidden_singles(full: int) -> Callable[[Domains], Domains]:
    """Each of these values is somewhere: one that fits a single variable is there."""

    def left(domains: Domains) -> Domains:
        given = once = twice = 0
        for domain in domains:
            if domain & (domain - 1):
                twice |= once & domain
                once |= domain
            else:
                given |= domain
        if once | given != full:
            return (0,) * len(domains)
        single = once & ~(twice | given)
        if not single:
            return domains
        hits = list(map(single.__and__, domains))
        if len(hits) - hits.count(0) < single.bit_count():  # two values are left to one variable
            return (0,) * len(domains)
        return tuple([hit or domain for hit, domain in zip(hits, domains, strict=True)])

    return left


def _places_of(problem: Problem) -> Callable[[Relation, Sequence[int]], list[Ids]]:
    """A function that gives the columns of a table, with the place of each word in its domain."""

    @cache
    def places(domain: int) -> Ids:
        found = np.zeros(len(problem.words), dtype=np.int32)
        found[problem.domain_values[domain]] = np.arange(len(problem.domain_values[domain]), dtype=np.int32)
        return found

    return lambda relation, domains: [places(one)[relation.tuples[:, i]] for i, one in enumerate(domains)]


def _rows(relation: Relation, columns: Sequence[Ids], sizes: Sequence[int]) -> list[int]:
    """For each value of the first variable, those of the second that a binary table allows with it."""
    rows = bit_rows(columns[0], columns[1], sizes[0], sizes[1])
    full = (1 << sizes[1]) - 1
    return rows if relation.kind == "Accept" else [full ^ row for row in rows]


def _filter(relation: Relation, columns: list[Ids], sizes: Sequence[int]) -> Callable[[Domains], Domains]:
    is_positive, n_tuples = relation.kind == "Accept", relation.n_tuples
    if n_tuples * sum(sizes) > _MAX_BITS:
        left = _array_filter(is_positive, columns, sizes)
    else:
        tuples = np.arange(n_tuples)
        rows = [bit_rows(column, tuples, size, n_tuples) for column, size in zip(columns, sizes, strict=True)]
        left = _bitset_filter(is_positive, [{1 << i: row for i, row in enumerate(one)} for one in rows])
    return left if is_positive else _unless_few(left, n_tuples)

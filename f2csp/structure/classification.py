"""Classification of tables: which of them are ``x < y``, ``x + y = 7``, one value, and so on.

A table is classified by the tuples that it allows over the domains of its scope, not by its spelling: accepting all
unequal pairs is the same as rejecting all equal ones. A file may hold 100,000 distinct tables, so tables of one arity
lie end to end in a batch and each step is a few NumPy calls for the whole batch.

Two facts carry every test. The tuples of a table are distinct and lie in its domains; so a table equals a relation as
soon as all its tuples belong to the relation and their number is the size of the relation over these domains. And no
test takes much longer than reading the table: a domain is only walked through as far as the table is long.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import (
    Bools,
    Integers,
    by_value,
    concatenated_ranges,
    count_each,
    offsets_of,
    reduce_each,
    repeat_each,
    row_codes,
)
from f2csp.model import Ids, Offsets, Problem
from f2csp.model.words import is_integer
from f2csp.structure.meanings import Classification, ConstraintKind, Recognised

_Found = tuple[int, int]  # the number of a kind, and the detail: a number, a position, or the rank of a value
_Finding = tuple[ConstraintKind, Offsets, NDArray[Any] | int]  # a kind, its tables, the detail of each or of all

_MAX_SUMMAND = 1 << 61  # sums and differences of two such numbers, and one more, fit in 64 bits
_MAX_CELLS = 1 << 19  # of a batch; a single table may be larger
_KINDS = tuple(ConstraintKind)
_NUMBER_OF = {kind: i for i, kind in enumerate(_KINDS)}
_OPEN = _NUMBER_OF[ConstraintKind.OTHER]


def classify(problem: Problem) -> Classification:
    """Classify the constraints of a problem; each table once for all scopes over the same domains."""
    known = RankedDomains(problem)
    numbers: dict[_Found, int] = {}
    of_constraint = np.empty(problem.n_constraints, dtype=np.int32)
    for _, constraints in by_value(np.diff(problem.scope_offsets)):
        domains = known.of_domain[problem.variable_domains[problem.scopes_of(constraints)]]
        relations = problem.constraint_relations[constraints]
        _, firsts, groups = np.unique(row_codes([relations, *domains.T]), return_index=True, return_inverse=True)
        batches = _batches(problem, relations[firsts], domains[firsts], known)
        found = [numbers.setdefault(one, len(numbers)) for batch in batches for one in _classified(batch)]
        of_constraint[constraints] = np.array(found, dtype=np.int32)[groups]
    return Classification(tuple(_recognised(*one, known) for one in numbers), of_constraint)


class RankedDomains:
    """The distinct sets of values of a problem's domains; domains with the same values have the same index here.

    The rank of a value is its place among all values: first integers, ascending, then other words in any order.
    """

    def __init__(self, problem: Problem) -> None:
        self.words = words = problem.words
        is_number = np.fromiter(map(is_integer, words), dtype=np.bool_, count=len(words))
        numbers = np.zeros(len(words), dtype=np.int64)
        numbers[is_number] = [int(words[i]) for i in np.flatnonzero(is_number).tolist()]
        self.word_of = np.lexsort((numbers, ~is_number))
        self.numbers: Offsets = numbers[self.word_of[: np.count_nonzero(is_number)]]  # ascending, that is, by rank
        self.ranks: Ids = np.empty(len(words), dtype=np.int32)  # of words
        self.ranks[self.word_of] = np.arange(len(words), dtype=np.int32)
        index: dict[bytes, int] = {}
        ranks = self._sorted_ranks(problem)
        keys = [ranks[start:end].tobytes() for start, end in pairwise(offsets_of(problem.domain_sizes).tolist())]
        self.of_domain: Ids = np.array([index.setdefault(key, len(index)) for key in keys], dtype=np.int32)
        self.values: Ids = np.frombuffer(b"".join(index), dtype=np.int32)  # end to end, as ranks, ascending in each
        self.sizes: Offsets = np.array([len(key) // self.values.itemsize for key in index], dtype=np.int64)
        self.starts: Offsets = offsets_of(self.sizes)
        self._keys = self._key(repeat_each(np.arange(len(self.sizes)), self.sizes), self.values)
        every = np.arange(len(self.sizes))
        self.is_integer: Bools = self.greatest(every) < len(self.numbers)
        self.is_small, self.is_interval, self.is_binary = np.zeros((3, len(every)), dtype=np.bool_)
        numeric = every[self.is_integer]
        least, greatest = self.numbers[self.least(numeric)], self.numbers[self.greatest(numeric)]
        self.is_small[numeric] = (least >= -_MAX_SUMMAND) & (greatest <= _MAX_SUMMAND)
        self.is_interval[numeric] = greatest - least == self.sizes[numeric] - 1  # exact, as sizes are below 2^31
        self.is_binary[numeric] = (least == 0) & (greatest == 1)

    def locate(self, domains: Integers, ranks: Integers) -> tuple[Offsets, Bools]:
        """For each rank, the number of lesser values in a domain, and whether the domain contains the rank."""
        keys = self._key(domains, ranks)
        places = np.searchsorted(self._keys, keys)
        is_there: Bools = self._keys[np.minimum(places, len(self._keys) - 1)] == keys
        return places - self.starts[domains], is_there

    def least(self, domains: Integers) -> Offsets:
        return self.values[self.starts[domains]].astype(np.int64)

    def greatest(self, domains: Integers) -> Offsets:
        return self.values[self.starts[domains + 1] - 1].astype(np.int64)

    def _sorted_ranks(self, problem: Problem) -> Ids:
        """The ranks of the values of all domains of the problem, ascending in each domain."""
        words = np.concatenate((*problem.domain_values, np.empty(0, dtype=np.int32)))
        keys = self._key(repeat_each(np.arange(problem.n_domains), problem.domain_sizes), self.ranks[words])
        return (np.sort(keys) % max(len(self.words), 1)).astype(np.int32)

    def _key(self, domains: Integers, ranks: Integers) -> Offsets:
        """One integer for a domain and a rank, in the order of both."""
        return domains.astype(np.int64) * len(self.words) + ranks


@dataclass(frozen=True, slots=True)
class _Batch:
    """Tables of one arity end to end."""

    known: RankedDomains
    ranks: Ids  # the tuples of all tables, as ranks of values: (n_tuples, arity)
    starts: Offsets
    domains: Ids  # (n_tables, arity)
    is_positive: Bools

    def __len__(self) -> int:
        return len(self.domains)

    @property
    def sizes(self) -> Offsets:
        return np.diff(self.starts)

    @property
    def spaces(self) -> NDArray[np.float64]:
        """For each table the number of tuples over its domains: exact as far as a table can have as many tuples."""
        with np.errstate(over="ignore"):
            spaces: NDArray[np.float64] = np.prod(self.known.sizes[self.domains].astype(np.float64), axis=1)
        return spaces

    @property
    def max_steps(self) -> Offsets:
        """For each table the number of values of a domain to walk through: a comparison leaves few without a tuple."""
        return 8 * self.sizes + 32

    def reduce(self, ufunc: np.ufunc, column: NDArray[Any]) -> NDArray[Any]:
        """For each table the reduction of a column of the tuples; every table must have a tuple."""
        return reduce_each(ufunc, column, self.starts[:-1])

    def only(self, tables: Offsets) -> "_Batch":
        if len(tables) == len(self):
            return self
        sizes = self.sizes[tables]
        tuples, _ = concatenated_ranges(self.starts[tables], sizes)
        return _Batch(self.known, self.ranks[tuples], offsets_of(sizes), self.domains[tables], self.is_positive[tables])

    def complement(self) -> "_Batch":
        """The tables of all other tuples, with the opposite sign; only for tables of at least half of all tuples."""
        known = self.known
        sizes = known.sizes[self.domains]
        products = np.cumprod(sizes[:, ::-1], axis=1)[:, ::-1]
        strides = np.column_stack((products[:, 1:], np.ones(len(self), dtype=np.int64)))
        starts = offsets_of(products[:, 0])
        owners = repeat_each(np.arange(len(self)), self.sizes)
        places, _ = known.locate(self.domains[owners], self.ranks)
        is_other = np.ones(starts[-1], dtype=np.bool_)
        is_other[starts[owners] + (places * strides[owners]).sum(axis=1)] = False
        owners = repeat_each(np.arange(len(self)), products[:, 0])[is_other]
        others = np.flatnonzero(is_other) - starts[owners]
        places = others[:, None] // strides[owners] % sizes[owners]
        ranks = known.values[known.starts[self.domains[owners]] + places]
        return _Batch(known, ranks, offsets_of(products[:, 0] - self.sizes), self.domains, ~self.is_positive)


def _batches(problem: Problem, relations: Ids, domains: Ids, known: RankedDomains) -> Iterator[_Batch]:
    tables = [problem.relations[relation] for relation in relations.tolist()]
    sizes = np.array([table.n_tuples for table in tables], dtype=np.int64)
    is_positive = np.array([table.kind == "Accept" for table in tables], dtype=np.bool_)
    batches = np.cumsum((sizes + 1) * domains.shape[1]) // _MAX_CELLS
    for batch in np.split(np.arange(len(tables)), np.flatnonzero(np.diff(batches)) + 1):
        ranks = known.ranks[np.concatenate([tables[i].tuples for i in batch.tolist()])]
        yield _Batch(known, ranks, offsets_of(sizes[batch]), domains[batch], is_positive[batch])


def _recognised(number: int, detail: int, known: RankedDomains) -> Recognised:
    kind = _KINDS[number]
    if kind in (ConstraintKind.FIXED_VALUE, ConstraintKind.FORBIDDEN_VALUE):
        return Recognised(kind, int(known.numbers[detail]) if detail >= 0 else known.words[known.word_of[-1 - detail]])
    if kind in (ConstraintKind.DIFFERENCE, ConstraintKind.SUM, ConstraintKind.XOR):
        return Recognised(kind, detail)
    return Recognised(kind, position=detail) if kind == ConstraintKind.FUNCTIONAL else Recognised(kind)


def _classified(batch: _Batch) -> Iterator[_Found]:
    kinds = np.full(len(batch), _OPEN, dtype=np.int8)
    details = np.zeros(len(batch), dtype=object)  # a difference of two 64-bit numbers may have 65 bits

    def record(findings: Iterator[_Finding], tables: Offsets) -> None:
        for kind, which, detail in findings:
            is_new = kinds[tables[which]] == _OPEN  # the first kind that fits
            new = tables[which][is_new]
            kinds[new] = _NUMBER_OF[kind]
            details[new] = detail if isinstance(detail, int) else detail[is_new]

    every = np.arange(len(batch))
    if batch.domains.shape[1] == 1:
        record(_values(batch), every)
        return zip(kinds.tolist(), details.tolist(), strict=True)
    record(_extremes(batch), every)
    if batch.domains.shape[1] == 2:
        remaining = np.flatnonzero(kinds == _OPEN)
        record(_comparisons(batch.only(remaining)), remaining)
    remaining = np.flatnonzero(kinds == _OPEN)
    accepting = remaining[batch.is_positive[remaining]]
    # A table that allows more than half of all tuples is none of the following.
    rejecting = remaining[(~batch.is_positive & (2 * batch.sizes >= batch.spaces))[remaining]]
    for tables, positive in ((accepting, batch.only(accepting)), (rejecting, batch.only(rejecting).complement())):
        record(_sums(positive) if batch.domains.shape[1] == 2 else _parities(positive), tables)
        record(_functions(positive), tables)
    return zip(kinds.tolist(), details.tolist(), strict=True)


def _values(batch: _Batch) -> Iterator[_Finding]:
    """Unary tables; the detail is the rank of the value, or -1 - rank where the domain is not one of integers."""
    known, domains = batch.known, batch.domains[:, 0]
    sizes = known.sizes[domains]
    n_allowed = np.where(batch.is_positive, batch.sizes, sizes - batch.sizes)
    listed = _block_sums(batch.ranks[:, 0], batch.starts)  # the value itself, where it is the only one
    missing = _block_sums(known.values, known.starts)[domains] - listed
    allowed = np.where(batch.is_positive, listed, missing)
    forbidden = np.where(batch.is_positive, missing, listed)
    is_integer = known.is_integer[domains]
    for kind, n, ranks in (
        (ConstraintKind.NEVER_TRUE, 0, np.zeros_like(sizes)),
        (ConstraintKind.FIXED_VALUE, 1, np.where(is_integer, allowed, -1 - allowed)),
        (ConstraintKind.ALWAYS_TRUE, sizes, np.zeros_like(sizes)),
        (ConstraintKind.FORBIDDEN_VALUE, sizes - 1, np.where(is_integer, forbidden, -1 - forbidden)),
    ):
        which = np.flatnonzero(n_allowed == n)
        yield kind, which, ranks[which]


def _block_sums(numbers: Ids | Offsets | Bools, starts: Offsets) -> Offsets:
    """The sum of each block of numbers, also of an empty one."""
    return np.diff(offsets_of(numbers.astype(np.int64))[starts])


def _extremes(batch: _Batch) -> Iterator[_Finding]:
    """Tables that allow nothing, or everything."""
    lists_none, lists_all = batch.sizes == 0, batch.sizes == batch.spaces
    yield ConstraintKind.NEVER_TRUE, np.flatnonzero(np.where(batch.is_positive, lists_none, lists_all)), 0
    yield ConstraintKind.ALWAYS_TRUE, np.flatnonzero(np.where(batch.is_positive, lists_all, lists_none)), 0


_LESS, _EQUAL, _GREATER = 1, 2, 4  # how the values of a pair compare; the sum of several is a set of these
_ANY = _LESS | _EQUAL | _GREATER

_ALLOWED = {
    ConstraintKind.EQUAL: _EQUAL,
    ConstraintKind.DIFFERENT: _LESS | _GREATER,
    ConstraintKind.LESS: _LESS,
    ConstraintKind.LESS_OR_EQUAL: _LESS | _EQUAL,
    ConstraintKind.GREATER: _GREATER,
    ConstraintKind.GREATER_OR_EQUAL: _GREATER | _EQUAL,
}
_UNORDERED = (ConstraintKind.EQUAL, ConstraintKind.DIFFERENT)


def _comparisons(batch: _Batch) -> Iterator[_Finding]:
    """Binary tables that compare the two values."""
    known, n_domains = batch.known, len(batch.known.sizes)
    difference = np.subtract(*batch.ranks.T)
    listed = (
        _LESS * (batch.reduce(np.minimum, difference) < 0)
        + _EQUAL * batch.reduce(np.logical_or, difference == 0)
        + _GREATER * (batch.reduce(np.maximum, difference) > 0)
    )
    distinct, pair_of = np.unique(batch.domains @ np.array([n_domains, 1], dtype=np.int64), return_inverse=True)
    max_steps = np.full(len(distinct), -1, dtype=np.int64)
    np.maximum.at(max_steps, pair_of, np.where(listed != _ANY, batch.max_steps, -1))
    counts, n_steps = _count_orders(known, *np.divmod(distinct, n_domains), max_steps)
    is_possible = (listed != _ANY) & (n_steps[pair_of] <= batch.max_steps)
    is_ordered = known.is_integer[batch.domains].all(axis=1)
    for kind, allowed in _ALLOWED.items():
        wanted = np.where(batch.is_positive, allowed, _ANY - allowed)
        n_wanted = sum(counts[i, pair_of] * (wanted >> i & 1) for i in range(3))
        found = is_possible & (listed & ~wanted == 0) & (batch.sizes == n_wanted)
        yield kind, np.flatnonzero(found if kind in _UNORDERED else found & is_ordered), 0


def _count_orders(known: RankedDomains, first: Offsets, second: Offsets, max_steps: Offsets) -> tuple[Offsets, Offsets]:
    """For each pair of domains the numbers of pairs of values that are less, equal and greater; and the steps.

    Steps are the values of the smaller domain between the ends of the larger one; beyond ``max_steps`` no count holds.
    """
    is_swapped, small, large = _by_size(known, first, second)
    begin, _ = known.locate(small, known.least(large))
    end, _ = known.locate(small, known.greatest(large) + 1)
    n_steps = end - begin
    walked = np.where(n_steps <= max_steps, n_steps, 0)
    members, owners = concatenated_ranges(known.starts[small] + begin, walked)
    n_less, is_equal = known.locate(large[owners], known.values[members])
    n_equal = _block_sums(is_equal, offsets_of(walked))
    n_below = (known.sizes[small] - end) * known.sizes[large] + _block_sums(n_less, offsets_of(walked))
    n_above = known.sizes[small] * known.sizes[large] - n_equal - n_below
    counts: Offsets = np.where(is_swapped, (n_below, n_equal, n_above), (n_above, n_equal, n_below))
    return counts, n_steps


def _by_size(known: RankedDomains, first: Offsets | Ids, second: Offsets | Ids) -> tuple[Bools, Offsets, Offsets]:
    """Whether the second domain of each pair is the smaller one; the smaller domains; the larger ones."""
    is_swapped = known.sizes[first] > known.sizes[second]
    return is_swapped, np.where(is_swapped, second, first), np.where(is_swapped, first, second)


def _sums(batch: _Batch) -> Iterator[_Finding]:
    """Positive binary tables of all pairs with some difference, or with some sum."""
    known = batch.known
    is_short = batch.sizes <= known.sizes[batch.domains].min(axis=1)
    is_possible = is_short & known.is_integer[batch.domains].all(axis=1)
    is_small = known.is_small[batch.domains].all(axis=1)
    for is_chosen, dtype in ((is_possible & is_small, np.int64), (is_possible & ~is_small, object)):
        chosen = np.flatnonzero(is_chosen)
        if not len(chosen):
            continue
        tables, numbers = batch.only(chosen), known.numbers.astype(dtype)  # objects: exact integers of any size
        first, second = numbers[tables.ranks].T
        for kind, sign in ((ConstraintKind.DIFFERENCE, -1), (ConstraintKind.SUM, 1)):
            combined = first + sign * second
            constants = tables.reduce(np.minimum, combined)
            is_all = constants == tables.reduce(np.maximum, combined)
            is_all &= tables.sizes == _count_pairs(tables, numbers, sign, constants)
            yield kind, chosen[is_all], constants[is_all]


def _count_pairs(batch: _Batch, numbers: NDArray[Any], sign: int, constants: NDArray[Any]) -> Offsets:
    """For each table the number of pairs over its domains with ``first + sign * second == constant``.

    Each value x of the smaller domain has one partner, ``sign * (constant - x)`` or ``constant - sign * x``. Only
    those x are walked through whose partner lies between the ends of the larger domain; too many of them count as 0.
    """
    known = batch.known
    is_swapped, small, large = _by_size(known, *batch.domains.T)
    constants = np.where(is_swapped, constants, sign * constants)  # now the partner of x is constant - sign * x
    ends = sign * (constants - numbers[[known.least(large), known.greatest(large)]])
    begin, _ = known.locate(small, np.searchsorted(numbers, ends.min(axis=0)))
    end, _ = known.locate(small, np.searchsorted(numbers, ends.max(axis=0), side="right"))
    n_steps = end - begin
    is_interval = known.is_interval[small] & known.is_interval[large]  # then every partner is there
    walked = np.where((n_steps <= batch.max_steps) & ~is_interval, n_steps, 0)
    members, owners = concatenated_ranges(known.starts[small] + begin, walked)
    partners = constants[owners] - sign * numbers[known.values[members]]
    ranks = np.searchsorted(numbers, partners)
    _, is_there = known.locate(large[owners], ranks)
    is_there &= (numbers[np.minimum(ranks, len(numbers) - 1)] == partners).astype(np.bool_)
    n_pairs: Offsets = np.where(is_interval, n_steps, _block_sums(is_there, offsets_of(walked)))
    return n_pairs


def _parities(batch: _Batch) -> Iterator[_Finding]:
    """Positive tables of all tuples of zeros and ones with an odd number of ones, or with an even number."""
    is_binary = batch.known.is_binary[batch.domains].all(axis=1)
    chosen = np.flatnonzero(is_binary & (2 * batch.sizes == batch.spaces))
    tables = batch.only(chosen)
    parity = np.bitwise_xor.reduce(batch.known.numbers[tables.ranks], axis=1)
    least = tables.reduce(np.minimum, parity)
    is_one = least == tables.reduce(np.maximum, parity)
    yield ConstraintKind.XOR, chosen[is_one], least[is_one]


_HASH_BITS = 64
_HASH_FACTOR = 0x9E3779B97F4A7C15  # 2^64 by the golden ratio, as in Knuth's multiplicative hashing


def _functions(batch: _Batch) -> Iterator[_Finding]:
    """Positive tables without two tuples that differ in one position only; the detail is the position.

    A variable with a single value is no function of anything. A tuple's hash is a sum over its positions, so the hash
    of the other positions is a subtraction. A collision would leave a functional table unrecognised, no worse.
    """
    sizes = batch.known.sizes[batch.domains]
    n_others = batch.spaces[:, None] / sizes
    is_possible = (sizes > 1) & (n_others >= batch.sizes[:, None])
    columns = batch.ranks.T.astype(np.uint64)
    factors = np.cumprod(np.full(len(columns), _HASH_FACTOR, dtype=np.uint64))
    hashes = np.zeros(len(batch.ranks), dtype=np.uint64)
    for column, factor in zip(columns, factors, strict=True):
        hashes += column * factor
    for position in np.flatnonzero(is_possible.any(axis=0))[::-1].tolist():
        chosen = np.flatnonzero(is_possible[:, position])
        tuples, owners = concatenated_ranges(batch.starts[chosen], batch.sizes[chosen])
        rests = hashes[tuples] - columns[position, tuples] * factors[position]
        functions = chosen[~_have_repeats(rests, owners, len(chosen))]
        is_possible[functions] = False
        yield ConstraintKind.FUNCTIONAL, functions, position


def _have_repeats(hashes: NDArray[np.uint64], owners: Offsets, n_owners: int) -> Bools:
    """Whether each owner has two equal hashes."""
    n_bits = n_owners.bit_length()
    owned = (owners.astype(np.uint64) << (_HASH_BITS - n_bits)) | (hashes >> n_bits)
    owned.sort()
    repeated = owned[1:][owned[1:] == owned[:-1]] >> (_HASH_BITS - n_bits)
    return count_each(repeated.astype(np.int64), n_owners) > 0

"""Counting where variables must differ and nothing else: what is left of such a problem, in arrays, up to isomorphism.

When the first variables of an order have values, what is left is known from the sets of later variables to which a
value is closed: the rest of a group that has it already, and the variables that do not have it in their domains. A
state has a word for each value, with a bit for each such set. It does not matter which value has which word, so that
the words are sorted; nor which set is which where a permutation of the later variables maps each set to another, so
that a large layer is merged by certificates: the words with their bits in an order that depends on nothing but the
state up to isomorphism, as far as colour refinement tells. Where that leaves a choice, isomorphic states may get
different certificates, which costs a merging; states with one certificate are isomorphic always, since it has all of
the state.

Colour refinement and the fixing of one vertex after the other are those of McKay and Piperno, "Practical graph
isomorphism, II", 2014, on all states of a layer at once.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from random import Random

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import Bools
from f2csp.counting.budget import BeyondBudget, Budget
from f2csp.symmetry import Graph, Permutation, can_find_automorphisms

Unsigned = NDArray[np.uint64]
Indices = NDArray[np.intp]

_WORD = 64
_CHUNK = 1 << 13  # states whose successors are made at once
_MAX_CHUNK_BITS = 1 << 26  # of these successors, between two looks at the clock
_MANY_PENDING = 1 << 18  # states that are not yet merged with those before
_FEW = 50  # states of a layer that are not worth a look for dead ones among their successors
_MANY = 200  # states of a layer, or successors of a chunk, that are worth certificates
_LIMB = np.uint64(32)  # bits of a digit of a number of partial solutions
_LOW = np.uint64((1 << 32) - 1)
_ONE = np.uint64(1)


class TooManySets(BeyondBudget):
    """A word has too few bits."""


class Stage:
    """What is left when the variables before a level have values, and what the value of the next changes.

    A set of levels is an integer with a bit for each.

    Attributes:
        after: the sets of later variables, in the next stage, to which a value with a bit is closed.
    """

    def __init__(self, sets: Sequence[int], groups: Sequence[int], level: int) -> None:
        self._n_done = level + 1
        self._groups = groups
        self.touched = _mask(i for i, one in enumerate(sets) if one >> level & 1)
        number: dict[int, int] = {}
        shifts: dict[int, int] = {}  # from the difference of two numbers of a set to the mask of the bits
        for before, one in enumerate(sets):
            if rest := self._rest(one):
                shift = number.setdefault(rest, len(number)) - before
                shifts[shift] = shifts.get(shift, 0) | 1 << before
        self._shifts = [(np.uint64(abs(shift)), shift > 0, np.uint64(mask)) for shift, mask in shifts.items()]
        rests = {self._rest(one) for one in groups if one >> level & 1} - {0}
        self.blocked = _mask(number.setdefault(rest, len(number)) for rest in sorted(rests))
        self.after = list(number)

    def _rest(self, levels: int) -> int:
        return levels >> self._n_done << self._n_done

    def moved(self, words: Unsigned, marks: np.uint64) -> Unsigned:
        """The words with the numbers of the sets of the next stage."""
        found = words & marks
        for shift, is_up, mask in self._shifts:
            found |= (words & mask) << shift if is_up else (words & mask) >> shift
        return found

    @cached_property
    def _profiles(self) -> list[int]:
        """For each kind of a later variable the sets of the next stage that it is in, as bits."""
        levels = range(self._n_done, max(self.after, default=0).bit_length())
        found = {sum(1 << i for i, one in enumerate(self.after) if one >> level & 1) for level in levels}
        return sorted(found - {0})

    def closed(self, words: Unsigned) -> Bools:
        """Set the bits of the sets of which no variable is open to a value; whether each state may have a completion.

        It has none if variables that must differ have fewer open values than they are, or a variable none.
        """
        is_closed = {profile: (words & np.uint64(profile)) != 0 for profile in self._profiles}
        is_alive = np.ones(words.shape[1], dtype=np.bool_)
        for one in is_closed.values():
            is_alive &= ~one.all(axis=0)
        for index, levels in enumerate(self.after):
            within = [one for profile, one in is_closed.items() if profile >> index & 1]
            all_closed = np.logical_and.reduce(within)
            words |= all_closed.astype(np.uint64) << np.uint64(index)
            if any(levels & ~group == 0 for group in self._groups):  # and not only of one domain
                is_alive &= len(words) - all_closed.sum(axis=0) >= levels.bit_count()
        return is_alive

    @cached_property
    def certificates(self) -> "Certificates | None":
        """How states of the next stage are compared up to isomorphism; None if there is nothing to permute."""
        if len(self.after) < 2:
            return None
        groups = {rest for one in self._groups if (rest := self._rest(one)).bit_count() > 1}
        others = sorted(groups.difference(self.after))
        n, n_sets = max([*self.after, *groups]).bit_length(), len(self.after)
        edges = [(n + i, at) for i, one in enumerate([*self.after, *others]) for at in range(n) if one >> at & 1]
        colours = [0] * n + [1 if one in groups else 2 for one in self.after] + [3] * len(others)
        graph = Graph(colours, edges)
        group = [tuple(v - n for v in one[n : n + n_sets]) for one in graph.generators()]
        found = Certificates.of([one for one in group if one != tuple(range(n_sets))], n_sets)
        places = list(range(n, n + n_sets))
        certificate = graph.certificate(places)
        if found is not None and all(
            graph.certificate([n + v for v in one]) == certificate for one in found.permutations()
        ):
            return found
        return None


class Certificates:
    """Words in an order of their bits that is the same for isomorphic states, as a rule.

    The permutations of sets are those that leave each pair of sets in its class.
    """

    def __init__(self, classes: NDArray[np.int64]) -> None:
        """``classes`` has the number of the class of each pair of sets."""
        self._orbits = classes.diagonal().copy()
        relations = []
        for first in np.unique(self._orbits):
            for second in np.unique(
                self._orbits
            ):  # where they have several classes of pairs, all but the largest say which
                block = classes[np.ix_(self._orbits == first, self._orbits == second)]
                some, sizes = np.unique(block[~np.isin(block, self._orbits)], return_counts=True)
                relations += [classes == one for one in some[np.argsort(sizes)][:-1]]
        self._relations = relations

    @classmethod
    def of(cls, group: Sequence[Permutation], n: int) -> "Certificates | None":
        """For the classes that some permutations of n sets generate."""
        if not group:
            return None
        classes = np.arange(n * n)
        images = [np.add.outer(np.array(one) * n, np.array(one)).ravel() for one in group]
        while True:
            before = classes.copy()
            for image in images:
                np.minimum.at(classes, image, classes[np.arange(n * n)])
                classes = np.minimum(classes, classes[image])
            if np.array_equal(before, classes):
                return cls(classes.reshape(n, n))

    def permutations(self) -> list[Permutation]:
        """Generators of all permutations that leave each pair of sets in its class."""
        n = len(self._orbits)
        colours: list[tuple[int, int]] = [(0, orbit) for orbit in self._orbits.tolist()]
        edges = []
        for i, relation in enumerate(self._relations):
            for first, second in np.argwhere(relation).tolist():  # a directed edge, as two vertices
                at = len(colours)
                edges += [(first, at), (at, at + 1), (at + 1, second)]
                colours += [(1, i), (2, i)]
        return [one[:n] for one in Graph(colours, edges).generators()]

    def __call__(self, words: Unsigned) -> Unsigned:
        """A certificate of each state, of shape (n_rows, n_states); ``words`` are sorted."""
        n = len(self._orbits)
        bits = words[:, None] >> np.arange(n, dtype=np.uint64)[:, None] & _ONE
        order = np.argsort(self._colours(bits), axis=0)
        sorted_bits = np.take_along_axis(bits, order[None], axis=1)
        found = _joined_bits(sorted_bits)
        found.sort(axis=0)
        rows = [found]
        for relation in self._relations:
            pairs = relation[order[:, None], order[None]].reshape(n * n, -1)
            rows += [_joined_bits(pairs[None, at : at + _WORD]) for at in range(0, n * n, _WORD)]
        return np.concatenate(rows)

    def _colours(self, bits: Unsigned) -> Unsigned:
        """A colour for each set of each state; no two sets of a state have the same."""
        counts = bits.astype(np.float32).transpose(2, 1, 0)
        common = np.matmul(counts, counts.transpose(0, 2, 1)).astype(np.uint64)  # values that are closed to two sets
        sets = _mixed(common).sum(axis=2, dtype=np.uint64).T
        common = np.matmul(counts.transpose(0, 2, 1), counts).astype(np.uint64)
        values = _mixed(common).sum(axis=2, dtype=np.uint64).T
        sets, values = self._refined(bits, sets, values, 3)
        found = np.empty_like(sets)
        left = np.arange(sets.shape[1])
        while True:
            in_order = np.sort(sets, axis=0)
            is_twice = in_order[1:] == in_order[:-1]
            has_twice = is_twice.any(axis=0)
            found[:, left[~has_twice]] = sets[:, ~has_twice]
            if not has_twice.any():
                return found
            left, bits, sets, values = left[has_twice], bits[:, :, has_twice], sets[:, has_twice], values[:, has_twice]
            each = np.arange(len(left))
            colour = in_order[:, has_twice][is_twice[:, has_twice].argmax(axis=0), each]
            sets[(sets == colour).argmax(axis=0), each] ^= np.uint64(1 << 40)  # one of several gets a colour of its own
            sets, values = self._refined(bits, sets, values, 2)

    def _refined(self, bits: Unsigned, sets: Unsigned, values: Unsigned, n_rounds: int) -> tuple[Unsigned, Unsigned]:
        """The colours of sets and values after some rounds in which each takes those of its neighbours in."""
        orbits = self._orbits.astype(np.uint64)[:, None] << np.uint64(_WORD - 8)
        for _ in range(n_rounds):
            values = _mixed(values + (bits * _mixed(sets)).sum(axis=1, dtype=np.uint64))
            taken = (bits * _mixed(values + _ONE)[:, None]).sum(axis=0, dtype=np.uint64)
            for i, relation in enumerate(self._relations):
                mixed = _mixed(sets + np.uint64(i + 2))
                taken += _mixed(np.array([mixed[row].sum(axis=0, dtype=np.uint64) for row in relation]))
            sets = _mixed(sets + taken) >> np.uint64(8) | orbits
        return sets, values


def _mixed(words: Unsigned) -> Unsigned:
    """Other words, equal where these are equal, that look random (the finalizer of SplitMix64)."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)


def _mask(bits: Iterable[int]) -> np.uint64:
    return np.uint64(sum(1 << bit for bit in bits))


def _joined_bits(bits: Unsigned | Bools) -> Unsigned:
    """Bits of shape (n_rows, n_bits, n_states) as words of shape (n_rows, n_states)."""
    weights = np.uint64(1) << np.arange(bits.shape[1], dtype=np.uint64)
    joined: Unsigned = (bits * weights[:, None]).sum(axis=1, dtype=np.uint64)
    return joined


# ---- Layers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Transitions:
    """Steps from states of a layer to states of the next."""

    sources: Indices
    rows: Indices  # the places of the values among the sorted words of the sources
    ways: Unsigned  # the values that lead there, since they have equal words
    targets: Indices


@dataclass(frozen=True, slots=True)
class States:
    """Different states of one stage, of shape (n_values, n_states); equal keys are isomorphic states."""

    words: Unsigned
    keys: Unsigned

    def __len__(self) -> int:
        return int(self.words.shape[1])


class DifferentValues:
    """The solutions of a problem in which the variables of each group must differ."""

    def __init__(self, values: Sequence[Sequence[int]], groups: Sequence[Sequence[int]], *, is_marked: bool = False):
        """Prepare a problem.

        Args:
            values: those of each variable, by level.
            groups: of the levels of variables that must differ.
            is_marked: only values that the same variables have to begin with are merged, and no variables.

        Raises:
            TooManySets: a state does not fit a word.
        """
        n = len(values)
        self._of_levels = values
        self.values = sorted({value for some in values for value in some})
        of_domain: dict[tuple[int, ...], list[int]] = {}
        for level, some in enumerate(values):
            of_domain.setdefault(tuple(sorted(some)), []).append(level)
        restricted = {domain: levels for domain, levels in of_domain.items() if len(domain) < len(self.values)}
        sets = [sum(1 << level for level in some) for some in restricted.values()]
        bits_of_groups = [sum(1 << level for level in group) for group in groups]
        self._n_mark_bits = 0
        start = np.zeros(len(self.values), dtype=np.uint64)
        if len(sets) <= _WORD:
            for i, domain in enumerate(restricted):
                start[~np.isin(self.values, domain)] |= np.uint64(1 << i)
        if is_marked:
            marks = np.unique(start, return_inverse=True)[1].astype(np.uint64)
            self._n_mark_bits = int(marks.max(initial=0)).bit_length()
            start |= marks << np.uint64(_WORD - self._n_mark_bits) if self._n_mark_bits else np.uint64(0)
        self._start = start[:, None]
        self.stages: list[Stage] = []
        for level in range(n):
            if len(sets) > _WORD - self._n_mark_bits:
                raise TooManySets(f"more than {_WORD} sets of variables are to be kept apart")
            self.stages.append(Stage(sets, bits_of_groups, level))
            sets = self.stages[-1].after
        self._marks = np.uint64((1 << self._n_mark_bits) - 1 << _WORD - self._n_mark_bits)

    def count(self, budget: Budget) -> int:
        """The number of solutions."""
        layer, numbers = self._first, np.ones((1, 1), dtype=np.uint64)
        for level in range(len(self.stages)):
            budget.check(level, len(self.stages), len(layer))
            parts: list[States] = []
            sums: list[Unsigned] = []
            n_merged = 0  # states of the first part
            for part, steps in self._parts(level, layer, budget):
                parts.append(part)
                sums.append(_sums(numbers[:, steps.sources] * steps.ways, steps.targets))
                if sum(map(len, parts)) > 2 * n_merged + _MANY_PENDING:
                    parts, sums = _joined_with_sums(parts, sums)
                    n_merged = len(parts[0])
                    budget.check(level, len(self.stages), n_merged)
            [layer], [numbers] = _joined_with_sums(parts, sums)
        budget.check(len(self.stages), len(self.stages), len(layer))
        return sum(int(sum(row)) << 32 * i for i, row in enumerate(numbers.tolist()))

    def samples(self, n: int, random: Random, budget: Budget) -> Iterator[list[int]]:
        """The values of solutions, by level."""
        layers, steps = self._kept(budget)
        completions = _completions(layers, steps)
        tables = [
            dict(zip(map(bytes, np.ascontiguousarray(layer.words.T)), after.tolist(), strict=True))
            for layer, after in zip(layers, completions, strict=True)
        ]
        for begin in range(0, n if completions[0][0] else 0, _CHUNK):
            n_samples = min(_CHUNK, n - begin)
            words = np.repeat(self._start, n_samples, axis=1)  # the word of each value in its own row
            chosen: list[list[int]] = [[] for _ in range(n_samples)]
            for level in range(len(self.stages)):
                sources, rows, _, after = self._successors(level, words, len(layers[level]) > _FEW, each=True)
                keys = np.ascontiguousarray(np.sort(after, axis=0).T)
                weights = [tables[level + 1][bytes(key)] for key in keys]
                places: list[list[int]] = [[] for _ in range(n_samples)]
                for place, source in enumerate(sources.tolist()):
                    places[source].append(place)
                taken = []
                for some in places:
                    sums = list(accumulate(weights[place] for place in some))
                    taken.append(some[bisect(sums, random.randrange(sums[-1]))])
                words = after[:, taken]
                for solution, row in zip(chosen, rows[taken].tolist(), strict=True):
                    solution.append(self.values[row])
            yield from chosen

    def occurrences(self, budget: Budget) -> list[dict[int, int]]:
        """For each level and value the number of solutions; the problem is marked."""
        layers, steps = self._kept(budget)
        shift = np.uint64(_WORD - self._n_mark_bits) if self._n_mark_bits else None
        marks = np.zeros_like(self._start[:, 0]) if shift is None else self._start[:, 0] >> shift
        mark_of = dict(zip(self.values, marks.tolist(), strict=True))
        n_alike = Counter(mark_of.values())
        numbers = np.ones(1, dtype=np.object_)
        found = []
        for some, layer, some_values, after in zip(
            steps, layers, self._of_levels, _completions(layers, steps)[1:], strict=False
        ):
            amounts = numbers[some.sources] * some.ways.astype(np.object_)
            rows = np.sort(layer.words, axis=0)[some.rows, some.sources]
            each = np.zeros(len(n_alike), dtype=np.object_)
            np.add.at(each, np.zeros_like(some.rows) if shift is None else rows >> shift, amounts * after[some.targets])
            found.append({value: each[mark_of[value]] // n_alike[mark_of[value]] for value in some_values})
            numbers = np.zeros(len(after), dtype=np.object_)
            np.add.at(numbers, some.targets, amounts)
        return found

    @property
    def _first(self) -> States:
        words = np.sort(self._start, axis=0)
        return States(words, words)

    def _kept(self, budget: Budget) -> tuple[list[States], list[Transitions]]:
        """All layers, and the steps between them."""
        layers, steps = [self._first], list[Transitions]()
        n_states = 1
        for level in range(len(self.stages)):
            parts = list(self._parts(level, layers[-1], budget, may_permute=False))
            layer, places = _joined([part for part, _ in parts])
            layers.append(layer)
            n_states += len(layer)
            budget.check(level + 1, len(self.stages), n_states)
            begins = np.cumsum([0, *(len(part) for part, _ in parts)])
            targets = [places[begin + one.targets] for begin, (_, one) in zip(begins, parts, strict=False)]
            sources, rows, ways = (
                np.concatenate([getattr(one, name) for _, one in parts]) for name in ("sources", "rows", "ways")
            )
            steps.append(Transitions(sources, rows, ways, np.concatenate(targets)))
        return layers, steps

    def _parts(
        self, level: int, layer: States, budget: Budget, *, may_permute: bool = True
    ) -> Iterator[tuple[States, Transitions]]:
        """The successors of the states of a layer, some at a time, merged."""
        n_bits = max(1, len(self.values) ** 2 * len(self.stages[level].after))
        chunk = max(1, min(_CHUNK, _MAX_CHUNK_BITS // n_bits))
        # The certificates of states with many values take seconds, and their layers are too large in any case.
        is_large = may_permute and len(layer) > _MANY and chunk > _CHUNK // 4 and can_find_automorphisms()
        certificates = self.stages[level].certificates if is_large else None
        for begin in range(0, max(1, len(layer)), chunk):
            before = layer.words[:, begin : begin + chunk]
            sources, rows, ways, words = self._successors(level, before, len(layer) > _FEW)
            words.sort(axis=0)
            firsts, targets = _merged(words)
            keys = words = words[:, firsts]
            if certificates is not None:
                blocks = np.split(words, range(_CHUNK, words.shape[1], _CHUNK), axis=1)
                keys = np.concatenate([certificates(block) for block in blocks], axis=1)
                firsts, places = _merged(keys)
                keys, words, targets = keys[:, firsts], words[:, firsts], places[targets]
            budget.check(level, len(self.stages), len(layer))
            yield States(words, keys), Transitions(begin + sources, rows, ways, targets)

    def _successors(
        self, level: int, words: Unsigned, is_closed: bool, *, each: bool = False
    ) -> tuple[Indices, Indices, Unsigned, Unsigned]:
        """The states that values leave: for equal words one, unless ``each``; without dead ones if ``is_closed``."""
        stage = self.stages[level]
        is_open = (words & stage.touched) == 0
        if not each:
            is_open[1:] &= words[1:] != words[:-1]
        rows, sources = np.nonzero(is_open)
        before = words[:, sources]
        places = np.arange(len(rows))
        ways = (before == before[rows, places]).sum(axis=0, dtype=np.uint64)
        after = stage.moved(before, self._marks)
        after[rows, places] |= stage.blocked
        if not is_closed:
            return sources, rows, ways, after
        is_alive = stage.closed(after)
        return sources[is_alive], rows[is_alive], ways[is_alive], after[:, is_alive]


def _completions(layers: Sequence[States], steps: Sequence[Transitions]) -> list[NDArray[np.object_]]:
    """For each layer the numbers of the completions of its states."""
    found = [np.ones(len(layers[-1]), dtype=np.object_)]
    for layer, some in zip(layers[-2::-1], reversed(steps), strict=True):
        numbers = np.zeros(len(layer), dtype=np.object_)
        np.add.at(numbers, some.sources, some.ways.astype(np.object_) * found[-1][some.targets])
        found.append(numbers)
    return found[::-1]


def _joined(parts: Sequence[States]) -> tuple[States, Indices]:
    """One layer of several, and for each of their states its place there."""
    if len(parts) == 1:
        return parts[0], np.arange(len(parts[0]))
    words = np.concatenate([part.words for part in parts], axis=1)
    keys = np.concatenate([part.keys for part in parts], axis=1)
    firsts, places = _merged(keys)
    return States(words[:, firsts], keys[:, firsts]), places


def _joined_with_sums(parts: Sequence[States], sums: Sequence[Unsigned]) -> tuple[list[States], list[Unsigned]]:
    """Parts of a layer as one, with the sums of the numbers of their states."""
    layer, places = _joined(parts)
    if len(parts) == 1:
        return [layer], [sums[0]]
    n_digits = max(map(len, sums))
    padded = [np.pad(one, ((0, n_digits - len(one)), (0, 0))) for one in sums]
    return [layer], [_sums(np.concatenate(padded, axis=1), places)]


def _sums(numbers: Unsigned, places: Indices) -> Unsigned:
    """The sums of the numbers with each place; numbers are columns of digits of 32 bits."""
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=-1))
    sums = np.add.reduceat(numbers[:, order], starts, axis=1) if len(starts) else numbers
    carry = np.zeros(sums.shape[1], dtype=np.uint64)
    for digit in sums:
        digit += carry
        carry = digit >> _LIMB
        digit &= _LOW
    return np.concatenate((sums, carry[None])) if carry.any() else sums


def _merged(states: Unsigned) -> tuple[Indices, Indices]:
    """The first of each group of equal columns, and for each column the place of its group."""
    codes = _codes(states)
    order = np.argsort(codes)
    is_first = _are_first(states, order)
    if np.count_nonzero(is_first) != np.count_nonzero(_are_first(codes[None], order)):  # different columns, equal codes
        order = np.lexsort(states)
        is_first = _are_first(states, order)
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.cumsum(is_first) - 1
    return order[is_first], places


def _codes(states: Unsigned) -> Unsigned:
    """A code for each column; those of different columns are hardly ever equal."""
    codes = np.zeros(states.shape[1], dtype=np.uint64)
    for row in states:
        codes = _mixed(codes + row)
    return codes


def _are_first(states: Unsigned, order: Indices) -> Bools:
    """Whether each column in some order differs from the one before."""
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (states[:, order[1:]] != states[:, order[:-1]]).any(axis=0)
    return is_first

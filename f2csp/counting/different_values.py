"""Counting where variables must differ and nothing else, in arrays, up to isomorphism.

When the first variables of an order have values, what is left is known from the sets of later variables to which a
value is closed: the rest of a group that has it already, and the variables that do not have it in their domains. A
state has a word for each value, with a bit for each such set. It does not matter which value has which word, so that
the words are sorted; nor which set is which where a permutation of the later variables maps each set to another, so
that a large layer is merged by certificates: the words with their bits in an order that depends on nothing but the
state up to isomorphism, as far as colour refinement tells. Where that leaves a choice, isomorphic states may get
different certificates, which costs a merging; states with one certificate are isomorphic always, since it has all of
the state.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from random import Random

import numpy as np
from numpy.typing import NDArray

from f2csp.counting.budget import BeyondBudget, Budget
from f2csp.counting.certificates import Certificates, Indices, Numbers, Words
from f2csp.counting.stages import Stage
from f2csp.symmetry import can_find_automorphisms

_LAYOUT = 3  # of states in files; another number where words or stages get another meaning
_WORD_BITS = 64
_CHUNK = 1 << 14  # states whose successors are made at once
_BLOCK = 1 << 10  # states whose certificates are made at once, in a processor's cache
_MAX_CHUNK_BITS = 1 << 26  # of these successors, between two looks at the clock
_MANY_PENDING = 1 << 18  # states that are not yet merged with those before
_FEW = 50  # states of a layer that are not worth a look for dead ones among their successors
_MANY = 200  # states of a layer that are worth certificates of their successors
_DIGIT = 32  # bits of a digit of a number of partial solutions


class TooManySets(BeyondBudget):
    """A word has too few bits."""


@dataclass(frozen=True, slots=True)
class Transitions:
    """Steps from states of a layer to states of the next."""

    sources: Indices
    rows: Indices  # the places of the values among the sorted words of the sources
    ways: Numbers  # the values that lead there, since they have equal words
    targets: Indices


@dataclass(frozen=True, slots=True)
class States:
    """Different states of one stage, of shape (n_values, n_states); equal keys are isomorphic states."""

    words: Words
    keys: Words

    def __len__(self) -> int:
        return int(self.words.shape[1])

    @property
    def n_bytes(self) -> int:
        """Of a state."""
        return self.words.itemsize * (len(self.words) + len(self.keys))


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
        self._of_levels, self._groups = values, groups
        self.values = sorted({value for some in values for value in some})
        of_domain: dict[tuple[int, ...], list[int]] = {}
        for level, some in enumerate(values):
            of_domain.setdefault(tuple(sorted(some)), []).append(level)
        restricted = {domain: levels for domain, levels in of_domain.items() if len(domain) < len(self.values)}
        sets = [sum(1 << level for level in some) for some in restricted.values()]
        bits_of_groups = [sum(1 << level for level in group) for group in groups]
        start = [0] * len(self.values)
        for i, domain in enumerate(map(frozenset, restricted if len(sets) <= _WORD_BITS else ())):
            start = [word | (value not in domain) << i for word, value in zip(start, self.values, strict=True)]
        kinds = {word: kind for kind, word in enumerate(dict.fromkeys(start))} if is_marked else {}
        n_mark_bits = max(len(kinds) - 1, 0).bit_length()
        self._marks_at = _WORD_BITS - n_mark_bits
        self.stages: list[Stage] = []
        n_bits = 0
        for level in range(n):
            n_bits = max(n_bits, len(sets))
            if n_bits > self._marks_at:
                raise TooManySets(f"more than {_WORD_BITS} sets of variables are to be kept apart")
            self.stages.append(Stage(sets, bits_of_groups, level, (1 << n_mark_bits) - 1 << self._marks_at))
            sets = self.stages[-1].after
        dtype = np.uint64 if n_mark_bits or n_bits > _WORD_BITS // 2 else np.uint32
        marked = [word | kinds.get(word, 0) << self._marks_at for word in start]
        self._start: Words = np.array(marked, dtype)[:, None]

    def count(self, budget: Budget) -> int:
        """The number of solutions."""
        key = blake2b(repr((_LAYOUT, self._of_levels, self._groups)).encode(), digest_size=12).hexdigest()
        words = self._first.words
        start, words, numbers = budget.kept(key) or (0, words, np.ones((1, words.shape[1]), dtype=np.uint64))
        layer = States(words, words)
        for level in range(start, len(self.stages)):
            budget.check(level, len(self.stages), len(layer), layer.n_bytes)
            parts: list[States] = []
            sums: list[Numbers] = []
            n_merged = 0  # states of the first part
            expansion, slices = self._expansion(level, len(layer))
            chunks = [(layer.words[:, some], numbers[:, some]) for some in slices]
            for part, sums_of_part in budget.map(expansion.counted, chunks):
                budget.check(level, len(self.stages), len(layer), layer.n_bytes)
                parts.append(part)
                sums.append(sums_of_part)
                if sum(map(len, parts)) > 2 * n_merged + _MANY_PENDING:
                    parts, sums = _joined_with_sums(parts, sums)
                    n_merged = len(parts[0])
                    budget.check(level, len(self.stages), n_merged, parts[0].n_bytes)
            [layer], [numbers] = _joined_with_sums(parts, sums)
            budget.keep(key, level + 1, layer.words, numbers)
        budget.check(len(self.stages), len(self.stages), len(layer), layer.n_bytes)
        budget.forget(key)
        return sum(int(sum(row)) << _DIGIT * i for i, row in enumerate(numbers.tolist()))

    def samples(self, n: int, random: Random, budget: Budget) -> Iterator[list[int]]:
        """The values of solutions, by level."""
        layers, steps = self._kept(budget, may_permute=True)
        completions = _completions(layers, steps)
        for begin in range(0, n if completions[0][0] else 0, _CHUNK):
            yield from self._sampled(min(_CHUNK, n - begin), random, layers, steps, completions)

    def _sampled(
        self,
        n: int,
        random: Random,
        layers: Sequence[States],
        steps: Sequence[Transitions],
        completions: Sequence[NDArray[np.object_]],
    ) -> list[list[int]]:
        """Some solutions, in each of which a level and a value of a state stand for others of the problem."""
        each = np.arange(n)
        states = np.zeros(n, dtype=np.intp)
        values = np.repeat(np.argsort(self._start, axis=0), n, axis=1)
        levels = np.repeat(np.arange(len(self.stages))[:, None], n, axis=1)
        found = np.empty_like(levels)
        for level, (stage, some) in enumerate(zip(self.stages, steps, strict=True)):
            taken = _drawn(states, some, completions[level + 1], random)
            alike = [random.randrange(ways) for ways in some.ways[taken].tolist()]  # values, in rows side by side
            rows = some.rows[taken] + np.array(alike, dtype=np.intp)
            found[levels[level], each] = values[rows, each]
            expansion, _ = self._expansion(level, len(layers[level]))
            words = stage.assigned(layers[level].words[:, states], rows, expansion.is_closed)[0]
            values = np.take_along_axis(values, np.argsort(words, axis=0), axis=0)
            states = some.targets[taken]
            if (certificates := expansion.certificates) is not None:
                words.sort(axis=0)
                order, of_words = certificates.in_order(words)
                order_after, of_words_after = certificates.in_order(layers[level + 1].words[:, states])
                places = np.take_along_axis(order, np.argsort(order_after, axis=0), axis=0)
                moved = np.array([stage.levels_moved(tuple(one)) for one in places.T.tolist()]).T
                levels[: len(moved)] = np.take_along_axis(levels, moved, axis=0)
                same = np.take_along_axis(
                    np.argsort(of_words, axis=0), np.argsort(np.argsort(of_words_after, axis=0), axis=0), axis=0
                )
                values = np.take_along_axis(values, same, axis=0)
        return [[self.values[value] for value in one] for one in found.T.tolist()]

    def occurrences(self, budget: Budget) -> list[dict[int, int]]:
        """For each level and value the number of solutions; the problem is marked."""
        layers, steps = self._kept(budget, may_permute=False)
        mark_of = dict(zip(self.values, self._marks(self._start[:, 0]).tolist(), strict=True))
        n_alike = Counter(mark_of.values())
        numbers = np.ones(1, dtype=np.object_)
        found = []
        for some, layer, some_values, after in zip(
            steps, layers, self._of_levels, _completions(layers, steps)[1:], strict=False
        ):
            amounts = numbers[some.sources] * some.ways.astype(np.object_)
            rows = np.sort(layer.words, axis=0)[some.rows, some.sources]
            each = np.zeros(len(n_alike), dtype=np.object_)
            np.add.at(each, self._marks(rows), amounts * after[some.targets])
            found.append({value: each[mark_of[value]] // n_alike[mark_of[value]] for value in some_values})
            numbers = np.zeros(len(after), dtype=np.object_)
            np.add.at(numbers, some.targets, amounts)
        return found

    def _marks(self, words: Words) -> Indices:
        """The number of the kind of the value of each word."""
        marks: Indices = (words.astype(np.object_) >> self._marks_at).astype(np.intp)
        return marks

    @property
    def _first(self) -> States:
        words = np.sort(self._start, axis=0)
        return States(words, words)

    def _kept(self, budget: Budget, *, may_permute: bool) -> tuple[list[States], list[Transitions]]:
        """All layers, and the steps between them."""
        layers, steps = [self._first], list[Transitions]()
        n_states = 1
        for level in range(len(self.stages)):
            expansion, slices = self._expansion(level, len(layers[-1]), may_permute=may_permute)
            parts = []
            for some in slices:
                budget.check(level, len(self.stages), n_states)
                parts.append(expansion(layers[-1].words[:, some]))
            layer, places = _joined([part for part, _ in parts])
            layers.append(layer)
            n_states += len(layer)
            budget.check(level + 1, len(self.stages), n_states)
            begins = np.cumsum([0, *(len(part) for part, _ in parts)])
            targets = [places[begin + one.targets] for begin, (_, one) in zip(begins, parts, strict=False)]
            sources = [some.start + one.sources for some, (_, one) in zip(slices, parts, strict=True)]
            rows, ways = (np.concatenate([getattr(one, name) for _, one in parts]) for name in ("rows", "ways"))
            steps.append(Transitions(np.concatenate(sources), rows, ways, np.concatenate(targets)))
        return layers, steps

    def _expansion(self, level: int, n_states: int, *, may_permute: bool = True) -> "tuple[_Expansion, list[slice]]":
        """How a layer gets its successors, and the states of which they are made at once."""
        n_bits = max(1, len(self.values) ** 2 * len(self.stages[level].after))
        chunk = max(1, min(_CHUNK, _MAX_CHUNK_BITS // n_bits))
        # The certificates of states with many values take seconds, and their layers are too large in any case.
        is_worth_it = may_permute and n_states > _MANY and chunk > _CHUNK // 8 and can_find_automorphisms()
        certificates = self.stages[level].certificates if is_worth_it else None
        slices = [slice(begin, begin + chunk) for begin in range(0, max(1, n_states), chunk)]
        return _Expansion(self.stages[level], certificates, n_states > _FEW), slices


@dataclass(frozen=True, slots=True)
class _Expansion:
    """How the states of a layer get their successors; without dead ones if ``is_closed``."""

    stage: Stage
    certificates: Certificates | None
    is_closed: bool

    def __call__(self, words: Words) -> tuple[States, Transitions]:
        """The successors of some states, merged."""
        sources, rows, ways, words = self.stage.successors(words, self.is_closed)
        words.sort(axis=0)
        firsts, targets = _merged(words)
        keys = words = words[:, firsts]
        if self.certificates is not None:
            blocks = np.split(words, range(_BLOCK, words.shape[1], _BLOCK), axis=1)
            keys = np.concatenate(list(map(self.certificates, blocks)), axis=1)
            firsts, places = _merged(keys)
            keys, words, targets = keys[:, firsts], words[:, firsts], places[targets]
        return States(words, keys), Transitions(sources, rows, ways, targets)

    def counted(self, words: Words, numbers: Numbers) -> tuple[States, Numbers]:
        """These with the numbers of partial solutions that lead to each, from those that lead to the states."""
        found, steps = self(words)
        return found, _sums(numbers[:, steps.sources] * steps.ways, steps.targets)


def _drawn(states: Indices, steps: Transitions, completions: NDArray[np.object_], random: Random) -> Indices:
    """A step from each of some states, as probable as it has completions."""
    weights = steps.ways.astype(np.object_) * completions[steps.targets]
    order = np.argsort(steps.sources, kind="stable")
    starts = np.searchsorted(steps.sources[order], np.arange(int(steps.sources.max()) + 2)).tolist()
    sums = {
        state: list(accumulate(weights[order[starts[state] : starts[state + 1]]].tolist()))
        for state in set(states.tolist())
    }
    return np.array(
        [order[starts[state] + bisect(sums[state], random.randrange(sums[state][-1]))] for state in states.tolist()]
    )


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


def _joined_with_sums(parts: Sequence[States], sums: Sequence[Numbers]) -> tuple[list[States], list[Numbers]]:
    """Parts of a layer as one, with the sums of the numbers of their states."""
    layer, places = _joined(parts)
    if len(parts) == 1:
        return [layer], [sums[0]]
    n_digits = max(map(len, sums))
    padded = [np.pad(one, ((0, n_digits - len(one)), (0, 0))) for one in sums]
    return [layer], [_sums(np.concatenate(padded, axis=1), places)]


def _sums(numbers: Numbers, places: Indices) -> Numbers:
    """The sums of the numbers with each place; numbers are columns of digits of 32 bits."""
    order = np.argsort(places, kind="stable")
    starts = np.flatnonzero(np.diff(places[order], prepend=-1))
    sums = np.add.reduceat(numbers[:, order], starts, axis=1) if len(starts) else numbers
    carry = np.zeros(sums.shape[1], dtype=np.uint64)
    for digit in sums:
        digit += carry
        carry = digit >> _DIGIT
        digit &= (1 << _DIGIT) - 1
    return np.concatenate((sums, carry[None])) if carry.any() else sums


def _merged(states: Words) -> tuple[Indices, Indices]:
    """The first of each group of equal columns, and for each column the place of its group."""
    codes = _codes(states)
    order = np.argsort(codes)
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = codes[order[1:]] != codes[order[:-1]]
    again = np.flatnonzero(~is_first)
    if (states[:, order[again]] != states[:, order[again - 1]]).any():  # different columns, equal codes
        order = np.lexsort(states)
        is_first[1:] = (states[:, order[1:]] != states[:, order[:-1]]).any(axis=0)
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.cumsum(is_first) - 1
    return order[is_first], places


def _codes(states: Words) -> Words:
    """A code for each column; those of different columns are hardly ever equal."""
    codes: Words = np.zeros(states.shape[1], dtype=np.uint64)
    for row in states:
        codes += row
        codes = (codes ^ codes >> 30) * 0xBF58476D1CE4E5B9  # the finalizer of SplitMix64
        codes = (codes ^ codes >> 27) * 0x94D049BB133111EB
        codes ^= codes >> 31
    return codes

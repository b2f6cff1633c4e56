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

from f2csp.arrays import Bools
from f2csp.counting.budget import BeyondBudget, Budget
from f2csp.counting.certificates import WORD_BITS, Certificates, Indices, Unsigned, mixed
from f2csp.counting.stages import Stage
from f2csp.symmetry import can_find_automorphisms

_LAYOUT = 1  # of states in files; another number where words or stages get another meaning
_CHUNK = 1 << 13  # states whose successors are made at once
_MAX_CHUNK_BITS = 1 << 26  # of these successors, between two looks at the clock
_MANY_PENDING = 1 << 18  # states that are not yet merged with those before
_FEW = 50  # states of a layer that are not worth a look for dead ones among their successors
_MANY = 200  # states of a layer that are worth certificates of their successors
_LIMB = np.uint64(32)  # bits of a digit of a number of partial solutions
_LOW = np.uint64((1 << 32) - 1)


class TooManySets(BeyondBudget):
    """A word has too few bits."""


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
        self._of_levels, self._groups = values, groups
        self.values = sorted({value for some in values for value in some})
        of_domain: dict[tuple[int, ...], list[int]] = {}
        for level, some in enumerate(values):
            of_domain.setdefault(tuple(sorted(some)), []).append(level)
        restricted = {domain: levels for domain, levels in of_domain.items() if len(domain) < len(self.values)}
        sets = [sum(1 << level for level in some) for some in restricted.values()]
        bits_of_groups = [sum(1 << level for level in group) for group in groups]
        self._n_mark_bits = 0
        start = np.zeros(len(self.values), dtype=np.uint64)
        if len(sets) <= WORD_BITS:
            for i, domain in enumerate(restricted):
                start[~np.isin(self.values, domain)] |= np.uint64(1 << i)
        if is_marked:
            marks = np.unique(start, return_inverse=True)[1].astype(np.uint64)
            self._n_mark_bits = int(marks.max(initial=0)).bit_length()
            start |= marks << np.uint64(WORD_BITS - self._n_mark_bits) if self._n_mark_bits else np.uint64(0)
        self._start = start[:, None]
        self.stages: list[Stage] = []
        for level in range(n):
            if len(sets) > WORD_BITS - self._n_mark_bits:
                raise TooManySets(f"more than {WORD_BITS} sets of variables are to be kept apart")
            self.stages.append(Stage(sets, bits_of_groups, level))
            sets = self.stages[-1].after
        self._marks = np.uint64((1 << self._n_mark_bits) - 1 << WORD_BITS - self._n_mark_bits)

    def count(self, budget: Budget) -> int:
        """The number of solutions."""
        key = blake2b(repr((_LAYOUT, self._of_levels, self._groups)).encode(), digest_size=12).hexdigest()
        words = self._first.words
        start, words, numbers = budget.kept(key) or (0, words, np.ones((1, words.shape[1]), dtype=np.uint64))
        layer = States(words, words)
        for level in range(start, len(self.stages)):
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
            budget.keep(key, level + 1, layer.words, numbers)
        budget.check(len(self.stages), len(self.stages), len(layer))
        budget.forget(key)
        return sum(int(sum(row)) << 32 * i for i, row in enumerate(numbers.tolist()))

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
            words = self._moved(level, layers[level].words[:, states], rows, len(layers[level]) > _FEW)[0]
            values = np.take_along_axis(values, np.argsort(words, axis=0), axis=0)
            states = some.targets[taken]
            certificates = self._certificates(level, len(layers[level]))
            if certificates is not None:
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
        shift = np.uint64(WORD_BITS - self._n_mark_bits) if self._n_mark_bits else None
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

    def _kept(self, budget: Budget, *, may_permute: bool) -> tuple[list[States], list[Transitions]]:
        """All layers, and the steps between them."""
        layers, steps = [self._first], list[Transitions]()
        n_states = 1
        for level in range(len(self.stages)):
            parts = list(self._parts(level, layers[-1], budget, may_permute=may_permute))
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
        certificates = self._certificates(level, len(layer)) if may_permute else None
        chunk = self._chunk(level)
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

    def _chunk(self, level: int) -> int:
        """The number of states of a level whose successors are made at once."""
        n_bits = max(1, len(self.values) ** 2 * len(self.stages[level].after))
        return max(1, min(_CHUNK, _MAX_CHUNK_BITS // n_bits))

    def _certificates(self, level: int, n_states: int) -> Certificates | None:
        """Those for the states after a level with many."""
        # Those of states with many values take seconds, and their layers are too large in any case.
        is_worth_it = n_states > _MANY and self._chunk(level) > _CHUNK // 4 and can_find_automorphisms()
        return self.stages[level].certificates if is_worth_it else None

    def _successors(self, level: int, words: Unsigned, is_closed: bool) -> tuple[Indices, Indices, Unsigned, Unsigned]:
        """The states that values leave, for equal words one; without dead ones if ``is_closed``."""
        is_open = (words & self.stages[level].touched) == 0
        is_open[1:] &= words[1:] != words[:-1]
        rows, sources = np.nonzero(is_open)
        before = words[:, sources]
        ways = (before == before[rows, np.arange(len(rows))]).sum(axis=0, dtype=np.uint64)
        after, is_alive = self._moved(level, before, rows, is_closed)
        if not is_closed:
            return sources, rows, ways, after
        return sources[is_alive], rows[is_alive], ways[is_alive], after[:, is_alive]

    def _moved(self, level: int, words: Unsigned, rows: Indices, is_closed: bool) -> tuple[Unsigned, Bools]:
        """What the value of a row leaves of each state, with the bits of sets that are closed if so; see ``closed``."""
        stage = self.stages[level]
        after = stage.moved(words, self._marks)
        after[rows, np.arange(len(rows))] |= stage.blocked
        return after, stage.closed(after) if is_closed else np.ones(len(rows), dtype=np.bool_)


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
        codes = mixed(codes + row)
    return codes


def _are_first(states: Unsigned, order: Indices) -> Bools:
    """Whether each column in some order differs from the one before."""
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = (states[:, order[1:]] != states[:, order[:-1]]).any(axis=0)
    return is_first

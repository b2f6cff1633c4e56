"""What is left of a problem of variables that must differ when the first of them have values."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from f2csp.arrays import Bools
from f2csp.counting.certificates import Certificates, Indices, Numbers, Words
from f2csp.symmetry import Graph, Permutation


class Stage:
    """What is left when the variables before a level have values, and what the value of the next changes.

    A set of levels is an integer with a bit for each.

    Attributes:
        after: the sets of later variables, in the next stage, to which a value with a bit is closed.
    """

    def __init__(self, sets: Sequence[int], groups: Sequence[int], level: int, marks: int) -> None:
        """``marks`` has the bits of a word that stay as they are."""
        self._marks = marks
        self._n_done = level + 1
        self._groups = groups
        self._touched = _mask(i for i, one in enumerate(sets) if one >> level & 1)
        number: dict[int, int] = {}
        shifts: dict[int, int] = {}  # from the difference of two numbers of a set to the mask of the bits
        for before, one in enumerate(sets):
            if rest := self._rest(one):
                shift = number.setdefault(rest, len(number)) - before
                shifts[shift] = shifts.get(shift, 0) | 1 << before
        self._shifts = [(abs(shift), shift > 0, mask) for shift, mask in shifts.items()]
        rests = {self._rest(one) for one in groups if one >> level & 1} - {0}
        self._blocked = _mask(number.setdefault(rest, len(number)) for rest in sorted(rests))
        self.after = list(number)
        self._moved: dict[Permutation, Permutation] = {}

    def _rest(self, levels: int) -> int:
        return levels >> self._n_done << self._n_done

    def successors(self, words: Words, is_closed: bool) -> tuple[Indices, Indices, Numbers, Words]:
        """The states that values leave, for equal words one; without dead ones if ``is_closed``.

        Of each: the place of its source, the row of the value there, the number of values with that word, its words.
        """
        is_open = (words & self._touched) == 0
        is_open[1:] &= words[1:] != words[:-1]
        rows, sources = np.nonzero(is_open)
        before = words[:, sources]
        ways = (before == before[rows, np.arange(len(rows))]).sum(axis=0, dtype=np.uint64)
        after, is_alive = self.assigned(before, rows, is_closed)
        if not is_closed:
            return sources, rows, ways, after
        return sources[is_alive], rows[is_alive], ways[is_alive], after[:, is_alive]

    def assigned(self, words: Words, rows: Indices, is_closed: bool) -> tuple[Words, Bools]:
        """What the value of a row leaves of each state, with bits of closed sets if ``is_closed``; see ``_closed``."""
        after = words & self._marks
        for shift, is_up, mask in self._shifts:
            after |= (words & mask) << shift if is_up else (words & mask) >> shift
        after[rows, np.arange(len(rows))] |= self._blocked
        return after, self._closed(after) if is_closed else np.ones(len(rows), dtype=np.bool_)

    @cached_property
    def _profiles(self) -> list[int]:
        """For each kind of a later variable the sets of the next stage that it is in, as bits."""
        levels = range(self._n_done, max(self.after, default=0).bit_length())
        found = {sum(1 << i for i, one in enumerate(self.after) if one >> level & 1) for level in levels}
        return sorted(found - {0})

    def _closed(self, words: Words) -> Bools:
        """Set the bits of the sets of which no variable is open to a value; whether each state may have a completion.

        It has none if variables that must differ have fewer open values than they are, or a variable none.
        """
        is_closed = {profile: (words & profile) != 0 for profile in self._profiles}
        is_alive = np.ones(words.shape[1], dtype=np.bool_)
        for one in is_closed.values():
            is_alive &= ~one.all(axis=0)
        for index, levels in enumerate(self.after):
            within = [one for profile, one in is_closed.items() if profile >> index & 1]
            all_closed = np.logical_and.reduce(within)
            words |= all_closed.astype(words.dtype) << index
            if any(levels & ~group == 0 for group in self._groups):  # and not only of one domain
                is_alive &= len(words) - all_closed.sum(axis=0) >= levels.bit_count()
        return is_alive

    @cached_property
    def certificates(self) -> Certificates | None:
        """How states of the next stage are compared up to isomorphism; None if there is nothing to permute."""
        if len(self.after) < 2:
            return None
        graph, places = self._graph
        group = [tuple([v - places.start for v in one[places.start : places.stop]]) for one in graph.generators()]
        identity = tuple(range(len(places)))
        found = Certificates.of([one for one in group if one != identity], len(places))
        certificate = graph.certificate(places)
        if found is not None and all(
            graph.certificate([places[v] for v in one]) == certificate for one in found.permutations()
        ):
            return found
        return None

    @cached_property
    def _graph(self) -> tuple[Graph, range]:
        """The levels, and the sets and other rests of groups, adjacent to theirs; and which vertices are the sets."""
        groups = {rest for one in self._groups if (rest := self._rest(one)).bit_count() > 1}
        others = sorted(groups.difference(self.after))
        n, n_sets = max([*self.after, *groups]).bit_length(), len(self.after)
        edges = [(n + i, at) for i, one in enumerate([*self.after, *others]) for at in range(n) if one >> at & 1]
        of_levels = [int(level < self._n_done) for level in range(n)]
        return Graph(
            [*of_levels, *(2 + (one not in groups) for one in self.after), *(4 for _ in others)], edges
        ), range(n, n + n_sets)

    def levels_moved(self, places: Permutation) -> Permutation:
        """A permutation of levels that moves each set of the next stage to the set at its place."""
        if places not in self._moved:
            graph, sets = self._graph
            before, after = graph.labelling(sets), graph.labelling([sets[place] for place in places])
            images = dict(zip(before, after, strict=True))
            self._moved[places] = tuple([images[level] for level in range(sets.start)])
        return self._moved[places]


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)

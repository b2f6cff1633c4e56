"""Where the constraints of an instance belong, and what they are called."""

from collections.abc import Iterator

import numpy as np

from f2csp.formats.xcsp3.notes import FREE, read_order
from f2csp.formats.xcsp3.restoring import in_order
from f2csp.model import Offsets, Problem
from f2csp.model.words import is_name


class Places:
    """Takes the notes and the ids of constraints, in the order of the text."""

    def __init__(self) -> None:
        """Begin without any."""
        self._entries: list[tuple[str, str, int]] = []

    @property
    def are_all_free(self) -> bool:
        """Whether all constraints are such as are written of free variables."""
        return all(note == FREE for note, _, _ in self._entries)

    def add(self, note: str, identifier: str, n: int) -> None:
        """Take what is said of ``n`` tables."""
        self._entries.append((note, identifier, n))

    def restored(self, problem: Problem) -> Problem:
        """The problem as it was when it was written here; as it is, if it was written elsewhere."""
        if not any(note or identifier for note, identifier, _ in self._entries):
            return problem
        kept = np.flatnonzero(~self._free(problem))
        noted = self._noted(len(kept))
        if noted is None:
            return in_order(problem, kept, self._labels(kept))
        places, labels = noted
        order = np.argsort(places)
        return in_order(problem, kept[order], labels and [labels[i] for i in order.tolist()])

    def _free(self, problem: Problem) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """For each constraint, whether it is there only so that a variable is not free; and says nothing indeed."""
        is_free = np.repeat([note == FREE for note, _, _ in self._entries], [n for _, _, n in self._entries])
        for i in np.flatnonzero(is_free).tolist():
            relation = problem.constraints[i].relation
            size = problem.domain_sizes[problem.variable_domains[problem.scope(i)[0]]]
            is_free[i] = relation.arity == 1 and relation.kind == "Accept" and relation.n_tuples == size
        return is_free

    def _noted(self, n: int) -> tuple[list[int], list[str] | None] | None:
        """The place of each constraint that is kept, and its label, if all notes together say so."""
        places: list[int] = []
        labels: list[str] = []
        for note, _, n_tables in self._entries:
            found = read_order(note, n_tables) if note != FREE else ([], None)
            if found is None:
                return None
            places += found[0]
            labels += found[1] or ()
        if sorted(places) != list(range(1, n + 1)) or len(labels) not in (0, n):
            return None
        return places, labels or None

    def _labels(self, kept: Offsets) -> list[str | None] | None:
        """The ids of the constraints that are kept, where they have some."""
        labels = list(self._identifiers())
        return [labels[i] for i in kept.tolist()] if any(labels) else None

    def _identifiers(self) -> Iterator[str | None]:
        for _, identifier, n in self._entries:
            if not is_name(identifier):
                yield from [None] * n
            elif n == 1:
                yield identifier
            else:
                yield from [f"{identifier}[{i}]" for i in range(n)]

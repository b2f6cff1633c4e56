"""The text of many constraints at once: for each something in front, the names of its scope, and its table.

The pieces lie ready as bytes in arrays of objects; so a thousand constraints are a few gathers by index and one join.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Problem

LARGE = 1 << 17  # values in a table whose text is not made at once

_HEAD_VALUES = 8  # what a constraint costs besides its table costs about as much as so many values

Pieces = NDArray[np.object_]


def pieces(words: Sequence[str], form: str = "{}") -> Pieces:
    """The words as bytes, each in this form."""
    made = np.empty(len(words), dtype=np.object_)
    made[:] = [form.format(word).encode() for word in words]
    return made


def blocks(problem: Problem, weights: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Stretches of the constraints, each about as heavy as ``LARGE`` values; a heavy constraint is the last of its own.

    Args:
        problem: whose constraints.
        weights: how many values each constraint's text has.

    Shape:
        weights: (n_constraints,).
    """
    n = problem.n_constraints
    if not n:
        return
    place = np.cumsum(weights + np.diff(problem.scope_offsets) + _HEAD_VALUES)
    before = np.concatenate([[0], place[:-1]]) // LARGE
    cuts = [0, *(np.flatnonzero(np.diff(before)) + 1).tolist(), n]
    yield from pairwise(cuts)


def joined(heads: Pieces, names: Pieces, last_names: Pieces, tails: Pieces, scopes: Ids, arities: Ids) -> bytes:
    """The text of some constraints.

    Args:
        heads: what stands before the scope of each.
        names: for each variable its name, as it stands in a scope.
        last_names: the same as it stands at the end of a scope.
        tails: what stands behind the scope of each.
        scopes: the scopes end to end.
        arities: how many variables each has.
    """
    ends = np.cumsum(arities + 2)
    starts = ends - arities - 2
    text = np.empty(int(ends[-1]), dtype=np.object_)
    is_name = np.ones(len(text), dtype=np.bool_)
    is_name[starts] = is_name[ends - 1] = False
    text[is_name] = names[scopes]
    text[ends - 2] = last_names[scopes[np.cumsum(arities) - 1]]
    text[starts] = heads
    text[ends - 1] = tails
    return b"".join(text.tolist())

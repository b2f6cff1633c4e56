"""Rows of integers as single integers, so that rows are compared and sorted as fast as numbers."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int32] | NDArray[np.int64]

_LARGEST_KEY = 1 << 62


def row_keys(columns: Iterable[Integers]) -> NDArray[np.int64]:
    """One number for each row: rows are equal exactly where their numbers are.

    Args:
        columns: the columns of the rows, each of shape (n,); at least one.
    """
    keys = np.zeros(1, dtype=np.int64)
    span = 1
    for column in columns:
        if not len(column):
            return np.zeros(0, dtype=np.int64)
        least = int(column.min())
        width = int(column.max()) - least + 1
        if span * width > _LARGEST_KEY:
            _, keys = np.unique(keys, return_inverse=True)
            span = len(keys)
        keys = keys * width + (column.astype(np.int64) - least)
        span *= width
    return keys


def has_equal(keys: NDArray[np.int64]) -> bool:
    """Whether two of the numbers are equal."""
    if (keys[1:] > keys[:-1]).all():  # sorted already, as the tables of most problems are
        return False
    ordered = np.sort(keys)
    return bool((ordered[1:] == ordered[:-1]).any())


def repeats(keys: NDArray[np.int64]) -> dict[int, int]:
    """The positions of numbers that stand before, and the position where each stands first."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    first = order[np.flatnonzero(is_new)[np.cumsum(is_new) - 1]]
    return dict(zip(order[~is_new].tolist(), first[~is_new].tolist(), strict=True))

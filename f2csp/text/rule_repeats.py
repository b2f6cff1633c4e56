"""Tuples that stand twice in a table, found for many tables at once."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value, has_equal, repeats, row_codes
from f2csp.model import Ids
from f2csp.text.columns import UNKNOWN, Table

Mask = NDArray[np.bool_]

_BATCH = 1 << 20  # values of tables that are looked at together


def rows_of_size(table: Table, fits: Mask, size: int) -> Ids:
    """The tuples that have this size; shape (n, size)."""
    if table.sizes is None:
        return table.values
    starts = np.cumsum(table.sizes) - table.sizes
    rows: Ids = table.values[starts[fits][:, None] + np.arange(size)]
    return rows


def repeated_rows(table: Table) -> dict[int, int]:
    """Rows that stand in the table before, and where; rows with unknown values are not compared."""
    if table.n_rows < 2:
        return {}
    if table.sizes is None:
        return _repeats(table.values, np.arange(table.n_rows))
    repeated: dict[int, int] = {}
    starts = np.cumsum(table.sizes) - table.sizes
    for size, numbers in by_value(table.sizes):
        repeated |= _repeats(table.values[starts[numbers][:, None] + np.arange(size)], numbers)
    return repeated


def _repeats(rows: Ids, numbers: NDArray[np.int64]) -> dict[int, int]:
    if rows.shape[1] == 0:
        return {}
    keys = row_codes(rows.T)
    if not has_equal(keys):
        return {}
    is_known = (rows != UNKNOWN).all(axis=1)
    return {int(numbers[i]): int(numbers[first]) for i, first in repeats(keys).items() if is_known[i]}


def tables_with_repeats(tables: list[Table]) -> set[int]:
    """The tables that may hold a tuple twice; those of one size are looked at together: they may be many and small."""
    found: set[int] = set()
    by_arity: dict[int, list[int]] = defaultdict(list)
    for i, table in enumerate(tables):
        if table.n_rows > 1:
            by_arity[table.arity].append(i)
    found.update(by_arity.pop(UNKNOWN, ()))
    for group in by_arity.values():
        for batch in _batches(group, [tables[i].values.size for i in group]):
            numbers = np.repeat(np.array(batch), [tables[i].n_rows for i in batch])
            rows = np.concatenate([tables[i].values for i in batch])
            keys = row_codes(chain([numbers], rows.T))
            if has_equal(keys):
                found.update(numbers[list(repeats(keys))].tolist())
    return found


def _batches(items: list[int], sizes: list[int]) -> Iterator[list[int]]:
    """The items in runs of bounded size in all, or of one item."""
    batch: list[int] = []
    total = 0
    for item, size in zip(items, sizes, strict=True):
        if batch and total + size > _BATCH:
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size
    if batch:
        yield batch

"""Idioms that several rooms use: with NumPy row codes, grouping, offsets, concatenated ranges; and data frames.

Codes and offsets are 64-bit integers everywhere, also where an index of NumPy has 32 bits and a conversion to it, as
``np.repeat`` and ``np.bincount`` need, is refused unless it is asked for.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import optional_package

if TYPE_CHECKING:
    import pandas

Integers = NDArray[np.int32] | NDArray[np.int64]
Offsets = NDArray[np.int64]
Bools = NDArray[np.bool_]

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_Scalar = TypeVar("_Scalar", bound=np.generic)

_MAX_CODE = 1 << 62


def row_codes(columns: Iterable[Integers]) -> Offsets:
    """One integer for each row; two rows are equal exactly if their codes are.

    Args:
        columns: the columns of the rows, each of shape (n,); at least one.
    """
    codes = np.zeros(1, dtype=np.int64)
    span = 1
    for column in columns:
        if not len(column):
            return np.zeros(0, dtype=np.int64)
        least = int(column.min())
        width = int(column.max()) - least + 1
        if span * width > _MAX_CODE:
            codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
            span = len(codes)
        codes = codes * width + (column.astype(np.int64) - least)
        span *= width
    return codes


def has_equal(codes: Offsets) -> bool:
    if (codes[1:] > codes[:-1]).all():  # sorted already, as the tables of most problems are
        return False
    ordered = np.sort(codes)
    return bool((ordered[1:] == ordered[:-1]).any())


def repeats(codes: Offsets) -> dict[int, int]:
    """Map the position of each repeated code to the position of its first occurrence."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    is_new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    first = order[np.flatnonzero(is_new)[np.cumsum(is_new) - 1]]
    return dict(zip(order[~is_new].tolist(), first[~is_new].tolist(), strict=True))


def by_value(values: Integers) -> Iterator[tuple[int, Offsets]]:
    """Each distinct value in ascending order, and the positions that hold it; sorts once."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
    yield from zip(ordered[starts].tolist(), np.split(order, starts[1:]), strict=False)


def positions_in(values: Integers, wanted: Integers) -> NDArray[np.int32]:
    """The position of each wanted value among distinct values, all of which are there."""
    order = np.argsort(values).astype(np.int32)
    return order[np.searchsorted(values, wanted, sorter=order)]


def offsets_of(counts: Offsets) -> Offsets:
    """Offsets of consecutive blocks of these sizes: [0, c0, c0 + c1, ...]."""
    return np.cumsum(np.concatenate(([0], counts)), dtype=np.int64)


def repeat_each(values: NDArray[_Scalar], counts: Integers) -> NDArray[_Scalar]:
    return np.repeat(values, counts.astype(np.intp, copy=False))


def count_each(values: Integers, n: int) -> Offsets:
    """The number of occurrences of each of 0, 1, ..., n - 1."""
    return np.bincount(values.astype(np.intp, copy=False), minlength=n).astype(np.int64, copy=False)


def reduce_each(ufunc: np.ufunc, values: NDArray[_Scalar], starts: Offsets) -> NDArray[_Scalar]:
    """The reduction of each block of some values, by the starts of the blocks; none is empty."""
    reduced: NDArray[_Scalar] = ufunc.reduceat(values, starts.astype(np.intp, copy=False))
    return reduced


def concatenated_ranges(firsts: Offsets, counts: Offsets) -> tuple[Offsets, Offsets]:
    """The ranges ``firsts[i] .. firsts[i] + counts[i]`` end to end, and the ``i`` of each element."""
    owners = repeat_each(np.arange(len(counts), dtype=np.int64), counts)
    return np.arange(len(owners), dtype=np.int64) + (firsts - np.cumsum(counts) + counts)[owners], owners


def bit_rows(rows: Integers, columns: Integers, n_rows: int, n_columns: int) -> list[int]:
    """A matrix of bits, given the places of those that are set, as an integer for each row."""
    width = (n_columns + 7) // 8  # bytes
    packed = np.zeros(n_rows * width, dtype=np.uint8)
    bits = np.uint8(1) << (columns & 7).astype(np.uint8)
    np.bitwise_or.at(packed, rows.astype(np.int64) * width + (columns >> 3), bits)
    return [int.from_bytes(row.tobytes(), "little") for row in packed.reshape(n_rows, width)]


def distinct(values: NDArray[Any]) -> tuple[NDArray[Any], Offsets]:
    """The distinct integers in order, and for each integer its place among them; not sorted where they are dense."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low > 2 * len(values) or values.dtype == np.object_:
        return np.unique(values, return_inverse=True)
    occurs = np.zeros(high - low + 1, dtype=np.bool_)
    occurs[values - low] = True
    return np.flatnonzero(occurs).astype(np.int64, copy=False) + low, (np.cumsum(occurs) - 1)[values - low]


def in_order_of_first_use(values: Integers) -> tuple[NDArray[Any], Offsets]:
    """The distinct values in the order of their first use, and for each value its position among them."""
    distinct, firsts, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return distinct[order], rank[inverse]


def components(n: int, first: Integers, second: Integers) -> Offsets:
    """For each of ``n`` nodes the smallest that it is connected with, by edges between nodes of two arrays."""
    parents = np.arange(n, dtype=np.int64)
    while len(first):  # every two rounds at least halve the number of trees that are not yet a whole component
        first, second = parents[first], parents[second]
        first, second = first[first != second], second[first != second]
        np.minimum.at(parents, np.maximum(first, second), np.minimum(first, second))
        while not np.array_equal(further := parents[parents], parents):  # the depth of the trees halves in each step
            parents = further
    return parents


def grouped(pairs: Iterable[tuple[_Key, _Value]]) -> defaultdict[_Key, list[_Value]]:
    """The values of each key, in the order of the pairs; a key without a value has an empty list."""
    groups = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def data_frame(rows: Iterable[Mapping[str, object]]) -> "pandas.DataFrame":
    """A data frame with a row for each mapping, from column to value; raises MissingExtra without pandas."""
    optional_package("pandas", "to_pandas()", "data")
    import pandas

    return pandas.DataFrame([dict(row) for row in rows])

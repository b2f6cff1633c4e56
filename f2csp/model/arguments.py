"""What callers pass: the items and the rows of lists, generators, arrays, data frames, and whatever else has them.

What has no items, or has them only by keys or without an order that matters, is refused by name.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from numbers import Number
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import Integers
from f2csp.diagnostics import ProblemError

_MAX_EXACT = 1 << 53  # a float up to here is the integer that it shows


def word_of(value: Any) -> str:
    """A value as a word; a whole number will do, as columns with missing values have them as floats."""
    if isinstance(value, (float, np.floating)) and abs(float(value)) <= _MAX_EXACT and float(value).is_integer():
        value = int(value)
    if isinstance(value, str):
        return str.__str__(value)  # a member of an enumeration is its value
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ProblemError(f"expected an integer or a word as a value, found {value!r}")
    return str(int(value))


def is_single(value: object) -> TypeGuard[int | str]:
    """Whether this is one value, and nothing that has items."""
    return isinstance(value, (str, bytes, bytearray, Number, np.generic))


def items_of(things: object, expected: str, *, is_ordered: bool = False) -> Sequence[Any]:
    """The items of whatever has them: of a table these are its rows, as sequences.

    Args:
        things: what a caller has passed.
        expected: what it should be, for the message.
        is_ordered: whether the order of the items matters, which a set does not have.

    Raises:
        ProblemError: it has no items, or is a mapping, or a set although the order matters.
    """
    if type(things) in (list, tuple):
        return things  # type: ignore[return-value]
    array = _array_of(things)
    if array is not None and array.ndim:
        # Dates would be turned into integers, so that each stays what it is.
        return array.tolist() if array.dtype.kind in "iufbUSOT" or array.dtype.names else list(array)
    noun = type(things).__name__
    if isinstance(things, Mapping) or hasattr(things, "keys"):
        raise ProblemError(f"expected {expected}, found a {noun}; pass its keys, its values or its items")
    if is_ordered and isinstance(things, (set, frozenset)):
        raise ProblemError(f"expected {expected}, found a {noun}, which has no order; pass a list")
    if array is not None or is_single(things) or not isinstance(things, Iterable):
        raise ProblemError(f"expected {expected}, found {'None' if things is None else f'the {noun} {things!r:.80}'}")
    return list(things)


def values_by_name(values: Any) -> dict[str, Any]:
    """The values of variables by their names, of a mapping or what else has items; of None there are none."""
    if values is not None and not hasattr(values, "items"):
        raise TypeError(f"expected values by the names of variables, found {values!r:.80}")
    return {} if values is None else dict(values.items())


def rows_of(table: object, expected: str = "rows of values") -> Integers | Sequence[Any]:
    """The rows of a table: a matrix of integers as it is, of anything else its items."""
    array = _array_of(table)
    is_plain = array is not None and array.dtype.kind in "iu" and 1 <= array.ndim <= 2
    return array if is_plain else items_of(table, expected)  # type: ignore[return-value]


def integers_in(rows: Integers | Sequence[Any], width: int) -> Integers | None:
    """Rows of this width as a matrix, if they hold integers of 64 bits and nothing else."""
    array: NDArray[Any] = rows if isinstance(rows, np.ndarray) else np.zeros(0)
    is_even = isinstance(rows, list) and {*map(type, rows)} <= {tuple, list} and {*map(len, rows)} == {width}
    if is_even and {*map(type, chain.from_iterable(rows))} == {int}:  # a truth value would become a number
        array = np.array(rows)
    is_plain = array.dtype.kind in "iu" and array.dtype != np.uint64
    is_matrix = array.shape[1:] == (width,) or (array.ndim == 1 and width == 1)
    return array.astype(np.int64, copy=False).reshape(-1, width) if is_plain and is_matrix else None


def column_names(rows: object) -> tuple[str, ...] | None:
    """The names of the columns of a table, if they are words."""
    dtype = getattr(rows, "dtype", None)
    names = getattr(dtype, "names", None) or getattr(rows, "column_names", None)
    if names is None and hasattr(rows, "__array__"):
        names = getattr(rows, "columns", None)
    names = None if names is None else tuple(names)
    return names if names and all(isinstance(name, str) for name in names) else None


def _array_of(things: Any) -> NDArray[Any] | None:
    """What has an array, as one; a masked array has no values behind its mask."""
    if isinstance(things, np.ma.MaskedArray):
        return np.array(things.tolist(), dtype=np.object_).reshape(things.shape)
    if isinstance(things, np.generic):
        return None
    for give in ("__array__", "to_numpy", "to_pylist"):
        if hasattr(things, give) and not isinstance(things, type):
            array = things.__array__() if give == "__array__" else getattr(things, give)()
            return array if isinstance(array, np.ndarray) else np.array(array, dtype=np.object_)
    return None

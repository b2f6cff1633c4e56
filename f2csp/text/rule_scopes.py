"""Columns as NumPy sees them, and the scopes of the constraints, one array for each arity."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from f2csp.arrays import by_value
from f2csp.model import Ids, Offsets
from f2csp.text.columns import Columns

if TYPE_CHECKING:
    from array import array


def scopes_by_arity(columns: Columns) -> Iterator[tuple[int, Offsets, Ids]]:
    """For each arity: the indices of the constraints that are not spoiled, and their scopes.

    Shape:
        indices: (n,); scopes: (n, arity), entries may be ``UNKNOWN``.
    """
    if not columns.n_constraints:
        return
    offsets = as_array(columns.scope_offsets)
    scopes = as_array_of_indices(columns.scopes)
    arities = np.diff(offsets)
    sound = np.flatnonzero(np.frombuffer(columns.is_spoiled, dtype=np.uint8) == 0)
    for arity, places in by_value(arities[sound]):
        constraints = sound[places]
        yield arity, constraints, scopes[offsets[constraints][:, None] + np.arange(arity)]


def as_array(values: "array[int]") -> Offsets:
    """A column of offsets or counts as NumPy sees it, without a copy."""
    return np.frombuffer(values, dtype=np.int64) if len(values) else np.empty(0, dtype=np.int64)


def as_array_of_indices(values: "array[int]") -> Ids:
    """A column of indices as NumPy sees it, without a copy."""
    return np.frombuffer(values, dtype=np.int32) if len(values) else np.empty(0, dtype=np.int32)

"""What tables of one variable mean."""

from collections.abc import Iterator

import numpy as np

from f2csp.model import Ids, Offsets
from f2csp.structure.domains import Domains
from f2csp.structure.findings import Said
from f2csp.structure.meaning import MeaningKind
from f2csp.structure.tables import Tables


def values(tables: Tables, known: Domains) -> Iterator[Said]:
    """Which tables leave one value, all, or all but one.

    The detail is the rank of the value; where the domain is not one of numbers, what the rank leaves of -1.
    """
    domains = tables.domains[:, 0]
    sizes = known.sizes[domains]
    n_allowed = np.where(tables.are_positive, tables.sizes, sizes - tables.sizes)
    listed = _sums(tables.ranks[:, 0], tables.starts)  # the only value, if it is one
    missing = _sums(known.held, known.starts)[domains] - listed
    allowed = np.where(tables.are_positive, listed, missing)
    forbidden = np.where(tables.are_positive, missing, listed)
    are_numbers = known.are_integer[domains]
    yield MeaningKind.NEVER_TRUE, n_allowed == 0, 0
    yield MeaningKind.FIXED_VALUE, n_allowed == 1, np.where(are_numbers, allowed, -1 - allowed)
    yield MeaningKind.ALWAYS_TRUE, n_allowed == sizes, 0
    yield MeaningKind.FORBIDDEN_VALUE, n_allowed == sizes - 1, np.where(are_numbers, forbidden, -1 - forbidden)


def _sums(numbers: Ids, starts: Offsets) -> Offsets:
    """The sum of each part, also of an empty one."""
    return np.diff(np.cumsum(np.concatenate(([0], numbers.astype(np.int64))))[starts])

"""What is found of many tables, in columns."""

from collections.abc import Iterable, Iterator

import numpy as np

from f2csp.model import Offsets
from f2csp.structure.domains import Bools
from f2csp.structure.meaning import MeaningKind

Said = tuple[MeaningKind, Bools, Offsets | int]
"""A meaning, for each of some tables whether it has it, and for each (or for all) the detail of it that there is."""

_KINDS = tuple(MeaningKind)
_NUMBER_OF = {kind: i for i, kind in enumerate(_KINDS)}
_UNKNOWN = _NUMBER_OF[MeaningKind.OTHER]


class Findings:
    """The meaning of each of some tables: the first that it is said to have."""

    def __init__(self, n_tables: int) -> None:
        self._kinds = np.full(n_tables, _UNKNOWN, dtype=np.int8)
        self._details: Offsets = np.zeros(n_tables, dtype=np.int64)

    @property
    def open(self) -> Offsets:
        """The tables of which nothing was said yet."""
        return np.flatnonzero(self._kinds == _UNKNOWN)

    def hear(self, meanings: Iterable[Said], tables: Offsets) -> None:
        """Take what is said of some tables, as long as nothing was said of them."""
        for kind, which, details in meanings:
            which = which & (self._kinds[tables] == _UNKNOWN)
            self._kinds[tables[which]] = _NUMBER_OF[kind]
            self._details[tables[which]] = details if isinstance(details, int) else details[which]

    def __iter__(self) -> Iterator[tuple[MeaningKind, int]]:
        """The meaning of each table, and the detail."""
        return zip((_KINDS[kind] for kind in self._kinds.tolist()), self._details.tolist(), strict=True)

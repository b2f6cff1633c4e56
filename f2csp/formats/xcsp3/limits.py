"""How large things may become that a short text stands for."""

from f2csp.diagnostics import Collector
from f2csp.formats.xcsp3.texts import Span

MAX_TUPLES = 1_000_000
"""The most tuples that are looked at to make a table."""

_MAX_ALL_TUPLES = 10_000_000
_MAX_STEPS = 2_000_000_000
_MAX_VALUES = 1_000_000
_MAX_CELLS = 1_000_000
_MAX_NAMES = 10_000_000
_MAX_PAIRS = 2_000_000


class Limits:
    """Counts what a file asks for, and tells a collector when it is too much."""

    def __init__(self, collector: Collector) -> None:
        """Begin with nothing."""
        self._collector = collector
        self._used: dict[str, int] = {}

    def can_list(self, n: int, place: Span) -> bool:
        """Whether ranges may add so many values more to domains."""
        return self._can("values in ranges", n, _MAX_VALUES, place)

    def can_declare(self, n: int, place: Span) -> bool:
        """Whether an array may have so many cells."""
        return self._can("cells in arrays", n, _MAX_CELLS, place)

    def can_name(self, n: int, place: Span) -> bool:
        """Whether lists may name so many variables more at once."""
        return self._can("variables named in arrays", n, _MAX_NAMES, place)

    def can_pair(self, n: int, place: Span) -> bool:
        """Whether there may be so many pairs more of variables that are different."""
        return self._can("pairs of variables", n, _MAX_PAIRS, place)

    def can_fill(self, n: int, place: Span) -> bool:
        """Whether the arguments of groups may take so many bytes more."""
        return self._can("bytes in groups", n, _MAX_STEPS // 8, place)

    def can_tabulate(self, what: str, n_tuples: int, n_steps: int, place: Span) -> bool:
        """Whether a table may be made of so many tuples, in so many steps for each."""
        if n_tuples > MAX_TUPLES:
            size = f"{n_tuples:,}" if n_tuples < 1 << 60 else "very many"
            message = f"a table for {what} is made of {size} tuples, and the limit is {MAX_TUPLES:,}"
            self._collector.add("F510", *place, message, hint="write the constraint in smaller ones")
            return False
        return self._can("tuples to be looked at", n_tuples, _MAX_ALL_TUPLES, place) and self._can(
            "steps of calculation", n_tuples * n_steps, _MAX_STEPS, place
        )

    def _can(self, what: str, n: int, most: int, place: Span) -> bool:
        used = self._used.get(what, 0)
        if used + n > most:
            notes = [f"what stands before adds {used:,}"] if used else []
            message = f"this adds {n:,} {what}, and the limit for a file is {most:,}"
            self._collector.add("F510", *place, message, notes=notes)
            return False
        self._used[what] = used + n
        return True

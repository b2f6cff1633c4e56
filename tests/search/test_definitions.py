"""The counters of backtracking searches, against plain programs that count as Prosser 1993 does."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from f2csp.model import Problem
from tests.search.textbook import searched
from tests.small import problem_of
from tests.strategies import examples

Conflicts = dict[tuple[int, int], list[set[tuple[int, int]]]]  # for a pair of variables, those of each constraint


@st.composite
def binary_networks(draw: DrawFn) -> tuple[int, int, Conflicts]:
    """A number of variables, a number of values, and conflicts on some pairs, perhaps of two constraints."""
    n, size = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    tables = st.sets(st.tuples(*[st.integers(0, size - 1)] * 2), min_size=1)
    pairs = [(i, k) for k in range(n) for i in range(k)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return n, size, {pair: draw(st.lists(tables, min_size=1, max_size=2)) for pair in chosen}


def problem(n: int, size: int, conflicts: Conflicts) -> Problem:
    tables = [(f"reject x{i} x{k}", sorted(rows)) for (i, k), parts in conflicts.items() for rows in parts]
    return problem_of({f"D: {' '.join(f'x{i}' for i in range(n))}": range(size)}, *tables)


class Prosser:
    """BT, CBJ, FC and FC-CBJ for all solutions, one check after the other."""

    def __init__(self, n: int, size: int, conflicts: Conflicts) -> None:
        self.n, self.size, self.conflicts = n, size, conflicts
        self.n_checks = self.n_tried = self.n_solutions = 0

    def holds(self, i: int, a: int, k: int, b: int) -> bool:
        """Check two values, i before k, against each constraint on the two."""
        parts = self.conflicts.get((i, k), [])
        self.n_checks += len(parts)
        return all((a, b) not in rows for rows in parts)

    def back_checking(self, values: tuple[int, ...], jumps: bool) -> set[int]:
        """BT or CBJ below some values; the levels that have to do with the end of it."""
        level, culprits = len(values), set[int]()
        if level == self.n:
            self.n_solutions += 1
            return {*range(self.n)}
        for value in range(self.size):
            self.n_tried += 1
            bad = next((i for i in range(level) if not self.holds(i, values[i], level, value)), None)
            if bad is not None:
                culprits.add(bad)
                continue
            below = self.back_checking((*values, value), jumps)
            if jumps and level not in below:
                return below
            culprits |= below - {level}
        return culprits if jumps else {*range(level)}

    def forward_checking(
        self, domains: list[list[int]], pruned_by: list[set[int]], level: int, jumps: bool
    ) -> set[int]:
        """FC or FC-CBJ from a level on; the levels that have to do with the end of it."""
        if level == self.n:
            self.n_solutions += 1
            return {*range(self.n)}
        culprits = set(pruned_by[level])
        for value in domains[level]:
            self.n_tried += 1
            left, reasons = list(domains), list(pruned_by)
            wiped_out = next(self._wipeouts(left, reasons, level, value), None)
            if wiped_out is not None:
                culprits |= reasons[wiped_out] - {level}
                continue
            below = self.forward_checking(left, reasons, level + 1, jumps)
            if jumps and level not in below:
                return below
            culprits |= below - {level}
        return culprits if jumps else {*range(level)}

    def _wipeouts(self, domains: list[list[int]], reasons: list[set[int]], level: int, value: int) -> Iterator[int]:
        for k in range(level + 1, self.n):
            left = [b for b in domains[k] if self.holds(level, value, k, b)]
            if left != domains[k]:
                domains[k], reasons[k] = left, reasons[k] | {level}
            if not left:
                yield k


@given(binary_networks())
@examples(200)
def test_counters_are_those_of_one_check_after_the_other(network: tuple[int, int, Conflicts]) -> None:
    n, size, _ = network
    for backtracking in ("chronological", "cbj"):
        for inference in ("none", "fc"):
            plain = Prosser(*network)
            if inference == "none":
                plain.back_checking((), backtracking == "cbj")
            else:
                plain.forward_checking([[*range(size)]] * n, [set()] * n, 0, backtracking == "cbj")
            options = {
                "inference": inference,
                "backtracking": backtracking,
                "variable_order": "static",
                "counted": "all",
            }
            counters, n_found = searched(problem(*network), **options)
            assert (n_found, counters.values_tried) == (plain.n_solutions, plain.n_tried), options
            assert counters.constraint_checks == plain.n_checks, options

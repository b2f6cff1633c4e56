"""Problems of textbooks and courses, and how a search of them is run here."""

from itertools import combinations
from pathlib import Path

import pytest

from f2csp.model import Problem
from f2csp.search import Configuration, Counters, Search, network_of
from tests.small import problem_of

REFERENCE = Path(__file__).parents[3] / "shared" / "instances"


def reference(path: str) -> Path:
    """A file of the reference data; the test is skipped without it."""
    if not (REFERENCE / path).exists():
        pytest.skip("reference data not present")
    return REFERENCE / path


def searched(problem: Problem, n_wanted: int | None = None, **options: str) -> tuple[Counters, int]:
    """The counters of a search over all variables, and the number of solutions that it found."""
    search = Search(network_of(problem), range(problem.n_variables), Configuration(**options), lambda: False)
    found = search.solutions()
    n_found = 0
    while n_found != n_wanted and next(found, None) is not None:
        n_found += 1
    found.close()
    return search.counters, n_found


def queens(n: int) -> Problem:
    """A queen in each column, ``Q1`` to ``Qn``, in a row that no other queen attacks."""
    rows = range(1, n + 1)
    attacks = [
        (f"reject Q{i} Q{k}", [(a, b) for a in rows for b in rows if abs(a - b) in (0, k - i)])
        for i, k in combinations(rows, 2)
    ]
    return problem_of({f"D: {' '.join(f'Q{i}' for i in rows)}": rows}, *attacks)


def colouring(n_colours: int, *edges: str, alone: str = "") -> Problem:
    """Vertices, by their names, with different colours at the ends of each edge."""
    vertices = sorted({*alone.split(), *" ".join(edges).split()})
    same = [(colour, colour) for colour in range(1, n_colours + 1)]
    colours = range(1, n_colours + 1)
    return problem_of({f"D: {' '.join(vertices)}": colours}, *((f"reject {edge}", same) for edge in edges))


def descending(n: int) -> Problem:
    """A chain of ``n`` variables, each greater than the next."""
    values = range(1, n + 1)
    rises = [(a, b) for a in values for b in values if a <= b]
    tables = [(f"reject V{i} V{i + 1}", rises) for i in range(1, n)]
    return problem_of({f"D: {' '.join(f'V{i}' for i in values)}": values}, *tables)


AUSTRALIA = colouring(
    3, *"WA NT,WA SA,NT SA,NT Q,Q NSW,Q SA,NSW SA,NSW V,SA V".split(","), alone="T"
)  # the order of the variables is that of their names
RING = colouring(2, "V1 V2", "V2 V3", "V3 V4", "V4 V1")

"""Statistics of a problem: its size, the tightness of its tables, and its constraint graph.

The constraint graph is the primal graph: its vertices are the variables, and two of them are adjacent when some scope
contains both.
"""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import components, count_each, data_frame, reduce_each
from f2csp.diagnostics import listed
from f2csp.model import Offsets, Problem, expect_problem
from f2csp.model.views import constraint_graph_edges
from f2csp.text.counter import Counts

if TYPE_CHECKING:
    import pandas

MAX_PAIRS = 5_000_000
"""The largest number of pairs of variables, over all scopes, of a constraint graph: some fifty bytes each."""

_MAX_LISTED_SIZES = 10
_MAX_NUMBER = 1 << 40  # of a value in a sum

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """The least, the mean and the greatest of some numbers."""

    min: float
    mean: float
    max: float


@dataclass(frozen=True, slots=True)
class Stats(Counts):
    """The statistics of a problem.

    Attributes:
        title: the problem's title; its lines are joined by newlines.
        domains: the number of domains.
        variables: the number of variables.
        constraints: the number of constraints.
        accepted_tuples: the tuples of all positive tables; a table counts once for each of its constraints.
        rejected_tuples: the tuples of all negative tables, counted likewise.
        distinct_relations: the number of distinct tables.
        arities: for each arity, ascending, the number of constraints.
        domain_sizes: for each domain size, ascending, the number of variables.
        tightness: over the constraints, the share of forbidden tuples among all tuples over the domains of the scope;
            None without constraints.
        density: edges of the constraint graph by pairs of variables; None for fewer than two variables, and when the
            scopes hold more than ``MAX_PAIRS`` pairs in all.
        degrees: over the variables, the number of adjacent ones; None without variables, and beyond ``MAX_PAIRS``.
        components: the number of connected components of the constraint graph, isolated variables included.
        log10_search_space: the decimal logarithm of the number of all assignments; 0 without variables.
    """

    distinct_relations: int
    arities: dict[int, int]
    domain_sizes: dict[int, int]
    tightness: Spread | None
    density: float | None
    degrees: Spread | None
    components: int
    log10_search_space: float

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with one row; ``tightness`` and ``degrees`` are three columns each.

        Raises:
            MissingExtra: pandas is not installed.
        """
        spreads = {"tightness": self.tightness, "degrees": self.degrees}
        row = {name: value for name, value in asdict(self).items() if name not in spreads}
        for name, spread in spreads.items():
            row |= {f"{name}_{part}": None if spread is None else getattr(spread, part) for part in Spread.__slots__}
        return data_frame([row])

    def labelled(self) -> dict[str, object]:
        """The numbers as lines for people: a label, and what it is."""
        is_large = self.variables > 1
        nothing, no_pairs = ("not computed",) * 2 if is_large else ("no variables", "fewer than two variables")
        return Counts.labelled(self) | {
            "Distinct relations": self.distinct_relations,
            "Domain sizes": _listed(self.domain_sizes, "size", "variables"),
            "Arities": _listed(self.arities, "arity", "constraints"),
            "Tightness": _worded(self.tightness, "no constraints"),
            "Constraint graph density": no_pairs if self.density is None else f"{self.density:.6g}",
            "Constraint graph degrees": _worded(self.degrees, nothing),
            "Constraint graph components": self.components,
            "Log10 of the search space": f"{self.log10_search_space:.6g}",
        }

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        rows = [f"<tr><th>{label}</th><td>{escape(str(value))}</td></tr>" for label, value in self.labelled().items()]
        return f"<table>{''.join(rows)}</table>"


@dataclass(frozen=True, slots=True)
class StructureStats:
    """The structure of a problem in numbers."""

    meanings: dict[str, int]  # for each kind the number of constraints
    all_different: dict[int, int]  # for each size, ascending, the number of all-different groups
    tables: int  # the number of constraints that remain tables
    sums: dict[str, int]  # for each kind of sum in words the number of chains of tables that are one

    def labelled(self) -> dict[str, object]:
        meanings = ", ".join(f"{n} {meaning}" for meaning, n in self.meanings.items())
        sums = [f"{n} times {meaning}" for meaning, n in self.sums.items()]
        return {
            "Meanings": meanings or "no constraints",
            "All-different groups": _listed(self.all_different, "size", "pairs that must differ"),
            **({"Sums": listed(sums, _MAX_LISTED_SIZES, "; ")} if sums else {}),
            "Constraints left as tables": self.tables,
        }


def structure_stats(problem: Problem) -> StructureStats:
    """Count what the tables of a problem say; see :func:`f2csp.structure.recover`."""
    from f2csp.structure import Numbering, recover, with_sums

    model = recover(problem)
    summed = with_sums(model, np.arange(problem.n_variables))
    numbers = Numbering.in_order(problem, _MAX_NUMBER).numbers
    return StructureStats(
        meanings=model.classification.n_of_kinds,
        all_different=_histogram(np.array([len(clique) for clique in model.all_different], dtype=np.int64)),
        tables=len(summed.tables),
        sums=dict(Counter(total.in_words(numbers) for total in summed.sums)),
    )


def stats(problem: Problem) -> Stats:
    """The statistics of a problem.

    Complexity:
        time O((v + s) log v + p log p), memory O(v + s + p) for v variables, scopes of s variables in all, and the
        p <= MAX_PAIRS pairs of variables in them; tables are counted, not read.

    Example:
        >>> from f2csp import generate
        >>> found = stats(generate("queens", size=4))
        >>> found.rejected_tuples, found.tightness.max, found.density, found.components
        (52, 0.625, 1.0, 1)
    """
    expect_problem(problem)
    sizes = problem.domain_sizes[problem.variable_domains]
    arities = np.diff(problem.scope_offsets)
    n, domain_sizes = problem.n_variables, _histogram(sizes)
    degrees = _degrees(problem, arities)
    return Stats(
        title=problem.title,
        domains=problem.n_domains,
        variables=n,
        constraints=problem.n_constraints,
        accepted_tuples=_n_tuples(problem, "Accept"),
        rejected_tuples=_n_tuples(problem, "Reject"),
        distinct_relations=len(problem.relations),
        arities=_histogram(arities),
        domain_sizes=domain_sizes,
        tightness=_spread(_tightness(problem, sizes)),
        density=None if degrees is None or n < 2 else int(degrees.sum()) / (n * (n - 1)),
        degrees=None if degrees is None else _spread(degrees),
        components=_n_components(problem),
        log10_search_space=math.fsum(n * math.log10(size) for size, n in domain_sizes.items()),
    )


def distributions(problem: Problem) -> dict[str, Floats | Offsets | None]:
    """What :func:`stats` sums up: a number for each variable or constraint; None where it is not computed."""
    sizes, arities = problem.domain_sizes[problem.variable_domains], np.diff(problem.scope_offsets)
    return {
        "domain sizes of the variables": sizes,
        "arities of the constraints": arities,
        "degrees in the constraint graph": _degrees(problem, arities),
        "tightness of the constraints": _tightness(problem, sizes),
    }


def _listed(counts: Mapping[int, int], of: str, things: str) -> str:
    if not counts:
        return f"no {things}"
    if len(counts) > _MAX_LISTED_SIZES:
        mean = sum(size * count for size, count in counts.items()) / sum(counts.values())
        return f"{len(counts)} different ones, min {min(counts)}, mean {mean:.6g}, max {max(counts)}"
    return ", ".join(f"{count} of {of} {size}" for size, count in counts.items())


def _worded(spread: Spread | None, nothing: str) -> str:
    return f"min {spread.min:.6g}, mean {spread.mean:.6g}, max {spread.max:.6g}" if spread else nothing


def _histogram(numbers: Offsets) -> dict[int, int]:
    values, counts = np.unique(numbers, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _spread(numbers: Floats | Offsets) -> Spread | None:
    if not len(numbers):
        return None
    least, greatest = numbers.min().item(), numbers.max().item()
    return Spread(least, min(max(float(numbers.mean()), least), greatest), greatest)  # the mean is rounded


def _n_tuples(problem: Problem, kind: str) -> int:
    uses = np.bincount(problem.constraint_relations, minlength=len(problem.relations)).tolist()
    return sum(n * r.n_tuples for n, r in zip(uses, problem.relations, strict=True) if r.kind == kind)


def _tightness(problem: Problem, sizes: Offsets) -> Floats:
    """The share of forbidden tuples, for each constraint."""
    if not problem.n_constraints:
        return np.empty(0)
    with np.errstate(over="ignore"):  # beyond 10^308 tuples any table's share is 0, which is right
        n_possible = reduce_each(np.multiply, sizes[problem.scopes].astype(np.float64), problem.scope_offsets[:-1])
    n_listed = np.array([relation.n_tuples for relation in problem.relations], dtype=np.float64)
    is_negative = np.array([relation.kind == "Reject" for relation in problem.relations])
    listed = n_listed[problem.constraint_relations] / n_possible
    return np.where(is_negative[problem.constraint_relations], listed, 1.0 - listed)


def _degrees(problem: Problem, arities: Offsets) -> Offsets | None:
    """The number of neighbours of each variable; None where that takes more than ``MAX_PAIRS`` pairs."""
    n = problem.n_variables
    if sum(count * (arity * (arity - 1) // 2) for arity, count in _histogram(arities).items()) > MAX_PAIRS:
        return None
    edges = constraint_graph_edges(problem)
    return count_each(edges // n, n) + count_each(edges % n, n) if n else edges


def _n_components(problem: Problem) -> int:
    """The number of connected components; a scope is a chain of its variables here, so that no pairs are needed."""
    is_last = np.zeros(len(problem.scopes), dtype=bool)
    is_last[problem.scope_offsets[1:] - 1] = True
    links = np.flatnonzero(~is_last)
    firsts = components(problem.n_variables, problem.scopes[links], problem.scopes[links + 1])
    return int(np.count_nonzero(firsts == np.arange(problem.n_variables)))

"""What tables mean, many at a time."""

from collections.abc import Iterator

import numpy as np

from f2csp.model import Offsets
from f2csp.structure.arithmetic import parities, sums
from f2csp.structure.comparisons import comparisons
from f2csp.structure.domains import Domains
from f2csp.structure.findings import Findings, Said
from f2csp.structure.functional import functions
from f2csp.structure.meaning import MeaningKind
from f2csp.structure.tables import Tables, n_tuples_over
from f2csp.structure.unary import values


def judge(tables: Tables, known: Domains) -> Findings:
    """What each of some tables of one arity means.

    Complexity:
        time O(a n log n) for tables of n tuples together, of arity a.
    """
    findings = Findings(len(tables))
    if tables.arity == 1:
        findings.hear(values(tables, known), findings.open)
        return findings
    findings.hear(_extremes(tables, known), findings.open)
    if tables.arity == 2:
        findings.hear(comparisons(tables.only(findings.open), known), findings.open)
    for positive, which in _positive(tables, known, findings.open):
        findings.hear((sums if tables.arity == 2 else parities)(positive, known), which)
        findings.hear(functions(positive, known), which)
    return findings


def _extremes(tables: Tables, known: Domains) -> Iterator[Said]:
    """Which tables allow nothing, or everything."""
    lists_none = tables.sizes == 0
    lists_all = tables.sizes == n_tuples_over(tables.domains, known)
    yield MeaningKind.NEVER_TRUE, np.where(tables.are_positive, lists_none, lists_all), 0
    yield MeaningKind.ALWAYS_TRUE, np.where(tables.are_positive, lists_all, lists_none), 0


def _positive(tables: Tables, known: Domains, which: Offsets) -> Iterator[tuple[Tables, Offsets]]:
    """Some of the tables by what they allow; without those that allow more than half of all, which have no meaning."""
    lists_allowed = which[tables.are_positive[which]]
    yield tables.only(lists_allowed), lists_allowed
    rejects_half = tables.sizes >= n_tuples_over(tables.domains, known) / 2
    rejects_most = which[~tables.are_positive[which] & rejects_half[which]]
    yield tables.only(rejects_most).turned(known), rejects_most

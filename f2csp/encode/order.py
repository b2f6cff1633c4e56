"""Comparisons by order literals, each of which says that a variable is at most so large.

Crawford and Baker, "Experimental results on the application of satisfiability algorithms to scheduling problems", 1994;
Tamura et al., "Compiling finite linear CSP into SAT", 2009. Here they are tied to the literals of values, and follow.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

import numpy as np

from f2csp.arrays import by_value
from f2csp.encode.cnf import Cnf, CnfBuilder
from f2csp.encode.draft import Draft
from f2csp.encode.pattern import stamp
from f2csp.model import Offsets
from f2csp.structure import Comparison, MeaningKind

ORDERED = (MeaningKind.LESS, MeaningKind.LESS_OR_EQUAL, MeaningKind.GREATER, MeaningKind.GREATER_OR_EQUAL)
"""The meanings that are told by order literals."""


def write_order(comparisons: Sequence[Comparison], draft: Draft) -> None:
    """Say by order literals which variables are less than others, or equal to them; other comparisons are left."""
    ordered = [one for one in comparisons if one.kind in ORDERED]
    firsts = np.zeros(draft.problem.n_variables, dtype=np.int64)  # the first order literal of each
    variables = np.unique(np.array([(one.first, one.second) for one in ordered], dtype=np.int64))
    numbers = {}
    for domain, places in by_value(draft.problem.variable_domains[variables].astype(np.int64)):
        words = [draft.problem.words[word] for word in draft.problem.domain_values[domain].tolist()]
        numbers[domain] = np.array([int(word) for word in words], dtype=np.int64)
        alike = variables[places]
        values = draft.literals.first[alike][:, None]
        firsts[alike] = stamp(order_pattern(numbers[domain]), [len(words)], values, draft.cnf)
    domains = draft.problem.variable_domains.tolist()
    pairs = defaultdict(list)
    for one in ordered:
        pairs[one.kind, domains[one.first], domains[one.second]].append((one.first, one.second))
    for (kind, first, second), scopes in pairs.items():
        pattern = less_pattern(numbers[first], numbers[second], or_equal=kind == MeaningKind.LESS_OR_EQUAL)
        sizes = [len(numbers[first]) - 1, len(numbers[second]) - 1]
        stamp(pattern, sizes, firsts[np.array(scopes)], draft.cnf)


def order_pattern(numbers: Offsets) -> Cnf:
    """The order literals of a variable: that it is at most its least number, at most the next, ..., the last but one.

    Args:
        numbers: the values of its domain, in the order of this.

    Complexity:
        O(n) clauses for n values.
    """
    cnf = CnfBuilder(len(numbers))
    if len(numbers) > 1:
        values = (np.argsort(numbers) + 1).astype(np.int32)
        at_most = np.arange(len(numbers) - 1, dtype=np.int32) + cnf.new(len(numbers) - 1)
        cnf.add(np.stack((-at_most[:-1], at_most[1:]), axis=1))
        cnf.add(np.stack((-values[:-1], at_most), axis=1))
        cnf.add(np.stack((-values[1:], -at_most), axis=1))
        cnf.add(np.array([[values[0], -at_most[0]], [values[-1], at_most[-1]]], dtype=np.int32))
        cnf.add(np.stack((values[1:-1], -at_most[1:], at_most[:-1]), axis=1))
    return cnf.build()


def less_pattern(first: Offsets, second: Offsets, *, or_equal: bool) -> Cnf:
    """One variable less than another: a pattern over the order literals of the two, not over those of their values.

    Args:
        first: the numbers that the one variable takes.
        second: those that the other takes.
        or_equal: whether they may be equal.

    Complexity:
        O(n) clauses for n values of the second.
    """
    cnf = CnfBuilder(len(first) + len(second) - 2)
    side: Literal["left", "right"] = "right" if or_equal else "left"
    # Where the second is at most its number j, the first is among its n_left[j] least ones.
    n_left = np.searchsorted(np.sort(first), np.sort(second), side=side).astype(np.int32)
    n_ever = int(n_left[-1])
    at_most = np.arange(len(second) - 1, dtype=np.int32) + len(first)
    n_left = n_left[:-1]
    cnf.add(-at_most[n_left == 0][:, None])
    tells = (n_left > 0) & (n_left < len(first))
    cnf.add(np.stack((-at_most[tells], n_left[tells]), axis=1))
    if n_ever == 0:
        cnf.contradict()
    elif n_ever < len(first):
        cnf.add(np.array([[n_ever]], dtype=np.int32))
    return cnf.build()

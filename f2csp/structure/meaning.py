"""What one table means over the domains of its scope.

A table is judged by what it allows, not by how it is written: accepting all unequal pairs is the same as rejecting all
equal ones. Its tuples are distinct and lie in the domains, so they are all the pairs of a kind as soon as each of them
is of that kind and they are as many. No table is spread out over its domains.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod

import numpy as np

from f2csp.model import Offsets, Relation, Value
from f2csp.structure.allowed import allowed_tuples
from f2csp.structure.domains import Domains
from f2csp.validation.keys import has_equal, row_keys

_LARGEST_ADDED = 1 << 61  # so that two of them do not overflow


class MeaningKind(StrEnum):
    """What a table can mean; where several fit, as over small domains, the first of them in this order."""

    NEVER_TRUE = "never true"
    FIXED_VALUE = "fixed value"  # one value is left, also where the domain has no other
    ALWAYS_TRUE = "always true"
    FORBIDDEN_VALUE = "forbidden value"
    EQUAL = "equal"
    DIFFERENT = "different"
    LESS = "less"
    LESS_OR_EQUAL = "less or equal"
    GREATER = "greater"
    GREATER_OR_EQUAL = "greater or equal"
    DIFFERENCE = "difference"  # the first less the second is a constant
    SUM = "sum"  # of two variables, a constant
    XOR = "xor"  # of zeros and ones, an odd number of ones, or an even one
    FUNCTIONAL = "functional"  # one variable follows from the others
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a table means.

    Attributes:
        kind: the meaning; of two variables it is said in the order of the scope.
        value: the value that it speaks of, if it does: the fixed or the forbidden one, a difference, a sum, or the sum
            of zeros and ones modulo 2.
        position: which variable of the scope, from 0, follows from the others, if it speaks of one.
    """

    kind: MeaningKind
    value: Value | None = None
    position: int | None = None


_COMPARISONS = {
    MeaningKind.EQUAL: (np.equal, np.not_equal),
    MeaningKind.DIFFERENT: (np.not_equal, np.equal),
    MeaningKind.LESS: (np.less, np.greater_equal),
    MeaningKind.LESS_OR_EQUAL: (np.less_equal, np.greater),
    MeaningKind.GREATER: (np.greater, np.less_equal),
    MeaningKind.GREATER_OR_EQUAL: (np.greater_equal, np.less),
}
"""What holds of the allowed pairs, and what of the forbidden ones."""

_UNORDERED = (MeaningKind.EQUAL, MeaningKind.DIFFERENT)


def meaning(relation: Relation, scope: Sequence[int], domains: Domains) -> Meaning:
    """What a table means.

    Args:
        relation: the table.
        scope: the domain of each variable.
        domains: what these are.

    Complexity:
        time O(n) for a table of n tuples, besides what is counted once for two domains.
    """
    if relation.arity == 1:
        return _unary(relation, scope[0], domains)
    if relation.n_tuples == 0:
        return Meaning(MeaningKind.ALWAYS_TRUE if relation.kind == "Reject" else MeaningKind.NEVER_TRUE)
    if relation.arity == 2:
        kind = _binary(relation, scope[0], scope[1], domains)
        if kind != MeaningKind.OTHER:
            return Meaning(kind)
    return _of_allowed(relation, scope, domains)


def _unary(relation: Relation, domain: int, domains: Domains) -> Meaning:
    size = domains.size(domain)
    accepts = relation.kind == "Accept"
    n_allowed = relation.n_tuples if accepts else size - relation.n_tuples
    if n_allowed == 0:
        return Meaning(MeaningKind.NEVER_TRUE)
    if n_allowed == 1:
        return Meaning(MeaningKind.FIXED_VALUE, _single(relation, domain, domains, is_listed=accepts))
    if n_allowed == size:
        return Meaning(MeaningKind.ALWAYS_TRUE)
    if n_allowed == size - 1:
        return Meaning(MeaningKind.FORBIDDEN_VALUE, _single(relation, domain, domains, is_listed=not accepts))
    return Meaning(MeaningKind.OTHER)


def _single(relation: Relation, domain: int, domains: Domains, *, is_listed: bool) -> Value:
    """The only value in a table, or the only one of the domain that is not in it."""
    listed = relation.tuples[:, 0]
    words = listed if is_listed else np.setdiff1d(domains.words(domain), listed)
    return domains.value(domain, int(words[0]))


def _binary(relation: Relation, first: int, second: int, domains: Domains) -> MeaningKind:
    accepts = relation.kind == "Accept"
    n_pairs = domains.size(first) * domains.size(second)
    if relation.n_tuples == n_pairs:
        return MeaningKind.ALWAYS_TRUE if accepts else MeaningKind.NEVER_TRUE
    n_equal, n_less, n_greater = domains.pair_counts(first, second)
    n_of = {
        np.equal: n_equal,
        np.not_equal: n_pairs - n_equal,
        np.less: n_less,
        np.less_equal: n_less + n_equal,
        np.greater: n_greater,
        np.greater_equal: n_greater + n_equal,
    }
    are_ordered = domains.are_integer(first, second)
    pairs = domains.numbers(relation.tuples) if are_ordered else relation.tuples
    for kind in _COMPARISONS if are_ordered else _UNORDERED:
        of_allowed, of_forbidden = _COMPARISONS[kind]
        listed = of_allowed if accepts else of_forbidden
        if relation.n_tuples == n_of[listed] and listed(pairs[:, 0], pairs[:, 1]).all():
            return kind
    return MeaningKind.OTHER


def _of_allowed(relation: Relation, scope: Sequence[int], domains: Domains) -> Meaning:
    """What the list of the allowed tuples means; a table that rejects few has none of these meanings."""
    n_all = prod(domains.size(domain) for domain in scope)
    if relation.kind == "Reject" and n_all > 2 * relation.n_tuples:
        return Meaning(MeaningKind.OTHER)
    allowed = allowed_tuples(relation, [domains.words(domain) for domain in scope])
    if allowed is None:
        return Meaning(MeaningKind.OTHER)
    if len(allowed) in (0, n_all):
        return Meaning(MeaningKind.ALWAYS_TRUE if len(allowed) else MeaningKind.NEVER_TRUE)
    if domains.are_integer(*scope):
        found = _arithmetic(domains.numbers(allowed), scope, domains)
        if found is not None:
            return found
    for position in reversed(range(relation.arity)):
        if not has_equal(row_keys(np.delete(allowed, position, axis=1).T)):
            return Meaning(MeaningKind.FUNCTIONAL, position=position)
    return Meaning(MeaningKind.OTHER)


def _arithmetic(allowed: Offsets, scope: Sequence[int], domains: Domains) -> Meaning | None:
    """A sum or a difference that is constant, or a parity; the tuples must be all that there are over the domains."""
    if (allowed < -_LARGEST_ADDED).any() or (allowed > _LARGEST_ADDED).any():
        return None
    if len(scope) == 2:
        first, second = allowed.T
        for kind, combined, sign in (
            (MeaningKind.DIFFERENCE, first - second, -1),
            (MeaningKind.SUM, first + second, 1),
        ):
            constant = int(combined[0])
            is_constant = bool((combined == constant).all())
            if is_constant and len(allowed) == domains.n_pairs_with(scope[0], scope[1], sign, constant):
                return Meaning(kind, constant)
        return None
    parities = allowed.sum(axis=1) % 2
    are_binary = all(domains.holds_zero_and_one(domain) for domain in scope)
    if are_binary and len(allowed) == 1 << (len(scope) - 1) and (parities == parities[0]).all():
        return Meaning(MeaningKind.XOR, int(parities[0]))
    return None

"""Constraints that are no groups of different values: what they leave of the values of their variables, alone.

Constraints that share auxiliary variables, such as the partial sums of a cage, are one rule; the values of these
variables are the rule's own business. A rule works on bits: those of its variables' values end to end.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from math import comb, prod

import numpy as np

from f2csp.model import Ids, Relation
from f2csp.model.linear_sums import LinearSum
from f2csp.structure import ConstraintKind, ConstraintModel, linked, supports

Weights = tuple[tuple[int, int], ...]
"""The bits of values, each with what it adds to a sum."""

Masks = tuple[int, ...]
"""For each variable of a rule the bits of its values."""

_MAX_KEPT = 1 << 12  # results of a rule
_MAX_CASES = 1 << 8
_MAX_SETS = 1 << 13  # of different values of a sum
_COMPARED = {ConstraintKind[name] for name in ("EQUAL", "LESS", "LESS_OR_EQUAL", "GREATER", "GREATER_OR_EQUAL")}
_ADDED = {ConstraintKind.SUM, ConstraintKind.DIFFERENCE}
_Filter = Callable[[int], int]
"""Of the bits of a rule those that one of its tables supports."""


@dataclass(frozen=True, slots=True, eq=False)
class LocalRule:
    """What some constraints require of their variables, apart from auxiliary ones.

    Attributes:
        technique: the name of what a person does with it.
        variables: the variables that it is about, in the order of the scope if it is one constraint.
        constraints: their indices.
    """

    technique: str
    variables: tuple[int, ...]
    constraints: tuple[int, ...]
    _shifts: tuple[int, ...]
    _width: int  # of the bits of a variable
    _hidden: int  # the bits of auxiliary variables
    _filters: tuple[_Filter, ...]
    total: int | None = None  # the sum of the variables, if they differ and a value weighs the same for all of them
    weights: Weights = ()
    words: str = ""  # what it requires, if that is no rule of a puzzle
    _kept: dict[Masks, Masks] = field(default_factory=dict)

    def supported(self, domains: Masks) -> Masks:
        """The values that the rule leaves of some domains."""
        if domains not in self._kept:
            if len(self._kept) >= _MAX_KEPT:
                self._kept.clear()
            left, before = self._hidden, -1
            for shift, values in zip(self._shifts, domains, strict=True):
                left |= values << shift
            while left != before:
                before = left
                for narrow in (*self._filters, *self._filters[-2::-1]):  # to the end of a chain and back
                    left = narrow(left)
            full = (1 << self._width) - 1
            self._kept[domains] = tuple([left >> shift & full for shift in self._shifts])
        return self._kept[domains]


class JointRules:
    """A rule together with those on some of its variables: what all of them leave, by cases."""

    def __init__(self, rule: LocalRule, others: Iterable[LocalRule]) -> None:
        self.rule = rule
        position = {v: i for i, v in enumerate(rule.variables)}
        within = [other for other in others if other is not rule and position.keys() >= {*other.variables}]
        self.others = [(other, [position[v] for v in other.variables]) for other in within]
        self._kept: dict[Masks, Masks] = {}

    def supported(self, domains: Masks) -> Masks:
        """The values that occur in a case; all of them if there are too many cases."""
        if domains not in self._kept:
            found = [0] * len(domains)
            cases = iter(range(_MAX_CASES))
            is_done = self._search(domains, found, cases)
            self._kept[domains] = tuple(found) if is_done else domains
        return self._kept[domains]

    def _search(self, domains: Masks, found: list[int], cases: Iterator[int]) -> bool:
        """Find the cases with values that were not found; false if there are too many."""
        before: Masks = ()
        while domains != before and all(domains):
            before = domains
            current = [*self.rule.supported(domains)]
            for other, places in self.others:
                left = other.supported(tuple([current[i] for i in places]))
                for i, values in zip(places, left, strict=True):
                    current[i] = values
            domains = tuple(current)
        if not all(domains) or not any(new & ~old for new, old in zip(domains, found, strict=True)):
            return True
        if next(cases, None) is None:
            return False
        branch = next((i for i, values in enumerate(domains) if values.bit_count() > 1), None)
        if branch is None:
            found[:] = [old | new for old, new in zip(found, domains, strict=True)]
            return True
        before, after = domains[:branch], domains[branch + 1 :]
        choices = [1 << bit for bit in range(domains[branch].bit_length()) if domains[branch] >> bit & 1]
        return all(self._search((*before, choice, *after), found, cases) for choice in choices)


def local_rules(
    model: ConstraintModel, own: Mapping[int, int], word_bits: Mapping[int, int], of_tables: str
) -> Iterator[LocalRule]:
    """The rules of a model.

    Args:
        model: the constraint model.
        own: the variables that are not auxiliary, each with its number in rules.
        word_bits: for each word that these can have the bit that it is in a domain.
        of_tables: the technique of tables that are nothing else, if they have a name.
    """
    problem = model.problem
    left_out = model.classification.are(ConstraintKind.DIFFERENT, ConstraintKind.ALWAYS_TRUE)
    constraints = [c for c in np.flatnonzero(~left_out).tolist() if len(problem.scope(c)) > 1]
    width = len(word_bits)

    own_bits = [{word: bit for bit, word in enumerate(words.tolist())} for words in problem.domain_values]

    @cache
    def filter_of(relation: int, slots: tuple[tuple[int, int], ...], are_different: bool) -> _Filter:
        bits = [(word_bits if domain < 0 else own_bits[domain], shift) for domain, shift in slots]
        columns = [{word: 1 << shift + bit for word, bit in of.items()} for of, shift in bits]
        domains = [np.array(sorted(of), dtype=np.int32) for of, _ in bits]
        return _filter(problem.relations[relation], domains, columns, are_different)

    for group, known in linked(problem, constraints, {*range(problem.n_variables)} - own.keys()):
        scopes = [problem.scope(c).tolist() for c in group]
        variables = list(dict.fromkeys(v for scope in scopes for v in scope))
        visible = [v for v in variables if v in own]
        slots, shift, mask = {v: (-1, i * width) for i, v in enumerate(visible)}, len(visible) * width, 0
        for v in variables:
            if v not in own:
                domain = int(problem.variable_domains[v])
                slots[v] = domain, shift
                size = len(problem.domain_values[domain])
                mask |= (1 << size) - 1 << shift
                shift += size
        relations = problem.constraint_relations[group].tolist()
        are_different = any({*visible} <= {*differ} for differ in model.all_different)
        of_own = are_different and visible == variables
        filters = [filter_of(r, tuple([slots[v] for v in s]), of_own) for r, s in zip(relations, scopes, strict=True)]
        kinds = {model.classification[c].kind for c in group}
        weights, ranges = _common_weights(known, visible, word_bits) if known else ((), ())
        if kinds == {ConstraintKind.SUM} and len(group) == 1:
            words = {word for v in visible for word in model.values[v].tolist()}
            weights = tuple([(1 << word_bits[word], int(problem.words[word])) for word in sorted(words)])
            ranges = ((value := int(model.classification[group[0]].value or 0), value),)
        if weights and are_different:
            filters += _distinct_sum(len(visible), ranges, weights, width)
        total = ranges[0][0] if len(ranges) == 1 and ranges[0][0] == ranges[0][1] else None
        is_binary = all(len(model.values[v]) <= 2 for v in visible)
        if known or kinds <= _ADDED:
            technique = "full count" if is_binary else "sum combinations"
        elif kinds <= _COMPARED:
            technique = "comparison"
        elif len(group) > 1:
            is_clause = any(problem.relations[r].kind == "Reject" for r in relations)
            technique = of_tables or "rule" if not is_binary else "equal lines" if is_clause else "line solving"
        elif _is_not_all_equal(problem.relations[relations[0]]):
            technique = f"{'three' if len(visible) == 3 else 'all'} alike"
        else:
            technique = of_tables or "value without support"
        shifts = tuple([slots[v][1] for v in visible])
        numbers = tuple([own[v] for v in visible])
        yield LocalRule(technique, numbers, tuple(group), shifts, width, mask, tuple(filters), total, weights)


def _is_not_all_equal(relation: Relation) -> bool:
    rows = relation.tuples
    return relation.kind == "Reject" and relation.arity > 2 and bool((rows == rows[:, :1]).all())


def _filter(
    relation: Relation, domains: Sequence[Ids], columns: Sequence[Mapping[int, int]], are_different: bool
) -> _Filter:
    scope = sum(sum(column.values()) for column in columns)
    is_rejected = relation.kind == "Reject" and relation.n_tuples <= prod(map(len, domains)) // 2
    listed = relation.tuples if is_rejected else supports(relation, domains)
    rows = [] if listed is None else listed.tolist()
    known = [row for row in rows if all(word in column for word, column in zip(row, columns, strict=True))]
    if are_different and not is_rejected:
        known = [row for row in known if len({*row}) == len(row)]
    tuples = [[column[word] for word, column in zip(row, columns, strict=True)] for row in known]
    masks = list(map(sum, tuples))

    def accept(left: int) -> int:
        found = 0
        for mask in masks:
            if mask & left == mask:
                found |= mask
        return left & (found | ~scope)

    def reject(left: int) -> int:
        sizes = [(left & sum(column.values())).bit_count() for column in columns]
        n_rejected = Counter(
            (bit, position)
            for mask, bits in zip(masks, tuples, strict=True)
            if mask & left == mask
            for position, bit in enumerate(bits)
        )
        for (bit, position), n in n_rejected.items():
            if n == prod(sizes[:position]) * prod(sizes[position + 1 :]):
                left &= ~bit
        return left

    return (lambda left: left) if listed is None else reject if is_rejected else accept


def remainder(
    variables: tuple[int, ...], total: int, weights: Weights, width: int, constraints: tuple[int, ...], words: str
) -> LocalRule:
    """Different variables whose sum is known from other sums."""
    filters = tuple(_distinct_sum(len(variables), ((total, total),), weights, width))
    shifts = tuple([i * width for i in range(len(variables))])
    return LocalRule("innies and outies", variables, constraints, shifts, width, 0, filters, words=words)


def _common_weights(
    known: LinearSum, visible: Sequence[int], word_bits: Mapping[int, int]
) -> tuple[Weights, tuple[tuple[int, int], ...]]:
    """The weights of the values, if they are the same for all variables, and the ranges of their sum; else nothing."""
    weights = [dict(zip(term.words.tolist(), term.weights.tolist(), strict=True)) for term in known.terms]
    n, ranges = known.ranges[-1]
    if n < len(visible) or any(other != weights[0] for other in weights):
        return (), ()
    return tuple([(1 << word_bits[word], weight) for word, weight in weights[0].items()]), tuple(ranges)


def _distinct_sum(n: int, ranges: tuple[tuple[int, int], ...], weights: Weights, width: int) -> Iterator[_Filter]:
    """A filter for different values with a sum."""
    if comb(width, n) > _MAX_SETS:
        return
    full = (1 << width) - 1
    usable = _usable(n, ranges, weights)

    def narrow(left: int) -> int:
        domains = [left >> i * width & full for i in range(n)]
        found = [0] * n

        @cache
        def extends(i: int, used: int) -> bool:
            if i == n:
                return True
            rest, is_extended = domains[i] & ~used, False
            while rest:
                bit = rest & -rest
                rest ^= bit
                if used | bit in usable and extends(i + 1, used | bit):
                    found[i] |= bit
                    is_extended = True
            return is_extended

        extends(0, 0)
        others = left >> n * width << n * width
        return others | sum(values << i * width for i, values in enumerate(found))

    yield narrow


@lru_cache(maxsize=1 << 10)
def _usable(n: int, ranges: tuple[tuple[int, int], ...], weights: Weights) -> frozenset[int]:
    """The sets of values, as bits, that some more make n different values with a sum in the ranges."""
    sums = {sum(bit for bit, _ in some): sum(weight for _, weight in some) for some in combinations(weights, n)}
    level = {values for values, total in sums.items() if any(low <= total <= high for low, high in ranges)}
    found = {*level}
    for _ in range(n):
        level = {values ^ bit for values in level for bit, _ in weights if values & bit}
        found |= level
    return frozenset(found)

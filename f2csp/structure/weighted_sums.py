"""Recovery of sums from chains of tables: ``(x, y, s2) (s2, z, s3) (s3, u)`` as ``x + 2*y + z + u <= 9``.

A chain is a path of tables that share state variables, each of them in two constraints and no more; from a state and
the value of the variable that it reads, each table gives the next state (``model/automaton.py``). It is a sum if there
are weights of the values such that the state depends on the sum of the weights so far. The weights are guessed from the
values of the state variables. Then the sums of all sequences are enumerated, layer by layer: the guess is right if no
sum leads to two states. State variables follow from the sums, and an engine does not need them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import gcd
from typing import NamedTuple

import numpy as np

from f2csp.arrays import Bools, has_equal
from f2csp.model import Ids, Offsets, Problem
from f2csp.model.words import is_auxiliary
from f2csp.structure.numbering import Numbering

_LARGEST = 1 << 20  # number of a state or a value in a guess
_MAX_SUMS = 1 << 20  # of one layer, with repetitions
_MAX_RANGES = 100
_MAX_WEIGHT = 1 << 40
_MIN_TABLES, _MAX_ARITY = 2, 3
_UNIT = 720720  # a multiple of the factors up to 16, and so of most ratios of factors
_END = -1  # the state before the first variable and that after the last one
_DEAD = -2  # the state of sums that lead to no accepted end

Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Term:
    """What the values of a variable add to a sum; it has no other values."""

    words: Ids  # ascending
    weights: Offsets

    def line(self, numbers: Offsets) -> tuple[int, int] | None:
        """The factor and the constant, if the weights are a linear function of the numbers of the words."""
        x, weights = numbers[self.words], self.weights
        factor = int(weights[-1] - weights[0]) // int(x[-1] - x[0]) if len(x) > 1 else 0
        constant = int(weights[0]) - factor * int(x[0])
        return (factor, constant) if np.array_equal(weights, factor * x + constant) else None


class _Partial(NamedTuple):
    """The sums of the first terms of a sum, and for each of them the word of the state variable."""

    sums: Offsets  # ascending
    states: Ids


@dataclass(frozen=True, slots=True)
class _Form:
    """A sum without its variables."""

    terms: tuple[Term, ...]
    ranges: tuple[tuple[int, Ranges], ...]  # for numbers of first terms
    partials: tuple[_Partial, ...]


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """Constraints that together say that sums of the first ``n`` terms, as a rule of all, are in some ranges."""

    variables: tuple[int, ...]
    terms: tuple[Term, ...]  # one for each variable
    ranges: tuple[tuple[int, Ranges], ...]  # each with its n; ascending
    constraints: tuple[int, ...]
    states: tuple[tuple[int, int, _Partial], ...]  # variables that are in no other constraint, each with its n

    def in_words(self, numbers: Offsets) -> str:
        """The sum, such as "sum of 9 variables = 45"; ``numbers`` are those of the words."""
        n = len(self.variables)
        lines = [term.line(numbers) for term in self.terms]
        is_count = all(len(np.unique(term.weights)) <= 2 for term in self.terms)
        if all(line is not None and line[0] == 1 for line in lines):
            noun = "sum"
        else:
            noun = "count" if is_count and None in lines else "weighted sum"
        shift = sum(line[1] if line else int(term.weights.min()) for line, term in zip(lines, self.terms, strict=True))
        least, most = (sum(int(extreme(term.weights)) for term in self.terms) for extreme in (np.min, np.max))
        of_all = [ranges for n_terms, ranges in self.ranges if n_terms == n]
        ((low, high), *others) = of_all[0] if of_all else ((least, most),)
        if others:
            return f"{noun} of {n} variables in {1 + len(others)} ranges"
        if low == high:
            return f"{noun} of {n} variables = {low - shift}"
        bounds = [f"{low - shift} <="] * (low > least), [f"<= {high - shift}"] * (high < most)
        return " ".join([*bounds[0], f"{noun} of {n} variables", *bounds[1]])

    def complete(self, words: list[int]) -> None:
        """Set the state variables of an assignment."""
        added = [
            int(term.weights[np.searchsorted(term.words, words[variable])])
            for variable, term in zip(self.variables, self.terms, strict=True)
        ]
        for state, n, partial in self.states:
            words[state] = int(partial.states[np.searchsorted(partial.sums, sum(added[:n]))])


def weighted_sums(problem: Problem, kept: Offsets) -> Iterator[WeightedSum]:
    """The chains of tables that are sums; the variables to keep are none of their state variables."""
    numbers = np.append(Numbering.in_order(problem, _LARGEST).numbers, 0)  # the last one is that of _END
    known: dict[tuple[tuple[int, ...], ...], _Form | None] = {}
    for path in _paths(problem, kept):
        for steps in (path, [step.reversed() for step in reversed(path)]):
            key = tuple((int(problem.constraint_relations[one.constraint]), *one.positions) for one in steps)
            if key not in known:
                known[key] = _form([_layer(problem, one) for one in steps], numbers)
            if (form := known[key]) is None:
                continue
            yield _on_variables(form, problem, steps)
            break


# ---- Paths -----------------------------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """A table of a chain: the positions in its scope of a state variable, of what it reads, and of the next state."""

    constraint: int
    positions: tuple[int, int, int]  # _END for no state variable

    def reversed(self) -> "_Step":
        return _Step(self.constraint, self.positions[::-1])


def _paths(problem: Problem, kept: Offsets) -> Iterator[list[_Step]]:
    """The paths of two or more tables, each of which shares a variable with the next one."""
    neighbours = _neighbours(problem, kept)
    visited: set[int] = set()
    for first, links in neighbours.items():
        if first in visited or len(links) != 1:
            continue
        before, constraint, path = -1, first, []
        while constraint not in visited:
            visited.add(constraint)
            scope, links = problem.scope(constraint).tolist(), neighbours[constraint]
            after = next((variable for variable in links if variable != before), -1)
            shared = {before, after}
            reads = [i for i, variable in enumerate(scope) if variable not in shared]
            ends = [scope.index(one) if one >= 0 else _END for one in (before, after)]
            if len(reads) > 1:  # the end of a chain, where one of them is what the state depends on
                ends[ends.index(_END)] = reads.pop(0 if before < 0 else -1)
            path.append(_Step(constraint, (ends[0], reads[0], ends[1])))
            if after >= 0:
                before, constraint = after, links[after]
        if len(path) >= _MIN_TABLES:
            yield path


def _neighbours(problem: Problem, kept: Offsets) -> dict[int, dict[int, int]]:
    """For each table of a chain the state variables in it, each with the other table that it is in."""
    arities = np.diff(problem.scope_offsets)
    accepts = np.array([relation.kind == "Accept" for relation in problem.relations], dtype=np.bool_)
    fits = accepts[problem.constraint_relations] & (arities > 1) & (arities <= _MAX_ARITY)
    n_in_tables = np.bincount(problem.scopes[np.repeat(fits, arities)], minlength=problem.n_variables)
    n_in_all = np.bincount(problem.scopes, minlength=problem.n_variables)
    is_state = (n_in_tables == n_in_all) & (n_in_all == 2)
    is_state[kept] = False
    has_state = np.diff(np.concatenate(([0], np.cumsum(is_state[problem.scopes])))[problem.scope_offsets]) > 0
    named = np.fromiter(map(is_auxiliary, problem.variable_names), np.bool_, problem.n_variables)
    linked: dict[int, list[int]] = {}
    scopes: dict[int, list[int]] = {}
    for constraint in np.flatnonzero(fits & has_state).tolist():
        scope = problem.scope(constraint)
        states = scope[is_state[scope]]
        if len(states) > 1 and len(states) == len(scope):
            states = states[named[states]]
        scopes[constraint] = states.tolist() if len(states) < len(scope) else []
        for variable in scopes[constraint]:
            linked.setdefault(variable, []).append(constraint)
    return {
        constraint: {v: sum(linked[v]) - constraint for v in states if len(linked[v]) > 1}
        for constraint, states in scopes.items()
        if states
    }


def _on_variables(form: _Form, problem: Problem, steps: Sequence[_Step]) -> WeightedSum:
    scopes = [problem.scope(step.constraint).tolist() for step in steps]
    (first, _, _), (_, _, last) = steps[0].positions, steps[-1].positions
    variables = [scope[step.positions[1]] for scope, step in zip(scopes, steps, strict=True)]
    states = [scope[step.positions[2]] for scope, step in zip(scopes[:-1], steps[:-1], strict=True)]
    if first != _END:
        variables.insert(0, scopes[0][first])
    if last != _END:
        variables.append(scopes[-1][last])
    numbered = enumerate(zip(states, form.partials[first != _END :], strict=False), 1 + (first != _END))
    return WeightedSum(
        variables=tuple(variables),
        terms=form.terms,
        ranges=form.ranges,
        constraints=tuple(step.constraint for step in steps),
        states=tuple((state, n, partial) for n, (state, partial) in numbered),
    )


# ---- Weights ---------------------------------------------------------------------------------------------------------


class _Layer(NamedTuple):
    """The tuples of a table: a state, the value that is read, and the next state, as indices of words."""

    before: Ids
    read: Ids
    after: Ids


def _layer(problem: Problem, step: _Step) -> _Layer:
    tuples = problem.relations[int(problem.constraint_relations[step.constraint])].tuples
    end = np.full(len(tuples), _END, dtype=np.int32)
    return _Layer(*[end if position == _END else tuples[:, position] for position in step.positions])


def _form(layers: Sequence[_Layer], numbers: Offsets) -> _Form | None:
    """The sum that a chain is, if one of the guesses is right."""
    if not all(len(layer.read) for layer in layers):
        return None
    first, last = np.unique(layers[0].before), np.unique(layers[-1].after)
    if first[0] != _END:  # a variable at an end is read on its own
        layers = [_Layer(np.full_like(first, _END), first, first), *layers]
    if last[0] != _END:
        layers = [*layers, _Layer(last, last, np.full_like(last, _END))]
    guesses: dict[bytes, tuple[Term, ...]] = {}
    for terms in _guesses(layers, numbers):
        key = b"".join(term.weights.tobytes() for term in terms)
        if key not in guesses and (form := _verified(layers, terms, len(numbers), drops_dead=False)) is not None:
            return form
        guesses[key] = terms
    found = (_verified(layers, terms, len(numbers), drops_dead=True) for terms in guesses.values())
    return next((form for form in found if form is not None), None)


def _guesses(layers: Sequence[_Layer], numbers: Offsets) -> Iterator[tuple[Term, ...]]:
    """The difference of the states as the weight of a value; where states were merged, the extreme or linear one."""
    for is_renamed in (False, True):
        spelt = [(numbers[layer.before], numbers[layer.after]) for layer in layers]
        found = _potentials(layers, numbers) if is_renamed else spelt
        differences = [after - before for before, after in found]
        for extreme, last in product((np.maximum, np.minimum), repeat=2) if found else ():
            raw = [_term(layer.read, some, extreme) for layer, some in zip(layers, differences, strict=True)]
            raw[-1] = _term(layers[-1].read, differences[-1], last)
            yield tuple(_straightened(term, numbers) for term in raw)
            yield tuple(raw)


def _term(read: Ids, differences: Offsets, extreme: np.ufunc) -> Term:
    order = np.argsort(read, kind="stable")
    words, starts = np.unique(read[order], return_index=True)
    return Term(words, extreme.reduceat(differences[order], starts))


def _straightened(term: Term, numbers: Offsets) -> Term:
    """Weights on a line through most of them."""
    order = np.argsort(numbers[term.words])
    x, weights = numbers[term.words][order], term.weights[order]
    if len(x) == 1:
        return term
    factor = _commonest(np.diff(weights) // np.diff(x))
    return Term(term.words, factor * numbers[term.words] + _commonest(weights - factor * x))


def _commonest(numbers: Offsets) -> int:
    values, counts = np.unique(numbers, return_counts=True)
    return int(values[np.argmax(counts)])


def _potentials(layers: Sequence[_Layer], numbers: Offsets) -> list[tuple[Offsets, Offsets]]:
    """Numbers of the states before and after, if factors follow from them: states may have any names."""
    of_state = np.zeros(len(numbers), dtype=np.int64)
    found = []
    factor = _UNIT
    for i, layer in enumerate(layers):
        before, read = of_state[layer.before], numbers[layer.read]
        if i:
            order = np.argsort(layer.after, kind="stable")
            one, other = order[:-1], order[1:]
            pairs = np.flatnonzero((layer.after[one] == layer.after[other]) & (read[one] != read[other]))
            if not len(pairs):
                return []
            one, other = one[pairs[0]], other[pairs[0]]
            factor = (int(before[one]) - int(before[other])) // int(read[other] - read[one])
            if abs(factor) > _UNIT * _MAX_WEIGHT:
                return []
        after = before + factor * read
        of_state = np.zeros(len(numbers), dtype=np.int64)
        of_state[layer.after] = after
        found.append((before, of_state[layer.after]))
    divisor = gcd(*[int(np.gcd.reduce(one)) for pair in found for one in pair]) or 1
    return [(before // divisor, after // divisor) for before, after in found]


# ---- Proof -----------------------------------------------------------------------------------------------------------


def _verified(layers: Sequence[_Layer], terms: tuple[Term, ...], n_words: int, *, drops_dead: bool) -> _Form | None:
    """The sum with these terms, or None if a chain is not this sum.

    A state that leads to no end may be reached by a sum that leads to one on another way. It is dropped then, and the
    sum of the terms up to it has ranges, too.
    """
    if max(int(np.abs(term.weights).max()) for term in terms) > _MAX_WEIGHT:
        return None
    sums, states = np.zeros(1, dtype=np.int64), np.full(1, _END, dtype=np.int64)
    ranges: list[tuple[int, Ranges]] = []
    partials = []
    for n, (layer, term) in enumerate(zip(layers, terms, strict=True), 1):
        keys = layer.before.astype(np.int64) * n_words + layer.read
        order = np.argsort(keys)
        if has_equal(keys[order]) or len(sums) * len(term.words) > _MAX_SUMS:
            return None
        wanted = (states[:, None] * n_words + term.words).ravel()
        places = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(order) - 1)]
        after = np.where(keys[places] == wanted, layer.after[places], _DEAD).astype(np.int64)
        added = (sums[:, None] + term.weights).ravel()
        order = np.lexsort((after, added))
        added, after = added[order], after[order]
        is_new = np.append(True, added[1:] != added[:-1])
        if np.any(after[1:][~is_new[1:]] != after[:-1][~is_new[1:]]):
            return None
        sums, states = added[is_new], after[is_new]
        is_alive = states != _DEAD
        if not is_alive.any():
            return None
        if not is_alive.all() and (drops_dead or n == len(layers)):
            ranges.append((n, _ranges(sums, is_alive)))
            if drops_dead:
                sums, states = sums[is_alive], states[is_alive]
        partials.append(_Partial(sums, states.astype(np.int32)))
    return _Form(terms, tuple(ranges), tuple(partials)) if all(len(one) <= _MAX_RANGES for _, one in ranges) else None


def _ranges(sums: Offsets, is_alive: Bools) -> Ranges:
    """The ranges of the sums that are alive, among all sums."""
    edges = np.diff(np.concatenate(([False], is_alive, [False])).astype(np.int8))
    firsts, lasts = sums[np.flatnonzero(edges == 1)], sums[np.flatnonzero(edges == -1) - 1]
    return tuple(zip(firsts.tolist(), lasts.tolist(), strict=True))

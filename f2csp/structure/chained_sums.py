"""Sums in chains of tables of which nothing is known: ``(x, y, s2) (s2, z, s3) (s3, u)`` as ``x + 2*y + z + u <= 9``.

A chain is a path of tables that share state variables, each of them in two tables and in nothing else; from a state and
the value of a variable, each table gives the next state. The weights of the values are guessed: states are spelled as
partial sums. Then all partial sums are enumerated, layer by layer: the guess is right if no sum leads to two states.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from f2csp.arrays import components, grouped, repeat_each
from f2csp.model import Ids, Problem
from f2csp.model.linear_sums import MAX_WEIGHT, LinearSum, Ranges, Term
from f2csp.model.words import is_auxiliary, is_integer

_MAX_SUMS = 1 << 18  # of one layer, with repetitions
_MAX_RANGES = 100
_MAX_ARITY = 3
_END, _DEAD = -1, -2  # no state variable; the state of a sum that leads to no accepted end

_Weights = dict[int, int]  # of words


class _Layer(NamedTuple):
    """A table of a chain: the state variables before and after, or ``_END``, and the variable that it reads."""

    constraint: int
    before: int
    read: int
    after: int


def linked(
    problem: Problem, constraints: Sequence[int], variables: Collection[int]
) -> Iterator[tuple[list[int], LinearSum | None]]:
    """The constraints that some variables connect, group by group, and others alone; with the sums that they are."""
    links = {c: [v for v in problem.scope(c).tolist() if v in variables] for c in constraints}
    pairs = [pair for some in links.values() for pair in pairwise(some)]
    leader = components(problem.n_variables, *np.array(pairs, dtype=np.int64).reshape(-1, 2).T).tolist()
    groups = grouped((leader[some[0]] if some else -1 - c, c) for c, some in links.items())
    sums = {tuple(sorted(known.constraints)): known for known in known_sums(problem)}
    yield from ((group, sums.get(tuple(group))) for group in groups.values())


def known_sums(problem: Problem) -> tuple[LinearSum, ...]:
    """The sums that are known of a problem; if there are none, those that are found in its chains of tables."""
    if problem.sums:
        return problem.sums
    numbers = [int(word) if is_integer(word) else 0 for word in problem.words]
    forms: dict[object, tuple[list[_Weights], tuple[tuple[int, Ranges], ...]] | None] = {}
    sums = []
    for layers in _chains(problem):
        relations = [int(problem.constraint_relations[layer.constraint]) for layer in layers]
        scopes = [problem.scope(layer.constraint).tolist() for layer in layers]
        key = (*relations, *(tuple(map(layer[1:].index, scope)) for layer, scope in zip(layers, scopes, strict=True)))
        if key not in forms:
            forms[key] = _form(problem, layers, numbers, max) or _form(problem, layers, numbers, min)
        form = forms[key]
        if form is not None and all(abs(number) <= MAX_WEIGHT for term in form[0] for number in term.values()):
            weights, ranges = form
            starts_itself = len(weights) > len(layers)
            variables = [layers[0].before] * starts_itself + [layer.read for layer in layers]
            terms = tuple(map(_term, weights))
            constraints, states = zip(*[(layer.constraint, layer.after) for layer in layers], strict=True)
            sums.append(LinearSum(tuple(variables), terms, ranges, constraints, states[:-1]))
    return tuple(sums)


def _chains(problem: Problem) -> Iterator[list[_Layer]]:
    """The paths of two or more tables; where the first one reads two variables, either of them is its first state."""
    arities = np.diff(problem.scope_offsets)
    accepts = np.array([relation.kind == "Accept" for relation in problem.relations], dtype=np.bool_)
    fits = accepts[problem.constraint_relations] & (arities > 1) & (arities <= _MAX_ARITY)
    n_in_tables = np.bincount(problem.scopes[repeat_each(fits, arities)], minlength=problem.n_variables)
    is_state = (n_in_tables == 2) & (np.bincount(problem.scopes, minlength=problem.n_variables) == 2)
    has_state = np.diff(np.concatenate(([0], np.cumsum(is_state[problem.scopes])))[problem.scope_offsets]) > 0
    states_of: dict[int, list[int]] = {}
    tables_of: dict[int, list[int]] = {}
    for constraint in np.flatnonzero(fits & has_state).tolist():
        scope: Ids = problem.scope(constraint)
        states = scope[is_state[scope]].tolist()
        if len(states) == len(scope):
            states = [variable for variable in states if is_auxiliary(problem.variable_names[variable])]
        states_of[constraint] = states
        for variable in states:
            tables_of.setdefault(variable, []).append(constraint)
    links = {c: [v for v in states if len(tables_of[v]) == 2] for c, states in states_of.items()}
    visited: set[int] = set()
    for first, ends in links.items():
        constraint, before, layers = first, _END, []
        while len(ends) == 1 and constraint not in visited:
            visited.add(constraint)
            after = next((variable for variable in links[constraint] if variable != before), _END)
            reads = [v for v in problem.scope(constraint).tolist() if v not in (before, after)]
            layers.append((constraint, before, reads, after))
            if after != _END:
                constraint, before = sum(tables_of[after]) - constraint, after
        if len(layers) > 1 and len(layers[0][2]) <= 2 and all(len(reads) == 1 for _, _, reads, _ in layers[1:]):
            rest = [_Layer(c, before, reads[0], after) for c, before, reads, after in layers[1:]]
            _, _, reads, after = layers[0]
            yield [_Layer(first, reads[0] if len(reads) > 1 else _END, reads[-1], after), *rest]


def _form(
    problem: Problem, layers: Sequence[_Layer], numbers: Sequence[int], extreme: Callable[..., int]
) -> tuple[list[_Weights], tuple[tuple[int, Ranges], ...]] | None:
    """The weights of a sum and its ranges, if a chain is one; ``extreme`` gives the weights of the last variable."""
    partial, weights, ranges = {0: _END}, [], []
    if layers[0].before != _END:
        weights.append({word: numbers[word] for word in _words(problem, layers[0].before)})
        partial = {number: word for word, number in weights[0].items()}
    for layer in layers:
        scope = problem.scope(layer.constraint).tolist()
        rows = problem.relations[int(problem.constraint_relations[layer.constraint])].tuples
        columns = [rows[:, scope.index(v)].tolist() if v != _END else [_END] * len(rows) for v in layer[1:]]
        moves = {(before, word): after for before, word, after in zip(*columns, strict=True)}
        words = _words(problem, layer.read)
        if len(moves) < len(rows) or len(words) * len(partial) > _MAX_SUMS:
            return None
        added: dict[int, list[int]] = {}
        for (before, word), after in moves.items():
            difference = (numbers[after] if after != _END else 0) - (numbers[before] if before != _END else 0)
            added.setdefault(word, []).append(difference)
        if len(added) < len(words):
            return None
        weights.append({word: (max if layer.after != _END else extreme)(added[word]) for word in words})
        reached: dict[int, int] = {}
        for total, state in partial.items():
            for word, weight in weights[-1].items():
                after = moves.get((state, word), _DEAD)
                if reached.setdefault(total + weight, after) != after:
                    return None
        partial = {total: state for total, state in reached.items() if state != _DEAD}
        if len(partial) < len(reached):
            ranges.append((len(weights), _ranges(reached)))
    return (weights, tuple(ranges)) if partial and all(len(some) <= _MAX_RANGES for _, some in ranges) else None


def _term(weights: _Weights) -> Term:
    words = np.array(sorted(weights), dtype=np.int32)
    return Term(words, np.array([weights[word] for word in words.tolist()], dtype=np.int64))


def _words(problem: Problem, variable: int) -> list[int]:
    words: list[int] = problem.domain_values[problem.variable_domains[variable]].tolist()
    return words


def _ranges(reached: Mapping[int, int]) -> Ranges:
    """The ranges of the sums that are not dead, among all sums."""
    ranges: list[tuple[int, int]] = []
    was_alive = False
    for total in sorted(reached):
        is_alive = reached[total] != _DEAD
        if is_alive:
            ranges[-1:] = [(ranges[-1][0], total)] if was_alive else [*ranges[-1:], (total, total)]
        was_alive = is_alive
    return tuple(ranges)

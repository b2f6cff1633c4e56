"""Solutions that a symmetry leaves as they are."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from f2csp.arrays import offsets_of
from f2csp.model import Offsets, Problem, Relation
from f2csp.symmetry.problem_graph import Automorphism


def fixed_solutions(problem: Problem, symmetry: Automorphism) -> Problem | None:
    """A problem with as many solutions as a symmetry of a problem leaves as they are; None if there are none.

    Of variables that the symmetry permutes in a cycle the first one is left, from whose value the others follow.
    """
    n_words = len(problem.words)
    variables = np.arange(problem.n_variables)
    has_word = symmetry.words >= 0
    images = np.where(has_word, symmetry.variables, -1).max(axis=1)
    if (has_word & (symmetry.variables != images[:, None])).any():
        return _with_implications(problem, symmetry)
    images = np.where(images < 0, variables, images)  # those of state variables, which have no words here: they follow
    words = np.where(has_word, symmetry.words, np.arange(n_words))
    firsts = variables.copy()
    backs = np.full((len(variables), n_words), -1)  # the word of the first variable by that of each of its cycle
    domains: dict[int, tuple[int, ...]] = {}
    for first in variables.tolist():
        if firsts[first] < first:
            continue
        cycle, steps = [first], [np.arange(n_words)]
        while images[cycle[-1]] != first:
            steps.append(words[cycle[-1]][steps[-1]])
            cycle.append(int(images[cycle[-1]]))
        own = problem.domain_values[problem.variable_domains[first]]
        left = own[words[cycle[-1]][steps[-1]][own] == own]  # the value comes back to itself
        if not len(left):
            return None
        domains[first] = tuple(left.tolist())
        firsts[cycle] = first
        for variable, step in zip(cycle, steps, strict=True):
            backs[variable, step[left]] = left
    return _with_first_variables(problem, domains, firsts, backs)


def _with_first_variables(
    problem: Problem, domains: Mapping[int, tuple[int, ...]], firsts: Offsets, backs: Offsets
) -> Problem | None:
    """The problem with some of its variables, each with a domain, in the places of all."""
    keys = [back.tobytes() for back in backs]
    distinct = dict(zip(keys, backs, strict=True))

    @cache
    def table_of(relation: int, places: tuple[int, ...], *of_scope: bytes) -> Relation:
        """A table with the words of the first variables, whose places in the new scope are these."""
        table = problem.relations[relation]
        columns = zip(of_scope, table.tuples.T, strict=True)
        rows = np.stack([distinct[back][column] for back, column in columns], axis=1)
        first_at = [places.index(place) for place in range(max(places) + 1)]
        is_left = (rows >= 0).all(axis=1) & (rows == rows[:, first_at][:, places]).all(axis=1)
        return replace(table, tuples=np.unique(rows[is_left][:, first_at], axis=0).astype(np.int32))

    numbers = {first: number for number, first in enumerate(domains)}
    tables: dict[object, tuple[int, Relation]] = {}
    constraints: dict[tuple[tuple[int, ...], int], None] = {}
    for constraint, relation in enumerate(problem.constraint_relations.tolist()):
        scope = problem.scope(constraint)
        own, places = np.unique(firsts[scope], return_inverse=True)
        table = table_of(relation, tuple(places.tolist()), *[keys[v] for v in scope.tolist()])
        if table.kind == "Accept" and not table.n_tuples:
            return None
        if table.n_tuples:
            number, _ = tables.setdefault(table.key, (len(tables), table))
            constraints[tuple([numbers[first] for first in own.tolist()]), number] = None
    names = {domain: number for number, domain in enumerate(dict.fromkeys(domains.values()))}
    return replace(
        problem,
        domain_names=tuple(f"D{number}" for number in names.values()),
        domain_values=tuple(np.array(domain, dtype=np.int32) for domain in names),
        variable_names=tuple(problem.variable_names[first] for first in domains),
        variable_domains=np.array([names[domain] for domain in domains.values()], dtype=np.int32),
        relations=tuple(table for _, table in tables.values()),
        scopes=np.array([v for scope, _ in constraints for v in scope], dtype=np.int32),
        scope_offsets=offsets_of(np.array([len(scope) for scope, _ in constraints], dtype=np.int64)),
        constraint_relations=np.array([number for _, number in constraints], dtype=np.int32),
        labels=None,
        sums=(),
        origin=None,
        is_checked=True,
    )


def _with_implications(problem: Problem, symmetry: Automorphism) -> Problem:
    """The problem with a table for each value of a variable that says which one another variable then has."""
    builder = replace(problem, labels=None, is_checked=True).to_builder()
    names, words = problem.variable_names, problem.words
    for variable, word in np.argwhere(symmetry.words >= 0).tolist():
        other, image = int(symmetry.variables[variable, word]), int(symmetry.words[variable, word])
        if other != variable:
            values = problem.domain_values[problem.variable_domains[other]].tolist()
            builder.reject([names[variable], names[other]], [[words[word], words[i]] for i in values if i != image])
        elif image != word:
            builder.reject([names[variable]], [words[word]])
    return builder.build()

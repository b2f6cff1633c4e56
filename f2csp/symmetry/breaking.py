"""Constraints that leave out some of the solutions which symmetries map to each other, but never all of them.

Values that can be swapped appear in order along variables that must differ (value precedence; Law and Lee, "Global
constraints for integer and set value precedence", CP 2004). Of the variables that symmetries map to each other one has
the least value, and so on with the symmetries that leave it where it is: the lexicographically least of the solutions
that they map to each other has it so (Puget, "Breaking symmetries in all different problems", IJCAI 2005).
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import chain

import numpy as np

from f2csp.arrays import by_value, components, count_each, row_codes
from f2csp.diagnostics import Unsuitable
from f2csp.model import Ids, Problem
from f2csp.model.words import is_integer
from f2csp.structure import recover
from f2csp.symmetry.graphs import can_find_automorphisms
from f2csp.symmetry.problem_graph import ProblemGraph, SymmetryGroup

_MAX_TUPLES = 1_000_000  # that are looked at for values that can be swapped, in a part of a problem
_SWAP = 1_000  # tuples that are looked at in the time in which a swap begins
_MAX_COUNTS = 3_000_000  # of words, in the columns of these tables
_MAX_EDGES = 100_000  # of a graph, about
_MAX_PAIRS = 10_000_000  # of vertices, in all searches for automorphisms together
_MAX_ORDERED = 300  # values of a variable that is compared with others


def without_symmetries(problem: Problem, group: str = SymmetryGroup.ALL) -> Problem:
    """The problem with constraints that break symmetries of its values, or of its values and then of its variables.

    It has the same variables and words. Each of its solutions is one of the problem, and it has some if the problem
    has. Symmetries of variables are found where nauty is installed and the problem is small.
    """
    names, words = problem.variable_names, problem.words
    preceding = {names[v]: [words[word] for word in left] for v, left in _preceding(problem).items()}
    broken = problem.restricted(preceding) if preceding else problem
    if group == SymmetryGroup.ALL and can_find_automorphisms() and _is_small(broken):
        with suppress(Unsuitable):  # the graph is larger than estimated
            return _with_least_first(broken)
    return broken


# ---- Values ----------------------------------------------------------------------------------------------------------


def interchangeable_values(problem: Problem) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Variables that constraints connect, and the classes of values of which any two can be swapped in all of these.

    Both are indices, of variables and of words; a class has at least two. In large tables some may be missed.
    """
    is_linked = np.ones(len(problem.scopes), dtype=np.bool_)
    is_linked[problem.scope_offsets[:-1]] = False
    links = np.flatnonzero(is_linked)
    parts = components(problem.n_variables, problem.scopes[links], problem.scopes[links - 1])
    part_of_constraint = parts[problem.scopes[problem.scope_offsets[:-1]]]
    constraints = dict(by_value(part_of_constraint))
    classes = cache(lambda domains, relations: _classes(problem, domains, relations))
    for part, variables in by_value(parts):
        if len(variables) > 1:
            domains = frozenset(problem.variable_domains[variables].tolist())
            relations = frozenset(problem.constraint_relations[constraints[part]].tolist())
            yield variables.tolist(), classes(domains, relations)


def _classes(problem: Problem, domains: frozenset[int], relations: frozenset[int]) -> list[list[int]]:
    tables = [problem.relations[relation].tuples for relation in sorted(relations)]
    n = len(problem.words)
    if n * (len(domains) + sum(table.shape[1] for table in tables)) > _MAX_COUNTS:
        return []
    is_in = [count_each(problem.domain_values[domain], n) for domain in sorted(domains)]
    counts = [[count_each(column, n) for column in table.T] for table in tables]
    n_left = _MAX_TUPLES
    found = []
    for _, alike in by_value(row_codes([*is_in, *chain.from_iterable(counts)])):
        first, *others = alike.tolist()
        with_them = [
            table for table, of_table in zip(tables, counts, strict=True) if any(one[first] for one in of_table)
        ]
        cost = sum(_SWAP + len(table) for table in with_them)
        classes = [[first]] if any(one[first] for one in is_in) else []
        for word in others if classes else ():
            for one in classes:
                n_left -= cost
                if n_left >= 0 and all(_can_swap(table, one[0], word) for table in with_them):
                    one.append(word)
                    break
                if n_left < 0:
                    break
            else:
                classes.append([word])
        found += [one for one in classes if len(one) > 1]
    return found


def _can_swap(tuples: Ids, one: int, other: int) -> bool:
    """Whether the tuples are the same with two words swapped."""
    is_one, is_other = tuples == one, tuples == other
    rows = (is_one | is_other).any(axis=1)
    before = tuples[rows]
    after = np.where(is_one[rows], other, np.where(is_other[rows], one, before))
    codes = row_codes(np.concatenate((before, after)).T)
    return np.array_equal(np.sort(codes[: len(before)]), np.sort(codes[len(before) :]))


def _preceding(problem: Problem) -> dict[int, list[int]]:
    """For some variables the words that are left to them: of a class, the i-th of these has the first i."""
    found = [(variables, classes) for variables, classes in interchangeable_values(problem) if classes]
    if not found:
        return {}
    model = recover(problem)
    cliques: dict[int, list[tuple[int, ...]]] = {}  # by the first variable
    for clique in model.all_different:
        cliques.setdefault(clique[0], []).append(clique)
    left: dict[int, list[int]] = {}
    for variables, classes in found:
        differing = [clique for variable in variables for clique in cliques.get(variable, ())]
        for words in classes:
            held = {v for v in variables if words[0] in model.values[v]}
            in_order = max(([v for v in some if v in held] for some in (variables[:1], *differing)), key=len)
            for n, variable in enumerate(in_order[: len(words) - 1], 1):
                values = left.setdefault(variable, model.values[variable].tolist())
                left[variable] = [word for word in values if word not in words[n:]]
    return left


# ---- Variables -------------------------------------------------------------------------------------------------------


def _is_small(problem: Problem) -> bool:
    """Whether the graph of the problem is."""
    sizes = problem.domain_sizes[problem.variable_domains]
    arities = np.diff(problem.scope_offsets)
    pairs = problem.scopes_of(np.flatnonzero(arities == 2))
    n_tuples = np.array([relation.n_tuples for relation in problem.relations], dtype=np.int64)
    n_edges = sizes[pairs].prod(axis=1).sum() + n_tuples[problem.constraint_relations[arities > 2]].sum()
    return bool((sizes <= _MAX_ORDERED).all()) and sizes.sum() ** 2 <= _MAX_PAIRS and n_edges <= _MAX_EDGES


def _with_least_first(problem: Problem) -> Problem:
    """The problem in which a variable has at most the values of those that symmetries map it to."""
    # Further constraints have default labels, which those of the problem may be.
    builder = replace(problem, labels=None, is_checked=True).to_builder()
    names, words = problem.variable_names, problem.words
    is_numeric = all(map(is_integer, words))
    rank = [int(word) if is_numeric else index for index, word in enumerate(words)]
    for first, others in _orbits(problem):
        by_domain: dict[int, list[int]] = {}
        for other in others:
            by_domain.setdefault(int(problem.variable_domains[other]), []).append(other)
        least = problem.domain_values[problem.variable_domains[first]].tolist()
        for domain, some in by_domain.items():
            values = problem.domain_values[domain].tolist()
            greater = [(words[a], words[b]) for a in least for b in values if rank[a] > rank[b]]
            builder.reject_many([[names[first], names[other]] for other in some], greater)
    return builder.build()


def _orbits(problem: Problem) -> Iterator[tuple[int, list[int]]]:
    """Variables and those that symmetries map each to, which leave the variables before and all values as they are."""
    of_problem = ProblemGraph(problem, SymmetryGroup.VARIABLES)
    graph, states = of_problem.graph, set(of_problem.states)  # which follow from others
    fixed: list[int] = []
    while (len(fixed) + 1) * graph.n**2 <= _MAX_PAIRS:
        by_orbit: dict[int, list[int]] = {}
        for variable, orbit in enumerate(graph.orbits(fixed)[: problem.n_variables]):
            if variable not in states:
                by_orbit.setdefault(orbit, []).append(variable)
        first, *others = max(by_orbit.values(), key=len, default=[-1])
        if not others:
            return
        yield first, others
        fixed.append(first)

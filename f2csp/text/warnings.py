"""The warnings about a problem without faults: F401 and F403 to F408; F402, no goal, is told by the reader."""

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

import numpy as np

from f2csp.arrays import by_value, has_equal, repeats, row_codes
from f2csp.diagnostics import Collector, Mark, shown
from f2csp.model import Problem
from f2csp.text.columns import Columns
from f2csp.text.locate import Parts, constraint_parts


def check_warnings(columns: Columns, problem: Problem, collector: Collector) -> None:
    """All warnings."""
    if not problem.title:
        start = columns.source.start
        collector.add("F401", start, start, "the problem has no title", hint="write a line before Domains:")
    unused_domains(columns, problem, collector)
    unconstrained_variables(columns, problem, collector)
    trivial_constraints(columns, problem, collector)
    repeated_constraints(columns, problem, collector)
    contradicting_constraints(columns, problem, collector)


def unused_domains(columns: Columns, problem: Problem, collector: Collector) -> None:
    """F403: no variable has this domain."""
    uses = np.bincount(problem.variable_domains, minlength=problem.n_domains)
    for domain in np.flatnonzero(uses == 0).tolist():
        name, start = problem.domain_names[domain], columns.domain_starts[domain]
        collector.add("F403", start, start + len(name.encode()), f"no variable has the domain {name}")


def unconstrained_variables(columns: Columns, problem: Problem, collector: Collector) -> None:
    """F404: no constraint names this variable, although there are constraints."""
    if not problem.n_constraints:
        return
    uses = np.bincount(problem.scopes, minlength=problem.n_variables)
    for variable in np.flatnonzero(uses == 0).tolist():
        name, start = problem.variable_names[variable], columns.variable_starts[variable]
        collector.add("F404", start, start + len(name.encode()), f"no constraint names the variable {name}")


def trivial_constraints(columns: Columns, problem: Problem, collector: Collector) -> None:
    """F405 and F406: no assignment satisfies the constraint, or every one does."""
    for constraint in _full_or_empty(problem):
        relation = problem.relations[problem.constraint_relations[constraint]]
        is_empty = relation.n_tuples == 0
        parts = constraint_parts(columns, constraint)
        what = f"{relation.kind.lower()}s {'no tuple' if is_empty else f'all {relation.n_tuples} tuples'}"
        label = columns.label(constraint)
        if is_empty == (relation.kind == "Accept"):
            code, message = "F405", f"constraint {label} is never true: it {what}"
        else:
            code, message = "F406", f"constraint {label} is always true: it {what}"
        collector.add(code, parts.table.start, parts.table.end, message)


def repeated_constraints(columns: Columns, problem: Problem, collector: Collector) -> None:
    """F407: two constraints have equal scope and relation as written."""
    for _, constraints in by_value(np.diff(problem.scope_offsets)):
        scopes = problem.scopes_of(constraints)
        keys = row_codes(chain([problem.constraint_relations[constraints]], scopes.T))
        if has_equal(keys):
            labels: dict[int, Mark] = {}
            for later, first in sorted(repeats(keys).items()):
                if first not in labels:
                    label = constraint_parts(columns, int(constraints[first])).label
                    labels[first] = (*label, shown(columns.label(int(constraints[first]))))
                _tell_repeated(columns, labels[first], int(constraints[later]), collector)


def _tell_repeated(columns: Columns, first: Mark, later: int, collector: Collector) -> None:
    """Tell that a constraint repeats the one whose label stands at ``first``."""
    start, end, name = first
    message = f"constraint {shown(columns.label(later))} repeats {name}: the same scope and the same table"
    here = constraint_parts(columns, later).label
    collector.add("F407", *here, message, related=[(start, end, "the first is here")], hint="remove one")


def contradicting_constraints(columns: Columns, problem: Problem, collector: Collector) -> None:
    """F408: the constraints on one variable alone leave it no value, although each of them leaves some."""
    is_unary = np.diff(problem.scope_offsets) == 1
    unary: dict[int, list[int]] = defaultdict(list)
    for constraint in np.flatnonzero(is_unary).tolist():
        unary[int(problem.scope(constraint)[0])].append(constraint)
    for variable, constraints in unary.items():
        if len(constraints) > 1:
            _judge_unary(columns, problem, variable, constraints, collector)


def _judge_unary(
    columns: Columns, problem: Problem, variable: int, constraints: list[int], collector: Collector
) -> None:
    n_values = int(problem.domain_sizes[problem.variable_domains[variable]])
    left: set[int] | None = None  # the values that an Accept left; until there is one, all that are not rejected
    rejected: set[int] = set()
    n_left = n_values
    used: list[int] = []
    for constraint in constraints:
        relation = problem.relations[problem.constraint_relations[constraint]]
        values = set(relation.tuples[:, 0].tolist())
        if len(values) == (0 if relation.kind == "Accept" else n_values):
            continue  # never true by itself, which is told
        before = n_left
        if relation.kind == "Accept":
            left = values - rejected if left is None else left & values
        elif left is None:
            rejected |= values
        else:
            left -= values
        n_left = n_values - len(rejected) if left is None else len(left)
        if not n_left:
            name = problem.variable_names[variable]
            labels = ", ".join(columns.label(c) for c in used[-3:])
            message = f"constraint {columns.label(constraint)} leaves {name} no value besides {labels}"
            parts: list[Parts] = [constraint_parts(columns, c) for c in used[-3:]]
            related = [(*p.label, "this one leaves it others") for p in parts]
            here = constraint_parts(columns, constraint)
            collector.add("F408", *here.label, message, related=related)
            return
        if n_left < before:
            used.append(constraint)


def _full_or_empty(problem: Problem) -> Iterator[int]:
    """The constraints with no tuple, or with as many tuples as there are assignments to their scopes."""
    sizes = problem.domain_sizes[problem.variable_domains] if problem.n_variables else np.empty(0, dtype=np.int64)
    n_tuples = np.array([r.n_tuples for r in problem.relations], dtype=np.int64)
    if not problem.n_constraints:
        return
    logs = np.add.reduceat(np.log2(sizes[problem.scopes]), problem.scope_offsets[:-1])
    n_own = n_tuples[problem.constraint_relations]
    is_near = np.abs(np.log2(np.maximum(n_own, 1)) - logs) < 1e-6
    for constraint in np.flatnonzero((n_own == 0) | is_near).tolist():
        if n_own[constraint] == 0 or n_own[constraint] == math.prod(sizes[problem.scope(constraint)].tolist()):
            yield constraint

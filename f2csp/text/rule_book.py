"""The one way from columns to a problem: apply the rules, build only what has no fault, and warn of what is odd in it.

The reader reports F402, no goal; the other warnings, F401 and F403 to F409, are here.
"""

import math
import re
from collections import defaultdict
from itertools import chain

import numpy as np

from f2csp.arrays import by_value, has_equal, repeats, row_codes
from f2csp.diagnostics import Collector, shown
from f2csp.model import Ids, Kind, Origin, Problem, Relation
from f2csp.text.columns import UNKNOWN, Columns, Places, as_indices, as_offsets
from f2csp.text.name_rules import check_names, check_words
from f2csp.text.table_rules import check_tables

_LIKE_A_RANGE = re.compile(r"\.\.|[0-9][-–—~]-?[0-9]|^(?:to|[-–—~…])$")
_MAX_RELATED = 3  # constraints that a contradiction names


def problem_of(columns: Columns, places: Places, collector: Collector) -> Problem:
    """Check the columns of a reader of another format, and build the problem; ``InvalidInput`` if it has faults."""
    check_words(columns, places, collector)
    apply_rules(columns, places, collector)
    collector.raise_if_errors()
    return build(columns)


def apply_rules(columns: Columns, places: Places, collector: Collector) -> None:
    """Report what in the columns breaks a rule: F1xx, F2xx, F3xx."""
    if not columns.is_malformed:
        columns.is_malformed = bytearray((as_indices(columns.constraint_tables) == UNKNOWN).tobytes())
    check_names(columns, places, collector)
    check_tables(columns, places, collector)


def build(columns: Columns) -> Problem:
    """Build the problem of columns without faults."""
    tables = as_indices(columns.constraint_tables)
    relations, relation_of_table = _relations(columns, tables)
    lines = as_offsets(columns.lines)
    return Problem(
        title=columns.title,
        words=tuple(columns.words),
        domain_names=tuple(columns.domain_names),
        domain_values=tuple(columns.domain_values),
        variable_names=tuple(columns.variable_names),
        variable_domains=as_indices(columns.variable_domains).copy(),
        relations=relations,
        scopes=as_indices(columns.scopes).copy(),
        scope_offsets=as_offsets(columns.scope_offsets).copy(),
        constraint_relations=relation_of_table[tables],
        labels=tuple(columns.labels) if columns.labels is not None else None,
        origin=Origin(columns.source.name, lines.copy()) if len(lines) == columns.n_constraints else None,
        is_checked=True,
    )


def _relations(columns: Columns, tables: Ids) -> tuple[tuple[Relation, ...], Ids]:
    """The distinct relations in the order of their first use, and for each table which it is.

    Bodies may differ in blanks alone, and a table that a reader has seen need not be one of the problem.
    """
    first_use = np.full(len(columns.tables), UNKNOWN, dtype=np.int64)
    first_use[tables[::-1]] = np.arange(len(tables) - 1, -1, -1)  # the last to be written is the first
    index: dict[tuple[Kind, int, bytes], int] = {}
    relations: list[Relation] = []
    relation_of_table = np.zeros(len(columns.tables), dtype=np.int32)
    for i in np.argsort(first_use, kind="stable").tolist():
        if first_use[i] == UNKNOWN:
            continue
        relation = Relation(columns.tables[i].kind, columns.tables[i].values)
        relation_of_table[i] = index.setdefault(relation.key, len(relations))
        if relation_of_table[i] == len(relations):
            relations.append(relation)
    return tuple(relations), relation_of_table


def check_warnings(problem: Problem, places: Places, collector: Collector) -> None:
    """Report all warnings."""
    if not problem.title:
        start = places.source.start
        collector.add("F401", start, start, "the problem has no title", hint="write a line before Domains:")
    _unused_names(problem, places, collector)
    _ranges_as_symbols(problem, places, collector)
    _trivial_constraints(problem, places, collector)
    _repeated_constraints(problem, places, collector)
    _contradictory_constraints(problem, places, collector)


def _unused_names(problem: Problem, places: Places, collector: Collector) -> None:
    """F403, F404: no variable has the domain; no constraint names the variable, although there are constraints."""
    uses = np.bincount(problem.variable_domains, minlength=problem.n_domains)
    for domain in np.flatnonzero(uses == 0).tolist():
        collector.add("F403", *places.domain(domain), f"no variable has the domain {problem.domain_names[domain]}")
    uses = np.bincount(problem.scopes, minlength=problem.n_variables)
    for variable in np.flatnonzero(uses == 0).tolist() if problem.n_constraints else ():
        name = problem.variable_names[variable]
        collector.add("F404", *places.variable(variable), f"no constraint names the variable {name}")


def _ranges_as_symbols(problem: Problem, places: Places, collector: Collector) -> None:
    """F409: symbols of a domain look like a range in another spelling."""
    suspects = {i for i, word in enumerate(problem.words) if _LIKE_A_RANGE.search(word)}
    for domain, values in enumerate(problem.domain_values) if suspects else ():
        if suspects.isdisjoint(values.tolist()):
            continue
        from f2csp.text.diagnosis_lines import suspected_range

        start, end = places.declaration(domain)
        if found := suspected_range(places.source.data, start, end):
            first, last, hint = found
            message = f"domain {problem.domain_names[domain]} takes {shown(places.text((first, last)))} for symbols"
            collector.add("F409", first, last, message, hint=hint)


def _trivial_constraints(problem: Problem, places: Places, collector: Collector) -> None:
    """F405, F406: no assignment satisfies the constraint, or every one does."""
    for index in _full_or_empty(problem):
        constraint = problem.constraints[index]
        n_tuples, kind = constraint.relation.n_tuples, constraint.kind
        reason = f"it {kind.lower()}s {'no tuple' if n_tuples == 0 else f'all {n_tuples} tuples'}"
        code, when = ("F405", "never") if (n_tuples == 0) == (kind == "Accept") else ("F406", "always")
        collector.add(code, *places.table(index), f"constraint {constraint.label} is {when} true: {reason}")


def _full_or_empty(problem: Problem) -> list[int]:
    """The constraints with no tuple, or with as many tuples as there are assignments to their scopes."""
    if not problem.n_constraints:
        return []
    sizes = problem.domain_sizes[problem.variable_domains]
    logs = np.add.reduceat(np.log2(sizes[problem.scopes]), problem.scope_offsets[:-1])
    n_tuples = np.array([r.n_tuples for r in problem.relations], dtype=np.int64)[problem.constraint_relations]
    is_near = np.abs(np.log2(np.maximum(n_tuples, 1)) - logs) < 1e-6
    near = np.flatnonzero((n_tuples == 0) | is_near).tolist()
    return [i for i in near if n_tuples[i] in (0, math.prod(sizes[problem.scope(i)].tolist()))]


def _repeated_constraints(problem: Problem, places: Places, collector: Collector) -> None:
    """F407: two constraints have equal scope and relation as written."""
    for _, constraints in by_value(np.diff(problem.scope_offsets)):
        codes = row_codes(chain([problem.constraint_relations[constraints]], problem.scopes_of(constraints).T))
        if not has_equal(codes):
            continue
        for later, first in sorted(repeats(codes).items()):
            here, there = int(constraints[later]), int(constraints[first])
            labels = [shown(problem.label(i)) for i in (here, there)]
            message = f"constraint {labels[0]} repeats {labels[1]}: the same scope and the same table"
            related = [(*places.constraint(there), "the first is here")]
            collector.add("F407", *places.constraint(here), message, related=related, hint="remove one")


def _contradictory_constraints(problem: Problem, places: Places, collector: Collector) -> None:
    """F408: the unary constraints on a variable leave it no value, although each of them leaves some."""
    unary: dict[int, list[int]] = defaultdict(list)
    for constraint in np.flatnonzero(np.diff(problem.scope_offsets) == 1).tolist():
        unary[int(problem.scope(constraint)[0])].append(constraint)
    for variable, constraints in unary.items():
        if len(constraints) > 1:
            _check_unary(problem, places, variable, constraints, collector)


def _check_unary(problem: Problem, places: Places, variable: int, constraints: list[int], collector: Collector) -> None:
    n_values = int(problem.domain_sizes[problem.variable_domains[variable]])
    supported: set[int] | None = None  # by the positive tables; None: by all, as none of them was positive
    rejected: set[int] = set()
    n_left = n_values
    used: list[int] = []
    for constraint in constraints:
        relation = problem.relations[problem.constraint_relations[constraint]]
        values = set(relation.tuples[:, 0].tolist())
        if len(values) == (0 if relation.kind == "Accept" else n_values):
            continue  # never true by itself, which F405 reports
        before = n_left
        if relation.kind == "Accept":
            supported = values - rejected if supported is None else supported & values
        elif supported is None:
            rejected |= values
        else:
            supported -= values
        n_left = n_values - len(rejected) if supported is None else len(supported)
        if not n_left:
            others, name = used[-_MAX_RELATED:], problem.variable_names[variable]
            labels = ", ".join(problem.constraints[i].label for i in others)
            message = f"constraint {problem.constraints[constraint].label} and {labels} leave {name} no value"
            related = [(*places.constraint(i), "this one leaves it other values") for i in others]
            collector.add("F408", *places.constraint(constraint), message, related=related)
            return
        if n_left < before:
            used.append(constraint)

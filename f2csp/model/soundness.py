"""Whether columns that were put together by hand make a problem; readers and builders check what they fill in."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value, has_equal, in_order_of_first_use, row_codes
from f2csp.diagnostics import ProblemError
from f2csp.model.builder import checked_title, labels_if_named
from f2csp.model.problem import Problem, Relation
from f2csp.model.words import is_name, is_value


def require_sound(problem: Problem) -> None:
    """Raise ProblemError unless a problem reads back the same from its canonical text."""
    checked_title(problem.title)
    _check_names("domain", problem.domain_names)
    _check_names("variable", problem.variable_names)
    _check_columns(problem)
    _check_labels(problem)
    _check_words(problem)
    for relation in problem.relations:
        _check_relation(relation)
    _check_constraints(problem)


def _require(condition: bool | np.bool_, message: str) -> None:
    if not condition:
        raise ProblemError(message)


def _check_names(noun: str, names: Sequence[str]) -> None:
    for name, n in Counter(names).items():
        if not is_name(name):
            raise ProblemError(f"{name!r} cannot name a {noun}: expected a word that is not a section word")
        _require(n == 1, f"{n} {noun}s are called {name}")


def _check_labels(problem: Problem) -> None:
    labels = problem.labels
    if labels is None:
        return
    _check_names("constraint", labels)
    _require(len(labels) == problem.n_constraints, f"{len(labels)} labels for {problem.n_constraints} constraints")
    _require(labels_if_named(labels) is not None, "expected None as labels: these are the default ones")


def _check_words(problem: Problem) -> None:
    _require(len(set(problem.words)) == len(problem.words), "a word is listed twice")
    for word in problem.words:
        _require(is_value(word), f"{word!r} cannot be a value: expected a word, and not of the form 1..9")
    for name, values in zip(problem.domain_names, problem.domain_values, strict=True):
        _check_column(f"the values of {name}", values, len(problem.words))
        _require(len(values) > 0, f"domain {name} has no value")
        _require(not has_equal(values.astype(np.int64)), f"domain {name} has a value twice")
    used, _ = in_order_of_first_use(np.concatenate([np.empty(0, dtype=np.int32), *problem.domain_values]))
    is_ordered = np.array_equal(used, np.arange(len(problem.words)))
    _require(is_ordered, "expected the words of the domains in the order of their first use, and no others")


def _check_columns(problem: Problem) -> None:
    n_variables, n_constraints = problem.n_variables, problem.n_constraints
    _require(len(problem.domain_values) == problem.n_domains, "expected as many lists of values as domain names")
    _check_column("variable_domains", problem.variable_domains, problem.n_domains)
    _require(len(problem.variable_domains) == n_variables, "expected a domain for each variable")
    _check_column("scopes", problem.scopes, n_variables)
    _check_column("constraint_relations", problem.constraint_relations, len(problem.relations))
    offsets = problem.scope_offsets
    _require(offsets.dtype == np.int64 and offsets.ndim == 1, "expected a row of int64 as scope_offsets")
    is_whole = len(offsets) == n_constraints + 1 and offsets[0] == 0 and offsets[-1] == len(problem.scopes)
    _require(
        is_whole and bool((np.diff(offsets) > 0).all()), "scope_offsets do not fit scopes and constraint_relations"
    )


def _check_column(name: str, column: NDArray[Any], n: int) -> None:
    _require(column.dtype == np.int32 and column.ndim == 1, f"expected a row of int32 as {name}")
    _require(not len(column) or (column.min() >= 0 and column.max() < n), f"expected indices below {n} as {name}")


def _check_relation(relation: Relation) -> None:
    tuples = relation.tuples
    _require(relation.kind in ("Reject", "Accept"), f"{relation.kind!r} is no kind of relation")
    _require(tuples.dtype == np.int32 and tuples.ndim == 2, "expected a table of int32 as the tuples of a relation")
    _require(not has_equal(row_codes(tuples.T)), "a relation has a tuple twice")


def _check_constraints(problem: Problem) -> None:
    keys = {relation.key for relation in problem.relations}
    _require(len(keys) == len(problem.relations), "two relations are equal: expected one, shared by their constraints")
    for arity, constraints in by_value(np.diff(problem.scope_offsets)):
        scopes, relations = problem.scopes_of(constraints), problem.constraint_relations[constraints]
        arities = np.array([relation.arity for relation in problem.relations])
        for constraint in constraints[arities[relations] != arity].tolist():
            raise ProblemError(f"the arity of {problem.constraints[constraint].label} differs from that of its table")
        ordered = np.sort(scopes, axis=1)
        for constraint in constraints[(ordered[:, 1:] == ordered[:, :-1]).any(axis=1)].tolist():
            raise ProblemError(f"the scope of {problem.constraints[constraint].label} holds a variable twice")
        domains = problem.variable_domains[scopes]
        _, firsts = np.unique(row_codes([relations, *domains.T]), return_index=True)
        for i in firsts.tolist():
            _check_values(problem, int(constraints[i]), domains[i])


def _check_values(problem: Problem, constraint: int, domains: NDArray[np.int32]) -> None:
    view = problem.constraints[constraint]
    for name, column, domain in zip(view.scope, view.relation.tuples.T, domains.tolist(), strict=True):
        if not np.isin(column, problem.domain_values[domain]).all():
            raise ProblemError(f"constraint {view.label} has a value that is not in the domain of {name}")

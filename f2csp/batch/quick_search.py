"""A search for problems of nothing but given values and variables that differ, such as Sudokus; one model for many.

The problems of a batch are often alike but for their given values. What is found of the others, the groups of
variables that differ, is kept for the next problem.
"""

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from time import perf_counter

import numpy as np

from f2csp.arrays import Bools
from f2csp.generation.cell_search import CellSearch, SearchLimitError
from f2csp.model import Problem
from f2csp.model.words import is_auxiliary
from f2csp.solving import Limits, Result, Status
from f2csp.solving.search_run import SearchRun, Statistics
from f2csp.structure import raw_model, recover

NAME = "cells"  # in the place of an engine's
_MAX_VARIABLES = 256
_MAX_TRIED = 300  # values at choice points, of which a puzzle for people needs a few
_MAX_KEPT = 16  # models

_one_at_a_time = Lock()  # a search counts what it tries, and workers of a cluster may be threads
_kept: dict[tuple[object, ...], CellSearch | None] = {}


def quick_result(problem: Problem, n_wanted: int | None) -> Result | None:
    """Search for a number of solutions, or for all; None if the problem is of another kind, or takes long."""
    if not 0 < problem.n_variables <= _MAX_VARIABLES or _has_auxiliary(problem.variable_names):
        return None
    arities = np.diff(problem.scope_offsets)
    with _one_at_a_time:
        search = _kept_search(problem, arities == 1) if arities.max(initial=0) <= 2 else None
    if search is None:
        return None
    run = SearchRun(raw_model(problem), Limits(solutions=n_wanted), keep_solutions=n_wanted is not None)
    start = perf_counter()
    try:
        with _one_at_a_time:
            is_complete = _search(search, _domains(problem, arities == 1), run)
    except SearchLimitError:
        return None
    seconds = perf_counter() - start
    status = Status.SATISFIABLE if run.n_found else Status.UNSATISFIABLE
    statistics, times = Statistics(solve_time=seconds), {"search": seconds}
    return Result(status, run.n_found, tuple(run.solutions), is_complete, NAME, statistics, times, problem=problem)


@lru_cache(maxsize=_MAX_KEPT)
def _has_auxiliary(names: tuple[str, ...]) -> bool:
    return any(map(is_auxiliary, names))


def _kept_search(problem: Problem, is_unary: Bools) -> CellSearch | None:
    """The search for a problem, perhaps that of an earlier one; None if the problem has other rules."""
    relations, places = np.unique(problem.constraint_relations[~is_unary], return_inverse=True)
    key = (
        len(problem.words),
        problem.variable_domains.tobytes(),
        *(values.tobytes() for values in problem.domain_values),
        problem.scopes[np.repeat(~is_unary, np.where(is_unary, 1, 2))].tobytes(),
        places.tobytes(),
        *(problem.relations[index].key for index in relations.tolist()),
    )
    if key not in _kept:
        if len(_kept) >= _MAX_KEPT:
            del _kept[next(iter(_kept))]
        model = recover(problem)
        has_others = len(model.rest(model.unary)) > 0
        _kept[key] = None if has_others else CellSearch(problem.n_variables, len(problem.words), model.all_different)
    return _kept[key]


def _search(search: CellSearch, domains: list[int], run: SearchRun) -> bool:
    """Add solutions to the run until it has enough; whether these are all."""
    singles = [variable for variable, domain in enumerate(domains) if not domain & (domain - 1)]
    if not all(domains) or not search.assign(domains, singles):
        return True
    for solution in search.solutions(domains, max_tried=_MAX_TRIED):
        run.add_solution([domain.bit_length() - 1 for domain in solution])
        if run.has_enough:
            return False
    return True


def _domains(problem: Problem, is_unary: Bools) -> list[int]:
    """For each variable the words that its domain and the constraints on it alone leave, as bits."""
    masks = [_bits(values.tolist()) for values in problem.domain_values]
    domains = [masks[domain] for domain in problem.variable_domains.tolist()]
    allowed: dict[int, int] = {}
    scopes = problem.scopes[problem.scope_offsets[:-1][is_unary]].tolist()
    for variable, index in zip(scopes, problem.constraint_relations[is_unary].tolist(), strict=True):
        if index not in allowed:
            relation = problem.relations[index]
            words = _bits(relation.tuples[:, 0].tolist())
            allowed[index] = words if relation.kind == "Accept" else ~words
        domains[variable] &= allowed[index]
    return domains


def _bits(words: Sequence[int]) -> int:
    return sum(1 << word for word in words)

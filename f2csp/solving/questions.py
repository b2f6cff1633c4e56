"""Solve a problem by any engine: find solutions, count them, check that there is one only, complete some values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from time import perf_counter

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model import Problem, Relation, Value
from f2csp.solving.registry import engine_and_options
from f2csp.solving.search_run import Limits, Observer, Result, SearchRun, Solution, Statistics, Status
from f2csp.structure import raw_model, recover


def solve(
    problem: Problem,
    engine: str | None = None,
    limits: Limits | None = None,
    *,
    use_structure: bool = True,
    observer: Observer | None = None,
    keep_solutions: bool = True,
) -> Result:
    """Solve a problem.

    Args:
        problem: the problem; it is not changed.
        engine: the name of an engine, see ``ENGINES``, or ``NAME:OPTION=VALUE,...``; None for the first installed.
        limits: when to stop; by default at the first solution.
        use_structure: whether the engine gets the recovered structure, or the tables as they are.
        observer: called with each solution as soon as it is found.
        keep_solutions: whether the result contains the solutions; there may be more of them than memory holds.

    Returns:
        The result; that there is no solution is a status. Every solution was checked against every constraint. If the
        search is interrupted, it contains the solutions so far.

    Raises:
        F2cspError: there is no such engine, or it is not installed.
    """
    chosen, options = engine_and_options(engine)
    module = chosen.load()
    start = perf_counter()
    model = recover(problem) if use_structure else raw_model(problem)
    times = {"structure": perf_counter() - start}
    run = SearchRun(model, limits or Limits(), observer, keep_solutions=keep_solutions, options=options)
    is_complete, statistics = True, Statistics()
    if not model.is_contradictory:
        try:
            is_complete, statistics = module.search(run, times)
        except KeyboardInterrupt:  # the solutions so far are worth having
            is_complete = False
    status = Status.UNSATISFIABLE if is_complete else Status.UNKNOWN
    if run.n_found:
        status = Status.SATISFIABLE
    return Result(status, run.n_found, tuple(run.solutions), is_complete, chosen.name, statistics, times)


class Uniqueness(StrEnum):
    """The verdict of a uniqueness check."""

    UNIQUE = "unique"
    NONE = "none"
    MULTIPLE = "multiple"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a uniqueness check."""

    uniqueness: Uniqueness
    solutions: tuple[
        Solution, ...
    ]  # the only one, or two that differ; for "unknown" one if no second was found in time
    differing: tuple[str, ...] = ()  # the variables of the projection that the two differ in


def unique(problem: Problem, limits: Limits | None = None, *, engine: str | None = None) -> Verdict:
    """Check whether a problem has exactly one solution.

    Args:
        problem: the problem.
        limits: when to stop; ``solutions`` has no effect.
        engine: the name of an engine; None for the first that is installed.
    """
    limits = replace(limits or Limits(), solutions=2)
    result = solve(problem, engine, limits)
    found = result.solutions
    if result.n_solutions == 2:
        names = limits.project_onto or problem.variable_names
        differing = tuple(name for name in names if found[0][name] != found[1][name])
        return Verdict(Uniqueness.MULTIPLE, found, differing)
    if not result.is_complete:
        return Verdict(Uniqueness.UNKNOWN, found)
    return Verdict(Uniqueness.UNIQUE if found else Uniqueness.NONE, found)


def count(
    problem: Problem, limits: Limits | None = None, *, engine: str | None = None, observer: Observer | None = None
) -> Result:
    """Count solutions: ``n_solutions`` of the result is exact if it ``is_complete``, otherwise a lower bound.

    Args:
        problem: the problem.
        limits: when to stop; by default when all are found.
        engine: the name of an engine; None for the first that is installed.
        observer: called with each solution.
    """
    return solve(problem, engine, limits or Limits(solutions=None), observer=observer, keep_solutions=False)


def complete(problem: Problem, values: Mapping[str, Value], limits: Limits | None = None) -> Result:
    """Search for a solution that gives some variables these values."""
    return solve(with_assumptions(problem, values), limits=limits)


def with_assumptions(problem: Problem, values: Mapping[str, Value]) -> Problem:
    """The problem with a further unary constraint for each of these values, and default labels.

    Raises:
        ProblemError: a variable is unknown, or a value is not in its domain.
    """
    variables = {name: i for i, name in enumerate(problem.variable_names)}
    words = {word: i for i, word in enumerate(problem.words)}
    relations = {relation.key: i for i, relation in enumerate(problem.relations)}
    tables = list(problem.relations)
    scopes, of_constraint = [], []
    for name, value in values.items():
        if name not in variables:
            raise ProblemError(f"the problem has no variable {name}")
        word = words.get(str(value), -1)
        if word not in problem.domain_values[problem.variable_domains[variables[name]]]:
            raise ProblemError(f"{value} is no value of {name}")
        relation = Relation("Accept", np.array([[word]], dtype=np.int32))
        if relation.key not in relations:
            relations[relation.key] = len(tables)
            tables.append(relation)
        scopes.append(variables[name])
        of_constraint.append(relations[relation.key])
    ends = problem.scope_offsets[-1] + np.arange(1, len(scopes) + 1)
    return replace(
        problem,
        relations=tuple(tables),
        scopes=np.concatenate((problem.scopes, np.array(scopes, dtype=np.int32))),
        scope_offsets=np.concatenate((problem.scope_offsets, ends)),
        constraint_relations=np.concatenate((problem.constraint_relations, np.array(of_constraint, dtype=np.int32))),
        labels=None,
        origin=None,
    )

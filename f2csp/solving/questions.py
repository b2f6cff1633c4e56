"""Questions about the solutions of a problem: is there only one, how many are there, can some values be completed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model import Problem, Relation, Value
from f2csp.solving.result import Limits, Observer, Result, Solution
from f2csp.solving.solver import solve


class Uniqueness(StrEnum):
    """The verdict of a uniqueness check."""

    UNIQUE = "unique"
    NONE = "none"
    MULTIPLE = "multiple"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a uniqueness check.

    Attributes:
        uniqueness: the verdict.
        solutions: the only one, or two that differ; one for ``unknown`` where no second was found in time.
        differing: the variables of the projection in which the two differ.
    """

    uniqueness: Uniqueness
    solutions: tuple[Solution, ...]
    differing: tuple[str, ...] = ()


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
    problem: Problem,
    limits: Limits | None = None,
    *,
    engine: str | None = None,
    observer: Observer | None = None,
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
    """Search for a solution in which some variables have these values.

    Raises:
        ProblemError: a variable is unknown, or a value is not in its domain.
    """
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

"""What people ask of a problem besides a solution: is it the only one, how many are there, can this be completed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from f2csp.diagnostics import ProblemError, Unsuitable
from f2csp.model import Problem, Relation, Value
from f2csp.puzzles.recovery import from_problem
from f2csp.puzzles.squares import cell_names, cell_of
from f2csp.solving.registry import DEFAULT_ENGINE
from f2csp.solving.result import Limits, Observer, Result, Solution
from f2csp.solving.solver import solve


class Uniqueness(StrEnum):
    """How many solutions there are, as far as one asks whether there is just one."""

    UNIQUE = "unique"
    NONE = "none"
    MULTIPLE = "multiple"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether there is exactly one solution.

    Attributes:
        uniqueness: the answer.
        solutions: the only one, or two that differ; one for ``unknown`` where no second was found in time.
        differing: the variables in which the two differ, of those in which solutions must differ.
    """

    uniqueness: Uniqueness
    solutions: tuple[Solution, ...]
    differing: tuple[str, ...] = ()


def unique(problem: Problem, limits: Limits | None = None, *, engine: str = DEFAULT_ENGINE) -> Verdict:
    """Say whether a problem has exactly one solution.

    Args:
        problem: the problem.
        limits: when to stop; ``solutions`` has no effect.
        engine: which engine.
    """
    limits = replace(limits or Limits(), solutions=2)
    result = solve(problem, engine, limits)
    found = result.solutions
    if result.n_solutions == 2:
        names = limits.over or problem.variable_names
        differing = tuple(name for name in names if found[0][name] != found[1][name])
        return Verdict(Uniqueness.MULTIPLE, found, differing)
    if not result.is_complete:
        return Verdict(Uniqueness.UNKNOWN, found)
    return Verdict(Uniqueness.UNIQUE if found else Uniqueness.NONE, found)


def count(
    problem: Problem,
    limits: Limits | None = None,
    *,
    engine: str = DEFAULT_ENGINE,
    observer: Observer | None = None,
) -> Result:
    """Count solutions: the result's ``n_solutions`` is exact if it ``is_complete``, else there are at least so many.

    Args:
        problem: the problem.
        limits: when to stop; by default when all are found.
        engine: which engine.
        observer: called with each solution.
    """
    return solve(problem, engine, limits or Limits(solutions=None), observer=observer, keeps=False)


def completed(problem: Problem, values: Mapping[str, Value], limits: Limits | None = None) -> Result:
    """Look for a solution in which some variables have these values.

    Raises:
        ProblemError: a variable is unknown, or a value is not in its domain.
    """
    return solve(with_values(problem, values), limits=limits)


def with_values(problem: Problem, values: Mapping[str, Value]) -> Problem:
    """The problem with a unary constraint for each of these values besides its own, and default labels.

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


def telling_variables(problem: Problem, over: str | None = None) -> tuple[str, ...] | None:
    """The variables in which solutions must differ to count as different.

    Args:
        problem: the problem.
        over: ``all``, ``cells`` (the variables ``V<row>-<column>``), or names with blanks or commas between; None for
            the cells of a puzzle, and for all variables of another problem.

    Returns:
        Their names; None for all variables.

    Raises:
        Unsuitable: there are no cells.
        ProblemError: the problem has no variable of such a name.
    """
    if over == "all":
        return None
    if over is None:
        try:
            puzzle = from_problem(problem)
        except Unsuitable:
            return None
        return cell_names(puzzle.n_rows, puzzle.n_columns)
    if over == "cells":
        cells = tuple(name for name in problem.variable_names if cell_of(name))
        if not cells:
            raise Unsuitable("the problem has no cells: no variable is called V<row>-<column>")
        return cells
    known = set(problem.variable_names)
    names = tuple(dict.fromkeys(over.replace(",", " ").split()))
    for name in names:
        if name not in known:
            raise ProblemError(f"the problem has no variable {name}")
    return names

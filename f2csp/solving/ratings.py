"""Hints and ratings of problems with several solutions, where techniques of people assume that there is one."""

from dataclasses import replace

from f2csp.model import Problem
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.to_problem import to_problem
from f2csp.reasoning.hints import Rating, rate
from f2csp.reasoning.ladder import ASSUMING_ONE_SOLUTION
from f2csp.solving.questions import Uniqueness, unique

_SECONDS = 10.0  # the time limit of the search for a second solution


def has_several_solutions(problem: Problem | Puzzle, seconds: float | None = None) -> bool:
    """Whether a second solution is found soon."""
    tables = to_problem(problem) if isinstance(problem, Puzzle) else problem
    limit = _SECONDS if seconds is None else min(seconds, _SECONDS)
    return unique(tables, seconds=limit).uniqueness == Uniqueness.MULTIPLE


def rated(problem: Problem | Puzzle, seconds: float | None = None) -> Rating:
    """Rate how hard a problem is; with several solutions it is ``unsolved``, and the outcome says so."""
    found = rate(problem, seconds=seconds)
    is_proven = found.grade != "unsolved" and ASSUMING_ONE_SOLUTION.isdisjoint(found.techniques)
    if found.grade == "unknown" or is_proven or not has_several_solutions(problem, seconds):
        return found
    return replace(found, grade="unsolved", outcome="it has several solutions")

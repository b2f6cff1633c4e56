"""The problem in memory, how people build one, and what a solution is."""

from f2csp.model.builder import ProblemBuilder
from f2csp.model.check import Checker, Violation, check, check_all
from f2csp.model.problem import Constraint, Domain, Ids, Kind, Offsets, Origin, Problem, Relation, Value, Variable
from f2csp.model.stream import ConstraintBlock, ProblemStream

__all__ = [
    "Checker",
    "Constraint",
    "ConstraintBlock",
    "Domain",
    "Ids",
    "Kind",
    "Offsets",
    "Origin",
    "Problem",
    "ProblemBuilder",
    "ProblemStream",
    "Relation",
    "Value",
    "Variable",
    "Violation",
    "check",
    "check_all",
]

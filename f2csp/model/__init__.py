"""The problem in memory, how people build one, and what a solution is."""

from f2csp.model.builder import ProblemBuilder
from f2csp.model.check import Checker, Violation, check, check_all
from f2csp.model.problem import (
    Constraint,
    ConstraintBlock,
    Domain,
    Ids,
    Kind,
    Offsets,
    Origin,
    Problem,
    ProblemStream,
    Relation,
    Value,
    Variable,
)

__all__ = ["Checker", "Constraint", "ConstraintBlock", "Domain", "Origin", "Problem", "ProblemBuilder", "ProblemStream"]
__all__ += ["Ids", "Kind", "Offsets", "Relation", "Value", "Variable", "Violation", "check", "check_all"]

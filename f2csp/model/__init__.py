"""The problem in memory, how people build one, and what a solution is."""

from f2csp.arrays import Offsets
from f2csp.model.builder import ProblemBuilder
from f2csp.model.check import Check, Checker, HasSolution, Violation, assignment_of, check, check_all
from f2csp.model.problem import Ids, Kind, Origin, Problem, Relation, Value, expect_problem
from f2csp.model.stream import ConstraintBlock, ProblemStream
from f2csp.model.views import Constraint, Domain, Variable

__all__ = ["Check", "Checker", "Constraint", "ConstraintBlock", "Domain", "Origin", "Problem", "ProblemBuilder"]
__all__ += ["Ids", "Kind", "Offsets", "ProblemStream", "Relation", "Value", "Variable", "Violation", "check"]
__all__ += ["HasSolution", "assignment_of", "check_all", "expect_problem"]

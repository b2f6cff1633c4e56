"""Solving: engines behind one call, and questions about solutions."""

from f2csp.solutions import Solution
from f2csp.solving.questions import solve
from f2csp.solving.registry import ENGINES, named_engine
from f2csp.solving.search_run import Limits, Result, Status

__all__ = ["ENGINES", "Limits", "Result", "Solution", "Status", "named_engine", "solve"]

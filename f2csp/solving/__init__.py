"""Solving: engines behind one call, and questions about solutions."""

from f2csp.solving.questions import solve
from f2csp.solving.registry import ENGINES, Engine, named_engine
from f2csp.solving.result import Limits, Observer, Result, Solution, Statistics, Status

__all__ = [
    "ENGINES",
    "Engine",
    "Limits",
    "Observer",
    "Result",
    "Solution",
    "Statistics",
    "Status",
    "named_engine",
    "solve",
]

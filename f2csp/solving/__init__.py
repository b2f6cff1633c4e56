"""Solving: engines behind one call, and the questions that people ask of a problem."""

from f2csp.solving.registry import ENGINES, Engine, named_engine
from f2csp.solving.result import Limits, Observer, Result, Solution, Statistics, Status
from f2csp.solving.solver import solve

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

"""Solving: engines behind one call, and the questions that people ask of a problem."""

from f2csp.solving.registry import DEFAULT_ENGINE, ENGINES, Engine
from f2csp.solving.result import Limits, Observer, Result, Solution, Statistics, Status
from f2csp.solving.solver import solve

__all__ = [
    "DEFAULT_ENGINE",
    "ENGINES",
    "Engine",
    "Limits",
    "Observer",
    "Result",
    "Solution",
    "Statistics",
    "Status",
    "solve",
]

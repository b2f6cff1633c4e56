"""Count and sample solutions without listing them: partial solutions that leave the same problem are merged."""

from f2csp.counting.budget import Advance, BeyondBudget, Budget
from f2csp.counting.solution_space import SolutionSpace

__all__ = ["Advance", "BeyondBudget", "Budget", "SolutionSpace"]

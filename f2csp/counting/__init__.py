"""Count and sample solutions without listing them: partial solutions that leave the same problem are merged."""

from f2csp.counting.merging import Budget, MergedStates, TooManyStates, count_by_merging

__all__ = ["Budget", "MergedStates", "TooManyStates", "count_by_merging"]

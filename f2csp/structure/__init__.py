"""What tables mean: different, less, a fixed value, and the like."""

from f2csp.structure.allowed import allowed_tuples
from f2csp.structure.constraints import Meanings, meanings
from f2csp.structure.meaning import Meaning, MeaningKind

__all__ = ["Meaning", "MeaningKind", "Meanings", "allowed_tuples", "meanings"]

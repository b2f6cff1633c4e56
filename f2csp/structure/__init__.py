"""What tables mean: different, less, a fixed value, and the like."""

from f2csp.structure.allowed import allowed_tuples, forbidden_tuples
from f2csp.structure.constraints import Meanings, meanings
from f2csp.structure.meaning import Meaning, MeaningKind
from f2csp.structure.recovered import Comparison, Structure, recover

__all__ = [
    "Comparison",
    "Meaning",
    "MeaningKind",
    "Meanings",
    "Structure",
    "allowed_tuples",
    "forbidden_tuples",
    "meanings",
    "recover",
]

"""What tables mean: different, less, a fixed value, and the like."""

from f2csp.structure.alike import Alike, alike
from f2csp.structure.allowed import allowed_tuples, forbidden_tuples
from f2csp.structure.constraints import Meanings, meanings
from f2csp.structure.determined import determined
from f2csp.structure.meaning import Meaning, MeaningKind
from f2csp.structure.recovered import Comparison, Structure, recover

__all__ = [
    "Alike",
    "Comparison",
    "Meaning",
    "MeaningKind",
    "Meanings",
    "Structure",
    "alike",
    "allowed_tuples",
    "determined",
    "forbidden_tuples",
    "meanings",
    "recover",
]

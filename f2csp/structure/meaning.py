"""What a table can mean.

A table is judged by what it allows over the domains of its scope, not by how it is written: accepting all unequal pairs
is the same as rejecting all equal ones.
"""

from dataclasses import dataclass
from enum import StrEnum

from f2csp.model import Value


class MeaningKind(StrEnum):
    """What a table can mean; where several fit, as over small domains, the first of them in this order."""

    NEVER_TRUE = "never true"
    FIXED_VALUE = "fixed value"  # one value is left, also where the domain has no other
    ALWAYS_TRUE = "always true"
    FORBIDDEN_VALUE = "forbidden value"
    EQUAL = "equal"
    DIFFERENT = "different"
    LESS = "less"
    LESS_OR_EQUAL = "less or equal"
    GREATER = "greater"
    GREATER_OR_EQUAL = "greater or equal"
    DIFFERENCE = "difference"  # the first less the second is a constant
    SUM = "sum"  # of two variables, a constant
    XOR = "xor"  # of zeros and ones, an odd number of ones, or an even one
    FUNCTIONAL = "functional"  # one variable, which has several values, follows from the others
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a table means.

    Attributes:
        kind: the meaning; of two variables it is said in the order of the scope.
        value: the value that it speaks of, if it does: the fixed or the forbidden one, a difference, a sum, or the sum
            of zeros and ones modulo 2.
        position: which variable of the scope, from 0, follows from the others, if it speaks of one; the last that does.
    """

    kind: MeaningKind
    value: Value | None = None
    position: int | None = None

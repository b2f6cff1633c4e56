"""What the constraints of a problem say: kinds, the classification of all constraints, and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from f2csp.arrays import Bools
from f2csp.diagnostics import listed
from f2csp.model import Ids, Value

_MAX_NAMES = 8  # of variables in a sentence


class ConstraintKind(StrEnum):
    """What a table can say; where several kinds fit, as over small domains, the first in this order."""

    NEVER_TRUE = "never true"
    FIXED_VALUE = "fixed value"  # one value remains, also where the domain has no other
    ALWAYS_TRUE = "always true"
    FORBIDDEN_VALUE = "forbidden value"
    EQUAL = "equal"
    DIFFERENT = "different"
    LESS = "less"
    LESS_OR_EQUAL = "less or equal"
    GREATER = "greater"
    GREATER_OR_EQUAL = "greater or equal"
    DIFFERENCE = "difference"  # first - second = constant
    SUM = "sum"  # first + second = constant
    XOR = "xor"  # over 0 and 1: the parity of the number of ones
    FUNCTIONAL = "functional"  # one variable, which has several values, follows from the others
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a table says; a comparison of two variables is in the order of the scope."""

    kind: ConstraintKind
    value: Value | None = None  # fixed or forbidden, the difference, the sum, or the number of ones modulo 2
    position: int | None = None  # of a functional table the last in the scope, from 0, that follows from the others


@dataclass(frozen=True, slots=True)
class Classification:
    """What each constraint of a problem says."""

    distinct: tuple[Recognised, ...]
    of_constraint: Ids  # for each constraint the index of its result

    def __getitem__(self, constraint: int) -> Recognised:
        return self.distinct[int(self.of_constraint[constraint])]

    def are(self, *kinds: ConstraintKind) -> Bools:
        """For each constraint, whether it is of one of these kinds."""
        return np.array([one.kind in kinds for one in self.distinct], dtype=np.bool_)[self.of_constraint]

    @property
    def n_of_kinds(self) -> dict[str, int]:
        """For each kind that occurs, the number of constraints."""
        numbers = {str(kind): int(np.count_nonzero(self.are(kind))) for kind in ConstraintKind}
        return {kind: n for kind, n in numbers.items() if n}


_SENTENCES = {
    ConstraintKind.EQUAL: "{0} = {1}",
    ConstraintKind.LESS: "{0} < {1}",
    ConstraintKind.LESS_OR_EQUAL: "{0} <= {1}",
    ConstraintKind.GREATER: "{0} > {1}",
    ConstraintKind.GREATER_OR_EQUAL: "{0} >= {1}",
    ConstraintKind.DIFFERENCE: "{0} - {1} = {value}",
    ConstraintKind.SUM: "{0} + {1} = {value}",
    ConstraintKind.FIXED_VALUE: "{0} = {value}",
    ConstraintKind.FORBIDDEN_VALUE: "{0} is not {value}",
    ConstraintKind.DIFFERENT: "{names} all differ",
    ConstraintKind.NEVER_TRUE: "nothing is allowed for {names}",
}


def sentence(kind: ConstraintKind, names: Sequence[str], value: Value | None, otherwise: str) -> str:
    """What a kind of constraint says of some variables; ``otherwise`` is the form for a kind without words."""
    form = _SENTENCES.get(kind, otherwise)
    return form.format(*names, names=listed(names, _MAX_NAMES), value=value)

"""What the tables of a problem say: the constraint model that all back ends read, and how it is recovered."""

from f2csp.structure.chained_sums import known_sums, linked
from f2csp.structure.classification import classify
from f2csp.structure.constraint_groups import FunctionalClosure, RelationGroup, conflicts, groups_by_relation, supports
from f2csp.structure.constraint_model import (
    Comparison,
    ConstraintModel,
    Parity,
    Structure,
    raw_model,
    recover,
    structure,
    with_sums,
)
from f2csp.structure.meanings import ConstraintKind, Recognised, sentence
from f2csp.structure.numbering import Numbering

__all__ = ["Comparison", "ConstraintKind", "ConstraintModel", "FunctionalClosure", "Numbering", "Parity", "Recognised"]
__all__ += ["RelationGroup", "Structure", "classify", "conflicts", "groups_by_relation", "known_sums", "linked"]
__all__ += ["raw_model", "recover", "sentence", "structure", "supports", "with_sums"]

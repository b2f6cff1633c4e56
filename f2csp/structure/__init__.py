"""What the tables of a problem say: the constraint model that all back ends read, and how it is recovered."""

from f2csp.structure.classification import Classification, ConstraintKind, Recognised, classify
from f2csp.structure.constraint_groups import RelationGroup, conflicts, functional_closure, groups_by_relation, supports
from f2csp.structure.constraint_model import Comparison, ConstraintModel, Parity, raw_model, recover
from f2csp.structure.numbering import Numbering

__all__ = [
    "Classification",
    "Comparison",
    "ConstraintKind",
    "ConstraintModel",
    "Numbering",
    "Parity",
    "Recognised",
    "RelationGroup",
    "classify",
    "conflicts",
    "functional_closure",
    "groups_by_relation",
    "raw_model",
    "recover",
    "supports",
]

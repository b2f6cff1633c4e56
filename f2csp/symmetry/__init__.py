"""Permutations of variables and values that leave a problem as it is."""

from f2csp.symmetry.breaking import interchangeable_values, without_symmetries
from f2csp.symmetry.graphs import Graph, Permutation, can_find_automorphisms
from f2csp.symmetry.problem_graph import Automorphism, SymmetryGroup
from f2csp.symmetry.problem_symmetry import Symmetry, symmetry

__all__ = ["Automorphism", "Graph", "Permutation", "Symmetry", "SymmetryGroup", "can_find_automorphisms"]
__all__ += ["interchangeable_values", "symmetry", "without_symmetries"]

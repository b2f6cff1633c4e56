"""Permutations of variables and values that leave a problem as it is."""

from f2csp.symmetry.breaking import interchangeable_values, without_symmetries
from f2csp.symmetry.canonical import least_assignment
from f2csp.symmetry.conjugacy import symmetry_classes
from f2csp.symmetry.fixed_solutions import fixed_solutions
from f2csp.symmetry.graphs import Graph, Permutation, can_find_automorphisms, require_nauty
from f2csp.symmetry.problem_graph import Automorphism, ProblemGraph, SymmetryGroup
from f2csp.symmetry.problem_symmetry import Symmetry, symmetry

__all__ = ["Automorphism", "Graph", "Permutation", "ProblemGraph", "Symmetry", "SymmetryGroup"]
__all__ += ["can_find_automorphisms", "fixed_solutions", "interchangeable_values", "least_assignment"]
__all__ += ["require_nauty", "symmetry", "symmetry_classes", "without_symmetries"]

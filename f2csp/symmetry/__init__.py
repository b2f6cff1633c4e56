"""Permutations of variables and values that leave a problem as it is."""

from f2csp.symmetry.graphs import Graph, Permutation, can_find_automorphisms

__all__ = ["Graph", "Permutation", "can_find_automorphisms"]

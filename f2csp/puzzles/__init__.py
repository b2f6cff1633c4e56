"""Puzzles as problems, one file per puzzle."""

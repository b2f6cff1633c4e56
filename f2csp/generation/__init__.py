"""Puzzles made to order, and families of instances; the table of all is in ``kinds.py``."""

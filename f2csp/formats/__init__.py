"""Formats of other systems: export, import, and the answers of their solvers; one module per format."""

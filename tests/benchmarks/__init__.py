"""How fast the package is and how much memory it takes, as ratios: ``python -m tests.benchmarks``."""

"""The programs: they read arguments, print and set exit codes, and compute nothing."""

"""Reads a formula and solves or counts it in PySAT or Ganak: python solve_cnf.py sat|count FILE."""

import sys

from pysat.formula import CNF

_, task, path = sys.argv
formula = CNF(from_file=path)
if task == "sat":
    from pysat.solvers import Cadical195

    with Cadical195(bootstrap_with=formula.clauses) as solver:
        print("SATISFIABLE" if solver.solve() else "UNSATISFIABLE")
else:
    from pyganak import Counter

    counter = Counter()
    counter.new_vars(formula.nv)
    counter.add_clauses(formula.clauses)
    print(counter.count())

"""The models of a formula, by a SAT solver that knows nothing of how it was made."""

from pysat.solvers import Minisat22

from f2csp.encode import Cnf


def clauses(cnf: Cnf) -> list[list[int]]:
    """All clauses."""
    return [clause for block in cnf.blocks for clause in block.tolist()]


def models(cnf: Cnf, n_literals: int = 0) -> list[list[int]]:
    """All assignments under which all clauses hold, to all literals of these and to so many first ones at least."""
    with Minisat22(clauses(cnf)) as solver:
        for literal in range(1, n_literals + 1):
            solver.add_clause([literal, -literal])
        return list(solver.enum_models())

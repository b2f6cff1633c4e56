"""A problem on its way to clauses."""

from f2csp.encode.cnf import CnfBuilder
from f2csp.encode.literals import literals_of
from f2csp.model import Problem


class Draft:
    """What everything needs that writes clauses of a problem.

    Attributes:
        problem: the problem.
        cnf: where the clauses go.
        literals: which literal says what.
    """

    def __init__(self, problem: Problem) -> None:
        """Begin, with the literals of the values and no clause.

        Raises:
            Unsuitable: there are more literals than 32 bits can count.
        """
        self.problem = problem
        self.cnf = CnfBuilder(int(problem.domain_sizes[problem.variable_domains].sum()))
        self.literals = literals_of(problem)

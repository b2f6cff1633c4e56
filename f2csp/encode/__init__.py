"""Problems as clauses, for SAT solvers; no solver is in here."""

from f2csp.encode.cnf import Cnf
from f2csp.encode.encoding import Encoding, encode
from f2csp.encode.literals import Literals
from f2csp.encode.tables import Method

__all__ = ["Cnf", "Encoding", "Literals", "Method", "encode"]

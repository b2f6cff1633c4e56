"""Problems as clauses, for SAT solvers; no solver is in here."""

from f2csp.encode.cnf import Cnf, Literals, literals_of
from f2csp.encode.encoder import Encoder, Encoding, Method, encode

__all__ = ["Cnf", "Encoder", "Encoding", "Literals", "Method", "encode", "literals_of"]

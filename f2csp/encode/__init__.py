"""Problems as clauses, for SAT solvers; no solver is in here."""

from f2csp.encode.cnf import Cnf, Literals, literals_of
from f2csp.encode.encoder import Encoder, Encoding, EncodingMethod, encode

__all__ = ["Cnf", "Encoder", "Encoding", "EncodingMethod", "Literals", "encode", "literals_of"]

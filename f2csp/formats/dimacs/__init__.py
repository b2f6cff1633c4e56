"""DIMACS CNF, the text of clauses that SAT solvers read; with notes in comments for the way back.

    c title Map of two countries
    c domain colour: red green
    c variable A: colour, literals 1 to 2
    c variable B: colour, literals 3 to 4
    p cnf 4 6
    1 2 0
    3 4 0
    -1 -2 0
    -3 -4 0
    -1 -3 0
    -2 -4 0

The format is that of the second DIMACS challenge, "Satisfiability: Suggested Format", 1993; answers are those of the
SAT competitions.
"""

from typing import IO, Any

from f2csp.files import FileName, read_source, write_chunks
from f2csp.formats.dimacs.answers import answers
from f2csp.formats.dimacs.reading import looks_like, read
from f2csp.formats.dimacs.writing import chunks
from f2csp.formats.foreign import ExportOptions
from f2csp.model import Problem

__all__ = ["answers", "chunks", "export_dimacs", "import_dimacs", "looks_like", "read"]

_DEFAULTS = ExportOptions()


def export_dimacs(problem: Problem, file: FileName | IO[Any], options: ExportOptions = _DEFAULTS) -> None:
    """Write a problem as clauses.

    Args:
        problem: what to write.
        file: a path (written whole or not at all), ``-`` for standard output, or a file open for writing.
        options: the encoding, and whether it uses what the tables mean.

    Raises:
        Unsuitable: there are more literals than 32 bits can count.
        OSError: the file cannot be written.
    """
    write_chunks(chunks(problem, options), file)


def import_dimacs(file: FileName | IO[Any]) -> Problem:
    """Read clauses: each rejects one tuple of variables over 0 and 1, or of those that the file's notes speak of.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.

    Raises:
        InvalidInput: the text has faults.
        OSError: the file cannot be read.
    """
    return read(read_source(file))

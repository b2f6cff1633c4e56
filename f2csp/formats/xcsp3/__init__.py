"""XCSP3, the XML format of the CSP community, its solvers and its competitions.

    <instance format="XCSP3" type="CSP">
      <variables>
        <var id="x"> 1..4 </var>
        <var id="y"> 1..4 </var>
      </variables>
      <constraints>
        <extension>
          <list> x y </list>
          <conflicts> (1,1)(2,2)(3,3)(4,4) </conflicts>
        </extension>
      </constraints>
    </instance>

Specification: https://xcsp.org, "XCSP3: An Integrated Format for Benchmarking Combinatorial Constrained Problems".
"""

from typing import IO, Any

from f2csp.files import FileName, read_source, write_chunks
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.xcsp3.answers import answers
from f2csp.formats.xcsp3.reading import looks_like, read
from f2csp.formats.xcsp3.writing import chunks
from f2csp.model import Problem

__all__ = ["answers", "chunks", "export_xcsp3", "import_xcsp3", "looks_like", "read"]

_DEFAULTS = ExportOptions()


def export_xcsp3(problem: Problem, file: FileName | IO[Any], options: ExportOptions = _DEFAULTS) -> None:
    """Write a problem as XCSP3.

    Args:
        problem: what to write.
        file: a path (written whole or not at all), ``-`` for standard output, or a file open for writing.
        options: whether to write what the tables mean.

    Raises:
        Unsuitable: a name or the title has a character that XML cannot hold.
        OSError: the file cannot be written.
    """
    write_chunks(chunks(problem, options), file)


def import_xcsp3(file: FileName | IO[Any]) -> Problem:
    """Read an XCSP3 instance.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.

    Raises:
        InvalidInput: the text has faults, or something that there are no tables for; all of it is told.
        OSError: the file cannot be read.
    """
    return read(read_source(file))

r"""MiniZinc, the modelling language; written so that a person can read it, and not read.

    % Map of two countries
    int: red = 1;
    int: green = 2;
    array[int] of string: words = array1d(1..2, ["red", "green"]);
    set of int: colour = {red, green};
    var colour: A;
    var colour: B;
    array[int, int] of int: table_1 =
      [| red, red
       | green, green |];
    constraint rejects([A, B], table_1);
    solve satisfy;
    output ["A = ", word(fix(A)), "\n", "B = ", word(fix(B)), "\n"];

Specification: the MiniZinc Handbook, https://docs.minizinc.dev.
"""

from typing import IO, Any

from f2csp.files import FileName, write_chunks
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.minizinc.answers import answers
from f2csp.formats.minizinc.writing import chunks
from f2csp.model import Problem

__all__ = ["answers", "chunks", "export_minizinc"]

_DEFAULTS = ExportOptions()


def export_minizinc(problem: Problem, file: FileName | IO[Any], options: ExportOptions = _DEFAULTS) -> None:
    """Write a problem as a MiniZinc model.

    Args:
        problem: what to write.
        file: a path (written whole or not at all), ``-`` for standard output, or a file open for writing.
        options: whether to write what the tables mean.

    Raises:
        OSError: the file cannot be written.
    """
    write_chunks(chunks(problem, options), file)

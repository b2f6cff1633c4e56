"""Clauses as text, a hundred thousand numbers at a time."""

from collections.abc import Iterator

import numpy as np

from f2csp.encode import Cnf, Method, encode
from f2csp.formats.dimacs.notes import note_lines
from f2csp.formats.foreign import ExportOptions
from f2csp.model import Ids, Problem
from f2csp.structure import raw_model, recover

_NUMBERS = 1 << 17  # in a chunk
_LINES = 1 << 14
_MINUS, _ZERO, _BLANK, _NEWLINE = b"-0 \n"


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:
    """The text of a problem in pieces.

    Raises:
        Unsuitable: there are more literals than 32 bits can count.
    """
    model = recover(problem) if options.use_structure else raw_model(problem)
    cnf = encode(model, Method(options.encoding)).cnf
    lines = []
    for line in note_lines(problem):
        lines.append(line)
        if len(lines) == _LINES:
            yield "".join(lines).encode()
            lines = []
    lines.append(f"p cnf {cnf.n_literals} {cnf.n_clauses}\n")
    yield "".join(lines).encode()
    yield from _clauses(cnf)


def _clauses(cnf: Cnf) -> Iterator[bytes]:
    for block in cnf.blocks:
        n_rows = max(1, _NUMBERS // (block.shape[1] + 1))
        for start in range(0, len(block), n_rows):
            rows = block[start : start + n_rows]
            yield _text(np.pad(rows, ((0, 0), (0, 1))).ravel())


def _text(numbers: Ids) -> bytes:
    """Each number and a blank, or the end of the line behind a zero.

    Each is written into a row that is wide enough for all, and what is not part of it is left out at the end.
    """
    rest = np.abs(numbers)
    width = len(str(int(rest.max())))
    signs = np.empty((len(numbers), width + 2), dtype=np.uint8)
    is_part = np.empty(signs.shape, dtype=np.bool_)
    signs[:, 0] = _MINUS
    is_part[:, 0] = numbers < 0
    for place in range(width, 0, -1):
        tenth = rest // 10
        signs[:, place] = rest - 10 * tenth + _ZERO
        is_part[:, place] = rest > 0
        rest = tenth
    is_part[:, width] = True  # of zero too
    signs[:, -1] = np.where(numbers == 0, _NEWLINE, _BLANK)
    is_part[:, -1] = True
    return signs[is_part].tobytes()

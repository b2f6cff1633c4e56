"""The fast way into a file without faults: NumPy reads the numbers. Anything unusual is left to the careful way."""

import re

import numpy as np

from f2csp.diagnostics import Source
from f2csp.formats.dimacs.formula import MOST_UNUSED, Formula, formula_of
from f2csp.model import Ids

_HEADER = re.compile(
    rb"(?:[ \t\r]*+(?:c[^\n]*+)?+\n)*+[ \t]*+p[ \t]++cnf[ \t]++([0-9]{1,10})[ \t]++([0-9]{1,10})[ \t\r]*+(?=\n|\Z)"
)
_COMMENT = re.compile(rb"\n[ \t]*+c[^\n]*+")
_TRAILER = re.compile(rb"\n[ \t]*+%[ \t\r]*+\n[ \t\r\n]*+(?:0[ \t\r\n]*+)?\Z")
_PIECE = 1 << 24
_LARGEST = (1 << 31) - 1


def scan(source: Source) -> Formula | None:
    """The formula in a text, or None if there may be something wrong with it."""
    data = source.data
    header = _HEADER.match(data, source.start)
    if header is None:
        return None
    n_variables, n_clauses = int(header[1]), int(header[2])
    body = data[header.end() :]
    if b"%" in body:
        trailer = _TRAILER.search(body, max(0, body.index(b"%") - 80))
        if trailer is None:
            return None
        body = body[: trailer.start()]
    if b"c" in body:
        body = _COMMENT.sub(b"", body)
    numbers = _numbers(body)
    if numbers is None or np.count_nonzero(numbers == 0) != n_clauses or (len(numbers) and numbers[-1] != 0):
        return None
    if n_variables > min(len(numbers) + MOST_UNUSED, _LARGEST) or (np.abs(numbers) > n_variables).any():
        return None
    return formula_of(n_variables, numbers, (source.start, header.end()))


def _numbers(body: bytes) -> Ids | None:
    """The numbers in a text, or None if there is anything else in it, or a number beyond 32 bits."""
    if body.translate(None, b"0123456789- \t\r\n"):
        return None
    signs = np.frombuffer(b" " + body + b" ", dtype=np.uint8)
    minuses = np.flatnonzero(signs == ord("-"))
    is_sound = (signs[minuses - 1] <= ord(" ")) & (signs[minuses + 1] >= ord("1"))
    if not is_sound.all():
        return None
    pieces = [np.empty(0, dtype=np.int32)]
    start = 0
    while start < len(body):
        end = body.rfind(b"\n", start, start + _PIECE) if len(body) - start > _PIECE else len(body)
        if end <= start:
            return None
        piece = body[start:end]
        if not piece.isspace():
            numbers = np.fromstring(piece, dtype=np.int64, sep=" ")
            if (np.abs(numbers) > _LARGEST).any():
                return None
            pieces.append(numbers.astype(np.int32))
        start = end
    return np.concatenate(pieces)

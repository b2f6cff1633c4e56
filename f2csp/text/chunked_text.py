"""Text in chunks of a few hundred kilobytes, joined from pieces that are ready as bytes.

The pieces of names and values lie in arrays of objects. So the text of a thousand constraints, or of a thousand tuples,
is a few gathers by index and one join.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Offsets

LARGE = 1 << 17  # values in a chunk; a table with more values is written in several chunks

_CONSTRAINT_WEIGHT = 8  # writing a constraint costs, beside its table, about as much as this many values
_CHUNK_LINES = 1 << 14

Pieces = NDArray[np.object_]


def pieces(words: Sequence[object], form: str = "{}") -> Pieces:
    """The words, or numbers, as bytes, each in the place of ``{}`` in the form."""
    before, _, after = form.partition("{}")
    made = np.empty(len(words), dtype=np.object_)
    made[:] = [f"{before}{word}{after}".encode() for word in words]
    return made


def line_chunks(lines: Iterable[str]) -> Iterator[bytes]:
    """The lines joined, many to a chunk."""
    rest = iter(lines)
    while taken := list(islice(rest, _CHUNK_LINES)):
        yield "".join(taken).encode()


def row_chunks(rows: Ids, words: Pieces, last_words: Pieces, n_cut: int = 0) -> Iterator[bytes]:
    """The text of tuples (n, arity): a piece for each value, from ``last_words`` for the last one of a tuple.

    The last ``n_cut`` bytes, which separate tuples, are left out.
    """
    n_rows = max(1, LARGE // rows.shape[1])
    for start in range(0, len(rows), n_rows):
        part = rows[start : start + n_rows]
        text = words[part]
        text[:, -1] = last_words[part[:, -1]]
        joined_text = b"".join(text.ravel().tolist())
        yield joined_text[: len(joined_text) - n_cut * (start + n_rows >= len(rows))]


def blocks(weights: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Ranges of constraints or tables, each about as heavy as ``LARGE`` values; a heavy one is the last of its range.

    A weight is the number of names and values in the text.
    """
    if len(weights):
        ends = np.cumsum(weights + _CONSTRAINT_WEIGHT)
        before = np.concatenate([[0], ends[:-1]]) // LARGE
        yield from pairwise([0, *(np.flatnonzero(np.diff(before)) + 1).tolist(), len(weights)])


def joined(
    heads: Sequence[Pieces], names: Pieces, last_names: Pieces, tails: Pieces | bytes, scopes: Ids, arities: Offsets
) -> bytes:
    """The text of some constraints: their heads, each of one or more pieces, the names of their scopes, their tails.

    Names are for each variable, the last ones those at the end of a scope; the scopes lie end to end.
    """
    ends = np.cumsum(arities + len(heads) + 1)
    starts = ends - arities - len(heads) - 1
    text = np.empty(int(ends[-1]), dtype=np.object_)
    is_name = np.ones(len(text), dtype=np.bool_)
    for i, head in enumerate(heads):
        text[starts + i] = head
        is_name[starts + i] = False
    is_name[ends - 1] = False
    text[is_name] = names[scopes]
    text[ends - 2] = last_names[scopes[np.cumsum(arities) - 1]]
    text[ends - 1] = tails
    return b"".join(text.tolist())

"""Problems as canonical F2CSP text, byte for byte, in pieces: the whole text is never in memory."""

from collections.abc import Iterator
from functools import lru_cache
from typing import IO, Any

import numpy as np

from f2csp.arrays import offsets_of
from f2csp.files import FileName, write_chunks
from f2csp.model import ConstraintBlock, Ids, Problem, ProblemStream, Relation
from f2csp.text.chunked_text import LARGE, Pieces, blocks, joined, line_chunks, pieces, row_chunks

_KEPT_BYTES = 1 << 23  # of the texts of tables
_ENTRY_BYTES = 200  # the overhead of an entry, beyond its text
_KEPT_LABELS = 1 << 12
_KEPT_WORDS = 1 << 10
_SMALL_TABLE = 1 << 8  # values


def dump(problem: Problem | ProblemStream, file: FileName | IO[Any]) -> None:
    """Write the canonical text.

    Args:
        problem: what to write.
        file: a path (written whole or not at all, compressed if its name ends in .gz, .xz, .lzma, .bz2 or .zst), ``-``
            for standard output, or a file open for writing, text or binary.

    Raises:
        OSError: the file cannot be written.

    Example:
        >>> import sys
        >>> from f2csp.model import ProblemBuilder
        >>> dump(ProblemBuilder("Nothing").build(), sys.stdout)
        Nothing
        Domains:
        0
        Variables:
        0
        Constraints:
        0
        Goal:
        Satisfy
    """
    write_chunks(chunks(problem), file)


def dumps(problem: Problem | ProblemStream) -> str:
    """The canonical text.

    Example:
        >>> from f2csp.model import ProblemBuilder
        >>> dumps(ProblemBuilder("Nothing").build()).splitlines()
        ['Nothing', 'Domains:', '0', 'Variables:', '0', 'Constraints:', '0', 'Goal:', 'Satisfy']
    """
    return b"".join(chunks(problem)).decode()


def chunks(problem: Problem | ProblemStream) -> Iterator[bytes]:
    """The canonical text in pieces of whole lines, of a few megabytes at the most."""
    stream = problem if isinstance(problem, ProblemStream) else ProblemStream.of(problem)
    title = f"{stream.title}\n" if stream.title else ""
    yield f"{title}Domains:\n{len(stream.domain_names)}\n".encode()
    for name, values in zip(stream.domain_names, stream.domain_values, strict=True):
        yield f"{name}: {' '.join([stream.words[i] for i in values.tolist()])}\n".encode()
    yield f"Variables:\n{len(stream.variable_names)}\n".encode()
    ends = [f": {name}\n" for name in stream.domain_names]
    variables = zip(stream.variable_names, stream.variable_domains.tolist(), strict=True)
    yield from line_chunks(f"{name}{ends[domain]}" for name, domain in variables)
    yield f"Constraints:\n{stream.n_constraints}\n".encode()
    constraints = _ConstraintWriter(stream)
    for block in stream.blocks:
        yield from constraints.write(block)
    yield b"Goal:\nSatisfy\n"


class _ConstraintWriter:
    """Turns constraints into text, block after block.

    The texts of tables are kept for later constraints, up to ``_KEPT_BYTES``; that of a large table comes in pieces.
    """

    def __init__(self, stream: ProblemStream) -> None:
        self._relations = stream.relations
        self._value_words = stream.words
        self._labels = stream.labels
        self._n_written = 0
        self._names, self._last_names = (_pieces(stream.variable_names, form) for form in ("{} ", "{}"))
        self._words, self._last_words = (_pieces(stream.words, form) for form in ("{} ", "{}\n"))
        self._headers = pieces([relation.arity for relation in stream.relations], "\nVars:\n{}\n")
        self._arities = np.array([relation.arity for relation in stream.relations], dtype=np.int64)
        self._sizes = np.array([relation.tuples.size for relation in stream.relations], dtype=np.int64)
        self._tables: dict[int, bytes] = {}
        self._n_kept_bytes = 0

    def write(self, block: ConstraintBlock) -> Iterator[bytes]:
        arities = self._arities[block.relations]
        offsets = offsets_of(arities)
        for start, end in blocks(self._sizes[block.relations] + arities):
            relations, scopes = block.relations[start:end], block.scopes[offsets[start] : offsets[end]]
            heads, tables = [self._next_labels(end - start), self._headers[relations]], self._table_texts(relations)
            yield joined(heads, self._names, self._last_names, tables, scopes, arities[start:end])
            if self._sizes[relations[-1]] > LARGE:
                yield from row_chunks(self._relations[relations[-1]].tuples, self._words, self._last_words)

    def _next_labels(self, n: int) -> Pieces:
        first, self._n_written = self._n_written, self._n_written + n
        if self._labels is not None:
            return pieces(self._labels[first : self._n_written])
        if first + n <= _KEPT_LABELS:
            return _kept_pieces(range(1, _KEPT_LABELS + 1), "C{}")[first : first + n]
        return pieces(range(first + 1, first + n + 1), "C{}")

    def _table_texts(self, relations: Ids) -> Pieces:
        indices = relations.tolist()
        known = {i: self._tables.get(i) or self._table_text(i) for i in set(indices)}
        texts = np.empty(len(indices), dtype=np.object_)
        texts[:] = [known[i] for i in indices]
        return texts

    def _table_text(self, index: int) -> bytes:
        """The text of a table, but for the rows of a large one, which is kept."""
        relation = self._relations[index]
        text = f"\n{relation.kind}:\n{relation.n_tuples}\n".encode()
        if relation.tuples.size <= min(LARGE, _SMALL_TABLE) and len(self._words) <= _KEPT_WORDS:
            text += _small_rows(relation, self._value_words)
        elif relation.tuples.size <= LARGE:
            text = b"".join([text, *row_chunks(relation.tuples, self._words, self._last_words)])
        if self._n_kept_bytes > _KEPT_BYTES:
            self._tables.clear()
            self._n_kept_bytes = 0
        self._tables[index] = text
        self._n_kept_bytes += len(text) + _ENTRY_BYTES
        return text


# Problems that are written one after the other often have the same labels, variables, values and small tables.
_kept_pieces = lru_cache(maxsize=16)(pieces)


def _pieces(words: tuple[str, ...], form: str) -> Pieces:
    return _kept_pieces(words, form) if len(words) <= _KEPT_WORDS else pieces(words, form)


@lru_cache(maxsize=1 << 10)
def _small_rows(relation: Relation, words: tuple[str, ...]) -> bytes:
    return "".join([" ".join([words[i] for i in row]) + "\n" for row in relation.tuples.tolist()]).encode()

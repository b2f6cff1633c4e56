"""Problems as canonical F2CSP text, byte for byte, in pieces: the whole text is never in memory.

The words of the text lie ready as bytes in NumPy arrays of objects, blanks and line ends with them. So a thousand
constraints, or rows of a table, are a few gathers by index and one join.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import offsets_of
from f2csp.files import FileName, write_chunks
from f2csp.model import ConstraintBlock, Ids, Problem, ProblemStream, Relation

_CHUNK_BYTES = 1 << 20
_CHUNK_VALUES = 1 << 17  # in the tables of a chunk's constraints, or of its rows
_KEPT_BYTES = 1 << 23  # of the texts of tables
_ENTRY_BYTES = 200  # what it takes to keep one, besides the text
_KEPT_LABELS = 1 << 12
_KEPT_WORDS = 1 << 10
_SMALL_TABLE = 1 << 8  # values
_HEAD_VALUES = 16  # the lines before a constraint's table cost about as much as so many values

Pieces = NDArray[np.object_]


def dump(problem: Problem | ProblemStream, file: FileName | IO[Any]) -> None:
    """Write the canonical text.

    Args:
        problem: what to write.
        file: a path (written whole or not at all, compressed if its name ends in .gz, .xz, .bz2 or .zst), ``-`` for
            standard output, or a file open for writing, text or binary.

    Raises:
        OSError: the file cannot be written.
    """
    write_chunks(chunks(problem), file)


def dumps(problem: Problem | ProblemStream) -> str:
    """The canonical text."""
    return b"".join(chunks(problem)).decode()


def chunks(problem: Problem | ProblemStream) -> Iterator[bytes]:
    """The canonical text in pieces of whole lines, of a few megabytes at the most."""
    stream = ProblemStream.of(problem) if isinstance(problem, Problem) else problem
    title = f"{stream.title}\n" if stream.title else ""
    yield f"{title}Domains:\n{len(stream.domain_names)}\n".encode()
    yield from _joined(_domain_lines(stream))
    yield f"Variables:\n{len(stream.variable_names)}\n".encode()
    yield from _joined(_variable_lines(stream))
    yield f"Constraints:\n{stream.n_constraints}\n".encode()
    constraints = _ConstraintWriter(stream)
    for block in stream.blocks:
        yield from constraints.write(block)
    yield b"Goal:\nSatisfy\n"


def _domain_lines(stream: ProblemStream) -> Iterator[bytes]:
    words = stream.words
    for name, values in zip(stream.domain_names, stream.domain_values, strict=True):
        yield f"{name}: {' '.join([words[i] for i in values.tolist()])}\n".encode()


def _variable_lines(stream: ProblemStream) -> Iterator[bytes]:
    ends = [f": {name}\n" for name in stream.domain_names]
    for name, domain in zip(stream.variable_names, stream.variable_domains.tolist(), strict=True):
        yield f"{name}{ends[domain]}".encode()


def _joined(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines in chunks."""
    pieces: list[bytes] = []
    size = 0
    for line in lines:
        pieces.append(line)
        size += len(line)
        if size > _CHUNK_BYTES:
            yield b"".join(pieces)
            pieces, size = [], 0
    yield b"".join(pieces)


class _ConstraintWriter:
    """Turns constraints into text, block after block.

    A constraint is its label, a header, the names of its scope and its table. The texts of tables are kept for the
    constraints to come, as many as ``_KEPT_BYTES`` allow; that of a large table is never made at once.
    """

    def __init__(self, stream: ProblemStream) -> None:
        self._relations = stream.relations
        self._value_words = stream.words
        self._labels = stream.labels
        self._n_written = 0
        self._names = _pieces(stream.variable_names, " ")
        self._last_names = _pieces(stream.variable_names, "")
        self._words = _pieces(stream.words, " ")
        self._last_words = _pieces(stream.words, "\n")
        self._arities = np.array([relation.arity for relation in stream.relations], dtype=np.int64)
        self._headers = _pieces(tuple(f"\nVars:\n{relation.arity}" for relation in stream.relations), "\n")
        self._sizes = np.array([relation.tuples.size for relation in stream.relations], dtype=np.int64)
        self._tables: dict[int, bytes] = {}
        self._n_kept_bytes = 0

    def write(self, block: ConstraintBlock) -> Iterator[bytes]:
        """The text of a block in chunks of about ``_CHUNK_VALUES``; a large table is the last of its chunk."""
        if not len(block.relations):
            return
        arities = self._arities[block.relations]
        offsets = offsets_of(arities)
        weights = self._sizes[block.relations] + arities + _HEAD_VALUES
        chunk_of = offsets_of(weights)[:-1] // _CHUNK_VALUES
        cuts = [0, *(np.flatnonzero(np.diff(chunk_of)) + 1).tolist(), len(chunk_of)]
        for start, end in pairwise(cuts):
            relations = block.relations[start:end]
            scopes = block.scopes[offsets[start] : offsets[end]]
            yield self._chunk(scopes, relations, arities[start:end])
            last = self._relations[relations[-1]]
            if last.tuples.size > _CHUNK_VALUES:
                yield from self._rows(last)

    def _chunk(self, scopes: Ids, relations: Ids, arities: NDArray[np.int64]) -> bytes:
        """The text of some constraints, without the rows of a large table."""
        n = len(relations)
        ends = np.cumsum(arities + 3)  # label, header and table, besides the names
        starts = ends - arities - 3
        pieces = np.empty(int(ends[-1]), dtype=np.object_)
        is_name = np.ones(len(pieces), dtype=np.bool_)
        is_name[starts] = is_name[starts + 1] = is_name[ends - 1] = False
        pieces[is_name] = self._names[scopes]
        pieces[ends - 2] = self._last_names[scopes[np.cumsum(arities) - 1]]
        pieces[starts] = self._next_labels(n)
        pieces[starts + 1] = self._headers[relations]
        pieces[ends - 1] = self._table_texts(relations)
        return b"".join(pieces.tolist())

    def _next_labels(self, n: int) -> list[bytes]:
        first = self._n_written
        self._n_written += n
        if self._labels is not None:
            return "\n".join(self._labels[first : first + n]).encode().split(b"\n")
        if first + n <= _KEPT_LABELS:
            return _first_labels()[first : first + n]
        return _default_labels(first, n)

    def _table_texts(self, relations: Ids) -> Pieces:
        if len(self._relations) < len(relations):  # so that no array is made that is larger than the chunk
            used = np.flatnonzero(np.bincount(relations)).tolist()
            texts = np.empty(len(self._relations), dtype=np.object_)
            texts[used] = [self._table_text(i) for i in used]
            return texts[relations]
        distinct, which = np.unique(relations, return_inverse=True)
        texts = np.empty(len(distinct), dtype=np.object_)
        texts[:] = [self._table_text(i) for i in distinct.tolist()]
        return texts[which]

    def _table_text(self, index: int) -> bytes:
        """The text of a table, but for the rows of a large one."""
        if index in self._tables:
            return self._tables[index]
        relation = self._relations[index]
        if relation.tuples.size > _CHUNK_VALUES:
            text = f"\n{relation.kind}:\n{relation.n_tuples}\n".encode()
        elif relation.tuples.size <= _SMALL_TABLE and len(self._value_words) <= _KEPT_WORDS:
            text = _small_table(relation, self._value_words)
        else:
            text = b"".join([f"\n{relation.kind}:\n{relation.n_tuples}\n".encode(), *self._rows(relation)])
        if self._n_kept_bytes > _KEPT_BYTES:
            self._tables.clear()
            self._n_kept_bytes = 0
        self._tables[index] = text
        self._n_kept_bytes += len(text) + _ENTRY_BYTES
        return text

    def _rows(self, relation: Relation) -> Iterator[bytes]:
        n_rows = max(1, _CHUNK_VALUES // relation.arity)
        for start in range(0, relation.n_tuples, n_rows):
            rows = relation.tuples[start : start + n_rows]
            pieces = self._words[rows]
            pieces[:, -1] = self._last_words[rows[:, -1]]
            yield b"".join(pieces.ravel().tolist())


@lru_cache(maxsize=1 << 10)
def _small_table(relation: Relation, words: tuple[str, ...]) -> bytes:
    """The text of a small table; relations are often shared by problems that are written one after the other."""
    rows = "".join([" ".join([words[i] for i in row]) + "\n" for row in relation.tuples.tolist()])
    return f"\n{relation.kind}:\n{relation.n_tuples}\n{rows}".encode()


@cache
def _first_labels() -> list[bytes]:
    """The default labels that small problems need, again and again."""
    return _default_labels(0, _KEPT_LABELS)


def _default_labels(first: int, n: int) -> list[bytes]:
    return [b"C%d" % i for i in range(first + 1, first + n + 1)]


def _pieces(words: tuple[str, ...], end: str) -> Pieces:
    """Words as bytes, each with what follows it."""
    return _kept_pieces(words, end) if len(words) <= _KEPT_WORDS else _new_pieces(words, end)


def _new_pieces(words: Sequence[str], end: str) -> Pieces:
    pieces = np.empty(len(words), dtype=np.object_)
    pieces[:] = [f"{word}{end}".encode() for word in words]
    return pieces


@lru_cache(maxsize=16)
def _kept_pieces(words: tuple[str, ...], end: str) -> Pieces:
    """Those of small problems, which are often written one after the other with the same variables and values."""
    return _new_pieces(words, end)

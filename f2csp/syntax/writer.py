"""Problems as canonical F2CSP text, byte for byte (FORMAT section 2), in pieces: the whole text is never in memory."""

import os
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from f2csp.files import FileName, writing
from f2csp.model import Problem, Relation

_CONSTRAINTS_A_CHUNK = 2048
_CHUNK_BYTES = 1 << 20
_ROWS_A_CHUNK = 1 << 14
_SMALL_TABLE = 1 << 16  # values


def dump(problem: Problem, file: FileName | IO[Any]) -> None:
    """Write the canonical text.

    Args:
        problem: what to write.
        file: a path (written whole or not at all, compressed if its name ends in .gz, .xz, .bz2 or .zst), ``-`` for
            standard output, or a file open for writing, text or binary.

    Raises:
        OSError: the file cannot be written.
    """
    if isinstance(file, (str, os.PathLike)):
        with writing(file) as stream:
            for chunk in chunks(problem):  # a stream that compresses as zstd has no writelines
                stream.write(chunk)
    elif hasattr(file, "encoding"):  # a text file
        file.writelines(chunk.decode() for chunk in chunks(problem))
    else:
        file.writelines(chunks(problem))


def dumps(problem: Problem) -> str:
    """The canonical text."""
    return b"".join(chunks(problem)).decode()


def chunks(problem: Problem) -> Iterator[bytes]:
    """The canonical text in pieces of whole lines, of about a megabyte at the most."""
    yield _head(problem)
    yield from _joined(_domain_lines(problem))
    yield f"Variables:\n{problem.n_variables}\n".encode()
    yield from _joined(_variable_lines(problem))
    yield f"Constraints:\n{problem.n_constraints}\n".encode()
    yield from _constraints(problem)
    yield b"Goal:\nSatisfy\n"


def _head(problem: Problem) -> bytes:
    title = f"{problem.title}\n" if problem.title else ""
    return f"{title}Domains:\n{problem.n_domains}\n".encode()


def _domain_lines(problem: Problem) -> Iterator[bytes]:
    words = problem.words
    for name, values in zip(problem.domain_names, problem.domain_values, strict=True):
        yield f"{name}: {' '.join([words[i] for i in values.tolist()])}\n".encode()


def _variable_lines(problem: Problem) -> Iterator[bytes]:
    ends = [f": {name}\n" for name in problem.domain_names]
    for name, domain in zip(problem.variable_names, problem.variable_domains.tolist(), strict=True):
        yield f"{name}{ends[domain]}".encode()


def _constraints(problem: Problem) -> Iterator[bytes]:
    """Constraint after constraint; the text of a small table that is used again is kept, any other is made anew."""
    names = [name.encode() for name in problem.variable_names]
    words = [word.encode() for word in problem.words]
    headers = [f"Vars:\n{relation.arity}\n".encode() for relation in problem.relations]
    is_shared = np.bincount(problem.constraint_relations, minlength=len(problem.relations)) > 1
    shared: dict[int, bytes] = {}
    pieces: list[bytes] = []
    size = 0
    for start in range(0, problem.n_constraints, _CONSTRAINTS_A_CHUNK):
        end = min(start + _CONSTRAINTS_A_CHUNK, problem.n_constraints)
        offsets = problem.scope_offsets[start : end + 1]
        variables = problem.scopes[offsets[0] : offsets[-1]].tolist()
        bounds = (offsets - offsets[0]).tolist()
        for i, relation in enumerate(problem.constraint_relations[start:end].tolist()):
            label = problem.labels[start + i] if problem.labels is not None else f"C{start + i + 1}"
            scope = b" ".join([names[v] for v in variables[bounds[i] : bounds[i + 1]]])
            pieces += (f"{label}\n".encode(), headers[relation], scope, b"\n")
            size += len(scope)
            if relation in shared:
                pieces.append(shared[relation])
                size += len(shared[relation])
            elif problem.relations[relation].tuples.size > _SMALL_TABLE:
                yield b"".join(pieces)
                yield from _table(problem.relations[relation], words)
                pieces, size = [], 0
            else:
                table = b"".join(_table(problem.relations[relation], words))
                if is_shared[relation]:
                    shared[relation] = table
                pieces.append(table)
                size += len(table)
            if size > _CHUNK_BYTES:
                yield b"".join(pieces)
                pieces, size = [], 0
    yield b"".join(pieces)


def _table(relation: Relation, words: list[bytes]) -> Iterator[bytes]:
    yield f"{relation.kind}:\n{relation.n_tuples}\n".encode()
    for start in range(0, relation.n_tuples, _ROWS_A_CHUNK):
        rows = relation.tuples[start : start + _ROWS_A_CHUNK].tolist()
        yield b"".join([b" ".join([words[i] for i in row]) + b"\n" for row in rows])


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

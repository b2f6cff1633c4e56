"""A problem as JSON, by the schema ``grammars/f2csp.schema.json``.

    {"format": "F2CSP", "version": 1, "title": "Two countries",
     "domains": [{"name": "colour", "values": ["red", "green"]}],
     "variables": [{"name": "France", "domain": "colour"}, {"name": "Spain", "domain": "colour"}],
     "relations": [{"kind": "Reject", "arity": 2, "tuples": [["red", "red"], ["green", "green"]]}],
     "constraints": [{"scope": ["France", "Spain"], "relation": 0}]}

Each table is written once, and constraints name it by its number from 0; a constraint has a label where that is not the
default one. A value is a number where it is an integer, and a string otherwise; words are compared, so 2 and "2" are
the same value.
"""

import json
import re
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from f2csp.diagnostics import Collector, InvalidInput, Source
from f2csp.files import FileName, read_source, write_chunks
from f2csp.formats.chunked_text import LARGE, Pieces, blocks, joined, pieces
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.json_faults import Faults
from f2csp.formats.json_places import too_deep
from f2csp.formats.json_reading import Reading
from f2csp.model import Problem, Relation
from f2csp.model.words import is_integer
from f2csp.utf8 import check_encoding

_HEAD = re.compile(rb'\s*\{[^{}\[\]]*"format"\s*:\s*"F2CSP"')
_DEEPEST = 5  # brackets around a value of a tuple
_RECORDS_A_CHUNK = 1 << 14


def export_json(problem: Problem, file: FileName | IO[Any], *, options: ExportOptions | None = None) -> None:
    """Write a problem as JSON.

    Args:
        problem: the problem.
        file: a path, ``-`` for standard output, or a file open for writing.
        options: none of them has an effect.

    Raises:
        OSError: the file cannot be written.
    """
    write_chunks(chunks(problem, options or ExportOptions()), file)


def import_json(file: FileName | IO[Any]) -> Problem:
    """Read a problem from JSON.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.

    Raises:
        InvalidInput: the text has faults.
        OSError: the file cannot be read.
    """
    return read(read_source(file))


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    """The text of a problem in pieces."""
    yield f'{{"format": "F2CSP", "version": 1, "title": {_quoted(problem.title)},\n"domains": ['.encode()
    values = _values(problem)
    yield from _records(_domains(problem))
    yield b'],\n"variables": ['
    domains = [f', "domain": {_quoted(name)}}}' for name in problem.domain_names]
    names = zip(problem.variable_names, problem.variable_domains.tolist(), strict=True)
    yield from _records(f'{{"name": {_quoted(name)}{domains[d]}'.encode() for name, d in names)
    yield b'],\n"relations": ['
    for i, relation in enumerate(problem.relations):
        yield b",\n" if i else b"\n"
        yield f'{{"kind": "{relation.kind}", "arity": {relation.arity}, "tuples": ['.encode()
        yield from _rows(relation, values)
        yield b"]}"
    yield b'],\n"constraints": ['
    yield from _constraints(problem)
    yield b"]}\n"


def looks_like(data: bytes) -> bool:
    """Whether a text begins like an object that says that it is of this format."""
    return _HEAD.match(data) is not None


def read(source: Source) -> Problem:
    """Read a problem.

    Raises:
        InvalidInput: the text has faults.

    Complexity:
        Linear in the text, in time and memory.
    """
    collector = Collector(source)
    check_encoding(source, collector)
    problem = None
    if not collector.n_errors:
        faults = Faults(collector)
        document = _document(source, collector, faults)
        if not collector.n_errors:
            problem = Reading(faults).problem(document)
            faults.tell()
    if problem is None or collector.n_errors:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    return problem


# ---- Writing ---------------------------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _values(problem: Problem) -> tuple[Pieces, Pieces]:
    """Each value as it stands in a tuple, and at the end of one; a number unless a domain of symbols has it too."""
    is_number = np.array([is_integer(word) for word in problem.words], dtype=np.bool_)
    for ids in problem.domain_values:
        if not is_number[ids].all():
            is_number[ids] = False
    words = [w if n else _quoted(w) for w, n in zip(problem.words, is_number.tolist(), strict=True)]
    return pieces(words, "{}, "), pieces(words, "{}],\n[")


def _domains(problem: Problem) -> Iterator[bytes]:
    for domain in problem.domains:
        words = domain.words if domain.is_integer else map(_quoted, domain.words)
        yield f'{{"name": {_quoted(domain.name)}, "values": [{", ".join(words)}]}}'.encode()


def _records(records: Iterator[bytes]) -> Iterator[bytes]:
    """The records one on a line, many at a time."""
    separator = b"\n"
    taken: list[bytes] = []
    for record in records:
        taken.append(record)
        if len(taken) == _RECORDS_A_CHUNK:
            yield separator + b",\n".join(taken)
            separator, taken = b",\n", []
    if taken:
        yield separator + b",\n".join(taken)


def _rows(relation: Relation, values: tuple[Pieces, Pieces]) -> Iterator[bytes]:
    n_rows = max(1, LARGE // relation.arity)
    for start in range(0, relation.n_tuples, n_rows):
        rows = relation.tuples[start : start + n_rows]
        text = values[0][rows]
        text[:, -1] = values[1][rows[:, -1]]
        yield (b",\n[" if start else b"\n[") + b"".join(text.ravel().tolist())[:-3]


def _constraints(problem: Problem) -> Iterator[bytes]:
    names = [_quoted(name) for name in problem.variable_names]
    scoped, last = pieces(names, "{}, "), pieces(names)
    tails = pieces([f'], "relation": {i}}}' for i in range(len(problem.relations))])
    arities = np.diff(problem.scope_offsets)
    for start, end in blocks(problem, np.zeros(problem.n_constraints, dtype=np.int64)):
        scopes = problem.scopes[problem.scope_offsets[start] : problem.scope_offsets[end]]
        heads = _heads(problem, start, end)
        relations = problem.constraint_relations[start:end]
        yield joined(heads, scoped, last, tails[relations], scopes, arities[start:end])


def _heads(problem: Problem, start: int, end: int) -> Pieces:
    """What stands before each scope; the first constraint has none before it."""
    heads = np.empty(end - start, dtype=np.object_)
    heads[:] = b',\n{"scope": ['
    for i, label in enumerate(problem.labels[start:end] if problem.labels else ()):
        if label != f"C{start + i + 1}":
            heads[i] = f',\n{{"label": {_quoted(label)}, "scope": ['.encode()
    if start == 0:
        heads[0] = heads[0][1:]
    return heads


# ---- Reading ---------------------------------------------------------------------------------------------------------


def _document(source: Source, collector: Collector, faults: Faults) -> Any:
    """What the text says as Python's values; if it is no JSON, that is told."""
    text = source.data[source.start :].decode()
    try:
        return _loads(text, faults)
    except json.JSONDecodeError as error:
        start = source.start + len(text[: error.pos].encode())
        if error.pos >= len(text.rstrip()):
            end = len(source.data.rstrip())
            collector.add("F507", end, end, "the text ends before the JSON is complete", hint="get the whole file")
        else:
            message = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
            collector.add("F501", start, start + len(text[error.pos].encode()), message)
    except RecursionError:
        place = too_deep(source.data, source.start, _DEEPEST)
        if place is None:  # it is the caller who has no stack left
            raise
        collector.add("F501", *place, "the values are nested too deeply")
    return None


def _loads(text: str, faults: Faults) -> Any:
    try:
        return json.loads(text, object_pairs_hook=faults.object)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a number with so many digits that Python does not read it
        return json.loads(text, object_pairs_hook=faults.object, parse_int=_integer)


def _integer(digits: str) -> int | float:
    """A number; one that is far beyond 64 bits is as wrong as one with a fraction."""
    return int(digits) if len(digits) <= 20 else float("inf")

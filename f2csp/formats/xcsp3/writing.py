"""A problem as XCSP3 text, in pieces.

Names and words lie ready as bytes in NumPy arrays of objects, so that a hundred thousand scopes or tuples are a few
gathers by index and one join.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import row_codes
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.xcsp3.naming import Naming
from f2csp.formats.xcsp3.notes import NOBODY, attribute, domains_note, order_note, with_ranges
from f2csp.formats.xcsp3.posting import Content, Posting, postings
from f2csp.model import Ids, Problem, Relation

_CHUNK_VALUES = 1 << 17
_VALUES_A_LINE = 48

Pieces = NDArray[np.object_]


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:
    """The text of a problem in pieces of a few megabytes at the most.

    Raises:
        Unsuitable: a name or the title has a character that XML cannot hold.
    """
    naming = Naming.of(problem)
    yield f'<instance format="XCSP3" type="CSP"{attribute(problem.title)}>\n'.encode()
    yield from _variables(problem, naming)
    yield b"  <constraints>\n"
    writer = _ConstraintWriter(problem, naming)
    for posting in postings(problem, naming, options):
        yield from writer.write(posting)
    yield b"  </constraints>\n</instance>\n"


def _variables(problem: Problem, naming: Naming) -> Iterator[bytes]:
    lines = [f"  <variables{attribute(domains_note(problem, naming))}>\n"]
    first_of: dict[int, str] = {}
    for identifier, name, domain in zip(
        naming.identifiers, problem.variable_names, problem.variable_domains.tolist(), strict=True
    ):
        tag = f'    <var id="{identifier}"{attribute(f"{name}: {problem.domain_names[domain]}")}'
        if domain in first_of:
            lines.append(f'{tag} as="{first_of[domain]}"/>\n')
        else:
            first_of[domain] = identifier
            lines.append(f"{tag}> {_values(problem.domain_values[domain], naming)} </var>\n")
    if not problem.n_variables:  # an instance without any is answered by no solver
        lines.append(f'    <var id="none"{attribute(NOBODY)}> 0 </var>\n')
    lines.append("  </variables>\n")
    yield "".join(lines).encode()


def _values(words: Ids, naming: Naming) -> str:
    """The numbers of some words in ascending order, with ranges."""
    return " ".join(with_ranges([str(number) for number in sorted(naming.numbers[word] for word in words.tolist())]))


class _ConstraintWriter:
    """Turns constraints into text."""

    def __init__(self, problem: Problem, naming: Naming) -> None:
        self._labels = problem.labels
        self._identifiers = naming.identifiers or ["none"]
        self._naming = naming
        self._names = _pieces([f" {identifier}" for identifier in self._identifiers])
        numbers = naming.numbers
        self._numbers = np.array(numbers, dtype=np.int64)
        self._firsts = _pieces([f"({number}" for number in numbers])
        self._others = _pieces([f",{number}" for number in numbers])
        self._lasts = _pieces([f",{number})" for number in numbers])
        self._line_ends = _pieces([f",{number})\n          " for number in numbers])

    def write(self, posting: Posting) -> Iterator[bytes]:
        """The text of constraints that differ in their scopes alone: a group, unless it is one only."""
        note = posting.note if posting.constraints is None else order_note(posting.constraints, self._labels)
        if posting.n_scopes == 1:
            scope = [self._identifiers[variable] for variable in posting.scopes[0][0].tolist()]
            yield from self._element(posting.content, scope, attribute(note), "    ")
            return
        yield f"    <group{attribute(note)}>\n".encode()
        yield from self._element(posting.content, posting.content.parameters, "", "      ")
        for scopes in posting.scopes:
            yield from self._arguments(scopes)
        yield b"    </group>\n"

    def _element(self, content: Content, scope: Sequence[str], note: str, indent: str) -> Iterator[bytes]:
        if content.table is None:
            yield f"{indent}<{content.element}{note}> {content.text(scope)} </{content.element}>\n".encode()
            return
        tag = "supports" if content.table.kind == "Accept" else "conflicts"
        yield f"{indent}<extension{note}>\n{indent}  <list> {' '.join(scope)} </list>\n{indent}  <{tag}> ".encode()
        yield from self._table(content.table)
        yield f" </{tag}>\n{indent}</extension>\n".encode()

    def _table(self, table: Relation) -> Iterator[bytes]:
        if table.arity == 1:  # has a syntax of its own, and ranges in it
            yield _values(table.tuples[:, 0], self._naming).encode()
            return
        tuples = self._sorted(table.tuples)
        n_rows = max(1, _CHUNK_VALUES // table.arity)
        a_line = max(1, _VALUES_A_LINE // table.arity)
        for start in range(0, table.n_tuples, n_rows):
            rows = tuples[start : start + n_rows]
            pieces = self._others[rows]
            pieces[:, 0] = self._firsts[rows[:, 0]]
            pieces[:, -1] = self._lasts[rows[:, -1]]
            ends = slice((-start - 1) % a_line, len(rows) - (start + len(rows) == table.n_tuples), a_line)
            pieces[ends, -1] = self._line_ends[rows[ends, -1]]
            yield b"".join(pieces.ravel().tolist())

    def _sorted(self, tuples: Ids) -> Ids:
        """The tuples in the order of their numbers: ACE loses solutions otherwise."""
        keys = row_codes(self._numbers[tuples].T)
        return tuples if (keys[1:] > keys[:-1]).all() else tuples[np.argsort(keys)]

    def _arguments(self, scopes: Ids) -> Iterator[bytes]:
        """A line with the names for each of some scopes of one size."""
        n_scopes, arity = scopes.shape
        a_chunk = max(1, _CHUNK_VALUES // arity)
        for start in range(0, n_scopes, a_chunk):
            part = scopes[start : start + a_chunk]
            pieces = np.empty((len(part), arity + 2), dtype=np.object_)
            pieces[:, 0] = b"      <args>"
            pieces[:, 1:-1] = self._names[part]
            pieces[:, -1] = b" </args>\n"
            yield b"".join(pieces.ravel().tolist())


def _pieces(texts: list[str]) -> Pieces:
    pieces = np.empty(len(texts), dtype=np.object_)
    pieces[:] = [text.encode() for text in texts]
    return pieces

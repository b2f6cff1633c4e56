"""A text that is open in an editor, with its places as the editor counts them, and what was found in it."""

from functools import cached_property
from math import prod
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
from lsprotocol import types as t
from pygls.uris import to_fs_path

from f2csp.arrays import Offsets
from f2csp.diagnostics import Diagnostic, F2cspError, InvalidInput, Source, counted, listed
from f2csp.door import problem_format
from f2csp.file_formats import AUTO, F2CSP
from f2csp.instances import instances
from f2csp.structure import Structure, structure
from f2csp.text.examination import ConstraintPlaces, Examination, examine

PUZZLE = "f2csp-puzzle"  # the language of puzzle files
MOST_LISTED = 12  # names or values in a description

_BYTES_OF_UNIT = {"utf-16": 2, "utf-32": 4}


class _Edit(NamedTuple):
    """Where the text differs from the one examined last."""

    start: int
    old_end: int
    new_end: int


class Document:
    """An open text.

    A line feed ends a line; columns count units of ``encoding``. The text is examined again, after one or many changes,
    when the next question is asked.
    """

    def __init__(self, uri: str, text: str, version: int, language: str = F2CSP, encoding: str = "utf-16") -> None:
        self.uri, self.version, self.language = uri, version, language
        self.path = PurePath(to_fs_path(uri) or uri)
        self._encoding = encoding
        self._set_text(text)

    def _set_text(self, text: str) -> None:
        self.data = text.encode("utf-8", "replace")
        self._line_ends = _line_ends(self.data)
        self._examined: Examination | None = None
        self._edit: _Edit | None = None
        self._forget()

    def _forget(self) -> None:
        for name in ("reading", "is_f2csp", "structure"):
            vars(self).pop(name, None)

    # ---- Places ------------------------------------------------------------------------------------------------------

    def offset(self, position: t.Position) -> int:
        """The byte offset of a position; that of the end of the line, or of the text, for one beyond it."""
        line, character, ends = max(position.line, 0), max(position.character, 0), self._line_ends
        if line > len(ends):
            return len(self.data)
        start = int(ends[line - 1]) + 1 if line else 0
        text = self.data[start : int(ends[line]) if line < len(ends) else len(self.data)].removesuffix(b"\r")
        size = _BYTES_OF_UNIT.get(self._encoding)
        if size and not text.isascii():
            units = text.decode("utf-8", "replace").encode(f"{self._encoding}-le")[: size * character]
            return start + len(units.decode(f"{self._encoding}-le", "ignore").encode())
        return start + min(character, len(text))

    def position(self, offset: int) -> t.Position:
        """The position of a byte offset."""
        line = int(np.searchsorted(self._line_ends, offset))
        return t.Position(line, self.length(int(self._line_ends[line - 1]) + 1 if line else 0, offset))

    def length(self, start: int, end: int) -> int:
        """The length of some bytes of a line."""
        data, size = self.data[start:end], _BYTES_OF_UNIT.get(self._encoding)
        if size and not data.isascii():
            return len(data.decode("utf-8", "replace").encode(f"{self._encoding}-le")) // size
        return len(data)

    def range(self, start: int, end: int) -> t.Range:
        """The range of some bytes."""
        return t.Range(self.position(start), self.position(end))

    def location(self, start: int, end: int) -> t.Location:
        """The place of some bytes."""
        return t.Location(self.uri, self.range(start, end))

    # ---- Changes -----------------------------------------------------------------------------------------------------

    def change(self, change: t.TextDocumentContentChangeEvent) -> None:
        """Take a change over from the editor."""
        if isinstance(change, t.TextDocumentContentChangeWholeDocument):
            self._set_text(change.text)
            return
        start, end = sorted((self.offset(change.range.start), self.offset(change.range.end)))
        new = change.text.encode("utf-8", "replace")
        growth = len(new) - (end - start)
        self.data = b"".join([self.data[:start], new, self.data[end:]])
        first, last = np.searchsorted(self._line_ends, [start, end])
        ends = self._line_ends
        self._line_ends = np.concatenate([ends[:first], _line_ends(new) + start, ends[last:] + growth])
        known = self._edit or _Edit(start, start, start)
        old_end = known.old_end + max(end - known.new_end, 0)
        self._edit = _Edit(min(known.start, start), old_end, max(known.new_end, end) + growth)
        self._forget()

    # ---- What is in it -----------------------------------------------------------------------------------------------

    @cached_property
    def is_f2csp(self) -> bool:
        """Whether the text is F2CSP, or is to be."""
        if self.language == F2CSP or self.path.suffix == ".csp":
            return True
        form = problem_format(Source(self.path.name, self.data))
        return form is not None and form.name == F2CSP

    @property
    def examination(self) -> Examination:
        """What is in an F2CSP text."""
        if self._examined is None:
            self._examined = examine(self.data)
        elif self._edit:
            start, old_end, new_end = self._edit
            self._examined = self._examined.edited(start, old_end, self.data[start:new_end])
        self._edit, self.data = None, self._examined.text
        return self._examined

    @cached_property
    def structure(self) -> Structure | None:
        """What the constraints of an F2CSP text mean; None where it has faults."""
        problem = self.examination.problem
        return None if problem is None else structure(problem)

    def meaning(self, constraint: ConstraintPlaces) -> str:
        """What a constraint says; its scope where the text has faults."""
        if self.structure is None:
            return listed(map(self.examination.text_of, constraint.scope), MOST_LISTED)
        return self.structure.meaning(constraint.name)

    def size(self, constraint: ConstraintPlaces) -> str:
        """The number of tuples of a constraint, of how many, and its tightness; empty where the text has faults."""
        problem = self.examination.problem
        if problem is None:
            return ""
        relation = problem.constraints[constraint.index].relation
        domains = problem.variable_domains[problem.scope(constraint.index)]
        n, total = relation.n_tuples, prod(problem.domain_sizes[domains].tolist())
        share = (n if relation.kind == "Reject" else total - n) / total
        return f"{n:,} of {counted(total, 'tuple')}, tightness {share:.3g}"

    @cached_property
    def reading(self) -> tuple[str, tuple[Diagnostic, ...]]:
        """The name of the format, empty if the text is in none, and what was found in the text.

        A text that need not be a puzzle is one only if it has no faults.
        """
        if self.is_f2csp:
            return F2CSP, self.examination.diagnostics
        is_to_be_puzzle = self.language == PUZZLE
        try:
            found = list(instances(Source(self.path.name, self.data), AUTO))
        except InvalidInput as error:
            return "", error.diagnostics if is_to_be_puzzle else ()
        except F2cspError:  # a format that is only written, or that needs an option
            return "", ()
        form, is_valid = found[0].format, all(instance.content is not None for instance in found)
        if ":" in form and not is_valid and not is_to_be_puzzle:
            return "", ()
        return form, tuple(d for instance in found for d in instance.diagnostics)


def _line_ends(data: bytes) -> Offsets:
    return np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))

"""The careful way into a file: line by line and number by number, with the place of each fault."""

import re
from array import array

import numpy as np

from f2csp.diagnostics import Collector, Source, shown
from f2csp.formats.dimacs.formula import MOST_UNUSED, Formula, formula_of

_LINE = re.compile(rb"[^\n]++")
_WORD = re.compile(rb"[^ \t\r\n]++")
_COUNT = re.compile(rb"[0-9]{1,18}")
_NUMBER = re.compile(rb"-?[0-9]{1,18}")
_XOR = re.compile(rb"x-?[0-9]+")
_FORM = "write p cnf, the number of variables and the number of clauses"
_CLAUSE_FORM = "a clause is numbers other than 0, a minus before each that is negated, and a 0 at the end"
_LARGEST = (1 << 31) - 1

_Word = re.Match[bytes]


def examine(source: Source, collector: Collector) -> Formula | None:
    """The formula in a text, or None if there are faults, all of which are told."""
    return _Examiner(source, collector).run()


class _Examiner:
    """Goes over the lines of a file."""

    def __init__(self, source: Source, collector: Collector) -> None:
        self._source = source
        self._collector = collector
        self._header: list[_Word] = []  # the numbers of variables and of clauses
        self._has_header = False
        self._notes_end = source.start
        self._numbers = array("i")
        self._n_clauses = 0
        self._open = False  # whether a clause has begun and not ended
        self._first_literal: tuple[int, int] | None = None
        self._unknown: set[bytes] = set()
        self._is_over = False  # whether a line % has ended the clauses

    def run(self) -> Formula | None:
        for line in _LINE.finditer(self._source.data, self._source.start):
            self._read_line(line)
        if not self._has_header:
            end = len(self._source.data.rstrip(b" \t\r\n"))
            message = "there is no line p before the clauses"
            self._collector.add("F501", *(self._first_literal or (end, end)), message, hint=_FORM)
        if self._open:
            self._n_clauses += 1
            end = len(self._source.data.rstrip(b" \t\r\n"))
            message = f"the text ends inside clause {self._n_clauses}: no 0 follows its last literal"
            self._collector.add("F507", end, end, message, hint="end the clause with 0, or get the whole file")
        if self._header:
            self._compare_counts()
        if self._collector.n_errors:
            return None
        return formula_of(
            int(self._header[0][0]), np.array(self._numbers, dtype=np.int32), (self._source.start, self._notes_end)
        )

    def _read_line(self, line: _Word) -> None:
        data = self._source.data
        first = _WORD.search(data, line.start(), line.end())
        if first is None:
            return
        if self._is_over:
            self._read_trailer(first)
        elif first[0].startswith(b"c"):
            pass
        elif first[0] == b"p":
            self._read_header(line)
        elif first[0] == b"%" and _WORD.search(data, first.end(), line.end()) is None:
            self._is_over = True
        else:
            self._read_clauses(line)

    def _read_trailer(self, first: _Word) -> None:
        if first[0] != b"0":
            message = f"{_shown(first)} stands behind the line %, which ends the clauses"
            self._collector.add("F501", *first.span(), message, hint="remove it, or the line %")
            self._collector.spoil(first.start(), len(self._source.data) + 1)

    def _read_header(self, line: _Word) -> None:
        words = list(_WORD.finditer(self._source.data, line.start(), line.end()))
        if self._has_header:
            self._collector.add("F501", *words[0].span(), "a second line p", hint="a file holds one formula")
            return
        if self._first_literal:
            self._collector.add("F501", *words[0].span(), "the line p stands behind clauses", hint="write it first")
        self._has_header = True
        self._notes_end = line.end()
        form = words[1][0] if len(words) > 1 else b""
        place = words[0].start(), words[-1].end()
        if form == b"wcnf":
            message = "clauses with weights are not supported: there are no weights here"
            self._collector.add("F502", *words[1].span(), message, hint="write the hard clauses alone, as p cnf")
        elif form != b"cnf":
            message = f"the format {_shown(words[1])} is not cnf" if form else "the line p names no format"
            self._collector.add("F501", *place, message, hint=_FORM)
        elif len(words) != 4:
            message = f"the line p has {len(words) - 2} numbers; two are due"
            self._collector.add("F501", *place, message, hint=_FORM)
        else:
            faulty = [word for word in words[2:] if not _COUNT.fullmatch(word[0])]
            for word in faulty:
                self._collector.add("F501", *word.span(), f"{_shown(word)} is not a number of things", hint=_FORM)
            self._header = [] if faulty else words[2:]

    def _read_clauses(self, line: _Word) -> None:
        data = self._source.data
        for word in _WORD.finditer(data, line.start(), line.end()):
            self._first_literal = self._first_literal or word.span()
            if not _NUMBER.fullmatch(word[0]) or (word[0].startswith(b"-") and not int(word[0])):
                if self._tell_garbage(word):
                    break
                continue
            number = int(word[0])
            if number == 0:
                self._n_clauses += 1
                self._open = False
                self._numbers.append(0)
            else:
                self._open = True
                self._take(number, word)

    def _take(self, number: int, word: _Word) -> None:
        most = int(self._header[0][0]) if self._header else _LARGEST
        if abs(number) <= min(most, _LARGEST):
            self._numbers.append(number)
            return
        name = word[0].lstrip(b"-0")
        if name in self._unknown:
            return
        self._unknown.add(name)
        variable = shown(name.decode())
        if self._header and most <= _LARGEST:
            declared = (*self._header[0].span(), "declared here")
            message = f"variable {variable} is not one of the {most} variables that are declared"
            self._collector.add("F503", *word.span(), message, related=[declared])
        else:
            message = f"variable {variable} is beyond {_LARGEST}, the largest that solvers take"
            self._collector.add("F503", *word.span(), message)

    def _tell_garbage(self, word: _Word) -> bool:
        """Tell that a word is no literal; whether the rest of the line would only follow from it."""
        if _XOR.fullmatch(word[0]):
            message = "clauses of exclusive or are not supported"
            self._collector.add("F502", *word.span(), message, hint="write them as clauses of literals")
            self._open = False
            return True
        self._collector.add("F501", *word.span(), f"{_shown(word)} is not a literal", hint=_CLAUSE_FORM)
        return False

    def _compare_counts(self) -> None:
        n_variables, n_clauses = (int(word[0]) for word in self._header)
        if n_clauses != self._n_clauses and not self._collector.n_errors:
            message = f"declared {n_clauses} clauses, found {self._n_clauses}"
            self._collector.add("F506", *self._header[1].span(), message, hint="correct the number, or the clauses")
        if n_variables > min(len(self._numbers) + MOST_UNUSED, _LARGEST):
            message = f"declared {n_variables} variables for {len(self._numbers)} numbers in clauses"
            hint = f"declare at most {MOST_UNUSED} variables that stand nowhere"
            self._collector.add("F506", *self._header[0].span(), message, hint=hint)


def _shown(word: _Word) -> str:
    return shown(word[0].decode("utf-8", "replace"))

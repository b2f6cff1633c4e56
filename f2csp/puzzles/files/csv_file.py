"""Sudokus in a table, one to a line, with a column of puzzles and perhaps one of solutions.

    id,quizzes,solutions
    1,2.......3.2....4,2143431234211234
    2,1..24..........3,1342423131242413

The first line names the columns, in any order: ``puzzle``, ``puzzles``, ``quiz`` or ``quizzes`` is the one that
counts. Between the columns stand commas, semicolons or tabs. A field may be quoted, but ends with its line.
:mod:`f2csp.puzzles.files.characters` tells how cells are written. The data sets of a million Sudokus and more have this
form; of such tables RFC 4180 is what comes nearest to a specification.
"""

import csv
import re
from collections.abc import Sequence
from functools import lru_cache

from f2csp.puzzles.files.characters import CHARACTERS, read_run, written_run
from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.reading import Reading
from f2csp.puzzles.files.text import Line, Text, Word
from f2csp.puzzles.puzzle import Puzzle

_NAMES = ("puzzle", "puzzles", "quiz", "quizzes")
_DELIMITERS = ",;\t"
_QUOTE = '"'
_BLANKS = " \t\r\n"
_LONG = 36  # characters of a field that is likely a puzzle


def looks_like(text: Text) -> Likeness:
    """Whether the first line names a column of puzzles, or the names are missing above fields that are puzzles."""
    header = _header(text)
    if header is not None and _column(header.text) is not None:
        return Likeness.SOUND
    lines = [re.split(f"[{_DELIMITERS}]", line.text) for line in text.head().filled_lines]
    return (
        Likeness.SOUND if any(len(fields) > 1 and any(map(_is_likely, fields)) for fields in lines) else Likeness.NONE
    )


def parts(text: Text) -> Sequence[Text]:
    """The fields of the column of puzzles; without such a column all of the text."""
    header = _header(text)
    column = None if header is None else _column(header.text)
    return [text] if header is None or column is None else text.part(header.end, text.end).parts(_row(*column))


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read the puzzle of a field."""
    if text.start == text.source.start:  # there stands the first line, and no field
        header = _header(text)
        span = (text.start, text.start) if header is None else header.span
        hint = f"begin with a line that names the columns, such as {_NAMES[0]},solution"
        reading.fault("F615", span, f"no column is called {', '.join(_NAMES[:-1])} or {_NAMES[-1]}", hint=hint)
        return None
    cells = _content(Line(text.data.decode(), text.start))
    if cells.text.startswith(_QUOTE):
        reading.fault("F615", cells.span, "the quotation mark is not closed", hint="close it on the same line")
    elif not cells.text:
        hint = "write the cells in the column that is called so"
        reading.fault("F615", cells.span, "there is no puzzle", hint=hint)
    else:
        return read_run(cells, reading)
    return None


def write(puzzle: Puzzle) -> str:
    """A table of one column and one puzzle."""
    return f"{_NAMES[0]}\n{written_run(puzzle)}\n"


def _header(text: Text) -> Line | None:
    """The first line that is not blank."""
    return next(iter(text.head().filled_lines), None)


def _column(header: str) -> tuple[int, str] | None:
    """The number of the column of puzzles, from 0, and what stands between columns."""
    for delimiter in _DELIMITERS:
        try:
            (names,) = csv.reader([header], delimiter=delimiter)
        except csv.Error:  # a field that is longer than any name
            continue
        for index, name in enumerate(names):
            if name.strip(" ").lower() in _NAMES:  # a tab stands between columns
                return index, delimiter
    return None


@lru_cache(maxsize=8)
def _row(column: int, delimiter: str) -> re.Pattern[bytes]:
    """A line that is not blank; the group is the field in this column, or the end of a line that has none."""
    end = delimiter.encode()
    field = rb'(?>"(?:[^"\r\n]|"")*+"(?=%b|\r?$)|[^%b\r\n]*+)' % (end, end)
    before = rb"(?:%b%b){%d}" % (field, end, column)
    return re.compile(rb"^(?![ \t]*+\r?$)(?:%b|[^\r\n]*+)(%b)" % (before, field), re.MULTILINE)


def _content(field: Line) -> Word:
    """What stands in a field, without the quotation marks if there are two."""
    text = field.text.strip(_BLANKS)
    if len(text) > 1 and text[0] == text[-1] == _QUOTE:
        text = text[1:-1].strip(_BLANKS)
    first = field.text.index(text)
    return field.word(first, first + len(text))


def _is_likely(field: str) -> bool:
    return len(field) >= _LONG and CHARACTERS.issuperset(field)

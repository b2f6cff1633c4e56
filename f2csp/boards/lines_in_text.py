"""Lines of any text: the rows of cells that each can be, and whether it is a remark."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import NamedTuple

from f2csp.boards.pieces import BARS, number

MIN_SIZE = 4  # of a board in any text
MIN_ROW = 3  # cells of a line that belongs to a board
MIN_RUN = 30  # cells of what is a board in a word, or a faulty one
ANY_BLANKS = frozenset([*".0-_*xX?eE·•□~", "", "-1", "<>", "none", "null", "nan", "&nbsp"])
WAYS = range(4)  # to write cells: as words, as fields of a table, as characters, as runs of characters

WORD = re.compile(rf"""[^\s,;:'"`\\(){{}}\[\]{BARS}\x1f]+""")
_RULE = re.compile(rf"(?=.*[-+=#~─━═_*])[-+=#~_*:\s'{BARS}]+")
_SURE_RULE = re.compile(r".*[+=#~:─━═]")
_LIST = re.compile(r"""=\s*(?=[\[({"'])""")
_NAMES = (
    re.compile(r"""\s*-\s+(?=["'\[]|\S{4,}$)"""),
    re.compile(r"""\s*"([^"]{0,60})"\s*:\s*"""),
    re.compile(r"\s*([A-Za-z_][\w .-]{0,60})[=:]\s*"),
    re.compile(r"""[^\[{"'|]{0,60}[A-Za-z(](?=[\[{])"""),
)
_COMMENT = re.compile(r"(?:^|\s)(?:#|//|%|--\s|/\*).*|\b(?:19|20)\d\d-\d\d-\d\d\b|(?<=[\])])\.\s*$")
_SHAPE = re.compile(r"\s*([0-9]{1,3})\s?[xX×*]\s?([0-9]{1,3})\s*")
_GIVEN_LATER = re.compile(r"\+[1-9]")  # a value that is not given, in the library of HoDoKu
_LABEL = re.compile(r"\s*(?:[Rr]ow\s*)?(?:[A-Z]|[0-9]{1,2})[:)]\s+(?=\S)|\s*[0-9]{1,2}\.\s+(?=\S)")  # of a row
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+(?:[ \t]*$|(?=[^\n]))", re.MULTILINE)
_TAG = re.compile(r"<([/!]?)([A-Za-z][A-Za-z0-9]{0,15})\b[^<>]{0,300}>")
_ROW = re.compile(r"<tr\b.{0,4000}?</tr>", re.IGNORECASE | re.DOTALL)
_END_OF_ROW, _END_OF_FIELD = "\x1e", "\x1f"  # in HTML, in place of tags; no text has these characters
_CODE = re.compile(r"\b(?:for|while|if|elif|return|vector|std|template)\b.*[(){};:]|#include.*")
_MAX_DIGITS = 2  # of a size, where cells are characters

_ABOUT_CELLS = re.compile(
    r"\b[rR][0-9]{1,2} ?[cC][0-9]{1,2}\b|\([0-9]{1,2} ?[,;] ?[0-9]{1,2}\)"
    r"|\b[A-Za-z][0-9]{1,2}\b.*\b[A-Za-z][0-9]{1,2}\b"
    r"|(?<![-=<>])[<>≤≥](?![-=<>])|\|[A-Za-z]$|\b(?i:cages?|inequalit\w+|thermometers?|less than|both diagonals)\b"
)
"""What a remark does not contain: places of cells, signs between them, the names of rules."""
_MARKS = re.compile(r"[\^v∧∨Λ˄˅<>V\s._|-]+")
_HAS_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_]\b(?!.*\d.*\d)")


class Cells(NamedTuple):
    """The cells that a line can have."""

    line: "Line"
    cells: list[str]
    has_letters: bool


@dataclass(frozen=True)
class Line:
    number: int
    raw: str
    text: str  # without a name before a list, and without a comment
    name: str = ""
    is_rule: bool = False

    @cached_property
    def words(self) -> list[str]:
        shape = _SHAPE.fullmatch(self.text)
        return [*shape.groups()] if shape else WORD.findall(self.text)

    @cached_property
    def may_be_row(self) -> bool:
        """Whether it can be a row of dashes though it looks like a rule."""
        return not _SURE_RULE.match(self.raw)

    @cached_property
    def size(self) -> tuple[int, ...]:
        """The one or two numbers that are alone on the line; none if there is something else."""
        numbers = [number(word) for word in self.words[:3]]
        return tuple(n for n in numbers if n is not None) if None not in numbers and len(numbers) < 3 else ()

    @cached_property
    def rows(self) -> list[list[Cells]]:
        """The rows that it can be, in each of the ways to write cells."""
        words = self.words
        are_short = self.size and max(map(len, words)) <= _MAX_DIGITS
        least = max(MIN_ROW, sum(map(len, words)) + 1 if are_short else 0)
        characters = ["".join(words)] if len({*map(len, words)}) == 1 else []
        is_run = len(words) > 1 and len(self.text) >= MIN_RUN
        runs = [run for word in words if len(run := _GIVEN_LATER.sub(".", word)) >= MIN_RUN] if is_run else []
        ways: list[list[list[str]]] = [[words], [_fields(self.text)], [*map(list, characters)], [*map(list, runs)]]
        long_ways = [[(cells, _odd(cells)) for cells in way if len(cells) >= least] for way in ways]
        return [[Cells(self, cells, bool(odd)) for cells, odd in way if _are_letters(odd)] for way in long_ways]

    @cached_property
    def is_remark(self) -> bool:
        """Whether it says nothing of cells, if it is no row."""
        text = _CODE.sub("code", self.raw.strip())
        return (
            not _ABOUT_CELLS.search(text)
            and not (text and _MARKS.fullmatch(text))
            and (not self.words or _HAS_WORD.search(text) is not None or not any(map(str.isdigit, text)))
        )

    @cached_property
    def lengths(self) -> set[int]:
        """The lengths of the faulty rows that it can be: of words, or of a word with letters for some cells."""
        words = [word for word in self.words if _are_letters(_odd(word))]
        return {sum(len(word) <= _MAX_DIGITS for word in words), *(len(word) for word in words if not word.isalpha())}

    def is_labels(self, widths: set[int]) -> bool:
        """Whether it holds a letter for each cell of a row, with or without blanks between."""
        letters = [*self.words[0]] if len(self.words) == 1 and self.words[0].isalnum() else self.words
        return len(letters) in widths and all(len(letter) == 1 for letter in letters)


def without_markup(text: str) -> str:
    """The text without the marks of a quoted mail, and without tags: cells of a table have marks between them."""
    if sum(line.lstrip().startswith(">") for line in text.split("\n")) >= MIN_SIZE:
        text = _QUOTED.sub("", text)
    if "</" in text or "<br" in text.lower():
        text = _ROW.sub(lambda row: row[0].replace("\n", " ") + _END_OF_ROW + "\n" * row[0].count("\n"), text)
        text = _TAG.sub(_in_place_of_tag, text)
    return text


def _in_place_of_tag(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    return _END_OF_ROW if name == "br" else _END_OF_FIELD if name in ("td", "th") and tag[1] else " "


def text_lines(text: str) -> Iterator[Line]:
    for i, raw in ((i, part) for i, line in enumerate(text.split("\n"), 1) for part in line.split(_END_OF_ROW)):
        if _RULE.fullmatch(raw):
            yield Line(i, raw, raw, is_rule=True)
            continue
        label, name = _LABEL.match(raw), ""
        content = _COMMENT.sub("", raw[label.end() :] if label else raw)
        lists = [match.end() for match in _LIST.finditer(content)]
        content = content[lists[-1] :] if lists else content
        for pattern in _NAMES:
            if match := pattern.match(content):
                content, name = content[match.end() :], next(iter(match.groups()), name).strip()
        line = Line(i, raw, content, name)
        first, columns = content.lstrip()[:1], [word[1:] for word in line.words]
        is_heading = first.isalpha() and are_counted(columns) and all(word[0] == first for word in line.words)
        yield Line(i, raw, raw, is_rule=True) if is_heading else line


def _fields(text: str) -> list[str]:
    """The fields of a row of a table, which can be empty."""
    text = text.strip(" ").removesuffix("\\\\")
    delimiter = next((sign for sign in _END_OF_FIELD + "|\t;,&" if text.count(sign) >= MIN_ROW), None)
    if delimiter is None or (delimiter == "|" and len(text) == text.count(delimiter)):
        return []
    cells = [field.strip(" \t\"'") for field in text.split(delimiter)]
    if delimiter == _END_OF_FIELD:
        cells.pop()
    elif delimiter == "|":
        cells = cells[not cells[0] : len(cells) - (not cells[-1])]
    return cells


def _odd(cells: Iterable[str]) -> set[str]:
    """The cells that are neither blanks nor numbers."""
    return {cell for cell in {*cells} if cell.lower() not in ANY_BLANKS and number(cell) is None}


def _are_letters(cells: Iterable[str]) -> bool:
    return all(len(cell) == 1 and cell.isalpha() for cell in cells)


def are_counted(names: Sequence[str]) -> bool:
    """Whether these are the names of rows or columns: 1, 2, 3 ..., from 0 on, or A, B, C ..."""
    numbered = [[f"{i}" for i in range(first, first + len(names))] for first in (0, 1)]
    return len(names) >= MIN_SIZE and [name.upper() for name in names] in [*numbered, [*ascii_uppercase[: len(names)]]]

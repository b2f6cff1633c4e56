"""Blocks of constraints in canonical form, or near to it, read many at a time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Kind, Offsets
from f2csp.model.words import SECTION_WORDS
from f2csp.text.columns import UNKNOWN, Columns, WrittenTable
from f2csp.text.terminals import pattern, terminal

# ``Vars:`` behind a blank, or at the beginning of a line; its first letter is quicker to find than such a beginning.
_VARS_LINE = re.compile(rb"[Vv](?<![^ \t\n].)[Aa][Rr][Ss][ \t]*+:")

_REMEMBERED = 1 << 24  # bytes of tables whose texts are kept, so that they are known when they come again

_CANONICAL_VARS = b"\nVars:\n"
_LABEL_LINES = re.compile(rb"(?:%b\n)*+" % pattern("_WORD"))
_SECTION_LINES = [b"\n%b\n" % word.encode() for word in SECTION_WORDS]
_WORD = terminal("_WORD")
_PLAIN_COUNT = re.compile(rb"[1-9][0-9]{0,17}+")
_LINES_BESIDE_TUPLES = 6  # label, Vars, arity, scope, Reject or Accept, count

# The first letter is quicker to find than the beginning of a line.
_LOOSE_HEADER = re.compile(rb"[VvRrAa](?<=\n.)(?i:(?<=v)ars|(?<=r)eject|(?<=a)ccept) ?: ?\n?")
_LOOSE_COMMAS = (b",,", b", ,", b"\n,", b",\n", b",:", b", :", b":,", b": ,")  # commas that are not between two words
_COLON_BEHIND_LABEL = re.compile(rb"^(%b) ?:\nVars:\n" % pattern("NAME"), re.MULTILINE)
_CANONICAL_HEADERS = {b"v": b"Vars:\n", b"r": b"Reject:\n", b"a": b"Accept:\n"}

_NUMBERED = re.compile(rb"(C?)([1-9][0-9]{0,17}+)")
_BLANK, _NEWLINE = b" \n"
_CHUNK_BYTES = 1 << 16  # bytes of tables; the arrays for their words fit into a processor's cache
_CODE_BITS = 4  # for a character from - to <, the digits among them
_MAX_CODED = 4  # characters of a word that has a code
_KINDS: dict[bytes, Kind] = {b"Reject:": "Reject", b"Accept:": "Accept"}

Positions = NDArray[np.int64]


@dataclass(frozen=True)
class Block:
    """Constraints whose form is right; the rules about their contents are applied later."""

    labels: list[bytes]
    arities: Offsets
    scopes: Ids  # end to end, as indices of variables
    tables: Ids  # indices into the tables of the columns
    n_rows: Offsets  # the number of tuples of each
    starts: Offsets  # counted from the start of the block
    lines: Offsets  # counted from the first line of the block
    declared_arities: Offsets | None = None  # where they are not what follows
    declared_tuples: Offsets | None = None
    is_plain: bool = True  # read in bulk

    @cached_property
    def numbered(self) -> tuple[bytes, int] | None:
        """What the labels are numbered with."""
        return numbered(self.labels)


def numbered(labels: Sequence[bytes]) -> tuple[bytes, int] | None:
    """The prefix and the first number of labels such as C7, C8, C9; None for other ones."""
    match = _NUMBERED.fullmatch(labels[0])
    if match is None:
        return None
    prefix, first = match[1], int(match[2])
    is_run = labels == [b"%b%d" % (prefix, i) for i in range(first, first + len(labels))]
    return (prefix, first) if is_run else None


class BlockReader:
    """Reads blocks into tables of the columns and constraints; the domains and variables must be complete."""

    def __init__(self, columns: Columns, words: dict[bytes, int], variable_index: dict[bytes, int]) -> None:
        """Add new tables to ``columns``."""
        self._columns = columns
        self._variable_index = variable_index
        self._decoder = TableDecoder(words)
        self._known: dict[bytes, int] = {}
        self._n_remembered = 0

    def read(self, text: bytes, *, is_strict: bool = False) -> Block | None:
        """The constraints of a text that begins with a label; None if anything is out of the ordinary.

        Strict is to read the canonical form alone.
        """
        block = self._read_canonical(text)
        if block is not None or is_strict:
            return block
        plain = text.translate(None, b"\r")  # each is part of a line end: the line of any other is suppressed
        has_same_line_ends = len(text) - len(plain) == plain.count(b"\n")
        block = self._read_canonical(plain) if has_same_line_ends else None
        if block is not None:
            block.starts[:] += block.lines  # a carriage return more for each line before
            return block
        canonical = _canonical(plain)
        block = self._read_canonical(canonical) if canonical not in (None, text) else None
        return block if block is not None and _find_places(block, text) else None

    def _read_canonical(self, text: bytes) -> Block | None:
        end = b"X" if text.endswith(b"\n") else b"\nX"  # as if another label followed
        pieces = (text + end).split(_CANONICAL_VARS)
        first_label = pieces[0]
        n = len(pieces) - 1
        if n == 0 or b"\n" in first_label:
            return None
        try:
            arities, scopes, rests = zip(*[piece.split(b"\n", 2) for piece in pieces[1:]], strict=True)
        except ValueError:
            return None
        tables, _, next_labels = zip(*[rest.rpartition(b"\n") for rest in rests], strict=True)
        labels = [first_label, *next_labels[:-1]]
        sizes = _sizes(arities, scopes)
        variables = self._variables(scopes)
        if sizes is None or variables is None or not _are_names(labels):
            return None
        table_ids = self._tables(tables)
        if table_ids is None:
            return None
        all_tables = self._columns.tables
        n_rows = np.array([all_tables[i].n_rows for i in table_ids], dtype=np.int64)
        ends = np.cumsum([len(piece) + len(_CANONICAL_VARS) for piece in pieces[:-1]]) - len(_CANONICAL_VARS)
        starts = ends - np.fromiter(map(len, labels), dtype=np.int64, count=n)
        lines = np.cumsum(n_rows + _LINES_BESIDE_TUPLES) - n_rows - _LINES_BESIDE_TUPLES
        return Block(labels, sizes, variables, np.array(table_ids, dtype=np.int32), n_rows, starts, lines)

    def _variables(self, scopes: tuple[bytes, ...]) -> Ids | None:
        """The variables of the scopes, ``UNKNOWN`` for names that are not declared; None for what is no name."""
        index, names = self._variable_index, b" ".join(scopes).split(b" ")
        try:
            return np.array([index[name] for name in names], dtype=np.int32)
        except KeyError:
            are_words = all(map(_WORD.fullmatch, set(names).difference(index)))
            return np.array([index.get(name, UNKNOWN) for name in names], dtype=np.int32) if are_words else None

    def _tables(self, texts: tuple[bytes, ...]) -> list[int] | None:
        """The indices of the tables with these texts; new ones are added to the columns."""
        known = self._known
        indices = [known.get(text, UNKNOWN) for text in texts]
        if UNKNOWN not in indices:
            return indices
        new = list(dict.fromkeys([text for text, i in zip(texts, indices, strict=True) if i == UNKNOWN]))
        tables = self._decoder.decode(new)
        if tables is None:
            return None
        at = len(self._columns.tables)
        self._columns.tables.extend(tables)
        added = dict(zip(new, range(at, at + len(new)), strict=True))
        size = sum(map(len, new))
        if self._n_remembered + size <= _REMEMBERED:
            self._n_remembered += size
            known.update(added)
        return [added[text] if i == UNKNOWN else i for text, i in zip(texts, indices, strict=True)]


def _are_names(labels: list[bytes]) -> bool:
    text = b"\n%b\n" % b"\n".join(labels)
    if _LABEL_LINES.fullmatch(text, 1) is None:
        return False
    text = text.lower()
    return not any(line in text for line in _SECTION_LINES)


def _sizes(arities: tuple[bytes, ...], scopes: tuple[bytes, ...]) -> Offsets | None:
    """The sizes of the scopes; None if one is not what is declared."""
    distinct = {text: int(text) for text in set(arities) if _PLAIN_COUNT.fullmatch(text)}
    try:
        declared = [distinct[text] for text in arities]
    except KeyError:
        return None
    sizes = [scope.count(b" ") + 1 for scope in scopes]
    return np.array(sizes, dtype=np.int64) if sizes == declared else None


def _canonical(text: bytes) -> bytes | None:
    """The text without the everyday liberties; None if it takes others, which the reader knows.

    Plain replacements are many times as fast as patterns.
    """
    text = _shortened(text.replace(b"\t", b" "), b" ").replace(b" \n", b"\n").replace(b"\n ", b"\n")
    text = _shortened(text, b"\n").strip(b" \n")
    if b"," in text:
        if any(loose in text for loose in _LOOSE_COMMAS):
            return None
        text = text.replace(b", ", b",").replace(b" ,", b",").replace(b",", b" ")
    text = _LOOSE_HEADER.sub(lambda match: _CANONICAL_HEADERS[match[0][:1].lower()], text)
    return _COLON_BEHIND_LABEL.sub(rb"\1\nVars:\n", text) if b":\nVars:" in text or b" :\nVars:" in text else text


def _shortened(text: bytes, character: bytes) -> bytes:
    """The text with one of the character for each run of it."""
    while 2 * character in text:
        text = text.replace(2 * character, character)
    return text


def _find_places(block: Block, text: bytes) -> bool:
    """Find where the constraints of a block begin in the text that was not canonical; whether all are found."""
    vars_lines = [match.start() for match in _VARS_LINE.finditer(text)]
    if len(vars_lines) != len(block.labels):
        return False
    block.starts[:] = [text.rfind(label, 0, at) for label, at in zip(block.labels, vars_lines, strict=True)]
    line_ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n"))
    block.lines[:] = np.searchsorted(line_ends, block.starts)
    return True


class TableDecoder:
    """Decodes plain tables in bulk: each tuple on a line, with one blank between two words and none elsewhere."""

    def __init__(self, words: dict[bytes, int]) -> None:
        """Decode with the words of the domains, which must be complete."""
        self._index = words
        self.n_words = len(words)
        self._longest = max(map(len, words), default=0)
        self._by_code: Ids | None = None  # the word of each code; None where one is too long or has another character
        if words and self._longest <= _MAX_CODED:
            text = b"\n".join(words) + b"\n"
            ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == _NEWLINE)
            codes = _codes(text, ends)
            if codes is not None:
                self._by_code = np.full(2 << _CODE_BITS * self._longest, UNKNOWN, dtype=np.int32)
                self._by_code[codes] = np.arange(len(words))

    def decode(self, texts: Sequence[bytes]) -> list[WrittenTable] | None:
        """The tables of some texts (header, count, tuples), or None if one is not plain, or its count is wrong."""
        headers = [text.split(b"\n", 2) for text in texts]
        if not all(len(header) == 3 for header in headers):
            return None  # an empty table among them: its arity is not in its text
        kinds = [_KINDS.get(header[0]) for header in headers]
        n_rows = [header[2].count(b"\n") + 1 for header in headers]
        if any(kind is None for kind in kinds) or [header[1] for header in headers] != [b"%d" % n for n in n_rows]:
            return None
        read = self._read_lines(b"\n".join([header[2] for header in headers]) + b"\n")
        return _tables([kind for kind in kinds if kind], n_rows, *read) if read else None

    def _read_lines(self, text: bytes) -> tuple[Positions, Ids] | None:
        """The number of words of each line, and the words end to end; in chunks, as a word takes some forty bytes."""
        sizes, values = [], []
        start = 0
        while start < len(text):
            end = text.find(b"\n", start + _CHUNK_BYTES) + 1 or len(text)
            chunk = self.read_chunk(text[start:end])
            if chunk is None:
                return None
            sizes.append(chunk[0])
            values.append(chunk[1])
            start = end
        return np.concatenate(sizes), np.concatenate(values)

    def read_chunk(self, text: bytes) -> tuple[Positions, Ids] | None:
        """The sizes and words of a few lines; None if more than one blank is between two words, or a sign in one."""
        ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) <= _BLANK)
        values = None
        if self._by_code is not None:
            codes = _codes(text, ends)
            values = self._by_code[codes] if codes is not None and int(codes.max()) < len(self._by_code) else None
        if values is None:
            index = self._index
            values = np.array([index.get(word, UNKNOWN) for word in text.split()], dtype=np.int32)
        n_separators = text.count(b" ") + text.count(b"\n")
        if not n_separators == len(ends) == len(values):
            return None
        if values.min() < 0:
            words = text.split()
            if len(words) < len(values) or not all(map(_is_value, set(words).difference(self._index))):
                return None
        is_line_end = np.frombuffer(text, dtype=np.uint8)[ends] == _NEWLINE
        return np.diff(np.flatnonzero(is_line_end), prepend=-1), values


def _is_value(word: bytes) -> bool:
    return _WORD.fullmatch(word) is not None and b".." not in word


def _codes(text: bytes, ends: Positions) -> Positions | None:
    """A number for each word that ends at a place, other words have others; None for long words and most characters."""
    characters = np.frombuffer(text, dtype=np.uint8)
    lengths = np.diff(ends, prepend=-1) - 1
    longest = int(lengths.max())
    if longest > _MAX_CODED:
        return None
    codes: Positions = 1 << _CODE_BITS * lengths
    for place in range(longest):  # counted from the ends of the words
        which = np.flatnonzero(lengths > place) if place else slice(None)
        digits = characters[ends[which] - 1 - place] - np.uint8(ord("-"))  # which is before the digits
        if (digits >> _CODE_BITS).any():
            return None
        codes[which] += digits.astype(np.int64) << _CODE_BITS * place
    return codes


def _tables(kinds: list[Kind], n_rows: list[int], sizes: Positions, values: Ids) -> list[WrittenTable] | None:
    """Cut the values of all bodies into tables; None if the tuples of a table differ in size."""
    first_rows = np.cumsum(n_rows) - n_rows
    arities = sizes[first_rows]
    if not (np.repeat(arities, n_rows) == sizes).all():
        return None
    tables = []
    start = 0
    for kind, n, arity in zip(kinds, n_rows, arities.tolist(), strict=True):
        end = start + n * arity
        tables.append(WrittenTable(kind, arity, values[start:end].reshape(n, arity), None, n))
        start = end
    return tables

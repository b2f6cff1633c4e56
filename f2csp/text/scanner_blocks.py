"""Blocks of constraints in canonical form, read many at a time; others are brought into it by the grammar."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add

import numpy as np
from numpy.typing import NDArray

from f2csp.model import Ids, Kind, Offsets
from f2csp.model.words import SECTION_WORDS
from f2csp.text.columns import UNKNOWN, Columns, WrittenTable
from f2csp.text.terminals import language, pattern, terminal

_REMEMBERED = 1 << 24  # bytes of tables whose texts are kept, so that they are known when they come again

_CANONICAL_VARS = b"\nVars:\n"
_NAME_LINES = re.compile(rb"(?:%b\n)*+" % pattern("_WORD"))
_SECTION_LINES = [b"\n%b\n" % word.encode() for word in SECTION_WORDS]
_WORD = terminal("_WORD")
_PLAIN_COUNT = re.compile(rb"[1-9][0-9]{0,17}+")
_SMALL_HEADS = re.compile(
    rb"(?:%(NAME)b\nVars:\n(?:1\n%(WORD)b|2\n%(WORD)b %(WORD)b)\n)*+"
    % {b"NAME": pattern("NAME"), b"WORD": pattern("_WORD")}
)
_LINES_IN_HEAD = 4  # label, Vars, arity, scope
_LINES_BESIDE_TUPLES = _LINES_IN_HEAD + 2  # Reject or Accept, count

_EMPTY_TUPLE = re.compile(rb"\([ \t]*+\)")
TUPLES_AS_LINES = bytes.maketrans(b",()", b"  \n")  # (1, 2) (3, 4) becomes two lines

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
        self._latest_table = b"\0"  # which no text holds

    def read(self, text: bytes) -> Block | None:
        """The constraints of a canonical text that begins with a label; its lines may end with carriage returns.

        None if anything is out of the ordinary.
        """
        plain = _without_returns(text)
        block = self._read_canonical(plain)
        if block is not None and len(plain) < len(text):
            block.starts[:] += block.lines  # a carriage return more for each line before
        return block

    def count(self, text: bytes) -> tuple[int, int, int] | None:
        """The numbers of constraints, of accepted and of rejected tuples in such a text; no variable is looked up."""
        _, heads, tables = self._cut(_without_returns(text))
        uses = Counter(tables)
        is_canonical = tables and (_SMALL_HEADS.fullmatch(heads) or self._read_heads(heads))
        table_ids = self._tables([*uses]) if is_canonical else None
        if table_ids is None:
            return None
        n_tuples = {"Accept": 0, "Reject": 0}
        for i, n in zip(table_ids, uses.values(), strict=True):
            n_tuples[self._columns.tables[i].kind] += n * self._columns.tables[i].n_rows
        return len(tables), n_tuples["Accept"], n_tuples["Reject"]

    def read_unusual(self, text: bytes) -> Block | None:
        """The same in any spelling, by the rule ``block`` of the grammar."""
        respelt = _respelt(text)
        block = self._read_canonical(respelt[0]) if respelt else None
        if respelt and block:
            block.starts[:] = respelt[1]
            line_ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == _NEWLINE)
            block.lines[:] = np.searchsorted(line_ends, block.starts)
        return block

    def _read_canonical(self, text: bytes) -> Block | None:
        starts, text_of_heads, tables = self._cut(text)
        heads = self._read_heads(text_of_heads)
        table_ids = self._tables(tables) if heads else None
        if heads is None or table_ids is None:
            return None
        self._latest_table, all_tables = tables[-1], self._columns.tables
        n_rows = np.array([all_tables[i].n_rows for i in table_ids], dtype=np.int64)
        lines = np.cumsum(n_rows + _LINES_BESIDE_TUPLES) - n_rows - _LINES_BESIDE_TUPLES
        return Block(*heads, np.array(table_ids, dtype=np.int32), n_rows, np.array(starts, dtype=np.int64), lines)

    def _cut(self, text: bytes) -> tuple[list[int], bytes, list[bytes]]:
        """Where constraints begin, what is before their tables, a line after the other, and the tables.

        If a text is not canonical, there are no tables, or heads and tables are not what they should be.
        """
        text = text if text.endswith(b"\n") else text + b"\n"
        colons = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord(":"))
        ends, tables = (colons[1::2] - len(b"\nReject")).tolist(), list[bytes]()  # of the heads
        table, startswith = self._latest_table, text.startswith
        for end in ends:
            if not startswith(table, end):  # most are the one before: that is seen without cutting the text
                if tables and end < ends[len(tables) - 1] + len(table):
                    return [], b"", []  # at once, before many long tables overlap
                following = text.find(_CANONICAL_VARS, end)
                table = text[end : text.rfind(b"\n", end, following) + 1 if following >= 0 else len(text)]
            tables.append(table)
        starts = [0, *map(add, ends, map(len, tables))]
        if starts.pop() != len(text):
            return [], b"", []
        heads = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        return starts, b"\n".join([*heads, b""]), tables

    def _read_heads(self, text: bytes) -> tuple[list[bytes], Offsets, Ids] | None:
        """The labels, the sizes of the scopes, and the variables of some constraints, whose tables are left out."""
        lines = text.split(b"\n")[:-1]
        labels, arities, scopes = (lines[i::_LINES_IN_HEAD] for i in (0, 2, 3))
        n = len(labels)
        is_cut_right = 0 < len(lines) == _LINES_IN_HEAD * n and lines[1::_LINES_IN_HEAD].count(b"Vars:") == n
        sizes = _sizes(arities, scopes) if is_cut_right and _are_names(labels) else None
        variables = self._variables(scopes) if sizes is not None else None
        return (labels, sizes, variables) if sizes is not None and variables is not None else None

    def _variables(self, scopes: list[bytes]) -> Ids | None:
        """The variables of the scopes, ``UNKNOWN`` for names that are not declared; None for what is no name."""
        index, names = self._variable_index, b" ".join(scopes).split(b" ")
        try:
            return np.array([index[name] for name in names], dtype=np.int32)
        except KeyError:
            are_words = all(map(_WORD.fullmatch, set(names).difference(index)))
            return np.array([index.get(name, UNKNOWN) for name in names], dtype=np.int32) if are_words else None

    def _tables(self, texts: list[bytes]) -> list[int] | None:
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


def _without_returns(text: bytes) -> bytes:
    """The text without carriage returns, each of which is part of a line end, where all lines end so."""
    plain = text.translate(None, b"\r") if b"\r" in text else text
    return plain if len(text) - len(plain) == plain.count(b"\n") else text


def _are_names(labels: list[bytes]) -> bool:
    text = b"\n%b\n" % b"\n".join(labels)
    if _NAME_LINES.fullmatch(text, 1) is None:
        return False
    text = text.lower()
    return not any(line in text for line in _SECTION_LINES)


def _sizes(arities: list[bytes], scopes: list[bytes]) -> Offsets | None:
    """The sizes of the scopes; None if one is not what is declared."""
    distinct = {text: int(text) if _PLAIN_COUNT.fullmatch(text) else 0 for text in set(arities)}
    sizes = [scope.count(b" ") + 1 for scope in scopes]
    return np.array(sizes, dtype=np.int64) if sizes == [distinct[text] for text in arities] else None


def _respelt(text: bytes) -> tuple[bytes, list[int]] | None:
    """Constraints in canonical form, and where each begins in the text; None if they are not in the language.

    The text is decoded as Latin-1: the grammar's patterns are ASCII, so that a character is a byte.
    """
    from lark import Token
    from lark.exceptions import UnexpectedInput

    try:
        tree = language().parse(text.decode("latin-1"), start="block")
    except UnexpectedInput:
        return None
    lines, starts, known = list[bytes](), list[int](), dict[bytes, list[bytes]]()
    for constraint in tree.children:
        tokens = [] if isinstance(constraint, Token) else [t for t in constraint.children if isinstance(t, Token)]
        if len(tokens) < _LINES_BESIDE_TUPLES - 1:
            return None  # a goal that is not the last one, or a scope or a table that is empty
        label, arity, scope, table, tuples = (token.encode("latin-1") for token in tokens)
        if tuples not in known:
            if _EMPTY_TUPLE.search(tuples):
                return None
            rows = tuples.translate(TUPLES_AS_LINES).split(b"\n")
            known[tuples] = [b" ".join(words) for words in map(bytes.split, rows) if words]
        kind, n_tuples = table.split(b":")
        lines += [label.rstrip(b" \t\r\n:"), b"Vars:", arity.split(b":")[1].strip()]
        lines.append(b" ".join(scope.replace(b",", b" ").split()))
        lines += [kind.strip().capitalize() + b":", n_tuples.strip(), *known[tuples]]
        starts.append(tokens[0].start_pos or 0)
    return b"\n".join([*lines, b""]), starts


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
        """The tables of some texts (header, count, tuples, each behind a line end); None if one is not plain."""
        try:
            _, headers, counts, bodies = zip(*[text.split(b"\n", 3) for text in texts], strict=True)
        except ValueError:
            return None
        kinds, n_rows = [_KINDS.get(header) for header in headers], [body.count(b"\n") for body in bodies]
        if None in kinds or 0 in n_rows or list(counts) != [b"%d" % n for n in n_rows]:
            return None  # an empty table is not plain: its arity is not in its text
        read = self._read_lines(b"".join(bodies))
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
            others = set(words).difference(self._index)
            if len(words) < len(values) or not all(_WORD.fullmatch(word) and b".." not in word for word in others):
                return None
        is_line_end = np.frombuffer(text, dtype=np.uint8)[ends] == _NEWLINE
        return np.diff(np.flatnonzero(is_line_end), prepend=-1), values


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

"""Single lines, word by word with the place of each; what the grammar refuses is explained here.

Bulk is decoded elsewhere; these functions serve lines with faults, and finding a place again. They go over a line
without holding its words, for a line can be as large as a file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from f2csp.model.words import is_range

_LINE = re.compile(rb"[^ \t\r\n][^\n]*+")
_TOKEN = re.compile(rb"[^\x00-\x20\x7f:,(){}=]++|[:,(){}=]")
_SIGN_NAMES = {":": "a colon", ",": "a comma", "=": "an equals sign", "(": "a parenthesis", ")": "a parenthesis"}

Word = tuple[int, int]  # start and end in the text
Token = tuple[str, int, int]  # the sign, or "" for a word; start and end in the text


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the form of a line, as a code and a place; a line has at most one."""

    code: str
    start: int
    end: int
    message: str
    hint: str | None = None


def lines_of(data: bytes, start: int, end: int) -> Iterator[Word]:
    """The lines from ``start`` to ``end`` that are not blank, without white space around them."""
    for match in _LINE.finditer(data, start, end):
        yield match.start(), match.start() + len(match.group().rstrip(b" \t\r"))


def last_line(data: bytes, start: int, end: int) -> Word | None:
    """The last line from ``start`` to ``end`` that is not blank, without white space around it."""
    window = 64  # it is mostly near the end; where it is not, ever larger windows find it without going line by line
    while start < end:
        rest = data[max(start, end - window) : end].rstrip(b" \t\r\n")
        if rest:
            end = max(start, end - window) + len(rest)
            return _stripped(data, max(data.rfind(b"\n", start, end) + 1, start), end)
        end -= window
        window *= 2
    return None


def words_of(data: bytes, start: int, end: int) -> Iterator[Word]:
    """The words from ``start`` to ``end``."""
    return ((s, e) for sign, s, e in _tokens(data, start, end) if not sign)


def text_of(data: bytes, word: Word) -> str:
    """A word as text; what is not UTF-8 in it was told already."""
    return data[word[0] : word[1]].decode("utf-8", "replace")


def domain_fault(data: bytes, start: int, end: int) -> Fault | None:
    """Why a line is not ``NAME: value value ...``, also with ``=``, commas, braces; None if it is."""
    tokens = _tokens(data, start, end)
    fault = _name_fault(data, start, end, tokens, ":=")
    if fault:
        return fault
    first = next(tokens, None)
    if first is None or first[0] != "{":
        return _list_fault(data, _with(first, tokens), "two values")
    inside = _Until("}", tokens)
    fault = _list_fault(data, inside, "two values")
    if fault:
        return fault
    if inside.closing is None:
        return Fault("F010", *first[1:], "the brace is not closed on its line", "write } after the last value")
    extra = next(tokens, None)
    if extra is None:
        return None
    message = f"{text_of(data, extra[1:])} stands behind the closing brace"
    return Fault("F011", *extra[1:], message, "braces stand around the whole list")


def variable_fault(data: bytes, start: int, end: int) -> Fault | None:
    """Why a line is not ``NAME: DOMAIN``; None if it is."""
    tokens = _tokens(data, start, end)
    fault = _name_fault(data, start, end, tokens, ":")
    if fault:
        return fault
    wanted = "write NAME: DOMAIN"
    first, extra = next(tokens, None), next(tokens, None)
    if first is None:
        name = next(words_of(data, start, end))
        return Fault("F012", *name, f"variable {text_of(data, name)} has no domain", wanted)
    sign = next((t for t in (first, extra) if t and t[0]), None)
    if sign:
        return _misplaced(sign, wanted)
    if extra:
        message = f"{text_of(data, extra[1:])} follows the variable's domain {text_of(data, first[1:])}"
        return Fault("F012", *extra[1:], message, "a variable has one domain")
    return None


def scope_fault(data: bytes, start: int, end: int) -> Fault | None:
    """Why a text is not a list of names, on one line or on several; None if it is."""
    return _list_fault(data, _tokens(data, start, end), "two names")


def row_fault(data: bytes, start: int, end: int) -> Fault | None:
    """Why there are no tuples on a line; None if there are."""
    if b"(" not in data[start:end]:
        return _list_fault(data, _tokens(data, start, end), "two values", ranges=False)
    tokens = _tokens(data, start, end)
    for token in tokens:
        if token[0] != "(":
            return _closes_nothing(token) or _outside(data, token)
        inside = _Until(")", tokens)
        fault = _list_fault(data, inside, "two values", ranges=False)
        if fault:
            return _not_closed(token) if data[fault.start : fault.end] == b"(" else fault
        if inside.closing is None:
            return _not_closed(token)
    return None


def rows_of(data: bytes, start: int, end: int) -> Iterator[Word]:
    """The places of the tuples in a table's body; a line on which none can be read counts as one."""
    for line_start, line_end in lines_of(data, start, end):
        opening = data.find(b"(", line_start, line_end)
        if opening < 0 or row_fault(data, line_start, line_end):
            yield line_start, line_end
            continue
        while opening >= 0:
            closing = data.find(b")", opening, line_end) + 1
            yield opening, closing
            opening = data.find(b"(", closing, line_end)


class _Until:
    """Tokens up to a closing sign, which is kept aside."""

    def __init__(self, sign: str, tokens: Iterator[Token]) -> None:
        self.sign = sign
        self.tokens = tokens
        self.closing: Token | None = None

    def __iter__(self) -> Iterator[Token]:
        for token in self.tokens:
            if token[0] == self.sign:
                self.closing = token
                return
            yield token


def _with(first: Token | None, rest: Iterator[Token]) -> Iterator[Token]:
    if first is not None:
        yield first
    yield from rest


def _name_fault(data: bytes, start: int, end: int, tokens: Iterator[Token], colons: str) -> Fault | None:
    """Take the name and the colon of a definition from its tokens, or say why they are not there."""
    wanted = "write NAME: and what it is"
    name, colon = next(tokens, None), next(tokens, None)
    if name is None:
        return Fault("F012", start, end, "the line has no name", wanted)
    if name[0]:
        return _closes_nothing(name) or _misplaced(name, wanted)
    if colon is not None and colon[0] and colon[0] in colons:
        return None
    if colon is not None and colon[0]:
        return _closes_nothing(colon) or _misplaced(colon, "write a colon after the name")
    return Fault("F012", *name[1:], f"no colon follows the name {text_of(data, name[1:])}", wanted)


def _list_fault(data: bytes, tokens: Iterator[Token] | _Until, between: str, *, ranges: bool = True) -> Fault | None:
    """The first thing in a list that is neither a word nor one comma between two words."""
    comma: Token | None = None
    previous_is_word = False
    for token in tokens:
        sign, start, end = token
        if not sign:
            if not ranges and b".." in data[start:end] and is_range(text_of(data, (start, end))):
                message = f"the range {text_of(data, (start, end))} stands where one value is due"
                return Fault("F308", start, end, message, "ranges belong to domains; write one tuple for each value")
            previous_is_word, comma = True, None
        elif sign == "," and previous_is_word:
            previous_is_word, comma = False, token
        else:
            return _sign_fault(token, between)
    return _misplaced(comma, f"one comma may stand between {between}") if comma else None


def _sign_fault(token: Token, between: str) -> Fault:
    hint = f"one comma may stand between {between}" if token[0] == "," else "remove it"
    return _closes_nothing(token) or _misplaced(token, hint)


def _closes_nothing(token: Token) -> Fault | None:
    if token[0] not in (")", "}"):
        return None
    name = "brace" if token[0] == "}" else "parenthesis"
    return Fault("F010", *token[1:], f"the {name} closes nothing", "remove it")


def _outside(data: bytes, token: Token) -> Fault:
    if token[0]:
        return _misplaced(token, "tuples in parentheses are separated by blanks alone")
    message = f"{text_of(data, token[1:])} stands outside the parentheses"
    return Fault("F012", *token[1:], message, "only tuples in parentheses may share a line")


def _not_closed(opening: Token) -> Fault:
    return Fault("F010", *opening[1:], "the parenthesis is not closed", "write ) after the last value")


def _misplaced(token: Token, hint: str) -> Fault:
    return Fault("F011", *token[1:], f"{_SIGN_NAMES.get(token[0], 'a brace')} is out of place", hint)


def _stripped(data: bytes, start: int, end: int) -> Word | None:
    """The place from ``start`` to ``end`` without white space around it, or None if nothing else is there."""
    text = data[start:end]
    end -= len(text) - len(text.rstrip(b" \t\r\n"))
    start += len(text) - len(text.lstrip(b" \t\r\n"))
    return (start, end) if start < end else None


def _tokens(data: bytes, start: int, end: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(data, start, end):
        at, stop = match.span()
        sign = chr(data[at])
        yield (sign if sign in ":,(){}=" else ""), at, stop

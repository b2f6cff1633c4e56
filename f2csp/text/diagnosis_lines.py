"""What is wrong with the form of one line, which the grammar refuses; each line has at most one such fault."""

import re
from collections.abc import Iterator

from f2csp.model.words import is_range
from f2csp.text.source_lines import Fault, text_of, words_of
from f2csp.text.terminals import pattern

_TOKEN = re.compile(rb"%b|[:,(){}=]" % pattern("_WORD"))
_SIGN_NAMES = {":": "a colon", ",": "a comma", "=": "an equals sign", "(": "a parenthesis", ")": "a parenthesis"}

Token = tuple[str, int, int]  # the sign, or "" for a word; start and end in the text


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
    message = f"expected the end of the line after the closing brace, found {text_of(data, extra[1:])}"
    return Fault("F011", *extra[1:], message, "braces enclose the whole list")


def variable_fault(data: bytes, start: int, end: int) -> Fault | None:
    """Why a line is not ``NAME: DOMAIN``; None if it is."""
    tokens = _tokens(data, start, end)
    fault = _name_fault(data, start, end, tokens, ":")
    if fault:
        return fault
    hint = "write NAME: DOMAIN"
    first, extra = next(tokens, None), next(tokens, None)
    if first is None:
        name = next(words_of(data, start, end))
        return Fault("F012", *name, f"variable {text_of(data, name)} has no domain", hint)
    sign = next((t for t in (first, extra) if t and t[0]), None)
    if sign:
        return _misplaced(sign, hint)
    if extra:
        message = f"{text_of(data, extra[1:])} follows the variable's domain {text_of(data, first[1:])}"
        return Fault("F012", *extra[1:], message, "a variable has one domain")
    return None


def scope_fault(data: bytes, start: int, end: int) -> Fault | None:
    """Why a text is not a list of names, on one line or on several; None if it is."""
    return _list_fault(data, _tokens(data, start, end), "two names")


def row_fault(data: bytes, start: int, end: int) -> Fault | None:
    """Why a line holds no tuples; None if it does."""
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


class _Until:
    """Tokens up to a closing sign, which is kept apart."""

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
    """Take the name and the colon of a definition from its tokens, or explain their absence."""
    hint = "write NAME: before the definition"
    name, colon = next(tokens, None), next(tokens, None)
    if name is None:
        return Fault("F012", start, end, "the line has no name", hint)
    if name[0]:
        return _closes_nothing(name) or _misplaced(name, hint)
    if colon is not None and colon[0] and colon[0] in colons:
        return None
    if colon is not None and colon[0]:
        return _closes_nothing(colon) or _misplaced(colon, "write a colon after the name")
    return Fault("F012", *name[1:], f"expected a colon after the name {text_of(data, name[1:])}", hint)


def _list_fault(data: bytes, tokens: Iterator[Token] | _Until, between: str, *, ranges: bool = True) -> Fault | None:
    """The first token in a list that is neither a word nor one comma between two words."""
    comma: Token | None = None
    previous_is_word = False
    for token in tokens:
        sign, start, end = token
        if not sign:
            if not ranges and b".." in data[start:end] and is_range(text_of(data, (start, end))):
                message = f"expected one value, found the range {text_of(data, (start, end))}"
                return Fault("F308", start, end, message, "ranges are for domains; write one tuple for each value")
            previous_is_word, comma = True, None
        elif sign == "," and previous_is_word:
            previous_is_word, comma = False, token
        else:
            hint = f"write at most one comma between {between}" if sign == "," else "remove it"
            return _closes_nothing(token) or _misplaced(token, hint)
    return _misplaced(comma, f"write at most one comma between {between}") if comma else None


def _closes_nothing(token: Token) -> Fault | None:
    if token[0] not in (")", "}"):
        return None
    name = "brace" if token[0] == "}" else "parenthesis"
    return Fault("F010", *token[1:], f"the {name} closes nothing", "remove it")


def _outside(data: bytes, token: Token) -> Fault:
    if token[0]:
        return _misplaced(token, "separate tuples in parentheses by blanks alone")
    message = f"{text_of(data, token[1:])} is outside the parentheses"
    return Fault("F012", *token[1:], message, "only tuples in parentheses may share a line")


def _not_closed(opening: Token) -> Fault:
    return Fault("F010", *opening[1:], "the parenthesis is not closed", "write ) after the last value")


def _misplaced(token: Token, hint: str) -> Fault:
    return Fault("F011", *token[1:], f"{_SIGN_NAMES.get(token[0], 'a brace')} is out of place", hint)


def _tokens(data: bytes, start: int, end: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(data, start, end):
        at, stop = match.span()
        sign = chr(data[at])
        yield (sign if sign in ":,(){}=" else ""), at, stop

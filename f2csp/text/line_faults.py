"""What is wrong with the form of one line, which the grammar refuses; each line has at most one such fault."""

import re
from collections.abc import Iterator
from itertools import chain

from f2csp.diagnostics import Fault, brief
from f2csp.model.words import is_range
from f2csp.text.source_lines import text_at, word_spans
from f2csp.text.terminals import pattern

_WORD_OR_SIGN = re.compile(rb"%b|[:,(){}=]" % pattern("_WORD"))
_COLON_IN_WORD = re.compile(rb"[^\s:,(){}=]:[^\s:,(){}=]")
_SIGN_NAMES = {":": "a colon", ",": "a comma", "=": "an equals sign"}
_SIGN_NAMES |= dict.fromkeys("()", "a parenthesis") | dict.fromkeys("{}", "a brace")
_EXPRESSION = re.compile(rb"[!<>=]=|<>|[A-Za-z0-9_)]\(|[ \t][-+*/<>][ \t]|=|(?i:^[ \t]*+all_?-?diff)|\xe2\x89\xa0")
_INT = r"(-?[0-9]+)"
_RANGES = (
    # 1, 2, ..., 9
    re.compile(rf"(?<![^\s,{{]){_INT}(?:[,\s]+-?[0-9]+){{0,8}}[,\s]+(?:\.\.+|…)[,\s]+{_INT}(?![^\s,}}])"),
    re.compile(rf"(?<![^\s,{{])(?:from\s+)?{_INT}(?:\s*\.\.+\s*|\s*[–—~:]\s*|-|\s+-\s+|\s+to\s+){_INT}(?![^\s,}}])"),
    re.compile(r"(?<![^\s,{])([A-Za-z])(?:\s*\.\.+\s*|\s*[–—]\s*|-)([A-Za-z])(?![^\s,}])"),
)
_CLOSING = {"(": ")", "{": "}"}

TABLES_ONLY = "F2CSP has tables only: list the tuples under Reject: or Accept:"

Token = tuple[str, int, int]  # the sign, or "" for a word; start and end in the text


def explain_domain(data: bytes, start: int, end: int) -> Fault | None:
    """Why a line is not ``NAME: value value ...``, also with ``=``, commas, braces; None if it is."""
    tokens = _tokens(data, start, end)
    if fault := _name_fault(data, start, end, tokens, ":="):
        return fault
    first = next(tokens, None)
    if first is None or first[0] != "{":
        return _list_fault(data, chain([first] if first else [], tokens), "values")
    fault = _list_fault(data, tokens, "values", opening=first)
    if fault is None and (extra := next(tokens, None)):
        message = f"expected the end of the line after the closing brace, found {text_at(data, extra[1:])}"
        return Fault("F011", *extra[1:], message, "braces enclose the whole list")
    return fault


def ranges_in(values: str) -> Iterator[tuple[int, int, str]]:
    """The ranges among the values of a domain that are not spelt START..END: start, end, and what is meant."""
    end = 0
    for match in sorted((m for p in _RANGES for m in p.finditer(values)), key=lambda m: (m.start(), -m.end())):
        first, last = match.groups()
        if first.isalpha():
            meant = " ".join(map(chr, range(ord(first), ord(last) + 1)[:26]))
            is_meant = meant.endswith(last)
        else:
            meant = f"{first}..{last}"
            is_meant = match[0] != meant
        if is_meant and match.start() >= end:
            end = match.end()
            yield match.start(), end, meant


def explain_variable(data: bytes, start: int, end: int) -> Fault | None:
    """Why a line is not ``NAME: DOMAIN``; None if it is."""
    tokens = _tokens(data, start, end)
    if fault := _name_fault(data, start, end, tokens, ":"):
        return fault
    hint = "write NAME: DOMAIN"
    first, extra = next(tokens, None), next(tokens, None)
    if first is None:
        name = next(word_spans(data, start, end))
        return Fault("F012", *name, f"variable {text_at(data, name)} has no domain", hint)
    sign = next((t for t in (first, extra) if t and t[0]), None)
    values = extra and explain_domain(data, start, end) is None and text_at(data, (first[1], end)).strip()
    cure = values and domain_cure(values)
    if sign:
        return _out_of_place(sign, cure or hint)
    if extra:
        message = f"{text_at(data, extra[1:])} follows the variable's domain {text_at(data, first[1:])}"
        return Fault("F012", *extra[1:], message, cure or "a variable has one domain")
    return None


def domain_cure(text: str) -> str | None:
    """The hint for values in place of a domain's name: a list with a sign or an integer in it, or a range."""
    if not re.search(r"[{,]|(?<!\S)-?[0-9]+(?!\S)", text) and not is_range(text):
        return None
    return f"declare a domain, such as d1: {brief(text)}"


def explain_scope(data: bytes, start: int, end: int) -> Fault | None:
    """Why a text is not a list of names, on one line or on several; None if it is."""
    return _list_fault(data, _tokens(data, start, end), "names")


def is_expression(data: bytes, start: int, end: int) -> bool:
    """Whether a line that is out of place looks like a constraint in another language."""
    return _EXPRESSION.search(data[start:end]) is not None


def explain_row(data: bytes, start: int, end: int) -> Fault | None:
    """Why a line holds no tuples; None if it does."""
    fault = _row_fault(data, start, end)
    is_in_words = fault is not None and fault.code in ("F011", "F012") and is_expression(data, start, end)
    return fault._replace(hint=TABLES_ONLY, edit=None) if fault and is_in_words else fault


def _row_fault(data: bytes, start: int, end: int) -> Fault | None:
    tokens = _tokens(data, start, end)
    if data.find(b"(", start, end) < 0:
        return _list_fault(data, tokens, "values", ranges=False)
    for token in tokens:
        if token[0] == "(":
            fault = _list_fault(data, tokens, "values", opening=token, ranges=False)
        elif token[0]:
            fault = _misplaced(token, "separate tuples in parentheses by blanks alone")
        else:
            message = f"{text_at(data, token[1:])} is outside the parentheses"
            fault = Fault("F012", *token[1:], message, "only tuples in parentheses may share a line")
        if fault:
            return fault
    return None


def _name_fault(data: bytes, start: int, end: int, tokens: Iterator[Token], colons: str) -> Fault | None:
    """Take the name and the colon of a definition from its tokens, or explain their absence."""
    hint = "write NAME: before the definition"
    name, colon = next(tokens, None), next(tokens, None)
    if name is None:
        return Fault("F012", start, end, "the line has no name", hint)
    if name[0]:
        return _misplaced(name, hint)
    if colon is None or not colon[0]:
        return Fault("F012", *name[1:], f"expected a colon after the name {text_at(data, name[1:])}", hint)
    if colon[0] in colons:
        return None
    fault = _misplaced(colon, "write a colon after the name")
    return fault._replace(edit=(*colon[1:], ":")) if colon[0] == "=" else fault


def _list_fault(
    data: bytes, tokens: Iterator[Token], items: str, *, opening: Token | None = None, ranges: bool = True
) -> Fault | None:
    """The first fault in a list of words with at most one comma between two of them.

    The list is read up to the sign that closes it, if ``opening`` opens it; ``items`` is their name, for the hint.
    """
    closing = _CLOSING[opening[0]] if opening else ""
    comma_hint = f"write at most one comma between two {items}"
    comma: Token | None = None
    previous_is_word = is_closed = False
    end = opening[2] if opening else 0
    for token in tokens:
        sign, start, end = token
        if not sign:
            if not ranges and b".." in data[start:end] and is_range(text_at(data, (start, end))):
                message = f"expected one value, found the range {text_at(data, (start, end))}"
                return Fault("F308", start, end, message, "ranges are for domains; write one tuple for each value")
            previous_is_word, comma = True, None
        elif sign == "," and previous_is_word:
            previous_is_word, comma = False, token
        elif sign == closing:
            is_closed = True
            break
        elif opening and sign == "(" == opening[0]:
            return _not_closed(opening)
        else:
            is_inside = _COLON_IN_WORD.match(data, start - 1, len(data)) is not None  # without it, 1:2 would be 12
            hint = "write another sign in its place" if is_inside else "remove it"
            return _misplaced(token, comma_hint if sign == "," else hint)
    if comma:
        return _misplaced(comma, comma_hint)
    if not opening or is_closed:
        return None
    return _not_closed(opening)._replace(edit=(end, end, closing))


def _not_closed(opening: Token) -> Fault:
    name = _SIGN_NAMES[opening[0]]
    hint = f"write {_CLOSING[opening[0]]} after the last value"
    return Fault("F010", *opening[1:], f"{name} is not closed on its line", hint)


def _misplaced(token: Token, hint: str) -> Fault:
    if token[0] in _CLOSING.values():
        return Fault("F010", *token[1:], f"{_SIGN_NAMES[token[0]]} closes nothing", "remove it")
    return _out_of_place(token, hint)


def _out_of_place(token: Token, hint: str) -> Fault:
    return Fault("F011", *token[1:], f"{_SIGN_NAMES[token[0]]} is out of place", hint)


def _tokens(data: bytes, start: int, end: int) -> Iterator[Token]:
    for match in _WORD_OR_SIGN.finditer(data, start, end):
        at, stop = match.span()
        sign = chr(data[at])
        yield (sign if sign in _SIGN_NAMES else ""), at, stop

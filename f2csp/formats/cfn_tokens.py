"""A .cfn text word by word, as toulbar2 reads it, with the comments that say what the words are in F2CSP."""

import re
from dataclasses import dataclass

from f2csp.diagnostics import Source, shown
from f2csp.model.words import is_name, is_value

_BETWEEN = re.compile(rb"(?:[\s:,]++|^#[^\n]*+|//[^\n]*+)*+", re.MULTILINE)
_TOKEN = re.compile(rb'"([^"\n]*+)"|[{}\[\]]|(?:[^\s:,"{}\[\]/]|/(?!/))++|"')
_BRACKET = re.compile(rb"[{}\[\]]")
_NOTE = re.compile(rb"^# (title|domain|variables of|variable|constraint) ([^\n]*?)\r?$", re.MULTILINE)
_INSIDE = re.compile(rb"(?:^#[^\n]*+|//[^\n]*+|[^{}\[\]#/]++|[#/])*+", re.MULTILINE)
_COMMENT = re.compile(rb"^#[^\n]*|//[^\n]*", re.MULTILINE)
_TAKEN_APART = re.compile(r'[\s:,{}\[\]"]|//')

_NAME = rb'(?:"[^\s:,{}\[\]"/#]++"|[^\s:,{}\[\]"/#]++(?=[\s:,\]}]))'
_FUNCTION = re.compile(
    rb'[\s,]*+("[^\s:,{}\[\]"/#]++")[\s:]*+\{\s*+"scope"[\s:]*+\[((?:[\s,]*+' + _NAME + rb")*+)\s*+\][\s,]*+"
    rb'(?:"defaultcost"[\s:]*+([0-9]++)[\s,]*+)?+"costs"[\s:]*+(?:("[^\s:,{}\[\]"/#]++")\s*+\}|\[)'
)
_IN_SCOPE = re.compile(r'[^\s,"]++')

OPENING, CLOSING = "{[", "}]"


class BrokenError(Exception):
    """The text has not the form that it should have; what is to be told of it."""

    def __init__(self, code: str, start: int, end: int, message: str) -> None:
        super().__init__(message)
        self.code, self.start, self.end, self.message = code, start, end, message


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a brace or a bracket; byte offsets."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlainFunction:
    """The beginning of a function in the usual spelling, up to its table or to the end of one that shares a table."""

    name: str
    scope: list[str]
    default: Token | None
    shared: Token | None


class Tokens:
    """Goes through a text.

    Attributes:
        at: how far it is.
        notes: what the comments said since they were last taken: the first word, and the rest.
        has_notes: whether the text says that its comments are of F2CSP.
    """

    def __init__(self, source: Source) -> None:
        """Begin at the beginning."""
        self._data = source.data
        self.at = source.start
        self.has_notes = source.data.startswith((b"# F2CSP\n", b"# F2CSP\r\n"), self.at)
        self.notes: list[tuple[str, str]] = []
        if self._data.startswith(b"#", self.at):  # a comment, behind a byte-order mark too
            self.at = self._data.find(b"\n", self.at) % (len(self._data) + 1)

    def next(self) -> Token:
        """The next word.

        Raises:
            BrokenError: there is none.
        """
        token = self.peek()
        self.at = token.end
        return token

    def peek(self) -> Token:
        """The next word, which stays the next one."""
        between = _BETWEEN.match(self._data, self.at)
        start = between.end() if between else self.at
        if self.has_notes and self._data.find(b"#", self.at, start) >= 0:
            found = _NOTE.finditer(self._data, self.at, start)
            self.notes += [(m[1].decode(), m[2].decode()) for m in found]
        self.at = start
        match = _TOKEN.match(self._data, start)
        if match is None:
            end = len(self._data.rstrip())
            raise BrokenError("F507", end, end, "the text ends before the last bracket is closed")
        text = (match[0] if match[1] is None else match[1]).decode()
        if match[1] is not None and (not text or _TAKEN_APART.search(text)):
            message = f"toulbar2 takes {shown(match[0].decode())} apart: a name holds no blank and no bracket"
            raise BrokenError("F501", *match.span(), message)
        if match[0] == b'"':
            raise BrokenError("F501", *match.span(), "the quote is not closed on its line")
        return Token(text, *match.span())

    def is_at_end(self) -> bool:
        """Whether no word follows."""
        between = _BETWEEN.match(self._data, self.at)
        return between is not None and between.end() == len(self._data)

    def opening(self) -> Token:
        """The opening bracket that stands here.

        Raises:
            BrokenError: there is another word.
        """
        token = self.next()
        if token.text not in OPENING:
            raise BrokenError("F501", token.start, token.end, f"{shown(token.text)} stands where a bracket is due")
        return token

    def closing(self) -> Token:
        """The closing bracket that stands here.

        Raises:
            BrokenError: there is another word.
        """
        token = self.next()
        if token.text not in CLOSING:
            raise BrokenError(
                "F501", token.start, token.end, f"{shown(token.text)} stands where a closing bracket is due"
            )
        return token

    def tag(self, name: str) -> None:
        """Pass this word.

        Raises:
            BrokenError: there is another one.
        """
        token = self.next()
        if token.text != name:
            raise BrokenError("F501", token.start, token.end, f'{shown(token.text)} stands where "{name}" is due')

    def plain_function(self) -> PlainFunction | None:
        """Pass the beginning of a function at once, if it is in the usual spelling and no comment stands before it."""
        match = _FUNCTION.match(self._data, self.at)
        if match is None:
            return None
        self.at = match.end()
        default = None if match[3] is None else Token(match[3].decode(), *match.span(3))
        shared = None if match[4] is None else Token(match[4][1:-1].decode(), *match.span(4))
        return PlainFunction(match[1][1:-1].decode(), _IN_SCOPE.findall(match[2].decode()), default, shared)

    def block(self) -> bytes:
        """What stands here before the next bracket, which closes it; comments are blanks in it.

        Raises:
            BrokenError: it is an opening one, or there is none.
        """
        start = self.at
        inside = _INSIDE.match(self._data, start)
        end = inside.end() if inside else start
        if end == len(self._data):
            end = len(self._data.rstrip())
            raise BrokenError("F507", end, end, "the text ends inside a table")
        if self._data[end : end + 1].decode() in OPENING:
            raise BrokenError("F501", end, end + 1, "a bracket stands inside a table")
        self.at = end + 1
        text = self._data[start:end]
        if b"#" in text or b"//" in text:
            text = _COMMENT.sub(lambda m: b" " * len(m[0]), text)
        return text

    def skip(self, opening: int) -> None:
        """Go behind the bracket that closes the one at this place."""
        depth = 0
        for match in _BRACKET.finditer(self._data, opening):
            depth += 1 if match[0] in b"{[" else -1
            if depth == 0:
                self.at = match.end()
                return
        self.at = len(self._data)

    def take_notes(self) -> dict[str, str]:
        """The last note of each kind, which is forgotten then."""
        notes = dict(self.notes)
        self.notes = []
        return notes


def domain_notes(notes: list[tuple[str, str]]) -> dict[str, list[str]]:
    """The domains that comments name, with their words; none if there is anything wrong with them."""
    domains: dict[str, list[str]] = {}
    for kind, text in notes:
        if kind == "domain":
            name, _, words = text.partition(": ")
            values = words.split(" ")
            if not is_name(name) or name in domains or not all(map(is_value, values)) or len(set(values)) < len(values):
                return {}
            domains[name] = values
    return domains

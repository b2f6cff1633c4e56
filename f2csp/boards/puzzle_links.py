"""Links that hold a puzzle of f-puzzles, compressed by LZ-string: those of f-puzzles itself, and of SudokuPad.

A link is read as a text: nothing is loaded from the network.
"""

import re
from functools import lru_cache
from string import ascii_letters, digits
from urllib.parse import unquote

from f2csp.boards.json_puzzles import DOCUMENTS
from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import Codec, PuzzleBuilder
from f2csp.diagnostics import Collector, Source
from f2csp.puzzles.puzzle import Puzzle

_HELD = re.compile(r"(?:[?&]load=|[/=]fpuzzles)([^&#\s]+)")
_ALPHABET = ascii_letters[26:] + ascii_letters[:26] + digits + "+/"
_SIX_BITS = {sign: f"{value:06b}" for value, sign in enumerate(_ALPHABET)}
_SIX_BITS |= {"-": _SIX_BITS["/"], " ": _SIX_BITS["+"]}  # as addresses have them
_MAX_LINK = 1 << 20  # characters
_MAX_EXPANDED = 1 << 20  # characters, which are a board of 100x100 with much beside it
_SHORT, _LONG, _END = range(3)  # codes of no word: of a character of 8 bits, of one of 16, of the end


@lru_cache(maxsize=1)
def expanded(text: str) -> str:
    """The text that LZ-string has compressed; raises ValueError if this is none, or expands to too much."""
    if len(text) > _MAX_LINK or not _SIX_BITS.keys() >= {*text.rstrip("=$")}:
        raise ValueError("it is too long, or has a character that is none of Base64")
    bits, at = "".join([_SIX_BITS[sign] for sign in text.rstrip("=$")]), 0

    def take(n: int) -> int:
        nonlocal at
        at += n
        if at > len(bits):
            raise ValueError("it is cut off")
        return int(bits[at - n : at][::-1], 2)

    words, found, last, size = ["", "", ""], list[str](), "", 0  # no words for the three codes
    while (code := take(len(words).bit_length())) != _END:
        if code in (_SHORT, _LONG):
            words.append(chr(take(8 if code == _SHORT else 16)))
            code = len(words) - 1
        if code > len(words) - (not last):
            raise ValueError("it has a code without a word")
        if last:
            words.append(last + (words[code] if code < len(words) else last)[0])
        last = words[code]
        size += len(last)
        if size > _MAX_EXPANDED:
            raise ValueError(f"it expands to more than the limit of {_MAX_EXPANDED:,} characters")
        found.append(last)
    return "".join(found).encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _read(text: Text, builder: PuzzleBuilder) -> Puzzle:
    """Read a link in which f-puzzles or SudokuPad has put a puzzle.

        https://f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BmVNCImAOwQBcMqBfZYHv3lwC6yQv3GCRYwTL5SBC8UKFcgA=

    The puzzle can also be JSON that is not compressed; its faults have their places in the JSON.
    """
    held = _HELD.search(text.piece.text)
    if held is None:
        builder.stop("F615", text.piece.span, "expected a link that holds a puzzle, found one without it")
    document = unquote(held[1])
    if not document.startswith("{"):
        try:
            document = expanded(document)
        except ValueError as error:
            builder.stop("F615", text.piece.part(*held.span(1)).span, f"the link holds no puzzle: {error}")
    source = Source(text.source.name, document.encode())
    builder.collector, builder.hint = Collector(source), None  # from here on, of the JSON
    return DOCUMENTS.read(Text.whole(source), builder)


LINKS = Codec(_read, is_document=True, is_by_line=True)

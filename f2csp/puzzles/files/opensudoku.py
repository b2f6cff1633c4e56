"""Sudokus of the program OpenSudoku: XML with an element for each, which has 81 digits row by row, 0 for a blank.

    <?xml version="1.0" encoding="UTF-8"?>
    <opensudoku>
      <name>Two of our own</name>
      <game data="006000150890004000000000900300460000001003800540000003000250007100300060009600500" />
      <game data="300800000001700040000900057900100000600000003000045810000010000067000480050000600" />
    </opensudoku>

Other elements and attributes are passed over. The form in which a game is saved that has been begun, with notes, is not
read. A document type is refused: so there are no entities, and nothing is ever fetched. There is no specification.
"""

import re
from array import array
from collections.abc import Sequence
from xml.parsers import expat

from f2csp.diagnostics import Unsuitable
from f2csp.puzzles.files.characters import read_run, written_run
from f2csp.puzzles.files.formats import Likeness
from f2csp.puzzles.files.reading import Reading
from f2csp.puzzles.files.text import Parts, Text, Word, n_bytes
from f2csp.puzzles.files.writing import of_kind
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.sudoku import Sudoku

_ROOT, _GAME, _DATA = "opensudoku", "game", "data"
_SIZE = 9
_PIECE = 1 << 16
_DEEPEST = 100  # elements in each other, each of which takes memory
_XML = re.compile(rb"\s*+<[?!A-Za-z]")
_TAG = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*+>""")
_ATTRIBUTE = re.compile(rb"""\s([^\s=]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
_NOT_PLAIN = re.compile(r"\s+|&[^;\s]*;?")
_WITH_NOTES = "version:"
_HINT = "write 81 digits row by row, 0 for a blank"


def looks_like(text: Text) -> Likeness:
    """Whether it is XML, which no other puzzle is."""
    return Likeness.SOUND if _XML.match(text.head().data) else Likeness.NONE


def parts(text: Text) -> Sequence[Text]:
    """The tag of each game; all of the text if it has none or is malformed."""
    data = text.data
    try:
        starts = _Games(data).starts
    except _MalformedError:
        return [text]
    return Parts(text, (tag.span() for start in starts if (tag := _TAG.match(data, start)))) or [text]


def read(text: Text, reading: Reading) -> Puzzle | None:
    """Read the game of a tag; of all of the text, tell what is wrong with it."""
    if (text.start, text.end) == (text.source.start, len(text.source.data)) and not _has_game(text, reading):
        return None
    attributes = {found[1]: found.span(3 if found[2] is None else 2) for found in _ATTRIBUTE.finditer(text.data)}
    if _DATA.encode() not in attributes:
        reading.fault("F615", (text.start, text.end), f"the {_GAME} has no attribute {_DATA}", hint=_HINT)
        return None
    first, last = attributes[_DATA.encode()]
    cells = text.data[first:last].decode()
    start = text.start + first
    if cells.startswith(_WITH_NOTES):
        message = f"the game has been begun and is saved with notes, as '{cells[:10]}', which is not read"
        reading.fault("F615", (start, start + len(_WITH_NOTES)), message, hint=_HINT)
    elif odd := _NOT_PLAIN.search(cells):
        at = start + n_bytes(cells[: odd.start()])
        message = "a blank, a line end or a reference stands among the cells"
        reading.fault("F615", (at, at + n_bytes(odd[0])), message, hint=_HINT)
    else:
        return read_run(Word(cells, start, text.start + last), reading, _SIZE)
    return None


def write(puzzle: Puzzle) -> str:
    """A document with one game.

    Raises:
        Unsuitable: the board is not of 9x9 cells with boxes of 3x3.
    """
    sudoku = of_kind(puzzle, Sudoku)
    if (sudoku.box_rows, sudoku.box_columns) != (3, 3):
        box = f"{sudoku.box_rows}x{sudoku.box_columns}"
        raise Unsuitable(
            f"the format has boards of 9x9 with boxes of 3x3, and none of {sudoku.size} with boxes of {box}"
        )
    lines = (
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<{_ROOT}>",
        f"  <name>{sudoku.title}</name>",
        f'  <{_GAME} {_DATA}="{written_run(sudoku).replace(".", "0")}" />',
        f"</{_ROOT}>",
    )
    return "".join(f"{line}\n" for line in lines)


class _MalformedError(Exception):
    """XML that is not to be read further.

    Attributes:
        at: the offset in the text.
        message: what is wrong.
    """

    def __init__(self, at: int, message: str) -> None:
        super().__init__(message)
        self.at, self.message = at, message


class _Games:
    """Where the games of a document begin.

    Attributes:
        starts: the offsets of their tags.

    Raises:
        _MalformedError: the document is no XML, or more than a Sudoku needs.
    """

    def __init__(self, data: bytes) -> None:
        self.starts = array("q")
        self._data = data
        self._depth = 0
        self._parser = expat.ParserCreate("utf-8", None, None)  # no name is kept
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type
        try:
            self._parse()
        except expat.ExpatError as error:
            message = f"the XML is malformed: {expat.ErrorString(error.code)}"
            raise _MalformedError(max(self._parser.ErrorByteIndex, 0), message) from None

    def _parse(self) -> None:
        for start in range(0, len(self._data), _PIECE):
            piece = self._data[start : start + _PIECE]
            self._parser.Parse(piece, False)
            at = self._parser.CurrentByteIndex
            if start + len(piece) - at > _PIECE:  # expat would look at all of it again for each piece
                raise _MalformedError(at, f"a tag or a comment is longer than {_PIECE:,} bytes")
        self._parser.Parse(b"", True)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002 - expat's signature
        self._depth += 1
        at = self._parser.CurrentByteIndex
        if self._depth > _DEEPEST:
            raise _MalformedError(at, f"more than {_DEEPEST} elements are in each other")
        if name == _GAME:
            self.starts.append(at)

    def _end(self, name: str) -> None:  # noqa: ARG002 - expat's signature
        self._depth -= 1

    def _refuse_document_type(self, *parts: object) -> None:  # noqa: ARG002 - expat's signature
        start = self._data.rfind(b"<!DOCTYPE", 0, self._parser.CurrentByteIndex + 1)
        raise _MalformedError(start, "a document type is declared, and nothing may be declared here")


def _has_game(text: Text, reading: Reading) -> bool:
    """Whether the text is a document with a game in it."""
    try:
        games = _Games(text.data)
    except _MalformedError as fault:
        at = text.start + fault.at
        reading.fault("F615", (at, at), fault.message)
        return False
    if not games.starts:
        reading.fault("F615", (text.end, text.end), f"the document has no element {_GAME}")
    return bool(games.starts)

"""Open texts for tests, and the positions that a client would send."""

import os
import sys
from itertools import pairwise
from pathlib import Path

from lsprotocol import types as t

from f2csp.editor.document import Document

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
CORPUS = ROOT / "tests/corpus"
MAP = (SAMPLES / "map.csp").read_text(encoding="utf-8")
URI = "file:///folder/open.csp"


def opened(text: str, uri: str = URI, language: str = "f2csp", encoding: str = "utf-16") -> Document:
    return Document(uri, text, 1, language, encoding)


def at(document: Document, text: str, shift: int = 0, nth: int = 0) -> t.Position:
    """The position of the nth occurrence of a text."""
    offset = -1
    for _ in range(nth + 1):
        offset = document.data.index(text.encode(), offset + 1)
    return document.position(offset + shift)


def asked(make, document: Document, position: t.Position | None = None, **more):
    """The parameters of a request about a text, perhaps at a position."""
    place = {} if position is None else {"position": position}
    return make(text_document=t.TextDocumentIdentifier(document.uri), **place, **more)


def page_lines(language: str, nth: int = 0) -> str:
    """The nth lines in a language on the page about editors."""
    page = (ROOT / "docs/editors.md").read_text(encoding="utf-8")
    return page.split(f"```{language}\n")[nth + 1].partition("```")[0]


def program_in(folder: Path) -> dict[str, str]:
    """An environment in which the program is found, in a folder."""
    program = folder / "f2csp"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m f2csp "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


def units(text: str, encoding: str) -> int:
    """The length of a text in the units of an encoding."""
    return len(text.encode({"utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding))) // {
        "utf-8": 1, "utf-16": 2, "utf-32": 4
    }[encoding]  # fmt: skip


def client_position(text: str, offset: int, encoding: str) -> t.Position:
    """The position of an offset in characters, from its definition."""
    line_start = text.rfind("\n", 0, offset) + 1
    return t.Position(text.count("\n", 0, offset), units(text[line_start:offset], encoding))


def applied(text: str, edits: list[t.TextEdit], encoding: str = "utf-16") -> str:
    """The text after edits, which may not overlap."""
    document = opened(text, encoding=encoding)
    spans = sorted((document.offset(e.range.start), document.offset(e.range.end), e.new_text) for e in edits)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    data = text.encode()
    for start, end, new in reversed(spans):
        data = data[:start] + new.encode() + data[end:]
    return data.decode()

"""Open texts: places as the client counts them, and changes of any sort."""

import random

import pytest
from lsprotocol import types as t

from f2csp.editor.edits import formatting
from f2csp.editor.live_diagnostics import diagnostics_of
from f2csp.editor.navigation import document_symbols
from tests.editor.documents import CORPUS, MAP, asked, client_position, opened

TEXTS = [
    text
    for path in sorted(CORPUS.glob("*/**/*.csp"))
    if path.stat().st_size < 4_000
    for text in [path.read_bytes().decode("utf-8", "replace").replace("\r", "")]
]
PIECES = [
    "",
    "",
    "\n",
    " ",
    "1",
    "C1",
    ":",
    "(",
    "é",
    "𝄞",
    "Vars:\n",
    "Reject:\n1\n1 1\n",
    "Goal:\nSatisfy\n",
    "D1 ",
    "\n\n",
]
ENCODINGS = ["utf-8", "utf-16", "utf-32"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_place_of_a_text_is_counted_as_defined(encoding):
    text = "é𝄞 a\n\n𝄞\nlast"
    document = opened(text, encoding=encoding)
    for offset in range(len(text) + 1):
        position = client_position(text, offset, encoding)
        n_bytes = len(text[:offset].encode())
        assert document.offset(position) == n_bytes
        assert document.position(n_bytes) == position


def test_places_beyond_a_line_are_its_end():
    document = opened("ab\r\n𝄞\nlast")
    assert document.offset(t.Position(0, 99)) == 2
    assert document.offset(t.Position(1, 1)) == 4  # in the middle of a character
    assert document.offset(t.Position(1, 99)) == 8
    assert document.offset(t.Position(9, 0)) == len(document.data)
    assert document.offset(t.Position(2, 99)) == len(document.data)


def change(text: str, start: int, end: int, new: str, encoding: str) -> t.TextDocumentContentChangePartial:
    places = t.Range(client_position(text, start, encoding), client_position(text, end, encoding))
    return t.TextDocumentContentChangePartial(places, new)


def assert_as_fresh(document, text, encoding):
    fresh = opened(text, encoding=encoding)
    assert diagnostics_of(document, {}) == diagnostics_of(fresh, {})
    params = asked(t.DocumentSymbolParams, document)
    assert document_symbols(document, params) == document_symbols(fresh, params)
    options = t.FormattingOptions(4, insert_spaces=True)
    params = asked(t.DocumentFormattingParams, document, options=options)
    assert formatting(document, params) == formatting(fresh, params)


def fuzz(seed: int, n_edits: int) -> None:
    """Edit texts at random; what is found in each is what is found in a text that is opened."""
    rng = random.Random(seed)
    text, encoding = "", "utf-16"
    document = opened(text)
    for _ in range(n_edits):
        if len(text) > 8_000 or rng.random() < 0.1:
            text, encoding = rng.choice(TEXTS), rng.choice(ENCODINGS)
            document = opened(text, encoding=encoding)
        for _ in range(rng.choice([1, 1, 1, 2, 5])):  # changes before the next question
            start = rng.randrange(len(text) + 1)
            end = min(len(text), start + rng.choice([0, 0, 1, 1, 2, 5, 40]))
            at = rng.randrange(len(text) + 1)
            new = rng.choice([*PIECES, text[at : at + 30]])
            document.change(change(text, start, end, new, encoding))
            text = text[:start] + new + text[end:]
        assert document.data.decode() == text
        assert_as_fresh(document, text, encoding)


@pytest.mark.parametrize("seed", range(4))
def test_edits_leave_what_a_fresh_start_finds(seed):
    fuzz(seed, 60)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 108))
def test_thousands_of_edits_leave_what_a_fresh_start_finds(seed):
    fuzz(seed, 500)


def test_a_whole_text_can_replace_another():
    document = opened(MAP)
    assert document.examination.problem
    document.change(t.TextDocumentContentChangeWholeDocument("no problem\n"))
    assert document.data == b"no problem\n"
    assert document.examination.problem is None


def test_lone_surrogates_are_one_unit():
    document = opened("a\ud800b")
    assert document.data == b"a?b"

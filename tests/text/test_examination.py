"""Examinations: every span says what the text says, and an edit gives what a fresh reading gives."""

import random
from pathlib import Path

import pytest
from lark import Token

import f2csp
from f2csp.text import parts
from tests.fuzz.two_readers import assert_same_columns

CORPUS = Path(__file__).parents[1] / "corpus"
TEXTS = sorted(p for p in CORPUS.glob("*/**/*.csp") if p.stat().st_size < 20_000 and "F014" not in str(p))
PIECES = [
    "",
    "\n",
    " ",
    "1",
    "C1",
    "x",
    ":",
    "(",
    ")",
    "\n\n",
    "Vars:",
    "Reject: 1\n",
    "é",
    "𝄞",
    "Goal:\nSatisfy\n",
    "D",
]
SPLICE = "splice of another place"


def spans_of(examination):
    """Each span, with what must stand there, or None where this is not known."""
    text_of = examination.text_of
    for domain in examination.domains:
        yield domain.span, domain.name
        yield domain.declaration, None
        yield from ((span, None) for span in domain.values)
        yield from ((span, domain.name) for span in domain.uses)
    for variable in examination.variables:
        yield variable.span, variable.name
        if variable.domain:
            yield variable.domain, None
        yield from ((span, variable.name) for span in variable.uses)
    for constraint in examination.constraints:
        if text_of(constraint.span).lower() != "vars":
            yield constraint.span, None if examination.columns.labels is None else constraint.name
        yield from ((span, None) for span in constraint.scope)
        assert text_of(constraint.table).lower().rstrip(" \t:") in ("reject", "accept")
        for count in (constraint.arity, constraint.n_tuples):
            if count:
                assert text_of(count).isdigit()
        for row in constraint.tuples():
            yield row, None
            yield from ((span, None) for span in constraint.values(row))
        assert text_of(constraint.whole).startswith(text_of(constraint.span))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(CORPUS)))
def test_every_span_says_what_the_text_says(path):
    examination = f2csp.examine(path)
    lines = examination.text.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for span, expected in spans_of(examination):
        text = examination.text_of(span)
        assert text
        assert expected in (None, text)
        line = lines[span.line - 1].decode("utf-8", "replace")
        assert line[span.column - 1 :].startswith(text.split("\n", 1)[0].rstrip("\r"))
        if "\ufffd" not in line:
            assert examination.span(span.start, span.end) == span
            assert examination.offset(span.line, span.column) == span.start
            assert examination.offset(span.line, span.utf16_column, is_utf16=True) == span.start


@pytest.mark.parametrize("path", TEXTS[::5], ids=lambda path: str(path.relative_to(CORPUS)))
def test_diagnostics_have_the_bytes_of_their_places(path):
    examination = f2csp.examine(path)
    for diagnostic in examination.diagnostics:
        span = examination.span(diagnostic.start, diagnostic.end)
        assert (span.line, span.column) == (diagnostic.span.line, diagnostic.span.column)


def edits(rng, data):
    """A change of a few bytes of a text, now and then of many."""
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice([0, 0, 1, 1, 2, 5, 40, 400]))
    piece = rng.choice([*PIECES, SPLICE])
    if piece == SPLICE:
        at = rng.randrange(len(data) + 1)
        return start, end, data[at : at + rng.choice([5, 50, 500])]
    return start, end, piece.encode()


@pytest.mark.parametrize("block_size", [1, 300, 1 << 16])
@pytest.mark.parametrize("seed", range(6))
def test_an_edit_gives_what_a_fresh_reading_gives(seed: int, block_size: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(parts, "_BLOCK", block_size)
    monkeypatch.setattr(parts, "_SMALL", min(block_size, parts._SMALL))
    monkeypatch.setattr(parts, "_TAIL", min(block_size, parts._TAIL) + 20)
    rng = random.Random(seed)
    data = rng.choice(TEXTS).read_bytes()
    examination = f2csp.examine(data)
    for _ in range(60):
        if len(data) > 20_000 or rng.random() < 0.1:
            data = rng.choice(TEXTS).read_bytes()
            examination = f2csp.examine(data)
        start, end, piece = edits(rng, data)
        data = data[:start] + piece + data[end:]
        examination, fresh = examination.edited(start, end, piece), f2csp.examine(data)
        assert examination.text == data
        assert_same_columns(examination.columns, fresh.columns)
        assert examination.diagnostics == fresh.diagnostics
        assert examination.problem == fresh.problem


def test_many_edits_leave_few_old_tables_behind():
    examination = f2csp.examine(CORPUS.parents[1] / "samples" / "map.csp")
    at = examination.text.index(b"red red")
    sizes = set()
    for i in range(3000):
        examination = examination.edited(at, at + 3, "red" if i % 2 else "tea")
        sizes.add(len(examination.columns.tables))
    assert max(sizes) < 1100
    assert not [d for d in examination.diagnostics if d.severity == "error"]


def test_a_text_or_a_file_is_examined(tmp_path: Path):
    path = tmp_path / "map.csp"
    path.write_text("T\nDomains: 1\nD: 1 2\nVariables: 1\nx: D\nConstraints: 0\nGoal: Satisfy\n")
    assert [f2csp.examine(source).diagnostics for source in (path.read_text(), path.read_bytes())] == [(), ()]
    with path.open("rb") as file:
        assert f2csp.examine(file).problem == f2csp.examine(path).problem == f2csp.examine(str(path)).problem
    with pytest.raises(ValueError, match="found 3 and 2"):
        f2csp.examine(path).edited(3, 2, "")


def test_a_text_is_parsed_with_places():
    text = "\ufeffTitel mit ü\nDomains: 1\nD: ä b\nVariables: 1\nx: D\nConstraints: 1\nC1\nVars: 1\nx\nAccept: 1\nä\n"
    tree = f2csp.parse(text)
    tokens = list(tree.scan_values(lambda value: isinstance(value, Token)))
    assert all(text[token.start_pos : token.end_pos] == token for token in tokens)
    assert [(token.type, token.line, token.column) for token in tokens if token.type == "TUPLES"] == [("TUPLES", 11, 1)]
    assert f2csp.parse(text.encode()) == tree
    with pytest.raises(f2csp.InvalidInput, match="F007"):
        f2csp.parse("Domains: 1\n")
    with pytest.raises(f2csp.InvalidInput, match="F001"):
        f2csp.parse(b"T\xff\nDomains: 0\n")

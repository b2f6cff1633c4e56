"""The lexer for Pygments agrees with the tree of every valid text, and is silent on no other."""

from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Error, Generic, Keyword, Name, Number, Punctuation, Whitespace

import f2csp
from f2csp.rendering.pygments_lexer import F2cspLexer
from f2csp.text.terminals import terminal

CORPUS = Path(__file__).parents[1] / "corpus"
TEXTS = [p for p in sorted(CORPUS.glob("*/**/*.csp")) if p.stat().st_size < 50_000 and p.parent.name != "compressed"]
VALID = [path for path in TEXTS if "valid" in path.parts]
KINDS = {  # of the words of a terminal, the last for all further ones
    "TITLE": [Generic.Heading],
    "DOMAIN_LINE": [Name.Class, Name.Constant],
    "VARIABLE_LINE": [Name.Variable, Name.Class],
    "LABEL": [Name.Function],
    "SCOPE": [Name.Variable],
    "TUPLES": [Name.Constant],
    "GOAL": [Keyword],
    **{word: [Keyword, Number] for word in ("DOMAINS", "VARIABLES", "CONSTRAINTS", "VARS", "REJECT", "ACCEPT")},
}


def words_of_tree(text: str):
    """Each word of a text, with its kind by the token of the grammar that it is in."""
    for token in f2csp.parse(text).scan_values(lambda token: token.type in KINDS):
        kinds = KINDS[token.type]
        for i, word in enumerate(terminal("_WORD").finditer(token.encode())):
            yield word[0].decode(), kinds[min(i, len(kinds) - 1)]


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_words_have_the_kinds_of_their_tokens(path: Path) -> None:
    text = path.read_bytes().decode()
    tokens = list(F2cspLexer(ensurenl=False, stripnl=False).get_tokens(text))
    found = [(word, kind) for kind, word in tokens if kind not in (Whitespace, Punctuation)]
    assert found == [(word, kind) for word, kind in words_of_tree(text.removeprefix("\ufeff").replace("\r", ""))]


@pytest.mark.parametrize("path", TEXTS[::5], ids=lambda path: path.stem)
def test_no_text_has_an_error_or_loses_a_character(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace").replace("\r", "")
    tokens = list(F2cspLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert "".join(word for _, word in tokens) == text.removeprefix("\ufeff")
    assert all(kind is not Error for kind, _ in tokens)


def test_pygments_finds_the_lexer() -> None:
    pytest.importorskip("importlib.metadata").entry_points(group="pygments.lexers", name="f2csp") or pytest.skip(
        "f2csp is not installed"
    )
    assert isinstance(get_lexer_by_name("f2csp"), F2cspLexer)
    assert isinstance(get_lexer_for_filename("puzzle.csp"), F2cspLexer)

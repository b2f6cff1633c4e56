"""The role of each word is that of the token which the grammar finds there, from wherever reading starts."""

from pathlib import Path

import pytest

import f2csp
from f2csp.diagnostics import BOM
from f2csp.text.terminals import terminal
from f2csp.text.word_roles import Role

CORPUS = Path(__file__).parents[1] / "corpus"
VALID = [
    p for p in sorted(CORPUS.glob("valid/**/*.csp")) if p.stat().st_size < 50_000 and p.parent.name != "compressed"
]
ROLES = {  # of the words of a token, the last for all further ones
    "TITLE": [Role.TITLE],
    "DOMAIN_LINE": [Role.DOMAIN, Role.VALUE],
    "VARIABLE_LINE": [Role.VARIABLE, Role.DOMAIN],
    "LABEL": [Role.CONSTRAINT],
    "SCOPE": [Role.VARIABLE],
    "TUPLES": [Role.VALUE],
    "GOAL": [Role.SECTION, Role.GOAL],
    **{
        word: [Role.SECTION, Role.COUNT] for word in ("DOMAINS", "VARIABLES", "CONSTRAINTS", "VARS", "REJECT", "ACCEPT")
    },
}
HEAD = "T\nDomains: 1\nd: a b c"
SCOPE = f"{HEAD}\nVariables: 1\nx: d\nConstraints: 1\nC1\nVars: 1\nx\n"


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_words_have_the_roles_of_their_tokens(path: Path) -> None:
    data = path.read_bytes()
    examination = f2csp.examine(data)
    expected = []
    text = data.removeprefix(BOM).decode()
    for token in f2csp.parse(text).scan_values(lambda token: token.type in ROLES):
        roles = ROLES[token.type]
        start = (3 if data.startswith(BOM) else 0) + len(text[: token.start_pos].encode())
        for i, word in enumerate(terminal("_WORD").finditer(token.encode())):
            expected.append((start + word.start(), start + word.end(), roles[min(i, len(roles) - 1)]))
    found = [(word.start, word.end, word.role) for word in examination.words(0, len(data))]
    assert found == expected


@pytest.mark.parametrize("path", VALID[::3], ids=lambda path: path.stem)
def test_a_word_is_the_same_from_wherever_reading_starts(path: Path) -> None:
    examination = f2csp.examine(path)
    words = list(examination.words(0, len(examination.text)))
    for word in words:
        assert word in set(examination.words(word.start, word.start))
        for offset in (word.start, word.end):
            assert examination.word_at(offset) == word
    lines = examination.text.count(b"\n")
    assert len(words) >= lines // 10


@pytest.mark.parametrize("path", VALID[::3], ids=lambda path: path.stem)
def test_words_name_what_has_their_places(path: Path) -> None:
    examination = f2csp.examine(path)
    for word in examination.words(0, len(examination.text)):
        named = examination.named(word)
        if word.role in (Role.DOMAIN, Role.VARIABLE):
            assert named is not None
            places = [(place.start, place.end) for place in (named.span, *named.uses)]
            assert (word.start, word.end) in places
        elif word.role is Role.VALUE:
            assert examination.text_of(word) in named.words or ".." in examination.text_of(word)
        elif word.role is Role.CONSTRAINT:
            assert (named.span.start, named.span.end) == (word.start, word.end)


@pytest.mark.parametrize(
    ("text", "role", "position"),
    [
        (f"{HEAD}|", Role.VALUE, 3),
        (f"{HEAD[:-3]}|", Role.VALUE, 2),
        (f"{HEAD}\nVariables: 1\nx: |", Role.DOMAIN, 1),
        (f"{SCOPE}|", Role.VARIABLE, 1),
        (f"{SCOPE}Reject: 2\n(a) (|", Role.VALUE, 0),
        (f"{SCOPE}Reject: 2\na\n\n|\nGoal: ", Role.VALUE, 0),
        ("T\nDomains: 0\nVariables: 0\nConstraints: 0\nGoal: |", Role.GOAL, 0),
        ("|", Role.TITLE, 0),
    ],
)
def test_the_role_of_what_is_not_yet_written(text: str, role: Role, position: int) -> None:
    before, after = text.split("|")
    word = f2csp.examine(before.encode() + after.encode()).word_at(len(before))
    assert (word.role, word.position) == (role, position)

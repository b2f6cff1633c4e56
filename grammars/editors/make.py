"""Makes ``f2csp.tmLanguage.json``, the colours of F2CSP in editors that read TextMate grammars, from ``f2csp.lark``.

    python grammars/editors/make.py

Such a grammar sees one line at a time. So a label that is not C1, C2, ... and has no colon looks like a tuple, until
the language server colours it.
"""

import json
import re
from pathlib import Path

from f2csp.text.terminals import FOLLOWERS, pattern

TARGET = Path(__file__).parents[1] / "f2csp.tmLanguage.json"


def oniguruma(terminal: str) -> str:
    """A terminal in the dialect of TextMate grammars."""
    text = pattern(terminal).decode().replace("(?ai:", "(?i:")
    return re.sub(r"(\{\d+,\d+\})\+", r"\1", text)  # no possessive counts there


WORD, NAME, COUNT = map(oniguruma, ("_WORD", "NAME", "COUNT"))
LINE_END = "[ \\t]*\\r?$"


def colours(*scopes: str) -> dict[str, dict[str, str]]:
    """The scopes of the groups of a pattern."""
    return {str(i): {"name": f"{scope}.f2csp"} for i, scope in enumerate(scopes, 1)}


def match(regex: str, *scopes: str) -> dict[str, object]:
    """A rule for a part of a line."""
    return {"match": regex, "captures": colours(*scopes)}


PUNCTUATION = "punctuation.separator"
LABELS = [
    match(rf"^[ \t]*({NAME})[ \t]*(:){LINE_END}", "entity.name.function", PUNCTUATION),
    match(rf"^[ \t]*(C[0-9]+){LINE_END}", "entity.name.function"),
]
VALUES = [match(f"({WORD})", "constant.other"), match("([,(){}])", PUNCTUATION)]
NAMES = [match(f"({WORD})", "variable.other"), match("(,)", PUNCTUATION)]
DOMAINS = match(rf"^[ \t]*({NAME})[ \t]*([:=])", "entity.name.type", PUNCTUATION)
VARIABLES = match(rf"^[ \t]*({NAME})[ \t]*(:)[ \t]*({WORD})", "variable.other", PUNCTUATION, "entity.name.type")
LABEL = match(rf"^[ \t]*({NAME}){LINE_END}", "entity.name.function")
CONTENTS: dict[str, list[dict[str, object]]] = {
    "domains": [DOMAINS, *VALUES],
    "variables": [VARIABLES],
    "constraints": [*LABELS, LABEL],
    "vars": NAMES,
    "reject": [*LABELS, *VALUES],
    "accept": [*LABELS, *VALUES],
    "goal": [match(f"({WORD})", "keyword.other")],
}
# The count on the line below its section word.
COUNT_BELOW = {
    "begin": rf"(?<=:)\G{LINE_END}",
    "end": rf"^[ \t]*({COUNT}){LINE_END}|(?=\S)",
    "endCaptures": colours("constant.numeric"),
}


def section(word: str) -> dict[str, object]:
    """A section, from its word up to the next one."""
    count = f"(?:[ \\t]*({COUNT}))?" if word != "goal" else ""
    return {
        "begin": rf"^[ \t]*((?i:{word}))[ \t]*(:){count}",
        "beginCaptures": colours("keyword.control", PUNCTUATION, "constant.numeric"),
        "end": rf"(?=^[ \t]*(?i:{'|'.join(CONTENTS)})[ \t]*:)",
        "patterns": [*([COUNT_BELOW] if word != "goal" else []), *CONTENTS[word]],
    }


def grammar() -> str:
    """The text of the grammar."""
    assert set(FOLLOWERS) == {"title", *CONTENTS}  # noqa: S101 - the sections of the language
    title = {"match": "^.+$", "name": "markup.heading.f2csp"}
    parts = {
        "name": "F2CSP",
        "scopeName": "source.f2csp",
        "fileTypes": ["csp"],
        "patterns": [*({"include": f"#{word}"} for word in CONTENTS), title],
        "repository": {word: section(word) for word in CONTENTS},
    }
    return json.dumps(parts, indent=2) + "\n"


if __name__ == "__main__":
    TARGET.write_text(grammar(), encoding="utf-8")

"""Texts that are known not to be puzzle files of this program: those of other programs, and other puzzles."""

import re
from pathlib import Path

from f2csp.boards.pieces import Text
from f2csp.boards.puzzle_builder import unclear
from f2csp.diagnostics import InvalidInput
from f2csp.file_formats import paragraphs

_TEXTS = {
    title: re.compile("|".join(map(str.strip, patterns)).encode(), re.MULTILINE)
    for title, *patterns in paragraphs(Path(__file__).with_suffix(".txt"))
}
_VARIANT = re.compile(rb"(?<![a-z])(?:%b)(?![a-z])" % _TEXTS.pop("rules").pattern, re.IGNORECASE)


def refuse_other_text(text: Text) -> None:
    """Raise InvalidInput for a text of another program, or another puzzle, by its name."""
    head = text.data[: 1 << 12]
    for title, pattern in _TEXTS.items():
        if pattern.search(head):
            message = f"the file is {title}, which is not read"
            raise InvalidInput(unclear("F614", text, message, "f2csp formats lists the formats that are read"))


def variant_of(text: Text) -> str:
    """The rule that a file names and a plain board of a kind would lack; empty if there is none."""
    match = _VARIANT.search(text.first_bytes().data)
    return match[0].decode() if match else ""


def refuse_variant(text: Text, name: str) -> None:
    """Raise InvalidInput for a file that names rules which a plain board of a kind would lack."""
    if variant := variant_of(text):
        message = f"expected a {name}, found the variant {variant!r}"
        hint = "a board without its rules would be another puzzle; f2csp formats lists the puzzles and their formats"
        raise InvalidInput(unclear("F613", text, message, hint))

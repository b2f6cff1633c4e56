"""The lines of a puzzle file as fields with their places, handed on by lark one line at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from f2csp.puzzles.files.text import number

if TYPE_CHECKING:
    from lark import Token, Transformer

_SHOWN = 30  # characters of the text that a message repeats at most


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a line: a word, or all that comes after the words that a line may have.

    Attributes:
        text: the field, each byte as the character of Latin-1.
        start: the byte offset of its place.
        number: its number, ``HUGE`` if that is too large, or None if it is no number.
    """

    text: str
    start: int
    number: int | None

    @property
    def end(self) -> int:
        """The byte offset after its last character."""
        return self.start + len(self.text)


def lines_to(take: Callable[[list[Field]], None]) -> "Transformer[Token, None]":
    """Hands on each ``line`` of a grammar as soon as lark has read it, so that no tree is kept."""
    from lark import Transformer  # here, so that a file of another format is recognised without it

    class Lines(Transformer["Token", None]):
        def line(self, tokens: list["Token"]) -> None:
            """Called by lark for each line that is not blank."""
            take([_field(token) for token in tokens])

    return Lines()


def _field(token: "Token") -> Field:
    text = token.rstrip(" \t")
    assert token.start_pos is not None  # noqa: S101 - for the type checker
    return Field(text, token.start_pos, number(text))


def shown(fields: Sequence[Field]) -> str:
    """The text of fields as messages show it."""
    text = " ".join(field.text[: 4 * _SHOWN].encode("latin-1").decode("utf-8", "replace") for field in fields)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def digits(field: Field) -> str:
    """The number of a field as messages show it."""
    text = field.text.lstrip("0") or "0"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} digits)"

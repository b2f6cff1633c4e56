"""Diagnostics as values."""

from dataclasses import dataclass
from typing import Literal

from f2csp.diagnostics.catalogue import CATALOGUE

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Span:
    """A range of text; lines and columns count from 1, columns count code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A place in a text with its line.

    Attributes:
        span: the place.
        text: the part of the span's first line that is shown.
        offset: the number of characters of the line before ``text``.
        label: the text beside the mark; may be empty.
    """

    span: Span
    text: str
    offset: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault or warning.

    Attributes:
        code: a code of the catalogue, such as ``F304``.
        message: one sentence that names the thing and both quantities.
        file: the name of the text as the user gave it.
        excerpt: the exact place.
        related: further places that explain the first.
        notes: further facts.
        hint: the cure, where there is one worth giving.
    """

    code: str
    message: str
    file: str
    excerpt: Excerpt
    related: tuple[Excerpt, ...] = ()
    notes: tuple[str, ...] = ()
    hint: str | None = None

    @property
    def name(self) -> str:
        """The name of the code, which states the fault."""
        return CATALOGUE[self.code].name

    @property
    def severity(self) -> Severity:
        """``error`` or ``warning``."""
        return CATALOGUE[self.code].severity

    @property
    def span(self) -> Span:
        """The exact place."""
        return self.excerpt.span

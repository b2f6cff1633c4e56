"""Diagnostics as values, and the errors that the package raises on purpose; any other exception is a defect."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from f2csp.diagnostics.catalogue import CATALOGUE, Severity


class Span(NamedTuple):
    """A range of text; lines and columns count from 1, columns count code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Excerpt(NamedTuple):
    """A place in a text with its line."""

    span: Span
    text: str  # the part of the span's first line that is shown
    offset: int = 0  # the number of characters of the line before it
    label: str = ""  # the text beside the mark


class Fix(NamedTuple):
    """A replacement that is sure to cure a fault."""

    span: Span
    text: str
    start: int  # byte offsets of the span in the text, expanded
    end: int


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
        fix: the cure as a replacement, where it is certain.
    """

    code: str
    message: str
    file: str
    excerpt: Excerpt
    related: tuple[Excerpt, ...] = ()
    notes: tuple[str, ...] = ()
    hint: str | None = None
    fix: Fix | None = None

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

    def __str__(self) -> str:
        from f2csp.diagnostics.render import full

        return full(self).rstrip("\n")


class F2cspError(Exception):
    """The base of every error that the package raises on purpose."""


class InvalidInput(F2cspError, ValueError):
    """A text has faults.

    Attributes:
        diagnostics: the faults and warnings in the order of the text.
        n_hidden: the number of findings that are not listed.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic], n_hidden: int = 0) -> None:
        self.diagnostics = tuple(diagnostics)
        self.n_hidden = n_hidden
        super().__init__(self.diagnostics, n_hidden)  # the arguments, so that it can be pickled

    def __str__(self) -> str:
        errors = [d for d in self.diagnostics if d.severity == "error"]
        first = errors[0]
        more = len(errors) - 1 + self.n_hidden
        text = f"{first.file}:{first.span.line}:{first.span.column}: {first.code} {first.message}"
        return f"{text} (and {more} more)" if more else text


class Unsuitable(F2cspError):
    """A valid input that is not of the kind asked for, or that a format cannot express."""


class ProblemError(F2cspError, ValueError):
    """A problem that the format cannot express, or an assignment that does not fit a problem."""


class MissingExtra(F2cspError):
    """An optional package is not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(purpose, extra)  # the arguments, so that it can be pickled

    def __str__(self) -> str:
        purpose, extra = self.args
        return f"{purpose} needs an optional package; install it with: pip install 'f2csp[{extra}]'"

"""Diagnostics as values, the words and hints of their messages, and the errors that the package raises on purpose.

Any other exception is a defect.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple

from f2csp.diagnostics.catalogue import CATALOGUE, Severity

_NO_MEMORY = re.compile(
    "failed to map segment|[Cc]annot allocate memory|can't start new thread|Resource temporarily unavailable"
)
_MAX_WORD_LENGTH = 40
_MAX_COMPARED_WORDS = 20_000  # comparing 10^5 takes a second


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
    start: int = 0  # byte offsets of the span in the text, expanded
    end: int = 0


class Fix(NamedTuple):
    """A replacement that cures a fault."""

    span: Span
    text: str
    start: int  # byte offsets of the span in the text, expanded
    end: int
    is_safe: bool = True  # nothing else can have been meant
    further: tuple[tuple[int, int, str], ...] = ()  # the cures of what has the same fault: start, end, text

    @property
    def title(self) -> str:
        """What the fix does, in a few words."""
        text = brief(" ".join(self.text.split()))
        return f"{'insert' if self.start == self.end else 'write'} {text}" if text else "remove it"


@dataclass(frozen=True, slots=True, repr=False)
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
        fix: the cure as a replacement, where there is one.
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

    @property
    def start(self) -> int:
        """The byte offset at which the place begins in the text, expanded."""
        return self.excerpt.start

    @property
    def end(self) -> int:
        """The byte offset at which the place ends."""
        return self.excerpt.end

    def __str__(self) -> str:
        from f2csp.diagnostics.render import full

        return full(self).rstrip("\n")

    def __repr__(self) -> str:
        return f"<{self.code} {self.file}:{self.span.line}:{self.span.column}: {self.message}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


class F2cspError(Exception):
    """The base of every error that the package raises on purpose."""

    exit_code = 2  # of a command that it ends


class InvalidInput(F2cspError, ValueError):
    """A text has faults.

    Attributes:
        diagnostics: the faults and warnings in the order of the text.
        n_hidden: the number of findings that are not listed.
    """

    exit_code = 1

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

    exit_code = 1


class Inexpressible(Unsuitable):
    """A puzzle that a format cannot express."""

    exit_code = 2


class ProblemError(F2cspError, ValueError):
    """A problem that the format cannot express, or an assignment that does not fit a problem."""

    def __init__(self, message: str = "", at: object = None) -> None:
        super().__init__(message)
        self.at = at  # of a puzzle: the cell or the line of the board that is wrong, if it is one


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory was short, also for a library that is loaded, or a thread that is started."""
    return isinstance(error, MemoryError) or _NO_MEMORY.search(str(error)) is not None


class MissingExtra(F2cspError):
    """An optional package is not installed."""

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(purpose, extra)  # the arguments, so that it can be pickled

    def __str__(self) -> str:
        purpose, extra = self.args
        return f"{purpose} needs an optional package; install it with: pip install 'f2csp[{extra}]'"


def optional_package(name: str, purpose: str, extra: str) -> Any:
    """Import an optional package, or a module of one; raises MissingExtra if it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise MissingExtra(purpose, extra) from None


def brief(word: str) -> str:
    """A word for a message: cut if it is long, and without lone surrogates."""
    text = word if len(word) <= _MAX_WORD_LENGTH else f"{word[:_MAX_WORD_LENGTH]}..."
    return text.encode("utf-8", "replace").decode()


def listed_spelling(option: str) -> str:
    """The spelling of an option in lists and help, for either of two."""
    return "colours" if option == "colors" else option


def listed(words: Iterable[str], most: int, separator: str = " ") -> str:
    """The first words, and three dots if there are more."""
    first = list(islice(words, most + 1))
    return separator.join(first[:most]) + (" ..." if len(first) > most else "")


def counted(n: int, noun: str) -> str:
    """A number and what it counts, in the singular for 1."""
    return f"{n:,} {noun}{'s'[: n != 1]}"


def near_word_hint(word: str, known: Collection[str]) -> str | None:
    """A question with the nearest known word, if one is near; numbers have none."""
    from difflib import get_close_matches

    if len(word) > _MAX_WORD_LENGTH or len(known) > _MAX_COMPARED_WORDS or word.lstrip("-").isdigit():
        return None
    near = [other for other in known if other.casefold() == word.casefold()]
    near = near or get_close_matches(word, known, n=1, cutoff=0.7)
    near = near or [other for other in known if len(other) > 2 and _is_one_edit(word, other)]
    return f"did you mean {near[0]}?" if near else None


def n_shared(one: str, other: str) -> int:
    """The length of the beginning that two texts share."""
    differing = (i for i, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return next(differing, min(len(one), len(other)))


def _is_one_edit(word: str, other: str) -> bool:
    """Whether two words differ in one letter, which may be missing, or in two that are transposed."""
    at = n_shared(word, other)
    here, there = word[at:], other[at:]
    if here[:2] == there[1::-1] and here[2:] == there[2:]:
        return True
    edited = (here[1:], there[1:]), (here[1:], there), (here, there[1:])
    return any(left == right for left, right in edited) and not f"{here[:1]}{there[:1]}".isdigit()


def certain_spelling(word: str, known: Collection[str]) -> str | None:
    """The only known word that differs from a word just in letter case, leading zeros, quotes or brackets."""
    plain = word.strip("[];'\"") or word
    number = plain.lstrip("+").lstrip("0") or "0"
    near = {plain, number}.intersection(known) or {other for other in known if other.casefold() == plain.casefold()}
    return near.pop() if len(near) == 1 and len(word) <= _MAX_WORD_LENGTH else None


def spelling_hint(word: str, known: Collection[str]) -> str | None:
    """The known integer that a value differs from only in its sign, leading zeros or a decimal point."""
    number = re.sub(r"^(-?)\+?0*(?=[0-9])|\.0*$", r"\1", word.replace("\N{MINUS SIGN}", "-"))
    return f"write {number}: values are compared as words" if word != number and number in known else None

"""Faults and warnings as values: codes, places, renderers, and the errors that carry them."""

from f2csp.diagnostics.catalogue import CATALOGUE, Entry, Severity
from f2csp.diagnostics.collector import DEFAULT_LIMIT, Collector, Edit, Fault, Mark
from f2csp.diagnostics.diagnostic import (
    Diagnostic,
    Excerpt,
    F2cspError,
    Fix,
    InvalidInput,
    MissingExtra,
    ProblemError,
    Span,
    Unsuitable,
)
from f2csp.diagnostics.hints import certain_spelling, listed, near_word_hint, shown, spelling_hint
from f2csp.diagnostics.source import BOM, Source

__all__ = ["BOM", "CATALOGUE", "DEFAULT_LIMIT", "Collector", "Diagnostic", "Edit", "Entry", "Excerpt", "F2cspError"]
__all__ += [
    "Fault",
    "Fix",
    "InvalidInput",
    "Mark",
    "MissingExtra",
    "ProblemError",
    "Severity",
    "Source",
    "Span",
    "Unsuitable",
]
__all__ += ["certain_spelling", "listed", "near_word_hint", "shown", "spelling_hint"]

"""Faults and warnings as values: codes, places, renderers, and the errors that carry them."""

from f2csp.diagnostics.catalogue import CATALOGUE, Entry, Severity
from f2csp.diagnostics.collector import BOM, DEFAULT_LIMIT, Collector, Edit, Fault, Mark, Source
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
    brief,
    certain_spelling,
    listed,
    listed_spelling,
    near_word_hint,
    spelling_hint,
)

__all__ = ["BOM", "CATALOGUE", "DEFAULT_LIMIT", "Collector", "Diagnostic", "Edit", "Entry", "Excerpt", "F2cspError"]
__all__ += ["Fault", "Fix", "InvalidInput", "Mark", "MissingExtra", "ProblemError", "Severity", "Source", "Span"]
__all__ += ["Unsuitable", "brief", "certain_spelling", "listed", "listed_spelling", "near_word_hint", "spelling_hint"]

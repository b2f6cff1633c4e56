"""Faults and warnings as values: codes, places, renderers, and the errors that carry them."""

from f2csp.diagnostics.catalogue import CATALOGUE, SITE, CatalogueEntry, Severity, page_of
from f2csp.diagnostics.collector import BOM, DEFAULT_LIMIT, ByteSpan, Collector, Edit, Fault, Mark, Source
from f2csp.diagnostics.diagnostic import (
    Diagnostic,
    Excerpt,
    F2cspError,
    Fix,
    Inexpressible,
    InvalidInput,
    MissingExtra,
    ProblemError,
    Span,
    Unsuitable,
    brief,
    certain_spelling,
    counted,
    is_out_of_memory,
    listed,
    listed_spelling,
    near_word_hint,
    optional_package,
    spelling_hint,
)

__all__ = ["BOM", "CATALOGUE", "DEFAULT_LIMIT", "SITE", "ByteSpan", "CatalogueEntry", "Collector", "Diagnostic", "Edit"]
__all__ += ["Excerpt", "F2cspError", "Fault", "Fix", "InvalidInput", "Mark", "MissingExtra", "ProblemError"]
__all__ += ["Inexpressible", "Severity", "Source", "Span", "Unsuitable", "brief", "certain_spelling", "spelling_hint"]
__all__ += ["counted", "is_out_of_memory", "listed", "listed_spelling", "near_word_hint", "optional_package", "page_of"]

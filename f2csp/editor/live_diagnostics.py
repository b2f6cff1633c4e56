"""Faults and warnings as the editor shows them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types as t

from f2csp.diagnostics import CATALOGUE, Diagnostic, page_of
from f2csp.editor.document import Document
from f2csp.settings import codes_in, is_excluded

_UNNECESSARY = ("F403", "F404", "F406", "F407")  # what can be left out without a change of the solutions
_SEVERITIES = {"error": t.DiagnosticSeverity.Error, "warning": t.DiagnosticSeverity.Warning}


def diagnostics_of(document: Document, settings: Mapping[str, Any]) -> list[t.Diagnostic]:
    """The diagnostics of a text that the table ``tool.f2csp`` of pyproject.toml wants."""
    if is_excluded(Path(document.path), settings.get("exclude", ())):
        return []
    select, ignore = (codes_in(settings.get(key, ())) for key in ("select", "ignore"))
    found = [d for d in document.reading[1] if d.code.startswith(select or ("",)) and not d.code.startswith(ignore)]
    most = settings.get("max-errors", 0) or len(found)
    is_strict = settings.get("warnings-as-errors", False)
    return [lsp_diagnostic(document, diagnostic, is_strict=is_strict) for diagnostic in found[:most]]


def lsp_diagnostic(document: Document, diagnostic: Diagnostic, *, is_strict: bool = False) -> t.Diagnostic:
    """A diagnostic in the terms of the protocol."""
    texts = [diagnostic.message, diagnostic.excerpt.label, *diagnostic.notes]
    hint = [f"hint: {diagnostic.hint}"] if diagnostic.hint else []
    places = [(document.location(place.start, place.end), place.label) for place in diagnostic.related]
    related = [t.DiagnosticRelatedInformation(location, label or "see this") for location, label in places]
    return t.Diagnostic(
        document.range(diagnostic.start, diagnostic.end),
        "\n".join([text for text in texts if text] + hint),
        severity=_SEVERITIES["error" if is_strict else diagnostic.severity],
        code=diagnostic.code,
        code_description=t.CodeDescription(page_of(diagnostic.code)),
        source="f2csp",
        tags=[t.DiagnosticTag.Unnecessary] if diagnostic.code in _UNNECESSARY else None,
        related_information=related or None,
    )


def explanation(code: str) -> str:
    """A code of the catalogue, explained in Markdown."""
    entry = CATALOGUE[code]
    head = f"**[{code} {entry.name}]({page_of(code)})**: {entry.meaning}"
    return f"{head}\n\nExample: {entry.example}\n\nCure: {entry.cure}"

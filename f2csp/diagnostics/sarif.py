"""Diagnostics as SARIF 2.1.0, the static analysis results interchange format: one document for all files of a run.

    {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "f2csp", "rules": [...]}}, "results": [...]}]}

Specification: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from f2csp.diagnostics.catalogue import CATALOGUE
from f2csp.diagnostics.diagnostic import Diagnostic, Excerpt, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

Level = Literal["error", "note"]

_RULE_INDEX = {code: i for i, code in enumerate(CATALOGUE)}


class SarifLog:
    """Collects what is found in one run of a program."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._results: list[dict[str, Any]] = []
        self._notifications: list[dict[str, Any]] = []

    def add(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add the diagnostics of a file."""
        self._results += map(_result, diagnostics)

    def notify(self, level: Level, message: str) -> None:
        """Add what is to be said of the run itself, such as a file that cannot be read."""
        self._notifications.append({"level": level, "message": {"text": _clean(message)}})

    def text(self) -> str:
        """The document, which ends with a newline."""
        driver = {"name": "f2csp", "version": self._version, "rules": [_rule(code) for code in CATALOGUE]}
        is_whole = all(notification["level"] != "error" for notification in self._notifications)
        invocation = {"executionSuccessful": is_whole, "toolExecutionNotifications": self._notifications}
        run = {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": self._results,
        }
        return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _rule(code: str) -> dict[str, Any]:
    entry = CATALOGUE[code]
    return {
        "id": code,
        "name": "".join(map(str.capitalize, entry.name.split("-"))),
        "shortDescription": {"text": entry.meaning},
        "help": {"text": f"{entry.cure} Example of the fault: {entry.example}."},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    hint = [f"Hint: {diagnostic.hint}"] if diagnostic.hint else []
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": _RULE_INDEX[diagnostic.code],
        "level": diagnostic.severity,
        "message": {"text": _clean("\n".join([diagnostic.message, *diagnostic.notes, *hint]))},
        "locations": [{"physicalLocation": _place(diagnostic.file, diagnostic.span)}],
        "relatedLocations": [_related(diagnostic.file, i, e) for i, e in enumerate(diagnostic.related, 1)],
    }


def _related(file: str, number: int, excerpt: Excerpt) -> dict[str, Any]:
    location: dict[str, Any] = {"id": number, "physicalLocation": _place(file, excerpt.span)}
    return location | ({"message": {"text": _clean(excerpt.label)}} if excerpt.label else {})


def _place(file: str, span: Span) -> dict[str, Any]:
    region = dict(zip(("startLine", "startColumn", "endLine", "endColumn"), span, strict=True))
    return {"artifactLocation": {"uri": _uri(file)}, "region": region}


def _uri(file: str) -> str:
    """A relative path as a relative reference, an absolute one as a file's address; a name need not be UTF-8."""
    return Path(file).as_uri() if Path(file).is_absolute() else quote(os.fsencode(Path(file).as_posix()))


def _clean(text: str) -> str:
    """The text with a mark for each lone surrogate, which no UTF-8 document can hold."""
    return text.encode("utf-8", "replace").decode()

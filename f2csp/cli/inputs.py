"""Files that hold a problem or a puzzle: which of the two, and the reading of either."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from f2csp.diagnostics import Source
    from f2csp.formats.foreign import ForeignFormat
    from f2csp.model import Problem

F2CSP = "f2csp"
"""The name of the format among those of puzzle files."""

_SECTION = re.compile(rb"^[ \t]*(?:domains|variables|constraints)[ \t]*:", re.IGNORECASE | re.MULTILINE)


def is_problem(source: Source, from_: str) -> bool:
    """Whether a file is F2CSP: the option ``--from`` says so, or a section begins in it."""
    return from_ == F2CSP or (from_ == "auto" and _SECTION.search(source.data) is not None)


def foreign_input(source: Source, from_: str) -> ForeignFormat | None:
    """The format of another system that a file has: the one that ``--from`` names, or the one that its text shows."""
    from f2csp.formats.foreign import FOREIGN_FORMATS, recognised

    if from_ == "auto":
        return recognised(source)
    return next((form for form in FOREIGN_FORMATS if form.name == from_ and form.imports), None)


def read_problem(source: Source) -> Problem:
    """Read a problem, and show how far it is.

    Raises:
        InvalidInput: the text has faults.
    """
    from f2csp.cli.progress import progress
    from f2csp.text.load import examine

    with progress("Reading bytes", len(source.data)) as advance:
        return examine(source, advance=advance).require()

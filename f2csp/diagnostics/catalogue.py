"""The codes of diagnostics, each with its meaning, an example and the cure.

Blocks: F0 file and form, F1 counts, F2 names, F3 domains and tuples, F4 warnings, F5 foreign formats and the answers
of foreign solvers, F6 puzzle files, F7 solutions.
"""

from pathlib import Path
from typing import Literal, NamedTuple, cast

SITE = "https://f2csp.github.io/f2csp/"
"""The address for which the site is built, as in ``[project.urls]``; the one place in the package that names it."""

Severity = Literal["error", "warning"]


class CatalogueEntry(NamedTuple):
    name: str
    meaning: str
    example: str
    cure: str
    severity: Severity


def _entries() -> dict[str, CatalogueEntry]:
    """The entries of the file: three lines for each code, with its severity, name and meaning; an example; the cure."""
    text = Path(__file__).with_name("catalogue.txt").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if line]
    entries = {}
    for head, example, cure in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        code, severity, name, meaning = head.split(" ", 3)
        entries[code] = CatalogueEntry(name.removesuffix(":"), meaning, example, cure, cast("Severity", severity))
    return entries


CATALOGUE = _entries()


def page_of(code: str) -> str:
    """The address of the page that explains a code, with a file that has the fault and its cure."""
    return f"{SITE}codes/{code}/"

"""The pages of codes: what each says and why, a file that has the fault, the message, and the cure as a diff."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import unified_diff
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import f2csp
from docs.program import ROOT, fragment, printed
from f2csp.diagnostics import CATALOGUE

BLOCKS = {
    "F0": "File and form",
    "F1": "Counts",
    "F2": "Names",
    "F3": "Domains and tuples",
    "F4": "Warnings",
    "F5": "Other formats, and answers of solvers",
    "F6": "Puzzle files",
    "F7": "Solutions",
}
_TEXT = (ROOT / "docs" / "codes.txt").read_text(encoding="utf-8")
_MAP = ROOT / "samples" / "map.csp"
_MAX_LINKED = 4000  # bytes of a file in an address
_SHOWN = 400  # characters of a line of a file


@dataclass
class Case:
    """A sound file, a fault in it, and what is run to see the message."""

    code: str
    name: str
    command: str
    why: str
    changes: list[tuple[str, str]] = field(default_factory=list)

    @property
    def sound(self) -> str:
        """The file without the fault."""
        if f"\n= {self.name}\n" in _TEXT:
            return _TEXT.split(f"\n= {self.name}\n")[1].split("\n\n")[0] + "\n"
        if self.name.startswith("map."):
            return _map_as(self.name.removeprefix("map.").removesuffix(".gz"))
        return (ROOT / "samples" / self.name).read_text(encoding="utf-8")

    @property
    def faulty(self) -> bytes:
        """The file with the fault."""
        text = self.sound
        for old, new in self.changes:
            assert not old or text.count(old) >= 1, (self.code, old)
            text = text.replace(old, new, 1) if old else new
        if self.name.endswith(".gz"):
            packed = gzip.compress(text.encode(), mtime=0)
            return packed[: len(packed) // 2]
        return text.encode("latin-1" if "\xf1" in text or "\xef" in text else "utf-8")

    def shown(self) -> str:
        """The faulty file as people see it."""
        text = self.faulty.decode("utf-8", "replace").replace("\ufeff", "\u00b7")
        lines = [
            line if len(line) < _SHOWN else f"{line[:60]}... ({len(line):,} characters)" for line in text.split("\n")
        ]
        return re.sub(r"[\x00-\x08\x0b-\x1f]", lambda found: chr(0x2400 + ord(found[0])), "\n".join(lines))

    def message(self) -> str:
        """What the program prints of it."""
        with TemporaryDirectory() as folder:
            (Path(folder) / Path(self.name).name).write_bytes(self.faulty)
            for name in re.findall(r"\bmap\.\w+", self.command):
                if not (Path(folder) / name).exists():
                    (Path(folder) / name).write_text(_map_as(name[4:]), encoding="utf-8")
            return printed(self.command, Path(folder))

    def cure(self) -> str:
        """The changes that mend it."""
        if not self.changes or len(self.faulty) > 1 << 20:
            return ""
        before, after = self.shown().splitlines(), self.sound.splitlines()
        return "\n".join(
            line for line in unified_diff(before, after, n=2, lineterm="") if not line.startswith(("---", "+++"))
        )


def _map_as(ending: str) -> str:
    problem = f2csp.load(_MAP)
    names = {"xml": "xcsp3", "cnf": "dimacs", "wcsp": "wcsp", "json": "json"}
    if ending not in names:
        return _MAP.read_text(encoding="utf-8")
    text = StringIO()
    f2csp.export(problem, text, names[ending])
    return text.getvalue()


def cases() -> Iterator[Case]:
    """The cases of ``codes.txt``, in order."""
    for block in re.split(r"\n\n(?=F\d)", _TEXT)[1:]:
        head, why, *lines = block.strip("\n").split("\n")
        code, name, *rest = head.split(" ", 2)
        command = rest[0].removeprefix("$ ") if rest else f"f2csp validate {Path(name).name}"
        case = Case(code, name, command, why)
        old = ""
        for line in lines:
            part = line[2:].encode("latin-1").decode("unicode_escape")
            if line[0] == "-":
                old = part
            elif line[0] == "+":
                case.changes.append((old, part))
            else:
                case.changes[-1] = (case.changes[-1][0], case.changes[-1][1] * int(part))
        yield case


def code_page(case: Case, links: str) -> str:
    """The page of a code."""
    entry = CATALOGUE[case.code]
    language = "f2csp" if case.name == "map.csp" else "text"
    parts = [
        f"# {case.code} {entry.name}",
        f"*{entry.severity}* · {links}",
        f"{entry.meaning} For example: {entry.example}.",
        f"**Why.** {case.why}",
    ]
    if not case.name.endswith(".gz"):
        parts += ["## A file with it", f"```{language}\n{case.shown().rstrip()}\n```"]
        if case.command == f"f2csp validate {case.name}" and len(case.faulty) < _MAX_LINKED and case.faulty.isascii():
            parts.append(f"[Try it in the browser](../try/index.html#{fragment(case.faulty.decode())})")
    parts += [
        "## What you see",
        f"```console\n$ {case.command}\n{case.message().rstrip()}\n```",
        "## What to do",
        entry.cure,
    ]
    if cure := case.cure():
        parts.append(f"```diff\n{cure}\n```")
    return "\n\n".join(parts) + "\n"


def code_pages() -> dict[str, str]:
    """The pages of all codes, and their list."""
    found = list(cases())
    pages = {}
    for i, case in enumerate(found):
        around = [found[j].code for j in (i - 1, i + 1) if 0 <= j < len(found)]
        links = " · ".join(["[all codes](index.md)", *(f"[{code}]({code}.md)" for code in around)])
        pages[f"codes/{case.code}.md"] = code_page(case, links)
    lines = ["# Codes of errors and warnings", ""]
    lines += ["`f2csp code F304` shows the same on a terminal, and every message names its code.", ""]
    for block, title in BLOCKS.items():
        lines += [f"## {block}: {title}", "", "| code | name | what it says |", "| --- | --- | --- |"]
        for code, entry in CATALOGUE.items():
            if code.startswith(block):
                lines.append(f"| [{code}]({code}.md) | {entry.name} | {entry.meaning} |")
        lines.append("")
    return pages | {"codes/index.md": "\n".join(lines)}

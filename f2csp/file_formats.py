"""The record that each format of files is: F2CSP, a format of another system, or one of puzzle files."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

AUTO = "auto"
F2CSP = "f2csp"


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """A format of files."""

    name: str  # as in --from and --to: f2csp, xcsp3, sudoku:line, ...
    codec: str  # of puzzle files: its module in f2csp.boards, and the name of the Codec there; else a module in f2csp
    summary: str
    rank: int = 3  # how special the syntax is: a reading never loses against one of a lower rank
    line: bytes = b""  # of puzzle files: a pattern of their lines; most lines of a faulty file have it, too
    endings: tuple[str, ...] = ()  # of the names of its files, if these have no other format
    signature: bytes = b""  # a pattern that the beginning of every such file contains
    needs_kind: bool = False  # the user must name the kind, for another kind has the same files
    is_read: bool = True
    is_written: bool = True

    @property
    def kind(self) -> str:
        """The kind of puzzle; empty for problems."""
        return self.name.partition(":")[0] if ":" in self.name else ""

    @property
    def short_name(self) -> str:
        """The name within its kind."""
        return self.name.rpartition(":")[2]

    def load(self) -> Any:
        """Import what reads and writes the puzzle files: a ``Codec``."""
        module, _, name = self.codec.partition(".")
        return getattr(import_module(f"f2csp.boards.{module}"), name)


def paragraphs(file: Path) -> list[list[str]]:
    """The lines of each paragraph of a text below its first one, which says what the text is."""
    _, *found = file.read_text(encoding="utf-8").split("\n\n")
    return list(map(str.splitlines, found))

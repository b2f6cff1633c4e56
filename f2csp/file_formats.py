"""The record that each format of files is, and those of the formats of problems: F2CSP, and those of other systems."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

AUTO = "auto"
F2CSP = "f2csp"

SECTION = rb"(?m:^)[ \t]*(?i:domains|variables|constraints)[ \t]*:"
"""A line of F2CSP that opens a section."""


@dataclass(frozen=True, slots=True)
class FormatInfo:
    """A format of files."""

    name: str  # as in --from and --to: f2csp, xcsp3, sudoku:line, ...
    codec: str  # of puzzle files: its module in f2csp.boards, and the name of the Codec there; else a module in f2csp
    summary: str
    rank: int = 3  # how special the syntax is: a reading never loses against one of a lower rank
    line: bytes = b""  # of puzzle files: a pattern of their lines; most lines of a faulty file have it, too
    endings: tuple[str, ...] = ()  # of the names of its files, if these have no other format
    signature: bytes = b""  # a pattern that the beginning of every such file contains, and of problems no other one
    needs_kind: bool = False  # the user must name the kind, for another kind has the same files
    is_read: bool = True
    is_written: bool = True
    has_answers: bool = False  # whether the answers of solvers that read such files can be read
    aliases: tuple[str, ...] = ()  # other names in commands
    options: tuple[str, ...] = ()  # of reading; those of puzzles are in their classes

    @property
    def kind(self) -> str:
        """The kind of puzzle; empty for problems."""
        return self.name.partition(":")[0] if ":" in self.name else ""

    @property
    def short_name(self) -> str:
        """The name within its kind."""
        return self.name.rpartition(":")[2]

    @property
    def names(self) -> tuple[str, ...]:
        """All names of a format of problems in commands: its own, its endings, its aliases."""
        return (self.name, *(ending[1:] for ending in self.endings), *self.aliases)

    def load(self) -> Any:
        """Import what reads and writes the files: the ``Codec`` of puzzle files, else a module."""
        if not self.kind:
            return import_module(f"f2csp.{self.codec}")
        module, _, name = self.codec.partition(".")
        return getattr(import_module(f"f2csp.boards.{module}"), name)


_INSTANCE = (
    rb"(?s)\A\s*+(?:<\?.*?\?>\s*+|<!--.*?-->\s*+|<!DOCTYPE[^<>]*+(?:<[^<>]*+>[^<>]*+)*+>\s*+)*+<instance(?=[\s/>])"
)

PROBLEM_FORMATS = (
    FormatInfo(
        F2CSP,
        "text",
        "tables, the format of this program",
        5,
        endings=(".csp",),
        signature=rb"\A(?!\s*+<)(?s:.*?)" + SECTION,
    ),
    FormatInfo(
        "xcsp3",
        "formats.xcsp3",
        "XCSP3",
        endings=(".xml",),
        signature=_INSTANCE,
        has_answers=True,
        aliases=("xcsp",),
        options=("ignore_objective", "max_tuples"),
    ),
    FormatInfo(
        "xcsp2",
        "formats.xcsp2",
        "XCSP 2.1",
        4,
        signature=_INSTANCE + rb"[^>]*+>(?:\s*+<!--.*?-->)*+\s*+<(?:presentation|domains)\b",
        is_written=False,
        aliases=("xcsp2.1", "xcsp2.0"),
        options=("max_tuples",),
    ),
    FormatInfo(
        "dimacs",
        "formats.dimacs",
        "DIMACS CNF",
        endings=(".cnf", ".dimacs"),
        signature=rb"\A(?:[ \t\r]*+(?:[c%][^\n]*+)?+\n)*+[ \t]*+p[ \t]++[a-z]*cnf\b",
        has_answers=True,
    ),
    FormatInfo(
        "col",
        "formats.col",
        "DIMACS graph colouring",
        endings=(".col",),
        signature=(rb"\A\s*+(?:[0-9]++[ \t\r]*+\n)?+(?:[ \t\r]*+(?:c[^\n]*+)?+\n)*+[ \t]*+p[ \t]++(?:edges?|col)\b"),
        is_written=False,
        options=("colours",),
    ),
    FormatInfo(
        "minizinc",
        "formats.minizinc",
        "MiniZinc",
        endings=(".mzn",),
        signature=(
            rb"(?m)^[ \t]*+(?:solve\b[^;\n]*?\b(?:satisfy|minimize|maximize)\b|include[ \t]*+\"[^\"\n]*+\"[ \t]*+;"
            rb"|(?:var|array|set|constraint|predicate)\b[^;\n%]*+;|(?:int|bool|float|par|enum)\b[^;\n%]*+[:=][^;\n]*+;)"
        ),
        is_read=False,
        has_answers=True,
    ),
    FormatInfo(
        "json",
        "formats.problem_json",
        "JSON",
        endings=(".json",),
        signature=rb'\A\s*\{[^{}\[\]]*"format"\s*:\s*"F2CSP"',
    ),
    FormatInfo(
        "wcsp",
        "formats.wcsp",
        "WCSP of toulbar2",
        2,
        endings=(".wcsp",),
        # a name, four numbers, the second of which is the size of the largest domain, and sizes up to that one
        signature=(
            rb"\A\s*+(?!\d+\s)(?![pc]\s)(?![{\[<#])\S++[ \t]++(?:0[ \t]++0|[1-9]\d{0,17}[ \t]++([1-9]\d{0,17}))"
            rb"(?:[ \t]++\d{1,18}){2}(?(1)\s++(?:[1-9]\d{0,17}\s++)*?\1)(?!\S)"
        ),
        has_answers=True,
        aliases=("toulbar2",),
        options=("hard_only",),
    ),
)
"""The formats of problems, in the order of the lists of formats."""

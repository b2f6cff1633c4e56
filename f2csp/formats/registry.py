"""The formats of other systems by name. One more is one file beside this one and one line here."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from f2csp.diagnostics import F2cspError, Source, Unsuitable
from f2csp.model import Problem, Value

_LOOKED_AT = 1 << 16  # bytes of a text in which its format must show

Solution = dict[str, Value]
"""A value for each variable: a number where its domain is an integer one, else a word."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How a problem is to be written; what a format has no choice about has no effect.

    Attributes:
        use_structure: whether to write what the tables mean where the format has words for it.
        encoding: of a problem as clauses: ``direct``, ``support`` or ``order``.
    """

    use_structure: bool = False
    encoding: str = "support"


class Exporter(Protocol):
    """What the file of a format holds that can be written."""

    def chunks(self, problem: Problem, options: ExportOptions) -> Iterator[bytes]:
        """The text of a problem in pieces.

        Raises:
            Unsuitable: the format cannot express it.
        """


class Importer(Protocol):
    """What the file of a format holds that can be read."""

    def looks_like(self, data: bytes) -> bool:
        """Whether the beginning of a text is of this format and of no other."""

    def read(self, source: Source) -> Problem:
        """Read a problem.

        Raises:
            InvalidInput: the text has faults, or something that there are no tables for; all of it is told.
        """


class AnswerReader(Protocol):
    """What the file of a format holds whose solvers give answers."""

    def answers(self, source: Source, problem: Problem) -> list[Solution]:
        """The solutions in what a solver printed for the problem, as the format's exporter wrote it.

        Raises:
            InvalidInput: there is none, or it does not fit the problem.
        """


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    """A format of other systems.

    Attributes:
        name: what users call it.
        title: what it is called in full.
        endings: of the names of its files.
        exports: what is written, in a few words; empty if it is not written.
        imports: what is read, in a few words; empty if it is not read.
        has_answers: whether the answers of its solvers can be read.
        module: its file beside this one, if that is not called like the format.
        aliases: what else users may call it.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    exports: str = ""
    imports: str = ""
    has_answers: bool = False
    module: str = ""
    aliases: tuple[str, ...] = ()

    def exporter(self) -> Exporter:
        """Import its file, to write.

        Raises:
            Unsuitable: it is not written.
        """
        if not self.exports:
            raise Unsuitable(f"{self.title} is read here, but not written")
        return cast("Exporter", self._load())

    def importer(self) -> Importer:
        """Import its file, to read.

        Raises:
            Unsuitable: it is not read.
        """
        if not self.imports:
            raise Unsuitable(f"{self.title} is written here, but not read")
        return cast("Importer", self._load())

    def answer_reader(self) -> AnswerReader:
        """Import its file, to read the answers of solvers.

        Raises:
            Unsuitable: they are not read.
        """
        if not self.has_answers:
            raise Unsuitable(f"there are no answers in {self.title} to be read")
        return cast("AnswerReader", self._load())

    def _load(self) -> object:
        return import_module(f"f2csp.formats.{self.module or self.name}")


FOREIGN_FORMATS: tuple[ForeignFormat, ...] = (
    ForeignFormat(
        "xcsp3",
        "XCSP3",
        (".xml",),
        "tables in groups; with structure, allDifferent and intension",
        "tables, groups, arrays, allDifferent, allEqual, ordered, and small intension and sum",
        has_answers=True,
    ),
    ForeignFormat(
        "dimacs",
        "DIMACS CNF",
        (".cnf",),
        "clauses in three encodings, with names in comments",
        "clauses; those written here as tables again",
        has_answers=True,
    ),
    ForeignFormat(
        "minizinc",
        "MiniZinc",
        (".mzn",),
        "a model for people; with structure, alldifferent, comparisons, sums",
        has_answers=True,
    ),
    ForeignFormat("json", "JSON", (".json",), "the problem", "the same", module="problem_json"),
    ForeignFormat(
        "cfn",
        "CFN of toulbar2",
        (".cfn",),
        "hard cost functions, with names",
        "hard cost functions",
        has_answers=True,
        module="toulbar2.cfn",
        aliases=("toulbar2",),
    ),
    ForeignFormat(
        "wcsp",
        "WCSP of toulbar2",
        (".wcsp",),
        "hard cost functions, without names",
        "hard cost functions",
        has_answers=True,
        module="toulbar2.wcsp",
    ),
)
"""All formats; a text is of the first that takes it for its own."""


def foreign_format(name: str) -> ForeignFormat:
    """The format of this name.

    Raises:
        F2cspError: there is none.
    """
    for form in FOREIGN_FORMATS:
        if name in (form.name, *form.aliases):
            return form
    raise F2cspError(f"there is no format {name!r}; the formats are {', '.join(form.name for form in FOREIGN_FORMATS)}")


def recognised(source: Source) -> ForeignFormat | None:
    """The format that a text has, if it is one of these."""
    head = source.data[source.start : source.start + _LOOKED_AT]
    return next((form for form in FOREIGN_FORMATS if form.imports and form.importer().looks_like(head)), None)

"""The formats of other systems by name; a new one is one module in this package and one line in ``FOREIGN_FORMATS``."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import IO, Any, Protocol, cast

from f2csp.diagnostics import F2cspError, Source, Unsuitable, near_word_hint
from f2csp.files import FileName, read_source, write_chunks
from f2csp.model import Problem, expect_problem
from f2csp.solutions import Solution, solutions_in

_MAX_HEAD = 1 << 16  # bytes at the beginning of a text by which its format is recognised


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of an export; a format ignores options that do not apply to it."""

    use_structure: bool = False  # write recognised constraints (allDifferent, <, ...) where the format has them
    encoding: str = "support"  # of a problem as clauses: direct, support or order


class FormatModule(Protocol):
    """The module of a format; it has those of the functions that its line in ``FOREIGN_FORMATS`` says."""

    def chunks(self, problem: Problem, options: ExportOptions) -> Iterator[bytes]:
        """The text of a problem in pieces; raises Unsuitable where the format cannot express the problem."""

    def looks_like(self, data: bytes) -> bool:
        """Whether the beginning of a text is of this format and of no other."""

    def read(self, source: Source, **options: Any) -> Problem:
        """Read a problem, with options of the format; raises InvalidInput for faults and what cannot become tables."""

    def answers(self, source: Source, problem: Problem) -> list[Solution]:
        """The solutions that a solver printed for the problem, as exported in this format; or raises InvalidInput."""


@dataclass(frozen=True, slots=True)
class ForeignFormat:
    name: str  # in commands
    title: str
    endings: tuple[str, ...]  # of file names
    exports: str = ""  # what is written, in a few words; empty if the format is only read
    imports: str = ""  # what is read, in a few words; empty if the format is only written
    has_answers: bool = True  # whether the answers of its solvers can be read
    module: str = ""  # its module in this package, if that is not called like the format
    aliases: tuple[str, ...] = ()  # other names in commands
    options: tuple[str, ...] = ()  # of reading

    @property
    def names(self) -> tuple[str, ...]:
        """All names in commands: its own, its endings, its aliases."""
        return (self.name, *(ending[1:] for ending in self.endings), *self.aliases)

    def exporter(self) -> FormatModule:
        """Import the module, to write; raises Unsuitable if the format is only read."""
        return self._load(self.exports, f"{self.title} can be read, but not written")

    def importer(self) -> FormatModule:
        """Import the module, to read; raises Unsuitable if the format is only written."""
        return self._load(self.imports, f"{self.title} can be written, but not read")

    def answer_reader(self) -> FormatModule:
        """Import the module, to read the answers of solvers; raises Unsuitable if it cannot."""
        return self._load(self.has_answers, f"solvers print no answers in {self.title}")

    def looks_like(self, data: bytes) -> bool:
        """Import the module, and compare the beginning of a text with the format."""
        return self._load().looks_like(data)

    def _load(self, is_able: object = True, refusal: str = "") -> FormatModule:
        if not is_able:
            raise Unsuitable(refusal)
        return cast("FormatModule", import_module(f"f2csp.formats.{self.module or self.name}"))


FOREIGN_FORMATS: tuple[ForeignFormat, ...] = (
    ForeignFormat(
        "xcsp3",
        "XCSP3",
        (".xml",),
        "tables in groups; with structure, allDifferent and intension",
        "tables, groups, arrays, slide, intension, and most constraints on counts, sums, orders and words",
        aliases=("xcsp",),
        options=("ignore_objective", "max_tuples"),
    ),
    ForeignFormat(
        "xcsp2",
        "XCSP 2.1",
        (),
        imports="relations, predicates, and allDifferent",
        has_answers=False,
        aliases=("xcsp2.1", "xcsp2.0"),
        options=("max_tuples",),
    ),
    ForeignFormat(
        "dimacs",
        "DIMACS CNF",
        (".cnf", ".dimacs"),
        "clauses in three encodings, with names in comments",
        "clauses; exported files over their own variables and values",
    ),
    ForeignFormat(
        "col",
        "DIMACS graph colouring",
        (".col",),
        imports="graphs, with the number of colours given",
        has_answers=False,
        options=("colours",),
    ),
    ForeignFormat(
        "minizinc", "MiniZinc", (".mzn",), "a model for people; with structure, alldifferent, comparisons, sums"
    ),
    ForeignFormat("json", "JSON", (".json",), "the problem", "the same", has_answers=False, module="problem_json"),
    ForeignFormat(
        "wcsp",
        "WCSP of toulbar2",
        (".wcsp",),
        "hard cost functions, without names",
        "hard cost functions",
        aliases=("toulbar2",),
        options=("hard_only",),
    ),
)
"""All formats; a text has the first one that recognises it."""


def foreign_format(name: str) -> ForeignFormat:
    """The format with this name, in any letter case; raises F2cspError where there is none."""
    if (form := find_format(name)) is not None:
        return form
    hint = near_word_hint(name.casefold(), [known for other in FOREIGN_FORMATS for known in other.names])
    listed = ", ".join(other.name for other in FOREIGN_FORMATS)
    raise F2cspError(f"there is no format {name!r}; {hint or f'the formats are {listed}'}")


def find_format(name: str) -> ForeignFormat | None:
    return next((form for form in FOREIGN_FORMATS if name.casefold() in form.names), None)


def recognised(source: Source) -> ForeignFormat | None:
    """The format of a text, if it is a format that is read."""
    return _first_like(source, [form for form in FOREIGN_FORMATS if form.imports])


def written_only(source: Source) -> ForeignFormat | None:
    """The format of a text, if it is a format that is written and not read."""
    return _first_like(source, [form for form in FOREIGN_FORMATS if not form.imports])


def _first_like(source: Source, forms: Sequence[ForeignFormat]) -> ForeignFormat | None:
    head = source.data[source.start : source.start + _MAX_HEAD]
    return next((form for form in forms if form.looks_like(head)), None)


_ANSWERS = {  # what the lines of solvers' answers look like; a solution file has no such line
    "xcsp3": re.compile(rb"<instantiation"),
    "minizinc": re.compile(rb"^(?:-{10}|={5}[A-Z]*={5}) *\r?$", re.MULTILINE),
    "dimacs": re.compile(rb"^(?:v(?: -?\d+)+|SAT|(?:s )?UNSAT(?:ISFIABLE)?|s SATISFIABLE) *\r?$", re.MULTILINE),
}
_OWN_LINE = re.compile(rb"^v +[^\n=]*=", re.MULTILINE)  # of f2csp solve --competition


def answer_format(source: Source) -> ForeignFormat | None:
    """The format whose solvers print such a text; None for a solution file."""
    if _OWN_LINE.search(source.data):
        return None
    name = next((name for name, pattern in _ANSWERS.items() if pattern.search(source.data)), None)
    return foreign_format(name) if name else None


def answers_in(
    source: Source, problem: Problem, form: str | None = None, optional: Collection[str] = ()
) -> list[Solution]:
    """The solutions in a solution file, or in the answer of a foreign solver, whose format can be named.

    Raises InvalidInput for faults, and Unsuitable if solvers print no answers in the format.
    """
    foreign = foreign_format(form) if form else answer_format(source)
    return foreign.answer_reader().answers(source, problem) if foreign else solutions_in(source, problem, optional)


def export(
    problem: Problem, file: FileName | IO[Any], form: str, *, use_structure: bool = False, encoding: str = "support"
) -> None:
    """Write a problem in a foreign format.

    Args:
        problem: the problem.
        file: a path (written whole or not at all), ``-`` for standard output, or a file open for writing.
        form: the name of the format: xcsp3, dimacs, minizinc, json or wcsp.
        use_structure: write recognised constraints (allDifferent, <, ...) instead of tables where the format has them.
        encoding: the encoding of a problem as clauses: ``direct``, ``support`` or ``order``.

    Raises:
        F2cspError: there is no such format.
        Unsuitable: the format cannot express the problem.
        OSError: the file cannot be written.

    Example:
        >>> import io
        >>> from f2csp import generate
        >>> file = io.StringIO()
        >>> export(generate("queens", size=4), file, "xcsp3")
        >>> "<var id=" in file.getvalue()
        True
    """
    expect_problem(problem)
    chunks = foreign_format(form).exporter().chunks(problem, ExportOptions(use_structure, encoding))
    write_chunks(chunks, file)


def import_(file: FileName | IO[Any], form: str) -> Problem:
    r"""Read a problem from a file in a foreign format.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.
        form: the name of the format: xcsp3, xcsp2, dimacs, json or wcsp.

    Raises:
        F2cspError: there is no such format.
        Unsuitable: the format is only written.
        InvalidInput: the text has faults, or constraints that cannot become tables.
        OSError: the file cannot be read.

    Example:
        >>> import io
        >>> import_(io.StringIO("p cnf 2 1\n1 -2 0\n"), "dimacs").n_variables
        2
    """
    return foreign_format(form).importer().read(read_source(file))

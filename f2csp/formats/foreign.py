"""The formats of other systems by name; a new one is one module in this package, and its lines in ``formats.txt``."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import IO, Any, Protocol, cast

from f2csp.diagnostics import F2cspError, Source, Unsuitable, near_word_hint
from f2csp.file_formats import F2CSP, PROBLEM_FORMATS, FormatInfo
from f2csp.files import FileName, read_source, write_chunks
from f2csp.model import Problem, expect_problem
from f2csp.solutions import Solution, solutions_in


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of an export; a format ignores options that do not apply to it."""

    use_structure: bool = False  # write recognised constraints (allDifferent, <, ...) where the format has them
    encoding: str = "support"  # of a problem as clauses: direct, support or order


class FormatModule(Protocol):
    """The module of a format; it has those of the functions that its ``FormatInfo`` says."""

    def chunks(self, problem: Problem, options: ExportOptions) -> Iterator[bytes]:
        """The text of a problem in pieces; raises Unsuitable where the format cannot express the problem."""

    def read(self, source: Source, **options: Any) -> Problem:
        """Read a problem, with options of the format; raises InvalidInput for faults and what cannot become tables."""

    def answers(self, source: Source, problem: Problem) -> list[Solution]:
        """The solutions that a solver printed for the problem, as exported in this format; or raises InvalidInput."""


def foreign_format(name: str) -> FormatInfo:
    """The format of another system with this name, in any letter case; raises F2cspError where there is none."""
    foreign = {alias: form for form in PROBLEM_FORMATS if form.name != F2CSP for alias in form.names}
    if (form := foreign.get(name.casefold())) is not None:
        return form
    hint = near_word_hint(name.casefold(), foreign)
    listed = ", ".join(dict.fromkeys(other.name for other in foreign.values()))
    raise F2cspError(f"there is no format {name!r}; {hint or f'the formats are {listed}'}")


def exporter(name: str) -> FormatModule:
    """Import the module of a format, to write; raises Unsuitable if the format is only read."""
    form = foreign_format(name)
    return _module(form, form.is_written, f"{form.summary} can be read, but not written")


def importer(name: str) -> FormatModule:
    """Import the module of a format, to read; raises Unsuitable if the format is only written."""
    form = foreign_format(name)
    return _module(form, form.is_read, f"{form.summary} can be written, but not read")


def answer_reader(name: str) -> FormatModule:
    """Import the module of a format, to read the answers of its solvers; raises Unsuitable if it cannot."""
    form = foreign_format(name)
    return _module(form, form.has_answers, f"solvers print no answers in {form.summary}")


def _module(form: FormatInfo, is_able: bool, refusal: str) -> FormatModule:
    if not is_able:
        raise Unsuitable(refusal)
    return cast("FormatModule", form.load())


_ANSWERS = {  # what the lines of solvers' answers look like; a solution file has no such line
    "xcsp3": re.compile(rb"<instantiation"),
    "minizinc": re.compile(rb"^(?:-{10}|={5}[A-Z]*={5}) *\r?$", re.MULTILINE),
    "dimacs": re.compile(rb"^(?:v(?: -?\d+)+|SAT|(?:s )?UNSAT(?:ISFIABLE)?|s SATISFIABLE) *\r?$", re.MULTILINE),
}
_OWN_LINE = re.compile(rb"^v +[^\n=]*=", re.MULTILINE)  # of f2csp solve --competition


def answer_format(source: Source) -> str | None:
    """The name of the format whose solvers print such a text; None for a solution file."""
    if _OWN_LINE.search(source.data):
        return None
    return next((name for name, pattern in _ANSWERS.items() if pattern.search(source.data)), None)


def answers_in(
    source: Source, problem: Problem, form: str | None = None, optional: Collection[str] = ()
) -> list[Solution]:
    """The solutions in a solution file, or in the answer of a foreign solver, whose format can be named.

    Raises InvalidInput for faults, and Unsuitable if solvers print no answers in the format.
    """
    form = form or answer_format(source)
    return answer_reader(form).answers(source, problem) if form else solutions_in(source, problem, optional)


def export(
    problem: Problem, file: FileName | IO[Any], form: str, *, use_structure: bool = False, encoding: str = "support"
) -> None:
    """Write a problem in a foreign format.

    Args:
        problem: the problem.
        file: a path (written whole or not at all), ``-`` for standard output, or a file open for writing.
        form: the name of the format: xcsp3, dimacs, minizinc, smtlib, json or wcsp.
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
    write_chunks(exporter(form).chunks(problem, ExportOptions(use_structure, encoding)), file)


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
    return importer(form).read(read_source(file))

"""The formats of other systems by name; a new one is one module in this package, and its lines in ``formats.txt``."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any, Protocol, cast

from f2csp.diagnostics import F2cspError, InvalidInput, Source, Unsuitable, near_word_hint
from f2csp.file_formats import F2CSP, PROBLEM_FORMATS, FormatInfo
from f2csp.files import FileName, read_source, write_chunks
from f2csp.model import Checker, Problem, expect_problem
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


_READINGS: tuple[tuple[re.Pattern[bytes], tuple[str, ...]], ...] = (
    (re.compile(rb"^(?:v[ \t]|[ \t])*<instantiation[\s>]", re.MULTILINE), ("xcsp3",)),
    (re.compile(rb"^v +[^\n=]*=", re.MULTILINE), (F2CSP,)),  # of f2csp solve --competition
    (
        re.compile(
            rb"^[^\s=]++ *+= *+[^\s=]++ *+\r?\n(?:%[^\n]*+\n)*+-{10} *+\r?$|\A-{10}|^={5}[A-Z]++={5} *+\r?$",
            re.MULTILINE,
        ),
        ("minizinc",),
    ),
    (re.compile(rb"^(?:c [^\n]*?\btoulbar2 |New solution: |[0-9]++ solution\()", re.MULTILINE), ("wcsp",)),
    (re.compile(rb"^(?:(?:s )?UNSAT|SAT)(?:ISFIABLE)? *\r?$", re.MULTILINE), ("dimacs",)),
    (re.compile(rb"^(?:v(?: +(?:-?\d+|\*))+|s SATISFIABLE) *\r?$", re.MULTILINE), ("dimacs", "xcsp3")),
    (re.compile(rb"\A(?:\s*+(?:x[0-9]++=)?v?[0-9]++(?!\S))++\s*+\Z"), (F2CSP, "wcsp")),
)
"""What an answer looks like, and the formats whose solvers print it so, the usual one first; F2CSP: a solution file."""

_COLOUR = re.compile(rb"\x1b\[[0-9;]*+m")  # which ACE writes to files too


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """An answer, read as solvers of one format print them."""

    form: str  # the name of the format; F2CSP for a solution file
    is_usual: bool  # whether such a text is mostly of this format
    solutions: list[Solution]

    @property
    def words(self) -> str:
        """How the answer was read."""
        return _words(self.form)


def readings(
    source: Source, problem: Problem, form: str | None = None, optional: Collection[str] = (), problem_form: str = ""
) -> list[AnswerReading]:
    """A solution file, or the answer of a foreign solver, in all ways in which it can be read; the usual one first.

    Args:
        source: the answer; what colours it on terminals is ignored.
        problem: the problem.
        form: the only format to try.
        optional: the variables that a solution file may leave out.
        problem_form: the format of the problem's own file, the usual one of answers that may be in it.

    Raises:
        InvalidInput: the answer cannot be read.
        Unsuitable: solvers print no answers in the format.
    """
    source = replace(source, data=_COLOUR.sub(b"", source.data))
    text = source.data[source.start :]
    forms = (form,) if form else next((forms for pattern, forms in _READINGS if pattern.search(text)), (F2CSP,))
    found, refusals = list[AnswerReading](), dict[str, InvalidInput]()
    for name in sorted(forms, key=lambda name: name != problem_form):
        is_usual = not (found or refusals)
        try:
            is_own = name == F2CSP
            read = solutions_in(source, problem, optional) if is_own else answer_reader(name).answers(source, problem)
            found.append(AnswerReading(name, is_usual, read))
        except InvalidInput as refusal:
            refusals[name] = refusal
    if found:
        return found
    if len(forms) == 1 or problem_form in forms or F2CSP in forms:
        raise next(iter(refusals.values()))
    notes = [f"the text was read as {_words(form)}" for form in refusals]
    faults = [refusal.diagnostics[0] for refusal in refusals.values()]
    raise InvalidInput([replace(fault, notes=(note,)) for fault, note in zip(faults, notes, strict=True)])


def _words(form: str) -> str:
    return "a solution file" if form == F2CSP else f"the output of a solver for {form}"


def fitting(found: Sequence[AnswerReading], problem: Problem) -> AnswerReading | None:
    """The reading whose solutions break no constraint, that with the most values; a single one need not be judged."""
    if len(found) == 1:
        return found[0]
    checker = Checker(problem)
    kept = [sum(len(values) for values in one.solutions if not checker.broken_by(values)) for one in found]
    return found[kept.index(max(kept))] if any(kept) else None


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

"""Load a problem from a text: read it into columns, apply the rules, and build what has no fault; or fix it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from f2csp.diagnostics import DEFAULT_LIMIT, Collector, Diagnostic, Edit, InvalidInput, Source
from f2csp.files import MAX_TEXT_BYTES, ByteProgress, FileName, read_source, text_source
from f2csp.model import Problem
from f2csp.text.reader import TextReading, read
from f2csp.text.recorder import MAX_RANGE_VALUES
from f2csp.text.rule_book import apply_rules, build, check_warnings
from f2csp.text.source_lines import TextPlaces
from f2csp.text.terminals import language

if TYPE_CHECKING:
    from lark import Token, Tree

_MAX_ROUNDS = 200  # of fixes: a cure may reveal a further fault, such as the next use of a misspelt word
_MAX_FIXES = 100_000  # in one round


@dataclass(frozen=True, slots=True)
class Report:
    """The result of validation, true if the text is valid: faults and warnings in the order of the text."""

    problem: Problem | None  # None where the text has faults
    diagnostics: tuple[Diagnostic, ...]
    n_hidden: int = 0  # further ones, which are not listed

    @property
    def is_valid(self) -> bool:
        """Whether the text has no fault; it may have warnings."""
        return self.problem is not None

    def __bool__(self) -> bool:
        return self.is_valid

    def require(self) -> Problem:
        """The problem; raises ``InvalidInput`` where the text has faults."""
        if self.problem is None:
            raise InvalidInput(self.diagnostics, self.n_hidden)
        return self.problem


def parse(text: str | bytes) -> "Tree[Token]":
    r"""Parse a text by the rule ``start`` of the grammar, for programs that work on texts themselves.

    The tree has the title, the lines of the domains and the variables, and the parts of the constraints as tokens with
    their places; a table is one token. It takes many times the memory of the text. What counts, names and values may
    be is not checked: :func:`validate` does that.

    Raises:
        InvalidInput: the text is not in the language of the grammar.

    Example:
        >>> tree = parse("One cell\nDomains: 1\nD1: 1..9\nVariables: 1\nx: D1\nConstraints: 0\nGoal: Satisfy\n")
        >>> [str(part.data) for part in tree.children]
        ['title', 'domains', 'variables', 'constraints', 'goal']
    """
    from lark.exceptions import UnexpectedInput

    source = text_source(text)
    try:
        return language().parse(source.data.decode("utf-8"), start="start")
    except (UnexpectedInput, UnicodeDecodeError) as error:
        report = report_on(source)
        if report.is_valid:
            raise
        raise InvalidInput(report.diagnostics, report.n_hidden) from error


def load(
    file: FileName | IO[Any],
    *,
    max_range_values: int = MAX_RANGE_VALUES,
    max_bytes: int = MAX_TEXT_BYTES,
    advance: ByteProgress | None = None,
) -> Problem:
    r"""Read a problem from a file; warnings are ignored.

    Args:
        file: a path, ``-`` for standard input, or a file open for reading; compressed or not.
        max_range_values: the maximal number of values of the ranges of all domains together.
        max_bytes: the maximal size of a compressed file after expansion.
        advance: called with the number of bytes read since its last call.

    Raises:
        InvalidInput: the text has faults; all of them are in it.
        OSError: the file cannot be read.

    Example:
        >>> import io
        >>> load(io.StringIO("One cell\nDomains: 1\nD1: 1..9\nVariables: 1\nx: D1\nConstraints: 0\nGoal: Satisfy\n"))
        <Problem 'One cell': 1 domain, 1 variable, 0 constraints>
    """
    return report_on(read_source(file, max_bytes), max_range_values=max_range_values, advance=advance).require()


def loads(text: str | bytes, *, max_range_values: int = MAX_RANGE_VALUES) -> Problem:
    r"""Read a problem from a text; warnings are ignored.

    Raises:
        InvalidInput: the text has faults; all of them are in it.

    Example:
        >>> loads("One cell\nDomains: 1\nD1: 1..9\nVariables: 1\nx: D1\nConstraints: 0\nGoal: Satisfy\n").variables["x"]
        Variable('x': D1)
    """
    return report_on(text_source(text), max_range_values=max_range_values).require()


def validate(
    file: FileName | IO[Any],
    *,
    max_range_values: int = MAX_RANGE_VALUES,
    max_bytes: int = MAX_TEXT_BYTES,
    limit: int = DEFAULT_LIMIT,
    advance: ByteProgress | None = None,
) -> Report:
    """Find all faults and warnings of a file; an open file serves for a text in memory.

    Args:
        file: a path, ``-`` for standard input, or a file open for reading; compressed or not.
        max_range_values: the maximal number of values of the ranges of all domains together.
        max_bytes: the maximal size of a compressed file after expansion.
        limit: the maximal number of errors, and of warnings, that are listed; further ones are counted.
        advance: called with the number of bytes read since its last call.

    Raises:
        OSError: the file cannot be read.

    Example:
        >>> import io
        >>> report = validate(io.StringIO("Domains: 1"))
        >>> [d.name for d in report.diagnostics]
        ['file-ends-early']
    """
    try:
        source = read_source(file, max_bytes)
    except InvalidInput as error:
        return Report(None, error.diagnostics, error.n_hidden)
    return report_on(source, max_range_values=max_range_values, limit=limit, advance=advance)


def report_on(
    source: Source,
    *,
    max_range_values: int = MAX_RANGE_VALUES,
    limit: int = DEFAULT_LIMIT,
    advance: ByteProgress | None = None,
) -> Report:
    """Read a text, apply all rules, and build the problem if it has no fault.

    At most ``limit`` errors, and as many warnings, are listed; the rest are counted.
    """
    collector = Collector(source, limit)
    return findings(read(source, collector, max_range_values, advance), collector)


def findings(reading: TextReading, collector: Collector) -> Report:
    """Apply all rules to what was read, and build the problem if it has no fault; ``collector`` has those of form."""
    columns = reading.columns
    places = TextPlaces(columns)
    suspects = apply_rules(columns, places, collector)
    problem = None
    if collector.n_errors:
        from f2csp.text.mending import without_slips

        collector = without_slips(reading, collector, suspects)
    else:
        problem = build(columns)
        check_warnings(problem, places, collector)
    return Report(problem, tuple(collector.diagnostics()), collector.n_hidden)


class FixedText(NamedTuple):
    """A text after all fixes."""

    source: Source
    n_fixes: int
    report: Report  # of what is left


def apply_fixes(source: Source, advance: ByteProgress | None = None, *, unsafe: bool = False) -> FixedText:
    """Apply the fixes of all diagnostics of a text, read it again, and go on until no diagnostic has one.

    Those that are not safe are left out unless ``unsafe``. A valid text keeps its meaning. ``advance`` is called with
    the number of bytes read since its last call.
    """
    report = report_on(source, limit=_MAX_FIXES, advance=advance)
    n_fixes = 0
    for _ in range(_MAX_ROUNDS):
        fixes = [d.fix for d in report.diagnostics if d.fix and (unsafe or d.fix.is_safe)]
        edits = {edit for fix in fixes for edit in ((fix.start, fix.end, fix.text), *fix.further)}
        data, n_applied = _applied(source.data, edits)
        if data == source.data:
            break
        source = Source(source.name, data)
        n_fixes += n_applied
        report = report_on(source, limit=_MAX_FIXES)
    left, others = report.diagnostics[:DEFAULT_LIMIT], report.diagnostics[DEFAULT_LIMIT:]
    return FixedText(source, n_fixes, Report(report.problem, left, report.n_hidden + len(others)))


def _applied(data: bytes, edits: Iterable[Edit]) -> tuple[bytes, int]:
    """The text with the edits applied, of two that overlap only the first; and the number of those applied."""
    pieces: list[bytes] = []
    at = n_applied = 0
    for start, end, text in sorted(edits):
        if start >= at:
            pieces += [data[at:start], text.encode()]
            at = end
            n_applied += 1
    return b"".join([*pieces, data[at:]]), n_applied

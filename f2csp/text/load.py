"""The one gate from text to problem: read, apply the rules, and build only what has no fault."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from f2csp.diagnostics import DEFAULT_LIMIT, Collector, Diagnostic, InvalidInput, Source
from f2csp.files import MAX_TEXT_BYTES, FileName, read_source
from f2csp.model import Ids, Kind, Offsets, Origin, Problem, Relation
from f2csp.text.columns import UNKNOWN, Columns
from f2csp.text.rule_counts import check_counts
from f2csp.text.rule_domains import check_domains
from f2csp.text.rule_names import check_names
from f2csp.text.rule_scopes import as_array, as_array_of_indices
from f2csp.text.rule_tables import check_tables
from f2csp.text.scanner import scan
from f2csp.text.sections import MAX_RANGE_VALUES
from f2csp.text.warnings import check_warnings

if TYPE_CHECKING:
    from array import array


Advance = Callable[[int], None]
Reader = Callable[[Source, Collector, int, Advance | None], Columns]


@dataclass(frozen=True, slots=True)
class Report:
    """What validation found.

    Attributes:
        problem: the problem, or None where the text has faults.
        diagnostics: faults and warnings in the order of the text.
        n_hidden: how many more there are that are not listed.
    """

    problem: Problem | None
    diagnostics: tuple[Diagnostic, ...]
    n_hidden: int = 0

    @property
    def is_valid(self) -> bool:
        """Whether the text has no fault; it may have warnings."""
        return self.problem is not None

    def require(self) -> Problem:
        """The problem.

        Raises:
            InvalidInput: the text has faults.
        """
        if self.problem is None:
            raise InvalidInput(self.diagnostics, self.n_hidden)
        return self.problem


def load(
    file: FileName | IO[Any],
    *,
    max_range_values: int = MAX_RANGE_VALUES,
    max_bytes: int = MAX_TEXT_BYTES,
    advance: Advance | None = None,
) -> Problem:
    """Read a problem from a file; warnings are passed over.

    Args:
        file: a path, ``-`` for standard input, or a file open for reading; compressed or not.
        max_range_values: how many values the ranges of all domains may add together.
        max_bytes: what a compressed file may expand to.
        advance: called with how many bytes were read since its last call.

    Raises:
        InvalidInput: the text has faults; all of them are in it.
        OSError: the file cannot be read.
    """
    source = read_source(file, max_bytes)
    return examine(source, max_range_values=max_range_values, advance=advance).require()


def loads(text: str | bytes, *, max_range_values: int = MAX_RANGE_VALUES) -> Problem:
    """Read a problem from a text; warnings are passed over.

    Raises:
        InvalidInput: the text has faults; all of them are in it.
    """
    return examine(_source_of(text), max_range_values=max_range_values).require()


def validate(
    file: FileName | IO[Any],
    *,
    max_range_values: int = MAX_RANGE_VALUES,
    max_bytes: int = MAX_TEXT_BYTES,
    advance: Advance | None = None,
) -> Report:
    """Find all faults and warnings of a file; an open file serves for a text in memory.

    Args:
        file: a path, ``-`` for standard input, or a file open for reading; compressed or not.
        max_range_values: how many values the ranges of all domains may add together.
        max_bytes: what a compressed file may expand to.
        advance: called with how many bytes were read since its last call.

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
    return examine(source, max_range_values=max_range_values, advance=advance)


def examine(
    source: Source,
    *,
    max_range_values: int = MAX_RANGE_VALUES,
    limit: int = DEFAULT_LIMIT,
    reader: Reader = scan,
    advance: Advance | None = None,
) -> Report:
    """Read a text, apply all rules, and build the problem if it has no fault.

    Args:
        source: the text.
        max_range_values: how many values the ranges of all domains may add together.
        limit: how many errors, and how many warnings, are listed, at least 1; the rest are counted.
        reader: what reads the text into columns.
        advance: called with how many bytes were read since its last call.
    """
    collector = Collector(source, limit)
    columns = reader(source, collector, max_range_values, advance)
    check_names(columns, collector)
    check_domains(columns, collector)
    check_tables(columns, collector)
    check_counts(columns, collector)
    problem = None
    if not collector.n_errors:
        problem = _build(columns)
        check_warnings(columns, problem, collector)
    return Report(problem, tuple(collector.diagnostics()), collector.n_hidden)


def _source_of(text: str | bytes) -> Source:
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    return Source("<text>", data)


def _build(columns: Columns) -> Problem:
    tables = as_array_of_indices(columns.constraint_tables)
    relations, relation_of_table = _relations(columns, tables)
    return Problem(
        title=columns.title,
        words=tuple(columns.words),
        domain_names=tuple(columns.domain_names),
        domain_values=tuple(columns.domain_values),
        variable_names=tuple(columns.variable_names),
        variable_domains=as_array_of_indices(columns.variable_domains).copy(),
        relations=relations,
        scopes=as_array_of_indices(columns.scopes).copy(),
        scope_offsets=as_array(columns.scope_offsets).copy(),
        constraint_relations=relation_of_table[tables],
        labels=tuple(columns.labels) if columns.labels is not None else None,
        origin=_origin(columns),
    )


def _relations(columns: Columns, tables: Ids) -> tuple[tuple[Relation, ...], Ids]:
    """The distinct relations in the order of their first use, and for each table which it is.

    Bodies may differ in blanks alone, and a table that a reader has seen need not be one of the problem.
    """
    first_use = np.full(len(columns.tables), UNKNOWN, dtype=np.int64)
    first_use[tables[::-1]] = np.arange(len(tables) - 1, -1, -1)  # the last to be written is the first
    index: dict[tuple[Kind, int, bytes], int] = {}
    relations: list[Relation] = []
    relation_of_table = np.zeros(len(columns.tables), dtype=np.int32)
    for i in np.argsort(first_use, kind="stable").tolist():
        if first_use[i] == UNKNOWN:
            continue
        relation = Relation(columns.tables[i].kind, columns.tables[i].values)
        relation_of_table[i] = index.setdefault(relation.key, len(relations))
        if relation_of_table[i] == len(relations):
            relations.append(relation)
    return tuple(relations), relation_of_table


def _origin(columns: Columns) -> Origin:
    return Origin(
        columns.source.name,
        _lines(columns, columns.domain_starts),
        _lines(columns, columns.variable_starts),
        as_array(columns.lines).copy(),
    )


def _lines(columns: Columns, starts: "array[int]") -> Offsets:
    lines = columns.source.lines_of(starts)
    return np.fromiter((lines[start] for start in starts), dtype=np.int64, count=len(starts))

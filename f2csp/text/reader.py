"""The reader: lark cuts any text at its section lines; what stands between them, :mod:`sections` reads into columns."""

from collections.abc import Callable

from f2csp.diagnostics import Collector, Source
from f2csp.text.columns import Columns
from f2csp.text.sections import MAX_RANGE_VALUES, Sections
from f2csp.text.terminals import language
from f2csp.utf8 import check_encoding


def read(
    source: Source,
    collector: Collector,
    max_range_values: int = MAX_RANGE_VALUES,
    advance: Callable[[int], None] | None = None,
) -> Columns:
    """Read a text into columns; every fault of form goes to the collector.

    Args:
        source: the text.
        collector: takes the findings.
        max_range_values: how many values the ranges of all domains may add together.
        advance: called with how many bytes were read, at the end.

    Complexity:
        Linear in the text, in time and memory.
    """
    check_encoding(source, collector)
    sections = Sections(source, collector, max_range_values)
    cut(source, sections, source.start, len(source.data))
    if advance:
        advance(len(source.data))
    return sections.finish()


def cut(source: Source, sections: Sections, start: int, end: int) -> None:
    """Give every section line from ``start`` to ``end`` to ``sections``, as the grammar's rule ``tolerant`` finds it.

    The text is read as Latin-1: the grammar's patterns are ASCII, so a character is a byte and an offset a byte offset.
    """
    text = source.data[start:end].decode("latin-1")
    for token in language().parse_interactive(text, start="tolerant").iter_parse():
        if token.type == "_SECTION":
            sections.add(start + (token.start_pos or 0))

"""Records of a batch as tables: CSV, Arrow and Parquet. What is not a number or a word is JSON in a cell."""

import csv
import json
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from f2csp.diagnostics import MissingExtra
from f2csp.json_text import numbers_of_any_length

if TYPE_CHECKING:
    import pyarrow

_BATCH_ROWS = 10_000

_COLUMNS = {
    "convert": "output:text text:text",
    "validate": "valid:bool",
    "stats": "title:text domains:int variables:int constraints:int accepted_tuples:int rejected_tuples:int "
    "distinct_relations:int arities:text domain_sizes:text tightness:text density:float degrees:text components:int "
    "log10_search_space:float",
    "solve": "status:text solutions:text complete:bool engine:text",
    "unique": "verdict:text solutions:text differing:text",
    "count": "count:text exact:bool method:text states:int",
}
"""The columns of each command, with their types; a count may have more digits than any number of Arrow."""


def columns_of(command: str) -> dict[str, str]:
    """The names and types of the columns of a command's records."""
    pairs = f"command:text file:text index:int {_COLUMNS[command]} error:text diagnostics:text".split()
    return dict(pair.split(":") for pair in pairs)


def parsed(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The records of lines of JSON."""
    for line in lines:
        with numbers_of_any_length():
            record: dict[str, Any] = json.loads(line)
        yield record


def write_csv(records: Iterable[dict[str, Any]], command: str, stream: BinaryIO) -> None:
    """Write records with the names of the columns above them."""
    text = TextIOWrapper(stream, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    columns = columns_of(command)
    writer.writerow(columns)
    for record in records:
        writer.writerow([_cell(record.get(name), form) for name, form in columns.items()])
    text.detach()


def require_arrow(purpose: str) -> None:
    """Raise MissingExtra without pyarrow."""
    try:
        import pyarrow  # noqa: F401 - whether it is there
    except ImportError:
        raise MissingExtra(purpose, "batch") from None


def write_parquet(records: Iterable[dict[str, Any]], command: str, stream: BinaryIO) -> None:
    """Write records as Parquet, some at a time."""
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(stream, _schema(command)) as writer:
        for table in _arrow_tables(records, command):
            writer.write_table(table)


def arrow_table(records: Iterable[dict[str, Any]], command: str) -> "pyarrow.Table":
    """Records as a table of Arrow."""
    import pyarrow

    return pyarrow.concat_tables([_schema(command).empty_table(), *_arrow_tables(records, command)])


def _arrow_tables(records: Iterable[dict[str, Any]], command: str) -> "Iterator[pyarrow.Table]":
    import pyarrow

    columns, rest = columns_of(command), iter(records)
    while some := list(islice(rest, _BATCH_ROWS)):
        rows = [{name: _cell(record.get(name), form) for name, form in columns.items()} for record in some]
        yield pyarrow.Table.from_pylist(rows, _schema(command))


def _schema(command: str) -> "pyarrow.Schema":
    import pyarrow

    types = {"int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_(), "text": pyarrow.string()}
    return pyarrow.schema([(name, types[form]) for name, form in columns_of(command).items()])


def _cell(value: Any, form: str) -> Any:
    if form != "text" or value is None:
        return value
    if not isinstance(value, str):
        with numbers_of_any_length():
            value = json.dumps(value, ensure_ascii=False)
    return value.encode("utf-8", "backslashreplace").decode()  # the name of a file need not be UTF-8

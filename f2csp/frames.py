"""Results as data frames of pandas."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from f2csp.diagnostics import MissingExtra

if TYPE_CHECKING:
    import pandas


def data_frame(rows: Iterable[Mapping[str, object]]) -> "pandas.DataFrame":
    """A data frame with a row for each mapping, from column to value; raises MissingExtra without pandas."""
    try:
        import pandas
    except ImportError:
        raise MissingExtra("to_pandas()", "data") from None
    return pandas.DataFrame([dict(row) for row in rows])

"""A row of the table of benchmarks, and what it finds."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.texts import Texts


@dataclass(frozen=True)
class Figure:
    """What a row found.

    Attributes:
        seconds: how long it took.
        value: what is compared with the goals.
        peak: megabytes, above what the process held before, or of the whole process; None where unknown.
    """

    seconds: float
    value: float
    peak: float | None


@dataclass(frozen=True)
class Row:
    """A row of the table.

    Attributes:
        name: what is measured.
        unit: of the goals and of the figure's value.
        must: what the value must not exceed.
        aim: what it should not exceed.
        text: makes the text that the row reads.
        run: measures; takes the text's path, and all texts.
    """

    name: str
    unit: str
    must: float
    aim: float
    text: Callable[[Texts], Path]
    run: Callable[[Path, Texts], Figure]

"""The steps of a search, written to a file."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from f2csp.search import Step


@contextmanager
def steps_written(file: str | None) -> Iterator[Callable[[Step], None] | None]:
    """A function that writes a step as a line of JSON; None without a file."""
    import json

    from f2csp.files import writing

    if file is None:
        yield None
        return
    with writing(file) as stream:

        def write(step: Step) -> None:
            stream.write(json.dumps(step, ensure_ascii=False).encode() + b"\n")

        yield write

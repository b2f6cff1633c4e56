"""Texts that are no puzzles of the kinds that are read: none of them may become one."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.door import documents, games, matrices, plans, solver_texts
from tests.door.texts import Text, drawn

SEED = 22
WRITTEN = Path(__file__).parents[1] / "corpus" / "non_puzzles"

_NAME = re.compile(r"^==> (.*) <==\n", re.MULTILINE)  # above each text of a file, as the program head has it


def non_puzzles() -> Iterator[Text]:
    """The texts of all families, and those written by hand."""
    for module in (matrices, plans, games, solver_texts, documents):
        yield from drawn(module.FAMILIES, SEED)
    for path in sorted(WRITTEN.iterdir()):
        _, *parts = _NAME.split(path.read_text(encoding="utf-8"))
        yield from (Text(name, text, path.stem) for name, text in zip(parts[::2], parts[1::2], strict=True))

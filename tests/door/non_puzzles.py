"""Texts that are no puzzles of the kinds that are read: none of them may become one."""

import json
from collections.abc import Iterator

from tests.door.texts import CORPUS, Text, written_texts


def non_puzzles() -> Iterator[Text]:
    yield from written_texts("non_puzzles")
    tiny: list[str] = json.loads((CORPUS / "non_puzzles" / "tiny.json").read_text(encoding="utf-8"))
    for i, text in enumerate(tiny):
        yield Text(f"tiny-{i:02}.txt", f"next to nothing: {text!r}", text)

"""Texts in files of the corpus, each below a line ``==> name: note <==``, as the program head has it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CORPUS = Path(__file__).parents[1] / "corpus"

_HEADING = re.compile(r"^==> (\S*?)(?:: (.*))? <==\n", re.MULTILINE)


class Text(NamedTuple):
    """A text as a file would hold it."""

    name: str  # of the file
    note: str
    text: str


def written_texts(folder: str) -> Iterator[Text]:
    """The texts of all files of a folder of the corpus."""
    for path in sorted((CORPUS / folder).glob("*.txt")):
        _, *parts = _HEADING.split(path.read_bytes().decode())  # as bytes, for the line ends
        for name, note, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            yield Text(name, note or path.stem, text)


def fields(words: list[str]) -> dict[str, str]:
    """The words ``name=value`` of a note."""
    return dict(word.split("=", 1) for word in words if "=" in word)

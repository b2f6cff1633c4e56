r"""Faulty texts and what is reported of each, in one file: ``tests/corpus/faults/<reader>.txt``.

A case is a line ``+ text``, or pairs of lines ``- part`` and ``+ other part`` that change a sound text, with escapes
such as \n, and perhaps a line ``# remark``; below are the diagnostics, which ``pytest --update`` writes.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from f2csp.diagnostics import Diagnostic, InvalidInput, Source
from tests.conftest import Expected

Reader = Callable[[Source], object]

_CORPUS = Path(__file__).parent / "corpus" / "faults"

SOUND_TEXTS = _CORPUS / "sound"
"""The texts that cases of foreign formats change, each with its problem."""


def check_faults(
    name: str, read: Reader, expected: Expected, sound: str = "", text_of: Callable[[str], str] = str
) -> None:
    """Read every case of a file, and compare what is reported.

    Args:
        name: The name of the file.
        read: The reader.
        expected: The fixture.
        sound: The text that the cases change.
        text_of: Makes a whole text of a case that changes none.
    """
    path, blocks = _CORPUS / f"{name}.txt", []
    for case in _cases(path):
        text = sound
        for old, new in _pairs(case):
            assert not old or text.count(old) == 1, case
            text = text.replace(old, new) if old else text_of(new)
        blocks.append("\n".join([*case, *lines_of(reported(read, text))]))
    expected(path, "\n\n".join(blocks) + "\n")


def sound_text(name: str) -> str:
    return (SOUND_TEXTS / f"{name}.txt").read_text(encoding="utf-8")


def changes(path: Path) -> list[tuple[str, str]]:
    """The changes in a file that has nothing else."""
    return [pair for case in _cases(path) for pair in _pairs(case)]


def _cases(path: Path) -> list[list[str]]:
    blocks = path.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    return [[line for line in block.split("\n") if line[0] in "-+#"] for block in blocks]


def _pairs(case: list[str]) -> Iterator[tuple[str, str]]:
    """The part that is replaced, or an empty one, and the other part."""
    old = ""
    for line in case:
        part = line[2:].encode("latin-1", "backslashreplace").decode("unicode_escape")
        if line[0] == "+":
            yield old, part
        old = part if line[0] == "-" else ""


def reported(read: Reader, text: str | bytes) -> list[Diagnostic]:
    """What is reported of a text that has faults."""
    with pytest.raises(InvalidInput) as caught:
        read(Source("file", text.encode() if isinstance(text, str) else text))
    assert caught.value.n_hidden == 0
    return list(caught.value.diagnostics)


def place_of(diagnostic: Diagnostic) -> str:
    """The place as LINE:COLUMN-LINE:COLUMN."""
    span = diagnostic.span
    return f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"


def line_of(diagnostic: Diagnostic) -> str:
    return f"{place_of(diagnostic)} {diagnostic.code} {diagnostic.message}"


def lines_of(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """A line for each diagnostic, with its hint below."""
    return [line for d in diagnostics for line in (line_of(d), *([f"    hint: {d.hint}"] if d.hint else []))]


def places(read: Reader, text: str | bytes) -> list[str]:
    """The faults of a text as CODE LINE:COLUMN-END; the end is one on the same line."""
    found = reported(read, text)
    assert all(d.span.line == d.span.end_line for d in found), found
    return [f"{d.code} {d.span.line}:{d.span.column}-{d.span.end_column}" for d in found]


def messages(read: Reader, text: str) -> list[tuple[str, str | None]]:
    """The messages and hints."""
    return [(d.message, d.hint) for d in reported(read, text)]

r"""Faulty texts and what is reported of each, in one file: ``tests/corpus/faults/<reader>.txt``.

A case is a line ``+ text``, or pairs of lines ``- part`` and ``+ other part`` that change a sound text, with escapes
such as \n, and perhaps a line ``# remark``; below are the diagnostics, which ``pytest --update`` writes.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from f2csp.diagnostics import Diagnostic, InvalidInput, Source
from tests.conftest import Expected

Reader = Callable[[Source], object]

_CORPUS = Path(__file__).parent / "corpus" / "faults"


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
    for block in path.read_text(encoding="utf-8").rstrip("\n").split("\n\n"):
        case = [line for line in block.split("\n") if line[0] in "-+#"]
        text, old = sound, ""
        for line in case:
            part = line[2:].encode("latin-1", "backslashreplace").decode("unicode_escape")
            if line[0] == "-":
                old = part
                assert text.count(old) == 1, line
            elif line[0] == "+":
                text = text.replace(old, part) if old else text_of(part)
        blocks.append("\n".join([*case, *lines_of(reported(read, text))]))
    expected(path, "\n\n".join(blocks) + "\n")


def reported(read: Reader, text: str | bytes) -> list[Diagnostic]:
    """What is reported of a text that has faults."""
    with pytest.raises(InvalidInput) as caught:
        read(Source("file", text.encode() if isinstance(text, str) else text))
    assert caught.value.n_hidden == 0
    return list(caught.value.diagnostics)


def line_of(diagnostic: Diagnostic) -> str:
    """The place, the code and the message."""
    span = diagnostic.span
    place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
    return f"{place} {diagnostic.code} {diagnostic.message}"


def lines_of(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """The same of several, with their hints below them."""
    return [line for d in diagnostics for line in (line_of(d), *([f"    hint: {d.hint}"] if d.hint else []))]

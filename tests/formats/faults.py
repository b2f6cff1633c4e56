"""What is reported of a faulty text: codes with places, or messages with hints."""

from pathlib import Path

from tests.fault_cases import Reader, reported

SOUND_TEXTS = Path(__file__).parents[1] / "corpus" / "faults" / "sound"
"""The texts that the cases of faults change, each with its problem."""


def sound_text(name: str) -> str:
    return (SOUND_TEXTS / f"{name}.txt").read_text(encoding="utf-8")


def places(read: Reader, text: str | bytes) -> list[str]:
    """The faults as CODE LINE:COLUMN-END; the end is one on the same line."""
    found = reported(read, text)
    assert all(d.span.line == d.span.end_line for d in found), found
    return [f"{d.code} {d.span.line}:{d.span.column}-{d.span.end_column}" for d in found]


def messages(read: Reader, text: str) -> list[tuple[str, str | None]]:
    """The messages and hints."""
    return [(d.message, d.hint) for d in reported(read, text)]

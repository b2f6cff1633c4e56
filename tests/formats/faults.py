"""What is reported of a faulty text: codes with places, or messages with hints."""

from tests.fault_cases import Reader, reported


def places(read: Reader, text: str | bytes) -> list[str]:
    """The faults as CODE LINE:COLUMN-END; the end is one on the same line."""
    found = reported(read, text)
    assert all(d.span.line == d.span.end_line for d in found), found
    return [f"{d.code} {d.span.line}:{d.span.column}-{d.span.end_column}" for d in found]


def messages(read: Reader, text: str) -> list[tuple[str, str | None]]:
    """The messages and hints."""
    return [(d.message, d.hint) for d in reported(read, text)]

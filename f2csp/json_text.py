"""JSON as Python's values, with faults that name the path of a value, such as ``relations[0].tuples[2]``."""

import json
import re
import sys
from decimal import Decimal
from types import NoneType
from typing import Any

from f2csp.diagnostics import Collector, Source, brief
from f2csp.diagnostics.collector import Fault
from f2csp.diagnostics.render import escaped_json

JsonPath = tuple[str | int, ...]
"""The keys and indices that lead to a value."""

JSON_KINDS: dict[type, str] = {
    str: "a string",
    list: "a list",
    tuple: "an object",
    bool: "a boolean",
    int: "a number",
    float: "a number that is no integer",
    NoneType: "null",
}
"""The kind of a value in words, by its type; an object is a tuple of its keys and values, a key may be there twice."""


def parse_json(source: Source, malformed: str, unfinished: str) -> Any:
    """Parse a JSON text in UTF-8.

    Args:
        source: the text.
        malformed: the code for a text that is not JSON, or that Python cannot read.
        unfinished: the code for a text that ends early.

    Raises:
        InvalidInput: the text is not JSON.
    """
    collector = Collector(source)
    text = source.data[source.start :].decode()
    try:
        return json.loads(text, object_pairs_hook=tuple)
    except json.JSONDecodeError as error:
        start = source.start + len(text[: error.pos].encode())
        if error.pos >= len(text.rstrip()):
            end = len(source.data.rstrip())
            collector.add(unfinished, end, end, "the text ends before the JSON is complete", hint="get the whole file")
        else:
            message = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
            collector.add(malformed, start, start + len(text[error.pos].encode()), message)
    except RecursionError:
        collector.add(malformed, source.start, source.start, "the values are nested too deeply")
    except ValueError:
        most = sys.get_int_max_str_digits()
        number = re.search(rb"[0-9]{%d}" % (most + 1), source.data)
        start = number.start() if number else source.start
        collector.add(malformed, start, start, f"a number has more than {most:,} digits")
    collector.raise_if_errors()
    return None


class JsonCollector(Collector):
    """Takes findings at paths: each is put at the beginning of the text, its message begins with the path."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._numbers: dict[JsonPath, int] = {}
        self._paths: list[JsonPath] = []

    def place(self, *path: str | int) -> tuple[int, int]:
        """A number in place of the byte offsets of a value, twice."""
        number = self._numbers.setdefault(path, len(self._paths))
        if number == len(self._paths):
            self._paths.append(path)
        return number, number

    def path(self, number: int) -> JsonPath:
        return self._paths[number]

    def report(self, fault: Fault) -> None:
        path = self._paths[fault.start]
        message = f"{_path_text(path)}: {fault.message}" if path else fault.message
        related = [(label, self._paths[number]) for number, _, label in fault.related if number != fault.start]
        notes = [*fault.notes, *(f"{label}: {_path_text(other)}" for label, other in related)]
        start = self.source.start
        super().report(fault._replace(start=start, end=start, message=message, related=(), notes=notes))


def _path_text(path: JsonPath) -> str:
    steps = [f"[{step}]" if isinstance(step, int) else f".{brief(step)}" for step in path]
    return "".join(steps).removeprefix(".")


def json_line(value: Any) -> bytes:
    """A line of JSON: names of files in it need not be UTF-8, numbers may have more digits than Python writes."""
    try:
        text = escaped_json(value)
    except ValueError:
        text = _text_of_any_length(value)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _text_of_any_length(value: Any) -> str:
    if isinstance(value, dict):
        pairs = [f"{escaped_json(k)}: {_text_of_any_length(value[k])}" for k in value]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text_of_any_length, value)) + "]"
    return digits(value) if type(value) is int else escaped_json(value)


def parse_json_line(line: bytes) -> Any:
    """The value of a line of JSON."""
    try:
        return json.loads(line)
    except ValueError:
        return json.loads(line, parse_int=lambda number: int(Decimal(number)))


def digits(number: int, form: str = "") -> str:
    """A number in decimal digits, also where it has more than the 4,300 that Python writes."""
    return format(Decimal(number), form)

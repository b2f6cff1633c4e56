"""Faults of a JSON text by the path to the value; their places are found at the end, in one pass."""

from dataclasses import dataclass
from typing import Any, Literal

from f2csp.diagnostics import Collector
from f2csp.formats.json_places import Path, Place, places, repeated_keys

Part = Literal["whole", "opening", "key"]


@dataclass(frozen=True, slots=True)
class _Fault:
    code: str
    path: Path
    message: str
    part: Part
    hint: str | None
    label: str


class Faults:
    """Takes faults and tells them to a collector.

    Attributes:
        collector: what is told.
    """

    def __init__(self, collector: Collector) -> None:
        """Begin without any."""
        self.collector = collector
        self._faults: list[_Fault] = []
        self._n_hidden = 0
        self._has_repeated_keys = False

    def __bool__(self) -> bool:
        return bool(self._faults) or self._has_repeated_keys

    def add(
        self, code: str, path: Path, message: str, *, part: Part = "whole", hint: str | None = None, label: str = ""
    ) -> None:
        """Take a fault of the value at a path, of its key, or of the bracket with which it opens."""
        if len(self._faults) < 2 * self.collector.limit:
            self._faults.append(_Fault(code, path, message, part, hint, label))
        else:
            self._n_hidden += 1

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """An object of the text; a key that stands twice in it is a fault."""
        members = dict(pairs)
        if len(members) < len(pairs):
            self._has_repeated_keys = True
        return members

    def tell(self) -> None:
        """Find the places, and tell the collector."""
        data, start = self.collector.source.data, self.collector.source.start
        if self._has_repeated_keys:
            for span in repeated_keys(data, start):
                self.collector.add("F508", *span, "the key stands twice in one object", hint="keep one of the two")
        if self._faults:
            found = places(data, start, {fault.path for fault in self._faults})
            for fault in self._faults:
                span = _part(found[fault.path], fault.part)
                self.collector.add(fault.code, *span, fault.message, hint=fault.hint, label=fault.label)
            self.collector.count_hidden(self._n_hidden)


def _part(place: Place, part: Part) -> tuple[int, int]:
    if part == "key" and place.key:
        return place.key
    return (place.start, place.start + 1) if part == "opening" else (place.start, place.end)

"""The variables of an instance, alone and in arrays, and their domains."""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import Collector, near_word_hint, shown
from f2csp.formats.xcsp3.elements import Element, stray_text
from f2csp.formats.xcsp3.limits import Limits
from f2csp.formats.xcsp3.texts import Span, Text, text_of
from f2csp.model.words import is_name

_DOMAIN_VALUE = re.compile(rb"([-+]?[0-9]{1,18})(?:\.\.([-+]?[0-9]{1,18}))?")
_SIZE = re.compile(r"\s*(?:\[\s*[0-9]{1,9}\s*\]\s*)+")
_ELEMENTS = re.compile(rb"([^\s\[\](),]+)((?:\[[0-9]{0,9}(?:\.\.[0-9]{1,9})?\])+)")
_SUBSCRIPT = re.compile(rb"\[([0-9]*)(?:\.\.([0-9]+))?\]")

_UNDEFINED = -1


@dataclass(frozen=True, slots=True)
class Array:
    """An array of variables; some of its cells may be none."""

    cells: NDArray[np.int64]

    def chosen(self, subscripts: bytes) -> NDArray[np.int64] | None:
        """What the cells at some subscripts hold, such as [2][], [0..1][3]; None if they are not all in the array."""
        found = _SUBSCRIPT.findall(subscripts)
        if len(found) != self.cells.ndim:
            return None
        slices = []
        for (first, last), size in zip(found, self.cells.shape, strict=True):
            start, end = int(first or 0), int(last or first or size - 1)
            if (last and not first) or not start <= end < size:
                return None
            slices.append(slice(start, end + 1))
        return self.cells[tuple(slices)].ravel()


class Variables:
    """Takes the declarations; tells faults to a collector.

    Attributes:
        names: of the variables.
        domains: for each variable the number of its domain.
        notes: for each variable its note.
        values: for each domain its values; no two are the same.
        index: the variable of each name.
    """

    def __init__(self, data: bytes, collector: Collector, limits: Limits) -> None:
        """Begin without any."""
        self.names: list[str] = []
        self.domains: list[int] = []
        self.notes: list[str] = []
        self.values: list[list[int]] = []
        self.index: dict[bytes, int] = {}
        self._data = data
        self._collector = collector
        self._limits = limits
        self._arrays: dict[bytes, Array] = {}
        self._places: dict[str, Span] = {}
        self._domain_of_text: dict[bytes, int | None] = {}
        self._domain_of_values: dict[tuple[int, ...], int] = {}
        self._lost: set[bytes] = set()

    def declare(self, element: Element) -> None:
        """Take a ``<var>`` or an ``<array>``."""
        if element.name not in ("var", "array"):
            self._collector.add("F502", *_tag(element), f"<{element.name}> is not read among the variables")
            return
        name = element.attributes.get("id", "")
        if not self._is_new_name(name, element):
            return
        is_read = self._take_array(name, element) if element.name == "array" else self._take_one(name, element)
        if not is_read:
            self._lost.add(name.encode())

    def scope(self, text: Text) -> list[int] | None:
        """The variables that a list names, or None if some are not known, which is told."""
        try:
            return [self.index[word] for word in text.data.split()]
        except KeyError:
            return self._expanded(text)

    def expanded_words(self, words: Sequence[bytes], place: Span) -> list[bytes]:
        """Words with the names of the variables for those that stand for several."""
        expanded = []
        for word in words:
            several = self._several(word, place) if b"]" in word and word not in self.index else None
            expanded += [word] if several is None else [self.names[variable].encode() for variable in several]
        return expanded

    def tell_unknown(self, word: bytes, place: Span) -> None:
        """Tell that a name is declared nowhere, unless its declaration has faults."""
        name = word.decode("utf-8", "replace")
        if word.partition(b"[")[0] in self._lost:
            return
        if b"(" in word:
            self._collector.add("F502", *place, f"{shown(name)} is an expression, and a variable is due")
            return
        base = word.partition(b"[")[0]
        if base in self._arrays:
            shape = "".join(f"[{size}]" for size in self._arrays[base].cells.shape)
            message = f"{shown(name)} is not in the array, whose size is {shape}"
            self._collector.add("F503", *place, message, hint="subscripts count from 0")
            return
        hint = None if self._collector.is_full else near_word_hint(name, self.names)
        self._collector.add("F503", *place, f"variable {shown(name)} is not declared", hint=hint)

    def _expanded(self, text: Text) -> list[int] | None:
        scope: list[int] = []
        is_complete = True
        for word, place in text.words():
            if word in self.index:
                scope.append(self.index[word])
                continue
            several = self._several(word, place)
            if several is None:
                self.tell_unknown(word, place)
                is_complete = False
            else:
                scope += several
        return scope if is_complete else None

    def _several(self, word: bytes, place: Span) -> list[int] | None:
        match = _ELEMENTS.fullmatch(word)
        found = self._arrays.get(match[1]) if match else None
        chosen = found.chosen(match[2]) if found and match else None
        if chosen is None or not self._limits.can_name(len(chosen), place):
            return None
        several: list[int] = chosen[chosen != _UNDEFINED].tolist()
        return several

    def _is_new_name(self, name: str, element: Element) -> bool:
        what = {"var": "a variable", "array": "an array"}[element.name]
        if not name:
            self._collector.add("F501", *_tag(element), f"{what} has no id", hint='write <var id="NAME">')
            return False
        if name in self._places:
            related = [(*self._places[name], "the first is here")]
            self._collector.add("F508", *_tag(element), f"{shown(name)} is declared twice", related=related)
            return False
        self._places[name] = _tag(element)
        if not is_name(name):
            message = f"{shown(name)!r} cannot name {what}: a name is a word, and no section word of F2CSP"
            self._collector.add("F509", *_tag(element), message, hint="rename it")
            return False
        if element.attributes.get("type", "integer") != "integer":
            message = f"{what} of type {shown(element.attributes['type'])} is not read"
            self._collector.add("F502", *_tag(element), message, hint="only integers are read")
            return False
        return True

    def _take_one(self, name: str, element: Element) -> bool:
        other = element.attributes.get("as")
        if other is not None:
            known = self.index.get(other.encode())
            if known is None:
                self.tell_unknown(other.encode(), _tag(element))
                return False
            self._add(name, self.domains[known], element.attributes.get("note", ""))
            return True
        text = text_of(element, self._data, self._collector)
        domain = None if text is None else self._domain(text)
        if domain is None:
            return False
        self._add(name, domain, element.attributes.get("note", ""))
        return True

    def _add(self, name: str, domain: int, note: str) -> None:
        self.index[name.encode()] = len(self.names)
        self.names.append(name)
        self.domains.append(domain)
        self.notes.append(note)

    def _take_array(self, name: str, element: Element) -> bool:
        size = element.attributes.get("size", "")
        if not _SIZE.fullmatch(size):
            message = f"the size of array {shown(name)} is {shown(size)!r}" if size else f"array {name} has no size"
            self._collector.add("F501", *_tag(element), message, hint='write size="[3][4]"')
            return False
        if set(element.attributes.get("startIndex", "")) - set("[0] "):
            self._collector.add("F502", *_tag(element), "an array whose subscripts do not count from 0 is not read")
            return False
        shape = [int(number) for number in re.findall("[0-9]+", size)]
        if len(shape) > _MOST_DIMENSIONS or not self._limits.can_declare(prod(shape), _tag(element)):
            return False
        domains = np.full(shape, _UNDEFINED, dtype=np.int64)
        if not self._fill(name, element, domains):
            return False
        cells = np.full(shape, _UNDEFINED, dtype=np.int64)
        for place, domain in np.ndenumerate(domains):
            if domain != _UNDEFINED:
                cells[place] = len(self.names)
                self._add(name + "".join(f"[{number}]" for number in place), int(domain), "")
        self._arrays[name.encode()] = Array(cells)
        return True

    def _fill(self, name: str, element: Element, domains: NDArray[np.int64]) -> bool:
        """Set the domain of each cell that has one."""
        other = element.attributes.get("as")
        if other is not None:
            known = self._arrays.get(other.encode())
            if known is None or known.cells.shape != domains.shape:
                self._collector.add("F503", *_tag(element), f"there is no array {shown(other)} of this size")
                return False
            is_there = known.cells != _UNDEFINED
            domains[is_there] = np.array(self.domains)[known.cells[is_there]]
            return True
        if not element.children:
            text = text_of(element, self._data, self._collector)
            domain = None if text is None else self._domain(text)
            domains[:] = _UNDEFINED if domain is None else domain
            return domain is not None
        stray = stray_text(self._data, element.text_start, element.children[0].start)
        if stray:
            self._collector.add("F501", *stray, "there is text in <array> beside its <domain>")
        return all([self._fill_some(name, child, domains) for child in element.children])  # noqa: C419 - tell of all

    def _fill_some(self, name: str, child: Element, domains: NDArray[np.int64]) -> bool:
        """Set the domain of the cells that a ``<domain for=...>`` is for."""
        if child.name != "domain":
            self._collector.add("F502", *_tag(child), f"<{child.name}> is not read in an array")
            return False
        text = text_of(child, self._data, self._collector)
        domain = None if text is None else self._domain(text)
        if domain is None:
            return False
        cells = np.arange(domains.size).reshape(domains.shape)
        for word in child.attributes.get("for", "").encode().split():
            if word == b"others":
                domains[domains == _UNDEFINED] = domain
                continue
            match = _ELEMENTS.fullmatch(word)
            chosen = Array(cells).chosen(match[2]) if match and match[1] == name.encode() else None
            if chosen is None:
                message = f"{shown(word.decode('utf-8', 'replace'))} is not in array {shown(name)}"
                self._collector.add("F503", *_tag(child), message)
                return False
            domains.ravel()[chosen] = domain
        return True

    def _domain(self, text: Text) -> int | None:
        """The number of a domain, or None if it has faults, which are told each time."""
        known = self._domain_of_text.get(text.data)
        if known is not None:
            return known
        values = self._domain_values(text)
        if values is None:
            return None
        domain = self._domain_of_values.setdefault(tuple(values), len(self.values))
        if domain == len(self.values):
            self.values.append(values)
        self._domain_of_text[text.data] = domain
        return domain

    def _domain_values(self, text: Text) -> list[int] | None:
        values = array("q")
        is_read = True
        for word, place in text.words():
            match = _DOMAIN_VALUE.fullmatch(word)
            if not match:
                message = f"{shown(word.decode('utf-8', 'replace'))} is no integer and no range of integers"
                self._collector.add("F502", *place, message, hint="write integers, and ranges such as 1..9")
                is_read = False
                continue
            first, last = int(match[1]), int(match[2] or match[1])
            if last < first:
                self._collector.add("F501", *place, f"the range ends at {last}, below its start {first}")
                is_read = False
            elif last > first and not self._limits.can_list(last - first + 1, place):
                is_read = False
            else:
                values.extend(range(first, last + 1))
        listed = values.tolist()
        if is_read and not listed:
            self._collector.add("F501", *text.span(), "the domain has no value", hint="write its values")
            is_read = False
        if len(set(listed)) != len(listed):
            self._collector.add("F508", *text.whole(), "the domain has a value twice", hint="keep one of them")
            is_read = False
        return listed if is_read else None


_MOST_DIMENSIONS = 8


def _tag(element: Element) -> Span:
    return element.start, element.text_start

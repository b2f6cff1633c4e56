"""The variables of an instance, alone and in arrays, their domains, and the places of parts for the rules."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress, count, product
from math import prod
from typing import cast

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import ByteSpan, Source, brief, near_word_hint
from f2csp.formats.xcsp3.xml_elements import Element, PartFault, TupleBudget, UnreadableInstance, XmlText, written
from f2csp.text.columns import Columns, SourcePlaces

TUPLE = re.compile(rb"\(([^()]*+)\)|\([^()\s]*+|[^\s()]++|\)")
"""A tuple, with its inside as a group; or a word, or part of a tuple."""

_VALUE = re.compile(rb"[^\s(),]++")
_DOMAIN_VALUE = re.compile(rb"([-+]?[0-9]{1,18})(?:\.\.([-+]?[0-9]{1,18}))?")
_SIZE = re.compile(r"\s*(?:\[\s*[0-9]{1,9}\s*\]\s*)+")
_ELEMENTS = re.compile(rb"([^\s\[\](),]+)((?:\[[0-9]{0,9}(?:\.\.[0-9]{1,9})?\])+)")
_SUBSCRIPT = re.compile(rb"\[([0-9]*)(?:\.\.([0-9]+))?\]")

Step = int | tuple[str, int]
"""A constant; or "" and a variable; or a function and the number of its arguments."""

Terms = list[list[Step]]
"""The steps of each of some expressions."""

_INTEGER = re.compile(rb"[-+]?[0-9]{1,18}")
_FIRST_SYMBOL = 1 << 60
_UNDEFINED = -1
_MAX_DIMENSIONS = 8
_MAX_HINTS = 10  # unknown names for which a near name is looked for

_Cells = NDArray[np.int64]


class Variables:
    """The declarations read up to now; what has a fault, or is not declared, raises ``PartFault``."""

    def __init__(self, data: bytes, budget: TupleBudget) -> None:
        self.names: list[str] = []
        self.domains: list[int] = []  # for each variable the index of its domain
        self.notes: list[str] = []
        self.tags: list[ByteSpan] = []
        self.index: dict[bytes, int] = {}  # the variable of each name
        self.mentioned: set[int] = set()  # the variables that constraints name
        self.values: list[tuple[int, ...]] = []  # of each domain; no two domains have the same
        self.texts: list[XmlText] = []  # for each domain its first text
        self.symbols: dict[bytes, int] = {}  # the number of each symbol, which no integer of a file has
        self._has_symbols = False  # whether the declaration is one of symbolic variables
        self._data = data
        self._budget = budget
        self._arrays: dict[bytes, _Cells] = {}
        self._domain_of_text: dict[bytes, int] = {}
        self._domain_of_values: dict[tuple[int, ...], int] = {}
        self.lost: set[bytes] = set()  # names that are not declared, or whose declarations have faults

    def declare(self, element: Element) -> None:
        if element.name not in ("var", "array"):
            raise PartFault("F502", element.tag, f"<{element.name}> is not supported among the variables")
        name = element.attributes.get("id", "")
        if not name:
            raise PartFault("F501", element.tag, f"<{element.name}> has no id", 'write <var id="NAME">')
        try:
            if (kind := element.attributes.get("type", "integer")) not in ("integer", "symbolic"):
                message = f"a variable of type {brief(kind)} is not supported"
                raise UnreadableInstance("F502", element.tag, message, "declare integers or symbols")
            self._has_symbols = kind == "symbolic"
            if element.name == "array":
                self._declare_array(name, element)
            else:
                self._declare_variable(name, element)
        except PartFault:
            self.lost.add(name.encode())
            raise

    def word(self, number: int) -> str:
        """A value as a word of F2CSP."""
        return self._words[number - _FIRST_SYMBOL] if number >= _FIRST_SYMBOL else str(number)

    def number(self, word: bytes) -> int | None:
        """The number of an integer or a symbol; None if the word is neither."""
        return int(word) if _INTEGER.fullmatch(word) else self.symbols.get(word)

    @cached_property
    def _words(self) -> list[str]:
        return [symbol.decode("utf-8", "replace") for symbol in self.symbols]

    def add(self, name: str, domain: int, place: ByteSpan) -> int:
        """Add a variable that no constraint can name."""
        self._add([name], [domain], place, "")
        return len(self.names) - 1

    def _add(self, names: Sequence[str], domains: Iterable[int], place: ByteSpan, note: str) -> None:
        self.names += names
        self.domains += domains
        self.notes += [note] * len(names)
        self.tags += [place] * len(names)

    def scope(self, text: XmlText) -> list[int]:
        try:
            scope = [self.index[word] for word in text.data.split()]
        except KeyError:  # a part of an array, or unknown
            scope = [variable for word in text.words() for variable in self._named(word, text)]
        self.mentioned.update(scope)
        return scope

    def matrix(self, text: XmlText) -> list[Terms] | None:
        """The rows of a part of an array with two dimensions; None if the text is none."""
        chosen = self._part(text.data.strip())
        if chosen is None or chosen.ndim != 2 or not np.all(chosen != _UNDEFINED):
            return None
        self.mentioned.update(chosen.ravel().tolist())
        return [[[("", variable)] for variable in row] for row in chosen.tolist()]

    def named(self, word: bytes) -> Step | None:
        """The variable that a word names in a constraint; None for another word."""
        variable = self.index.get(word)
        if variable is None:
            return None
        self.mentioned.add(variable)
        return "", variable

    def holes(self) -> dict[int, ByteSpan]:
        """The variables that no constraint has named up to now, each with the tag that declares it."""
        return {variable: self.tags[variable] for variable in set(self.index.values()) - self.mentioned}

    def expanded(self, text: XmlText) -> list[bytes]:
        """The words of a text, with the names of the variables instead of those words that name several."""
        words = text.data.split()
        if b"[]" not in text.data and b".." not in text.data:
            return words
        expanded: list[bytes] = []
        for word in words:
            cells = self._cells(word, text.span())
            expanded += [word] if cells is None else [self.names[variable].encode() for variable in cells]
        return expanded

    def unknown(self, word: bytes, place: ByteSpan) -> PartFault:
        """The diagnostic for a name that is not declared, unless it was reported."""
        name, base = word.decode("utf-8", "replace"), word.partition(b"[")[0]
        if base in self.lost:
            return PartFault()
        if b"(" in word:
            cure = "declare a variable for it, with the constraint <intension> eq(variable,expression) </intension>"
            return PartFault("F502", place, f"expected a variable, found the expression {brief(name)}", cure)
        if re.fullmatch(rb"[-+]?[0-9]{19,}", word):
            return PartFault("F502", place, f"expected an integer of at most 18 digits, found {brief(name)}")
        if base in self._arrays and not _ELEMENTS.fullmatch(word):
            message = f"expected an element of an array such as {brief(base.decode())}[0], found {brief(name)}"
            cure = f"{brief(name)}[] is all of them" if word == base else "write functions as eq(add(x,1),y)"
            return PartFault("F501", place, message, cure)
        if base in self._arrays:
            shape = "".join(f"[{size}]" for size in self._arrays[base].shape)
            message = f"{brief(name)} is not in the array, which has the size {shape}"
            return PartFault("F204", place, message, "subscripts count from 0")
        self.lost.add(base)  # reported once
        hint = near_word_hint(name, self.names) if len(self.lost) <= _MAX_HINTS else None
        return PartFault("F204", place, f"variable {brief(name)} is not declared", hint)

    def _named(self, word: re.Match[bytes], text: XmlText) -> list[int]:
        name = word.group()
        named = [self.index[name]] if name in self.index else self._cells(name, text.span())
        if named is None:
            raise self.unknown(name, text.place(word))
        return named

    def _cells(self, word: bytes, place: ByteSpan) -> list[int] | None:
        """The variables in a part of an array, such as x[2][], or None if the word is no part of an array."""
        if (chosen := self._part(word)) is None:
            return None
        self._budget.spend("words in lists", chosen.size, place)
        return cast("list[int]", chosen[chosen != _UNDEFINED].tolist())

    def _part(self, word: bytes) -> _Cells | None:
        """The cells in a part of an array."""
        match = _ELEMENTS.fullmatch(word)
        array = self._arrays.get(match[1]) if match else None
        return None if match is None or array is None else _chosen(array, match[2])

    def add_named(self, names: Sequence[str], domains: Iterable[int], element: Element) -> None:
        """Add the variables that an element declares."""
        self.index.update(zip(map(str.encode, names), count(len(self.names)), strict=False))
        self._add(names, domains, element.tag, element.attributes.get("note", ""))

    def _declare_variable(self, name: str, element: Element) -> None:
        if "as" not in element.attributes:
            self.add_named([name], [self._domain(element)], element)
            return
        other = element.attributes["as"].encode()
        if other not in self.index:
            raise self.unknown(other, element.tag)
        self.add_named([name], [self.domains[self.index[other]]], element)

    def _declare_array(self, name: str, element: Element) -> None:
        size, tag = element.attributes.get("size", ""), element.tag
        if name.encode() in self._arrays:
            raise PartFault("F201", tag, f"two arrays are called {brief(name)}", "rename or remove one")
        if not _SIZE.fullmatch(size):
            message = f"expected a size for array {brief(name)}, found {brief(size)!r}"
            raise PartFault("F501", tag, message, 'write size="[3][4]"')
        if set(element.attributes.get("startIndex", "")) - set("[0] "):
            raise PartFault("F502", tag, "an array with subscripts that do not count from 0 is not supported")
        shape = [int(number) for number in re.findall("[0-9]+", size)]
        if len(shape) > _MAX_DIMENSIONS:
            raise PartFault("F502", tag, f"an array of more than {_MAX_DIMENSIONS} dimensions is not supported")
        self._budget.spend("cells in arrays", prod(shape), tag)
        domains = self._domains_of_array(name, element, shape)
        is_variable = domains != _UNDEFINED
        subscripts = [[f"[{i}]" for i in range(size)] for size in shape]
        names = list(compress(map("".join, product([name], *subscripts)), is_variable.ravel().tolist()))
        cells = np.full(shape, _UNDEFINED, dtype=np.int64)
        cells[is_variable] = range(len(self.names), len(self.names) + len(names))
        self._arrays[name.encode()] = cells
        self.add_named(names, domains[is_variable].tolist(), element)

    def _domains_of_array(self, name: str, element: Element, shape: list[int]) -> _Cells:
        """The domain of each cell that has one."""
        other = element.attributes.get("as")
        domains = np.full(shape, _UNDEFINED, dtype=np.int64)
        if other is not None:
            cells = self._arrays.get(other.encode())
            if cells is None or cells.shape != domains.shape:
                raise PartFault("F204", element.tag, f"there is no array {brief(other)} of this size")
            is_variable = cells != _UNDEFINED
            domains[is_variable] = np.array(self.domains, dtype=np.int64)[cells[is_variable]]
        elif not element.children:
            domains[:] = self._domain(element)
        else:
            element.check_no_text(self._data)
            for child in element.children:
                self._fill_in(domains, name, child)
        return domains

    def _fill_in(self, domains: _Cells, name: str, child: Element) -> None:
        """Write the domain in ``<domain for=...>`` into the cells that it is for."""
        if child.name != "domain":
            raise PartFault("F502", child.tag, f"<{child.name}> is not supported in an array")
        for word in child.attributes.get("for", "").encode().split():
            match = _ELEMENTS.fullmatch(word)
            chosen = _chosen(domains, match[2]) if match and match[1] == name.encode() else None
            if word == b"others":
                domains[domains == _UNDEFINED] = self._domain(child)
            elif chosen is not None:
                chosen[...] = self._domain(child)
            else:
                raise PartFault("F204", child.tag, f"{written(word)} is not in array {brief(name)}")

    def _domain(self, element: Element) -> int:
        text = element.text(self._data)
        if text.data not in self._domain_of_text:
            values = tuple(self.numbers(text))
            domain = self._domain_of_values.setdefault(values, len(self.values))
            if domain == len(self.values):
                self.values.append(values)
                self.texts.append(text)
            self._domain_of_text[text.data] = domain
        return self._domain_of_text[text.data]

    def numbers(self, text: XmlText) -> Iterator[int]:
        for word in text.words():
            match, place = _DOMAIN_VALUE.fullmatch(word.group()), text.place(word)
            if not match and self._has_symbols:
                yield self.symbols.setdefault(word.group(), _FIRST_SYMBOL + len(self.symbols))
                continue
            if not match:
                message = f"expected an integer or a range of integers, found {written(word.group())}"
                raise PartFault("F502", place, message, "write integers, and ranges such as 1..9")
            numbers = integers(match[1], match[2], place)
            if len(numbers) > 1:
                self._budget.spend("values in ranges", len(numbers), place)
            yield from numbers


class InstancePlaces(SourcePlaces):
    """The places of constraints, and of the declarations of variables."""

    columns: Columns  # those of the constraints
    tuple_pattern = TUPLE

    def __init__(self, source: Source, variables: Variables) -> None:
        super().__init__(source)
        self._variables = variables
        self._firsts = array("q")  # for each element with constraints the index of its first one
        self._spans = array("q")  # and the start and the end of its tag, of its list, of its table
        self._rows: dict[tuple[ByteSpan, int], list[int]] = {}

    def add(self, first: int, constraint: ByteSpan, scope: ByteSpan, table: ByteSpan) -> None:
        """Add an element: its first constraint, its tag or its arguments in a group, its list, its table."""
        self._firsts.append(first)
        self._spans.extend((*constraint, *scope, *table))

    def add_rows(self, table: ByteSpan, index: int, written: list[int]) -> None:
        """Add for each tuple of a table which written tuple it stems from, if these are fewer."""
        self._rows[table, index] = written

    def text(self, span: ByteSpan) -> str:
        """The name or value at a place; integers as in F2CSP, without a plus and leading zeros."""
        parts = super().text(span).split("..")
        return "..".join([str(int(part)) if _INTEGER.fullmatch(part.encode()) else part for part in parts])

    def domain(self, index: int) -> ByteSpan:
        """The values in the first declaration with a domain."""
        return self._domain_texts[index].whole()

    def values(self, index: int) -> Iterable[ByteSpan]:
        """The values and ranges in the first declaration with a domain."""
        text = self._domain_texts[index]
        return [text.span(*word.span()) for word in text.words()]

    def variable(self, index: int) -> ByteSpan:
        return self._variables.tags[index]

    def constraint(self, index: int) -> ByteSpan:
        """The tag of a constraint, or its arguments in a group."""
        return self._span(index, 0)

    def scope(self, index: int) -> ByteSpan:
        return self._text(self._span(index, 1)).whole()

    def names(self, index: int) -> Iterable[ByteSpan]:
        """Each name in the list, if it holds them in order."""
        text = self._text(self._span(index, 1))
        is_listed = [self._variables.index.get(word) for word in text.data.split()] == self.columns.scope(index)
        return [text.span(*word.span()) for word in text.words()] if is_listed else []

    def table(self, index: int) -> ByteSpan:
        """The text of the table, or the constraint."""
        return self._span(index, 2)

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, ByteSpan]:
        """The written tuples, or the values of an instantiation, one for each constraint."""
        table = self.table(index)
        text = self._text(table)
        if table == self.constraint(index) or b"x" in text.data:
            return dict.fromkeys(wanted, table)
        first = index - self._firsts[self._element(index)]
        written = self._rows.get((table, self.columns.constraint_tables[index]))
        numbers = {row: first + (written[row] if written else row) for row in wanted}
        listed = set(numbers.values())
        matches = enumerate(self.tuple_pattern.finditer(text.data))
        found = {i: text.span(*match.span()) for i, match in matches if i in listed}
        return {row: found.get(number, table) for row, number in numbers.items()}

    def row_values(self, row: ByteSpan) -> Iterable[ByteSpan]:
        text = self._text(row)
        spans = [text.span(*value.span()) for value in _VALUE.finditer(text.data)]
        return spans if text.data.startswith(b"(") or len(spans) == 1 else []

    def _element(self, index: int) -> int:
        return bisect_right(self._firsts, index) - 1

    def _span(self, index: int, part: int) -> ByteSpan:
        at = 6 * self._element(index) + 2 * part
        return self._spans[at], self._spans[at + 1]

    def _text(self, span: ByteSpan) -> XmlText:
        return XmlText.of(self.source.data, *span)

    @cached_property
    def _domain_texts(self) -> dict[int, XmlText]:
        """The text of each domain; under the names in notes, of each that a variable has."""
        texts = self._variables.texts
        declared = [texts[domain] for domain in self._variables.domains]
        return dict(enumerate(texts)) | dict(zip(self.columns.variable_domains, declared, strict=True))


def integers(first: bytes, last: bytes | None, place: ByteSpan) -> range:
    """The integers in a range, or a single one; ``PartFault`` if the range is empty."""
    numbers = range(int(first), int(last or first) + 1)
    if not numbers:
        raise PartFault("F303", place, f"the range ends at {numbers.stop - 1}, below its start {numbers.start}")
    return numbers


def _chosen(cells: _Cells, subscripts: bytes) -> _Cells | None:
    """A view of the cells at some subscripts, such as [2][] or [0..1][3]; None if they are not all in the array."""
    found = _SUBSCRIPT.findall(subscripts)
    if len(found) != cells.ndim:
        return None
    slices: list[int | slice] = []
    for (first, last), size in zip(found, cells.shape, strict=True):
        start, end = int(first or 0), int(last or first or size - 1)
        if (last and not first) or not start <= end < size:
            return None
        slices.append(start if first and not last else slice(start, end + 1))
    return cells[(*slices, ...)]

"""An instance of XCSP3 as a problem."""

import re

from f2csp.diagnostics import Collector, Source, near_word_hint, shown
from f2csp.formats.xcsp3.constraint_reader import CONSTRAINTS, Constraints, InstancePlaces, Parts
from f2csp.formats.xcsp3.declarations import Variables
from f2csp.formats.xcsp3.xcsp3_names import FREE, NO_VARIABLE, declare, read_title
from f2csp.formats.xcsp3.xml_elements import (
    Budget,
    Element,
    Text,
    Unreadable,
    visit_elements,
)
from f2csp.model import Problem
from f2csp.model.builder import labels_if_named
from f2csp.model.words import is_name
from f2csp.text.columns import ColumnsBuilder
from f2csp.text.rule_book import problem_of
from f2csp.utf8 import check_encoding

_START = re.compile(
    rb"\s*+(?:<\?.*?\?>\s*+|<!--.*?-->\s*+|<!DOCTYPE[^<>]*+(?:<[^<>]*+>[^<>]*+)*+>\s*+)*+<instance(?=[\s/>])", re.DOTALL
)
_PARAMETER = re.compile(rb"%(?:\.\.\.|([0-9]{1,9}))")
_REST = -1  # the parameter %...
_HARMLESS = frozenset({"id", "class", "note"})
_HARMLESS_IN_PARTS = _HARMLESS | {"as"}
_SECTIONS = ("variables", "constraints", "annotations")


def looks_like(data: bytes) -> bool:
    """Whether the first element of a text is an ``<instance>``."""
    return _START.match(data.removeprefix(b"\xef\xbb\xbf")) is not None


def read(source: Source) -> Problem:
    """Read an instance.

    Raises:
        InvalidInput: the text has faults, or something that cannot become a table.
    """
    collector = Collector(source)
    check_encoding(source, collector)
    collector.raise_if_errors()
    reader = _InstanceReader(source, collector)
    visit_elements(source, collector, reader.visit)
    return reader.problem()


class _InstanceReader:
    """Reads the elements of an instance, one after the other."""

    def __init__(self, source: Source, collector: Collector) -> None:
        self._data = source.data
        self._collector = collector
        self._budget = Budget()
        self._variables = Variables(source.data, self._budget)
        self._places = InstancePlaces(source, self._variables)
        self._builder = ColumnsBuilder(source)
        self._constraints: Constraints | None = None
        self._texts: dict[str, Text] = {}  # of elements in constraints, by their id
        self._notes: dict[str, str] = {}
        self._labels: dict[int, str] = {}

    def visit(self, element: Element, container: str) -> None:
        """Read an element of a container.

        Raises:
            Unreadable: it has a fault, or is not supported.
        """
        note = element.attributes.get("note", "")
        if container in ("", "instance"):
            self._notes[element.name] = note
        if container == "variables":
            if self._constraints is not None:
                raise Unreadable("F501", element.tag, "variables are declared after constraints", "declare them before")
            if note != NO_VARIABLE:
                self._variables.declare(element)
        elif container in ("constraints", "block"):
            if element.name != "block" and (self._variables.names or note != FREE):
                self._read_constraint(element)
        elif container == "instance":
            _check_section(element)
        else:
            _check_root(element)

    def problem(self) -> Problem:
        """Apply the rules and build the problem.

        Raises:
            InvalidInput: there are faults.
        """
        n = self._ready_constraints().n_added
        columns = self._places.columns = self._builder.columns()
        columns.title = read_title(self._notes.get("instance", ""))
        labels = labels_if_named([self._labels.get(i) for i in range(n)]) if self._labels else None
        if labels and len(set(labels)) == len(labels):
            columns.labels = list(labels)
        return problem_of(columns, self._places, self._collector)

    def _ready_constraints(self) -> Constraints:
        """The reader of constraints, made when all variables are declared."""
        if self._constraints is None:
            numbers = declare(self._variables, self._notes.get("variables", ""), self._builder)
            self._constraints = Constraints(self._variables, numbers, self._builder, self._places, self._budget)
        return self._constraints

    def _read_constraint(self, element: Element) -> None:
        constraints = self._ready_constraints()
        n_before = constraints.n_added
        if element.name == "group":
            self._read_group(element, constraints)
        else:
            constraints.add(self._parts(element))
        label, n = element.attributes.get("id", ""), constraints.n_added - n_before
        if is_name(label):
            self._labels |= {n_before + i: label if n == 1 else f"{label}[{i}]" for i in range(n)}

    def _read_group(self, group: Element, constraints: Constraints) -> None:
        if len(group.children) != 1:
            raise Unreadable("F501", group.tag, f"expected 1 constraint in <group>, found {len(group.children)}")
        template = _Template(self._parts(group.children[0])._replace(is_free=group.attributes.get("note") == FREE))
        bounds = iter(group.arguments or ())
        for start, end in zip(bounds, bounds, strict=True):
            given = Text.of(self._data, start, end)
            try:
                constraints.add(template.filled(given, self._variables, self._budget))
            except Unreadable as fault:
                fault.report(self._collector)
                if self._collector.is_full:  # it may be the same fault of the constraint each time
                    return

    def _parts(self, element: Element) -> Parts:
        """The parts of a constraint.

        Raises:
            Unreadable: some are not supported.
        """
        name = element.name
        if name not in CONSTRAINTS:
            hint = near_word_hint(name, CONSTRAINTS)
            raise Unreadable("F502", element.tag, f"the constraint <{shown(name)}> is not supported", hint)
        _check_attributes(element, _HARMLESS)
        if not element.children:
            return Parts(name, element.tag, {"list": element.text(self._data)})
        element.check_no_text(self._data)
        texts: dict[str, Text] = {}
        _, known = CONSTRAINTS[name]
        for child in element.children:
            if child.name not in known:
                hint = near_word_hint(child.name, known)
                raise Unreadable("F502", element.tag, f"<{shown(child.name)}> in <{name}> is not supported", hint)
            if child.name in texts:
                raise Unreadable("F502", element.tag, f"more than one <{child.name}> in <{name}> is not supported")
            texts[child.name] = self._text(child)
        return Parts(name, element.tag, texts, element.attributes.get("note") == FREE)

    def _text(self, element: Element) -> Text:
        """The text of a part of a constraint, which may be that of another."""
        _check_attributes(element, _HARMLESS_IN_PARTS)
        other = element.attributes.get("as")
        if other is None:
            text = element.text(self._data)
        elif other in self._texts:
            text = self._texts[other]
        else:
            hint = near_word_hint(other, self._texts)
            raise Unreadable("F503", element.tag, f"no element before has the id {shown(other)}", hint)
        if "id" in element.attributes:
            self._texts[element.attributes["id"]] = text
        return text


class _Template:
    """A constraint with the parameters %0, %1, ... and %... of a group."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._forms: list[tuple[str, list[bytes], list[int]]] = []  # for each text its pieces, every other an argument
        for name, text in parts.texts.items():
            pieces = _PARAMETER.split(text.data)
            if len(pieces) > 1:
                self._forms.append((name, pieces, [int(i) if i else _REST for i in pieces[1::2]]))
        used = [_REST, *[i for _, _, parameters in self._forms for i in parameters]]
        self._n_named = max(used) + 1
        self._has_rest = used.count(_REST) > 1

    def filled(self, given: Text, variables: Variables, budget: Budget) -> Parts:
        """The constraint with arguments.

        Raises:
            Unreadable: there are too few or too many.
        """
        words = variables.expanded(given)
        if len(words) < self._n_named or (len(words) > self._n_named and not self._has_rest):
            expected = f"{self._n_named}{' or more' if self._has_rest else ''}"
            raise Unreadable("F504", given.whole(), f"expected {expected} arguments, found {len(words)}")
        texts = self._parts.texts.copy()
        rest = b" ".join(words[self._n_named :])
        for name, pieces, parameters in self._forms:
            pieces[1::2] = [rest if i == _REST else words[i] for i in parameters]
            n_bytes = sum(map(len, pieces)) - len(given.data)
            if n_bytes > 0:
                budget.spend("bytes in groups", n_bytes, given.span())
            texts[name] = Text(b"".join(pieces), texts[name].start, given)
        return Parts(self._parts.name, given.span(), texts, self._parts.is_free)


def _check_root(element: Element) -> None:
    if element.name != "instance":
        raise Unreadable("F501", element.tag, f"expected <instance>, found <{shown(element.name)}>")
    if (form := element.attributes.get("format", "XCSP3")) != "XCSP3":
        raise Unreadable("F501", element.tag, f"expected the format XCSP3, found {shown(form)}")
    if (kind := element.attributes.get("type", "CSP")) != "CSP":
        raise Unreadable("F502", element.tag, f"an instance of type {shown(kind)} is not supported", "only CSP is")


def _check_section(element: Element) -> None:
    if element.name == "objectives":
        hint = "remove <objectives>, and write type='CSP'"
        raise Unreadable("F502", element.tag, "objectives are not supported", hint)
    if element.name not in _SECTIONS:
        raise Unreadable("F502", element.tag, f"<{shown(element.name)}> is not supported in an <instance>")


def _check_attributes(element: Element, known: frozenset[str]) -> None:
    for name, value in element.attributes.items():
        if name not in known and not (name == "startIndex" and value == "0"):
            raise Unreadable("F502", element.tag, f"{shown(name)} is not supported in <{shown(element.name)}>")

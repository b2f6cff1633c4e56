"""An instance of XCSP3 as a problem."""

import re

from f2csp.diagnostics import Collector, InvalidInput, Source, near_word_hint, shown
from f2csp.formats.xcsp3.constraints import Constraints, Parts
from f2csp.formats.xcsp3.elements import Element, stray_text, visit_elements, without_comments
from f2csp.formats.xcsp3.limits import Limits
from f2csp.formats.xcsp3.notes import NOBODY
from f2csp.formats.xcsp3.places import Places
from f2csp.formats.xcsp3.restoring import assembled, empty, titled
from f2csp.formats.xcsp3.tables import Tables
from f2csp.formats.xcsp3.tabulating import Tabulator
from f2csp.formats.xcsp3.texts import Form, Text, text_of
from f2csp.formats.xcsp3.values import Values
from f2csp.formats.xcsp3.variables import Variables
from f2csp.model import Problem
from f2csp.utf8 import check_encoding

_START = re.compile(
    rb"\s*+(?:<\?.*?\?>\s*+|<!--.*?-->\s*+|<!DOCTYPE[^<>]*+(?:<[^<>]*+>[^<>]*+)*+>\s*+)*+<instance(?=[\s/>])", re.DOTALL
)
_HARMLESS = frozenset({"id", "class", "note"})


def looks_like(data: bytes) -> bool:
    """Whether the first element of a text is an ``<instance>``."""
    return _START.match(data.removeprefix(b"\xef\xbb\xbf")) is not None


def read(source: Source) -> Problem:
    """Read an instance.

    Raises:
        InvalidInput: the text has faults, or something that there are no tables for; all of it is told.
    """
    collector = Collector(source)
    check_encoding(source, collector)
    reader = _Reader(source, collector)
    if not collector.n_errors:
        visit_elements(source, collector, reader.visit)
    if collector.n_errors:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    return reader.problem()


class _Reader:
    """Takes the elements of an instance, one after the other."""

    def __init__(self, source: Source, collector: Collector) -> None:
        self._data = source.data
        self._collector = collector
        self._limits = Limits(collector)
        self._variables = Variables(source.data, collector, self._limits)
        self._constraints: Constraints | None = None
        self._places = Places()
        self._texts: dict[str, Text] = {}  # of elements in constraints, by their id
        self._notes: dict[str, str] = {}

    def visit(self, element: Element, container: str) -> None:
        """Take an element that stands in a container."""
        if "note" in element.attributes and container in ("", "instance"):
            self._notes[element.name] = element.attributes["note"]
        if container == "variables":
            if self._constraints is not None:
                self._tell("F501", element, "variables are declared behind the constraints", "declare them before")
            else:
                self._variables.declare(element)
        elif container in ("constraints", "block"):
            if element.name != "block":
                self._constrain(element)
        elif container == "instance":
            self._take_section(element)
        else:
            self._take_root(element)

    def problem(self) -> Problem:
        """The problem, if there were no faults."""
        title = self._notes.get("instance", "")
        if self._variables.notes == [NOBODY] and self._places.are_all_free:
            return titled(empty(self._notes.get("variables", "")), title)
        self._ready_constraints()
        return titled(self._places.restored(self._assembly.build()), title)

    def _take_root(self, element: Element) -> None:
        if element.name != "instance":
            self._tell("F501", element, f"this is <{shown(element.name)}>, and <instance> is due")
        elif (form := element.attributes.get("format", "XCSP3")) != "XCSP3":
            self._tell("F501", element, f"the format of the instance is {shown(form)}, and XCSP3 is read")
        elif (kind := element.attributes.get("type", "CSP")) != "CSP":
            self._tell("F502", element, f"an instance of type {shown(kind)} is not read", "only CSP is read")

    def _take_section(self, element: Element) -> None:
        if element.name == "objectives":
            self._tell("F502", element, "objectives are not read", "remove <objectives>, and write type='CSP'")
        elif element.name not in ("variables", "constraints", "annotations"):
            self._tell("F502", element, f"<{shown(element.name)}> is not read in an <instance>")

    def _ready_constraints(self) -> Constraints:
        """What takes the constraints, made when all variables are declared."""
        if self._constraints is None:
            self._assembly, numbers = assembled(self._variables, self._variables_note())
            values = Values(numbers, self._assembly.domain_values)
            made = values, self._assembly, self._collector, self._limits
            self._constraints = Constraints(self._variables, Tables(*made), Tabulator(*made), *made[1:])
        return self._constraints

    def _variables_note(self) -> str:
        return self._notes.get("variables", "")

    def _constrain(self, element: Element) -> None:
        constraints = self._ready_constraints()
        n_before = constraints.n_added
        if element.name == "group":
            self._take_group(element, constraints)
        elif (parts := self._parts(element, constraints)) is not None:
            constraints.add(parts)
        n_added = constraints.n_added - n_before
        self._places.add(element.attributes.get("note", ""), element.attributes.get("id", ""), n_added)

    def _take_group(self, group: Element, constraints: Constraints) -> None:
        if len(group.children) != 1:
            self._tell("F501", group, f"<group> has {len(group.children)} constraints besides its <args>, and takes 1")
            return
        template = self._parts(group.children[0], constraints)
        if template is None:
            return
        form = Form(template.texts)
        bounds = group.arguments.tolist()
        if not form.is_plain and not self._limits.can_fill(form.n_bytes * (len(bounds) // 2), template.place):
            return
        for start, end in zip(bounds[::2], bounds[1::2], strict=True):
            given = Text(without_comments(self._data[start:end]), start)
            texts = form.plainly(given) or self._filled(form, given)
            if texts is not None:
                constraints.add(Parts(template.name, (start, end), texts))

    def _filled(self, form: Form, given: Text) -> list[tuple[str, Text]] | None:
        """The texts with arguments in them, or None if they are not as many as are due, which is told."""
        words = self._variables.expanded_words(given.data.split(), given.whole())
        if form.takes(len(words)):
            return form.filled(words, given.whole())
        due = f"{form.n_named}{' or more' if form.has_rest else ''}"
        message = f"<args> holds {len(words)} arguments, and the constraint takes {due}"
        self._collector.add("F504", *given.whole(), message)
        return None

    def _parts(self, element: Element, constraints: Constraints) -> Parts | None:
        """What a constraint consists of, or None if it cannot be read, which is told."""
        if element.name not in constraints.names:
            hint = near_word_hint(element.name, constraints.names)
            self._tell("F502", element, f"the constraint <{shown(element.name)}> is not read", hint)
            return None
        place = element.start, element.text_start
        if not self._has_known_attributes(element, _HARMLESS):
            return None
        if not element.children:
            text = text_of(element, self._data, self._collector)
            return None if text is None else Parts(element.name, place, [("list", text)])
        parts = Parts(element.name, place)
        at = element.text_start
        for child in element.children:
            stray = stray_text(self._data, at, child.start)
            at = child.end
            text = self._text(child)
            if stray is not None:
                self._collector.add("F501", *stray, f"there is text in <{element.name}> beside its elements")
            if text is None or stray is not None:
                return None
            parts.texts.append((child.name, text))
        return parts

    def _text(self, element: Element) -> Text | None:
        """The text of a part of a constraint, perhaps that of another; None if it cannot be read, which is told."""
        if not element.attributes:
            return text_of(element, self._data, self._collector)
        if not self._has_known_attributes(element, _HARMLESS | {"as"}):
            return None
        other = element.attributes.get("as")
        if other is None:
            text = text_of(element, self._data, self._collector)
        elif other in self._texts:
            text = self._texts[other]
        else:
            hint = near_word_hint(other, self._texts)
            self._tell("F503", element, f"no element before has the id {shown(other)}", hint)
            return None
        if text is not None and "id" in element.attributes:
            self._texts[element.attributes["id"]] = text
        return text

    def _has_known_attributes(self, element: Element, known: frozenset[str]) -> bool:
        for name, value in element.attributes.items():
            if name not in known and not (name == "startIndex" and value == "0"):
                self._tell("F502", element, f"{shown(name)} is not read in <{shown(element.name)}>")
                return False
        return True

    def _tell(self, code: str, element: Element, message: str, hint: str | None = None) -> None:
        self._collector.add(code, element.start, element.text_start, message, hint=hint)

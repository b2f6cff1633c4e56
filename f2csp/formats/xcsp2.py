"""XCSP 2.0 and 2.1, the XML format of the CSP competitions from 2005 to 2009.

    <instance>
    <presentation name="?" maxConstraintArity="2" format="XCSP 2.1"/>
    <domains nbDomains="1">
    <domain name="colour" nbValues="3">1..3</domain>
    </domains>
    <variables nbVariables="2">
    <variable name="France" domain="colour"/>
    <variable name="Spain" domain="colour"/>
    </variables>
    <relations nbRelations="1">
    <relation name="R1" arity="2" nbTuples="3" semantics="conflicts">1 1|2 2|3 3</relation>
    </relations>
    <constraints nbConstraints="1">
    <constraint name="C1" arity="2" scope="France Spain" reference="R1"/>
    </constraints>
    </instance>

A constraint refers to a relation, a predicate such as ``ne(X0,X1)``, or ``global:allDifferent``; the latter two become
tables as in XCSP3, whose reader this one extends.

Specification: Roussel and Lecoutre, "XML Representation of Constraint Networks: Format XCSP 2.1", arXiv:0902.2362
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, cast

from f2csp.diagnostics import ByteSpan, Collector, Source, brief
from f2csp.files import checked
from f2csp.formats.xcsp3.constraint_reader import ConstraintParts, Constraints
from f2csp.formats.xcsp3.declarations import InstancePlaces, Step, Variables
from f2csp.formats.xcsp3.expressions import parse
from f2csp.formats.xcsp3.instance_reader import InstanceReader
from f2csp.formats.xcsp3.xml_elements import (
    Element,
    PartFault,
    Refused,
    TupleBudget,
    UnreadableInstance,
    XmlText,
    visit_elements,
    written,
)
from f2csp.model import Ids, Problem
from f2csp.text.columns import UNREADABLE

_SECTIONS = {f"{name}s": name for name in ("domain", "variable", "relation", "predicate", "constraint")}
_TUPLE = re.compile(rb"[^|\s]++(?:\s++[^|\s]++)*+")
_ROW = re.compile(rb"(?:\A|(?<=\|))[^|]*+")
_WORD = re.compile(rb"[^\s|]++")
_INTEGER = rb"[-+]?+[0-9]{1,18}+"
_PREFIX = "global:"


def read(source: Source, *, max_tuples: int | None = None) -> Problem:
    """Read an instance; ``max_tuples`` limits the tuples that are tried for one table, None for 1,000,000."""
    collector = checked(source)
    reader = _Reader(source, collector, max_tuples)
    visit_elements(source, collector, reader.visit, {"instance", *_SECTIONS})
    return reader.problem()


class _Relation(NamedTuple):
    semantics: str
    arity: int
    text: XmlText


class _Predicate(NamedTuple):
    n_parameters: int
    steps: list[Step]  # of its expression, over the parameters


class _Constraints(Constraints):
    """Reads constraints, with those of predicates, and tables such as ``1 1|2 2``, whose form was checked."""

    def plain_table(self, arity: int, data: bytes) -> Ids:
        return self.table_of_numbers(arity, data.replace(b"|", b" "))

    def add_predicate(self, parts: ConstraintParts, predicate: _Predicate) -> None:
        """Add a constraint, with the integers, variables and expressions that are the parameters of a predicate."""
        given = self.operands(parts, "parameters", predicate.n_parameters)
        steps = [one for s in predicate.steps for one in (given[s[1]] if isinstance(s, tuple) and not s[0] else [s])]
        self.add(parts, iter([steps]))


class _Places(InstancePlaces):
    tuple_pattern = _TUPLE

    def row_values(self, row: ByteSpan) -> Iterable[ByteSpan]:
        return (word.span() for word in _WORD.finditer(self.source.data, *row))


class _Reader(InstanceReader):
    """Reads the elements of an instance; its constraints become those of XCSP3."""

    _reader, _place_finder = _Constraints, _Places
    _has_holes = False

    def __init__(self, source: Source, collector: Collector, max_tuples: int | None) -> None:
        super().__init__(source, collector, max_tuples, ignore_objective=False)
        self._n_found: Counter[str] = Counter()  # elements by their names
        self._domains: dict[str, int] = {}
        self._references: dict[str, _Relation | _Predicate | None] = {}  # by their names; None for one with a fault

    def visit(self, element: Element, container: str) -> None:
        name = element.name
        if container == "":
            if name != "instance":
                raise UnreadableInstance("F501", element.tag, f"expected <instance>, found <{brief(name)}>")
        elif name == _SECTIONS.get(container):
            if name in ("domain", "variable") and self._constraints is not None:
                raise UnreadableInstance("F501", element.tag, f"<{container}> follows constraints", "write it before")
            self._n_found[name] += 1
            getattr(self, f"_read_{name}")(element)
        elif container != "instance" or name not in (*_SECTIONS, "presentation"):
            raise PartFault("F502", element.tag, f"<{brief(name)}> is not supported in <{container}>")
        elif name in _SECTIONS:
            self._check_count(element, f"nb{name.capitalize()}", self._n_found[_SECTIONS[name]], name)
        elif (kind := element.attributes.get("type", "CSP")) != "CSP":
            message = f"an instance of type {brief(kind)} is not supported"
            raise UnreadableInstance("F502", element.tag, message, "only CSP is")
        elif (title := element.attributes.get("name", "?")) != "?":
            self._notes["instance"] = title

    def _check_count(self, element: Element, attribute: str, found: int, what: str, code: str = "F103") -> None:
        """Check a number that an attribute declares, if it is there."""
        if attribute not in element.attributes:
            return
        text = self._attribute(element, attribute)
        if not re.fullmatch(rb"\s*[0-9]{1,18}\s*", text.data):
            self._collector.add("F102", *text.span(), f"expected a count for {attribute}, found {written(text.data)!r}")
        elif int(text.data) != found:
            self._collector.add(code, *text.span(), f"declared {int(text.data):,} {what}, found {found:,}")

    def _attribute(self, element: Element, name: str) -> XmlText:
        """The value of an attribute that cannot be left out, at its place."""
        match = re.search(rb"""\s%b\s*=\s*(?:"([^"]*)"|'([^']*)')""" % name.encode(), self._data[slice(*element.tag)])
        if match is None:
            raise PartFault("F501", element.tag, f"<{element.name}> has no {name}")
        return XmlText(match[match.lastindex or 1], element.start + match.start(match.lastindex or 1))

    def _word(self, element: Element, name: str) -> str:
        self._attribute(element, name)
        return element.attributes[name].strip()

    # ---- Declarations ------------------------------------------------------------------------------------------------

    def _read_domain(self, element: Element) -> None:
        name = self._word(element, "name")
        is_new = self._domains.setdefault(name, UNREADABLE) == UNREADABLE
        text = element.text(self._data)
        values = tuple(self._variables.numbers(text))
        self._check_count(element, "nbValues", len(values), "values")
        if is_new:
            self._domains[name] = len(self._domain_names)
        self._domain_names.append(name)
        self._variables.values.append(values)
        self._variables.texts.append(text)

    def _read_variable(self, element: Element) -> None:
        name, domain = self._word(element, "name"), self._word(element, "domain")
        if domain not in self._domains:
            self._variables.lost.add(name.encode())
            message = f"variable {brief(name)} has the domain {brief(domain)}, which is not declared"
            hint = self._collector.near_word_hint(domain, self._domain_names)
            raise PartFault("F203", self._attribute(element, "domain").span(), message, hint)
        if self._domains[domain] == UNREADABLE:
            self._variables.lost.add(name.encode())
        else:
            self._variables.add_named([name], [self._domains[domain]], element)

    def _read_relation(self, element: Element) -> None:
        name, semantics = self._new_reference(element), self._word(element, "semantics")
        if semantics not in ("supports", "conflicts"):
            message = f"a relation with the semantics {brief(semantics)} is not supported"
            place = self._attribute(element, "semantics").span()
            raise UnreadableInstance("F502", place, message, "write supports or conflicts")
        text = element.text(self._data)
        arity = self._attribute(element, "arity")
        n = int(arity.data) if re.fullmatch(rb"[1-9][0-9]{0,4}", arity.data) else 0
        if not n:
            raise PartFault("F102", arity.span(), f"expected an arity from 1, found {written(arity.data)!r}")
        row = re.compile(rb"\s*+%b(?:\s++%b){%d}\s*+" % (_INTEGER, _INTEGER, n - 1))
        rows = list(_ROW.finditer(text.data))
        if not rows[-1].group().strip():
            del rows[-1]  # a bar may follow the last tuple
        odd = [found for found in rows if not row.fullmatch(found.group())]
        for found in odd:
            message = f"expected a tuple of {n} integers, found {written(found.group())!r}"
            self._collector.add("F306", *text.span(*found.span()), message)
        if odd:
            raise PartFault
        self._check_count(element, "nbTuples", len(rows), "tuples")
        self._references[name] = _Relation(semantics, n, text)

    def _read_predicate(self, element: Element) -> None:
        name = self._new_reference(element)
        parts = {child.name: child for child in element.children}
        if parts.keys() != {"parameters", "expression"}:
            raise PartFault("F501", element.tag, "expected <parameters> and <expression> in <predicate>")
        forms = {child.name: child for child in parts["expression"].children}
        if "functional" not in forms:
            found = ", ".join(f"<{brief(form)}>" for form in forms) or "text"
            message = f"expected a <functional> expression, found {found}"
            raise PartFault("F502", parts["expression"].tag, message, "write it as <functional>ne(X0,X1)</functional>")
        text = parts["parameters"].text(self._data)
        words = text.data.split()
        if not re.fullmatch(rb"\s*+(?:int\s++[A-Za-z_]\w*+(?:\s++|\Z))*+", text.data):
            raise PartFault("F501", text.whole(), "expected parameters such as int X0 int X1")
        formal = Variables(self._data, TupleBudget())
        formal.index = {word: i for i, word in enumerate(words[1::2])}
        formal.symbols = {b"false": 0, b"true": 1}
        self._references[name] = _Predicate(len(words) // 2, parse(forms["functional"].text(self._data), formal))

    def _new_reference(self, element: Element) -> str:
        """The name of a relation or predicate, which has a fault until it is read."""
        if (name := self._word(element, "name")) in self._references:
            raise PartFault("F201", element.tag, f"two relations or predicates are called {brief(name)}", "rename one")
        self._references[name] = None
        return name

    # ---- Constraints -------------------------------------------------------------------------------------------------

    def _read_constraint(self, element: Element) -> None:
        constraints = cast("_Constraints", self._ready_constraints())
        scope, reference = self._attribute(element, "scope"), self._attribute(element, "reference")
        n_before, name = constraints.lowering.n_added, reference.data.decode().strip()
        self._check_count(element, "arity", len(scope.data.split()), "variables", "F104")
        texts = {"list": scope}
        for child in element.children:
            texts[child.name] = XmlText.of(self._data, child.text_start, child.text_end)
        parts = ConstraintParts("intension", element.tag, texts)
        referred = self._references.get(name)
        try:
            variables = self._variables.scope(scope)  # reports unknown names
            if name.startswith(_PREFIX):
                constraints.add(_all_different(reference, parts))
            elif isinstance(referred, _Predicate):
                constraints.add_predicate(parts, referred)
            elif referred is not None:
                if len(variables) != referred.arity:
                    expected = f"expected {referred.arity} variables for relation {brief(name)}"
                    raise PartFault("F104", scope.span(), f"{expected}, found {len(variables)}")
                texts = {"list": scope, referred.semantics: referred.text}
                constraints.add(ConstraintParts("extension", parts.place, texts))
            elif name not in self._references:
                hint = self._collector.near_word_hint(name, self._references)
                raise PartFault("F503", reference.span(), f"there is no relation or predicate {brief(name)}", hint)
        except Refused as fault:
            self._refuse(fault, name)
        self._label(element.attributes.get("name", ""), n_before, constraints.lowering.n_added)


def _all_different(reference: XmlText, parts: ConstraintParts) -> ConstraintParts:
    """The constraint of XCSP3 that is the same; its list is the scope, or a parameter ``[ x y 3 ]``."""
    name = reference.data.decode().strip().removeprefix(_PREFIX)
    if name.replace("_", "").lower() != "alldifferent":
        raise Refused("F502", reference.span(), f"the global constraint {brief(name)} is not supported")
    given = parts.texts.get("parameters")
    if given is not None and not re.fullmatch(rb"\s*\[[^][{}]*\]\s*", given.data):
        raise PartFault("F501", given.whole(), "expected parameters [list]")
    text = given._replace(data=given.data.replace(b"[", b" ").replace(b"]", b" ")) if given else parts.texts["list"]
    return ConstraintParts("allDifferent", parts.place, {"list": text})

"""An instance of XCSP3 as a problem.

The names of the problem come from the notes that an export writes. Notes that do not fit the file, because somebody
else wrote or edited it, are ignored.
"""

import re
from collections.abc import Sequence

from f2csp.diagnostics import Collector, Source, brief, near_word_hint
from f2csp.files import checked
from f2csp.formats.fitting_names import fitting_title, noted_problem
from f2csp.formats.xcsp3.constraint_reader import CONSTRAINTS, ConstraintParts, Constraints
from f2csp.formats.xcsp3.declarations import InstancePlaces, Variables
from f2csp.formats.xcsp3.lowering import Lowering
from f2csp.formats.xcsp3.xcsp3_writer import FREE, NO_VARIABLE, Naming, domains_note
from f2csp.formats.xcsp3.xml_elements import (
    STEPS_OF_WORD,
    Element,
    PartFault,
    Refused,
    TupleBudget,
    UnreadableInstance,
    XmlText,
    visit_elements,
)
from f2csp.model import Problem
from f2csp.model.builder import labels_if_named
from f2csp.model.words import is_name
from f2csp.text.columns import ColumnsBuilder
from f2csp.text.rule_book import checked_problem

_PARAMETER = re.compile(rb"%(?:\.\.\.|([0-9]{1,9}))")
_REST = -1  # the parameter %...
_HARMLESS = frozenset({"id", "class", "note"})
_DEFAULTS = {("startIndex", "0"), ("rank", "any"), ("closed", "false")}
_SECTIONS = ("variables", "constraints", "annotations")
_CONTAINERS = frozenset({"instance", "variables", "constraints", "block"})
_NUMBER = re.compile(r"=-?[0-9]+")


def read(source: Source, *, max_tuples: int | None = None, ignore_objective: bool = False) -> Problem:
    """Read an instance, or the constraints of an optimisation problem alone.

    ``max_tuples`` limits the tuples that are tried for one table, None for 1,000,000.
    """
    if source.data.endswith(b"\r"):  # ends a line in XML
        source = Source(source.name, source.data.rstrip(b"\r"))
    collector = checked(source)
    reader = InstanceReader(source, collector, max_tuples, ignore_objective=ignore_objective)
    visit_elements(source, collector, reader.visit, _CONTAINERS)
    return reader.problem()


class InstanceReader:
    """Reads the elements of an instance, one after the other; what has a fault raises ``PartFault``."""

    _reader, _place_finder = Constraints, InstancePlaces
    _has_holes = True  # whether solvers drop variables that no constraint names: cells of arrays that are not used

    def __init__(self, source: Source, collector: Collector, max_tuples: int | None, *, ignore_objective: bool) -> None:
        self._data = source.data
        self._ignores_objective = ignore_objective
        self._collector = collector
        self._budget = TupleBudget(max_tuples, len(source.data))
        self._variables = Variables(source.data, self._budget)
        self._places = self._place_finder(source, self._variables)
        self._builder = ColumnsBuilder(source)
        self._constraints: Constraints | None = None
        self._texts: dict[str, XmlText] = {}  # of elements in constraints, by their id
        self._notes: dict[str, str] = {}
        self._domain_names: list[str] = []  # if the format has such
        self._labels: dict[int, str] = {}
        self._refused: dict[str, tuple[Refused, int]] = {}  # for each kind of constraint the first, and their number

    def visit(self, element: Element, container: str) -> None:
        note, tag = element.attributes.get("note", ""), element.tag
        if not container:
            self._notes[element.name] = note
            if element.name != "instance":
                raise UnreadableInstance("F501", tag, f"expected <instance>, found <{brief(element.name)}>")
            if (form := element.attributes.get("format", "XCSP3")) != "XCSP3":
                raise UnreadableInstance("F501", tag, f"expected the format XCSP3, found {brief(form)}")
            kind = element.attributes.get("type", "CSP")
            if kind != "CSP" and (kind != "COP" or not self._ignores_objective):
                cure = "read its constraints alone with --ignore-objective" if kind == "COP" else "only CSP is"
                raise UnreadableInstance("F502", tag, f"an instance of type {brief(kind)} is not supported", cure)
        elif container == "instance":
            self._notes[element.name] = note
            if element.name == "presentation":  # of XCSP 2.0, XCSP 2.1 and FRODO
                form = element.attributes.get("format", "XCSP 2")
                raise UnreadableInstance("F502", tag, f"expected XCSP3, found {brief(form)}", "read it as xcsp2")
            if element.name not in (*_SECTIONS, *["objectives"] * self._ignores_objective):
                hint = "read the constraints alone with --ignore-objective" if element.name == "objectives" else None
                raise PartFault("F502", tag, f"<{brief(element.name)}> is not supported in an <instance>", hint)
        elif container == "variables":
            if self._constraints is not None:
                raise PartFault("F501", tag, "variables are declared after constraints", "declare them before")
            if note != NO_VARIABLE:
                self._variables.declare(element)
        elif element.name != "block" and (self._variables.names or note != FREE):
            self._read_constraint(element)

    def problem(self) -> Problem:
        """The problem; raises InvalidInput where the text has faults."""
        for fault, n_refused in self._refused.values():
            fault.report(self._collector, n_refused)
        n = self._ready_constraints().lowering.n_added
        columns = self._places.columns = self._builder.columns()
        columns.title = fitting_title(self._notes.get("instance", ""))
        labels = labels_if_named([self._labels.get(i) for i in range(n)]) if self._labels else None
        if labels and len(set(labels)) == len(labels):
            columns.labels = list(labels)
        problem = checked_problem(columns, self._places, self._collector)
        return problem.without_holes(self._variables.holes()) if self._has_holes else problem

    def _ready_constraints(self) -> Constraints:
        """The reader of constraints, made when all variables are declared."""
        if self._constraints is None:
            numbers = _declare(self._variables, self._notes.get("variables", ""), self._builder, self._domain_names)
            lowering = Lowering(self._variables, numbers, self._builder, self._budget)
            self._constraints = self._reader(self._variables, lowering, self._places)
        return self._constraints

    def _read_constraint(self, element: Element) -> None:
        constraints = self._ready_constraints()
        n_before = constraints.lowering.n_added
        if element.name == "group":
            self._read_group(element, constraints)
        elif element.name == "slide":
            self._read_slide(element, constraints)
        else:
            try:
                constraints.add(self._parts(element))
            except Refused as fault:
                self._refuse(fault, element.name)
        self._label(element.attributes.get("id", ""), n_before, constraints.lowering.n_added)

    def _label(self, label: str, start: int, end: int) -> None:
        """Name the constraints that stem from one element."""
        if is_name(label):
            self._labels |= {i: label if end - start == 1 else f"{label}[{i - start}]" for i in range(start, end)}

    def _read_group(self, group: Element, constraints: Constraints) -> None:
        if len(group.children) != 1:
            raise PartFault("F501", group.tag, f"expected 1 constraint in <group>, found {len(group.children)}")
        name, bounds = group.children[0].name, iter(group.arguments or ())
        try:
            template = _Template(self._parts(group.children[0])._replace(is_free=group.attributes.get("note") == FREE))
        except Refused as fault:
            self._refuse(fault, name, len(group.arguments or ()) // 2)
            return
        for start, end in zip(bounds, bounds, strict=True):
            given = XmlText.of(self._data, start, end)
            try:
                constraints.add(template.filled(self._variables.expanded(given), given, self._budget))
            except Refused as fault:
                self._refuse(fault, name)
            except PartFault as fault:
                fault.report(self._collector)
                if self._collector.is_full:  # it may be the same fault of the constraint each time
                    return

    def _refuse(self, fault: Refused, name: str, n: int = 1) -> None:
        """Keep the first fault of each kind of constraint, and count the others."""
        first, n_before = self._refused.get(name, (fault, 0))
        self._refused[name] = first, n_before + n

    def _read_slide(self, slide: Element, constraints: Constraints) -> None:
        """A constraint on windows that slide along lists."""
        *lists, inner = slide.children or [slide]
        if not lists or any(child.name != "list" for child in lists):
            raise PartFault("F501", slide.tag, "expected lists and then a constraint in <slide>")
        template = _Template(self._parts(inner))
        texts = [self._text(child) for child in lists]
        rows = [self._variables.expanded(text) for text in texts]
        default = str(template.n_named) if len(lists) == 1 else "1"
        sizes = [_number(child, "collect", default) for child in lists]
        offsets = [_number(child, "offset", "1") for child in lists]
        is_circular = slide.attributes.get("circular", "false") == "true"
        lists_of_words = list(zip(rows, offsets, sizes, strict=True))
        ends = [(len(row) - (1 if is_circular else size)) // n for row, n, size in lists_of_words]
        n_words = (min(ends) + 1) * sum(sizes)
        self._budget.spend("words in lists", n_words, slide.tag)
        self._budget.spend("steps of calculation", n_words * STEPS_OF_WORD, slide.tag)
        for step in range(min(ends) + 1):
            words = [row[i % len(row)] for row, n, size in lists_of_words for i in range(step * n, step * n + size)]
            constraints.add(template.filled(words, texts[0], self._budget))

    def _parts(self, element: Element) -> ConstraintParts:
        name, tag = element.name, element.tag
        if name not in CONSTRAINTS:
            hint = near_word_hint(name, CONSTRAINTS)
            raise Refused("F502", tag, f"the constraint <{brief(name)}> is not supported", hint)
        known = frozenset(CONSTRAINTS[name][1].split())
        attributes = _attributes(element, "", known)
        if not element.children:
            return ConstraintParts(name, tag, {"list": element.text(self._data)}, attributes=attributes)
        element.check_no_text(self._data)
        texts: dict[str, XmlText] = {}
        for child in element.children:
            if child.name not in known:
                raise PartFault("F502", tag, f"<{brief(child.name)}> in <{name}> is not supported")
            n = sum(one.partition("#")[0] == child.name for one in texts)
            if n and f"{child.name}*" not in known:
                raise PartFault("F502", tag, f"more than one <{child.name}> in <{name}> is not supported")
            key = f"{child.name}#{n}" if n else child.name
            attributes |= _attributes(child, child.name, known, key)
            texts[key] = self._text(child)
        return ConstraintParts(name, tag, texts, element.attributes.get("note") == FREE, attributes)

    def _text(self, element: Element) -> XmlText:
        """The text of a part of a constraint, which may be that of another."""
        other = element.attributes.get("as")
        if other is not None and other not in self._texts:
            raise PartFault("F503", element.tag, f"no element before has the id {brief(other)}")
        text = element.text(self._data) if other is None else self._texts[other]
        if "id" in element.attributes:
            self._texts[element.attributes["id"]] = text
        return text


class _Template:
    """A constraint with the parameters %0, %1, ... and %... of a group."""

    def __init__(self, parts: ConstraintParts) -> None:
        self._parts = parts
        split = [(name, _PARAMETER.split(text.data)) for name, text in parts.texts.items()]
        split = [(name, pieces) for name, pieces in split if len(pieces) > 1]  # every other piece is a parameter
        self._forms = [(name, pieces, [int(i) if i else _REST for i in pieces[1::2]]) for name, pieces in split]
        used = [i for _, _, parameters in self._forms for i in parameters]
        self.n_named = max(used, default=_REST) + 1
        self._has_rest = _REST in used

    def filled(self, words: Sequence[bytes], given: XmlText, budget: TupleBudget) -> ConstraintParts:
        """The constraint with arguments, given their text; ``PartFault`` if there are too few or too many."""
        if len(words) < self.n_named or (len(words) > self.n_named and not self._has_rest):
            expected = f"{self.n_named}{' or more' if self._has_rest else ''}"
            raise PartFault("F504", given.whole(), f"expected {expected} arguments, found {len(words)}")
        texts = self._parts.texts.copy()
        rest = b" ".join(words[self.n_named :])
        for name, pieces, parameters in self._forms:
            pieces[1::2] = [rest if i == _REST else words[i] for i in parameters]
            n_bytes = sum(map(len, pieces)) - len(given.data)
            if n_bytes > 0:
                budget.spend("bytes in groups", n_bytes, given.span())
            texts[name] = XmlText(b"".join(pieces), texts[name].start, given)
        return self._parts._replace(place=given.span(), texts=texts)


def _number(element: Element, name: str, default: str) -> int:
    text = element.attributes.get(name, default).strip()
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        raise PartFault("F501", element.tag, f"expected a number for {name}, found {brief(text)!r}")
    return int(text)


def _attributes(element: Element, name: str, known: frozenset[str], key: str = "") -> dict[str, str]:
    """The attributes that mean something; none may be unknown."""
    found = {}
    for attribute, value in element.attributes.items():
        if f"{name}.{attribute}" in known:
            found[f"{key}.{attribute}"] = value
        elif attribute not in _HARMLESS | ({"as"} if name else set()) and (attribute, value) not in _DEFAULTS:
            raise PartFault("F502", element.tag, f"{brief(attribute)} is not supported in <{brief(element.name)}>")
    return found


# ---- Names in notes --------------------------------------------------------------------------------------------------


def _declare(variables: Variables, note: str, builder: ColumnsBuilder, domain_names: Sequence[str]) -> list[int]:
    """Declare the variables with their domains, under the names in the notes, and give the number of each word."""
    if (problem := _noted_problem(variables, note)) is not None:
        for domain in problem.domains:
            builder.domain(domain.name, domain.words)
        for name, index in zip(problem.variable_names, problem.variable_domains.tolist(), strict=True):
            builder.variable(name, index)
        return Naming.of(problem).numbers
    names = domain_names or [f"D{i}" for i in range(1, len(variables.values) + 1)]
    for name, values in zip(names, variables.values, strict=True):
        builder.domain(name, list(map(variables.word, values)))
    for name, index in zip(variables.names, variables.domains, strict=True):
        builder.variable(name, index)
    numbers = {variables.word(value): value for values in variables.values for value in values}
    return [numbers[word] for word in builder.words]


def _noted_problem(variables: Variables, note: str) -> Problem | None:
    """The declarations in the notes, or None if these declarations would not be written as they are in the file."""
    if not note or not all(variables.notes):
        return None
    if (problem := noted_problem(_NUMBER.sub("", note).split(", "), variables.notes)) is None:
        return None
    naming = Naming.of(problem)
    declared = list(map(sorted, variables.values))
    noted = [sorted(naming.numbers[i] for i in values.tolist()) for values in problem.domain_values]
    pairs = set(zip(problem.variable_domains.tolist(), variables.domains, strict=False))
    is_as_written = naming.identifiers == variables.names and domains_note(problem, naming) == note
    return problem if is_as_written and all(noted[i] == declared[j] for i, j in pairs) else None

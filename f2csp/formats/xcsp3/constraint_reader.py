"""The constraints that become tables: tables as written, pairs of variables, and expressions in other words."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, pairwise
from typing import NamedTuple

import numpy as np

from f2csp.diagnostics import ByteSpan, brief
from f2csp.formats.xcsp3.declarations import TUPLE, Step, Terms
from f2csp.formats.xcsp3.expressions import COMPARISONS, call, operand, parse, scoped
from f2csp.formats.xcsp3.global_constraints import GLOBAL_CONSTRAINTS, Expressions, different_lists
from f2csp.formats.xcsp3.written_tables import INTEGER, RANGE, WrittenTables
from f2csp.formats.xcsp3.xml_elements import STEPS_OF_PAIR, PartFault, XmlText, written

_SET = re.compile(rb"\{\s*(?:%b\s*(?:,\s*%b\s*)*)?\}" % (INTEGER, INTEGER))
_REPEATED = re.compile(rb"(%b)(?:x([0-9]{1,9}))?" % INTEGER)
_CONDITION = re.compile(rb"\s*\(\s*([a-z]+)\s*,\s*(.*?)\s*\)\s*", re.DOTALL)
_BLANK_OR_PARENTHESIS = re.compile(rb"[()]|\s++|\Z")

_ORDERS = ("lt", "le", "ge", "gt")


def _split(text: XmlText) -> Iterator[XmlText]:
    """The parts of a text between blanks that are in no parentheses."""
    depth = start = 0
    for match in _BLANK_OR_PARENTHESIS.finditer(text.data):
        depth += {b"(": 1, b")": -1}.get(match.group(), 0)
        if match.group() not in (b"(", b")") and (depth <= 0 or not match.group()):
            if start < match.start():
                yield text._replace(data=text.data[start : match.start()], start=text.start + start)
            start = match.end()


class ConstraintParts(NamedTuple):
    """The parts of a constraint; its place is that of its tag, or of its arguments in a group."""

    name: str
    place: ByteSpan
    texts: dict[str, XmlText]  # of each element in it by name; a constraint without elements has its text as ``list``
    is_free: bool = False  # whether a note says that it was written so that its variable is not free
    attributes: dict[str, str] = {}  # noqa: RUF012 - never changed; those of its elements as ELEMENT.NAME

    def all(self, name: str) -> list[str]:
        """The names under which the elements of a name are: with # and a number from the second on."""
        return [one for one in self.texts if one.partition("#")[0] == name]

    def number(self, name: str) -> int:
        """The number in an attribute, 0 if there is none."""
        text = self.attributes.get(name, "0").strip()
        if not re.fullmatch("-?[0-9]{1,9}", text):
            raise PartFault("F501", self.place, f"expected an integer for {name}, found {brief(text)!r}")
        return int(text)

    def flag(self, name: str, *, default: bool = False) -> bool:
        return self.attributes.get(name, str(default)).strip().lower() == "true"

    def required(self, name: str) -> XmlText:
        if name not in self.texts:
            raise self.missing(f"<{name}>")
        return self.texts[name]

    def missing(self, what: str) -> PartFault:
        return PartFault("F501", self.place, f"expected {what} in <{self.name}>")


class Constraints(WrittenTables):
    """Reads constraints and adds their tables to the columns."""

    def add(self, parts: ConstraintParts, expressions: Expressions | None = None) -> None:
        """Add a constraint of these expressions, or else of its name; ``PartFault`` if it becomes no small table."""
        first = self.lowering.n_added
        self.lowering.begin(parts.name, parts.place)
        try:
            for steps in expressions or CONSTRAINTS[parts.name][0](self, parts) or ():
                self.lowering.require(steps)
        finally:
            if self.lowering.n_added > first:
                texts = parts.texts
                listed = texts.get("list")
                table = texts.get("supports") or texts.get("conflicts") or texts.get("values")
                scope_place = listed.span() if listed else parts.place
                self._places.add(first, parts.place, scope_place, table.span() if table else parts.place)

    def _extension(self, parts: ConstraintParts) -> None:
        supports, conflicts = parts.texts.get("supports"), parts.texts.get("conflicts")
        text = conflicts if supports is None else supports
        if text is None or (supports is not None and conflicts is not None):
            raise parts.missing("either <supports> or <conflicts>")
        scope = self._scope(parts)
        table = self.table("Reject" if supports is None else "Accept", text, scope)
        all_values = self.lowering.words[self.lowering.domains(scope)[0]][:, None]
        if not parts.is_free or table != self._builder.table("Accept", all_values):
            self.lowering.post(scope, table)

    def _intension(self, parts: ConstraintParts) -> Expressions:
        yield parse(parts.texts.get("function") or parts.required("list"), self.variables)

    def _all_different(self, parts: ConstraintParts) -> Expressions:
        if len(parts.all("list")) > 1:
            return different_lists(self, parts)
        excepted = self.integers(parts.texts["except"]) if "except" in parts.texts else []
        rows = self.matrix(parts) if "matrix" in parts.texts else []
        lists = [*rows, *map(list, zip(*rows, strict=True))]
        sizes = [*map(len, lists)] if rows else [len(self.variables.expanded(parts.required("list")))]
        self.budget.spend("pairs of variables", sum(n * (n - 1) // 2 for n in sizes), parts.place)  # before all terms
        return chain.from_iterable(self._different(terms, excepted) for terms in lists or [self.terms(parts)])

    def _clause(self, parts: ConstraintParts) -> None:
        """The tuple in which all literals are false; ``not(x)`` is a literal, too."""
        false: dict[int, int] = {}
        for term in self.terms(parts):
            variable, is_negated = scoped(term)[0], term[-1] == ("not", 1)
            if len(variable) != 1 or len(term) > 1 + is_negated:
                raise PartFault("F502", parts.place, "a literal is a variable or the negation of one")
            if false.setdefault(variable[0], int(is_negated)) != is_negated:
                return
        row = [self.lowering.words_of(variable, np.array([number])) for variable, number in false.items()]
        if all(map(len, row)):
            self.lowering.post(tuple(false), self._builder.table("Reject", np.stack(row, axis=1)))

    def _instantiation(self, parts: ConstraintParts) -> None:
        scope = self._scope(parts)
        numbers = self.integers(parts.required("values"))
        if len(numbers) != len(scope):
            message = f"expected {len(scope)} integers in <values>, one for each variable, found {len(numbers)}"
            raise PartFault("F504", parts.place, message)
        rows = self.lowering.indices(np.array(numbers, dtype=np.int64)).reshape(-1, 1, 1)
        for variable, row in zip(scope, rows, strict=True):
            self.lowering.post((variable,), self._builder.table("Accept", row))

    # ---- Parts -------------------------------------------------------------------------------------------------------

    def _scope(self, parts: ConstraintParts) -> list[int]:
        scope = self.variables.scope(parts.required("list"))
        if not scope:
            raise parts.missing("variables in <list>")
        return scope

    def terms(self, parts: ConstraintParts, name: str = "list") -> Terms:
        """The variables or expressions in the list of a constraint, of which there is one at least."""
        if not (terms := self.operands(parts, name)):
            raise parts.missing(f"variables in <{name}>")
        return terms

    def operands(self, parts: ConstraintParts, name: str, n: int | None = None) -> Terms:
        """The integers, variables and expressions in an element; their number, if it is given, is checked."""
        text, index = parts.required(name), self.variables.index
        words = text.data.split()
        if b"(" not in text.data and all(word in index for word in words):
            found: Terms = [[("", variable)] for variable in self.variables.scope(text)]
        else:
            found = [term for word in _split(text) for term in self._operands(word)]
        self.check_length(found, len(found) if n is None else n, name, parts)
        return found

    def lists(self, parts: ConstraintParts, read: Callable[[ConstraintParts, str], Terms]) -> list[Terms]:
        """The lists of a constraint, of the same length."""
        lists = [read(parts, name) for name in parts.all("list")]
        for terms in lists[1:]:
            self.check_length(terms, len(lists[0]), "list", parts)
        return lists

    def _operands(self, word: XmlText) -> Terms:
        if b"(" in word.data:
            return [parse(word, self.variables)]
        if (match := _REPEATED.fullmatch(word.data)) and word.data not in self.variables.index:
            return [[number] for number in self._repeated(match, word)]
        if word.data in self.variables.symbols and word.data not in self.variables.index:
            return [[self.variables.symbols[word.data]]]
        return [[("", variable)] for variable in self.variables.scope(word)]

    def tuples(self, parts: ConstraintParts, name: str, width: int | None = None) -> list[Terms]:
        """The operands in each tuple of an element; an operand without parentheses is a tuple of one."""
        if name not in parts.texts:
            return []
        rows = self._tuples(parts, name)
        if found := {len(row) for row in rows} - {width} if width is not None else ():
            message = f"expected {width} entries in each tuple of <{name}>, found {min(found)}"
            raise PartFault("F504", parts.texts[name].whole(), message)
        return rows

    def _tuples(self, parts: ConstraintParts, name: str) -> list[Terms]:
        text = parts.texts[name]
        if not text.data.strip().startswith(b"("):
            return [[term] for term in self.operands(parts, name)]
        rows = []
        for match in TUPLE.finditer(text.data):
            if match[1] is None:
                raise PartFault("F501", text.span(*match.span()), f"expected a tuple, found {written(match.group())}")
            inside = text._replace(data=match[1].replace(b",", b" "), start=text.start + match.start(1))
            rows.append([term for word in _split(inside) for term in self._operands(word)])
        return rows

    def matrix(self, parts: ConstraintParts) -> list[Terms]:
        """The rows, which are not empty and of the same length."""
        text = parts.required("matrix")
        rows = self.variables.matrix(text) or self._tuples(parts, "matrix")
        if not rows or {len(row) for row in rows} != {len(rows[0])} or not rows[0]:
            raise PartFault("F504", text.whole(), "expected a matrix with rows of the same length")
        return rows

    def order(self, parts: ConstraintParts) -> str:
        text = parts.required("operator")
        operator = text.data.strip().decode("utf-8", "replace")
        if operator not in _ORDERS:
            raise PartFault("F501", text.whole(), f"expected an operator, found {brief(operator)!r}", "write lt or le")
        return operator

    def check_length(self, found: Sequence[object], n: int, name: str, parts: ConstraintParts) -> None:
        if len(found) != n:
            raise PartFault("F504", parts.place, f"expected {n} entries in <{name}>, found {len(found)}")

    def spend_pairs(self, n: int, n_others: int, parts: ConstraintParts, n_steps: int = STEPS_OF_PAIR) -> None:
        """Count the pairs of terms that a constraint compares, and the steps that each will take."""
        self.budget.spend("pairs of terms", n * n_others, parts.place)
        self.budget.spend("steps of calculation", n * n_others * n_steps, parts.place)

    def compared(self, steps: list[Step], parts: ConstraintParts, name: str = "condition") -> list[Step]:
        """An expression that has the value, or meets the condition, of a constraint."""
        if name == "value" and name in parts.texts:
            return call("eq", steps, self.operand(parts, name))
        return [*steps, *self._condition(parts.required("condition" if name == "value" else name))]

    def operand(self, parts: ConstraintParts, name: str) -> list[Step]:
        """The only operand in an element."""
        return self.operands(parts, name, 1)[0]

    def occurrences(self, parts: ConstraintParts) -> Terms:
        """The steps that compare the value before with each operand or range in <occurs>."""
        found: Terms = []
        for word in _split(parts.required("occurs")):
            if match := RANGE.fullmatch(word.data):
                found.append([int(match[1]), int(match[2]), ("in..", 3)])
            else:
                found += [[*value, ("eq", 2)] for value in self._operands(word)]
        return found

    def _condition(self, text: XmlText) -> list[Step]:
        """The steps that compare the value before with what a condition such as (le,10) says."""
        match = _CONDITION.fullmatch(text.data)
        if not match:
            raise PartFault("F501", text.whole(), "expected a condition", "write such as (le,10)")
        operator, limit = match[1].decode(), match[2]
        if operator in COMPARISONS:
            if b"(" in limit:
                expression = text._replace(data=limit, start=text.start + match.start(2))
                return [*parse(expression, self.variables), (operator, 2)]
            if (step := operand(limit, self.variables)) is None:
                raise self.variables.unknown(limit, text.whole())
            return [step, (operator, 2)]
        if operator in ("in", "notin"):
            if found := RANGE.fullmatch(limit):
                return [int(found[1]), int(found[2]), (f"{operator}..", 3)]
            if _SET.fullmatch(limit):
                members: list[Step] = [int(member) for member in re.findall(INTEGER, limit)]
                return [*members, (operator, 1 + len(members))]
        message = f"the condition {written(text.data.strip())} is not supported"
        raise PartFault("F502", text.whole(), message, "write such as (le,10)")

    def integers(self, text: XmlText) -> list[int]:
        """The integers in a text, where 1x25 is 25 times 1."""
        numbers: list[int] = []
        for word in text.words():
            match = _REPEATED.fullmatch(word.group())
            if word.group() in self.variables.symbols:
                numbers.append(self.variables.symbols[word.group()])
                continue
            if not match:
                raise PartFault("F502", text.place(word), f"expected an integer, found {written(word.group())}")
            numbers += self._repeated(match, text)
        return numbers

    def _repeated(self, match: re.Match[bytes], text: XmlText) -> list[int]:
        n = int(match[2] or 1)
        if n > 1:
            self.budget.spend("words in lists", n, text.span())
        return [int(match[1])] * n

    def _different(self, terms: Terms, excepted: Sequence[int]) -> Expressions:
        """Pairs of terms that differ, but for excepted values; of variables at once as tables."""
        if not all(len(term) == 1 and isinstance(term[0], tuple) for term in terms):
            for one, other in combinations(terms, 2):
                are = [call("in", one, *([number] for number in excepted))] if excepted else []
                yield call("or", call("ne", one, other), *are)
            return
        domain_of, once = self.variables.domains, self.lowering.once
        for pair in combinations([self.lowering.variable_of(term) for term in terms], 2):
            domains = domain_of[pair[0]], domain_of[pair[1]]
            self.lowering.post(pair, once(("ne", *excepted, domains), self._table_of_equal, excepted, domains))

    def _table_of_equal(self, excepted: Sequence[int], domains: tuple[int, int]) -> int | None:
        """The table that rejects the pairs of equal values, some excepted; None if there are none."""
        numbers, others = (self.lowering.numbers[domain] for domain in domains)
        shared = self.lowering.words[domains[0]][np.isin(numbers, others) & ~np.isin(numbers, excepted)]
        return self._builder.table("Reject", np.stack((shared, shared), axis=1)) if len(shared) else None


_Reader = Callable[[Constraints, ConstraintParts], Expressions | None]

CONSTRAINTS: dict[str, tuple[_Reader, str]] = {
    "extension": (Constraints._extension, "list supports conflicts"),
    "intension": (Constraints._intension, "list function"),
    "allDifferent": (Constraints._all_different, "list list* matrix except"),
    "allEqual": (lambda reader, parts: (call("eq", *pair) for pair in pairwise(reader.terms(parts))), "list"),
    "clause": (Constraints._clause, "list"),
    "instantiation": (Constraints._instantiation, "list values"),
    **GLOBAL_CONSTRAINTS,
}
"""The constraints that are supported: how each is read, and the elements in it (``GLOBAL_CONSTRAINTS``)."""

"""The constraints that have tables here, one function each; anything else is refused by its name."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

from f2csp.diagnostics import Collector, near_word_hint, shown
from f2csp.formats.assembly import Assembly
from f2csp.formats.xcsp3.expressions import Draft, Expression, is_operand, parse
from f2csp.formats.xcsp3.limits import Limits
from f2csp.formats.xcsp3.operators import COMPARISONS, SETS
from f2csp.formats.xcsp3.tables import Tables
from f2csp.formats.xcsp3.tabulating import Tabulator
from f2csp.formats.xcsp3.texts import Span, Text
from f2csp.formats.xcsp3.variables import Variables

if TYPE_CHECKING:
    from f2csp.model import Kind

_WHOLE = re.compile(rb"[-+]?[0-9]{1,18}")
_SET = re.compile(rb"\{\s*(?:[-+]?[0-9]{1,18}\s*(?:,\s*[-+]?[0-9]{1,18}\s*)*)?\}")
_REPEATED = re.compile(rb"([-+]?[0-9]{1,18})(?:x([0-9]{1,9}))?")
_RANGE = re.compile(rb"([-+]?[0-9]{1,18})\.\.([-+]?[0-9]{1,18})")
_ORDERS = ("lt", "le", "ge", "gt")
_CONDITION = re.compile(rb"\s*\(\s*([a-z]+)\s*,\s*(.*?)\s*\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a constraint consists of.

    Attributes:
        name: of its element.
        place: of its tag, or of the arguments that it has in a group.
        texts: for each element in it, its name and its text; a constraint that is text alone has it as its list.
    """

    name: str
    place: Span
    texts: list[tuple[str, Text]] = field(default_factory=list)

    def of(self, *names: str) -> list[Text | None]:
        """The texts of these elements, None for what there is none of."""
        texts = dict(self.texts)
        return [texts.get(name) for name in names]


class Constraints:
    """Takes constraints and adds them to an assembly; tells faults to a collector.

    Attributes:
        n_added: how many tables were added.
    """

    def __init__(
        self,
        variables: Variables,
        tables: Tables,
        tabulator: Tabulator,
        assembly: Assembly,
        collector: Collector,
        limits: Limits,
    ) -> None:
        """Take what constraints are made of."""
        self._variables = variables
        self._assembly = assembly
        self._tables = tables
        self._tabulator = tabulator
        self._collector = collector
        self._limits = limits
        self.n_added = 0
        self._readers: dict[str, tuple[Callable[[Parts], None], frozenset[str]]] = {
            "extension": (self._extension, frozenset({"list", "supports", "conflicts"})),
            "intension": (self._intension, frozenset({"list", "function"})),
            "allDifferent": (self._all_different, frozenset({"list", "except"})),
            "allEqual": (self._all_equal, frozenset({"list"})),
            "ordered": (self._ordered, frozenset({"list", "operator"})),
            "sum": (self._sum, frozenset({"list", "coeffs", "condition"})),
            "instantiation": (self._instantiation, frozenset({"list", "values"})),
        }

    @property
    def names(self) -> Sequence[str]:
        """The names of the constraints that are read."""
        return tuple(self._readers)

    def add(self, parts: Parts) -> None:
        """Add what a constraint says."""
        read, known = self._readers[parts.name]
        names = [name for name, _ in parts.texts]
        for name in names:
            if name not in known:
                message = f"<{shown(name)}> in <{parts.name}> is not read"
                self._collector.add("F502", *parts.place, message, hint=near_word_hint(name, known))
                return
        if len(set(names)) != len(names):
            name = next(name for name in names if names.count(name) > 1)
            self._collector.add("F502", *parts.place, f"<{parts.name}> with more than one <{name}> is not read")
            return
        read(parts)

    def _extension(self, parts: Parts) -> None:
        listed, supports, conflicts = parts.of("list", "supports", "conflicts")
        text = conflicts if supports is None else supports
        if listed is None or text is None or (supports is not None and conflicts is not None):
            self._tell_missing(parts, "<list>, and either <supports> or <conflicts>")
            return
        scope = self._required_scope(listed, parts)
        if not scope:
            return
        domains = tuple([self._assembly.variable_domains[variable] for variable in scope])
        kind: Kind = "Reject" if supports is None else "Accept"
        relation = self._tables.relation(kind, text, domains)
        if relation is not None:
            self._post(scope, relation)

    def _intension(self, parts: Parts) -> None:
        listed, function = parts.of("list", "function")
        text = function or listed
        if text is None:
            self._tell_missing(parts, "an expression")
            return
        expression = parse(text, self._variables, self._collector)
        if expression is not None:
            self._tabulate(expression, parts)

    def _all_different(self, parts: Parts) -> None:
        listed, excepted = parts.of("list", "except")
        scope = self._required_scope(listed, parts)
        but = self._integers(excepted) if excepted is not None else []
        if not scope or but is None:
            return
        n = len(scope)
        if not self._limits.can_pair(n * (n - 1) // 2, parts.place):
            return
        domains = self._assembly.variable_domains
        relations: dict[tuple[int, int], int | None] = {}
        for first, second in combinations(scope, 2):
            key = domains[first], domains[second]
            if key not in relations:
                relations[key] = self._tabulator.different(*key, but)
            relation = relations[key]
            if relation is not None:
                self._post((first, second), relation)

    def _all_equal(self, parts: Parts) -> None:
        (listed,) = parts.of("list")
        domains = self._assembly.variable_domains
        for first, second in pairwise(self._required_scope(listed, parts) or ()):
            relation = self._tabulator.equal(domains[first], domains[second])
            self._post((first, second), relation)

    def _ordered(self, parts: Parts) -> None:
        listed, operator = parts.of("list", "operator")
        name = "" if operator is None else operator.data.strip().decode("utf-8", "replace")
        if name not in _ORDERS:
            place = parts.place if operator is None else operator.whole()
            self._collector.add(
                "F501", *place, f"the <operator> of <ordered> is {shown(name)!r}", hint="write lt or le"
            )
            return
        for first, second in pairwise(self._required_scope(listed, parts) or ()):
            draft = Draft()
            draft.variable(first)
            draft.variable(second)
            draft.function(name, 2)
            if not self._tabulate(draft.finish(), parts):
                return

    def _sum(self, parts: Parts) -> None:
        listed, coeffs, condition = parts.of("list", "coeffs", "condition")
        scope = self._required_scope(listed, parts, can_repeat=True)
        factors = [1] * len(scope or ()) if coeffs is None else self._integers(coeffs)
        if not scope or factors is None:
            return
        if condition is None or not (match := _CONDITION.fullmatch(condition.data)):
            place = parts.place if condition is None else condition.whole()
            self._collector.add(
                "F501", *place, "<sum> has no <condition> of an operator and an operand", hint="write (le,10)"
            )
            return
        if len(factors) != len(scope):
            message = f"<sum> has {len(scope)} variables and {len(factors)} coefficients"
            self._collector.add("F504", *parts.place, message)
            return
        draft = Draft()
        for variable, factor in zip(scope, factors, strict=True):
            draft.variable(variable)
            if factor != 1:
                draft.constant(factor)
                draft.function("mul", 2)
        draft.function("add", len(scope))
        if self._condition(draft, match[1].decode(), match[2], condition.whole()):
            self._tabulate(draft.finish(), parts)

    def _condition(self, draft: Draft, operator: str, operand: bytes, place: Span) -> bool:
        """Whether a condition could be added to a draft; if not, it is told."""
        if operator in COMPARISONS:
            if not is_operand(draft, operand, place, self._variables):
                return False
            draft.function(operator, 2)
            return True
        if operator in SETS and (match := _RANGE.fullmatch(operand)):
            _add_range(draft, operator, int(match[1]), int(match[2]))
            return True
        if operator in SETS and _SET.fullmatch(operand):
            members = _WHOLE.findall(operand)
            for member in members:
                draft.constant(int(member))
            draft.function(operator, 1 + len(members))
            return True
        written = shown(f"({operator},{operand.decode('utf-8', 'replace')})")
        self._collector.add("F502", *place, f"the condition {written} is not read", hint="write such as (le,10)")
        return False

    def _instantiation(self, parts: Parts) -> None:
        listed, values = parts.of("list", "values")
        scope = self._required_scope(listed, parts)
        numbers = None if values is None else self._integers(values)
        if values is None:
            self._tell_missing(parts, "<values>")
        if not scope or numbers is None:
            return
        if len(numbers) != len(scope):
            message = f"<instantiation> has {len(scope)} variables and {len(numbers)} values"
            self._collector.add("F504", *parts.place, message)
            return
        for variable, number in zip(scope, numbers, strict=True):
            text = Text(b"%d" % number, parts.place[0], parts.place)
            relation = self._tables.relation("Accept", text, (self._assembly.variable_domains[variable],))
            if relation is not None:
                self._post((variable,), relation)

    def _post(self, scope: Sequence[int], relation: int) -> None:
        self._assembly.constraint(scope, relation)
        self.n_added += 1

    def _tabulate(self, expression: Expression, parts: Parts) -> bool:
        """Add the table of an expression, and give whether there is one."""
        if expression.scope:
            relation = self._tabulator.relation(expression, f"<{parts.name}>", parts.place)
            if relation is None:
                return False
            self._post(expression.scope, relation)
            return True
        holds = self._tabulator.truth(expression.program, parts.place)
        if holds is False and self._assembly.variable_names:
            self._post((0,), self._assembly.relation("Accept", np.empty((0, 1), dtype=np.int32)))
        return holds is not None

    def _required_scope(self, listed: Text | None, parts: Parts, *, can_repeat: bool = False) -> list[int] | None:
        if listed is None:
            self._tell_missing(parts, "<list>")
            return None
        scope = self._variables.scope(listed)
        if scope == []:
            self._tell_missing(parts, "variables in <list>")
        if scope and not can_repeat and len(set(scope)) != len(scope):
            twice = next(variable for variable, n in Counter(scope).items() if n > 1)
            message = f"variable {self._variables.names[twice]} stands twice in the list"
            self._collector.add("F508", *listed.whole(), message, hint="name each variable once")
            return None
        return scope

    def _integers(self, text: Text) -> list[int] | None:
        """The integers in a text, those written like 1x25 as often as that says; None if there are others."""
        numbers: list[int] = []
        for word, place in text.words():
            match = _REPEATED.fullmatch(word)
            if not match:
                written = shown(word.decode("utf-8", "replace"))
                self._collector.add("F502", *place, f"{written} is read only where it is an integer")
                return None
            n = int(match[2] or 1)
            if n > 1 and not self._limits.can_name(n, place):
                return None
            numbers += [int(match[1])] * n
        return numbers

    def _tell_missing(self, parts: Parts, what: str) -> None:
        self._collector.add("F501", *parts.place, f"<{parts.name}> has not {what}")


def _add_range(draft: Draft, operator: str, first: int, last: int) -> None:
    """Add whether the value before is in a range: as far from the middle as its ends at the most."""
    draft.constant(2)
    draft.function("mul", 2)
    draft.constant(first + last)
    draft.function("dist", 2)
    draft.constant(last - first)
    draft.function("le" if operator == "in" else "gt", 2)

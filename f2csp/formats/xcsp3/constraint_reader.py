"""The constraints that become tables, one method each; any other is refused by its name."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise, product
from math import prod
from typing import NamedTuple

import numpy as np

from f2csp.diagnostics import shown
from f2csp.formats.xcsp3.declarations import TUPLE, InstancePlaces, Variables, integers
from f2csp.formats.xcsp3.expressions import COMPARISONS, Numbers, Program, Step, operand, parse, scoped, tuples_where
from f2csp.formats.xcsp3.xml_elements import Budget, Span, Text, Unreadable, written
from f2csp.model import Ids, Kind
from f2csp.text.columns import UNKNOWN, ColumnsBuilder

_INTEGER = rb"[-+]?[0-9]{1,18}"
_PLAIN = rb"-?+[0-9]{1,18}+"
_SET = re.compile(rb"\{\s*(?:%b\s*(?:,\s*%b\s*)*)?\}" % (_INTEGER, _INTEGER))
_REPEATED = re.compile(rb"(%b)(?:x([0-9]{1,9}))?" % _INTEGER)
_RANGE = re.compile(rb"(%b)\.\.(%b)" % (_INTEGER, _INTEGER))
_CONDITION = re.compile(rb"\s*\(\s*([a-z]+)\s*,\s*(.*?)\s*\)\s*", re.DOTALL)
_CELL = re.compile(rb"\s*+(?:(\*)|(%b)(?:\.\.(%b))?+)\s*+" % (_INTEGER, _INTEGER))
_BLANK_OR_PARENTHESIS = re.compile(rb"[()]|\s++|\Z")
_AS_BLANKS = bytes.maketrans(b"(),", b"   ")

_Pair = tuple[int, int]

_ORDERS = ("lt", "le", "ge", "gt")


def _split(text: Text) -> Iterator[Text]:
    """The parts of a text between blanks that are in no parentheses."""
    depth = start = 0
    for match in _BLANK_OR_PARENTHESIS.finditer(text.data):
        depth += {b"(": 1, b")": -1}.get(match.group(), 0)
        if match.group() not in (b"(", b")") and (depth <= 0 or not match.group()):
            if start < match.start():
                yield text._replace(data=text.data[start : match.start()], start=text.start + start)
            start = match.end()


def _is_variable(term: Sequence[Step]) -> bool:
    return len(term) == 1 and isinstance(term[0], tuple)


class Parts(NamedTuple):
    """The parts of a constraint; its place is that of its tag, or of its arguments in a group."""

    name: str
    place: Span
    texts: dict[str, Text]  # of each element in it by name; a constraint without elements has its text as ``list``
    is_free: bool = False  # whether a note says that it was written so that its variable is not free

    def required(self, name: str) -> Text:
        """The text of an element that cannot be left out."""
        if name not in self.texts:
            raise self.missing(f"<{name}>")
        return self.texts[name]

    def missing(self, what: str) -> Unreadable:
        """The diagnostic for a part that is missing."""
        return Unreadable("F501", self.place, f"expected {what} in <{self.name}>")


class Constraints:
    """Reads constraints and adds their tables to the columns; ``numbers`` are those of the builder's words."""

    def __init__(
        self, variables: Variables, numbers: list[int], builder: ColumnsBuilder, places: InstancePlaces, budget: Budget
    ) -> None:
        self._variables = variables
        self._builder = builder
        self._places = places
        self._budget = budget
        self._order = np.argsort(np.array(numbers, dtype=np.int64))
        self._sorted = np.array(numbers, dtype=np.int64)[self._order]
        self._numbers = [np.array(values, dtype=np.int64) for values in variables.values]
        self._words = [self._indices(values) for values in self._numbers]
        self._plain_tables: dict[tuple[Kind, int, bytes], Ids | None] = {}
        self._tables: dict[tuple[object, ...], dict[tuple[int, ...], int | None]] = defaultdict(dict)  # and by domains
        self.n_added = 0

    def add(self, parts: Parts) -> None:
        """Add a constraint whose name is one of ``CONSTRAINTS``; ``Unreadable`` if it becomes no small table."""
        first = self.n_added
        try:
            CONSTRAINTS[parts.name][0](self, parts)
        finally:
            if self.n_added > first:
                texts = parts.texts
                listed = texts.get("list")
                table = texts.get("supports") or texts.get("conflicts") or texts.get("values")
                scope_place = listed.span() if listed else parts.place
                self._places.add(first, parts.place, scope_place, table.span() if table else parts.place)

    def _extension(self, parts: Parts) -> None:
        supports, conflicts = parts.texts.get("supports"), parts.texts.get("conflicts")
        text = conflicts if supports is None else supports
        if text is None or (supports is not None and conflicts is not None):
            raise parts.missing("either <supports> or <conflicts>")
        scope = self._scope(parts)
        kind: Kind = "Reject" if supports is None else "Accept"
        table = self._table(kind, text, scope)
        if parts.is_free and table == self._builder.table("Accept", self._words[self._domains(scope)[0]][:, None]):
            return  # it holds for all values
        self._post(scope, table)

    def _intension(self, parts: Parts) -> None:
        self._tabulate(parse(parts.texts.get("function") or parts.required("list"), self._variables), parts)

    def _all_different(self, parts: Parts) -> None:
        terms = self._terms(parts)
        excepted = self._integers(parts.texts["except"]) if "except" in parts.texts else []
        self._budget.spend("pairs of variables", len(terms) * (len(terms) - 1) // 2, parts.place)
        if excepted or all(map(_is_variable, terms)):
            table_of = partial(self._table_of_equal, "Reject", excepted)
            self._post_pairs(combinations(self._scope(parts), 2), ("different", *excepted), table_of)
            return
        for one, other in combinations(terms, 2):
            self._tabulate([*one, *other, ("ne", 2)], parts)

    def _all_equal(self, parts: Parts) -> None:
        self._post_pairs(pairwise(self._scope(parts)), ("equal",), partial(self._table_of_equal, "Accept", []))

    def _ordered(self, parts: Parts) -> None:
        text = parts.required("operator")
        operator = text.data.strip().decode("utf-8", "replace")
        if operator not in _ORDERS:
            raise Unreadable("F501", text.whole(), f"expected an operator, found {shown(operator)!r}", "write lt or le")
        program: Program = (("", 0), ("", 1), (operator, 2))
        self._post_pairs(pairwise(self._scope(parts)), program, partial(self._table_where, program, parts))

    def _sum(self, parts: Parts) -> None:
        terms = self._terms(parts)
        factors = self._integers_for(terms, "coeffs", parts) if "coeffs" in parts.texts else [1] * len(terms)
        steps: list[Step] = []
        for term, factor in zip(terms, factors, strict=True):
            steps += term if factor == 1 else [*term, factor, ("mul", 2)]
        self._tabulate([*steps, ("add", len(terms)), *self._condition(parts.required("condition"))], parts)

    def _condition(self, text: Text) -> list[Step]:
        """The steps that compare the value before with what a condition such as (le,10) says."""
        match = _CONDITION.fullmatch(text.data)
        if not match:
            raise Unreadable("F501", text.whole(), "expected a condition", "write such as (le,10)")
        operator, limit = match[1].decode(), match[2]
        if operator in COMPARISONS:
            if (step := operand(limit, self._variables)) is None:
                raise self._variables.unknown(limit, text.whole())
            return [step, (operator, 2)]
        if operator in ("in", "notin"):
            if found := _RANGE.fullmatch(limit):
                return [int(found[1]), int(found[2]), (f"{operator}..", 3)]
            if _SET.fullmatch(limit):
                members: list[Step] = [int(member) for member in re.findall(_INTEGER, limit)]
                return [*members, (operator, 1 + len(members))]
        message = f"the condition {written(text.data.strip())} is not supported"
        raise Unreadable("F502", text.whole(), message, "write such as (le,10)")

    def _instantiation(self, parts: Parts) -> None:
        scope = self._scope(parts)
        numbers = self._integers_for(scope, "values", parts)
        rows = self._indices(np.array(numbers, dtype=np.int64)).reshape(-1, 1, 1)
        for variable, row in zip(scope, rows, strict=True):
            self._post((variable,), self._builder.table("Accept", row))

    # ---- Parts -------------------------------------------------------------------------------------------------------

    def _scope(self, parts: Parts) -> list[int]:
        scope = self._variables.scope(parts.required("list"))
        if not scope:
            raise parts.missing("variables in <list>")
        return scope

    def _terms(self, parts: Parts) -> list[list[Step]]:
        """The variables in the list of a constraint, or the expressions where it holds any."""
        text = parts.required("list")
        if b"(" not in text.data:
            return [[("", variable)] for variable in self._scope(parts)]
        return [parse(term, self._variables) for term in _split(text)]

    def _integers_for(self, scope: Sequence[object], name: str, parts: Parts) -> list[int]:
        """The integers in an element, one for each variable."""
        numbers = self._integers(parts.required(name))
        if len(numbers) != len(scope):
            message = f"expected {len(scope)} integers in <{name}>, one for each variable, found {len(numbers)}"
            raise Unreadable("F504", parts.place, message)
        return numbers

    def _integers(self, text: Text) -> list[int]:
        """The integers in a text, where 1x25 is 25 times 1."""
        numbers: list[int] = []
        for word in text.words():
            match = _REPEATED.fullmatch(word.group())
            if not match:
                raise Unreadable("F502", text.place(word), f"expected an integer, found {written(word.group())}")
            n = int(match[2] or 1)
            if n > 1:
                self._budget.spend("words in lists", n, text.span())
            numbers += [int(match[1])] * n
        return numbers

    def _indices(self, numbers: Numbers) -> Ids:
        """For each number the index of its word, or ``UNKNOWN``."""
        if not len(self._sorted):
            return np.full(numbers.shape, UNKNOWN, dtype=np.int32)
        places = np.minimum(np.searchsorted(self._sorted, numbers), len(self._sorted) - 1)
        return np.where(self._sorted[places] == numbers, self._order[places], UNKNOWN).astype(np.int32)

    def _domains(self, scope: Iterable[int]) -> tuple[int, ...]:
        return tuple([self._variables.domains[variable] for variable in scope])

    def _post(self, scope: Sequence[int], table: int | None) -> None:
        if table is not None:
            self.n_added = self._builder.constraint(scope, table) + 1

    # ---- Tables of expressions ---------------------------------------------------------------------------------------

    def _tabulate(self, steps: Sequence[Step], parts: Parts) -> None:
        """Add the table of an expression."""
        scope, program = scoped(steps)
        if not scope:
            accepts, found = tuples_where(program, [], parts.place)
            if accepts != bool(len(found)) and self._variables.names:
                self._post((0,), self._builder.table("Accept", np.empty((0, 1), dtype=np.int32)))
            return
        tables, domains = self._tables[program], self._domains(scope)
        if domains not in tables:
            tables[domains] = self._table_where(program, parts, domains)
        self._post(scope, tables[domains])

    def _table_where(self, program: Program, parts: Parts, domains: tuple[int, ...]) -> int:
        """The table of the tuples for which an expression holds or does not hold, whichever are fewer."""
        numbers = [self._numbers[domain] for domain in domains]
        n_tuples = prod(map(len, numbers))
        if not n_tuples:
            raise Unreadable  # a domain without values, which is reported
        self._budget.spend_tuples(f"the table of <{parts.name}>", n_tuples, len(program) + len(domains), parts.place)
        accepts, positions = tuples_where(program, numbers, parts.place)
        columns = [self._words[domain][column] for domain, column in zip(domains, positions.T, strict=True)]
        return self._builder.table("Accept" if accepts else "Reject", np.stack(columns, axis=1))

    def _table_of_equal(self, kind: Kind, excepted: Sequence[int], domains: _Pair) -> int | None:
        """The table of the pairs of equal values, some excepted; None if it rejects nothing."""
        first, second = domains
        numbers = self._numbers[first]
        shared = self._words[first][np.isin(numbers, self._numbers[second]) & ~np.isin(numbers, excepted)]
        return (
            self._builder.table(kind, np.stack((shared, shared), axis=1)) if len(shared) or kind == "Accept" else None
        )

    def _post_pairs(
        self, pairs: Iterable[_Pair], key: tuple[object, ...], table_of: Callable[[_Pair], int | None]
    ) -> None:
        """Add a table on each pair of variables, given the table for two domains."""
        domain_of, tables = self._variables.domains, self._tables[key]
        for pair in pairs:
            domains = domain_of[pair[0]], domain_of[pair[1]]
            if domains not in tables:
                tables[domains] = table_of(domains)
            self._post(pair, tables[domains])

    # ---- Tables as written -------------------------------------------------------------------------------------------

    def _table(self, kind: Kind, text: Text, scope: Sequence[int]) -> int | None:
        """The table in a text: at once if it holds integers alone, otherwise tuple by tuple."""
        key = kind, len(scope), text.data
        tables, domains = self._tables[key], self._domains(scope)
        if domains not in tables:
            if key not in self._plain_tables:
                self._plain_tables[key] = self._plain_table(*key[1:])
            rows = self._plain_tables[key]
            tables[domains] = (
                self._other_table(kind, text, domains) if rows is None else self._table_of(kind, text, domains, rows)
            )
        return tables[domains]

    def _table_of(
        self, kind: Kind, text: Text, domains: tuple[int, ...], rows: Ids, origins: list[int] | None = None
    ) -> int:
        """The table of the tuples that are in the domains; any other one can hold nowhere.

        Origins are the written tuples that the rows stem from.
        """
        pairs = zip(rows.T, domains, strict=True)
        kept = np.flatnonzero(np.all([np.isin(column, self._words[domain]) for column, domain in pairs], axis=0))
        if len(kept) < len(rows):
            rows, origins = rows[kept], (kept if origins is None else np.array(origins)[kept]).tolist()
        index = self._builder.table(kind, rows)
        if origins is not None:
            self._places.add_rows(text.span(), index, origins)
        return index

    def _plain_table(self, arity: int, data: bytes) -> Ids | None:
        pattern = rb"\s*+(?:\(%b(?:,%b){%d}\)\s*+)*+" % (_PLAIN, _PLAIN, arity - 1)
        if not re.fullmatch(pattern if arity > 1 else rb"\s*+(?:%b(?:\s++|$))*+" % _PLAIN, data):
            return None
        digits = data.translate(_AS_BLANKS).decode("ascii").strip()  # blanks alone would give a number
        numbers = np.fromstring(digits, dtype=np.int64, sep=" ") if digits else np.empty(0, dtype=np.int64)
        return self._indices(numbers).reshape(-1, arity)

    def _other_table(self, kind: Kind, text: Text, domains: tuple[int, ...]) -> int:
        """A table with ranges, stars or tuples of another size."""
        rows: list[tuple[int, ...]] = []
        seen: set[tuple[int, ...]] = set()
        origins: list[int] = []
        for i, (cells, place) in enumerate(self._tuples(text, len(domains))):
            if len(cells) == len(domains):
                spread = [self._spread(cell, domain, place) for cell, domain in zip(cells, domains, strict=True)]
            else:
                spread = [[0]] * len(cells)  # the rules report the size
            n = prod(map(len, spread))
            if n > 1:
                self._budget.spend_tuples("this tuple", n, 1, place)
            new = [row for row in product(*spread) if n == 1 or row not in seen]
            rows += new
            seen.update(new)
            origins += [i] * len(new)
        if any(len(row) != len(domains) for row in rows):
            ragged = [self._indices(np.array(row, dtype=np.int64)).tolist() for row in rows]
            index = self._builder.ragged_table(kind, ragged)
            self._places.add_rows(text.span(), index, origins)
            return index
        numbers = np.array(rows, dtype=np.int64).reshape(len(rows), len(domains))
        return self._table_of(kind, text, domains, self._indices(numbers), origins)

    def _tuples(self, text: Text, arity: int) -> Iterator[tuple[list[bytes], Span]]:
        """The cells of each tuple, and its place."""
        for match in TUPLE.finditer(text.data):
            place = text.span(*match.span())
            if match[1] is not None:
                yield match[1].split(b","), place
            elif arity == 1 and match.group()[0] not in b"()":
                yield [match.group()], place
            else:
                message = f"expected a tuple, found {written(match.group())}"
                raise Unreadable("F501", place, message, "write tuples as (1,2)")

    def _spread(self, cell: bytes, domain: int, place: Span) -> Sequence[int]:
        """The values that a cell matches."""
        match = _CELL.fullmatch(cell)
        if not match:
            message = f"expected a value in the tuple, found {written(cell.strip())!r}"
            raise Unreadable("F501", place, message, "write an integer, a range or *")
        values = self._variables.values[domain]
        if match[1]:
            return values
        found = integers(match[2], match[3], place)
        return [value for value in values if value in found]


CONSTRAINTS: dict[str, tuple[Callable[[Constraints, Parts], None], tuple[str, ...]]] = {
    "extension": (Constraints._extension, ("list", "supports", "conflicts")),
    "intension": (Constraints._intension, ("list", "function")),
    "allDifferent": (Constraints._all_different, ("list", "except")),
    "allEqual": (Constraints._all_equal, ("list",)),
    "ordered": (Constraints._ordered, ("list", "operator")),
    "sum": (Constraints._sum, ("list", "coeffs", "condition")),
    "instantiation": (Constraints._instantiation, ("list", "values")),
}
"""The constraints that are supported: how each is read, and the elements in it."""

"""The tuples of ``<supports>`` and ``<conflicts>`` as indices of words.

A table whose tuples hold nothing but integers is read at once; any other tuple by tuple, and so is one with faults.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import has_equal, row_codes
from f2csp.diagnostics import Collector, listed, shown
from f2csp.formats.assembly import Assembly
from f2csp.formats.xcsp3.limits import Limits
from f2csp.formats.xcsp3.texts import Span, Text
from f2csp.formats.xcsp3.values import Values
from f2csp.model import Ids, Kind

_PLAIN_TUPLES = re.compile(rb"\s*+(?:\(-?+[0-9]{1,18}+(?:,-?+[0-9]{1,18}+)*+\)\s*+)*+")
_PLAIN_VALUES = re.compile(rb"\s*+(?:-?+[0-9]{1,18}+\s++)*+(?:-?+[0-9]{1,18}+)?+")
_AS_BLANKS = bytes.maketrans(b"(),", b"   ")
_BUT_SIGNS = b"0123456789- \t\r\n"

_TUPLE = re.compile(rb"\(([^()]*+)\)|\([^()\s]*+|[^\s()]++|\)")
_CELL = re.compile(rb"\s*+(?:(?P<star>\*)|(?P<first>[-+]?+[0-9]{1,18}+)(?:\.\.(?P<last>[-+]?+[0-9]{1,18}+))?+)\s*+")

_LISTED = 5

_Rows = NDArray[np.int64]


@dataclass(slots=True)
class _Table:
    """A text that was read, for one number of variables.

    Attributes:
        relation: the number of the table, if it is the same over all domains.
        columns: the distinct words in each column, if it is.
        of_domains: the number of the table over the domains for which it was looked at.
    """

    relation: int | None = None
    columns: list[Ids] = field(default_factory=list)
    of_domains: dict[tuple[int, ...], int] = field(default_factory=dict)


class Tables:
    """Reads tables, equal ones once."""

    def __init__(self, values: Values, assembly: Assembly, collector: Collector, limits: Limits) -> None:
        """Begin without any."""
        self._values = values
        self._assembly = assembly
        self._collector = collector
        self._limits = limits
        self._known: dict[tuple[Kind, int, bytes], _Table] = {}

    def relation(self, kind: Kind, text: Text, domains: tuple[int, ...]) -> int | None:
        """The number of the table that a text holds, or None if it has faults, which are told."""
        key = kind, len(domains), text.data
        table = self._known.get(key)
        if table is None:
            table = self._known[key] = self._read(kind, text.data, len(domains))
        found = table.of_domains.get(domains)
        if found is not None:
            return found
        if table.relation is not None and self._fits(table.columns, domains):
            found = table.relation
        else:
            rows = self._rows_one_by_one(text, domains)
            if rows is None:
                return None
            found = self._assembly.relation(kind, rows)
        table.of_domains[domains] = found
        return found

    def _read(self, kind: Kind, data: bytes, arity: int) -> _Table:
        """The table, if its text is plain and has no faults but perhaps values that are not in the domains."""
        is_plain = (_PLAIN_TUPLES if arity > 1 else _PLAIN_VALUES).fullmatch(data)
        if not is_plain or not arity:
            return _Table()
        if arity > 1:
            n_tuples = data.count(b"(")
            if data.translate(None, _BUT_SIGNS) != (b"(" + b"," * (arity - 1) + b")") * n_tuples:
                return _Table()
        digits = data.translate(_AS_BLANKS).decode("ascii").strip()  # blanks alone would give a number
        numbers = np.fromstring(digits, dtype=np.int64, sep=" ") if digits else np.empty(0, dtype=np.int64)
        rows = self._values.indices(numbers).reshape(-1, arity)
        if (rows < 0).any() or has_equal(row_codes(rows.T)):
            return _Table()
        return _Table(self._assembly.relation(kind, rows), [np.unique(column) for column in rows.T])

    def _fits(self, columns: Sequence[Ids], domains: tuple[int, ...]) -> bool:
        """Whether all words are in the domains."""
        words = self._assembly.domain_values
        return all(
            len(column) <= len(words[domain]) and bool(np.isin(column, words[domain]).all())
            for column, domain in zip(columns, domains, strict=True)
        )

    def _rows_one_by_one(self, text: Text, domains: tuple[int, ...]) -> Ids | None:
        """The tuples, those with stars or ranges spread out over the domains; None if there are faults."""
        rows: dict[tuple[int, ...], None] = {}
        is_read = True
        for cells, place in self._tuples(text, len(domains)):
            spread = self._spread(cells, domains, place) if cells is not None else None
            if spread is None:
                is_read = False
                continue
            n_before, n_spread = len(rows), prod(map(len, spread))
            if n_spread > 1 and not self._limits.can_tabulate("a tuple with * or ..", n_before + n_spread, 1, place):
                return None
            rows |= dict.fromkeys(product(*spread))
            if n_spread == 1 and len(rows) == n_before:
                self._collector.add("F508", *place, "the tuple stands twice in the table", hint="keep one of the two")
                is_read = False
        if not is_read:
            return None
        numbers = np.array(list(rows), dtype=np.int64).reshape(len(rows), len(domains))
        return self._values.indices(numbers)

    def _tuples(self, text: Text, arity: int) -> Iterator[tuple[list[bytes] | None, Span]]:
        """The members of each tuple that is written, or None for what is no tuple, which is told; with their places."""
        for match in _TUPLE.finditer(text.data):
            place = text.span(match.start(), match.end())
            written = shown(match.group().decode("utf-8", "replace"))
            if arity == 1 and match[1] is None and match.group()[0] not in b"()":
                yield [match.group()], place
            elif match[1] is None:
                message = f"{written} is no tuple"
                self._collector.add("F501", *place, message, hint="write tuples as (1,2)")
                yield None, place
            elif (cells := match[1].split(b",")) and len(cells) != arity:
                message = f"the tuple {written} has {len(cells)} values for {arity} variables"
                self._collector.add("F504", *place, message, hint="give one value for each variable")
                yield None, place
            else:
                yield cells, place

    def _spread(self, cells: list[bytes], domains: tuple[int, ...], place: Span) -> list[Sequence[int]] | None:
        """What each member of a tuple stands for; None if one is not in its domain, which is told."""
        spread: list[Sequence[int]] = []
        for cell, domain in zip(cells, domains, strict=True):
            match = _CELL.fullmatch(cell)
            values = self._values.of_domain(domain)
            if not match:
                written = shown(cell.decode("utf-8", "replace").strip())
                message = f"{written!r} is no value" if written else "a value is missing"
                self._collector.add("F501", *place, f"{message} of a tuple", hint="write an integer, a range or *")
                return None
            if match["star"]:
                spread.append(values)
                continue
            first, last = int(match["first"]), int(match["last"] or match["first"])
            chosen = range(first, last + 1)
            if last - first >= len(values) or not set(chosen) <= self._values.set_of_domain(domain):
                self._tell_foreign(first, last, domain, place)
                return None
            spread.append(chosen)
        return spread

    def _tell_foreign(self, first: int, last: int, domain: int, place: Span) -> None:
        known = self._values.set_of_domain(domain)
        outside = next(value for value in range(first, last + 1) if value not in known)
        message = f"value {outside} is not in the domain of its variable"
        label = f"it takes {listed(map(str, self._values.of_domain(domain)), _LISTED)}"
        self._collector.add("F505", *place, message, label=label)

"""Tables as they are written: tuples of integers, symbols, ranges and stars."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from f2csp.diagnostics import ByteSpan
from f2csp.formats.xcsp3.declarations import TUPLE, InstancePlaces, Variables, integers
from f2csp.formats.xcsp3.lowering import Lowering
from f2csp.formats.xcsp3.xml_elements import PartFault, XmlText, written
from f2csp.model import Ids, Kind

INTEGER = rb"[-+]?[0-9]{1,18}"
RANGE = re.compile(rb"(%b)\.\.(%b)" % (INTEGER, INTEGER))
_PLAIN = rb"-?+[0-9]{1,18}+"
_CELL = re.compile(rb"\s*+(?:(\*)|(%b)(?:\.\.(%b))?+)\s*+" % (INTEGER, INTEGER))
_AS_BLANKS = bytes.maketrans(b"(),", b"   ")


class WrittenTables:
    """Reads tables, each text once for each list of domains; that of XCSP 2.x overrides ``plain_table``."""

    def __init__(self, variables: Variables, lowering: Lowering, places: InstancePlaces) -> None:
        self.variables = variables
        self.lowering = lowering
        self.budget = lowering.budget
        self._builder = lowering.builder
        self._places = places

    def table(self, kind: Kind, text: XmlText, scope: Sequence[int]) -> int:
        """The table in a text: at once if it holds integers alone, otherwise tuple by tuple."""
        domains = self.lowering.domains(scope)
        return self.lowering.once((kind, text.data, domains), self._table, kind, text, domains)

    def _table(self, kind: Kind, text: XmlText, domains: tuple[int, ...]) -> int:
        rows = self.lowering.once((len(domains), text.data), self.plain_table, len(domains), text.data)
        return self._other_table(kind, text, domains) if rows is None else self._table_of(kind, text, domains, rows)

    def _table_of(
        self, kind: Kind, text: XmlText, domains: tuple[int, ...], rows: Ids, origins: list[int] | None = None
    ) -> int:
        """The table of the tuples that are in the domains; any other one can hold nowhere.

        Origins are the written tuples that the rows stem from.
        """
        fits = [np.isin(column, self.lowering.words[domain]) for column, domain in zip(rows.T, domains, strict=True)]
        kept = np.flatnonzero(np.all(fits, axis=0))
        if len(kept) < len(rows):
            rows, origins = rows[kept], (kept if origins is None else np.array(origins)[kept]).tolist()
        index = self._builder.table(kind, rows)
        if origins is not None:
            self._places.add_rows(text.span(), index, origins)
        return index

    def plain_table(self, arity: int, data: bytes) -> Ids | None:
        """The tuples in a text of integers alone, for any domains; None for another text."""
        pattern = rb"\s*+(?:\(%b(?:,%b){%d}\)\s*+)*+" % (_PLAIN, _PLAIN, arity - 1)
        if not re.fullmatch(pattern if arity > 1 else rb"\s*+(?:%b(?:\s++|$))*+" % _PLAIN, data):
            return None
        return self.table_of_numbers(arity, data.translate(_AS_BLANKS))

    def table_of_numbers(self, arity: int, data: bytes) -> Ids:
        """The tuples in a text of integers and blanks."""
        digits = data.decode("ascii").strip()  # blanks alone would give a number
        numbers = np.fromstring(digits, dtype=np.int64, sep=" ") if digits else np.empty(0, dtype=np.int64)
        return self.lowering.indices(numbers).reshape(-1, arity)

    def _other_table(self, kind: Kind, text: XmlText, domains: tuple[int, ...]) -> int:
        """A table with ranges, stars or tuples of another size."""
        rows: list[tuple[int, ...]] = []
        seen: set[tuple[int, ...]] = set()
        origins: list[int] = []
        for i, (cells, place) in enumerate(self._written_tuples(text, len(domains))):
            if len(cells) == len(domains):
                spread = [self._spread(cell, domain, place) for cell, domain in zip(cells, domains, strict=True)]
            else:
                spread = [[0]] * len(cells)  # the rules report the size
            n = prod(map(len, spread))
            if n > 1:
                self.budget.spend_tuples("this tuple", n, 1, place)
            new = [row for row in product(*spread) if n == 1 or row not in seen]
            rows += new
            seen.update(new)
            origins += [i] * len(new)
        if any(len(row) != len(domains) for row in rows):
            ragged = [self.lowering.indices(np.array(row, dtype=np.int64)).tolist() for row in rows]
            index = self._builder.ragged_table(kind, ragged)
            self._places.add_rows(text.span(), index, origins)
            return index
        numbers = np.array(rows, dtype=np.int64).reshape(len(rows), len(domains))
        return self._table_of(kind, text, domains, self.lowering.indices(numbers), origins)

    def _written_tuples(self, text: XmlText, arity: int) -> Iterator[tuple[list[bytes], ByteSpan]]:
        """The cells of each tuple, and its place."""
        for match in TUPLE.finditer(text.data):
            place = text.span(*match.span())
            if match[1] is not None:
                yield match[1].split(b","), place
            elif arity == 1 and match.group()[0] not in b"()":
                yield [match.group()], place
            else:
                message = f"expected a tuple, found {written(match.group())}"
                raise PartFault("F501", place, message, "write tuples as (1,2)")

    def _spread(self, cell: bytes, domain: int, place: ByteSpan) -> Sequence[int]:
        """The values that a cell matches."""
        values = self.variables.values[domain]
        if (symbol := self.variables.symbols.get(cell.strip())) is not None:
            return [symbol] if symbol in values else []
        match = _CELL.fullmatch(cell)
        if not match:
            message = f"expected a value in the tuple, found {written(cell.strip())!r}"
            raise PartFault("F501", place, message, "write an integer, a range or *")
        if match[1]:
            return values
        found, numbers = integers(match[2], match[3], place), self.lowering.numbers[domain]
        return list(numbers[(found[0] <= numbers) & (numbers <= found[-1])].tolist())

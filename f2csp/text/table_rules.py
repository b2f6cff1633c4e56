"""The rules about scopes and tables: F103 (tuples), F104, F304, F306, F307.

Distinct tables are checked once, in bulk; a constraint with a fault is then gone through value by value.
"""

from collections import Counter, defaultdict
from itertools import chain, islice, permutations

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value, has_equal, repeats, row_codes
from f2csp.diagnostics import (
    ByteSpan,
    Collector,
    Edit,
    Fault,
    brief,
    certain_spelling,
    listed,
    near_word_hint,
    spelling_hint,
)
from f2csp.model import Ids, Offsets
from f2csp.text.chunked_text import blocks
from f2csp.text.columns import UNKNOWN, Columns, SourcePlaces, WrittenTable

Mask = NDArray[np.bool_]

_MAX_LISTED = 12  # values of a domain that a label lists
_MAX_MASKED = 1 << 12  # words up to which a mask over them is kept for each domain
_MAX_COMPARED = 5000  # values among which a near one is looked for
_MAX_HINTS = 10  # values for which this is done
_MAX_EXAMINED = 10_000  # constraints with faults that are gone through
_MAX_CURES = 100_000  # of one value
_MAX_ORDERED = 5  # values of a tuple that are looked for in another order
_MAX_REORDERED = 100  # constraints with faults for which this is done
_WILDCARDS = ("*", "_", "?", "any")


def check_tables(columns: Columns, places: SourcePlaces, collector: Collector) -> Offsets:
    """Report what breaks a rule; gives the constraints that do."""
    if not columns.tables:
        return np.empty(0, dtype=np.int64)
    rules = _TableRules(columns, places, collector)
    suspects: Offsets = np.flatnonzero(rules.suspects())
    for constraint in suspects.tolist():
        if collector.is_full or rules.is_full:
            collector.count_hidden(1)
        else:
            rules.report(constraint)
    rules.finish()
    return suspects


class _TableRules:
    def __init__(self, columns: Columns, places: SourcePlaces, collector: Collector) -> None:
        self._columns, self._places, self._collector = columns, places, collector
        self._tables = np.asarray(columns.constraint_tables)
        self._variable_domains = np.asarray(columns.variable_domains)
        self._allowed: dict[int, Mask] = {}
        self._repeated = _repeated_rows(columns.tables)
        self._reported: set[tuple[int, ...]] = set()  # shared tables, with the domains for which they were reported
        self._reported_spans: set[ByteSpan] = set()
        self._n_hints = self._n_examined = 0
        self._outside_faults: dict[tuple[str, int], Fault] = {}  # by value and domain
        self._n_uses: Counter[tuple[str, int]] = Counter()
        self._cures = defaultdict[tuple[str, int], list[Edit]](list)
        self._has_unknown: bool | None = None

    @property
    def is_full(self) -> bool:
        """Whether later constraints would only be counted."""
        return len(self._outside_faults) >= self._collector.limit or self._n_examined >= _MAX_EXAMINED

    def suspects(self) -> Mask:
        """For each constraint whether its scope or its table has a fault."""
        columns = self._columns
        arities = np.diff(np.asarray(columns.scope_offsets))
        n_rows = np.array([t.n_rows for t in columns.tables], dtype=np.int64)[self._tables]
        sizes = np.array([t.arity if t.n_rows else 0 for t in columns.tables], dtype=np.int64)[self._tables]
        has_fault = np.array([bool(t.malformed) or i in self._repeated for i, t in enumerate(columns.tables)])
        suspects: Mask = has_fault[self._tables] | ((sizes != arities) & (n_rows > 0)) | (arities == 0)
        if columns.declared_arities:
            suspects |= np.asarray(columns.declared_arities) != arities
        if columns.declared_tuples:
            suspects |= np.asarray(columns.declared_tuples) != n_rows
        for _, constraints, scopes in columns.scopes_by_arity():
            suspects[constraints[self._has_outside(constraints, scopes)]] = True
        suspects &= np.frombuffer(columns.is_malformed, dtype=np.uint8) == 0
        return suspects

    def report(self, constraint: int) -> None:
        """Report the faults of one constraint, in the order of the text."""
        self._n_examined += 1
        columns, places = self._columns, self._places
        table, scope = columns.tables[self._tables[constraint]], columns.scope(constraint)
        declared: int | None = columns.declared_arities[constraint] if columns.declared_arities else len(scope)
        n_known = sum(v != UNKNOWN for v in scope) if columns.sections["variables"].is_complete else len(scope)
        if not scope and not declared:
            self._report_empty_scope(constraint)
        elif declared == UNKNOWN:
            declared = None
        elif declared not in (len(scope), n_known):  # else an unknown name, which is reported, is the surplus
            self._report_arity(constraint, scope, table)
        domains = [int(self._variable_domains[v]) if v >= 0 else UNKNOWN for v in scope]
        shared = (*places.table(constraint), *domains)
        if shared in self._reported:
            return
        self._reported.add(shared)
        n_faulty = self._report_rows(constraint, table, scope, domains, declared)
        self._report_count(constraint, table, n_faulty)

    def finish(self) -> None:
        """Report the values outside of domains, each once for a domain."""
        n_outside = Counter(domain for _, domain in self._outside_faults)
        for (text, domain), fault in self._outside_faults.items():
            values = self._columns.domain_values[domain]
            if len(values) - len(set(values.tolist())) == n_outside[domain] == 1:
                continue  # a value that the domain holds twice, which is reported, was meant for this one
            n, name = self._n_uses[text, domain], self._columns.domain_names[domain]
            notes = [f"{brief(text)} is used {n} times for domain {name}"] if n > 1 else []
            self._collector.report(fault._replace(notes=notes, further=self._cures[text, domain]))

    def _has_outside(self, constraints: Offsets, scopes: Ids) -> Mask:
        """For constraints of one arity whether a value of a tuple is not in its variable's domain."""
        known = self._variable_domains if len(self._variable_domains) else np.full(1, UNKNOWN, dtype=np.int32)
        domains = np.where(scopes >= 0, known[scopes], UNKNOWN)
        if self._all_fit(domains):
            return np.zeros(len(constraints), dtype=bool)
        keys = row_codes(chain([self._tables[constraints]], domains.T))
        _, examples, kinds = np.unique(keys, return_index=True, return_inverse=True)
        has_outside = np.zeros(len(examples), dtype=bool)
        for i, example in enumerate(examples.tolist()):
            table = self._columns.tables[self._tables[constraints[example]]]
            if table.arity == domains.shape[1]:
                has_outside[i] = self._outside(table.values, domains[example].tolist()).any()
        return has_outside[kinds]

    def _all_fit(self, domains: Ids) -> bool:
        """Whether these domains hold all words, and the tables no other ones: so it is in a problem of one domain."""
        columns = self._columns
        used = np.flatnonzero(np.bincount(domains[domains >= 0])).tolist()
        if not all(columns.domain_is_open[d] or len(columns.domain_values[d]) == len(columns.words) for d in used):
            return False
        if self._has_unknown is None:
            self._has_unknown = any(t.values.size and int(t.values.min()) < 0 for t in columns.tables)
        return not self._has_unknown

    def _outside(self, rows: Ids, domains: list[int]) -> Mask:
        """For tuples of the right size which values are outside; shape as ``rows``."""
        outside: Mask = np.zeros(rows.shape, dtype=bool, order="F")  # it is filled, and added up, by columns
        for position, domain in enumerate(domains):
            if domain >= 0 and not self._columns.domain_is_open[domain]:
                outside[:, position] = ~self._is_in(domain, rows[:, position])
        return outside

    def _is_in(self, domain: int, words: Ids) -> Mask:
        """Which of the words are values of the domain; ``UNKNOWN`` is none."""
        values = self._columns.domain_values[domain]
        n_words = len(self._columns.words)
        if n_words > _MAX_MASKED:
            return np.isin(words, values)
        if domain not in self._allowed:
            mask: Mask = np.zeros(n_words + 1, dtype=bool)
            mask[values] = True
            self._allowed[domain] = mask
        return self._allowed[domain][words]

    def _report_empty_scope(self, constraint: int) -> None:
        count = self._places.arity(constraint)
        place = count.place if count else self._places.scope(constraint)
        message = f"constraint {self._columns.label(constraint)} has no variable"
        self._collector.add("F104", *place, message, hint="name its variables, or remove the constraint")

    def _report_arity(self, constraint: int, scope: list[int], table: WrittenTable) -> None:
        count = self._places.arity(constraint)
        if count is None or (place := count.place) in self._reported_spans:
            return
        self._reported_spans.add(place)
        found = len(scope)
        message = f"constraint {self._columns.label(constraint)} declared {count.value} variables, found {found}"
        related = [(*self._places.scope(constraint), f"{found} names")]
        hint = f"write {found}, or correct the scope"
        is_certain = table.n_rows > 0 and table.arity == found and UNKNOWN not in scope
        edit = self._places.edit(place, str(found)) if is_certain else None
        self._collector.add("F104", *place, message, related=related, hint=hint, edit=edit)

    def _report_count(self, constraint: int, table: WrittenTable, n_faulty: int) -> None:
        """F103, unless faulty rows, which are reported, are the surplus."""
        count = self._places.n_tuples(constraint)
        if count is None:
            return
        place, header_end = count.place, self._places.table(constraint)[1]
        is_certain = table.n_rows > 0 and table.arity == len(self._columns.scope(constraint))
        is_certain &= n_faulty <= len(self._repeated.get(self._tables[constraint], ()))
        data = self._columns.source.data
        is_below = table.arity == 1 and b"\n" in data[header_end : count.start]
        if is_below and self._places.text(place) in self._columns.words:  # may be a tuple, and the count is missing
            is_certain = False
            edit = self._places.edit((header_end, header_end), f" {table.n_rows + 1}")
            self._collector.offer_edit("F102", count.start, edit)
        if count.value is None:
            self._places.offer_count(count, table.n_rows if is_certain else 0, self._collector)
            return
        malformed = self._places.rows(constraint, table.malformed).values()
        most = table.n_rows + sum(max(data.count(b"(", *span) - 1, 0) for span in malformed)  # a line may hold several
        if table.n_rows - len(table.malformed) - n_faulty <= count.value <= most:
            return
        message = f"constraint {self._columns.label(constraint)} declared {count.value} tuples, found {table.n_rows}"
        hint, label = f"write {table.n_rows}, or correct the tuples", f"{table.n_rows} follow"
        edit = self._places.edit(place, str(table.n_rows)) if is_certain else None
        is_safe = count.value < table.n_rows  # otherwise a tuple may have been lost
        self._collector.add("F103", *place, message, label=label, hint=hint, edit=edit, is_safe=is_safe)

    def _report_rows(
        self, constraint: int, table: WrittenTable, scope: list[int], domains: list[int], declared: int | None
    ) -> int:
        """Report the faults of the tuples, one kind for each tuple; gives the number of faulty tuples.

        A tuple may have the size of the scope or the declared one; its values are checked where these are equal.
        """
        sizes = table.sizes if table.sizes is not None else np.full(table.n_rows, table.arity)
        fits = (sizes == len(scope)) | (sizes == declared)
        all_repeated = self._repeated.get(self._tables[constraint], {})
        repeated = {row: first for row, first in all_repeated.items() if fits[row]}
        readable = np.ones(table.n_rows, dtype=bool)
        readable[list(table.malformed)] = False
        misfits = np.flatnonzero(readable & ~fits) if scope or declared else np.empty(0, dtype=np.int64)
        readable[list(repeated)] = False
        rows = np.flatnonzero(readable & fits) if len(scope) == declared else np.empty(0, dtype=np.int64)
        if len(rows):  # each as often as it has values outside of the domains
            values = _rows_of_size(table, rows, len(domains))
            n_outside = self._outside(values, domains).sum(axis=1)
            n_outside[self._reordered(constraint, domains, rows, values, n_outside)] = 0
            rows = np.repeat(rows, n_outside)
        owners = np.concatenate([misfits, np.array(list(repeated), dtype=np.int64), rows])
        faulty = np.unique(owners)
        first_rows = faulty[: self._collector.limit].tolist()
        self._collector.count_hidden(int(np.count_nonzero(~np.isin(owners, first_rows))))
        places = self._places.rows(constraint, {*first_rows, *(repeated.get(row, row) for row in first_rows)})
        for row in first_rows:
            place = places[row]
            if place in self._reported_spans and place != self._places.table(constraint):
                continue
            self._reported_spans.add(place)
            if row in repeated:
                n_declared = self._columns.declared_tuples[constraint] if self._columns.declared_tuples else 0
                is_safe = sizes.size - len(all_repeated) >= n_declared  # otherwise another tuple may be meant
                self._report_repeated(place, places[repeated[row]], is_safe=is_safe)
            elif fits[row]:
                self._report_outside(place, scope, domains, _rows_of_size(table, np.array([row]), len(scope)))
            else:
                size, arity = int(sizes[row]), len(scope) or declared or 0
                message = f"the tuple has {size} value{'s' * (size != 1)} for {arity} variable{'s' * (arity != 1)}"
                hint, related = "write one value for each variable", [(*self._places.scope(constraint), "the scope")]
                self._collector.add("F306", *place, message, related=related, hint=hint)
        return len(faulty)

    def _reordered(self, constraint: int, domains: list[int], rows: Offsets, values: Ids, n_odd: Offsets) -> Offsets:
        """Report the tuples whose values are in another order than the scope, once; gives their indices."""
        suspects: Offsets = np.flatnonzero(n_odd > 1)
        is_small = len(domains) <= _MAX_ORDERED and self._n_examined <= _MAX_REORDERED
        orders = permutations(range(len(domains))) if is_small and len(suspects) and min(domains) >= 0 else ()
        for order in orders:
            reordered = suspects[~self._outside(values[suspects][:, order], domains).any(axis=1)]
            if len(reordered):
                first = int(reordered[0])
                place = self._places.rows(constraint, {int(rows[first])})[int(rows[first])]
                outside = int(np.argmax(self._outside(values[first : first + 1], domains)))
                span = next(islice(self._places.row_values(place), outside, None), place)
                label, n = self._columns.label(constraint), len(reordered)
                message = f"the values of the tuple are in another order than the scope of constraint {label}"
                hint = f"did you mean {brief(' '.join(self._columns.words[v] for v in values[first, list(order)]))}?"
                related = [(*self._places.scope(constraint), "the scope")]
                notes = [f"{n} tuples of the constraint are in this order"] if n > 1 else []
                self._collector.add("F304", *span, message, related=related, notes=notes, hint=hint)
                return reordered
        return suspects[:0]

    def _report_repeated(self, place: ByteSpan, first: ByteSpan, *, is_safe: bool) -> None:
        text = brief(self._places.text(place)[:60])
        message, related = f"the constraint holds the tuple {text} twice", [(*first, "the first is here")]
        edit = self._places.edit(place, "")
        self._collector.add("F307", *place, message, related=related, hint="remove one", edit=edit, is_safe=is_safe)

    def _report_outside(self, place: ByteSpan, scope: list[int], domains: list[int], row: Ids) -> None:
        """Report the values outside of their domains in a tuple; shape (1, arity)."""
        if self._collector.is_suppressed(place[0]):  # the line has a fault that was reported; nothing of it is counted
            return
        positions = np.flatnonzero(self._outside(row, domains)).tolist()
        self._collector.count_hidden(len(positions[self._collector.limit :]))
        spans = dict.fromkeys(positions[: self._collector.limit], place)
        spans.update((i, span) for i, span in enumerate(self._places.row_values(place)) if i in spans)
        for position, span in spans.items():
            self._report_value(span, scope[position], int(row[0, position]))

    def _report_value(self, span: ByteSpan, variable: int, value: int) -> None:
        """Report a value outside of its domain once for all its uses, each of which may have a cure."""
        columns = self._columns
        domain = columns.variable_domains[variable]
        text = columns.words[value] if value >= 0 else self._places.text(span)
        key = text, int(domain)
        if self._collector.is_suppressed(span[0]):
            return
        self._n_uses[key] += 1
        if known := self._outside_faults.get(key):
            if known.edit and len(self._cures[key]) < _MAX_CURES:
                self._cures[key] += filter(None, [self._places.edit(span, known.edit[2])])
            return
        words = [columns.words[i] for i in columns.domain_values[domain][:_MAX_COMPARED].tolist()]
        domain_name, name = columns.domain_names[domain], columns.variable_names[variable]
        self._n_hints += 1
        near = near_word_hint(text, words) if self._n_hints <= _MAX_HINTS else None
        wildcard = f"F2CSP has no wildcards: write a tuple for each value of {name}" if text in _WILDCARDS else None
        spelling = certain_spelling(text, words) if len(words) < _MAX_COMPARED else None
        message, label = f"value {text} is not in domain {domain_name} of variable {name}", listed(words, _MAX_LISTED)
        hint = wildcard or spelling_hint(text, words) or near
        related = ((*self._places.declaration(domain), f"{domain_name} is declared here"),)
        edit = self._places.edit(span, spelling) if spelling else None
        self._outside_faults[key] = Fault("F304", *span, message, hint, f"{name} takes {label}", related, edit)


def _rows_of_size(table: WrittenTable, rows: Offsets, size: int) -> Ids:
    """These rows of a table, which all have this size; shape (n, size)."""
    if table.sizes is None:
        return table.values if len(rows) == table.n_rows else table.values[rows]
    starts = (np.cumsum(table.sizes) - table.sizes)[rows]
    values: Ids = table.values[starts[:, None] + np.arange(size)]
    return values


def _repeated_rows(tables: list[WrittenTable]) -> dict[int, dict[int, int]]:
    """For each table with a tuple twice: the rows that repeat an earlier one, and that one.

    Tuples of one size are compared together: the tables may be many. Those with unknown values are not compared.
    """
    first_rows: dict[int, dict[int, int]] = defaultdict(dict)
    by_size: dict[int, list[tuple[int, Offsets | None]]] = defaultdict(list)  # tables, and which of their rows
    for i, table in enumerate(tables):
        for size, rows in [(table.arity, None)] if table.sizes is None else by_value(table.sizes):
            if table.n_rows > 1 and size:
                by_size[size].append((i, rows))
    for size, parts in by_size.items():
        for start, end in blocks(np.array([tables[i].values.size for i, _ in parts])):
            batch = parts[start:end]
            values = [tables[i].values if rows is None else _rows_of_size(tables[i], rows, size) for i, rows in batch]
            owners = np.repeat(np.array([i for i, _ in batch]), [len(rows) for rows in values])
            all_values = np.concatenate(values)
            keys = row_codes(chain([owners], all_values.T))
            if not has_equal(keys):
                continue
            numbers = np.concatenate([np.arange(tables[i].n_rows) if rows is None else rows for i, rows in batch])
            for later, first in repeats(keys).items():
                if (all_values[later] != UNKNOWN).all():
                    first_rows[int(owners[later])][int(numbers[later])] = int(numbers[first])
    return first_rows

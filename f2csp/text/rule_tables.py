"""The rules about scopes and tables: F103 (tuples), F104, F304, F306, F307.

Distinct tables are judged once, in bulk; a constraint in which something is wrong is then looked at word by word.
"""

from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import row_codes
from f2csp.diagnostics import Collector, listed, near_word_hint, spelling_hint
from f2csp.model import Ids
from f2csp.text.columns import UNKNOWN, Columns, Table
from f2csp.text.lines import Word, text_of, words_of
from f2csp.text.locate import Parts, constraint_parts, definition_words
from f2csp.text.rule_repeats import repeated_rows, rows_of_size, tables_with_repeats
from f2csp.text.rule_scopes import as_array, as_array_of_indices, scopes_by_arity

Mask = NDArray[np.bool_]

_LISTED = 12  # values of a domain that a label lists
_MASKED = 1 << 12  # words up to which a mask over them is kept for each domain
_COMPARED = 5000  # values among which a near one is looked for
_MOST_HINTS = 10  # values for which this is done


def check_tables(columns: Columns, collector: Collector) -> None:
    """All rules about scopes and tables."""
    if not columns.n_constraints:
        return
    rules = _TableRules(columns, collector)
    for constraint in np.flatnonzero(rules.suspects()).tolist():
        if collector.is_full:
            collector.count_hidden(1)
        else:
            rules.tell(constraint)


@dataclass(slots=True)
class _Wrong:
    """The rows of a constraint in which something is wrong: the first of each kind, and how many there are.

    A row is in one of these at the most; ``n_more`` are the faults in rows that are not kept.
    """

    sizes: dict[int, int] = field(default_factory=dict)  # row -> its size
    repeated: dict[int, int] = field(default_factory=dict)  # row -> the row that it repeats
    outside: dict[int, list[int]] = field(default_factory=dict)  # row -> positions of values outside their domains
    n_rows: int = 0
    n_more: int = 0


class _TableRules:
    def __init__(self, columns: Columns, collector: Collector) -> None:
        self._columns = columns
        self._collector = collector
        self._tables = as_array_of_indices(columns.constraint_tables)
        self._allowed: dict[int, Mask] = {}
        self._repeated: dict[int, dict[int, int]] = {}
        self._domain_ends: dict[int, int] = {}
        self._n_hints = 0
        self._has_unknown: bool | None = None

    def suspects(self) -> Mask:
        """For each constraint whether anything is wrong with its scope or table."""
        columns = self._columns
        arities = np.diff(as_array(columns.scope_offsets))
        declared_arities, declared_tuples = as_array(columns.declared_arities), as_array(columns.declared_tuples)
        n_rows = np.array([t.n_rows for t in columns.tables], dtype=np.int64)[self._tables]
        sizes = np.array([t.arity if t.n_rows else 0 for t in columns.tables], dtype=np.int64)[self._tables]
        is_flawed = np.array([bool(t.malformed) for t in columns.tables])
        for i in tables_with_repeats(columns.tables):
            is_flawed[i] |= bool(self._repeats(i))
        suspects: Mask = (declared_arities != arities) | (declared_tuples != n_rows) | is_flawed[self._tables]
        suspects |= ((sizes != arities) & (n_rows > 0)) | (arities == 0)
        for _, constraints, scopes in scopes_by_arity(columns):
            suspects[constraints[self._has_outside(constraints, scopes)]] = True
        suspects &= np.frombuffer(columns.is_spoiled, dtype=np.uint8) == 0
        return suspects

    def tell(self, constraint: int) -> None:
        """Tell what is wrong with one constraint, in the order of the text."""
        columns = self._columns
        parts = constraint_parts(columns, constraint)
        table = columns.tables[self._tables[constraint]]
        scope = columns.scope(constraint)
        declared = parts.arity.value
        n_known = sum(v != UNKNOWN for v in scope) if columns.knows_variables else len(scope)
        if not scope and declared == 0:
            self._tell_empty_scope(parts, constraint)
        elif declared is not None and declared not in (len(scope), n_known):  # else a name too much was told
            self._tell_scope_size(parts, constraint, declared, len(scope))
        wrong = self._wrong_rows(constraint, table, scope, {len(scope), declared})
        self._tell_count(parts, constraint, table, wrong)
        self._tell_rows(parts, scope, wrong)

    def _repeats(self, index: int) -> dict[int, int]:
        """The rows of a table that stand in it before, and where."""
        if index not in self._repeated:
            self._repeated[index] = repeated_rows(self._columns.tables[index])
        return self._repeated[index]

    def _has_outside(self, constraints: NDArray[np.int64], scopes: Ids) -> Mask:
        """For constraints of one arity whether a value of a tuple is not in its variable's domain."""
        variable_domains = as_array_of_indices(self._columns.variable_domains)
        domains = np.where(scopes >= 0, variable_domains[scopes] if len(variable_domains) else UNKNOWN, UNKNOWN)
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
        outside: Mask = np.zeros(rows.shape, dtype=bool)
        for position, domain in enumerate(domains):
            if domain >= 0 and not self._columns.domain_is_open[domain]:
                outside[:, position] = ~self._is_in(domain, rows[:, position])
        return outside

    def _is_in(self, domain: int, words: Ids) -> Mask:
        """Which of the words are values of the domain; ``UNKNOWN`` is none."""
        values = self._columns.domain_values[domain]
        n_words = len(self._columns.words)
        if n_words > _MASKED:
            return np.isin(words, values)
        if domain not in self._allowed:
            mask: Mask = np.zeros(n_words + 1, dtype=bool)
            mask[values] = True
            self._allowed[domain] = mask
        return self._allowed[domain][words]

    def _wrong_rows(self, constraint: int, table: Table, scope: list[int], sizes: set[int | None]) -> _Wrong:
        wrong = _Wrong(repeated=self._repeats(int(self._tables[constraint])))
        wrong.n_rows = len(wrong.repeated)
        if table.n_rows == 0:
            return wrong
        row_sizes = table.sizes if table.sizes is not None else np.full(table.n_rows, table.arity)
        fits = np.isin(row_sizes, [size for size in sizes if size is not None])
        wrong.repeated = {row: first for row, first in wrong.repeated.items() if fits[row]}
        wrong.n_rows = len(wrong.repeated)
        fits[list(table.malformed)] = True
        misfits = np.flatnonzero(~fits) if any(sizes) else np.empty(0, dtype=np.int64)
        most = self._collector.limit
        wrong.sizes = dict(zip(misfits[:most].tolist(), row_sizes[misfits[:most]].tolist(), strict=True))
        wrong.n_rows += len(misfits)
        wrong.n_more += len(misfits[most:])
        if sizes == {len(scope)}:
            self._find_outside(table, scope, row_sizes == len(scope), wrong)
        return wrong

    def _find_outside(self, table: Table, scope: list[int], fits: Mask, wrong: _Wrong) -> None:
        if not fits.any():
            return
        domains = [self._columns.variable_domains[v] if v >= 0 else UNKNOWN for v in scope]
        rows = np.flatnonzero(fits)
        outside = self._outside(rows_of_size(table, fits, len(scope)), domains)
        if wrong.repeated:
            outside[np.isin(rows, list(wrong.repeated))] = False
        told = np.flatnonzero(outside.any(axis=1))
        most = self._collector.limit
        wrong.n_rows += len(told)
        wrong.n_more += int(np.count_nonzero(outside[told[most:]]))
        for i in told[:most].tolist():
            wrong.outside[int(rows[i])] = np.flatnonzero(outside[i]).tolist()

    def _tell_empty_scope(self, parts: Parts, constraint: int) -> None:
        message = f"constraint {self._columns.label(constraint)} has no variable"
        hint = "name the variables on the line below the number, or remove the constraint"
        self._collector.add("F104", parts.arity.start, parts.arity.end, message, hint=hint)

    def _tell_scope_size(self, parts: Parts, constraint: int, declared: int, found: int) -> None:
        message = f"constraint {self._columns.label(constraint)} declared {declared} variables, found {found}"
        related = [(*parts.names, f"{found} names")]
        start, end = parts.arity.start, parts.arity.end
        self._collector.add("F104", start, end, message, related=related, hint=f"write {found}, or correct the scope")

    def _tell_count(self, parts: Parts, constraint: int, table: Table, wrong: _Wrong) -> None:
        """F103, unless rows that are told to be wrong are what is too much."""
        declared = parts.n_tuples.value
        n_wrong = len(table.malformed) + wrong.n_rows
        if declared is None or table.n_rows - n_wrong <= declared <= table.n_rows + _hidden_rows(parts, table):
            return
        label = self._columns.label(constraint)
        message = f"constraint {label} declared {declared} tuples, found {table.n_rows}"
        hint = f"write {table.n_rows}, or correct the tuples"
        start, end = parts.n_tuples.start, parts.n_tuples.end
        self._collector.add("F103", start, end, message, label=f"{table.n_rows} follow", hint=hint)

    def _tell_rows(self, parts: Parts, scope: list[int], wrong: _Wrong) -> None:
        told = sorted({*wrong.sizes, *wrong.repeated, *wrong.outside})
        most = self._collector.limit
        for row in told[most:]:
            self._collector.count_hidden(len(wrong.outside.get(row, ())) or 1)
        told = told[:most]
        self._collector.count_hidden(wrong.n_more)
        places = parts.rows({*told, *(wrong.repeated[row] for row in told if row in wrong.repeated)})
        for row in told:
            if row in wrong.sizes:
                self._tell_size(parts, places[row], wrong.sizes[row], len(scope) or parts.arity.value or 0)
            elif row in wrong.repeated:
                self._tell_repeated(places[row], places[wrong.repeated[row]])
            else:
                self._tell_outside(places[row], scope, wrong.outside[row])

    def _tell_size(self, parts: Parts, place: Word, size: int, arity: int) -> None:
        message = f"the tuple has {size} value{'s' * (size != 1)} for {arity} variable{'s' * (arity != 1)}"
        related = [(*parts.names, "the scope")]
        self._collector.add("F306", *place, message, related=related, hint="write one value for each variable")

    def _tell_repeated(self, place: Word, first: Word) -> None:
        text = text_of(self._columns.source.data, place)[:60]
        message = f"the tuple {text} stands twice in the constraint"
        self._collector.add("F307", *place, message, related=[(*first, "the first is here")], hint="remove one")

    def _tell_outside(self, place: Word, scope: list[int], positions: list[int]) -> None:
        if self._collector.is_spoiled(place[0]):  # what is wrong with the line was told, and nothing of it is counted
            return
        columns = self._columns
        data = columns.source.data
        most = self._collector.limit
        self._collector.count_hidden(len(positions[most:]))
        wanted = set(positions[:most])
        for position, word in enumerate(words_of(data, *place)):
            if position not in wanted:
                continue
            variable = scope[position]
            domain = columns.variable_domains[variable]
            name, owner = columns.domain_names[domain], columns.variable_names[variable]
            text = text_of(data, word)
            words = [columns.words[i] for i in columns.domain_values[domain][:_COMPARED].tolist()]
            start = columns.domain_starts[domain]
            self._collector.add(
                "F304",
                *word,
                f"value {text} is not in domain {name} of variable {owner}",
                label=f"{owner} takes {listed(words, _LISTED)}",
                related=[(start, self._domain_end(domain), f"{name} is declared here")],
                hint=spelling_hint(text, words) or self._near_word_hint(text, words),
            )

    def _domain_end(self, domain: int) -> int:
        """Where the last word of a domain's line ends."""
        if domain not in self._domain_ends:
            *_, (_, self._domain_ends[domain]) = definition_words(self._columns, self._columns.domain_starts[domain])
        return self._domain_ends[domain]

    def _near_word_hint(self, text: str, words: list[str]) -> str | None:
        self._n_hints += 1
        return near_word_hint(text, words) if self._n_hints <= _MOST_HINTS else None


def _hidden_rows(parts: Parts, table: Table) -> int:
    """How many tuples more there may be on malformed lines, each of which counts as one."""
    data = parts.data
    return sum(max(data.count(b"(", *place) - 1, 0) for place in parts.rows(table.malformed).values())

"""The rules about names (F201 to F205), domains (F301, F302) and the counts of sections (F103)."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat

import numpy as np

from f2csp.arrays import by_value
from f2csp.diagnostics import Collector, near_word_hint, shown
from f2csp.model import Ids, Offsets
from f2csp.model.words import is_integer, is_range, is_section_word, is_value, is_word, range_ends
from f2csp.text.columns import UNKNOWN, Columns, Places, Span, as_indices, as_offsets

_MAX_USES = 3  # further uses of an unknown name that a note lists
_MAX_HINTS = 10  # unknown names of a kind for which a near name is looked for

_WORD_HINT = "use a word: no white space, and none of : , ( ) { } ="


def check_words(columns: Columns, places: Places, collector: Collector) -> None:
    """F509: a name or a value of another format is not a word of F2CSP; what refers to it is not reported then."""
    for kind, names, place in _names(columns, places):
        bad = [i for i, name in enumerate(names) if not is_word(name)]
        for i in bad:
            collector.add("F509", *place(i), f"{shown(names[i])!r} cannot name a {kind}", hint=_WORD_HINT)
        columns.knows_domains &= not bad or kind != "domain"
        columns.knows_variables &= not bad or kind != "variable"
    bad_words = {i for i, word in enumerate(columns.words) if not is_value(word)}
    for domain, values in enumerate(columns.domain_values) if bad_words else ():
        spans = chain(places.values(domain), repeat(places.declaration(domain)))
        for value, span in zip(values.tolist(), spans, strict=False):
            if value in bad_words:
                columns.domain_is_open[domain] = True
                message = f"{shown(columns.words[value])!r} cannot be a value"
                collector.add("F509", *span, message, hint=f"{_WORD_HINT}, and not of the form 1..9")


def check_names(columns: Columns, places: Places, collector: Collector) -> None:
    """Check names, domains, and the counts of the sections."""
    for kind, names, place in _names(columns, places):
        n_faulty = _repeated_names(kind, names, place, collector) + _section_words(kind, names, place, collector)
        columns.sections[f"{kind}s"].n_faulty += n_faulty
    _unknown_domains(columns, places, collector)
    _unknown_variables(columns, places, collector)
    _repeated_variables(columns, places, collector)
    _check_domains(columns, places, collector)
    _check_counts(columns, collector)


def scopes_by_arity(columns: Columns) -> Iterator[tuple[int, Offsets, Ids]]:
    """For each arity: the indices of the constraints that can be checked, and their scopes.

    Shape:
        indices: (n,); scopes: (n, arity), entries may be ``UNKNOWN``.
    """
    if not columns.n_constraints:
        return
    offsets, scopes = as_offsets(columns.scope_offsets), as_indices(columns.scopes)
    readable = np.flatnonzero(np.frombuffer(columns.is_spoiled, dtype=np.uint8) == 0)
    for arity, positions in by_value(np.diff(offsets)[readable]):
        constraints = readable[positions]
        yield arity, constraints, scopes[offsets[constraints][:, None] + np.arange(arity)]


# ---- Names -----------------------------------------------------------------------------------------------------------


def _names(columns: Columns, places: Places) -> list[tuple[str, Sequence[str], Callable[[int], Span]]]:
    return [
        ("domain", columns.domain_names, places.domain),
        ("variable", columns.variable_names, places.variable),
        ("constraint", columns.labels or (), places.constraint),
    ]


def _repeated_names(kind: str, names: Sequence[str], place: Callable[[int], Span], collector: Collector) -> int:
    """F201: two things of one kind have the same name. Gives the number of repetitions."""
    if len(set(names)) == len(names):
        return 0
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        if first.setdefault(name, i) != i:
            related = [(*place(first[name]), "the first is here")]
            message = f"two {kind}s are called {name}"
            collector.add("F201", *place(i), message, related=related, hint="rename or remove one")
    return len(names) - len(first)


def _section_words(kind: str, names: Sequence[str], place: Callable[[int], Span], collector: Collector) -> int:
    """F202: a section word is used as a name. Gives the number of uses."""
    found = [i for i, name in enumerate(names) if is_section_word(name)]
    for i in found:
        message = f"the section word {names[i]} cannot name a {kind}"
        collector.add("F202", *place(i), message, hint="choose another name")
    return len(found)


@dataclass(slots=True)
class _Uses:
    """The first uses of a name that is not declared, and their number."""

    what: str
    places: list[Span] = field(default_factory=list)
    n: int = 0

    def add(self, place: Span) -> None:
        self.n += 1
        if self.n <= 1 + _MAX_USES:
            self.places.append(place)


def _unknown_domains(columns: Columns, places: Places, collector: Collector) -> None:
    """F203: a variable names a domain that is not declared; reported once for each name."""
    if not columns.knows_domains:
        return
    uses: dict[str, _Uses] = {}
    for i in np.flatnonzero(as_indices(columns.variable_domains) == UNKNOWN).tolist():
        span = places.variable_domain(i)
        what = f"variable {shown(columns.variable_names[i])} has the domain"
        uses.setdefault(places.text(span), _Uses(what)).add(span)
    _report_unknown("F203", uses, columns.domain_names, collector)


def _unknown_variables(columns: Columns, places: Places, collector: Collector) -> None:
    """F204: a scope names a variable that is not declared; reported once for each name."""
    if not columns.knows_variables:
        return
    positions = np.flatnonzero(as_indices(columns.scopes) == UNKNOWN)
    constraints = np.searchsorted(as_offsets(columns.scope_offsets), positions, side="right") - 1
    uses: dict[str, _Uses] = {}
    for constraint in sorted(set(constraints.tolist())):
        if columns.is_spoiled[constraint]:
            continue
        what = f"constraint {shown(columns.label(constraint))} names the variable"
        for span, variable in _scope_places(columns, places, constraint):
            if variable == UNKNOWN:
                uses.setdefault(places.text(span), _Uses(what)).add(span)
    _report_unknown("F204", uses, columns.variable_names, collector)


def _repeated_variables(columns: Columns, places: Places, collector: Collector) -> None:
    """F205: a scope holds a variable twice; reported once for each scope."""
    for arity, constraints, scopes in scopes_by_arity(columns):
        if arity < 2:
            continue
        if arity == 2:  # by far the most, and quicker than to sort
            has_twice = (scopes[:, 0] == scopes[:, 1]) & (scopes[:, 0] != UNKNOWN)
        else:
            ordered = np.sort(scopes, axis=1)
            has_twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != UNKNOWN)).any(axis=1)
        for constraint in constraints[has_twice].tolist():
            columns.is_spoiled[constraint] = True  # the columns of its tuples cannot be assigned to variables
            _report_repeated(columns, places, constraint, collector)


def _report_repeated(columns: Columns, places: Places, constraint: int, collector: Collector) -> None:
    first: dict[int, Span] = {}
    repeated: list[tuple[Span, int]] = []
    n_repeated = 0
    for span, variable in _scope_places(columns, places, constraint):
        if variable in first and variable != UNKNOWN:
            n_repeated += 1
            if n_repeated <= 1 + _MAX_USES:
                repeated.append((span, variable))
        first.setdefault(variable, span)
    (span, variable), *others = repeated
    message = f"the scope of constraint {columns.label(constraint)} holds {columns.variable_names[variable]} twice"
    also = ", ".join(dict.fromkeys(columns.variable_names[v] for _, v in others))
    more = f" and {n_repeated - 1 - _MAX_USES} more" if n_repeated > 1 + _MAX_USES else ""
    notes = [f"it repeats {also}{more} too"] if also else []
    related = [(*first[variable], "the first is here")]
    collector.add("F205", *span, message, related=related, notes=notes, hint="name each variable of a scope once")


def _scope_places(columns: Columns, places: Places, constraint: int) -> Iterator[tuple[Span, int]]:
    spans = chain(places.names(constraint), repeat(places.scope(constraint)))
    return zip(spans, columns.scope(constraint), strict=False)


def _report_unknown(code: str, uses: dict[str, _Uses], known: Collection[str], collector: Collector) -> None:
    """Report names in the order of their first use; those that would not be listed are counted."""
    n_reported = 0
    for name, use in uses.items():
        start, end = use.places[0]
        if collector.is_spoiled(start):
            continue
        n_reported += 1
        if n_reported > collector.limit:
            collector.count_hidden(1)
            continue
        notes = []
        if use.n > 1:
            lines = collector.source.lines_of(start for start, _ in use.places[1:])
            where = ", ".join(str(line) for line in sorted(set(lines.values())))
            more = f" and {use.n - 1 - _MAX_USES} more times" if use.n > 1 + _MAX_USES else ""
            notes = [f"{shown(name)} is used again on line {where}{more}"]
        hint = near_word_hint(name, known) if n_reported <= _MAX_HINTS else None
        collector.add(code, start, end, f"{use.what} {shown(name)}, which is not declared", notes=notes, hint=hint)


# ---- Domains ---------------------------------------------------------------------------------------------------------


def _check_domains(columns: Columns, places: Places, collector: Collector) -> None:
    """F301 and F302; ranges (F303, F305) are checked by the reader that expands them."""
    for i, values in enumerate(columns.domain_values):
        if len(values) == 0 and not columns.domain_is_open[i]:
            columns.domain_is_open[i] = True  # so that its values are not reported as missing
            message = f"domain {columns.domain_names[i]} has no value"
            collector.add("F301", *places.domain(i), message, hint="give the domain at least one value")
        elif len(set(values.tolist())) != len(values):
            _repeated_values(columns, places, i, collector)


def _repeated_values(columns: Columns, places: Places, domain: int, collector: Collector) -> None:
    """F302: a domain holds a value twice; a range that repeats values is reported once."""
    name, n_values = shown(columns.domain_names[domain]), len(columns.domain_values[domain])
    first: dict[str, Span] = {}
    n_read = 0
    for text, span in _written_values(columns, places, domain):
        values = _expanded(text, n_values - n_read) if is_range(text) else [text]
        n_read += len(values)
        repeated = next((v for v in values if v in first), None)
        if repeated is not None:
            message = f"domain {name} holds the value {text} twice"
            if is_range(text):
                message = f"the range {text} of domain {name} repeats the value {repeated}"
            related = [(*first[repeated], "the first is here")]
            collector.add("F302", *span, message, related=related, hint="write each value once")
        for value in values:
            first.setdefault(value, span)


def _written_values(columns: Columns, places: Places, domain: int) -> Iterator[tuple[str, Span]]:
    """The values of a domain as written; where the reader does not tell them apart, at the declaration."""
    is_told_apart = False
    for span in places.values(domain):
        is_told_apart = True
        yield places.text(span), span
    if not is_told_apart:
        for value in columns.domain_values[domain].tolist():
            yield columns.words[value], places.declaration(domain)


def _expanded(text: str, most: int) -> list[str]:
    """The values of a range, or none if it was refused: what was taken in is no larger than the rest of the domain."""
    start, end = range_ends(text)
    if not (is_integer(start) and is_integer(end)) or int(end) - int(start) >= most:
        return []
    return [str(i) for i in range(int(start), int(end) + 1)]


# ---- Counts of sections ----------------------------------------------------------------------------------------------


def _check_counts(columns: Columns, collector: Collector) -> None:
    """F103: the declared number of domains, variables or constraints differs from the number found.

    Where the surplus is made of declarations that are faulty themselves, the count is right, and nothing is reported.
    """
    for word, section in columns.sections.items():
        count, found = section.count, section.found
        if count is None or count.value is None or not section.is_comparable:
            continue
        if found - section.n_faulty <= count.value <= found:
            continue
        n = abs(count.value - found)
        things = word if n != 1 else word[:-1]
        cure = f"add {n} {things}" if found < count.value else f"remove {n} {things}"
        message, label = f"declared {count.value} {word}, found {found}", f"{found} follow"
        collector.add("F103", count.start, count.end, message, label=label, hint=f"write {found}, or {cure}")

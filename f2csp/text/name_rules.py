"""The rules about names (F201 to F205), domains (F301, F302) and the counts of sections (F103)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, repeat

import numpy as np

from f2csp.arrays import by_value
from f2csp.diagnostics import Collector, near_word_hint, shown
from f2csp.model import Ids, Offsets
from f2csp.model.words import is_integer, is_range, is_section_word, is_value, is_word, range_ends
from f2csp.text.columns import UNKNOWN, Columns, Count, Places, Span, as_indices, as_offsets

_MAX_HINTS = 10  # unknown names of a kind for which a near name is looked for

_Use = tuple[str, Span]  # of a name that is not declared: what uses it, and where

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
        misused = [i for i, name in enumerate(names) if is_section_word(name)]
        for i in misused:
            message = f"the section word {names[i]} cannot name a {kind}"
            collector.add("F202", *place(i), message, hint="choose another name")
        columns.sections[f"{kind}s"].n_faulty += len(misused) + _repeated_names(kind, names, place, collector)
    if columns.knows_domains:
        _report_unknown("F203", _unknown_domains(columns, places), columns.domain_names, places, collector)
    if columns.knows_variables:
        _report_unknown("F204", _unknown_variables(columns, places), columns.variable_names, places, collector)
    _repeated_variables(columns, places, collector)
    _check_domains(columns, places, collector)
    _check_counts(columns, places, collector)


def scopes_by_arity(columns: Columns) -> Iterator[tuple[int, Offsets, Ids]]:
    """For each arity the constraints that can be checked, and their scopes (n, arity), with ``UNKNOWN`` names."""
    if not columns.n_constraints:
        return
    offsets, scopes = as_offsets(columns.scope_offsets), as_indices(columns.scopes)
    readable = np.flatnonzero(np.frombuffer(columns.is_malformed, dtype=np.uint8) == 0)
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


def _unknown_domains(columns: Columns, places: Places) -> Iterator[_Use]:
    """F203: the domains of variables that are not declared."""
    for i in np.flatnonzero(as_indices(columns.variable_domains) == UNKNOWN).tolist():
        yield f"variable {shown(columns.variable_names[i])} has the domain", places.variable_domain(i)


def _unknown_variables(columns: Columns, places: Places) -> Iterator[_Use]:
    """F204: the variables of scopes that are not declared."""
    positions = np.flatnonzero(as_indices(columns.scopes) == UNKNOWN)
    constraints = np.searchsorted(as_offsets(columns.scope_offsets), positions, side="right") - 1
    for constraint in sorted(set(constraints.tolist())):
        if not columns.is_malformed[constraint]:
            subject = f"constraint {shown(columns.label(constraint))} names the variable"
            for span, variable in _scope_places(columns, places, constraint):
                if variable == UNKNOWN:
                    yield subject, span


def _report_unknown(
    code: str, uses: Iterable[_Use], known: Collection[str], places: Places, collector: Collector
) -> None:
    """Report each name once, in the order of the first uses; names beyond the limit are counted."""
    first: dict[str, _Use] = {}
    n_uses: Counter[str] = Counter()
    for subject, span in uses:
        name = places.text(span)
        n_uses[name] += 1
        first.setdefault(name, (subject, span))
    reported = [(name, *use) for name, use in first.items() if not collector.is_suppressed(use[1][0])]
    collector.count_hidden(len(reported[collector.limit :]))
    for i, (name, subject, span) in enumerate(reported[: collector.limit]):
        notes = [f"{shown(name)} is used {n_uses[name]} times"] if n_uses[name] > 1 else []
        hint = near_word_hint(name, known) if i < _MAX_HINTS else None
        collector.add(code, *span, f"{subject} {shown(name)}, which is not declared", notes=notes, hint=hint)


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
            columns.is_malformed[constraint] = True  # the columns of its tuples cannot be assigned to variables
            _report_repeated(columns, places, constraint, collector)


def _report_repeated(columns: Columns, places: Places, constraint: int, collector: Collector) -> None:
    first: dict[int, Span] = {}
    for span, variable in _scope_places(columns, places, constraint):
        if variable in first and variable != UNKNOWN:
            name = columns.variable_names[variable]
            message = f"the scope of constraint {columns.label(constraint)} holds {name} twice"
            related = [(*first[variable], "the first is here")]
            collector.add("F205", *span, message, related=related, hint="name each variable of a scope once")
            return
        first.setdefault(variable, span)


def _scope_places(columns: Columns, places: Places, constraint: int) -> Iterator[tuple[Span, int]]:
    spans = chain(places.names(constraint), repeat(places.scope(constraint)))
    return zip(spans, columns.scope(constraint), strict=False)


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
    """The values of a domain as written; where the source has no place for each, at the declaration."""
    spans = iter(places.values(domain))
    if first := next(spans, None):
        yield from ((places.text(span), span) for span in chain([first], spans))
    else:
        yield from ((columns.words[i], places.declaration(domain)) for i in columns.domain_values[domain].tolist())


def _expanded(text: str, most: int) -> list[str]:
    """The values of a range, or none if it was refused: what was taken in is no larger than the rest of the domain."""
    start, end = range_ends(text)
    if not (is_integer(start) and is_integer(end)) or int(end) - int(start) >= most:
        return []
    return [str(i) for i in range(int(start), int(end) + 1)]


def offer_count(count: Count, found: int, places: Places, collector: Collector) -> None:
    """Offer the number found, unless it is zero, for a count that is missing (F101) or malformed (F102)."""
    if found:
        text = places.text(count.place)
        collector.offer_edit("F101", count.start, places.edit((count.end, count.end), f" {found}"))
        if text.lstrip("+-").isdigit():
            collector.offer_edit("F102", count.start, places.edit(count.place, str(found)))


def _check_counts(columns: Columns, places: Places, collector: Collector) -> None:
    """F103: the declared number of domains, variables or constraints differs from the number found.

    Where the surplus is made of declarations that are faulty themselves, the count is right, and nothing is reported.
    """
    uses = {"domains": columns.variable_domains, "variables": columns.scopes}
    for word, section in columns.sections.items():
        count, found = section.count, section.found
        if count is None or not section.is_comparable:
            continue
        is_certain = found > 0 and not section.n_faulty and UNKNOWN not in uses.get(word, ())
        if count.value is None:
            offer_count(count, found if is_certain else 0, places, collector)
            continue
        if found - section.n_faulty <= count.value <= found:
            continue
        n = abs(count.value - found)
        things = word if n != 1 else word[:-1]
        cure = f"add {n} {things}" if found < count.value else f"remove {n} {things}"
        message, label = f"declared {count.value} {word}, found {found}", f"{found} follow"
        place, hint = count.place, f"write {found}, or {cure}"
        edit = places.edit(place, str(found)) if is_certain else None
        collector.add("F103", *place, message, label=label, hint=hint, edit=edit)

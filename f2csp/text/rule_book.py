"""The one way from columns to a problem: apply the rules, build only what has no fault, and warn of what is odd in it.

Here are the rules about names (F201 to F205), domains (F301, F302) and the counts of sections (F103), and the warnings
F401 and F403 to F408; those about scopes and tables are in ``table_rules``.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, repeat

import numpy as np

from f2csp.arrays import by_value, grouped, has_equal, reduce_each, repeats, row_codes
from f2csp.diagnostics import ByteSpan, Collector, brief, near_word_hint
from f2csp.model import Ids, Kind, Offsets, Origin, Problem, Relation
from f2csp.model.words import is_integer, is_range, is_section_word, is_value, is_word, range_ends
from f2csp.text.columns import UNKNOWN, Columns, SourcePlaces
from f2csp.text.line_faults import domain_cure
from f2csp.text.table_rules import check_tables

_MAX_RELATED = 3  # constraints that a contradiction names
_MAX_EXAMINED = 10_000  # constraints in which unknown variables are looked for
_MAX_HINTS = 10  # unknown names of a kind for which a near name is looked for
_WORD_HINT = "use a word: no white space, and none of : , ( ) { } ="

_Use = tuple[str, ByteSpan]  # of a name that is not declared: what uses it, and where
_Place = Callable[[int], ByteSpan]  # of a thing with an index


def checked_problem(columns: Columns, places: SourcePlaces, collector: Collector) -> Problem:
    """Check the columns of a reader of another format, and build the problem; ``InvalidInput`` if it has faults."""
    _check_words(columns, places, collector)
    apply_rules(columns, places, collector)
    collector.raise_if_errors()
    return build(columns)


def apply_rules(columns: Columns, places: SourcePlaces, collector: Collector) -> Offsets:
    """Report what in the columns breaks a rule: F1xx, F2xx, F3xx; gives the constraints whose tables do."""
    if not columns.is_malformed:
        columns.is_malformed = bytearray((np.asarray(columns.constraint_tables) == UNKNOWN).tobytes())
    _check_names(columns, places, collector)
    return check_tables(columns, places, collector)


def build(columns: Columns) -> Problem:
    """Build the problem of columns without faults."""
    tables = np.asarray(columns.constraint_tables)
    relations, relation_of_table = _relations(columns, tables)
    lines = np.asarray(columns.lines)
    return Problem(
        title=columns.title,
        words=tuple(columns.words),
        domain_names=tuple(columns.domain_names),
        domain_values=tuple(columns.domain_values),
        variable_names=tuple(columns.variable_names),
        variable_domains=np.array(columns.variable_domains),
        relations=relations,
        scopes=np.array(columns.scopes),
        scope_offsets=np.array(columns.scope_offsets),
        constraint_relations=relation_of_table[tables],
        labels=tuple(columns.labels) if columns.labels is not None else None,
        origin=Origin(columns.source.name, lines.copy()) if len(lines) == columns.n_constraints else None,
        sums=tuple(columns.sums),
        is_checked=True,
    )


def _relations(columns: Columns, tables: Ids) -> tuple[tuple[Relation, ...], Ids]:
    """The distinct relations in the order of their first use, and for each table which it is.

    Bodies may differ in blanks alone, and a table that a reader has seen need not be one of the problem.
    """
    first_use = np.full(len(columns.tables), UNKNOWN, dtype=np.int64)
    first_use[tables[::-1]] = np.arange(len(tables) - 1, -1, -1)  # the last to be written is the first
    index: dict[tuple[Kind, int, bytes], int] = {}
    relations: list[Relation] = []
    relation_of_table = np.zeros(len(columns.tables), dtype=np.int32)
    for i in np.argsort(first_use, kind="stable").tolist():
        if first_use[i] == UNKNOWN:
            continue
        relation = Relation(columns.tables[i].kind, columns.tables[i].values)
        relation_of_table[i] = index.setdefault(relation.key, len(relations))
        if relation_of_table[i] == len(relations):
            relations.append(relation)
    return tuple(relations), relation_of_table


def _check_words(columns: Columns, places: SourcePlaces, collector: Collector) -> None:
    """F509: a name or a value of another format is not a word of F2CSP; what refers to it is not reported then."""
    for kind, names, place in _names(columns, places):
        bad = [i for i, name in enumerate(names) if not is_word(name)]
        for i in bad:
            collector.add("F509", *place(i), f"{brief(names[i])!r} cannot name a {kind}", hint=_WORD_HINT)
        columns.sections[f"{kind}s"].is_complete &= not bad
    bad_words = {i for i, word in enumerate(columns.words) if not is_value(word)}
    for domain, values in enumerate(columns.domain_values) if bad_words else ():
        spans = chain(places.values(domain), repeat(places.declaration(domain)))
        for value, span in zip(values.tolist(), spans, strict=False):
            if value in bad_words:
                columns.domain_is_open[domain] = True
                message = f"{brief(columns.words[value])!r} cannot be a value"
                collector.add("F509", *span, message, hint=f"{_WORD_HINT}, and not of the form 1..9")


def _check_names(columns: Columns, places: SourcePlaces, collector: Collector) -> None:
    """Check names, domains, and the counts of the sections."""
    variables = columns.sections["variables"]
    n_malformed = variables.n_faulty
    constraints = columns.with_unknown_variables() if variables.is_complete else np.empty(0, dtype=np.int64)
    named = list(_unknown_variables(columns, places, constraints[:_MAX_EXAMINED].tolist()))
    lost = Counter(places.text(span) for _, span in named)
    hint = f"rename one: {brief(min(lost))} is used and not declared" if len(lost) == 1 else "rename or remove one"
    for kind, names, place in _names(columns, places):
        misused = [i for i, name in enumerate(names) if is_section_word(name)]
        for i in misused:
            message = f"the section word {names[i]} cannot name a {kind}"
            collector.add("F202", *place(i), message, hint="choose another name")
        columns.sections[f"{kind}s"].n_faulty += len(misused) + _repeated_names(kind, names, place, collector, hint)
    if columns.sections["domains"].is_complete:
        undeclared = np.flatnonzero(np.asarray(columns.variable_domains) == UNKNOWN).tolist()
        subjects = [f"variable {brief(columns.variable_names[i])} has the domain" for i in undeclared]
        uses = zip(subjects, map(places.variable_domain, undeclared), strict=True)
        _report_unknown("F203", uses, columns.domain_names, places, collector)
    n_declared = variables.count.value if variables.count else None
    if n_declared == variables.found + len(lost) and min(lost.values(), default=1) > 1:  # a misspelling is used once
        variables.is_comparable = False  # it is their declarations that are missing
    if not len(lost) == variables.n_faulty - n_malformed == 1:  # else the name of the faulty declaration is the cause
        collector.count_hidden(len(constraints[_MAX_EXAMINED:]))
        _report_unknown("F204", named, columns.variable_names, places, collector)
    _repeated_variables(columns, places, collector)
    _check_domains(columns, places, collector)
    _check_counts(columns, places, collector)


# ---- Names -----------------------------------------------------------------------------------------------------------


def _names(columns: Columns, places: SourcePlaces) -> list[tuple[str, Sequence[str], _Place]]:
    return [
        ("domain", columns.domain_names, places.domain),
        ("variable", columns.variable_names, places.variable),
        ("constraint", columns.labels or (), places.constraint),
    ]


def _repeated_names(kind: str, names: Sequence[str], place: _Place, collector: Collector, hint: str) -> int:
    """F201: two things of one kind have the same name. Gives the number of repetitions."""
    if len(set(names)) == len(names):
        return 0
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        if first.setdefault(name, i) != i:
            related = [(*place(first[name]), "the first is here")]
            collector.add("F201", *place(i), f"two {kind}s are called {name}", related=related, hint=hint)
    return len(names) - len(first)


def _unknown_variables(columns: Columns, places: SourcePlaces, constraints: Iterable[int]) -> Iterator[_Use]:
    """F204: the variables of scopes that are not declared."""
    for constraint in constraints:
        if not columns.is_malformed[constraint]:
            subject = f"constraint {brief(columns.label(constraint))} names the variable"
            for span, variable in _scope_places(columns, places, constraint):
                if variable == UNKNOWN:
                    yield subject, span


def _report_unknown(
    code: str, uses: Iterable[_Use], known: Collection[str], places: SourcePlaces, collector: Collector
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
        notes = [f"{brief(name)} is used {n_uses[name]} times"] if n_uses[name] > 1 else []
        hint = domain_cure(name) if code == "F203" else None
        if not hint and i < _MAX_HINTS:
            hint = near_word_hint(name, known)
        if not hint and len(known) == 1:
            hint = f"did you mean {next(iter(known))}?"
        collector.add(code, *span, f"{subject} {brief(name)}, which is not declared", notes=notes, hint=hint)


def _repeated_variables(columns: Columns, places: SourcePlaces, collector: Collector) -> None:
    """F205: a scope holds a variable twice; reported once for each scope."""
    for arity, constraints, scopes in columns.scopes_by_arity():
        ordered = np.sort(scopes, axis=1) if arity > 2 else scopes  # by far the most are binary
        has_twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != UNKNOWN)).any(axis=1)
        for constraint in constraints[has_twice].tolist():
            columns.is_malformed[constraint] = True  # the columns of its tuples cannot be assigned to variables
            _report_repeated(columns, places, constraint, collector)


def _report_repeated(columns: Columns, places: SourcePlaces, constraint: int, collector: Collector) -> None:
    first: dict[int, ByteSpan] = {}
    for span, variable in _scope_places(columns, places, constraint):
        if variable in first and variable != UNKNOWN:
            name = columns.variable_names[variable]
            message = f"the scope of constraint {columns.label(constraint)} holds {name} twice"
            related = [(*first[variable], "the first is here")]
            collector.add("F205", *span, message, related=related, hint="name each variable of a scope once")
            return
        first.setdefault(variable, span)


def _scope_places(columns: Columns, places: SourcePlaces, constraint: int) -> Iterator[tuple[ByteSpan, int]]:
    spans = chain(places.names(constraint), repeat(places.scope(constraint)))
    return zip(spans, columns.scope(constraint), strict=False)


# ---- Domains ---------------------------------------------------------------------------------------------------------


def _check_domains(columns: Columns, places: SourcePlaces, collector: Collector) -> None:
    """F301 and F302; ranges (F303, F305) are checked by the reader that expands them."""
    for i, values in enumerate(columns.domain_values):
        if len(values) == 0 and not columns.domain_is_open[i]:
            columns.domain_is_open[i] = True  # so that its values are not reported as missing
            message = f"domain {columns.domain_names[i]} has no value"
            collector.add("F301", *places.domain(i), message, hint="give the domain at least one value")
        elif len(set(values.tolist())) != len(values):
            _repeated_values(columns, places, i, collector)


def _repeated_values(columns: Columns, places: SourcePlaces, domain: int, collector: Collector) -> None:
    """F302: a domain holds a value twice; a range that repeats values is reported once."""
    name, n_values = brief(columns.domain_names[domain]), len(columns.domain_values[domain])
    first: dict[str, ByteSpan] = {}
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


def _written_values(columns: Columns, places: SourcePlaces, domain: int) -> Iterator[tuple[str, ByteSpan]]:
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


def _check_counts(columns: Columns, places: SourcePlaces, collector: Collector) -> None:
    """F103: the declared number of domains, variables or constraints differs from the number found.

    Where the surplus is made of declarations that are faulty themselves, the count is right, and nothing is reported.
    """
    uses = {"domains": columns.variable_domains, "variables": columns.scopes}
    for word, section in columns.sections.items():
        count, n_found = section.count, section.found
        if count is None or not section.is_comparable:
            continue
        is_certain = n_found > 0 and not section.n_faulty and UNKNOWN not in uses.get(word, ())
        if count.value is None:
            places.offer_count(count, n_found if is_certain else 0, collector)
            continue
        if n_found - section.n_faulty <= count.value <= n_found:
            continue
        n = abs(count.value - n_found)
        things = word if n != 1 else word[:-1]
        cure = f"add {n} {things}" if n_found < count.value else f"remove {n} {things}"
        declared = word if count.value != 1 else word[:-1]
        message, label = f"declared {count.value} {declared}, found {n_found}", f"{n_found} follow"
        place, hint = count.place, f"write {n_found}, or {cure}"
        edit = places.edit(place, str(n_found)) if is_certain else None
        is_safe = count.value < n_found  # otherwise something may have been lost
        collector.add("F103", *place, message, label=label, hint=hint, edit=edit, is_safe=is_safe)


# ---- Warnings --------------------------------------------------------------------------------------------------------


def check_warnings(problem: Problem, places: SourcePlaces, collector: Collector) -> None:
    if not problem.title:
        start = places.source.start
        collector.add("F401", start, start, "the problem has no title", hint="write a line before Domains:")
    _unused_names(problem, places, collector)
    _trivial_constraints(problem, places, collector)
    _repeated_constraints(problem, places, collector)
    _contradictory_constraints(problem, places, collector)


def _unused_names(problem: Problem, places: SourcePlaces, collector: Collector) -> None:
    """F403, F404: no variable has the domain; no constraint names the variable, although there are constraints."""
    uses = np.bincount(problem.variable_domains, minlength=problem.n_domains)
    for domain in np.flatnonzero(uses == 0).tolist():
        collector.add("F403", *places.domain(domain), f"no variable has the domain {problem.domain_names[domain]}")
    uses = np.bincount(problem.scopes, minlength=problem.n_variables)
    for variable in np.flatnonzero(uses == 0).tolist() if problem.n_constraints else ():
        name = problem.variable_names[variable]
        collector.add("F404", *places.variable(variable), f"no constraint names the variable {name}")


def _trivial_constraints(problem: Problem, places: SourcePlaces, collector: Collector) -> None:
    """F405, F406: no assignment satisfies the constraint, or every one does."""
    for index in _full_or_empty(problem):
        constraint = problem.constraints[index]
        n_tuples, kind = constraint.relation.n_tuples, constraint.kind
        reason = f"it {kind.lower()}s {'no tuple' if n_tuples == 0 else f'all {n_tuples} tuples'}"
        code, when = ("F405", "never") if (n_tuples == 0) == (kind == "Accept") else ("F406", "always")
        collector.add(code, *places.table(index), f"constraint {constraint.label} is {when} true: {reason}")


def _full_or_empty(problem: Problem) -> list[int]:
    """The constraints with no tuple, or with as many tuples as there are assignments to their scopes."""
    if not problem.n_constraints:
        return []
    sizes = problem.domain_sizes[problem.variable_domains].astype(np.float64)  # products are exact up to 2^53
    with np.errstate(over="ignore"):
        n_assignments = reduce_each(np.multiply, sizes[problem.scopes], problem.scope_offsets[:-1])
    n_tuples = np.array([r.n_tuples for r in problem.relations], dtype=np.int64)[problem.constraint_relations]
    return np.flatnonzero((n_tuples == 0) | (n_tuples == n_assignments)).tolist()


def _repeated_constraints(problem: Problem, places: SourcePlaces, collector: Collector) -> None:
    """F407: two constraints have equal scope and relation as written, or one of them has both reversed."""
    are_reversed = cache(lambda i, j: _are_reversed(problem.relations[i], problem.relations[j]))
    for arity, constraints in by_value(np.diff(problem.scope_offsets)):
        scopes, relations = problem.scopes_of(constraints), problem.constraint_relations[constraints]
        codes = row_codes(chain([relations], scopes.T))
        repeated = repeats(codes) if has_equal(codes) else {}
        unordered = row_codes([scopes.min(axis=1), scopes.max(axis=1)]) if arity == 2 else codes
        for later, first in repeats(unordered).items() if arity == 2 and has_equal(unordered) else ():
            tables = int(relations[later]), int(relations[first])
            if scopes[later, 0] != scopes[first, 0] and are_reversed(*tables):
                repeated.setdefault(later, first)
        for later, first in sorted(repeated.items()):
            here, there = int(constraints[later]), int(constraints[first])
            labels = [brief(problem.label(i)) for i in (here, there)]
            message = f"constraint {labels[0]} repeats {labels[1]}: the same scope and the same table"
            message += ", reversed" if scopes[later, 0] != scopes[first, 0] else ""
            related = [(*places.constraint(there), "the first is here")]
            collector.add("F407", *places.constraint(here), message, related=related, hint="remove one")


def _are_reversed(one: Relation, other: Relation) -> bool:
    """Whether two binary relations differ only in the order of the variables."""
    if (one.kind, one.n_tuples) != (other.kind, other.n_tuples):
        return False
    return np.array_equal(np.unique(one.tuples, axis=0), np.unique(other.tuples[:, ::-1], axis=0))


def _contradictory_constraints(problem: Problem, places: SourcePlaces, collector: Collector) -> None:
    """F408: the unary constraints on a variable leave it no value, although each of them leaves some."""
    unary = np.flatnonzero(np.diff(problem.scope_offsets) == 1).tolist()
    for variable, constraints in grouped((int(problem.scope(c)[0]), c) for c in unary).items():
        if len(constraints) > 1:
            _check_unary(problem, places, variable, constraints, collector)


def _check_unary(
    problem: Problem, places: SourcePlaces, variable: int, constraints: list[int], collector: Collector
) -> None:
    n_values = int(problem.domain_sizes[problem.variable_domains[variable]])
    supported: set[int] | None = None  # by the positive tables; None: by all, as none of them was positive
    rejected: set[int] = set()
    n_left = n_values
    used: list[int] = []
    for constraint in constraints:
        relation = problem.relations[problem.constraint_relations[constraint]]
        values = set(relation.tuples[:, 0].tolist())
        if len(values) == (0 if relation.kind == "Accept" else n_values):
            continue  # never true by itself, which F405 reports
        before = n_left
        if relation.kind == "Accept":
            supported = values - rejected if supported is None else supported & values
        elif supported is None:
            rejected |= values
        else:
            supported -= values
        n_left = n_values - len(rejected) if supported is None else len(supported)
        if not n_left:
            others, name = used[-_MAX_RELATED:], problem.variable_names[variable]
            labels = ", ".join(problem.constraints[i].label for i in others)
            message = f"constraints {labels} and {problem.constraints[constraint].label} leave {name} no value"
            related = [(*places.constraint(i), "this one leaves it other values") for i in others]
            collector.add("F408", *places.constraint(constraint), message, related=related)
            return
        if n_left < before:
            used.append(constraint)

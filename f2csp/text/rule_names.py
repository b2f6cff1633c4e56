"""The rules about names: F201 to F205."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from f2csp.diagnostics import Collector, near_word_hint, shown
from f2csp.model.words import is_section_word
from f2csp.text.columns import UNKNOWN, Columns
from f2csp.text.lines import Word, text_of
from f2csp.text.locate import constraint_parts, definition_words
from f2csp.text.rule_scopes import as_array, as_array_of_indices, scopes_by_arity

if TYPE_CHECKING:
    from array import array

_SHOWN_USES = 3
_MOST_HINTS = 10  # of a kind; who has more unknown names than this has one reason for all of them


@dataclass(slots=True)
class _Uses:
    """Where a name that is not declared is used: the first few places, and how many there are."""

    what: str
    places: list[Word] = field(default_factory=list)
    n: int = 0

    def add(self, place: Word) -> None:
        self.n += 1
        if self.n <= 1 + _SHOWN_USES:
            self.places.append(place)


def check_names(columns: Columns, collector: Collector) -> None:
    """All rules about names."""
    kinds: list[tuple[str, str, Sequence[str], array[int]]] = [
        ("domain", "domains", columns.domain_names, columns.domain_starts),
        ("variable", "variables", columns.variable_names, columns.variable_starts),
    ]
    if columns.labels is not None:
        kinds.append(("constraint", "constraints", columns.labels, columns.starts))
    for kind, section, names, starts in kinds:
        n_faulty = duplicate_names(kind, names, starts, collector) + section_words(kind, names, starts, collector)
        columns.sections[section].n_faulty += n_faulty
    unknown_domains(columns, collector)
    unknown_variables(columns, collector)
    repeated_variables(columns, collector)


def duplicate_names(kind: str, names: Sequence[str], starts: "array[int]", collector: Collector) -> int:
    """F201: two things of one kind have the same name. Gives how many are too much."""
    if len(set(names)) == len(names):
        return 0
    first: dict[str, int] = {}
    n_faulty = 0
    for name, start in zip(names, starts, strict=False):
        if name not in first:
            first[name] = start
            continue
        n_faulty += 1
        length = len(name.encode())
        related = [(first[name], first[name] + length, "the first is here")]
        message = f"two {kind}s are called {name}"
        collector.add("F201", start, start + length, message, related=related, hint="rename or remove one")
    return n_faulty


def section_words(kind: str, names: Sequence[str], starts: "array[int]", collector: Collector) -> int:
    """F202: a section word is used as a name. Gives how many are."""
    n_faulty = 0
    for name, start in zip(names, starts, strict=False):
        if is_section_word(name):
            message = f"the section word {name} cannot name a {kind}"
            collector.add("F202", start, start + len(name), message, hint="choose another name")
            n_faulty += 1
    return n_faulty


def unknown_domains(columns: Columns, collector: Collector) -> None:
    """F203: a variable names a domain that is not declared; told once for each name."""
    if not columns.knows_domains:
        return
    unknown = [i for i, domain in enumerate(columns.variable_domains) if domain == UNKNOWN]
    uses: dict[str, _Uses] = {}
    for i in unknown:
        _, word, *_ = definition_words(columns, columns.variable_starts[i])
        what = f"variable {shown(columns.variable_names[i])} has the domain"
        uses.setdefault(text_of(columns.source.data, word), _Uses(what)).add(word)
    _tell_unknown("F203", uses, columns.domain_names, collector)


def unknown_variables(columns: Columns, collector: Collector) -> None:
    """F204: a scope names a variable that is not declared; told once for each name."""
    if not columns.knows_variables:
        return
    positions = np.flatnonzero(as_array_of_indices(columns.scopes) == UNKNOWN)
    constraints = np.searchsorted(as_array(columns.scope_offsets), positions, side="right") - 1
    uses: dict[str, _Uses] = {}
    for constraint in sorted(set(constraints.tolist())):
        if columns.is_spoiled[constraint]:
            continue
        scope = columns.scope(constraint)
        what = f"constraint {shown(columns.label(constraint))} names the variable"
        for word, variable in zip(constraint_parts(columns, constraint).scope(), scope, strict=False):
            if variable == UNKNOWN:
                uses.setdefault(text_of(columns.source.data, word), _Uses(what)).add(word)
    _tell_unknown("F204", uses, columns.variable_names, collector)


def repeated_variables(columns: Columns, collector: Collector) -> None:
    """F205: a scope holds a variable twice; told once for each scope."""
    for arity, constraints, scopes in scopes_by_arity(columns):
        if arity < 2:
            continue
        if arity == 2:  # by far the most, and quicker than to sort
            has_twice = (scopes[:, 0] == scopes[:, 1]) & (scopes[:, 0] != UNKNOWN)
        else:
            ordered = np.sort(scopes, axis=1)
            has_twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != UNKNOWN)).any(axis=1)
        for constraint in constraints[has_twice].tolist():
            _tell_repeated(columns, constraint, collector)


def _tell_repeated(columns: Columns, constraint: int, collector: Collector) -> None:
    columns.is_spoiled[constraint] = True  # what stands for whom in its tuples is not clear
    first: dict[int, Word] = {}
    repeated: list[tuple[Word, int]] = []
    n_repeated = 0
    for word, variable in zip(constraint_parts(columns, constraint).scope(), columns.scope(constraint), strict=False):
        if variable in first and variable != UNKNOWN:
            n_repeated += 1
            if n_repeated <= 1 + _SHOWN_USES:
                repeated.append((word, variable))
        first.setdefault(variable, word)
    (word, variable), *others = repeated
    name = columns.variable_names[variable]
    message = f"the scope of constraint {columns.label(constraint)} holds {name} twice"
    also = ", ".join(dict.fromkeys(columns.variable_names[v] for _, v in others))
    more = f" and {n_repeated - 1 - _SHOWN_USES} more" if n_repeated > 1 + _SHOWN_USES else ""
    notes = [f"it repeats {also}{more} too"] if also else []
    related = [(*first[variable], "the first is here")]
    collector.add("F205", *word, message, related=related, notes=notes, hint="name each variable of a scope once")


def _tell_unknown(code: str, uses: dict[str, _Uses], known: Collection[str], collector: Collector) -> None:
    """Tell names that are not declared, in the order of their first use; those that would not be listed are counted."""
    n_told = 0
    for name, use in uses.items():
        start, end = use.places[0]
        if collector.is_spoiled(start):
            continue
        n_told += 1
        if n_told > collector.limit:
            collector.count_hidden(1)
            continue
        notes = []
        if use.n > 1:
            lines = collector.source.lines_of(start for start, _ in use.places[1:])
            where = ", ".join(str(line) for line in sorted(set(lines.values())))
            more = f" and {use.n - 1 - _SHOWN_USES} more times" if use.n > 1 + _SHOWN_USES else ""
            notes = [f"{shown(name)} is used again on line {where}{more}"]
        hint = near_word_hint(name, known) if n_told <= _MOST_HINTS else None
        collector.add(code, start, end, f"{use.what} {shown(name)}, which is not declared", notes=notes, hint=hint)

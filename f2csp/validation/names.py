"""The rules about names: F201 to F205."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from f2csp.diagnostics import Collector, near_word_hint
from f2csp.model.words import SECTION_WORDS
from f2csp.syntax.columns import UNKNOWN, Columns
from f2csp.syntax.lines import Word, text_of
from f2csp.syntax.locate import constraint_parts, definition_words
from f2csp.validation.scopes import as_array, as_array_of_indices, scopes_by_arity

if TYPE_CHECKING:
    from array import array

_SHOWN_USES = 3


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
        if len(name) <= 11 and name.lower() in SECTION_WORDS and name.isascii():
            message = f"the section word {name} cannot name a {kind}"
            collector.add("F202", start, start + len(name), message, hint="choose another name")
            n_faulty += 1
    return n_faulty


def unknown_domains(columns: Columns, collector: Collector) -> None:
    """F203: a variable names a domain that is not declared; told once for each name."""
    if not columns.knows_domains:
        return
    unknown = [i for i, domain in enumerate(columns.variable_domains) if domain == UNKNOWN]
    uses: dict[str, list[Word]] = {}
    for i in unknown:
        words = list(definition_words(columns, columns.variable_starts[i]))
        uses.setdefault(text_of(columns.source.data, words[1]), []).append(words[1])
    for name, places in uses.items():
        message = f"variable {_name_before(columns, places[0])} has the domain {name}, which is not declared"
        _tell_unknown("F203", name, places, message, columns.domain_names, collector)


def unknown_variables(columns: Columns, collector: Collector) -> None:
    """F204: a scope names a variable that is not declared; told once for each name."""
    if not columns.knows_variables:
        return
    positions = np.flatnonzero(as_array_of_indices(columns.scopes) == UNKNOWN)
    constraints = np.searchsorted(as_array(columns.scope_offsets), positions, side="right") - 1
    uses: dict[str, list[Word]] = {}
    first_user: dict[str, int] = {}
    for constraint in np.unique(constraints).tolist():
        if columns.is_spoiled[constraint]:
            continue
        scope = columns.scope(constraint)
        for word, variable in zip(constraint_parts(columns, constraint).scope(), scope, strict=False):
            if variable == UNKNOWN:
                name = text_of(columns.source.data, word)
                first_user.setdefault(name, constraint)
                uses.setdefault(name, []).append(word)
    for name, places in uses.items():
        message = f"constraint {columns.label(first_user[name])} names the variable {name}, which is not declared"
        _tell_unknown("F204", name, places, message, columns.variable_names, collector)


def repeated_variables(columns: Columns, collector: Collector) -> None:
    """F205: a scope holds a variable twice; told once for each scope."""
    for arity, constraints, scopes in scopes_by_arity(columns):
        if arity < 2:
            continue
        ordered = np.sort(scopes, axis=1)
        has_twice = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != UNKNOWN)).any(axis=1)
        for constraint in constraints[has_twice].tolist():
            _tell_repeated(columns, constraint, collector)


def _tell_repeated(columns: Columns, constraint: int, collector: Collector) -> None:
    columns.is_spoiled[constraint] = True  # what stands for whom in its tuples is not clear
    first: dict[int, Word] = {}
    repeated: list[tuple[Word, int]] = []
    for word, variable in zip(constraint_parts(columns, constraint).scope(), columns.scope(constraint), strict=False):
        if variable in first and variable != UNKNOWN:
            repeated.append((word, variable))
        first.setdefault(variable, word)
    (word, variable), *others = repeated
    name = columns.variable_names[variable]
    message = f"the scope of constraint {columns.label(constraint)} holds {name} twice"
    also = ", ".join(dict.fromkeys(columns.variable_names[v] for _, v in others[:_SHOWN_USES]))
    more = f" and {len(others) - _SHOWN_USES} more" if len(others) > _SHOWN_USES else ""
    notes = [f"it repeats {also}{more} too"] if also else []
    related = [(*first[variable], "the first is here")]
    collector.add("F205", *word, message, related=related, notes=notes, hint="name each variable of a scope once")


def _tell_unknown(
    code: str, name: str, places: list[Word], message: str, known: Collection[str], collector: Collector
) -> None:
    notes = []
    if len(places) > 1:
        lines = collector.source.lines_of(start for start, _ in places[1 : 1 + _SHOWN_USES])
        where = ", ".join(str(line) for line in sorted(set(lines.values())))
        more = f" and {len(places) - 1 - _SHOWN_USES} more times" if len(places) > 1 + _SHOWN_USES else ""
        notes = [f"{name} is used again on line {where}{more}"]
    collector.add(code, *places[0], message, notes=notes, hint=near_word_hint(name, known))


def _name_before(columns: Columns, domain: Word) -> str:
    data = columns.source.data
    start = data.rfind(b"\n", 0, domain[0]) + 1 or columns.source.start
    return text_of(data, next(definition_words(columns, start)))

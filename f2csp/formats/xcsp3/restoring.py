"""Names, values and order as they were before the problem was written here, as far as the notes keep them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.formats.assembly import Assembly
from f2csp.formats.xcsp3.notes import Numbered, read_domains, read_title
from f2csp.formats.xcsp3.variables import Variables
from f2csp.model import Offsets, Problem
from f2csp.model.builder import checked_labels
from f2csp.model.words import is_name


def assembled(variables: Variables, note: str) -> tuple[Assembly, list[int]]:
    """An assembly with the variables and their domains, and the number of each of its words."""
    domains = read_domains(note)
    names = _names(variables, domains) if domains is not None else None
    assembly = Assembly()
    if domains is None or names is None:
        for i, values in enumerate(variables.values, 1):
            assembly.domain(f"D{i}", list(map(str, values)))
        for name, domain in zip(variables.names, variables.domains, strict=True):
            assembly.variable(name, domain)
        return assembly, list(map(int, assembly.words))
    numbers = {word: number for values in domains.values() for word, number in values}
    index = {name: assembly.domain(name, [word for word, _ in values]) for name, values in domains.items()}
    for name, domain_name in names:
        assembly.variable(name, index[domain_name])
    return assembly, [numbers[word] for word in assembly.words]


def _names(variables: Variables, domains: dict[str, Numbered]) -> list[tuple[str, str]] | None:
    """The name of each variable and of its domain, if all notes fit."""
    numbers = {name: frozenset(number for _, number in values) for name, values in domains.items()}
    fits: dict[tuple[int, str], bool] = {}
    names = []
    for note, domain in zip(variables.notes, variables.domains, strict=True):
        name, _, domain_name = note.partition(": ")
        key = domain, domain_name
        if key not in fits:
            fits[key] = numbers.get(domain_name) == frozenset(variables.values[domain])
        if not is_name(name) or not fits[key]:
            return None
        names.append((name, domain_name))
    return names if len({name for name, _ in names}) == len(names) else None


def empty(note: str) -> Problem:
    """A problem without variables, with the domains of a note."""
    assembly = Assembly()
    for name, values in (read_domains(note) or {}).items():
        assembly.domain(name, [word for word, _ in values])
    return assembly.build()


def titled(problem: Problem, note: str) -> Problem:
    """The problem with a note as its title, if that can be one."""
    return replace(problem, title=read_title(note))


def in_order(problem: Problem, order: Offsets, labels: Sequence[str | None] | None) -> Problem:
    """The problem with some of its constraints in another order, and their names.

    Args:
        problem: a problem whose constraints have default names.
        order: the constraints as they are to be, as indices.
        labels: what they are called, in the new order.
    """
    named = _labels(labels)
    if len(order) == problem.n_constraints and (np.diff(order) == 1).all():
        return replace(problem, labels=named)
    relations = problem.constraint_relations[order]
    used, firsts = np.unique(relations, return_index=True)
    used = used[np.argsort(firsts)]
    place = np.zeros(len(problem.relations), dtype=np.int32)
    place[used] = np.arange(len(used))
    arities = np.diff(problem.scope_offsets)[order]
    offsets = np.concatenate(([0], np.cumsum(arities)))
    starts = np.repeat(problem.scope_offsets[order] - offsets[:-1], arities)
    return replace(
        problem,
        relations=tuple(problem.relations[i] for i in used.tolist()),
        scopes=problem.scopes[starts + np.arange(offsets[-1])],
        scope_offsets=offsets,
        constraint_relations=place[relations],
        labels=named,
    )


def _labels(labels: Sequence[str | None] | None) -> tuple[str, ...] | None:
    try:
        return None if labels is None else checked_labels(labels)
    except ProblemError:  # two would be the same
        return None

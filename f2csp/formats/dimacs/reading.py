"""A file of clauses as a problem."""

import re
from collections.abc import Sequence

import numpy as np

from f2csp.diagnostics import Collector, InvalidInput, Source
from f2csp.formats.assembly import free_name
from f2csp.formats.dimacs.constraints import Constraints
from f2csp.formats.dimacs.examining import examine
from f2csp.formats.dimacs.formula import Formula
from f2csp.formats.dimacs.notes import Notes, read_notes
from f2csp.formats.dimacs.scanning import scan
from f2csp.formats.dimacs.senses import Senses
from f2csp.formats.dimacs.tables import Rows, Tables, TooManyTuples
from f2csp.model import Ids, Problem

_HEADER = re.compile(rb"(?:[ \t\r]*+(?:c[^\n]*+)?+\n)*+[ \t]*+p[ \t]++[a-z]*cnf\b")

_NOBODY = "nobody"  # a variable for a clause that cannot hold, where there is none


def looks_like(data: bytes) -> bool:
    """Whether a text begins like a file of clauses: comments, and a line ``p cnf``."""
    return _HEADER.match(data, 3 if data.startswith(b"\xef\xbb\xbf") else 0) is not None


def read(source: Source) -> Problem:
    """Read a problem.

    Raises:
        InvalidInput: the text has faults; all of them are told.
    """
    formula = scan(source)
    if formula is None:
        collector = Collector(source)
        formula = examine(source, collector)
        if formula is None:
            raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    notes = read_notes(source.data, *formula.notes)
    if notes is not None and notes.n_literals <= formula.n_variables:
        try:
            return _problem(formula, notes)
        except TooManyTuples:
            pass
    return _problem(formula, Notes())


def _problem(formula: Formula, notes: Notes) -> Problem:
    """The problem over the variables of the notes, and further ones for what else the clauses speak of.

    Raises:
        TooManyTuples: the tables would be much larger than the clauses.
    """
    senses = Senses(formula, notes)
    tables = Tables(formula, senses)
    found = list(tables.rows())
    domains = list(notes.domains.values())
    domain_names = list(notes.domains)
    places = {name: place for place, name in enumerate(domain_names)}
    variables = list(notes.variables)
    variable_domains = [places[domain] for domain in notes.variables.values()]
    further = _names([*senses.own.tolist(), *tables.linked], notes) or [_NOBODY] * (
        bool(tables.impossible) and not variables
    )
    if further:
        variable_domains += [len(domains)] * len(further)
        domain_names.append(free_name("D", places))
        domains.append(("0", "1"))
    words = _Words(domains)
    of_variable = np.array(variable_domains, dtype=np.int32)
    constraints = Constraints()
    constraints.add_impossible(tables.impossible)
    add = constraints.add_by_scope if variables else constraints.add_each
    for rows in found:
        add(Rows(rows.clauses, rows.scopes, words.at(of_variable[rows.scopes], rows.positions)))
    scopes, offsets, used = constraints.build()
    return Problem(
        title=notes.title,
        words=words.all,
        domain_names=tuple(domain_names),
        domain_values=tuple(words.of_domains),
        variable_names=(*variables, *further),
        variable_domains=of_variable,
        relations=tuple(constraints.relations),
        scopes=scopes,
        scope_offsets=offsets,
        constraint_relations=used,
    )


class _Words:
    """The words of some domains, numbered."""

    def __init__(self, domains: Sequence[Sequence[str]]) -> None:
        numbers: dict[str, int] = {}
        self.of_domains = [
            np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int32) for words in domains
        ]
        self.all = tuple(numbers)
        sizes = np.array([len(words) for words in domains], dtype=np.int64)
        self._starts = np.cumsum(sizes) - sizes
        self._flat = np.concatenate([np.empty(0, dtype=np.int32), *self.of_domains])

    def at(self, domains: Ids, positions: Ids) -> Ids:
        """The words at these positions of these domains."""
        words: Ids = self._flat[self._starts[domains] + positions]
        return words


def _names(literals: Sequence[int], notes: Notes) -> list[str]:
    """The names of variables that are literals: their numbers, with underscores in front where a name is taken."""
    underscores = ""
    while not notes.variables.keys().isdisjoint(f"{underscores}{literal}" for literal in literals):
        underscores += "_"
    return [f"{underscores}{literal}" for literal in literals]

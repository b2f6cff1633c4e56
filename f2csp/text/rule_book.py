"""The one way from columns to a problem: apply the rules, and build only what has no fault."""

import numpy as np

from f2csp.diagnostics import Collector
from f2csp.model import Ids, Kind, Origin, Problem, Relation
from f2csp.text.columns import UNKNOWN, Columns, Places, as_indices, as_offsets
from f2csp.text.name_rules import check_names, check_words
from f2csp.text.table_rules import check_tables


def problem_of(columns: Columns, places: Places, collector: Collector) -> Problem:
    """Check the columns of a reader of another format, and build the problem; ``InvalidInput`` if it has faults."""
    check_words(columns, places, collector)
    apply_rules(columns, places, collector)
    collector.raise_if_errors()
    return build(columns)


def apply_rules(columns: Columns, places: Places, collector: Collector) -> None:
    """Report what in the columns breaks a rule: F1xx, F2xx, F3xx."""
    if not columns.is_malformed:
        columns.is_malformed = bytearray((as_indices(columns.constraint_tables) == UNKNOWN).tobytes())
    check_names(columns, places, collector)
    check_tables(columns, places, collector)


def build(columns: Columns) -> Problem:
    """Build the problem of columns without faults."""
    tables = as_indices(columns.constraint_tables)
    relations, relation_of_table = _relations(columns, tables)
    lines = as_offsets(columns.lines)
    return Problem(
        title=columns.title,
        words=tuple(columns.words),
        domain_names=tuple(columns.domain_names),
        domain_values=tuple(columns.domain_values),
        variable_names=tuple(columns.variable_names),
        variable_domains=as_indices(columns.variable_domains).copy(),
        relations=relations,
        scopes=as_indices(columns.scopes).copy(),
        scope_offsets=as_offsets(columns.scope_offsets).copy(),
        constraint_relations=relation_of_table[tables],
        labels=tuple(columns.labels) if columns.labels is not None else None,
        origin=Origin(columns.source.name, lines.copy()) if len(lines) == columns.n_constraints else None,
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

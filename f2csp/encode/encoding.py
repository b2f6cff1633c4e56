"""A problem as clauses: a literal for each value of each variable, and what the constraints say of these."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from f2csp.encode.at_most_one import at_most_one
from f2csp.encode.cnf import Cnf, rows_of
from f2csp.encode.different import Cliques
from f2csp.encode.draft import Draft
from f2csp.encode.literals import Literals
from f2csp.encode.order import ORDERED, write_order
from f2csp.encode.parity import write_parities
from f2csp.encode.tables import Method, write_tables
from f2csp.model import Problem
from f2csp.structure import MeaningKind, Structure

_SAID_WITHOUT = (
    *(MeaningKind.NEVER_TRUE, MeaningKind.ALWAYS_TRUE, MeaningKind.FIXED_VALUE, MeaningKind.FORBIDDEN_VALUE),
    *(MeaningKind.DIFFERENT, MeaningKind.XOR),
)
"""What needs no table where the structure is known."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A problem as clauses.

    Attributes:
        cnf: the clauses. Auxiliary literals follow from those of values, so there are as many models as solutions.
        literals: which literal says what.
    """

    cnf: Cnf
    literals: Literals


def encode(problem: Problem, structure: Structure | None = None, method: Method = Method.SUPPORT) -> Encoding:
    """Say a problem in clauses.

    Args:
        problem: the problem.
        structure: what its tables mean; without it they are told as they are.
        method: how constraints become clauses. Of order nothing is known without a structure.

    Raises:
        Unsuitable: there are more literals than 32 bits can count.

    Complexity:
        memory O(n) for n values in the tables, in the domains of the variables, and in those of the members of each
        clique of variables that differ; time O(n log n).
    """
    draft = Draft(problem)
    if structure is None:
        _write_variables(np.ones(draft.literals.n_values, dtype=np.bool_), draft)
        write_tables(np.arange(problem.n_constraints), method, draft)
    else:
        _write_structure(structure, method, draft)
    return Encoding(draft.cnf.build(), draft.literals)


def _write_structure(structure: Structure, method: Method, draft: Draft) -> None:
    """Everything that a structure knows, and the tables that remain."""
    if structure.is_contradictory:
        draft.cnf.contradict()
    cliques = Cliques(structure.all_different, draft)
    is_left = cliques.without_taken(_is_left(structure, draft))
    _write_variables(is_left, draft)
    cliques.write(is_left)
    write_parities(structure.parities, draft)
    is_said = structure.meanings.are(*_SAID_WITHOUT) | (np.diff(draft.problem.scope_offsets) == 1)
    if method == Method.ORDER:
        write_order(structure.comparisons, draft)
        is_said |= structure.meanings.are(*ORDERED)
    write_tables(np.flatnonzero(~is_said), method, draft)


def _is_left(structure: Structure, draft: Draft) -> NDArray[np.bool_]:
    """For each literal of a value, whether the unary constraints leave it."""
    literals, n_words = draft.literals, len(draft.problem.words)
    is_left = np.ones(literals.n_values, dtype=np.bool_)
    sizes = np.array([len(words) for words in structure.values], dtype=np.int64)
    fewer = np.flatnonzero(sizes < np.diff(literals.first))
    mine = literals.of_variables(fewer) - 1
    left = np.concatenate([np.empty(0, dtype=np.int32), *(structure.values[variable] for variable in fewer.tolist())])
    keys = literals.variables[mine].astype(np.int64) * n_words + literals.words[mine]
    is_left[mine] = np.isin(keys, np.repeat(fewer, sizes[fewer]) * n_words + left)
    return is_left


def _write_variables(is_left: NDArray[np.bool_], draft: Draft) -> None:
    """Each variable has exactly one of the values that are left."""
    values = (np.flatnonzero(is_left) + 1).astype(np.int32)
    variables = draft.literals.variables[values - 1]
    if len(np.unique(variables)) < draft.problem.n_variables:
        draft.cnf.contradict()
    draft.cnf.add(-(np.flatnonzero(~is_left) + 1).astype(np.int32)[:, None])
    for rows in rows_of(values, variables):
        draft.cnf.add(rows)
        at_most_one(rows, draft.cnf)

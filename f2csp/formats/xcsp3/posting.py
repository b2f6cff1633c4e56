"""What is to be written: constraints that differ in their scopes alone, together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.xcsp3.naming import Naming
from f2csp.formats.xcsp3.notes import FREE
from f2csp.model import Ids, Offsets, Problem, Relation
from f2csp.structure import Comparison, ConstraintKind, recover

_ALL = ("%...",)
_TWO = ("%0", "%1")


@dataclass(frozen=True, slots=True)
class Content:
    """What constraints say of their scopes.

    Attributes:
        element: its name.
        text: what stands in it, given the names of a scope.
        parameters: what stands for the names in a group.
        table: of an extension, which has the scope in a list.
    """

    element: str
    text: Callable[[Sequence[str]], str] = " ".join
    parameters: tuple[str, ...] = _ALL
    table: Relation | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """Constraints that differ in their scopes alone.

    Attributes:
        content: what they say.
        scopes: their scopes, those of one size in one array.
        constraints: which ones of the problem they are, if that is to be said.
        note: what is to be said of them.

    Shape:
        scopes: (n, arity) each.
    """

    content: Content
    scopes: list[Ids] = field(default_factory=list)
    constraints: Offsets | None = None
    note: str = ""

    @property
    def n_scopes(self) -> int:
        """How many constraints there are."""
        return sum(map(len, self.scopes))


def postings(problem: Problem, naming: Naming, options: ExportOptions) -> Iterator[Posting]:
    """All that is to be written of a problem, and something trivial of each variable that no constraint names."""
    if not problem.n_variables:
        yield Posting(_NOBODY_IS_ZERO, [np.zeros((1, 1), dtype=np.int32)], note=FREE)
        return
    is_named = np.zeros(problem.n_variables, dtype=np.bool_)
    for posting in _structured(problem, naming) if options.use_structure else _all_tables(problem):
        for scopes in posting.scopes:
            is_named[scopes.ravel()] = True
        yield posting
    free = np.flatnonzero(~is_named)
    for domain, places in by_value(problem.variable_domains[free].astype(np.int64)):
        everything = Relation("Accept", problem.domain_values[domain][:, None])
        yield Posting(_extension(everything), [free[places, None].astype(np.int32)], note=FREE)


_NOBODY_IS_ZERO = Content("intension", lambda scope: f"eq({scope[0]},0)")


def _extension(table: Relation) -> Content:
    each = tuple(f"%{i}" for i in range(table.arity))  # cosoco goes wrong where a unary table has %...
    return Content("extension", parameters=each, table=table)


def _all_tables(problem: Problem) -> list[Posting]:
    """All constraints, with a note of their order where it is not that of the text."""
    found = list(_tables(problem, np.arange(problem.n_constraints)))
    order = [posting.constraints for posting in found if posting.constraints is not None]
    if problem.labels is None and all((np.diff(np.concatenate(order)) == 1) if order else ()):
        return [replace(posting, constraints=None) for posting in found]
    return found


def _tables(problem: Problem, constraints: Offsets) -> Iterator[Posting]:
    """Some constraints as tables, those with the same one together."""
    for index, places in by_value(problem.constraint_relations[constraints].astype(np.int64)):
        relation = problem.relations[index]
        those = constraints[places]
        scopes = problem.scopes[problem.scope_offsets[those][:, None] + np.arange(relation.arity)]
        can_hold = _can_hold(problem, relation, scopes)
        if not can_hold.all():
            yield from _never_true(problem, scopes[~can_hold, :1], those[~can_hold])
        if can_hold.any():
            yield Posting(_extension(relation), [scopes[can_hold]], those[can_hold])


def _can_hold(problem: Problem, relation: Relation, scopes: Ids) -> NDArray[np.bool_]:
    """On which scopes a table allows anything; a number too large for a float's digits is no table's length."""
    if relation.kind == "Accept":
        return np.full(len(scopes), relation.n_tuples > 0)
    n_all = problem.domain_sizes[problem.variable_domains[scopes]].prod(axis=1, dtype=np.float64)
    is_partial: NDArray[np.bool_] = n_all != relation.n_tuples
    return is_partial


def _never_true(problem: Problem, scopes: Ids, constraints: Offsets) -> Iterator[Posting]:
    """What cannot hold, of one variable each: to reject all values; solvers fail at tables that accept nothing."""
    for domain, places in by_value(problem.variable_domains[scopes[:, 0]].astype(np.int64)):
        nothing = Relation("Reject", problem.domain_values[domain][:, None])
        yield Posting(_extension(nothing), [scopes[places]], constraints[places])


def _structured(problem: Problem, naming: Naming) -> Iterator[Posting]:
    """What the tables mean where there is a word for it, and the other tables."""
    model = recover(problem)
    by_size = _by_size(model.all_different)
    for content, chosen in (
        (_DIFFERENT, [scopes for scopes in by_size if scopes.shape[1] == 2]),
        (_ALL_DIFFERENT, [scopes for scopes in by_size if scopes.shape[1] > 2]),
    ):
        if chosen:
            yield Posting(content, chosen)
    written = []
    for case in model.comparisons:
        exact = naming.numbering.is_exact(case.kind, case.scopes)
        written.append(case.constraints[exact])
        if exact.any():
            yield Posting(_comparison(case), [case.scopes[exact]])
    for posting in _tables(problem, model.rest(*written)):
        yield replace(posting, constraints=None)


_DIFFERENT = Content("intension", lambda scope: f"ne({scope[0]},{scope[1]})", _TWO)
_ALL_DIFFERENT = Content("allDifferent")
_COMPARED = {
    ConstraintKind.EQUAL: "eq({0},{1})",
    ConstraintKind.LESS: "lt({0},{1})",
    ConstraintKind.LESS_OR_EQUAL: "le({0},{1})",
    ConstraintKind.GREATER: "gt({0},{1})",
    ConstraintKind.GREATER_OR_EQUAL: "ge({0},{1})",
    ConstraintKind.DIFFERENCE: "eq(sub({0},{1}),{2})",
    ConstraintKind.SUM: "eq(add({0},{1}),{2})",
}


def _comparison(case: Comparison) -> Content:
    form = _COMPARED[case.kind]
    return Content("intension", lambda scope: form.format(*scope, case.constant), _TWO)


def _by_size(scopes: Sequence[tuple[int, ...]]) -> list[Ids]:
    sizes = np.array([len(scope) for scope in scopes], dtype=np.int64)
    return [np.array([scopes[i] for i in places.tolist()], dtype=np.int32) for _, places in by_value(sizes)]

"""A finite constraint satisfaction problem in columns.

Tables can be gigabytes of text with a handful of distinct relations in it, so equal tables are one object however often
they are used, and constraints are three arrays. ``Domain``, ``Variable`` and ``Constraint`` are small views, made on
access.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import offsets_of
from f2csp.model.words import is_integer

Kind = Literal["Reject", "Accept"]
Value = int | str
Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]

T = TypeVar("T")

_BLOCK_SIZE = 1 << 15  # constraints


@dataclass(frozen=True, eq=False)
class Relation:
    """A table: the tuples that a constraint rejects or accepts.

    Attributes:
        kind: ``Reject`` (a negative table) or ``Accept`` (a positive one).
        tuples: indices into the problem's words; read-only, int32 of shape (n, arity).
    """

    kind: Kind
    tuples: Ids

    @property
    def n_tuples(self) -> int:
        """The number of tuples."""
        return int(self.tuples.shape[0])

    @property
    def arity(self) -> int:
        """The size of a tuple."""
        return int(self.tuples.shape[1])

    @cached_property
    def key(self) -> tuple[Kind, int, bytes]:
        """Kind, arity and sequence of tuples: two relations of a problem are the same if these are."""
        return self.kind, self.arity, self.tuples.tobytes()


@dataclass(frozen=True, slots=True)
class Domain:
    """A named list of values: integers where each is a canonical integer, else symbols."""

    name: str
    words: tuple[str, ...]

    @property
    def is_integer(self) -> bool:
        """Whether every value is an integer in canonical spelling within 64 bits."""
        return all(map(is_integer, self.words))

    @property
    def values(self) -> tuple[Value, ...]:
        """The values as numbers for an integer domain, else as the words that they are."""
        return tuple(map(int, self.words)) if self.is_integer else self.words


@dataclass(frozen=True, slots=True)
class Variable:
    """A named unknown and its domain."""

    name: str
    domain: Domain


@dataclass(frozen=True, slots=True)
class Constraint:
    """A view of one constraint of a problem: the one at ``index``, from 0."""

    problem: "Problem" = field(repr=False)
    index: int

    @property
    def label(self) -> str:
        """Its name."""
        labels = self.problem.labels
        return labels[self.index] if labels is not None else f"C{self.index + 1}"

    @property
    def scope(self) -> tuple[str, ...]:
        """The names of its variables."""
        names = self.problem.variable_names
        return tuple(names[v] for v in self.problem.scope(self.index))

    @property
    def relation(self) -> Relation:
        """Its table, shared with every constraint that has the same."""
        return self.problem.relations[int(self.problem.constraint_relations[self.index])]

    @property
    def kind(self) -> Kind:
        """``Reject`` or ``Accept``."""
        return self.relation.kind

    @property
    def arity(self) -> int:
        """The number of its variables."""
        return self.relation.arity

    @property
    def tuples(self) -> tuple[tuple[Value, ...], ...]:
        """Its tuples, each value as its domain has it: integers as numbers."""
        problem = self.problem
        domains = (problem.domains[domain] for domain in problem.variable_domains[problem.scope(self.index)])
        spell = [int if domain.is_integer else str for domain in domains]
        rows = self.relation.tuples.tolist()
        return tuple(tuple(s(problem.words[i]) for s, i in zip(spell, row, strict=True)) for row in rows)

    @property
    def line(self) -> int | None:
        """Its line in the text that it was read from, or None."""
        origin = self.problem.origin
        return int(origin.constraint_lines[self.index]) if origin else None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a problem was read from: the name of the text, and the line of each constraint."""

    name: str
    constraint_lines: Offsets


class View(Sequence[T]):
    """A read-only sequence that makes its items when they are asked for."""

    def __init__(self, length: int, make: Callable[[int], T]) -> None:
        self._length = length
        self._make = make

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(f"index {index} of {self._length}")
        return self._make(int(index) % self._length)

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._length))

    def __repr__(self) -> str:
        return f"<{self._length} items>"


@dataclass(frozen=True, eq=False)
class Declarations:
    """What a problem declares before its constraints.

    Attributes:
        title: its lines joined by newlines; may be empty.
        words: the values of the domains in the order of their first use; values are indices into them.
        domain_names: one name for each domain.
        domain_values: for each domain its values, an int32 array.
        variable_names: one name for each variable.
        variable_domains: for each variable the index of its domain.
        relations: the distinct tables of the constraints, in the order of their first use.
    """

    title: str
    words: tuple[str, ...]
    domain_names: tuple[str, ...]
    domain_values: tuple[Ids, ...]
    variable_names: tuple[str, ...]
    variable_domains: Ids
    relations: tuple[Relation, ...]

    @property
    def n_domains(self) -> int:
        """The number of domains."""
        return len(self.domain_names)

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self.variable_names)

    @cached_property
    def domains(self) -> View[Domain]:
        """The domains as views."""
        return View(self.n_domains, self._domain)

    @cached_property
    def variables(self) -> View[Variable]:
        """The variables as views."""
        return View(self.n_variables, self._variable)

    @cached_property
    def domain_sizes(self) -> Offsets:
        """The number of values of each domain; shape (n_domains,)."""
        return np.array([len(values) for values in self.domain_values], dtype=np.int64)

    def _domain(self, index: int) -> Domain:
        return Domain(self.domain_names[index], tuple(self.words[i] for i in self.domain_values[index].tolist()))

    def _variable(self, index: int) -> Variable:
        return Variable(self.variable_names[index], self.domains[self.variable_domains[index]])


@dataclass(frozen=True, eq=False)
class Problem(Declarations):
    """A problem, immutable. Make one with :class:`ProblemBuilder`, :func:`f2csp.load` or :func:`f2csp.loads`.

    Two problems are equal when their canonical texts are. In every problem names and values are words of the format,
    unique where they must be. The origin is no part of equality.

    Attributes:
        scopes: the scopes of all constraints end to end, as indices of variables; int32.
        scope_offsets: where each scope begins; one more at the end; int64.
        constraint_relations: for each constraint the index of its relation; int32.
        labels: the constraints' names, or None for C1, C2, ...
        origin: where it was read from, or None.
    """

    scopes: Ids
    scope_offsets: Offsets
    constraint_relations: Ids
    labels: tuple[str, ...] | None = None
    origin: Origin | None = None

    def __post_init__(self) -> None:
        for array in self._arrays:
            array.setflags(write=False)

    @property
    def n_constraints(self) -> int:
        """The number of constraints."""
        return len(self.constraint_relations)

    @cached_property
    def constraints(self) -> View[Constraint]:
        """The constraints as views."""
        return View(self.n_constraints, lambda i: Constraint(self, i))

    def scope(self, index: int) -> Ids:
        """The variables of the constraint at ``index``, as indices."""
        return self.scopes[self.scope_offsets[index] : self.scope_offsets[index + 1]]

    def scopes_of(self, constraints: Offsets) -> Ids:
        """The scopes of constraints of one arity; shape (n_constraints, arity)."""
        starts = self.scope_offsets[constraints]
        arity = int(self.scope_offsets[constraints[0] + 1] - starts[0]) if len(constraints) else 0
        scopes: Ids = self.scopes[starts[:, None] + np.arange(arity)]
        return scopes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problem):
            return NotImplemented
        return self._names == other._names and all(
            np.array_equal(mine, theirs) for mine, theirs in zip(self._arrays, other._arrays, strict=True)
        )

    def __hash__(self) -> int:
        return hash((*self._names[:-1], self.scopes.tobytes(), self.constraint_relations.tobytes()))

    @property
    def _names(self) -> tuple[object, ...]:
        """What equal problems have in common beside arrays; if this is equal, the arrays are as many."""
        kinds = tuple(relation.kind for relation in self.relations)
        return self.title, self.words, self.domain_names, self.variable_names, kinds, self.labels

    @property
    def _arrays(self) -> tuple[NDArray[Any], ...]:
        columns = (self.variable_domains, self.constraint_relations, self.scope_offsets, self.scopes)
        return (*columns, *self.domain_values, *(relation.tuples for relation in self.relations))

    def __repr__(self) -> str:
        counts = f"{self.n_domains} domains, {self.n_variables} variables, {self.n_constraints} constraints"
        return f"<Problem {self.title!r}: {counts}>"


@dataclass(frozen=True, slots=True)
class ConstraintBlock:
    """Consecutive constraints."""

    scopes: Ids  # end to end, as indices of variables; each as long as its relation's arity
    relations: Ids  # for each constraint the index of its relation


@dataclass(frozen=True, eq=False)
class ProblemStream(Declarations):
    """A problem whose constraints come in blocks, once: one with more than memory holds can be written.

    Attributes:
        n_constraints: the number of constraints in all blocks.
        blocks: the constraints.
        labels: the constraints' names, or None for C1, C2, ...
    """

    n_constraints: int
    blocks: Iterable[ConstraintBlock]
    labels: tuple[str, ...] | None = None

    @classmethod
    def of(cls, problem: Problem) -> "ProblemStream":
        """A problem as a stream."""
        return cls(
            **_declarations(problem),
            n_constraints=problem.n_constraints,
            blocks=_blocks(problem),
            labels=problem.labels,
        )

    def collect(self) -> Problem:
        """The problem with all its constraints."""
        blocks = list(self.blocks)
        empty = np.empty(0, dtype=np.int32)
        relations = np.concatenate([empty, *(block.relations for block in blocks)])
        arities = np.array([relation.arity for relation in self.relations], dtype=np.int64)
        return Problem(
            **_declarations(self),
            scopes=np.concatenate([empty, *(block.scopes for block in blocks)]),
            scope_offsets=offsets_of(arities[relations]),
            constraint_relations=relations,
            labels=self.labels,
        )


def expect_problem(value: object) -> None:
    """Refuse anything else than a problem, such as the name of a file.

    Raises:
        TypeError: it is not a problem.
    """
    if not isinstance(value, Problem):
        raise TypeError(f"expected a Problem, found {value!r:.80}; f2csp.load reads one from a file")


def _declarations(source: Declarations) -> dict[str, Any]:
    return {field.name: getattr(source, field.name) for field in fields(Declarations)}


def _blocks(problem: Problem) -> Iterator[ConstraintBlock]:
    for start in range(0, problem.n_constraints, _BLOCK_SIZE):
        relations = problem.constraint_relations[start : start + _BLOCK_SIZE]
        first, last = problem.scope_offsets[[start, start + len(relations)]]
        yield ConstraintBlock(problem.scopes[first:last], relations)

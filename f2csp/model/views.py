"""Views of a problem, made on access: domains, variables, constraints, the sequences of them, the constraint graph."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index as as_index
from typing import TYPE_CHECKING, TypeVar, overload

import numpy as np

from f2csp.arrays import Offsets, by_value
from f2csp.diagnostics import counted, listed, near_word_hint, optional_package
from f2csp.model.words import is_integer

if TYPE_CHECKING:
    import networkx

    from f2csp.model.problem import Kind, Problem, Relation, Value

T = TypeVar("T")

_MAX_SHOWN = 8  # names or values in a representation
_MAX_COMPARED_NAMES = 20_000  # for a hint


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
        position = as_index(index)
        if not -self._length <= position < self._length:
            raise IndexError(f"index {position} of {self._length}")
        return self._make(position % self._length)

    def __iter__(self) -> Iterator[T]:
        return map(self._make, range(self._length))

    def __repr__(self) -> str:
        return f"<{self._length} items>"


class NamedView(View[T]):
    """A view whose items can be taken by their names, too: ``problem.variables["France"]``."""

    def __init__(
        self, noun: str, names: Sequence[str], make: Callable[[int], T], find: Callable[[str], int | None] | None = None
    ) -> None:
        """A view of items that messages call by the noun; ``find`` gives the position of a name faster than a table."""
        super().__init__(len(names), make)
        self.names = names
        self._noun = noun
        self._position_of = find or self._in_table

    def _in_table(self, name: str) -> int | None:
        return self._table.get(name)

    @cached_property
    def _table(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    @overload
    def __getitem__(self, index: int | str) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | str | slice) -> T | list[T]:
        return self._make(self.position(index)) if isinstance(index, str) else super().__getitem__(index)

    def __contains__(self, item: object) -> bool:
        return self._position_of(item) is not None if isinstance(item, str) else super().__contains__(item)

    def keys(self) -> Sequence[str]:
        """The names."""
        return self.names

    def values(self) -> "NamedView[T]":
        """The items."""
        return self

    def items(self) -> Iterator[tuple[str, T]]:
        """The names with their items."""
        return zip(self.names, self, strict=True)

    def position(self, name: str) -> int:
        """The position of the item of this name; raises KeyError if there is none."""
        position = self._position_of(name)
        if position is None:
            hint = near_word_hint(name, self.names[:_MAX_COMPARED_NAMES])
            raise KeyError(f"there is no {self._noun} {name}{f'; {hint}' if hint else ''}")
        return position

    def __repr__(self) -> str:
        names = listed(self.names, _MAX_SHOWN, ", ")
        return f"<{counted(self._length, self._noun)}{f': {names}' if names else ''}>"


@dataclass(frozen=True, slots=True, repr=False)
class Domain:
    """A named list of values: integers where each is a canonical integer, else symbols."""

    name: str
    words: tuple[str, ...]

    @property
    def is_integer(self) -> bool:
        """Whether every value is an integer in canonical spelling within 64 bits."""
        return all(map(is_integer, self.words))

    @property
    def values(self) -> "tuple[Value, ...]":
        """The values as numbers for an integer domain, else as the words that they are."""
        return tuple(map(int, self.words)) if self.is_integer else self.words

    def __repr__(self) -> str:
        return f"Domain({self.name!r}: {listed(self.words, _MAX_SHOWN)})"


@dataclass(frozen=True, slots=True, repr=False)
class Variable:
    """A named unknown and its domain."""

    name: str
    domain: Domain

    def __repr__(self) -> str:
        return f"Variable({self.name!r}: {self.domain.name})"


@dataclass(frozen=True, slots=True, repr=False)
class Constraint:
    """A view of one constraint of a problem: the one at ``index``, from 0."""

    problem: "Problem"
    index: int

    @property
    def label(self) -> str:
        """Its name."""
        return self.problem.label(self.index)

    @property
    def scope(self) -> tuple[str, ...]:
        """The names of its variables."""
        names = self.problem.variable_names
        return tuple(names[v] for v in self.problem.scope(self.index))

    @property
    def relation(self) -> "Relation":
        """Its table, shared with every constraint that has the same."""
        return self.problem.relations[int(self.problem.constraint_relations[self.index])]

    @property
    def kind(self) -> "Kind":
        """``Reject`` or ``Accept``."""
        return self.relation.kind

    @property
    def arity(self) -> int:
        """The number of its variables."""
        return self.relation.arity

    @property
    def tuples(self) -> "tuple[tuple[Value, ...], ...]":
        """Its tuples, each value as its domain has it: integers as numbers."""
        problem = self.problem
        domains = (problem.domains[domain] for domain in problem.variable_domains[problem.scope(self.index)])
        spell = [int if domain.is_integer else str for domain in domains]
        rows = self.relation.tuples.tolist()
        return tuple(tuple(s(problem.words[i]) for s, i in zip(spell, row, strict=True)) for row in rows)

    @property
    def table(self) -> "tuple[tuple[Value, ...], ...]":
        """The same as ``tuples``."""
        return self.tuples

    @property
    def line(self) -> int | None:
        """Its line in the text that it was read from, or None."""
        origin = self.problem.origin
        return int(origin.constraint_lines[self.index]) if origin else None

    def __repr__(self) -> str:
        scope, n = listed(self.scope, _MAX_SHOWN), self.relation.n_tuples
        return f"Constraint({self.label!r}: {scope} {self.kind} {counted(n, 'tuple')})"


# ---- The constraint graph --------------------------------------------------------------------------------------------


def constraint_graph_edges(problem: "Problem") -> Offsets:
    """The edges of the constraint graph, ascending, as ``smaller * n_variables + greater``.

    It is the primal graph: two variables are adjacent when some scope contains both.
    """
    pairs = [np.empty(0, dtype=np.int64)]
    for arity, constraints in by_value(np.diff(problem.scope_offsets)):
        scopes = problem.scopes_of(constraints)
        for one, other in ((scopes[:, :-d], scopes[:, d:]) for d in range(1, arity)):
            keys = np.minimum(one, other).astype(np.int64)
            keys *= problem.n_variables
            keys += np.maximum(one, other)
            pairs.append(keys.ravel())
    keys = np.concatenate(pairs)
    keys.sort()
    is_first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return keys[is_first]


def constraint_graph(problem: "Problem") -> "networkx.Graph":
    """The constraint graph in networkx, its nodes the names of the variables, each with its ``domain``."""
    names, n = problem.variable_names, problem.n_variables
    graph = optional_package("networkx", "to_networkx()", "data").Graph(name=problem.title)
    for name, domain in zip(names, problem.variable_domains.tolist(), strict=True):
        graph.add_node(name, domain=problem.domain_names[domain])
    graph.add_edges_from((names[key // n], names[key % n]) for key in constraint_graph_edges(problem).tolist())
    return graph

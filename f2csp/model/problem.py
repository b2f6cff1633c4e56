"""A finite constraint satisfaction problem in columns.

Tables can be gigabytes of text with a handful of distinct relations in it, so equal tables are one object however often
they are used, and constraints are three arrays. ``Domain``, ``Variable`` and ``Constraint`` are small views, made on
access.
"""

from __future__ import annotations

import re
from dataclasses import InitVar, dataclass, fields, replace
from functools import cached_property, partial
from html import escape
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import Offsets, concatenated_ranges, in_order_of_first_use, offsets_of
from f2csp.diagnostics import ByteSpan, ProblemError, counted
from f2csp.model.views import Constraint, Domain, NamedView, Variable, View, constraint_graph
from f2csp.notebook import Drawn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import networkx

    from f2csp.model.builder import ProblemBuilder, Tuples
    from f2csp.model.linear_sums import LinearSum

Kind = Literal["Reject", "Accept"]
Value = int | str
Ids = NDArray[np.int32]

_MAX_SHOWN = 8  # items of a kind in a representation


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
class Origin:
    """Where a problem was read from: the name of the text, and the line of each constraint."""

    name: str
    constraint_lines: Offsets


@dataclass(frozen=True, slots=True)
class Hole:
    """A declared variable that no constraint names, in a format where such a variable is not part of the problem."""

    index: int  # among all declared variables
    name: str
    domain: int  # its index
    declared_at: ByteSpan  # in the text


@dataclass(frozen=True, eq=False)
class Declarations:
    """What a problem declares before its constraints; :class:`Problem` says what the attributes are."""

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
    def domains(self) -> NamedView[Domain]:
        """The domains as views, by index or by name."""
        return NamedView("domain", self.domain_names, self._domain)

    @cached_property
    def variables(self) -> NamedView[Variable]:
        """The variables as views, by index or by name."""
        return NamedView("variable", self.variable_names, self._variable)

    @cached_property
    def domain_sizes(self) -> Offsets:
        """The number of values of each domain; shape (n_domains,)."""
        return np.array([len(values) for values in self.domain_values], dtype=np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # nothing that is only cached

    def _domain(self, index: int) -> Domain:
        return Domain(self.domain_names[index], tuple(self.words[i] for i in self.domain_values[index].tolist()))

    def _variable(self, index: int) -> Variable:
        return Variable(self.variable_names[index], self.domains[self.variable_domains[index]])


@dataclass(frozen=True, eq=False)
class Problem(Declarations, Drawn):
    """A problem: domains, variables, and constraints that are tables; immutable.

    Make one with :class:`ProblemBuilder`, :func:`f2csp.load` or :func:`f2csp.read`. Look at it by name:
    ``problem.variables["France"].domain.values``, ``problem.constraints["C1"].table``. Change it into another one:
    ``with_constraint``, ``without``, ``restricted``, ``renamed``, or ``to_builder`` for several changes.

    Two problems are equal when their canonical texts are. The attributes below are columns of indices, which hold
    millions of constraints in a few arrays; columns that a caller supplies are checked. The origin, the sums and the
    holes are no part of equality.

    Attributes:
        title: its lines joined by newlines; may be empty.
        words: the values of the domains in the order of their first use; values are indices into them.
        domain_names: one name for each domain.
        domain_values: for each domain its values, an int32 array.
        variable_names: one name for each variable.
        variable_domains: for each variable the index of its domain.
        relations: the distinct tables of the constraints, in the order of their first use.
        scopes: the scopes of all constraints end to end, as indices of variables; int32.
        scope_offsets: where each scope begins; one more at the end; int64.
        constraint_relations: for each constraint the index of its relation; int32.
        labels: the constraints' names, or None for C1, C2, ...
        origin: where it was read from, or None.
        sums: what some constraints say together, as far as whoever wrote their tables knows it.
        holes: the variables of an XCSP3 instance that no constraint names; they are left out, see ``with_holes``.

    Example:
        >>> from f2csp import ProblemBuilder
        >>> b = ProblemBuilder("Map of two countries")
        >>> b.domain("colour", ["red", "green"])
        >>> b.variable("France", "colour")
        >>> b.variable("Spain", "colour")
        >>> b.all_different(["France", "Spain"])
        >>> problem = b.build()
        >>> problem.variables
        <2 variables: France, Spain>
        >>> problem.constraints["C1"]
        Constraint('C1': France Spain Reject 2 tuples)
        >>> problem.constraints["C1"].table
        (('red', 'red'), ('green', 'green'))
        >>> problem.with_constraint(["France"], accept=["red"])
        <Problem 'Map of two countries': 1 domain, 2 variables, 2 constraints>
    """

    scopes: Ids
    scope_offsets: Offsets
    constraint_relations: Ids
    labels: tuple[str, ...] | None = None
    origin: Origin | None = None
    sums: tuple[LinearSum, ...] = ()
    holes: tuple[Hole, ...] = ()
    is_checked: InitVar[bool] = False

    def __post_init__(self, is_checked: bool) -> None:
        if not is_checked:
            from f2csp.model.builder import require_sound

            require_sound(self)
            self._order_relations()
            for companion in ("sums", "holes"):  # they may not be those of these tables and variables
                object.__setattr__(self, companion, ())
        elif self.holes:
            names = set(self.variable_names)
            object.__setattr__(self, "holes", tuple(hole for hole in self.holes if hole.name not in names))
        self._protect_arrays()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._protect_arrays()

    def _order_relations(self) -> None:
        """Leave out relations that no constraint has, and put the others in the order of their first use."""
        used, numbers = in_order_of_first_use(self.constraint_relations)
        object.__setattr__(self, "relations", tuple(self.relations[i] for i in used.tolist()))
        object.__setattr__(self, "constraint_relations", numbers.astype(np.int32))
        self._protect_arrays()

    def _protect_arrays(self) -> None:
        for array in self._arrays:
            array.setflags(write=False)

    @property
    def n_constraints(self) -> int:
        """The number of constraints."""
        return len(self.constraint_relations)

    @cached_property
    def constraints(self) -> NamedView[Constraint]:
        """The constraints as views, by index or by label."""
        if self.labels is not None:
            return NamedView("constraint", self.labels, partial(Constraint, self))
        names = View(self.n_constraints, self.label)
        return NamedView("constraint", names, partial(Constraint, self), self._position_of_default_label)

    def label(self, index: int) -> str:
        """The label of the constraint at ``index``."""
        return f"C{index + 1}" if self.labels is None else self.labels[index]

    def _position_of_default_label(self, label: str) -> int | None:
        found = re.fullmatch("C([1-9][0-9]{0,17})", label)
        return int(found[1]) - 1 if found and int(found[1]) <= self.n_constraints else None

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
        numbers = {"domain": self.n_domains, "variable": self.n_variables, "constraint": self.n_constraints}
        counts = ", ".join([counted(n, noun) for noun, n in numbers.items()])
        return f"<Problem {self.title!r}: {counts}>"

    def _repr_html_(self) -> str:
        views: tuple[NamedView[Any], ...] = (self.domains, self.variables, self.constraints)
        rows = map(_html_row, ("domains", "variables", "constraints"), views)
        table = f"<table><caption>{escape(self.title)}</caption>{''.join(rows)}</table>"
        return table + (self._repr_svg_() or "")

    def to_networkx(self) -> networkx.Graph:
        """The constraint graph: the variables' names, adjacent when some scope contains both; needs networkx."""
        return constraint_graph(self)

    def to_builder(self) -> ProblemBuilder:
        """A builder that has all of this problem, to be continued."""
        from f2csp.model.builder import ProblemBuilder

        return ProblemBuilder.of(self)

    def with_constraint(
        self,
        scope: Sequence[str],
        *,
        accept: Tuples | None = None,
        reject: Tuples | None = None,
        label: str | None = None,
    ) -> Problem:
        """The problem with one more constraint.

        Args:
            scope: the names of its variables.
            accept: the tuples that it accepts, or a predicate on values of the scope.
            reject: likewise what it rejects; one of the two is needed.
            label: its name; by default C and a number.

        Raises:
            ProblemError: the constraint does not fit the problem.
        """
        builder = self.to_builder()
        add, tuples = (builder.reject, reject) if accept is None else (builder.accept, accept)
        if tuples is None or (accept is not None and reject is not None):
            raise TypeError("expected either accept or reject")
        add(scope, tuples, next(self._free_labels()) if label is None else label)
        return builder.build()

    def _free_labels(self) -> Iterator[str | None]:
        """Labels for further constraints; None for a default one."""
        if (labels := self.labels) is None:
            return repeat(None)
        return (f"C{i}" for i in count(self.n_constraints + 1) if f"C{i}" not in labels)

    def without(self, *labels: str) -> Problem:
        """The problem without the constraints of these labels; the others keep theirs.

        Raises:
            ProblemError: there is no such constraint.
        """
        from f2csp.model.builder import labels_if_named

        removed = [_position(self.constraints, label) for label in labels]
        kept = np.delete(np.arange(self.n_constraints), np.array(removed, dtype=np.int64))
        places = {constraint: i for i, constraint in enumerate(kept.tolist())} if self.sums else {}
        sizes = np.diff(self.scope_offsets)[kept]
        fewer = replace(
            self,
            scopes=self.scopes[concatenated_ranges(self.scope_offsets[kept], sizes)[0]],
            scope_offsets=offsets_of(sizes),
            constraint_relations=self.constraint_relations[kept],
            labels=labels_if_named([self.label(constraint) for constraint in kept.tolist()]),
            origin=self.origin and Origin(self.origin.name, self.origin.constraint_lines[kept]),
            sums=tuple(moved for known in self.sums for moved in known.moved(places.get)),
            is_checked=True,
        )
        fewer._order_relations()
        return fewer

    def without_holes(self, declared_at: Mapping[int, ByteSpan]) -> Problem:
        """The problem without some variables that no constraint names; it keeps them as ``holes``."""
        domains = self.variable_domains.tolist()
        holes = [Hole(i, self.variable_names[i], domains[i], place) for i, place in sorted(declared_at.items())]
        kept = np.setdiff1d(np.arange(self.n_variables), [hole.index for hole in holes])
        numbers = np.full(self.n_variables, -1, dtype=np.int32)
        numbers[kept] = np.arange(len(kept))
        names = [self.variable_names[variable] for variable in kept.tolist()]
        return self._with_variables(names, self.variable_domains[kept], numbers, holes)

    def with_holes(self) -> Problem:
        """The problem with its ``holes`` as variables, in the order in which all variables were declared.

        Example:
            >>> from f2csp import ProblemBuilder
            >>> ProblemBuilder().build().with_holes().n_variables
            0
        """
        if not self.holes:
            return self
        n = self.n_variables
        places = [min(hole.index - i, n) for i, hole in enumerate(self.holes)]  # before these variables
        names = np.insert(np.array(self.variable_names, dtype=object), places, [hole.name for hole in self.holes])
        domains = np.insert(self.variable_domains, places, [hole.domain for hole in self.holes])
        numbers = np.flatnonzero(np.insert(np.ones(n, dtype=np.bool_), places, False)).astype(np.int32)
        return self._with_variables(names.tolist(), domains, numbers)

    def _with_variables(self, names: Sequence[str], domains: Ids, numbers: Ids, holes: Sequence[Hole] = ()) -> Problem:
        """The problem with other variables; ``numbers`` are the new indices of those that it has."""
        return replace(
            self,
            variable_names=tuple(names),
            variable_domains=domains,
            scopes=numbers[self.scopes],
            sums=tuple(known.renumbered(numbers) for known in self.sums),
            holes=tuple(holes),
            is_checked=True,
        )

    def restricted(self, values: Mapping[str, Value | Iterable[Value]]) -> Problem:
        """The problem with some variables restricted to some values, each by a further unary constraint.

        Args:
            values: for the name of a variable, the value or the values that remain.

        Raises:
            ProblemError: a variable is unknown, or a value is not in its domain.

        Example:
            >>> from f2csp import ProblemBuilder
            >>> b = ProblemBuilder("One cell")
            >>> b.domain("D1", "1..9")
            >>> b.variable("x", "D1")
            >>> b.build().restricted({"x": [1, 2]}).constraints["C1"]
            Constraint('C1': x Accept 2 tuples)
        """
        from f2csp.model.arguments import is_single, items_of, values_by_name

        builder = self.to_builder()
        for label, (name, some) in zip(self._free_labels(), values_by_name(values).items(), strict=False):
            builder.accept([name], [some] if is_single(some) else items_of(some, f"values of {name}"), label)
        return builder.build()

    def renamed(
        self,
        variables: Mapping[str, str] | None = None,
        *,
        domains: Mapping[str, str] | None = None,
        constraints: Mapping[str, str] | None = None,
        title: str | None = None,
    ) -> Problem:
        """The problem with another title, or other names: each mapping is from old ones to new ones.

        Raises:
            ProblemError: there is no such thing, or the new name is taken or cannot be one.
        """
        from f2csp.model.builder import checked_declarations, labels_if_named

        other = replace(
            self,
            title=self.title if title is None else title,
            variable_names=_renamed(self.variables, variables),
            domain_names=_renamed(self.domains, domains),
            labels=labels_if_named(_renamed(self.constraints, constraints)) if constraints else self.labels,
            is_checked=True,
        )
        checked_declarations(other)
        return other


def _html_row(noun: str, view: NamedView[Any]) -> str:
    lines = [escape(repr(item)) for item in view[:_MAX_SHOWN]] + ["..."] * (len(view) > _MAX_SHOWN)
    return f"<tr><th>{noun}: {len(view)}</th><td>{'<br>'.join(lines)}</td></tr>"


def _position(view: NamedView[Any], name: str) -> int:
    try:
        return view.position(name)
    except KeyError as error:
        raise ProblemError(error.args[0]) from None


def _renamed(view: NamedView[Any], names: Mapping[str, str] | None) -> tuple[str, ...]:
    renamed = list(view.names)
    for old, new in dict(names or {}).items():
        renamed[_position(view, old)] = new
    return tuple(renamed)


def expect_problem(value: object) -> None:
    """Raise TypeError for anything else than a problem, such as the name of a file."""
    if not isinstance(value, Problem):
        cure = "f2csp.read reads one from a file, f2csp.to_problem one from a puzzle"
        raise TypeError(f"expected a Problem, found {value!r:.80}; {cure}")

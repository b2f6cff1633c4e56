"""The way in for people: name domains and variables, write tables, build; or put columns together by hand."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import Integers, by_value, distinct, grouped, has_equal, row_codes
from f2csp.diagnostics import ProblemError, counted
from f2csp.model.arguments import column_names, integers_in, is_single, items_of, rows_of, word_of
from f2csp.model.problem import Hole, Ids, Kind, Problem, Relation, Value
from f2csp.model.views import Domain
from f2csp.model.words import is_name, is_range, is_title_line, is_value, range_ends

if TYPE_CHECKING:
    from f2csp.model.linear_sums import LinearSum

_MAX_RANGE_VALUES = 10**6  # as in a text; a larger domain can be passed as a Python range

Tuples = Iterable[Sequence[Value] | Value] | Callable[..., object]
"""The tuples of a table; of one variable, its values will do. Or a predicate that takes a value for each variable."""

Scopes = Iterable[Sequence[str]] | NDArray[np.integer[Any]]
"""Scopes as names, or as a matrix of indices of variables in the order of their declaration."""


class ProblemBuilder:
    """Collects domains, variables and constraints, and builds a :class:`Problem`.

    Each call checks its arguments and raises a :class:`ProblemError` for what the format cannot express.

    Example:
        >>> b = ProblemBuilder("Map of two countries")
        >>> b.domain("colour", ["red", "green"])
        >>> b.variable("A", "colour")
        >>> b.variable("B", "colour")
        >>> b.reject(["A", "B"], [("red", "red"), ("green", "green")])
        >>> b.build()
        <Problem 'Map of two countries': 1 domain, 2 variables, 1 constraint>

        A table can be a predicate, and many constraints can share one table:

        >>> b.domain("size", "1..9")
        >>> for name in ("x", "y", "z"):
        ...     b.variable(name, "size")
        >>> b.accept(["x", "y"], lambda x, y: x + y == 10)
        >>> b.reject_many([["x", "z"], ["y", "z"]], lambda one, other: one >= other)
        >>> b
        <ProblemBuilder 'Map of two countries': 2 domains, 5 variables, 4 constraints>
    """

    def __init__(self, title: str = "") -> None:
        """Begin a problem; the title may have several lines, or none."""
        self._title = checked_title(title)
        self._words: dict[str, int] = {}
        self._domains: dict[str, dict[str, int]] = {}  # name -> word -> index in the word table
        self._variables: dict[str, str] = {}
        self._variable_index: dict[str, int] = {}
        self._relations: dict[tuple[Kind, int, bytes], int] = {}
        self._tables: list[Relation] = []
        self._scopes: list[int] = []
        self._offsets: list[int] = [0]
        self._constraint_relations: list[int] = []
        self._labels: list[str | None] = []
        self._sums: tuple[LinearSum, ...] = ()
        self._holes: tuple[Hole, ...] = ()

    @classmethod
    def of(cls, problem: Problem) -> "ProblemBuilder":
        """A builder that has all of a problem, to be continued."""
        builder = cls(problem.title)
        builder._words = {word: i for i, word in enumerate(problem.words)}
        for name, values in zip(problem.domain_names, problem.domain_values, strict=True):
            builder._domains[name] = {problem.words[i]: i for i in values.tolist()}
        for name, domain in zip(problem.variable_names, problem.variable_domains.tolist(), strict=True):
            builder._variables[name] = problem.domain_names[domain]
        builder._variable_index = {name: i for i, name in enumerate(problem.variable_names)}
        builder._tables = list(problem.relations)
        builder._relations = {relation.key: i for i, relation in enumerate(problem.relations)}
        builder._scopes = problem.scopes.tolist()
        builder._offsets = problem.scope_offsets.tolist()
        builder._constraint_relations = problem.constraint_relations.tolist()
        builder._labels = [None] * problem.n_constraints if problem.labels is None else list(problem.labels)
        builder._sums, builder._holes = problem.sums, problem.holes
        return builder

    def __repr__(self) -> str:
        numbers = {"domain": len(self._domains), "variable": len(self._variables), "constraint": len(self._labels)}
        return f"<ProblemBuilder {self._title!r}: {', '.join([counted(n, noun) for noun, n in numbers.items()])}>"

    def domain(self, name: str, values: Iterable[Value]) -> None:
        """Declare a domain with at least one value, all different, such as ``range(1, 10)`` or ``"1..9"``."""
        self._check_name("domain", name, self._domains)
        words: dict[str, int] = {}
        given = _range_of(values) if isinstance(values, str) else items_of(values, "values of a domain")
        for word in map(word_of, given):
            _require(is_value(word), f"{word!r} cannot be a value: expected a word, and not of the form 1..9")
            _require(word not in words, f"domain {name} has the value {word} twice")
            words[word] = -1
        _require(bool(words), f"domain {name} has no value")
        self._domains[name] = {word: self._words.setdefault(word, len(self._words)) for word in words}

    def variable(self, name: str, domain: str) -> None:
        """Declare a variable of a domain that is already declared."""
        self._check_name("variable", name, self._variables)
        if not _is_among(domain, self._domains):
            raise ProblemError(f"the domain {domain!r} of variable {name} is not declared")
        self._variable_index[name] = len(self._variables)
        self._variables[name] = domain

    def reject(self, scope: Sequence[str], tuples: Tuples, label: str | None = None) -> None:
        """Add a negative table: the variables named by the scope take none of these tuples.

        The tuples may be a predicate that is true for them. The default labels are C1, C2, ...
        """
        self._add("Reject", [scope], tuples, label)

    def accept(self, scope: Sequence[str], tuples: Tuples, label: str | None = None) -> None:
        """Add a positive table: the scope takes one of these tuples; the arguments are those of :meth:`reject`."""
        self._add("Accept", [scope], tuples, label)

    def reject_many(self, scopes: Scopes, tuples: Tuples) -> None:
        """Add a constraint for each scope, all with one negative table, which is read once; as :meth:`reject`."""
        self._add("Reject", self._named(scopes), tuples)

    def accept_many(self, scopes: Scopes, tuples: Tuples) -> None:
        """Add a constraint for each scope, all with one positive table; see :meth:`reject_many`."""
        self._add("Accept", self._named(scopes), tuples)

    def all_different(self, names: Sequence[str]) -> None:
        """Add a negative table of the equal pairs for each two of these variables whose domains have common values."""
        different = self._checked_scope(names, is_ordered=False)
        pairs_of = grouped((tuple(self._variables[name] for name in pair), pair) for pair in combinations(different, 2))
        for (one, other), pairs in pairs_of.items():
            equal = [(word, word) for word in self._domains[one] if word in self._domains[other]]
            if equal:
                self.reject_many(pairs, equal)

    def build(self) -> Problem:
        """The problem as declared up to now; the builder remains usable."""
        labels = labels_if_named(self._labels)
        for label, n in Counter(labels).items():
            _require(n == 1, f"two constraints are called {label}")
        domain_index = {name: i for i, name in enumerate(self._domains)}
        return Problem(
            title=self._title,
            words=tuple(self._words),
            domain_names=tuple(self._domains),
            domain_values=tuple(np.array(list(d.values()), dtype=np.int32) for d in self._domains.values()),
            variable_names=tuple(self._variables),
            variable_domains=np.array([domain_index[d] for d in self._variables.values()], dtype=np.int32),
            relations=tuple(self._tables),
            scopes=np.array(self._scopes, dtype=np.int32),
            scope_offsets=np.array(self._offsets, dtype=np.int64),
            constraint_relations=np.array(self._constraint_relations, dtype=np.int32),
            labels=labels,
            sums=self._sums,
            holes=self._holes,
            is_checked=True,
        )

    def _check_name(self, kind: str, name: str, taken: Iterable[str]) -> None:
        _require_name(kind, name)
        _require(name not in taken, f"{kind} {name} is declared twice")

    def _checked_scope(self, scope: object, *, is_ordered: bool = True) -> tuple[str, ...]:
        if isinstance(scope, str):
            raise ProblemError(f"expected a list of names as the scope, found the string {scope!r}")
        names = tuple(items_of(scope, "a list of names as the scope", is_ordered=is_ordered))
        _require(len(names) > 0, "the scope has no variable")
        for name in names:
            if not _is_among(name, self._variables):
                raise ProblemError(f"the scope names {name!r}, which is not declared")
        if len(set(names)) != len(names):
            raise ProblemError(f"the scope {' '.join(names)} holds a variable twice")
        return names

    def _named(self, scopes: Scopes) -> Iterable[Sequence[str]]:
        if isinstance(scopes, Sequence):
            return scopes
        indices = rows_of(scopes, "a list of scopes")
        if not isinstance(indices, np.ndarray):
            return indices
        _require(
            indices.ndim == 2, f"expected a matrix of indices as scopes, found shape {indices.shape} of {indices.dtype}"
        )
        if indices.size and not 0 <= indices.min() <= indices.max() < len(self._variables):
            raise ProblemError(f"expected indices of the {len(self._variables)} variables declared up to now")
        names = tuple(self._variables)
        return [[names[i] for i in scope] for scope in indices.tolist()]

    def _add(self, kind: Kind, scopes: Iterable[Sequence[str]], tuples: Tuples, label: str | None = None) -> None:
        """Add constraints that share a table; it is read once for all scopes over the same domains."""
        if label is not None:
            _require_name("constraint", label)
        if isinstance(tuples, str):
            raise ProblemError(f"expected a list of tuples, found the string {tuples!r}")
        rows = tuples if callable(tuples) else _Rows(tuples)
        tables: dict[tuple[str, ...], Relation] = {}
        added = []
        for scope in map(self._checked_scope, scopes):
            domains = tuple([self._variables[name] for name in scope])
            if domains not in tables:
                tables[domains] = self._table(kind, scope, domains, rows)
            added.append(([self._variable_index[name] for name in scope], domains))
        for scope_ids, domains in added:
            table = tables[domains]
            if table.key not in self._relations:
                self._relations[table.key] = len(self._tables)
                self._tables.append(table)
            self._scopes.extend(scope_ids)
            self._offsets.append(len(self._scopes))
            self._constraint_relations.append(self._relations[table.key])
            self._labels.append(label)

    def _table(
        self, kind: Kind, scope: Sequence[str], names: Sequence[str], rows: "_Rows | Callable[..., object]"
    ) -> Relation:
        domains = [self._domains[name] for name in names]
        if isinstance(rows, _Rows):
            return Relation(kind, rows.over(scope, domains))
        values = [zip(Domain("", tuple(words)).values, words.values(), strict=True) for words in domains]
        chosen = [tuple(zip(*row, strict=True)) for row in product(*values)]
        accepted = [ids for of_scope, ids in chosen if rows(*of_scope)]
        return Relation(kind, np.array(accepted, dtype=np.int32).reshape(len(accepted), len(scope)))


class _Rows:
    """The rows of a table that a caller has passed, to be read over one scope or several."""

    def __init__(self, table: object) -> None:
        self._columns, self._rows = column_names(table), rows_of(table)

    def over(self, scope: Sequence[str], domains: Sequence[dict[str, int]]) -> Ids:
        """The rows as indices of words; raises ProblemError if one does not fit, or is there twice."""
        if self._columns and self._columns != scope and {*self._columns} == {*scope}:
            columns = " ".join(self._columns)
            raise ProblemError(f"the columns are {columns}, and the scope is {' '.join(scope)}: put them in one order")
        integers = integers_in(self._rows, len(scope))
        found = None if integers is None else _indices(integers, domains)
        return self._read(scope, domains) if found is None else found

    def _read(self, scope: Sequence[str], domains: Sequence[dict[str, int]]) -> Ids:
        """The same, row by row, so that the first that is wrong is named."""
        rows: dict[tuple[int, ...], None] = {}
        for values in items_of(self._rows, "rows of values"):
            words = (values,) if is_single(values) else items_of(values, "a tuple of values", is_ordered=True)
            if len(words) != len(scope):
                raise ProblemError(f"the tuple {values!r} has {len(words)} values for {len(scope)} variables")
            row = tuple(_index(word_of(v), d, n) for v, d, n in zip(words, domains, scope, strict=True))
            if row in rows:
                raise ProblemError(f"the constraint holds the tuple {values!r} twice")
            rows[row] = None
        return np.array(list(rows), dtype=np.int32).reshape(len(rows), len(scope))


def _indices(integers: Integers, domains: Sequence[dict[str, int]]) -> Ids | None:
    """Integers as indices of words, all at once; None if one is in no domain, or a row is there twice."""
    columns = []
    for values, domain in zip(integers.T, domains, strict=True):
        known, places = distinct(values)
        words = np.array([domain.get(str(value), -1) for value in known.tolist()], dtype=np.int32)
        columns.append(words[places])
    found = np.column_stack(columns)
    is_sound = found.min(initial=0) >= 0 and not has_equal(row_codes(columns))
    return found if is_sound else None


def _require(condition: bool | np.bool_, message: str) -> None:
    if not condition:
        raise ProblemError(message)


def _require_name(noun: str, name: object) -> None:
    is_sound = isinstance(name, str) and is_name(name)
    _require(is_sound, f"{name!r} cannot name a {noun}: expected a word that is not a section word")


def _is_among(name: object, names: Container[str]) -> bool:
    return isinstance(name, str) and name in names


def checked_title(title: str) -> str:
    """The title; raises ProblemError if a reader would not read it back the same."""
    _require(isinstance(title, str), f"expected a text as the title, found {title!r}")
    lines = title.split("\n") if title else []
    for line in lines:
        forbidden = "no blank line, no blank at an end, no control character, and no section header"
        _require(is_title_line(line), f"a title cannot hold the line {line!r}: {forbidden}")
    _require(not title.startswith("\ufeff"), "a title cannot begin with a byte-order mark")
    return title


def labels_if_named(labels: Sequence[str | None]) -> tuple[str, ...] | None:
    """The labels, with C1, C2, ... where one is None; None when all are the default ones.

    Labels that are exactly 1, 2, ..., m are the default ones too: the format reads both alike.
    """
    named = tuple(f"C{i}" if label is None else label for i, label in enumerate(labels, 1))
    is_default = any(all(label == f"{prefix}{i}" for i, label in enumerate(named, 1)) for prefix in ("C", ""))
    return None if is_default else named


def _range_of(text: str) -> Iterable[Value]:
    if not is_range(text):
        raise ProblemError(f"expected a list of values or a range such as '1..9', found the string {text!r}")
    first, last = map(int, range_ends(text))
    if last - first >= _MAX_RANGE_VALUES:
        raise ProblemError(f"expected a range of at most {_MAX_RANGE_VALUES:,} values, found {text}")
    return range(first, last + 1)


def _index(word: str, domain: dict[str, int], variable: str) -> int:
    if word not in domain:
        raise ProblemError(f"{word} is not in the domain of {variable}")
    return domain[word]


# ---- Columns that were put together by hand --------------------------------------------------------------------------


def require_sound(problem: Problem) -> None:
    """Raise ProblemError unless the builder takes all parts of a problem, and makes the same columns of them."""
    _check_columns(problem)
    builder = checked_declarations(problem)
    words = np.array(problem.words, dtype=np.object_)
    keys = []
    for index, constraints in by_value(problem.constraint_relations):
        relation = problem.relations[index]
        scopes = (problem.constraints[i].scope for i in constraints.tolist())
        builder._add(relation.kind, scopes, words[relation.tuples].tolist())
        keys.append(relation.key)
    _require(list(builder._relations) == keys, "expected one relation for all constraints with the same table")


def checked_declarations(problem: Problem) -> ProblemBuilder:
    """A builder with the declarations of a problem; raises ProblemError unless it takes them, and all labels."""
    builder = ProblemBuilder(problem.title)
    for domain in problem.domains:
        builder.domain(domain.name, domain.words)
    is_ordered = tuple(builder._words) == problem.words
    _require(is_ordered, "expected the words of the domains in the order of their first use, and no others")
    for variable in problem.variables:
        builder.variable(variable.name, variable.domain.name)
    for label, n in Counter(problem.labels).items():
        _require_name("constraint", label)
        _require(n == 1, f"two constraints are called {label}")
    is_named = problem.labels is None or labels_if_named(problem.labels) is not None
    _require(is_named, "expected None as labels: these are the default ones")
    return builder


def _check_columns(problem: Problem) -> None:
    """Check types, shapes and bounds of the arrays, so that views can be made."""
    n_variables, n_constraints = problem.n_variables, problem.n_constraints
    _require(len(problem.domain_values) == problem.n_domains, "expected as many lists of values as domain names")
    for name, values in zip(problem.domain_names, problem.domain_values, strict=True):
        _check_column(f"the values of {name}", values, len(problem.words))
    _check_column("variable_domains", problem.variable_domains, problem.n_domains)
    _require(len(problem.variable_domains) == n_variables, "expected a domain for each variable")
    _check_column("scopes", problem.scopes, n_variables)
    _check_column("constraint_relations", problem.constraint_relations, len(problem.relations))
    for relation in problem.relations:
        _require(relation.kind in ("Reject", "Accept"), f"{relation.kind!r} is no kind of relation")
        _check_column("the tuples of a relation", relation.tuples, len(problem.words), n_dimensions=2)
    offsets = problem.scope_offsets
    _require(offsets.dtype == np.int64 and offsets.ndim == 1, "expected a row of int64 as scope_offsets")
    is_whole = len(offsets) == n_constraints + 1 and offsets[0] == 0 and offsets[-1] == len(problem.scopes)
    fits = is_whole and bool((np.diff(offsets) > 0).all())
    _require(fits, "scope_offsets do not fit scopes and constraint_relations")
    labels = problem.labels
    is_named = labels is None or len(labels) == n_constraints
    _require(is_named, f"{len(labels or ())} labels for {n_constraints} constraints")


def _check_column(name: str, column: NDArray[Any], n: int, *, n_dimensions: int = 1) -> None:
    is_of_indices = column.dtype == np.int32 and column.ndim == n_dimensions
    _require(is_of_indices, f"expected a {'row' if n_dimensions == 1 else 'table'} of int32 as {name}")
    _require(not column.size or (column.min() >= 0 and column.max() < n), f"expected indices below {n} as {name}")

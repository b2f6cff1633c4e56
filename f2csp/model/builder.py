"""The way in for people: name domains and variables, write tables, build."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from f2csp.diagnostics import ProblemError
from f2csp.model.problem import Kind, Problem, Relation, Value
from f2csp.model.words import is_name, is_title_line, is_value


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
        <Problem 'Map of two countries': 1 domains, 2 variables, 1 constraints>
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

    def domain(self, name: str, values: Iterable[Value]) -> None:
        """Declare a domain with at least one value, all different, such as ``range(1, 10)``."""
        self._check_name("domain", name, self._domains)
        words: dict[str, int] = {}
        for word in map(_word, values):
            if not is_value(word):
                raise ProblemError(f"{word!r} cannot be a value: expected a word, and not of the form 1..9")
            if word in words:
                raise ProblemError(f"domain {name} has the value {word} twice")
            words[word] = -1
        if not words:
            raise ProblemError(f"domain {name} has no value")
        self._domains[name] = {word: self._words.setdefault(word, len(self._words)) for word in words}

    def variable(self, name: str, domain: str) -> None:
        """Declare a variable of a domain that is already declared."""
        self._check_name("variable", name, self._variables)
        if domain not in self._domains:
            raise ProblemError(f"the domain {domain!r} of variable {name} is not declared")
        self._variable_index[name] = len(self._variables)
        self._variables[name] = domain

    def reject(self, scope: Sequence[str], tuples: Iterable[Sequence[Value]], label: str | None = None) -> None:
        """Add a negative table: the scope takes none of these tuples. The default labels are C1, C2, ..."""
        self._constraint("Reject", scope, tuples, label)

    def accept(self, scope: Sequence[str], tuples: Iterable[Sequence[Value]], label: str | None = None) -> None:
        """Add a positive table: the scope takes one of these tuples. The default labels are C1, C2, ..."""
        self._constraint("Accept", scope, tuples, label)

    def build(self) -> Problem:
        """The problem as declared up to now; the builder remains usable."""
        labels = labels_if_named(self._labels)
        for label, n in Counter(labels).items():
            if n > 1:
                raise ProblemError(f"two constraints are called {label}")
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
        )

    def _check_name(self, kind: str, name: str, taken: Iterable[str]) -> None:
        if not is_name(name):
            raise ProblemError(f"{name!r} cannot name a {kind}: expected a word that is not a section word")
        if name in taken:
            raise ProblemError(f"{kind} {name} is declared twice")

    def _constraint(
        self, kind: Kind, scope: Sequence[str], tuples: Iterable[Sequence[Value]], label: str | None
    ) -> None:
        if isinstance(scope, str):
            raise ProblemError(f"expected a list of names as the scope, found the string {scope!r}")
        if label is not None and not is_name(label):
            raise ProblemError(f"{label!r} cannot name a constraint: expected a word that is not a section word")
        if not scope:
            raise ProblemError("the scope has no variable")
        for name in scope:
            if name not in self._variables:
                raise ProblemError(f"the scope names {name!r}, which is not declared")
        if len(set(scope)) != len(scope):
            raise ProblemError(f"the scope {' '.join(scope)} holds a variable twice")
        relation = self._relation(kind, scope, tuples)
        self._scopes.extend(self._variable_index[name] for name in scope)
        self._offsets.append(len(self._scopes))
        self._constraint_relations.append(relation)
        self._labels.append(label)

    def _relation(self, kind: Kind, scope: Sequence[str], tuples: Iterable[Sequence[Value]]) -> int:
        domains = [self._domains[self._variables[name]] for name in scope]
        rows: dict[tuple[int, ...], None] = {}
        for values in tuples:
            words = (values,) if isinstance(values, (int, str)) else tuple(values)
            if len(words) != len(scope):
                raise ProblemError(f"the tuple {values!r} has {len(words)} values for {len(scope)} variables")
            row = tuple(_index(_word(v), d, n) for v, d, n in zip(words, domains, scope, strict=True))
            if row in rows:
                raise ProblemError(f"the constraint holds the tuple {values!r} twice")
            rows[row] = None
        table = Relation(kind, np.array(list(rows), dtype=np.int32).reshape(len(rows), len(scope)))
        if table.key not in self._relations:
            self._relations[table.key] = len(self._tables)
            self._tables.append(table)
        return self._relations[table.key]


def checked_title(title: str) -> str:
    """The title, if a text can express it.

    Raises:
        ProblemError: a reader would not read it back the same.
    """
    lines = title.split("\n") if title else []
    for line in lines:
        if not is_title_line(line):
            raise ProblemError(
                f"a title cannot hold the line {line!r}: no blank line, no blank at an end, no control character, and "
                "no section header"
            )
    if title.startswith("\ufeff"):
        raise ProblemError("a title cannot begin with a byte-order mark")
    return title


def labels_if_named(labels: Sequence[str | None]) -> tuple[str, ...] | None:
    """The labels, with C1, C2, ... where one is None; None when all are the default ones.

    Labels that are exactly 1, 2, ..., m are the default ones too: the format reads both alike.
    """
    named = tuple(f"C{i}" if label is None else label for i, label in enumerate(labels, 1))
    is_default = any(all(label == f"{prefix}{i}" for i, label in enumerate(named, 1)) for prefix in ("C", ""))
    return None if is_default else named


def _word(value: Value) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, str, np.integer)):
        raise ProblemError(f"expected an integer or a word as a value, found {value!r}")
    return str(value)


def _index(word: str, domain: dict[str, int], variable: str) -> int:
    if word not in domain:
        raise ProblemError(f"{word} is not in the domain of {variable}")
    return domain[word]

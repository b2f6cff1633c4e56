"""A problem taken apart, to be changed, shuffled and put together again as another program might have written it."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TypeVar

from f2csp.model import Kind, Problem, ProblemBuilder

Row = tuple[str, ...]
T = TypeVar("T")


@dataclass
class Part:
    scope: list[str]
    kind: Kind
    rows: list[Row]
    label: str | None = None


@dataclass
class Draft:
    title: str
    domains: dict[str, list[str]]
    variables: dict[str, str]
    parts: list[Part]

    @classmethod
    def of(cls, problem: Problem) -> "Draft":
        return cls(
            problem.title,
            {domain.name: list(domain.words) for domain in problem.domains},
            {variable.name: variable.domain.name for variable in problem.variables},
            [Part(list(c.scope), c.kind, [tuple(map(str, row)) for row in c.tuples]) for c in problem.constraints],
        )

    def build(self) -> Problem:
        builder = ProblemBuilder(self.title)
        for name, values in self.domains.items():
            builder.domain(name, values)
        for name, domain in self.variables.items():
            builder.variable(name, domain)
        for part in self.parts:
            add = builder.accept if part.kind == "Accept" else builder.reject
            add(part.scope, part.rows, part.label)
        return builder.build()

    def part(self, *scope: str) -> Part:
        """The first constraint on just these variables, in this order."""
        return next(part for part in self.parts if part.scope == list(scope))

    def drop(self, *scope: str) -> None:
        self.parts.remove(self.part(*scope))

    def accept(self, scope: str, *rows: str) -> None:
        self.parts.append(Part(scope.split(), "Accept", [tuple(row.split()) for row in rows]))

    def reject(self, scope: str, *rows: str) -> None:
        self.parts.append(Part(scope.split(), "Reject", [tuple(row.split()) for row in rows]))

    def shuffled(self, random: Random) -> "Draft":
        """The same problem as another program might write it: other orders, names and kinds of tables."""
        names = {name: name if name.startswith("V") else f"x{i}" for i, name in enumerate(self.variables)}
        own = {name: f"d{i}" for i, name in enumerate(self.domains)}
        domains = {own[name] + twin: sample(values, random) for twin in "ab" for name, values in self.domains.items()}
        owners = {name: own[domain] + random.choice("ab") for name, domain in self.variables.items()}
        variables = {names[name]: owners[name] for name in sample(self.variables, random)}
        parts = [self._rewritten(part, names, random) for part in self.parts]
        parts += [part for part in parts if random.random() < 0.1]
        return Draft(self.title, domains, variables, sample(parts, random))

    def _rewritten(self, part: Part, names: dict[str, str], random: Random) -> Part:
        order = sample(range(len(part.scope)), random)
        domains = [self.domains[self.variables[name]] for name in part.scope]
        kind, rows = part.kind, part.rows
        if len(order) <= 3 and random.random() < 0.5:
            kind = "Accept" if kind == "Reject" else "Reject"
            rows = list(set(product(*domains)) - set(rows))
        turned = [tuple(row[i] for i in order) for row in sample(rows, random)]
        return Part([names[part.scope[i]] for i in order], kind, turned)


def sample(values: Iterable[T], random: Random) -> list[T]:
    in_order = list(values)
    return random.sample(in_order, len(in_order))

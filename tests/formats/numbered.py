"""A problem without its names: what a format keeps that has numbers alone."""

from f2csp.model import Problem

Numbered = tuple[list[int], list[tuple[str, list[int], list[tuple[int, ...]]]]]


def numbered(problem: Problem) -> Numbered:
    """The sizes of the domains, and each constraint with its tuples as places in domains."""
    places = [{word: i for i, word in enumerate(values.tolist())} for values in problem.domain_values]
    sizes = [len(places[domain]) for domain in problem.variable_domains.tolist()]
    constraints = []
    for i, constraint in enumerate(problem.constraints):
        scope: list[int] = problem.scope(i).tolist()
        domains = [places[problem.variable_domains[v]] for v in scope]
        rows = constraint.relation.tuples.tolist()
        tuples = [tuple(domain[word] for domain, word in zip(domains, row, strict=True)) for row in rows]
        constraints.append((str(constraint.kind), scope, tuples))
    return sizes, constraints


def as_sets(of: Numbered) -> tuple[list[int], list[tuple[list[int], set[tuple[int, ...]]]]]:
    """What is forbidden, whatever the kind of the table."""
    sizes, constraints = of
    forbidden = []
    for kind, scope, tuples in constraints:
        every = {()} if not scope else None
        for v in scope:
            every = {(*row, i) for row in (every or {()}) for i in range(sizes[v])}
        forbidden.append((scope, set(tuples) if kind == "Reject" else (every or set()) - set(tuples)))
    return sizes, forbidden


def dense(problem: Problem) -> bytes:
    """A problem as .cfn, with the costs of all tuples, without quotes, and with sizes for domains."""
    sizes, functions = as_sets(numbered(problem))
    parts = [
        "{problem {name p mustbe <7}",
        "variables {",
        *(f"x{i} {size}" for i, size in enumerate(sizes)),
        "} functions {",
    ]
    for i, (scope, forbidden) in enumerate(functions):
        every: list[tuple[int, ...]] = [()]
        for v in scope:
            every = [(*row, i) for row in every for i in range(sizes[v])]
        costs = ("9" if row in forbidden else "0" for row in every)
        parts += [f"f{i} {{scope [", *map(str, scope), "] costs [", *costs, "]}"]
    return " ".join([*parts, "}", "}"]).encode()


def flat(problem: Problem) -> bytes:
    """A problem as .wcsp, written constraint for constraint, on one line."""
    sizes, constraints = numbered(problem)
    words: list[object] = ["name", len(sizes), max(sizes, default=0), len(constraints), 7, *sizes]
    for kind, scope, tuples in constraints:
        default = 0 if kind == "Reject" else 8
        words += [len(scope), *scope, default, len(tuples)]
        for row in tuples:
            words += [*row, 7 - min(default, 7)]
    return " ".join(map(str, words)).encode()

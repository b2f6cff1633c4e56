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

"""What a solution is, slow and obvious."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from f2csp.diagnostics import ProblemError
from f2csp.model.problem import Constraint, Problem, Value


@dataclass(frozen=True, slots=True)
class Violation:
    """A constraint that an assignment breaks.

    Attributes:
        constraint: the constraint, with its label and line.
        values: the values that its variables have, in the order of the scope.
    """

    constraint: Constraint
    values: tuple[str, ...]

    def __str__(self) -> str:
        pairs = ", ".join(f"{name} = {value}" for name, value in zip(self.constraint.scope, self.values, strict=True))
        line = self.constraint.line
        where = f" (line {line})" if line is not None else ""
        reason = "rejects" if self.constraint.kind == "Reject" else "does not accept"
        return f"{self.constraint.label}{where} {reason} {pairs}"


def check(problem: Problem, assignment: Mapping[str, Value]) -> list[Violation]:
    """All constraints that a full assignment breaks; none means that it is a solution.

    Args:
        problem: the problem.
        assignment: a value for every variable, as a word or as an integer; values are compared as words.

    Raises:
        ProblemError: a variable has no value or is unknown, or a value is not in its variable's domain.
    """
    return next(check_all(problem, [assignment]))


def check_all(problem: Problem, assignments: Iterable[Mapping[str, Value]]) -> Iterator[list[Violation]]:
    """The same for one assignment after the other, with one set of tuples for each relation for all of them."""
    word_index = {word: i for i, word in enumerate(problem.words)}
    tables = [set(map(tuple, relation.tuples.tolist())) for relation in problem.relations]
    rejects = [relation.kind == "Reject" for relation in problem.relations]
    scopes, offsets = problem.scopes.tolist(), problem.scope_offsets.tolist()
    for assignment in assignments:
        words = _words_of(problem, assignment)
        row = [word_index[word] for word in words]
        violations = []
        for index, relation in enumerate(problem.constraint_relations.tolist()):
            scope = scopes[offsets[index] : offsets[index + 1]]
            stands = tuple([row[v] for v in scope]) in tables[relation]
            if stands == rejects[relation]:
                violations.append(Violation(problem.constraints[index], tuple(words[v] for v in scope)))
        yield violations


def _words_of(problem: Problem, assignment: Mapping[str, Value]) -> list[str]:
    unknown = sorted(set(assignment) - set(problem.variable_names))
    if unknown:
        raise ProblemError(f"the problem has no variable {unknown[0]}")
    allowed = [frozenset(domain.words) for domain in problem.domains]
    words = []
    for name, domain in zip(problem.variable_names, problem.variable_domains.tolist(), strict=True):
        if name not in assignment:
            raise ProblemError(f"the assignment gives no value to {name}")
        word = str(assignment[name])
        if word not in allowed[domain]:
            raise ProblemError(f"{word} is not in the domain {problem.domain_names[domain]} of {name}")
        words.append(word)
    return words

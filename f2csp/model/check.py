"""The definition of a solution, slow and obvious."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from f2csp.diagnostics import ProblemError
from f2csp.model.problem import Problem, Value, expect_problem
from f2csp.model.views import Constraint
from f2csp.notebook import Lines

NO_VALUE = -1


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
        where = "" if self.constraint.line is None else f" (line {self.constraint.line})"
        reason = "rejects" if self.constraint.kind == "Reject" else "does not accept"
        return f"{self.constraint.label}{where} {reason} {pairs}"


class Check(tuple[Violation, ...], Lines):
    """The violated constraints, in the order of the problem; true if there are none, so that the assignment holds."""

    __hash__ = tuple.__hash__

    def __bool__(self) -> bool:
        return len(self) == 0

    def __eq__(self, other: object) -> bool:
        return super().__eq__(tuple(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "holds"

    def __repr__(self) -> str:
        return f"<Check: {'; '.join(map(str, self)) or 'holds'}>"


class HasSolution(Protocol):
    """The result of a search."""

    @property
    def solution(self) -> Mapping[str, Value] | None:
        """The first solution, if there is one."""


def check(problem: Problem, assignment: Mapping[str, Value] | HasSolution) -> Check:
    """Check whether a full assignment is a solution, and list the constraints that it violates.

    Args:
        problem: the problem.
        assignment: a value for every variable, as a word or as an integer; values are compared as words. Or a result
            of ``solve``, of which the first solution is checked.

    Raises:
        ProblemError: a variable has no value or is unknown, or a value is not in its variable's domain.

    Example:
        >>> from f2csp import generate
        >>> queens = generate("queens", size=4)
        >>> bool(check(queens, {"Q1": 2, "Q2": 4, "Q3": 1, "Q4": 3}))
        True
        >>> check(queens, {"Q1": 4, "Q2": 4, "Q3": 1, "Q4": 3})
        <Check: C1 rejects Q1 = 4, Q2 = 4>
    """
    expect_problem(problem)
    return Check(next(check_all(problem, [assignment_of(assignment)])))


def assignment_of(solution: Mapping[str, Value] | HasSolution) -> Mapping[str, Value]:
    """The values themselves, or the first solution of a result; raises ProblemError if it has none."""
    if isinstance(solution, Mapping):
        return solution
    if not hasattr(solution, "solution"):
        raise TypeError(f"expected a value for each variable, found {solution!r:.80}")
    if solution.solution is None:
        raise ProblemError("the result has no solution")
    return solution.solution


def check_all(problem: Problem, assignments: Iterable[Mapping[str, Value]]) -> Iterator[list[Violation]]:
    """Check many assignments with one set of tuples for each relation."""
    checker = Checker(problem)
    for assignment in assignments:
        missing = next((name for name in problem.variable_names if name not in assignment), None)
        if missing is not None:
            raise ProblemError(f"the assignment gives no value to {missing}")
        yield checker.broken_by(assignment)


class Checker:
    """The tables of a problem as sets, to check many assignments."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._tables = [set(map(tuple, relation.tuples.tolist())) for relation in problem.relations]
        self._rejects = [relation.kind == "Reject" for relation in problem.relations]
        self._scopes, self._offsets = problem.scopes.tolist(), problem.scope_offsets.tolist()
        self._relations = problem.constraint_relations.tolist()

    def broken_by(self, assignment: Mapping[str, Value]) -> list[Violation]:
        """The constraints that an assignment breaks; a constraint on a variable without value is not broken."""
        return list(self.violations(_row_of(self._problem, assignment)))

    def violations(self, row: Sequence[int]) -> Iterator[Violation]:
        """The constraints that a row breaks: for each variable the index of a word of its domain, or ``NO_VALUE``."""
        problem, tables, rejects = self._problem, self._tables, self._rejects
        in_scopes = [row[variable] for variable in self._scopes]
        ends = zip(self._relations, self._offsets, self._offsets[1:], strict=False)
        for index, (relation, start, end) in enumerate(ends):
            values = tuple(in_scopes[start:end])
            if (values in tables[relation]) == rejects[relation] and NO_VALUE not in values:
                yield Violation(problem.constraints[index], tuple(problem.words[word] for word in values))


def _row_of(problem: Problem, assignment: Mapping[str, Value]) -> list[int]:
    unknown = sorted(set(assignment).difference(problem.variable_names, [hole.name for hole in problem.holes]))
    if unknown:
        raise ProblemError(f"the problem has no variable {unknown[0]}")
    allowed = [{problem.words[i]: i for i in values.tolist()} for values in problem.domain_values]
    row = []
    for name, domain in zip(problem.variable_names, problem.variable_domains.tolist(), strict=True):
        if name in assignment and str(assignment[name]) not in allowed[domain]:
            raise ProblemError(f"{assignment[name]} is not in the domain {problem.domain_names[domain]} of {name}")
        row.append(allowed[domain][str(assignment[name])] if name in assignment else NO_VALUE)
    return row

"""The structure of a problem in names and words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from f2csp.diagnostics import listed
from f2csp.model import Problem, Value, expect_problem
from f2csp.structure.classification import Classification, ConstraintKind
from f2csp.structure.constraint_model import recover

_MAX_NAMES = 8  # of variables in a sentence
_SENTENCES = {
    ConstraintKind.EQUAL: "{0} = {1}",
    ConstraintKind.LESS: "{0} < {1}",
    ConstraintKind.LESS_OR_EQUAL: "{0} <= {1}",
    ConstraintKind.GREATER: "{0} > {1}",
    ConstraintKind.GREATER_OR_EQUAL: "{0} >= {1}",
    ConstraintKind.DIFFERENCE: "{0} - {1} = {value}",
    ConstraintKind.SUM: "{0} + {1} = {value}",
    ConstraintKind.FIXED_VALUE: "{0} = {value}",
    ConstraintKind.FORBIDDEN_VALUE: "{0} is not {value}",
    ConstraintKind.DIFFERENT: "{names} all differ",
    ConstraintKind.NEVER_TRUE: "nothing is allowed for {names}",
}


def sentence(kind: ConstraintKind, names: Sequence[str], value: Value | None, otherwise: str) -> str:
    """What a kind of constraint says of some variables; ``otherwise`` is the form for a kind without words."""
    form = _SENTENCES.get(kind, otherwise)
    return form.format(*names, names=listed(names, _MAX_NAMES), value=value)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Structure:
    """What the tables of a problem say.

    Attributes:
        problem: the problem.
        classification: for each constraint what its table says.
        all_different: the groups of variables that must all differ, by name; each pair of variables that must differ
            is in one of them.
    """

    problem: Problem
    classification: Classification
    all_different: tuple[tuple[str, ...], ...]

    @property
    def kinds(self) -> dict[str, int]:
        """For each kind of constraint that occurs, the number of constraints."""
        numbers = {str(kind): int(np.count_nonzero(self.classification.are(kind))) for kind in ConstraintKind}
        return {kind: n for kind, n in numbers.items() if n}

    def kind(self, label: str) -> ConstraintKind:
        """The kind of the constraint of this label."""
        return self.classification[self.problem.constraints.position(label)].kind

    def meaning(self, label: str) -> str:
        """What the constraint of this label says, in words."""
        constraint = self.problem.constraints[label]
        found = self.classification[constraint.index]
        return sentence(found.kind, constraint.scope, found.value, f"{found.kind}: {{names}}")

    def __repr__(self) -> str:
        kinds = ", ".join(f"{n} {kind}" for kind, n in self.kinds.items()) or "no constraints"
        n = len(self.all_different)
        return f"<Structure: {kinds}; {n} all-different group{'s'[: n != 1]}>"


def structure(problem: Problem) -> Structure:
    """Recover what the tables of a problem say: comparisons, fixed values, groups of variables that all differ.

    Example:
        >>> from f2csp.model import ProblemBuilder
        >>> b = ProblemBuilder("Three cells")
        >>> b.domain("D1", "1..3")
        >>> for name in ("x", "y", "z"):
        ...     b.variable(name, "D1")
        >>> b.all_different(["x", "y", "z"])
        >>> b.accept(["x", "y"], lambda x, y: x < y)
        >>> found = structure(b.build())
        >>> found
        <Structure: 3 different, 1 less; 1 all-different group>
        >>> found.all_different
        (('x', 'y', 'z'),)
        >>> found.meaning("C4")
        'x < y'
    """
    expect_problem(problem)
    model = recover(problem)
    names = problem.variable_names
    groups = tuple(tuple(names[variable] for variable in clique) for clique in model.all_different)
    return Structure(problem, model.classification, groups)

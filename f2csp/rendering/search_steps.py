"""The steps of a search in words: each record of its trace (docs/json.md), with what the constraint behind it says.

Steps of auxiliary variables, which follow from the others, are left out; a wipeout of one names the constraint. Left
out, too, is that given variables lose their other values: they have one from the start.
"""

from typing import Any

import numpy as np

from f2csp.diagnostics import listed
from f2csp.instances import Instance
from f2csp.puzzles.puzzle import cell_of
from f2csp.search import TraceStep
from f2csp.solving.explanation import describe_group, groups_of
from f2csp.structure import ConstraintKind, recover

TEXTS = {
    "assign": "assign {value} to {variable}",
    "prune": "{variable} loses {values}: {rule}",
    "wipeout": "wipeout: {variable} has no value left",
    "conflict": "wipeout: broken is that {rule}",
    "backtrack": "go back: {variable} has no further values",
    "solution": "a solution",
}
"""The forms of the sentences; those of ``conflict`` are for wipeouts of auxiliary variables."""

_FAILED = "the search with it failed"
_MAX_VALUES = 8


class SearchSteps:
    """The words for the steps of a search on a problem.

    Attributes:
        start: the values of each variable before the first step.
        own: the names of the variables that are not auxiliary, those of a puzzle row by row.
        groups: the constraints that say one thing together.
        rules: what the constraints behind the steps so far say.
    """

    def __init__(self, instance: Instance) -> None:
        self.problem, self.puzzle = instance.problem, instance.recognised
        auxiliary = {*instance.auxiliary}
        names = [cell.variable for cell in self.puzzle.cells] if self.puzzle else self.problem.variable_names
        self.own = [name for name in names if name not in auxiliary]
        self._are_own = frozenset(self.own)
        self.groups = groups_of(recover(self.problem), instance.auxiliary)
        self._group_of = np.full(self.problem.n_constraints, -1)
        for number, group in reversed([*enumerate(self.groups)]):
            self._group_of[list(group.constraints)] = number
        fixed = [group for group in self.groups if group.kind == ConstraintKind.FIXED_VALUE]
        variables = self.problem.variables
        self._given = {variables[group.variables[0]].name: group.value for group in fixed}
        self.start = {v.name: tuple(v.domain.values) for v in variables}
        self.start |= {name: (value,) for name, value in self._given.items() if value is not None}
        self.rules: dict[str, int] = {_FAILED: 0}
        self._last_rule = 0

    def name(self, variable: str) -> str:
        """A variable in words."""
        return str(cell_of(variable) or variable) if self.puzzle else variable

    def rule(self, constraint: int) -> int:
        """The number of what a constraint says, together with those that mean one thing with it."""
        group = self.groups[int(self._group_of[constraint])]
        words = describe_group(self.problem, group, self.puzzle)
        if self.puzzle is None and len(group.constraints) == 1:
            one = self.problem.constraints[constraint]
            words += f" ({one.label}{'' if one.line is None else f', line {one.line}'})"
        return self.rules.setdefault(words, len(self.rules))

    def record(self, step: TraceStep) -> dict[str, Any] | None:
        """A step to be shown, with the number of the rule behind it; None if it is about an auxiliary variable."""
        event, name = step["event"], step.get("variable")
        if event == "prune":
            if step["node"] == 0 and self._given.get(step["variable"], step["values"][0]) not in step["values"]:
                return None
            labels = step["constraints"]
            self._last_rule = self.rule(self.problem.constraints.position(labels[0])) if labels else 0
        if name is None or name in self._are_own:
            return {**step, "rule": self._last_rule} if event == "prune" else dict(step)
        if event == "wipeout":
            return {"event": "conflict", "node": step["node"], "rule": self._last_rule}
        return None if event == "prune" else dict(step)

    def words(self, step: TraceStep) -> str | None:
        """A step in words; None if it is left out."""
        shown = self.record(step)
        if shown is None:
            return None
        return TEXTS[shown["event"]].format(
            variable=self.name(shown.get("variable", "")),
            value=shown.get("value"),
            values=listed(map(str, shown.get("values", ())), _MAX_VALUES),
            rule=[*self.rules][shown.get("rule", 0)],
        )

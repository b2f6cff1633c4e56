"""The steps of a search to play: from a trace (see docs/json.md), or from a search now, each in words."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from f2csp.diagnostics import F2cspError, Source, listed, shown
from f2csp.model import Problem
from f2csp.search import Step
from f2csp.solving.questions import solve
from f2csp.structure import Structure

_MAX_STEPS = 2_000
_MAX_CONSTRAINTS = 200_000  # of a problem that is searched for the page
_MAX_WORDS = 8  # values, constraints and names in a sentence
_EVENTS = ("assign", "prune", "wipeout", "backtrack", "solution")


class _Enough(Exception):
    """There are as many steps as are shown."""


def searched_steps(problem: Problem, seconds: float | None) -> tuple[str, list[Step]]:
    """What was searched, in words, and its first steps."""
    if problem.n_constraints > _MAX_CONSTRAINTS:
        return f"A problem of more than {_MAX_CONSTRAINTS:,} constraints is not searched step by step.", []
    steps: list[Step] = []

    def take(step: Step) -> None:
        steps.append(step)
        if len(steps) == _MAX_STEPS:
            raise _Enough

    try:
        result = solve(problem, engine="search", seconds=seconds, trace=take)
    except _Enough:
        return f"The first {_MAX_STEPS:,} steps of a search for one solution, which maintains arc consistency.", steps
    if result.is_interrupted:
        raise KeyboardInterrupt
    return "A search for one solution, which maintains arc consistency.", steps


def read_steps(source: Source, problem: Problem) -> Iterator[Step]:
    """The steps in a trace.

    Raises:
        F2cspError: a line is no step of a search on this problem.
    """
    values: dict[str, set[object]] = {variable.name: {*variable.domain.values} for variable in problem.variables}
    nodes = {0}
    for number, line in enumerate(source.data.splitlines(), 1):
        try:
            step = json.loads(line)
            _check(step, problem, values, nodes)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            found = shown(line[:80].decode(errors="replace"))
            raise F2cspError(
                f"{source.name}:{number}: expected a step of a search on this problem, found {found}"
            ) from None
        yield step


def _check(step: Any, problem: Problem, values: Mapping[str, set[object]], nodes: set[int]) -> None:
    """Raise an error, of whatever kind, for what is no step after those with these nodes."""
    event, node = step["event"], step["node"]
    if event not in _EVENTS or not isinstance(node, int):
        raise ValueError
    if event == "assign":
        is_sound = step["parent"] in nodes and step["value"] in values[step["variable"]]
        nodes.add(node)
    elif event == "prune":
        is_sound = node in nodes and values[step["variable"]].issuperset(step["values"])
        for label in step["constraints"]:
            problem.constraints.position(label)
    elif event == "solution":
        is_sound = node in nodes and all(value in values[name] for name, value in step["solution"].items())
    else:
        is_sound = node in nodes and step["variable"] in values
    if not is_sound:
        raise ValueError


def shown_steps(found: Structure, steps: Iterable[Step], names: Iterable[str]) -> tuple[list[dict[str, Any]], int]:
    """The first steps, each with its words, a solution for these variables only; and the number of all steps."""
    every = iter(steps)
    first = [{**step, "words": _words(found, step)} for step in islice(every, _MAX_STEPS)]
    for step in first:
        if "solution" in step:
            step["solution"] = {name: step["solution"][name] for name in names if name in step["solution"]}
    return first, len(first) + sum(1 for _ in every)


def _words(found: Structure, step: Step) -> str:
    name = step.get("variable")
    if step["event"] == "assign":
        return f"assign {name} = {step['value']}"
    if step["event"] == "prune":
        reasons = [_reason(found, label) for label in step["constraints"][:_MAX_WORDS]]
        because = "; ".join(reasons) or "the search with it failed"
        return f"{name} loses {listed(map(str, step['values']), _MAX_WORDS)}, because {because}"
    ends = {"wipeout": f"{name} has no value left", "backtrack": f"go back, as {name} has no further values"}
    return ends.get(step["event"], "a solution")


def _reason(found: Structure, label: str) -> str:
    line = found.problem.constraints[label].line
    return f"{label}{'' if line is None else f' (line {line})'} requires: {found.meaning(label)}"

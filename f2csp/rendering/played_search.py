"""Searches to be played on a page: their first steps as short records, and their counters.

A record is a list: the number of the event in ``TEXTS``, the node, the number of the variable, the node before an
assignment or else the number of the rule, and the numbers of values.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from f2csp.diagnostics import F2cspError, Source, brief
from f2csp.model import Problem
from f2csp.rendering.search_steps import TEXTS, SearchSteps
from f2csp.search import TraceStep
from f2csp.solving.questions import solve
from f2csp.solving.registry import TEXTBOOK, engine_and_options
from f2csp.solving.search_run import Result

_MAX_DECISIONS = 1_000
_MAX_STEPS = 20_000
_MAX_CONSTRAINTS = 200_000  # of a problem that is searched for a page
_EVENTS = {event: number for number, event in enumerate(TEXTS)}
SEARCHES = {
    "bt": "Backtracking without inference",
    "cbj": "Backjumping (CBJ)",
    "fc": "Forward checking (FC)",
    "fc-cbj": "Forward checking with backjumping",
    "mac": "Maintaining arc consistency (MAC)",
}
"""The searches that can be compared, each with its title."""


class Enough(Exception):
    """All the steps are found that are shown."""


class NumberOf(dict[Any, int]):
    """NumberOf for things, in the order in which they are asked for."""

    def __missing__(self, thing: Any) -> int:
        self[thing] = len(self)
        return self[thing]


@dataclass
class PlayedSearch:
    """A search, as far as it is shown."""

    name: str
    words: str  # what it is
    inference: str  # that it has: a value of the option
    steps: list[list[Any]] = field(default_factory=list)
    n_shown: int = 0  # decisions
    is_whole: bool = True  # whether all steps are shown
    n_decisions: int = 0  # in all, also those that are not shown
    result: Result | None = None  # with its counters


@dataclass
class StepRecorder:
    """Makes the records; ``variables`` and ``values`` number the words in them."""

    steps: SearchSteps
    variables: NumberOf
    values: NumberOf
    seconds: float | None

    def searched(self, name: str, engine: str) -> PlayedSearch:
        """The search by an engine for one solution; it is made once more, for its counters, where it has many steps."""
        problem = self.steps.problem
        inference = engine_and_options(engine)[1]["inference"]
        if problem.n_constraints > _MAX_CONSTRAINTS:
            words = f"A problem of more than {_MAX_CONSTRAINTS:,} constraints is not searched step by step."
            return PlayedSearch(name, words, inference)
        played = PlayedSearch(name, "", inference)

        def take(step: TraceStep) -> None:
            self._take(played, step)
            if not played.is_whole:
                raise Enough

        # Without structure, values that can be swapped are all tried, with a trace or without.
        options: dict[str, Any] = {"engine": engine, "seconds": self.seconds, "project": self.steps.own}
        options["use_structure"] = False
        try:
            played.result = solve(problem, **options, trace=take)
        except Enough:
            played.result = solve(problem, **options)
            played.n_decisions = played.result.statistics.values_tried or 0
        if played.result.is_interrupted:
            raise KeyboardInterrupt
        return played

    def read(self, trace: Source) -> PlayedSearch:
        """The steps in a trace; raises F2cspError if a line is no step of a search on this problem."""
        played = PlayedSearch("The search", f"The steps of {trace.name}.", "")
        for step in _read_steps(trace, self.steps.problem):
            self._take(played, step)
            played.n_decisions += step["event"] == "assign"
        return played

    def _take(self, played: PlayedSearch, step: TraceStep) -> None:
        shown = self.steps.record(step)
        if shown is None or not played.is_whole:
            return
        event = shown["event"]
        is_decision = event == "assign"
        if len(played.steps) == _MAX_STEPS or (is_decision and played.n_shown == _MAX_DECISIONS):
            played.is_whole = False
            return
        played.n_shown += is_decision
        variable = self.variables[shown["variable"]] if "variable" in shown else -1
        link = shown["parent"] if is_decision else shown.get("rule", -1)
        values: Iterable[object] = shown.get("values", [shown["value"]] if is_decision else ())
        if event == "solution":
            values = [shown["solution"][name] for name in self.steps.own]
        played.steps.append([_EVENTS[event], shown["node"], variable, link, [self.values[str(one)] for one in values]])


def search_named(name: str) -> str:
    """The name in ``SEARCHES`` of a search, which may be that of its inference; raises F2cspError if there is none."""
    known = {"none": "bt"}.get(name, name)
    if known not in SEARCHES:
        raise F2cspError(f"expected none, {', '.join(SEARCHES)}, found {name!r}")
    return known


def compared(recorder: StepRecorder, names: Iterable[str]) -> list[PlayedSearch]:
    return [recorder.searched(SEARCHES[name], TEXTBOOK[name]) for name in map(search_named, names)]


def _read_steps(source: Source, problem: Problem) -> Iterator[TraceStep]:
    values: dict[str, set[object]] = {variable.name: {*variable.domain.values} for variable in problem.variables}
    nodes = {0}
    for number, line in enumerate(source.data.splitlines(), 1):
        try:
            step = json.loads(line)
            _check(step, problem, values, nodes)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            message = f"expected a step of a search on this problem, found {brief(line[:80].decode(errors='replace'))}"
            raise F2cspError(f"{source.name}:{number}: {message}") from None
        yield step


def _check(step: Any, problem: Problem, values: Mapping[str, set[object]], nodes: set[int]) -> None:
    """Raise an error of some kind if this is no step after those with these nodes."""
    event, node = step["event"], step["node"]
    if event == "assign":
        is_sound = step["parent"] in nodes and step["value"] in values[step["variable"]]
        nodes.add(node)
    elif event == "prune":
        is_sound = values[step["variable"]].issuperset(step["values"])
        for label in step["constraints"]:
            problem.constraints.position(label)
    elif event == "solution":
        is_sound = all(step["solution"][name] in some for name, some in values.items())
    else:
        is_sound = event in ("wipeout", "backtrack") and step["variable"] in values
    if not (is_sound and isinstance(node, int) and node in nodes):
        raise ValueError

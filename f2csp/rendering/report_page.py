"""A report: one page of HTML that shows and explains a problem, without anything from elsewhere.

The templates are beside this module. Everything on the page has a limit, so that a report of a large problem is a page,
too. The steps of a search to play are those of a trace (see docs/json.md), or of a search now, each in words.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from f2csp.diagnostics import F2cspError, MissingExtra, Source, brief, listed
from f2csp.diagnostics.render import visible
from f2csp.instances import Instance
from f2csp.model import Problem, Value
from f2csp.model.words import is_auxiliary
from f2csp.puzzles.puzzle import cell_of
from f2csp.rendering.graph_picture import graph_picture
from f2csp.rendering.pictures import Picture
from f2csp.rendering.stats_picture import relation_picture, stats_picture
from f2csp.rendering.svg_board import board_picture, cells_picture
from f2csp.search import TraceStep
from f2csp.solving.explanation import describe_group, explain
from f2csp.solving.questions import Uniqueness, solve, unique
from f2csp.statistics import stats, structure_stats
from f2csp.structure import ConstraintKind, Recognised, Structure, groups_by_relation, sentence, structure
from f2csp.structure.constraint_groups import RelationGroup

_MAX_LISTED = 20  # warnings, groups, constraints
_MAX_RELATIONS = 24
_MAX_TUPLES = 6  # of a wide table
_MAX_VARIABLES = 200  # in a table
_MAX_VALUES = 100_000  # of all domains, to be shown at each step
_MAX_NAMES = 12  # of variables in a group
_MAX_STEPS = 2_000
_MAX_CONSTRAINTS = 200_000  # of a problem that is searched for the page
_MAX_WORDS = 8  # values, constraints and names in a sentence
_ENDS = {"wipeout": "{} has no value left", "backtrack": "go back, as {} has no further values"}
_TEMPLATES = Path(__file__).parent / "templates"
_VERDICTS = {
    Uniqueness.UNIQUE: "There is exactly one solution.",
    Uniqueness.MULTIPLE: "There are several solutions.",
    Uniqueness.NONE: "There is no solution.",
}
_IN_STATISTICS = {ConstraintKind.DIFFERENT, ConstraintKind.ALWAYS_TRUE, ConstraintKind.FUNCTIONAL, ConstraintKind.OTHER}


class Shown(NamedTuple):
    """The first of some things, and their number."""

    shown: Sequence[Any]
    total: int


def _first(things: Sequence[Any], most: int = _MAX_LISTED) -> Shown:
    return Shown(things[:most], len(things))


def require_jinja() -> None:
    """Raise MissingExtra if jinja2 is not installed."""
    try:
        import jinja2  # noqa: F401 - whether it is there
    except ModuleNotFoundError:
        raise MissingExtra("writing a report", "report") from None


def report_page(instance: Instance, trace: Source | None = None, seconds: float | None = None) -> str:
    """The page as HTML, with the steps of a trace, or of a search now; ``seconds`` is the time limit of each search.

    Raises:
        MissingExtra: jinja2 is not installed.
        F2cspError: the trace is not one of this problem.
    """
    require_jinja()
    from jinja2 import Environment, FileSystemLoader
    from markupsafe import Markup

    templates = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    files = {kind: (_TEMPLATES / f"report.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")}
    hashes = {kind: f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for kind, text in files.items()}

    def finalize(value: object) -> object:
        if isinstance(value, Picture):
            return Markup(value.svg())  # noqa: S704 - a picture escapes its texts
        return visible(value) if type(value) is str else value

    templates.finalize = finalize
    embedded = {kind: Markup(text) for kind, text in files.items()}  # noqa: S704 - files of this package
    content = _Report(instance, seconds).content(trace)
    return templates.get_template("report.html").render(**content, **embedded, hashes=hashes)


class _Report:
    def __init__(self, instance: Instance, seconds: float | None) -> None:
        self._instance = instance
        self._problem: Problem = instance.problem
        self._seconds = seconds
        self._structure: Structure = structure(self._problem)
        self._puzzle = instance.recognised
        names = self._problem.variable_names
        if self._puzzle is not None:
            names = tuple([cell.variable for cell in self._puzzle.cells])
        self._names = tuple(name for name in names if not is_auxiliary(name))

    def content(self, trace: Source | None) -> dict[str, object]:
        problem, puzzle = self._problem, self._puzzle
        numbers = stats(problem)
        own = self._names if len(self._names) < problem.n_variables else None
        verdict = unique(problem, seconds=self._seconds, project=own)
        limit = "the time limit was reached"
        unknown = f"There may be further solutions: {limit}." if verdict.solutions else f"Not solved: {limit}."
        warnings = self._instance.diagnostics
        has_graph = numbers.degrees or not numbers.variables
        groups = sorted(groups_by_relation(problem), key=lambda group: -len(group.constraints))
        return {
            "title": problem.title or Path(self._instance.file).name.strip("-") or "A problem without a title",
            "file": self._instance.name,
            "board": board_picture(puzzle) if puzzle else None,
            "verdict": _VERDICTS.get(verdict.uniqueness, unknown),
            "solved": self._solved(verdict.solutions[0]) if verdict.solutions else None,
            "explanation": self._explanation() if verdict.uniqueness == Uniqueness.NONE else None,
            "warnings": Shown(warnings[:_MAX_LISTED], len(warnings) + self._instance.n_hidden),
            "statistics": {label: value for label, value in numbers.labelled().items() if value != ""},
            "histograms": stats_picture(problem),
            "relations": Shown([self._relation(group) for group in groups[:_MAX_RELATIONS]], len(groups)),
            "structure": structure_stats(problem).labelled(),
            **self._recognised(),
            "graph": graph_picture(problem) if has_graph else None,
            **self._search(trace),
        }

    def _solved(self, solution: Mapping[str, Value]) -> dict[str, object]:
        if self._puzzle is not None:
            return {"picture": board_picture(self._puzzle, self._puzzle.grid_of(solution)), "values": None}
        values = [(name, solution[name]) for name in self._names]
        picture = graph_picture(self._problem, solution) if len(values) <= _MAX_VARIABLES else None
        return {"picture": picture, "values": _first(values, _MAX_VARIABLES)}

    def _explanation(self) -> dict[str, object]:
        problem, puzzle = self._problem, self._puzzle
        is_other = is_auxiliary if puzzle is None else lambda name: cell_of(name) is None
        found = explain(problem, seconds=self._seconds, auxiliary=list(filter(is_other, problem.variable_names)))
        if not found:
            return {"heading": "Not explained: the time limit was reached."}
        names = {name for index in found.constraints for name in problem.constraints[index].scope}
        cells = {cell for name in names if (cell := cell_of(name))}
        return {
            "heading": "These contradict each other:",
            "parts": _first([describe_group(problem, group, puzzle) for group in found.groups]),
            "picture": board_picture(puzzle, marked=cells) if puzzle else None,
            "constraints": _first(list(map(self._constraint, found.constraints))),
        }

    def _constraint(self, index: int) -> str:
        one = self._problem.constraints[index]
        where = "" if one.line is None else f" (line {one.line})"
        return f"{one.label}{where} on {listed(one.scope, _MAX_NAMES)}"

    def _relation(self, group: RelationGroup) -> dict[str, object]:
        problem, relation, n = self._problem, group.relation, len(group.constraints)
        found = self._structure.classification[int(group.constraints[0])]
        meaning = _meaning(found, relation.arity)
        n_all = prod(problem.domain_sizes[list(group.domains)].tolist())
        n_allowed = relation.n_tuples if relation.kind == "Accept" else n_all - relation.n_tuples
        rows = [" ".join([problem.words[i] for i in row]) for row in relation.tuples[: _MAX_TUPLES + 1].tolist()]
        first = self._constraint(int(group.constraints[0]))
        return {
            "meaning": meaning,
            "picture": relation_picture(problem, group, f"The table of {meaning}"),
            "tuples": f"{relation.kind}:\n{listed(rows, _MAX_TUPLES, chr(10))}",
            "words": f"{n_allowed:,} of {n_all:,} tuples; "
            + (f"constraint {first}" if n == 1 else f"{n:,} constraints, the first {first}"),
        }

    def _recognised(self) -> dict[str, Shown]:
        """The groups that all differ, and the constraints that are neither that nor tables, in words."""
        problem, found = self._problem, self._structure
        groups = [self._group(names) for names in found.all_different[:_MAX_LISTED]]
        kinds = [kind for kind in ConstraintKind if kind not in _IN_STATISTICS]
        others = np.flatnonzero(found.classification.are(*kinds)).tolist()
        words = [f"{found.meaning(problem.label(one))}: {self._constraint(one)}" for one in others[:_MAX_LISTED]]
        return {"groups": Shown(groups, len(found.all_different)), "others": Shown(words, len(others))}

    def _group(self, names: Sequence[str]) -> str:
        cells = sorted(cell for name in names if (cell := cell_of(name)))
        words = self._puzzle.describe(cells, are_different=True) if self._puzzle and len(cells) == len(names) else None
        return words or listed(names, _MAX_NAMES)

    def _search(self, trace: Source | None) -> dict[str, object]:
        problem = self._problem
        steps: Iterable[Mapping[str, Any]] = ()
        if problem.domain_sizes.sum() > _MAX_VALUES:
            words = f"Domains of more than {_MAX_VALUES:,} values are not shown step by step."
        elif trace is None:
            words, steps = _searched(problem, self._seconds)
        else:
            words, steps = f"The steps of {trace.name}.", _read_steps(trace, problem)
        variables = _first(self._names, _MAX_VARIABLES)
        names = self._names if self._puzzle else variables.shown
        every = iter(steps)
        first = [{**step, "words": _words(self._structure, step)} for step in islice(every, _MAX_STEPS)]
        for step in first:
            if "solution" in step:
                step["solution"] = {name: step["solution"][name] for name in names if name in step["solution"]}
        named = {*names, *[step["variable"] for step in first if "variable" in step]}
        domain_of = zip(problem.variable_names, problem.variable_domains.tolist(), strict=True)
        start = {
            "domains": [domain.values for domain in problem.domains],
            "variables": {name: domain for name, domain in domain_of if name in named},
            "steps": first,
        }
        return {
            "search": words,
            "steps": Shown(first, len(first) + sum(1 for _ in every)),
            "cells": cells_picture(self._puzzle) if self._puzzle else None,
            "variables": variables,
            "start": start,
        }


def _meaning(found: Recognised, arity: int) -> str:
    """What a table says of variables without names."""
    names = ["x", "y"][:arity] if arity < 3 else [f"x{i}" for i in range(1, arity + 1)]
    if found.kind == ConstraintKind.FUNCTIONAL and found.position is not None:
        return f"{names[found.position]} follows from the others"
    if found.kind == ConstraintKind.DIFFERENT:
        return "x and y differ"
    kind = "table" if found.kind == ConstraintKind.OTHER else found.kind
    return sentence(found.kind, names, found.value, f"{kind} on {{names}}")


class _Enough(Exception):
    """All the steps are found that are shown."""


def _searched(problem: Problem, seconds: float | None) -> tuple[str, list[TraceStep]]:
    """What was searched, in words, and its first steps."""
    if problem.n_constraints > _MAX_CONSTRAINTS:
        return f"A problem of more than {_MAX_CONSTRAINTS:,} constraints is not searched step by step.", []
    steps: list[TraceStep] = []

    def take(step: TraceStep) -> None:
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


def _read_steps(source: Source, problem: Problem) -> Iterator[TraceStep]:
    """The steps in a trace; raises F2cspError if a line is no step of a search on this problem."""
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
        is_sound = all(value in values[name] for name, value in step["solution"].items())
    else:
        is_sound = event in _ENDS and step["variable"] in values
    if not (is_sound and isinstance(node, int) and node in nodes):
        raise ValueError


def _words(found: Structure, step: TraceStep) -> str:
    name = step.get("variable")
    if step["event"] == "assign":
        return f"assign {name} = {step['value']}"
    if step["event"] == "prune":
        reasons = []
        for label in step["constraints"][:_MAX_WORDS]:
            line = found.problem.constraints[label].line
            reasons.append(f"{label}{'' if line is None else f' (line {line})'} requires: {found.meaning(label)}")
        because = "; ".join(reasons) or "the search with it failed"
        return f"{name} loses {listed(map(str, step['values']), _MAX_WORDS)}, because {because}"
    return _ENDS.get(step["event"], "a solution").format(name)

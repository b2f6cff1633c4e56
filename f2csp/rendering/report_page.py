"""A report: one page of HTML that shows and explains a problem, without anything from elsewhere.

The templates are beside this module. Everything on the page has a limit, so that a report of a large problem is a page,
too. The way of people is that of ``hints``; the steps of a search to play are those of a trace (see docs/json.md), or
of searches now. What follows from a guess is found by the page itself, from the groups and tables of its data.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from math import prod
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from f2csp.diagnostics import Source, Unsuitable, counted, listed, optional_package
from f2csp.diagnostics.render import visible
from f2csp.instances import Instance
from f2csp.model import Problem, Value
from f2csp.model.views import constraint_graph_edges
from f2csp.puzzles.puzzle import cell_of
from f2csp.reasoning.hints import GRADES, Hint
from f2csp.rendering.graph_picture import graph_picture, is_drawn_as_matrix
from f2csp.rendering.pictures import Picture
from f2csp.rendering.played_search import NumberOf, PlayedSearch, StepRecorder, compared
from f2csp.rendering.search_steps import TEXTS, SearchSteps
from f2csp.rendering.stats_picture import relation_picture, stats_in_words_and_pictures
from f2csp.rendering.svg_board import board_picture, cells_picture
from f2csp.solving.explanation import describe_group, explain
from f2csp.solving.questions import Uniqueness, unique
from f2csp.solving.ratings import hints
from f2csp.statistics import stats, structure_stats
from f2csp.structure import (
    ConstraintKind,
    Recognised,
    Structure,
    groups_by_relation,
    recover,
    sentence,
    structure,
    supports,
)
from f2csp.structure.constraint_groups import RelationGroup
from f2csp.symmetry import ProblemGraph, can_find_automorphisms, symmetry

_MAX_LISTED = 20  # warnings, groups, constraints
_MAX_RELATIONS = 24
_MAX_TUPLES = 6  # of a wide table
_MAX_VARIABLES = 200  # in a table
_MAX_VALUES = 100_000  # of all domains, to be shown at each step
_MAX_NAMES = 12  # of variables in a group
_MAX_MODEL = 30_000  # numbers in the tables and scopes that a page has to see what follows from a guess
_MAX_PAIRS, _MAX_VERTICES = 1_500_000, 600  # of values in tables, and of a graph, for the words of symmetries
_SECONDS = 2.0  # for the steps of people
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
    optional_package("jinja2", "writing a report", "report")


def report_page(
    instance: Instance, trace: Source | None = None, seconds: float | None = None, compare: Sequence[str] = ()
) -> str:
    """The page as HTML.

    Args:
        instance: the problem.
        trace: the steps of a search; None for a search now.
        seconds: the time limit of each search.
        compare: the searches to show side by side in place of one, by their names in textbooks.

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
    content = _Report(instance, seconds).content(trace, compare)
    return templates.get_template("report.html").render(**content, **embedded, hashes=hashes)


class _Report:
    def __init__(self, instance: Instance, seconds: float | None) -> None:
        self._instance = instance
        self._problem: Problem = instance.problem
        self._seconds = seconds
        self._structure: Structure = structure(self._problem)
        self._puzzle = instance.recognised
        self._steps = SearchSteps(instance)
        self._names = self._steps.own
        self._variables, self._values = NumberOf(), NumberOf()
        for name in (*self._names, *self._problem.variable_names):
            self._variables[name]

    def content(self, trace: Source | None, compare: Sequence[str]) -> dict[str, object]:
        problem, puzzle = self._problem, self._puzzle
        numbers = stats(problem)
        verdict = unique(problem, seconds=self._seconds, project=self._names)
        limit = "the time limit was reached"
        unknown = f"There may be further solutions: {limit}." if verdict.solutions else f"Not solved: {limit}."
        warnings = self._instance.diagnostics
        has_graph = not puzzle and (numbers.degrees or not numbers.variables)
        tour, steps = self._tour(verdict.uniqueness)
        hardest = max(filter(None, steps), key=lambda step: step.difficulty, default=None)
        sentences, histograms = stats_in_words_and_pictures(problem)
        explanation: dict[str, Any] = self._explanation() if verdict.uniqueness == Uniqueness.NONE else {}
        groups = sorted(groups_by_relation(problem), key=lambda group: -len(group.constraints))
        return {
            "title": problem.title or Path(self._instance.file).name.strip("-") or "A problem without a title",
            "file": self._instance.name,
            "board": cells_picture(puzzle, explanation.get("cells", ())) if puzzle else None,
            "verdict": _VERDICTS.get(verdict.uniqueness, unknown),
            "solved": self._solved(verdict.solutions[0]) if verdict.solutions else None,
            "explanation": explanation,
            "puzzle": puzzle,
            "n_cells": len(self._names),
            "n_constraints": problem.n_constraints,
            "symmetries": self._symmetries(),
            "n_auxiliary": problem.n_variables - len(self._names),
            "hardest": hardest,
            "grade": next(grade for grade, limit in GRADES.items() if not hardest or hardest.difficulty <= limit),
            "tour": tour,
            "tour_is_whole": bool(steps) and not steps[-1] and steps[-1].has_solution and not steps[-1].left,
            "clue": steps[0].clue if steps and steps[0] else None,
            "warnings": Shown(warnings[:_MAX_LISTED], len(warnings) + self._instance.n_hidden),
            "statistics": {label: value for label, value in numbers.labelled().items() if value != ""},
            "sentences": sentences,
            "histograms": histograms,
            "relations": Shown([self._relation(group) for group in groups[:_MAX_RELATIONS]], len(groups)),
            "structure": structure_stats(problem).labelled(),
            **self._recognised(),
            "graph": graph_picture(problem) if has_graph else None,
            "is_matrix": has_graph and is_drawn_as_matrix(problem, len(constraint_graph_edges(problem))),
            "variables": _first(self._names, _MAX_VARIABLES),
            **self._search(trace, compare, steps),
        }

    def _solved(self, solution: Mapping[str, Value]) -> dict[str, object]:
        if self._puzzle is not None:
            return {"picture": board_picture(self._puzzle, self._puzzle.grid_of(solution)), "values": None}
        values = [(name, solution[name]) for name in self._names]
        picture = graph_picture(self._problem, solution) if len(values) <= _MAX_VARIABLES else None
        return {"picture": picture, "values": _first(values, _MAX_VARIABLES)}

    def _symmetries(self) -> str:
        """What can change places, in words; empty without nauty, and where it could take more than a moment."""
        problem = self._problem
        n_pairs = problem.n_constraints * int(problem.domain_sizes.max(initial=0)) ** 2
        with suppress(Unsuitable):
            if can_find_automorphisms() and n_pairs < _MAX_PAIRS and ProblemGraph(problem).graph.n < _MAX_VERTICES:
                return f"Symmetry: {'; '.join(symmetry(problem).sentences)}."
        return ""

    def _explanation(self) -> dict[str, object]:
        problem, puzzle = self._problem, self._puzzle
        found = explain(problem, seconds=self._seconds, auxiliary=self._instance.auxiliary)
        if not found:
            return {"heading": "Not explained: the time limit was reached."}
        names = {name for index in found.constraints for name in problem.constraints[index].scope}
        cells = {cell for name in names if (cell := cell_of(name))}
        return {
            "heading": "These contradict each other:",
            "parts": _first([describe_group(problem, group, puzzle) for group in found.groups]),
            "cells": cells,
            "constraints": None if puzzle else _first(list(map(self._constraint, found.constraints))),
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
            "tuples": [f"{relation.kind}:", *rows[:_MAX_TUPLES], *["..."][: len(rows) > _MAX_TUPLES]],
            "words": f"{n_allowed:,} of {counted(n_all, 'tuple')}; "
            + (f"constraint {first}" if n == 1 else f"{counted(n, 'constraint')}, the first {first}"),
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

    def _tour(self, verdict: Uniqueness) -> tuple[Shown, list[Hint]]:
        """The steps of people, in words, and themselves; the last one is why there are no more."""
        found: list[Hint] = []
        end = process_time() + _SECONDS
        reason = ""
        try:
            for step in hints(self._puzzle or self._problem, unique=verdict == Uniqueness.UNIQUE, verdict=verdict):
                found.append(step)
                if process_time() > end:
                    reason = "no further steps were looked for: the time limit was reached"
                    break
        except Unsuitable as error:
            reason = str(error)
        words = [f"{step.sentence} ({step.technique})" if step else step.sentence for step in found]
        if reason:
            words[-1:] = [reason]  # in place of a step, if there is one, after which the state is not known
        return Shown(words, len(words)), found

    def _search(self, trace: Source | None, compare: Sequence[str], steps: Sequence[Hint]) -> dict[str, object]:
        """What is searched, and the data of the page."""
        recorder = StepRecorder(self._steps, self._variables, self._values, self._seconds)
        if self._problem.domain_sizes.sum() > _MAX_VALUES:
            words = f"Domains of more than {_MAX_VALUES:,} values are not shown step by step."
            return {"search": words, "searches": [], "n_steps": 0, "data": {}}
        if trace is not None:
            searches = [recorder.read(trace)]
        elif compare:
            searches = compared(recorder, compare)
            searches[0].words = "Searches side by side, with the variables in the order of their names, all counted."
        else:
            searches = [recorder.searched("Maintaining arc consistency", "search")]
            order = "takes the most constrained variable first and maintains arc consistency"
            searches[0].words = searches[0].words or f"A search for one solution, which {order}."
        return {
            "search": searches[0].words,
            "searches": searches,
            "seconds": self._seconds,
            "n_steps": max(len(one.steps) for one in searches),
            "data": self._data(searches, steps),
        }

    def _data(self, searches: Sequence[PlayedSearch], steps: Sequence[Hint]) -> dict[str, object]:
        """What the scripts of the page read: numbers stand for variables, values, domains and rules."""
        model = self._model()
        n_variables = len(self._names) if model is None else len(self._variables)
        names = [*self._variables][:n_variables]
        domains = NumberOf()
        start = {name: self._numbered(values) for name, values in self._steps.start.items()}
        tour = [self._frame(before, step) for before, step in zip((None, *steps), steps, strict=False)]
        return {
            "variables": names,
            "names": [self._steps.name(name) for name in names],
            "own": len(self._names),
            "domain_of": [domains[tuple(start[name])] for name in names],
            "domains": [*domains],
            "tour": tour,
            "searches": [one.steps for one in searches],
            "model": model,
            "rules": [*self._steps.rules],
            "texts": [*TEXTS.items()],
            "values": [*self._values],
        }

    def _numbered(self, values: Sequence[object]) -> list[int]:
        return [self._values[str(value)] for value in values]

    def _frame(self, before: Hint | None, step: Hint) -> dict[str, object]:
        """What the variables have left before a step, where it differs from before the last one."""
        earlier = {} if before is None else _left(before)
        changed = {name: values for name, values in _left(step).items() if earlier.get(name) != values}
        shown = before.pattern if before else ()
        left = [[self._variables[name], self._numbered(values)] for name, values in changed.items()]
        return {"left": left, "marks": [self._variables[name] for name in shown]}

    def _model(self) -> dict[str, object] | None:
        """The groups and tables from which the page sees what follows from a guess; None if they are too large."""
        problem, model = self._problem, recover(self._problem)
        number = [self._variables[name] for name in problem.variable_names]
        groups = [group for group in self._steps.groups if group.kind == ConstraintKind.DIFFERENT]
        different = [[self._steps.rule(group.constraints[0]), [number[v] for v in group.variables]] for group in groups]
        skipped = model.classification.are(ConstraintKind.DIFFERENT, ConstraintKind.ALWAYS_TRUE)
        tables: list[dict[str, object]] = []
        size = 0
        for group in groups_by_relation(problem, np.flatnonzero(~skipped)):
            allowed = supports(group.relation, [problem.domain_values[domain] for domain in group.domains])
            size += group.scopes.size + (_MAX_MODEL if allowed is None else allowed.size)
            if allowed is None or size > _MAX_MODEL:
                return None
            words = [self._numbered([problem.words[word] for word in row]) for row in allowed.tolist()]
            rules = [self._steps.rule(constraint) for constraint in group.constraints.tolist()]
            scopes = [[number[v] for v in scope] for scope in group.scopes.tolist()]
            tables.append({"allowed": words, "on": [*map(list, zip(rules, scopes, strict=True))]})
        return {"different": different, "tables": tables}


def _left(step: Hint) -> dict[str, tuple[Value, ...]]:
    return {**{name: (value,) for name, value in step.values.items()}, **step.left}


def _meaning(found: Recognised, arity: int) -> str:
    """What a table says of variables without names."""
    names = ["x", "y"][:arity] if arity < 3 else [f"x{i}" for i in range(1, arity + 1)]
    if found.kind == ConstraintKind.FUNCTIONAL and found.position is not None:
        return f"{names[found.position]} follows from the others"
    if found.kind == ConstraintKind.DIFFERENT:
        return "x and y differ"
    kind = "table" if found.kind == ConstraintKind.OTHER else found.kind
    return sentence(found.kind, names, found.value, f"{kind} on {{names}}")

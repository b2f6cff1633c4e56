"""What a worker does: a record for each item of its portions, with the answer, or with what is wrong.

The problems of a batch are often alike but for their given values, such as Sudokus. One model serves many problems of
nothing but given values and variables that differ: the groups of such variables are kept for the next problem.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from threading import Lock
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from f2csp.arrays import Bools
from f2csp.batch.portions import BatchTask, Portion, reason_of
from f2csp.diagnostics import F2cspError, InvalidInput, is_out_of_memory
from f2csp.diagnostics.render import as_record
from f2csp.file_formats import AUTO, F2CSP, ending_of
from f2csp.instances import Instance, chunks, instances
from f2csp.json_text import json_line
from f2csp.model import Problem
from f2csp.model.words import is_auxiliary
from f2csp.puzzles.equivalence import class_of
from f2csp.search import ArcConsistency, Counters, Network, Stopped, completions, network_of_groups
from f2csp.solutions import own_values
from f2csp.solving import Limits, Result, Status
from f2csp.solving.counts import Count, count
from f2csp.solving.questions import projection, solve, verdict_of
from f2csp.solving.ratings import rate
from f2csp.solving.search_run import SearchRun, Statistics
from f2csp.statistics import stats
from f2csp.structure import raw_model, recover
from f2csp.symmetry import SymmetryGroup, require_nauty
from f2csp.text.writer import chunks as chunks_of_f2csp

DEDUPE = "dedupe"
IN_FILES = (DEDUPE, "rate")  # commands that write the puzzles themselves, too, one file of all

_N_DIGITS = 9  # of the number of an item in a name
_QUICK = "cells"  # in the place of an engine's name
_SAME_EACH_TIME = "auto:deterministic=yes"
_MAX_VARIABLES = 256
_MAX_TRIED = 300  # values at choice points, of which a puzzle for people needs a few
_MAX_KEPT = 16  # models

_one_at_a_time = Lock()  # workers of a cluster may be threads
_kept: dict[tuple[object, ...], Network | None] = {}


@dataclass(frozen=True, slots=True)
class Settings:
    """What is done with each item: a command with its options, as on the command line."""

    command: str
    form: str = AUTO  # of the inputs
    options: Mapping[str, Any] = field(default_factory=dict)  # of puzzles
    to: str | None = None  # the format of the texts that are written; None where there are none
    structure: bool = False
    encoding: str = "support"
    engine: str | None = None  # None for the quick search, and the default engine where that does not apply
    time_limit: float | None = None  # of one problem
    workers: int = 1  # threads of an engine
    seed: int = 0
    project: str | None = None
    is_strict: bool = False
    has_text: bool = True  # whether the records have the texts that ``convert`` writes
    group: str = SymmetryGroup.ALL  # of the symmetries by which ``dedupe`` compares
    is_sorted: bool = False  # whether what ``rate`` writes is in the order of the ratings

    def __post_init__(self) -> None:
        """Raises MissingExtra if nauty is needed, and not installed."""
        if self.command == DEDUPE:
            require_nauty()

    def limits(self, instance: Instance, solutions: int | None) -> Limits:
        """The limits of a search for this number of solutions; None for all."""
        names = projection(instance, self.project, solutions)
        return Limits(self.time_limit, solutions, self.workers, self.seed, names)


class Item(NamedTuple):
    """The result for an item."""

    record: bytes  # a line of JSON
    verdict: str  # a word or two, for the totals
    code: int = 0  # exit code
    name: str = ""  # of the file with the text
    text: bytes = b""  # that convert writes


_Answer = tuple[dict[str, object], str, int]
"""The keys of the record, the verdict, and the exit code."""


def work_on(task: BatchTask, settings: Settings) -> list[Item]:
    return [item for portion in task for item in _items(portion, settings)]


def lost(portion: Portion, settings: Settings) -> Item:
    """The item for a portion with which a worker ended."""
    return _failure(portion, portion.first_index, settings, F2cspError("the worker ended: perhaps memory was short"))


def _items(portion: Portion, settings: Settings) -> list[Item]:
    try:
        more: dict[str, Any] = {
            "indices": portion.indices,
            "options": settings.options,
            "is_strict": settings.is_strict,
        }
        found = instances(portion.source(), portion.form, **more)
        return [_item(instance, portion, settings) for instance in found]
    except (OSError, F2cspError) as error:
        lines = [line for line in portion.split() if line.data != portion.data]
        items = [item for line in lines for item in _items(line, settings)]
        if not any(item.code == 1 for item in items):  # it is a fault of a remark
            items.append(_failure(portion, portion.first_index + max(0, len(items) - 1), settings, error))
        return items


def _item(instance: Instance, portion: Portion, settings: Settings) -> Item:
    index = portion.first_index + instance.index - 1
    instance = instance.projected(settings.project)
    if index == 1:
        instance = replace(instance, diagnostics=(*portion.warnings, *instance.diagnostics))
    try:
        left_out = {"left_out": len(instance.holes)} if instance.holes and settings.to != "xcsp3" else {}
        if settings.command == "convert":
            return _converted(instance, portion, index, settings, left_out)
        keys, verdict, code = _ANSWERS[settings.command](instance, settings)
        keys |= left_out
        if settings.to is not None:
            keys |= {"text": _text(instance, settings).decode().removesuffix("\n")}
            keys |= {"kind": instance.recognised.KIND} if instance.recognised else {}
    except Exception as error:  # also one of the program itself: the other items are worth having
        return _failure(portion, index, settings, error)
    return Item(_line(settings, portion, index, **keys), verdict, code)


def _failure(portion: Portion, index: int, settings: Settings, error: Exception) -> Item:
    found = error.diagnostics if isinstance(error, InvalidInput) else ()
    message = reason_of(error)
    if is_out_of_memory(error):
        message = "not enough memory"
    elif not isinstance(error, (F2cspError, OSError)):
        message = f"internal error: {type(error).__name__}: {error}"
    verdict = {"valid": False} if settings.command == "validate" else {}
    line = _line(settings, portion, index, **verdict, error=message, diagnostics=list(map(as_record, found)))
    return Item(line, "with errors" if found else "failed", 1)


def _line(settings: Settings, portion: Portion, index: int, **keys: object) -> bytes:
    return json_line({"command": settings.command, "file": portion.file, "index": index, **keys})


def _text(instance: Instance, settings: Settings) -> bytes:
    """A problem in the format that is written."""
    if settings.to is None or settings.to == F2CSP:
        pieces: Iterable[bytes] = chunks_of_f2csp(instance.problem)  # the rules of a puzzle are kept for the next one
    else:
        pieces = chunks([instance], settings.to, structure=settings.structure, encoding=settings.encoding)
    return b"".join(pieces)


def _converted(
    instance: Instance, portion: Portion, index: int, settings: Settings, left_out: Mapping[str, object]
) -> Item:
    text = _text(instance, settings)
    number = f"-{index:0{_N_DIGITS}}" if portion.is_numbered or instance.n_instances > 1 else ""
    name = f"{portion.inner}{number}{ending_of(settings.to or F2CSP)}"
    if settings.has_text:
        return Item(_line(settings, portion, index, output=name, text=text.decode(), **left_out), "converted")
    return Item(_line(settings, portion, index, output=name, **left_out), "converted", 0, name, text)


def _validate(instance: Instance, _: Settings) -> _Answer:
    instance.require()
    return {"valid": True, "diagnostics": list(map(as_record, instance.diagnostics))}, "valid", 0


def _stats(instance: Instance, _: Settings) -> _Answer:
    return asdict(stats(instance.problem)), "counted", 0


def _solve(instance: Instance, settings: Settings) -> _Answer:
    result, _ = _search(instance, settings, 1)
    solutions = list(map(own_values, result.solutions))
    keys = {"status": result.status, "solutions": solutions, "complete": result.is_complete, "engine": result.engine}
    return keys, result.status, 4 if result.status == "unknown" else 0


def _unique(instance: Instance, settings: Settings) -> _Answer:
    verdict = verdict_of(*_search(instance, settings, 2))
    solutions = list(map(own_values, verdict.solutions))
    keys: dict[str, object] = {"verdict": verdict.uniqueness, "solutions": solutions, "differing": verdict.differing}
    return keys, verdict.uniqueness, {"unique": 0, "unknown": 4}.get(verdict.uniqueness, 3)


def _search(instance: Instance, settings: Settings, n_wanted: int) -> tuple[Result, Sequence[str]]:
    """The result of a search, and the variables whose values make two solutions different."""
    if (quick := _quick_result(instance, settings, n_wanted)) is not None:
        return quick, instance.problem.variable_names
    limits = settings.limits(instance, n_wanted)
    result = solve(instance.problem, engine=settings.engine or _SAME_EACH_TIME, limits=limits)
    return result, limits.project_onto or instance.problem.variable_names


def _count(instance: Instance, settings: Settings) -> _Answer:
    if (quick := _quick_result(instance, settings, None)) is not None:
        found = Count(quick)
    else:
        found = count(instance.problem, engine=settings.engine, limits=settings.limits(instance, None))
    keys = {"count": int(found), "exact": found.is_complete, "method": found.method, "states": found.n_states}
    return keys, "counted" if found.is_complete else "stopped by a limit", 0 if found.is_complete else 4


def _rate(instance: Instance, settings: Settings) -> _Answer:
    found = rate(instance.recognised or instance.problem, seconds=settings.time_limit)
    return asdict(found), found.grade, 0 if found else 4 if found.grade == "unknown" else 3


def _class(instance: Instance, settings: Settings) -> _Answer:
    found = class_of(instance.recognised or instance.problem, SymmetryGroup(settings.group))
    return {"class": found.hex()}, "distinct", 0


def _quick_result(instance: Instance, settings: Settings, n_wanted: int | None) -> Result | None:
    """The result of the search that is kept; None if the problem is of another kind, or takes long."""
    problem = instance.problem
    if settings.engine is not None or settings.project is not None:
        return None
    if not 0 < problem.n_variables <= _MAX_VARIABLES:
        return None
    arities = np.diff(problem.scope_offsets)
    with _one_at_a_time:
        network = _kept_network(problem, arities == 1) if arities.max(initial=0) <= 2 else None
    if network is None:
        return None
    run = SearchRun(raw_model(problem), Limits(solutions=n_wanted), keep_solutions=n_wanted is not None)
    start = perf_counter()
    try:
        is_complete = _run_search(network, _domains(problem, arities == 1), run)
    except Stopped:
        return None
    seconds = perf_counter() - start
    status = Status.SATISFIABLE if run.n_found else Status.UNSATISFIABLE
    statistics, times = Statistics(solve_time=seconds), {"search": seconds}
    return Result(status, run.n_found, tuple(run.solutions), is_complete, _QUICK, statistics, times, problem=problem)


_ANSWERS: dict[str, Callable[[Instance, Settings], _Answer]] = {
    "validate": _validate,
    "stats": _stats,
    "solve": _solve,
    "unique": _unique,
    "count": _count,
    "rate": _rate,
    DEDUPE: _class,
}

ACTIONS = ("convert", *_ANSWERS)


def _kept_network(problem: Problem, is_unary: Bools) -> Network | None:
    """The network of a problem, perhaps that of an earlier one; None if the problem has other rules."""
    relations, places = np.unique(problem.constraint_relations[~is_unary], return_inverse=True)
    key = (
        len(problem.words),
        problem.variable_names,
        problem.variable_domains.tobytes(),
        *(values.tobytes() for values in problem.domain_values),
        problem.scopes[np.repeat(~is_unary, np.where(is_unary, 1, 2))].tobytes(),
        places.tobytes(),
        *(problem.relations[index].key for index in relations.tolist()),
    )
    if key not in _kept:
        if len(_kept) >= _MAX_KEPT:
            del _kept[next(iter(_kept))]
        model = recover(problem)
        has_others = len(model.rest(model.unary)) > 0 or any(map(is_auxiliary, problem.variable_names))
        groups = model.all_different
        _kept[key] = None if has_others else network_of_groups(problem.n_variables, len(problem.words), groups)
    return _kept[key]


def _run_search(network: Network, domains: list[int], run: SearchRun) -> bool:
    """Add solutions to the run until it has enough; whether these are all."""
    propagation = ArcConsistency(network, domains, Counters())
    if propagation.establish():
        for solution in completions(propagation, max_tried=_MAX_TRIED):
            run.add_solution([domain.bit_length() - 1 for domain in solution])
            if run.has_enough:
                return False
    return True


def _domains(problem: Problem, is_unary: Bools) -> list[int]:
    """For each variable the words that its domain and the constraints on it alone leave, as bits."""
    masks = [_bits(values.tolist()) for values in problem.domain_values]
    domains = [masks[domain] for domain in problem.variable_domains.tolist()]
    allowed: dict[int, int] = {}
    scopes = problem.scopes[problem.scope_offsets[:-1][is_unary]].tolist()
    for variable, index in zip(scopes, problem.constraint_relations[is_unary].tolist(), strict=True):
        if index not in allowed:
            relation = problem.relations[index]
            words = _bits(relation.tuples[:, 0].tolist())
            allowed[index] = words if relation.kind == "Accept" else ~words
        domains[variable] &= allowed[index]
    return domains


def _bits(words: Sequence[int]) -> int:
    return sum(1 << word for word in words)

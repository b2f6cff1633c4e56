"""What a worker does: a record for each item of its portions, with the answer, or with what is wrong."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from f2csp.batch.portions import Portion, Task, reason_of
from f2csp.diagnostics import F2cspError, InvalidInput
from f2csp.file_formats import AUTO, F2CSP, ending_of
from f2csp.instances import Instance, chunks, instances
from f2csp.json_text import numbers_of_any_length

if TYPE_CHECKING:
    from f2csp.solving import Limits, Result

_N_DIGITS = 9  # of the number of an item in a name


@dataclass(frozen=True, slots=True)
class Settings:
    """What is done with each item: a command with its options, as on the command line."""

    command: str
    form: str = AUTO  # of the inputs
    options: Mapping[str, Any] = field(default_factory=dict)  # of puzzles
    to: str = F2CSP
    structure: bool = False
    encoding: str = "support"
    engine: str | None = None  # None for the quick search, and the default engine where that does not apply
    time_limit: float | None = None  # of one problem
    workers: int = 1  # threads of an engine
    seed: int = 0
    project: str | None = None
    is_strict: bool = False
    has_text: bool = True  # whether the records have the texts that ``convert`` writes

    def limits(self, instance: Instance, solutions: int | None) -> "Limits":
        """The limits of a search for this number of solutions; None for all."""
        from f2csp.solving.projection import limits_for

        return limits_for(instance, solutions, self.project, self.time_limit, self.workers, self.seed)


class Item(NamedTuple):
    """The result for an item."""

    record: bytes  # a line of JSON
    verdict: str  # a word or two, for the totals
    code: int = 0  # exit code
    name: str = ""  # of the file with the text
    text: bytes = b""  # that convert writes


Answer = tuple[dict[str, object], str, int]
"""The keys of the record, the verdict, and the exit code."""


def work_on(task: Task, settings: Settings) -> list[Item]:
    """The items of a task."""
    return [item for portion in task for item in _items(portion, settings)]


def lost(portion: Portion, settings: Settings) -> Item:
    """The item for a portion with which a worker ended."""
    return _failure(portion, portion.first_index, settings, F2cspError("the worker ended: perhaps memory was short"))


def _items(portion: Portion, settings: Settings) -> list[Item]:
    try:
        found = instances(portion.source(), portion.form, options=settings.options, is_strict=settings.is_strict)
        return [_item(instance, portion, settings) for instance in found]
    except (OSError, F2cspError) as error:
        lines = portion.split()
        if len(lines) < 2:
            return [_failure(portion, portion.first_index, settings, error)]
    return [item for line in lines for item in _items(line, settings)]


def _item(instance: Instance, portion: Portion, settings: Settings) -> Item:
    index = portion.first_index + instance.index - 1
    try:
        if settings.command == "convert":
            return _converted(instance, portion, index, settings)
        keys, verdict, code = _ANSWERS[settings.command](instance, settings)
    except Exception as error:  # also one of the program itself: the other items are worth having
        return _failure(portion, index, settings, error)
    return Item(_line(settings, portion, index, **keys), verdict, code)


def _failure(portion: Portion, index: int, settings: Settings, error: Exception) -> Item:
    from f2csp.diagnostics.render import as_record

    found = error.diagnostics if isinstance(error, InvalidInput) else ()
    message = reason_of(error)
    if isinstance(error, MemoryError):
        message = "not enough memory"
    elif not isinstance(error, (F2cspError, OSError)):
        message = f"internal error: {type(error).__name__}: {error}"
    verdict = {"valid": False} if settings.command == "validate" else {}
    line = _line(settings, portion, index, **verdict, error=message, diagnostics=list(map(as_record, found)))
    return Item(line, "with faults" if found else "failed", 1)


def _line(settings: Settings, portion: Portion, index: int, **keys: object) -> bytes:
    record = {"command": settings.command, "file": portion.file, "index": index, **keys}
    with numbers_of_any_length():
        return json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def _converted(instance: Instance, portion: Portion, index: int, settings: Settings) -> Item:
    from f2csp.text.writer import chunks as chunks_of_f2csp

    if settings.to == F2CSP:
        pieces: Iterable[bytes] = chunks_of_f2csp(instance.problem)  # the rules of a puzzle are kept for the next one
    else:
        pieces = chunks([instance], settings.to, structure=settings.structure, encoding=settings.encoding)
    text = b"".join(pieces)
    number = f"-{index:0{_N_DIGITS}}" if portion.is_numbered or instance.n_instances > 1 else ""
    name = f"{portion.inner}{number}{ending_of(settings.to)}"
    if settings.has_text:
        return Item(_line(settings, portion, index, output=name, text=text.decode()), "converted")
    return Item(_line(settings, portion, index, output=name), "converted", 0, name, text)


def _validate(instance: Instance, _: Settings) -> Answer:
    from f2csp.diagnostics.render import as_record

    instance.require()
    return {"valid": True, "diagnostics": list(map(as_record, instance.diagnostics))}, "valid", 0


def _stats(instance: Instance, _: Settings) -> Answer:
    from f2csp.statistics import stats

    return asdict(stats(instance.problem)), "counted", 0


def _solve(instance: Instance, settings: Settings) -> Answer:
    from f2csp.solutions import own_values

    result, _ = _search(instance, settings, 1)
    solutions = list(map(own_values, result.solutions))
    keys = {"status": result.status, "solutions": solutions, "complete": result.is_complete, "engine": result.engine}
    return keys, result.status, 4 if result.status == "unknown" else 0


def _unique(instance: Instance, settings: Settings) -> Answer:
    from f2csp.solutions import own_values
    from f2csp.solving.questions import verdict_of

    verdict = verdict_of(*_search(instance, settings, 2))
    solutions = list(map(own_values, verdict.solutions))
    keys: dict[str, object] = {"verdict": verdict.uniqueness, "solutions": solutions, "differing": verdict.differing}
    return keys, verdict.uniqueness, {"unique": 0, "unknown": 4}.get(verdict.uniqueness, 3)


def _search(instance: Instance, settings: Settings, n_wanted: int) -> "tuple[Result, Sequence[str]]":
    """The result of a search, and the variables in which its solutions differ."""
    from f2csp.solving.questions import search_with

    if (quick := _quick_result(instance, settings, n_wanted)) is not None:
        return quick, instance.problem.variable_names
    limits = settings.limits(instance, n_wanted)
    result = search_with(instance.problem, settings.engine, limits)
    return result, limits.project_onto or instance.problem.variable_names


def _count(instance: Instance, settings: Settings) -> Answer:
    from f2csp.solving.counts import Count, count

    quick = _quick_result(instance, settings, None)
    if quick is not None:
        found = Count(quick)
    else:
        found = count(instance.problem, engine=settings.engine, limits=settings.limits(instance, None))
    keys = {"count": int(found), "exact": found.is_complete, "method": found.method, "states": found.n_states}
    return keys, "counted" if found.is_complete else "stopped by a limit", 0 if found.is_complete else 4


def _quick_result(instance: Instance, settings: Settings, n_wanted: int | None) -> "Result | None":
    from f2csp.batch.quick_search import quick_result

    is_free = settings.engine is None and settings.project is None
    return quick_result(instance.problem, n_wanted) if is_free else None


_ANSWERS: dict[str, Callable[[Instance, Settings], Answer]]
_ANSWERS = {"validate": _validate, "stats": _stats, "solve": _solve, "unique": _unique, "count": _count}

ACTIONS = ("convert", *_ANSWERS)

"""The engines together: inference and a short search, then the others side by side; the first answer ends the rest.

Gomes and Selman, "Algorithm portfolios", Artificial Intelligence 126, 2001.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from queue import Empty, Queue
from time import monotonic
from typing import Any

import numpy as np

from f2csp.diagnostics import F2cspError
from f2csp.solving.engine_process import EngineProcess, Request, SearchAnswer, n_cores, process_for
from f2csp.solving.registry import engine_and_options
from f2csp.solving.search_run import SearchRun, Statistics, Status

_FIRST = "search:restarts=luby,node-limit=1000", 0.25  # seconds, if the solution may be another one each time
_FIRST_OF_MANY = "search:node-limit=20000", 1.0  # for more solutions than say whether there is one or a second
_MAX_SIZE = 100_000  # constraints and tuples of a problem for this search
_SECOND = "sat", 0.5  # the package of this one is small
_MAX_WORK = 3_000_000  # tuples for it, each for each constraint that has them
_OTHERS = ("cpsat", "sat", "search:restarts=luby,value-order=random")
_REPEATABLE = ("cpsat", "search")  # of which the first that is installed has no others beside it
_HEAD_START = 1.0  # seconds after which an engine starts that has no core of its own
_FACTOR = 4  # by which the next one waits longer, or a turn is longer than those before
_MANY = 10_000  # solutions; the engine that has found them first goes on alone
_POLL_SECONDS = 0.1  # a signal that arrives just before a wait does not end it
_LAST_SECONDS = 0.2  # to end after the last solution
_MAX_MESSAGES = 1000  # that wait


def search(run: SearchRun, times: dict[str, float]) -> SearchAnswer:
    """See :class:`f2csp.solving.registry.EngineModule`."""
    start = monotonic()
    contest = _Contest(run)
    is_complete = run.until_interrupted(contest.is_complete)
    times |= {"build": 0.0, "search": monotonic() - start}
    return is_complete, replace(contest.statistics, engines=contest.records)


class _Contest:
    """The engines on one problem.

    Attributes:
        records: the status and the seconds of each engine, and why it failed.
        statistics: those of the engine that has answered, or was the last to end.
    """

    def __init__(self, run: SearchRun) -> None:
        self.records: dict[str, dict[str, Any]] = {}
        self.statistics = Statistics()
        self._run = run
        self._is_repeatable = run.options["deterministic"] == "yes"
        self._projection = run.projection.tolist()
        self._seen: set[tuple[int, ...]] = set()  # the values of solutions in the projection
        self._messages: Queue[tuple[EngineProcess, Any]] = Queue(_MAX_MESSAGES)
        self._working: dict[EngineProcess, int] = {}  # with the numbers of their solutions
        self._waiting: list[str] = []  # the others
        self._has_many = False  # one of them, which is alone
        self._end = inf  # when there are enough solutions

    def is_complete(self) -> bool:
        """Search until there are enough solutions; whether there are no others."""
        problem = self._run.problem
        if self._run.model.has_too_few_values:
            return True
        lines = [line for line in _OTHERS if _is_installed(line)]
        if len(lines) == 1:
            return self._here("search", None)
        sizes = np.array([relation.n_tuples for relation in problem.relations], dtype=np.int64)
        is_one = self._run.n_wanted in (1, 2)
        at_first = [_FIRST if is_one else _FIRST_OF_MANY] if problem.n_constraints + sizes.sum() <= _MAX_SIZE else []
        is_small = is_one and sizes[problem.constraint_relations].sum() <= _MAX_WORK
        if is_small and _is_installed("sat") and not self._is_repeatable:
            at_first.append(_SECOND)
        for line, seconds in at_first:
            is_complete = self._here(line, None if self._is_repeatable else seconds)
            if is_complete or self._run.has_enough or self._run.is_late:
                return is_complete
        return self._side_by_side([next(filter(_is_installed, _REPEATABLE))] if self._is_repeatable else lines)

    def _request(self, line: str, seconds: float | None, n_threads: int | None) -> Request:
        run = self._run
        left = [one for one in (seconds, run.seconds_left) if one is not None]
        limits = replace(run.limits, seconds=min(left, default=None), solutions=run.n_wanted, workers=n_threads)
        return Request(run.problem, line, limits, run.use_structure)

    def _here(self, line: str, seconds: float | None) -> bool:
        """Search by an engine in this process, perhaps for some seconds; as ``is_complete``."""
        start = monotonic()
        answer, is_interrupted = self._request(line, seconds, self._run.limits.workers).answer(self._take)
        is_complete = self._heard(line, start, answer)
        if is_interrupted:
            raise KeyboardInterrupt
        return is_complete

    def _in_turns(self, lines: Sequence[str]) -> bool:
        seconds, is_complete = _HEAD_START, False
        while not (is_complete or self._run.has_enough or self._run.is_late):
            for line in lines:
                is_complete = self._here(line, seconds if len(lines) > 1 else None)
                if is_complete or self._run.has_enough:
                    break
            seconds *= _FACTOR
        return is_complete

    def _side_by_side(self, lines: Sequence[str]) -> bool:
        """As ``is_complete``, by engines in processes; one that fails is one less."""
        run, start, n = self._run, monotonic(), self._run.limits.workers or n_cores()
        n_threads = 1 if self._is_repeatable else max(1, n - len(lines) + 1)
        self._waiting, without_process = list(lines), []
        try:
            while (self._waiting or self._working) and not (run.is_late or monotonic() > self._end):
                n_more = len(lines) - len(self._waiting) - n
                is_time = n_more < 0 or monotonic() - start >= _HEAD_START * _FACTOR**n_more
                if self._waiting and (is_time or not self._working):
                    line = self._waiting.pop(0)
                    try:
                        process = process_for(line)
                        process.ask(self._request(line, None, n_threads), self._messages)
                    except OSError:
                        without_process.append(line)
                        continue
                    self._working[process] = 0
                with suppress(Empty):
                    process, message = self._messages.get(timeout=_POLL_SECONDS)
                    if self._hear(process, message):
                        return True
        finally:
            self._stop(*self._working)
        if without_process and not (run.has_enough or run.is_late):
            return self._in_turns(without_process)
        failures = [f"{line}: {record['message']}" for line, record in self.records.items() if "message" in record]
        if len(failures) == len(lines):
            raise F2cspError(f"no engine has an answer: {'; '.join(failures)}")
        return False

    def _hear(self, process: EngineProcess, message: Any) -> bool:
        """Take a message of a process; whether it says that there are no other solutions."""
        if process not in self._working:
            return False
        if isinstance(message, list):
            self._working[process] += 1
            self._take(message)
            if self._working[process] == _MANY:
                self._has_many = True
                self._stop(*(other for other in self._working if other is not process))
            if self._has_many or self._run.has_enough:
                self._waiting.clear()
            if self._run.has_enough:
                self._end = min(self._end, monotonic() + _LAST_SECONDS)
            return False
        del self._working[process]
        if isinstance(message, str):
            self._record(process.line, "failed", process.start, message=message)
            process.close()
            return False
        process.keep()
        is_complete = self._heard(process.line, process.start, message)
        if self._run.has_enough:
            self._end = 0.0
        return is_complete

    def _take(self, words: list[int]) -> None:
        """Add a solution to the run, unless another engine has found it, too."""
        key = tuple([words[variable] for variable in self._projection])
        if key in self._seen:
            return
        if not self._has_many:
            self._seen.add(key)
        self._run.add_solution(words)

    def _heard(self, line: str, start: float, answer: SearchAnswer) -> bool:
        """Record the answer of an engine; whether its search was exhaustive."""
        is_complete, self.statistics = answer
        is_answer = is_complete or self._run.has_enough
        found = Status.SATISFIABLE if self._run.n_found else Status.UNSATISFIABLE
        self._record(line, found if is_answer else Status.UNKNOWN, start)
        if is_answer:
            self._run.answered_by = line.partition(":")[0]
        return is_complete

    def _stop(self, *processes: EngineProcess) -> None:
        for process in processes:
            self._record(process.line, Status.UNKNOWN, process.start)
            process.close()
            del self._working[process]

    def _record(self, line: str, status: str, start: float, **message: str) -> None:
        seconds = monotonic() - start + self.records.get(line, {"seconds": 0.0})["seconds"]
        self.records[line] = {"status": status, "seconds": round(seconds, 6), **message}


def _is_installed(line: str) -> bool:
    return engine_and_options(line)[0].is_installed

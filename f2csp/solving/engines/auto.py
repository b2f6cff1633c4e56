"""The engines together: inference and a short search, then the others side by side; the first answer ends the rest.

Gomes and Selman, "Algorithm portfolios", Artificial Intelligence 126, 2001.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from math import inf
from queue import Empty, Queue
from time import monotonic, process_time
from typing import Any

import numpy as np

from f2csp.diagnostics import F2cspError
from f2csp.running.child import n_cores
from f2csp.solving.engine_process import EngineProcess, Request, SearchAnswer, process_for
from f2csp.solving.registry import engine_and_options
from f2csp.solving.search_run import SearchRun, Statistics, Status
from f2csp.structure import known_sums

_FIRST = "search:restarts=luby,node-limit=1000", 0.15  # seconds of the processor, if any solution will do
_MORE_SECONDS = 1e-7  # for each tuple of each constraint, from which others make their models first
_IMPORT_SECONDS = 0.35  # of CP-SAT, during which the search goes on where CP-SAT comes first
_FIRST_OF_MANY = "search:node-limit=20000", 1.0  # for more solutions than say whether there is one or a second
_MAX_SIZE = 100_000  # constraints and tuples of a problem for this search
_HERE = "sat"  # whose package is small: it goes on in this process
_HERE_SECONDS = 0.5  # until others start; and its first turn where they cannot
_MAX_WORK = 3_000_000  # tuples for it, each for each constraint that has them
_MANY_IN_SUMS = 10_000  # likewise, in chains that CP-SAT takes as sums, and so comes first; learned from the runs
_OTHERS = ("cpsat", "sat", "search:restarts=luby,value-order=random")
_REPEATABLE = ("cpsat", "search")  # of which the first that is installed has no others beside it
_HEAD_START = 0.75, 2.5  # seconds of the engine here, or of another, until one starts that has no core of its own
_TURN = 3.0  # seconds of the first process on a single core, while the engine here waits
_FACTOR = 6  # by which the next one waits longer, or a turn is longer than those before
_POLL_SECONDS = 0.1  # a signal that arrives just before a wait does not end it
_LAST_SECONDS = 0.2  # to end after the last solution
_MAX_MESSAGES = 1000  # that wait
_thread_time = getattr(time, "thread_time", process_time)  # WebAssembly has no clock of its only thread


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
        self._working: list[EngineProcess] = []
        self._waiting: list[str] = []  # the others
        self._without_process: list[str] = []  # those that could not be started
        self._n_started, self._start = 0, 0.0  # the number of engines side by side, and when the first one started
        self._is_here = False  # that one is in this process
        self._is_exhausted = False  # the search of one of them
        self._is_many = run.n_wanted not in (1, 2)  # solutions; what finds one of them in a process goes on alone
        self._end = inf  # when there are enough solutions

    def is_complete(self) -> bool:
        """Search until there are enough solutions; whether there are no others."""
        problem = self._run.problem
        if self._run.model.has_too_few_values:
            return True
        lines = [line for line in _OTHERS if _is_installed(line)]
        if len(lines) == 1:
            return self._here("search", None)
        if self._is_repeatable:
            lines = [next(filter(_is_installed, _REPEATABLE))]
        sizes = np.array([relation.n_tuples for relation in problem.relations], dtype=np.int64)
        work: float = int(sizes[problem.constraint_relations].sum())
        of_sums = [constraint for known in known_sums(problem) for constraint in known.constraints]
        has_sums = sizes[problem.constraint_relations[of_sums]].sum() > _MANY_IN_SUMS
        if problem.n_constraints + sizes.sum() <= _MAX_SIZE:
            line, seconds = _FIRST_OF_MANY if self._is_many else _FIRST
            seconds += _IMPORT_SECONDS if has_sums else min(work, _MAX_WORK) * _MORE_SECONDS
            end = inf if self._is_repeatable else _thread_time() + seconds
            is_complete = self._here(line, None, lambda: _thread_time() > end)
            if is_complete or self._run.has_enough or self._run.is_late:
                return is_complete
        if has_sums:
            lines.sort(key=_HERE.__eq__)  # to the end
            work = inf
        is_here = _HERE in lines and work <= _MAX_WORK and not self._is_many
        return self._side_by_side(lines, _HERE if is_here else None)

    def _request(self, line: str, seconds: float | None, n_threads: int | None) -> Request:
        run = self._run
        left = [one for one in (seconds, run.seconds_left) if one is not None]
        limits = replace(run.limits, seconds=min(left, default=None), solutions=run.n_wanted, workers=n_threads)
        return Request(run.problem, line, limits, run.use_structure)

    def _here(self, line: str, seconds: float | None = None, is_over: Callable[[], bool] = lambda: False) -> bool:
        """Search by an engine in this process, perhaps for some seconds; as ``is_complete``."""
        start = monotonic()
        answer, is_interrupted = self._request(line, seconds, self._run.limits.workers).answer(self._take, is_over)
        is_complete = self._heard(line, start, answer)
        if is_interrupted:
            raise KeyboardInterrupt
        return is_complete

    def _side_by_side(self, lines: Sequence[str], here: str | None) -> bool:
        """As ``is_complete``, by engines in processes and perhaps one in this; one that fails is one less."""
        run = self._run
        self._waiting, self._n_started = [line for line in lines if line != here], int(here is not None)
        self._is_here, self._start = here is not None, self._clock()
        try:
            if here is not None:
                is_complete = self._here(here, None, lambda: self._is_over(0.0))
                if is_complete or run.answered_by == here:
                    return is_complete
            while not self._is_over(_POLL_SECONDS):
                pass
        finally:
            self._stop(*self._working)
        if run.answered_by or run.is_late:
            return self._is_exhausted
        left = self._without_process
        for i in count() if left else ():
            is_complete = self._here(left[i % len(left)], None if len(left) == 1 else _HERE_SECONDS * _FACTOR**i)
            if is_complete or run.has_enough or run.is_late:
                return is_complete
        records = sorted(self.records.items())
        failures = [f"{line}: {record['message']}" for line, record in records if "message" in record]
        if len(failures) == len(lines):
            raise F2cspError(f"no engine has an answer: {'; '.join(failures)}")
        return False

    def _clock(self) -> float:
        """The time; on one core that of the processor for all engines, so that other programs shorten no turn."""
        if (self._run.limits.workers or n_cores()) > 1:
            return monotonic()
        return process_time() + sum([process.seconds for process in self._working])

    def _is_over(self, seconds: float) -> bool:
        """Start the next engine if it is time, and wait for a message; whether there is nothing to wait for."""
        n = self._run.limits.workers or n_cores()
        wait = _HERE_SECONDS * self._is_here
        if self._n_started >= n:
            wait = _HEAD_START[not self._is_here] * _FACTOR ** (self._n_started - 1)
        if self._waiting and (self._clock() - self._start >= wait or (seconds and not self._working)):
            line, self._n_started = self._waiting.pop(0), self._n_started + 1
            n_threads = 1 if self._is_repeatable else max(1, n - len(_OTHERS) + 1)
            try:
                process = process_for(line)
                process.ask(self._request(line, None, n_threads), self._messages)
                self._working.append(process)
            except OSError:
                self._without_process.append(line)
        if n == 1 and self._working and not seconds:
            self._wait_for_turn()
        with suppress(Empty):
            self._hear(*self._messages.get(bool(seconds and self._working), seconds))
        return self._is_settled() or bool(seconds and not (self._waiting or self._working))

    def _is_settled(self) -> bool:
        return self._is_exhausted or self._run.is_late or monotonic() > self._end

    def _wait_for_turn(self) -> None:
        """Leave the only core to the first process for a while, before the engine here shares it."""
        while self._working and self._clock() - self._start < _HEAD_START[0] + _TURN and not self._is_settled():
            with suppress(Empty):
                self._hear(*self._messages.get(timeout=_POLL_SECONDS))

    def _hear(self, process: EngineProcess, message: Any) -> None:
        if process not in self._working:
            return
        if isinstance(message, list):
            self._take(message)
            if self._is_many or self._run.has_enough:
                self._waiting.clear()
                self._stop(*(other for other in self._working if other is not process))
            if self._run.has_enough:
                self._run.answered_by = process.line.partition(":")[0]
                self._end = min(self._end, monotonic() + _LAST_SECONDS)
            return
        self._working.remove(process)
        if isinstance(message, str):
            self._record(process.line, "failed", process.start, message=message)
            process.close()
            return
        self._is_exhausted |= self._heard(process.line, process.start, message)
        process.keep()
        if self._run.has_enough:
            self._end = 0.0

    def _take(self, words: list[int]) -> None:
        """Add a solution to the run, unless another engine has found it, or enough."""
        key = tuple([words[variable] for variable in self._projection])
        if not (key in self._seen or self._run.has_enough):
            if not (self._is_many and self._working):
                self._seen.add(key)
            self._run.add_solution(words)

    def _heard(self, line: str, start: float, answer: SearchAnswer) -> bool:
        """Record the answer of an engine; whether its search was exhaustive."""
        is_complete, statistics = answer
        name = line.partition(":")[0]
        is_answer = (is_complete or self._run.has_enough) and self._run.answered_by in ("", name)
        found = Status.SATISFIABLE if self._run.n_found else Status.UNSATISFIABLE
        self._record(line, found if is_answer else Status.UNKNOWN, start)
        if is_answer:
            self._run.answered_by = name
        if is_answer or not self._run.answered_by:
            self.statistics = statistics
        return is_complete

    def _stop(self, *processes: EngineProcess) -> None:
        for process in processes:
            self._record(process.line, Status.UNKNOWN, process.start)
            process.close()
            self._working.remove(process)

    def _record(self, line: str, status: str, start: float, **message: str) -> None:
        seconds = monotonic() - start + self.records.get(line, {"seconds": 0.0})["seconds"]
        self.records[line] = {"status": status, "seconds": round(seconds, 6), **message}


def _is_installed(line: str) -> bool:
    return engine_and_options(line)[0].is_installed

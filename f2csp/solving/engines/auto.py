"""The engines together: inference and a short search, then the others side by side; the first answer ends the rest.

Gomes and Selman, "Algorithm portfolios", Artificial Intelligence 126, 2001.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from queue import Empty, Queue
from time import monotonic
from typing import Any

from f2csp.diagnostics import F2cspError
from f2csp.solving.engine_process import Answer, EngineProcess, Request, n_cores, process_for
from f2csp.solving.registry import engine_and_options
from f2csp.solving.search_run import SearchRun, Statistics, Status

_FIRST = "search:restarts=luby,node-limit=1000"
_FIRST_SECONDS = 0.25  # none where the solution is to be the same each time
_MAX_SIZE = 100_000  # constraints and tuples of a problem for this search
_OTHERS = ("sat", "cpsat", "search:restarts=luby,value-order=random")
_REPEATABLE = ("cpsat", "search")  # of which the first that is installed has no others beside it
_HEAD_START = 1.0  # seconds after which an engine starts that has no core of its own
_FACTOR = 4  # by which the next one waits longer, or a turn is longer than those before
_MANY = 10_000  # solutions; the engine that has found them first goes on alone
_POLL_SECONDS = 0.1  # a signal that arrives just before a wait does not end it
_LAST_SECONDS = 0.2  # to end after the last solution
_MAX_MESSAGES = 1000  # that wait

_NO_ANSWER = False, Statistics()


def search(run: SearchRun, times: dict[str, float]) -> Answer:
    """See :class:`f2csp.solving.registry.EngineModule`."""
    start = monotonic()
    contest = _Contest(run)
    is_complete, statistics = _NO_ANSWER
    try:
        is_complete, statistics = contest.answer()
    except KeyboardInterrupt:
        run.is_interrupted = True
    times["search"] = monotonic() - start
    return is_complete, replace(statistics, engines=contest.records)


class _Contest:
    """The engines on one problem; ``records`` has the status and the seconds of each, and why it failed."""

    def __init__(self, run: SearchRun) -> None:
        self.records: dict[str, dict[str, Any]] = {}
        self._run = run
        self._is_repeatable = run.options["deterministic"] == "yes"
        self._projection = run.projection.tolist()
        self._seen: set[tuple[int, ...]] = set()  # the values of solutions in the projection
        self._messages: Queue[tuple[EngineProcess, Any]] = Queue(_MAX_MESSAGES)
        self._working: dict[EngineProcess, int] = {}  # with the numbers of their solutions
        self._has_many = False  # one of them, which is alone

    def answer(self) -> Answer:
        """The first answer."""
        problem = self._run.problem
        lines = [line for line in _OTHERS if _is_installed(line)]
        if len(lines) == 1:
            return self._here("search", None)
        if problem.n_constraints + sum([relation.n_tuples for relation in problem.relations]) <= _MAX_SIZE:
            answer = self._here(_FIRST, None if self._is_repeatable else _FIRST_SECONDS)
            if answer[0] or self._run.has_enough:
                return answer
        return self._side_by_side([next(filter(_is_installed, _REPEATABLE))] if self._is_repeatable else lines)

    def _request(self, line: str, seconds: float | None, n_threads: int | None) -> Request:
        run = self._run
        left = [one for one in (seconds, run.seconds_left) if one is not None]
        limits = replace(run.limits, seconds=min(left, default=None), solutions=run.n_wanted, workers=n_threads)
        return Request(run.problem, line, limits, run.use_structure)

    def _here(self, line: str, seconds: float | None) -> Answer:
        """The answer of an engine in this process, perhaps for some seconds."""
        start = monotonic()
        answer = self._request(line, seconds, self._run.limits.workers).answer(self._take)
        self._record(line, start, is_answer=answer[0] or self._run.has_enough)
        return answer

    def _in_turns(self, lines: Sequence[str]) -> Answer:
        seconds, answer = _HEAD_START, _NO_ANSWER
        while not (answer[0] or self._run.has_enough or self._run.is_late):
            for line in lines:
                answer = self._here(line, seconds if len(lines) > 1 else None)
                if answer[0] or self._run.has_enough:
                    break
            seconds *= _FACTOR
        return answer

    def _side_by_side(self, lines: Sequence[str]) -> Answer:
        """The first answer of engines in processes; one that fails is one less."""
        run, start, end = self._run, monotonic(), inf
        n_at_once = min(len(lines), run.limits.workers or n_cores())
        n_threads = 1 if self._is_repeatable else (run.limits.workers or n_cores()) - n_at_once + 1
        waiting, without_process = list(lines), []
        try:
            while (waiting or self._working) and not run.is_late and monotonic() < end:
                n_more = len(lines) - len(waiting) - n_at_once
                is_next = n_more < 0 or monotonic() - start >= _HEAD_START * _FACTOR**n_more
                if waiting and (is_next or not self._working):
                    line = waiting.pop(0)
                    try:
                        process = process_for(line)
                        process.ask(self._request(line, None, n_threads), self._messages)
                        self._working[process] = 0
                    except (OSError, RuntimeError):
                        without_process.append(line)
                    continue
                try:
                    process, message = self._messages.get(timeout=_POLL_SECONDS)
                except Empty:
                    continue
                if not isinstance(message, list):
                    del self._working[process]
                    if (answer := self._ended(process, message)) is not None:
                        return answer
                    continue
                if process in self._working:
                    self._working[process] += 1
                    self._take(message)
                if self._working.get(process) == _MANY:
                    self._end([other for other in self._working if other is not process])
                    self._has_many = True
                if run.has_enough or self._has_many:
                    waiting.clear()
                if run.has_enough:
                    end = min(end, monotonic() + _LAST_SECONDS)
        finally:
            self._end([*self._working])
        if without_process and not (run.has_enough or run.is_late):
            return self._in_turns(without_process)
        failures = [f"{line}: {record['message']}" for line, record in self.records.items() if "message" in record]
        if len(failures) == len(lines):
            raise F2cspError(f"no engine has an answer: {'; '.join(failures)}")
        return _NO_ANSWER

    def _take(self, words: list[int]) -> None:
        """Add a solution to the run, unless another engine has found it, too."""
        key = tuple([words[variable] for variable in self._projection])
        if key in self._seen:
            return
        if not self._has_many:
            self._seen.add(key)
        self._run.add_solution(words)

    def _ended(self, process: EngineProcess, message: Any) -> Answer | None:
        """The answer of a process that has ended its search; None if it has none."""
        if isinstance(message, str):
            self._record(process.line, process.start, message=message)
            process.close()
            return None
        answer: Answer = message
        is_answer = answer[0] or self._run.has_enough
        self._record(process.line, process.start, is_answer=is_answer)
        process.keep()
        return answer if is_answer else None

    def _end(self, processes: Sequence[EngineProcess]) -> None:
        for process in processes:
            self._record(process.line, process.start)
            process.close()
            del self._working[process]

    def _record(self, line: str, start: float, *, is_answer: bool = False, message: str = "") -> None:
        status = Status.SATISFIABLE if self._run.n_found else Status.UNSATISFIABLE
        self.records[line] = {
            "status": "failed" if message else status if is_answer else Status.UNKNOWN,
            "seconds": round(monotonic() - start, 6),
        }
        if message:
            self.records[line]["message"] = message
        if is_answer:
            self._run.answered_by = line.partition(":")[0]


def _is_installed(line: str) -> bool:
    return engine_and_options(line)[0].is_installed

"""The number of solutions, solutions drawn at random, and the values that occur in solutions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import compress
from math import log10
from pathlib import Path
from random import Random
from threading import TIMEOUT_MAX, Timer
from time import monotonic
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from f2csp.counting import Advance, BeyondBudget, Budget, SolutionSpace
from f2csp.diagnostics import F2cspError
from f2csp.encode import encode
from f2csp.files import FileName
from f2csp.model import Problem, Value, check_all, expect_problem
from f2csp.search import Stopped
from f2csp.solutions import Solution
from f2csp.solving.interruption import InterruptibleThread
from f2csp.solving.questions import limits_of, solve
from f2csp.solving.registry import GANAK, named_engine
from f2csp.solving.search_run import Limits, Observer, Result, SearchRun, Statistics, Status
from f2csp.structure import raw_model, recover

_FIRST_SECONDS = 0.5  # of merging before solutions are enumerated, as long; then by this factor longer
_FACTOR = 4
_RANDOM = "search:value-order=random,restarts=luby"
_SHORT_BITS = 10_000  # of a number that Python writes in decimal


class CountMethod(StrEnum):
    """A way to count; ``auto`` chooses one."""

    AUTO = "auto"
    MERGE = "merge"
    ENUMERATE = "enumerate"
    GANAK = "ganak"


class Count(int):
    """A number of solutions: an integer that knows whether it is exact.

    Attributes:
        result: the result of the search; it contains no solutions.
        method: ``merge``, ``enumerate`` or ``ganak``.
        n_states: the number of states of the largest layer, if states were merged.
        reason: why the number is a lower bound; empty if it is exact.
    """

    result: Result
    method: CountMethod
    n_states: int | None
    reason: str

    def __new__(
        cls, result: Result, method: CountMethod = CountMethod.ENUMERATE, n_states: int | None = None, reason: str = ""
    ) -> Self:
        self = super().__new__(cls, result.n_solutions)
        self.result = result
        self.method = method
        self.n_states = n_states
        stopped = "interrupted" if result.is_interrupted else "a limit was reached"
        self.reason = reason or stopped * (not result.is_complete)
        return self

    @property
    def n_solutions(self) -> int:
        """The number as a plain integer."""
        return int(self)

    @property
    def is_complete(self) -> bool:
        """Whether the number is exact; otherwise a limit was reached, and it is a lower bound."""
        return self.result.is_complete

    def __getnewargs__(self) -> tuple[Result, CountMethod, int | None, str]:  # type: ignore[override]
        return self.result, self.method, self.n_states, self.reason

    def __str__(self) -> str:
        return f"{int(self)}" if self.is_complete else f"at least {int(self)}"

    def __repr__(self) -> str:
        is_short = self.bit_length() < _SHORT_BITS
        return f"<Count: {self}>" if is_short else f"<Count: about 10^{int(self.bit_length() * log10(2))}>"


def count(
    problem: Problem,
    *,
    method: str = "auto",
    max_states: int | None = None,
    engine: str | None = None,
    seconds: float | None = None,
    solutions: int | None = None,
    workers: int | None = None,
    seed: int = 0,
    project: Sequence[str] | None = None,
    limits: Limits | None = None,
    observer: Observer | None = None,
    advance: Advance | None = None,
    keep_states: FileName | None = None,
    cluster: str | None = None,
) -> Count:
    """Count solutions, all of them unless ``solutions`` says when to stop.

    Args:
        problem: the problem; it is not changed.
        method: ``merge`` merges partial solutions that leave the same problem, so that the number may have any size;
            ``enumerate`` finds one solution after the other with an engine; ``ganak`` runs the model counter Ganak;
            ``auto`` merges, and pauses at times to enumerate for a while; where there are too many states, it runs
            Ganak, or enumerates if that is not installed. It enumerates at once if an engine or a number of solutions
            is given, or a projection from which the other variables do not follow.
        max_states: the budget of states for merging; None for as many as need one gigabyte to five.
        engine: as the following arguments, that of :func:`solve`; for enumeration.
        seconds: the time limit.
        solutions: the number of solutions to stop at.
        workers: the number of processes that merge, and of threads of the engine.
        seed: the random seed.
        project: the variables in which solutions must differ to count as distinct; None for all variables.
        limits: the five above as one value, in their place.
        observer: called with each solution that enumeration finds.
        advance: called with the progress of merging: the stages done, that of all stages, and the number of states.
        keep_states: a folder in which the states of a long count of variables that must differ are kept, to go on from
            them in another call.
        cluster: the address of the scheduler of a Dask cluster that merges, such as ``tcp://host:8786``.

    Returns:
        The number, exact if it ``is_complete``, otherwise a lower bound.

    Raises:
        F2cspError: the method cannot count this, or is not installed.

    Example:
        >>> from f2csp import generate
        >>> found = count(generate("queens", size=5), seconds=60)
        >>> found == 10, found.is_complete, found.method.value
        (True, True, 'merge')
        >>> print(count(generate("queens", size=5), solutions=3))
        at least 3
    """
    expect_problem(problem)
    if method not in list(CountMethod):
        raise F2cspError(f"there is no method {method!r}; the methods are {', '.join(CountMethod)}")
    limits = limits_of(limits, None, Limits(seconds, solutions, workers, seed, project))
    attempts = _Attempts(problem, engine, limits, max_states, observer, advance, keep_states, cluster)
    if method == CountMethod.GANAK:
        return attempts.ganak()
    is_to_enumerate = engine is not None or limits.solutions is not None
    if method == CountMethod.ENUMERATE or (method == CountMethod.AUTO and is_to_enumerate):
        return attempts.enumerate(limits.seconds)
    if attempts.run.projection_is_injective:
        return attempts.merge() if method == CountMethod.MERGE else attempts.all()
    if method == CountMethod.AUTO:
        return attempts.enumerate(limits.seconds)
    raise F2cspError("solutions cannot be counted by merging: the other variables do not follow from the projection")


def submitting_to(n_workers: int | None, cluster: str | None) -> AbstractContextManager[Callable[..., Any] | None]:
    """What gives parts of a count to other processes, or None if there are none."""
    if cluster is None and n_workers in (None, 1):
        return nullcontext()
    from f2csp.solving.executors import submitting  # imports multiprocessing, which pages have not

    return submitting(n_workers, cluster)


class _EnumeratedError(Exception):
    """All solutions are enumerated, so that they need not be merged any more."""

    def __init__(self, count: Count) -> None:
        super().__init__()
        self.count = count


@dataclass
class _Attempts:
    """The methods on one problem, within one time limit."""

    problem: Problem
    engine: str | None
    limits: Limits
    max_states: int | None
    observer: Observer | None
    advance: Advance | None
    keep_states: FileName | None
    cluster: str | None

    def __post_init__(self) -> None:
        self.run = SearchRun(raw_model(self.problem), self.limits)
        self._slice = _FIRST_SECONDS
        self._next = monotonic() + self._slice  # when merging pauses
        self._most: Count | None = None  # the largest lower bound

    def all(self) -> Count:
        """Merge, with enumeration in between, and then what remains; the time is that of all."""
        start = monotonic()
        count = self.merge(is_interleaved=True)
        if not (count.is_complete or self.run.is_late):
            count = self._enumerate_for_a_while() if GANAK.is_installed else self.enumerate(self.run.seconds_left)
        if not (count.is_complete or self.run.is_late) and GANAK.is_installed:
            count = self.ganak()
        most = count if count.is_complete else max(count, self._most or count)
        result = replace(most.result, times={"search": monotonic() - start})
        return Count(result, most.method, most.n_states, most.reason)

    def merge(self, *, is_interleaved: bool = False) -> Count:
        """Count by merging; 0 at least where that is beyond the budget."""
        start = monotonic()
        advance = self._interlude if is_interleaved else self.advance
        kept_in = None if self.keep_states is None else Path(self.keep_states)
        budget = Budget(self.max_states, self.run.seconds_left, advance, kept_in)
        reason, n = "", 0
        try:
            with submitting_to(self.limits.workers, self.cluster) as budget.submit:
                n = SolutionSpace(self.problem, budget).count
        except _EnumeratedError as done:
            return done.count
        except BeyondBudget as error:
            reason = str(error)
        return _counted(n, CountMethod.MERGE, start, not reason, budget.most, reason)

    def _interlude(self, stage: int, n_stages: int, n_states: int) -> None:
        """Enumerate for a while after a while of merging; raises _EnumeratedError if that was enough."""
        if self.advance is not None:
            self.advance(stage, n_stages, n_states)
        if monotonic() < self._next:
            return
        count = self._enumerate_for_a_while()
        if count.is_complete:
            raise _EnumeratedError(count)
        self._next = monotonic() + self._slice

    def _enumerate_for_a_while(self) -> Count:
        """Count one solution after the other, each time for longer."""
        left = self.run.seconds_left
        count = self.enumerate(self._slice if left is None else min(self._slice, left / _FACTOR), is_observed=False)
        if count.result.is_interrupted:
            raise KeyboardInterrupt
        self._most = max(self._most or count, count)
        self._slice *= _FACTOR
        return count

    def enumerate(self, seconds: float | None, *, is_observed: bool = True) -> Count:
        limits, observer = replace(self.limits, seconds=seconds), self.observer if is_observed else None
        return Count(solve(self.problem, engine=self.engine, limits=limits, observer=observer, keep_solutions=False))

    def ganak(self) -> Count:
        """Count with the model counter Ganak in a process of its own, which a time limit or Ctrl-C can end.

        Sharma, Roy, Soos and Meel, "GANAK: A scalable probabilistic exact model counter", IJCAI 2019.
        """
        GANAK.require("counting with Ganak")
        start = monotonic()
        encoding = encode(recover(self.problem))
        if any(block.shape[1] == 0 for block in encoding.cnf.blocks):  # the empty clause
            return _counted(0, CountMethod.GANAK, start, is_complete=True)
        literals = np.unique(np.abs(encoding.literals.values[encoding.literals.values_of(self.run.projection)]))
        from f2csp.running.child import Child  # imports multiprocessing, which pages have not

        left = self.run.seconds_left
        with closing(Child()) as child:
            timer = Timer(TIMEOUT_MAX if left is None else left, child.kill)
            timer.start()
            try:
                n = child.call(_ganak, literals.tolist(), encoding.cnf.blocks)
            except Exception as error:
                if self.run.is_late:
                    return _counted(0, CountMethod.GANAK, start, is_complete=False)
                raise F2cspError(f"Ganak failed: {error}") from None
            finally:
                timer.cancel()
        return _counted(n, CountMethod.GANAK, start, is_complete=True)


def _ganak(literals: list[int], blocks: list[NDArray[Any]]) -> int:
    from pyganak import Counter

    counter = Counter()
    counter.new_vars(max(literals, default=0))
    counter.add_clauses([row for block in blocks for row in block.tolist()])
    counter.set_sampling_set(literals)
    return int(counter.count())


def _counted(
    n: int, method: CountMethod, start: float, is_complete: bool, n_states: int | None = None, reason: str = ""
) -> Count:
    status = Status.SATISFIABLE if n else Status.UNSATISFIABLE if is_complete else Status.UNKNOWN
    result = Result(status, n, (), is_complete, str(method), Statistics(), {"search": monotonic() - start})
    return Count(result, method, n_states, reason)


def sample(
    problem: Problem,
    n: int = 1,
    *,
    seed: int = 0,
    max_states: int | None = None,
    seconds: float | None = None,
    advance: Advance | None = None,
    approximate: bool = False,
) -> tuple[Solution, ...]:
    """Draw solutions at random: each is as probable as any other, and independent of the others.

    Args:
        problem: the problem; it is not changed.
        n: the number of solutions.
        seed: the random seed; equal seeds draw equal solutions.
        max_states: the budget of states, as for :func:`count`.
        seconds: the time limit.
        advance: as for :func:`count`.
        approximate: draw each by a search that tries the values of a variable in random order, for problems that are
            beyond the budget. A solution is then more probable where fewer others share its first values.

    Returns:
        The solutions, checked against every constraint; empty if the problem has none.

    Raises:
        BeyondBudget: a limit was reached.

    Example:
        >>> from f2csp.puzzles.latin import LatinSquare
        >>> from f2csp.puzzles.to_problem import to_problem
        >>> [solution] = sample(to_problem(LatinSquare(6)), seed=7)
        >>> len(solution)
        36
    """
    expect_problem(problem)
    limits = Limits(seconds, n, seed=seed)  # refuses numbers that are of the wrong type or out of range
    if approximate:
        return tuple(_searched(SearchRun(raw_model(problem), limits), n))
    try:
        solutions = tuple(SolutionSpace(problem, Budget(max_states, seconds, advance)).sample(n, int(seed)))
    except BeyondBudget as error:
        raise BeyondBudget(f"{error}; an approximate sample needs no states") from None
    for violations in check_all(problem, solutions):
        if violations:
            raise AssertionError(f"a solution drawn violates a constraint: {violations[0]}")
    return solutions


def _searched(run: SearchRun, n: int) -> Iterator[Solution]:
    """Solutions found by one search with random values after the other."""
    random = Random(run.limits.seed)  # noqa: S311 - reproducible, no secret
    for i in range(n):
        found = solve(run.problem, engine=_RANDOM, seconds=run.seconds_left, seed=random.getrandbits(32))
        if found.is_interrupted:
            raise KeyboardInterrupt
        if found.status == Status.UNKNOWN:
            raise BeyondBudget(f"the time is over after {i} of {n} solutions")
        if not found:
            return
        yield found.solutions[0]


@dataclass(frozen=True, slots=True)
class Marginals:
    """The values that occur in solutions.

    Attributes:
        count: the number of solutions; None if it is not known.
        numbers: for each variable and value the number of solutions in which it occurs; None likewise.
        possible: for each variable the values that occur in some solution.
    """

    count: int | None
    numbers: Mapping[str, Mapping[Value, int]] | None
    possible: Mapping[str, tuple[Value, ...]]

    @property
    def backbone(self) -> dict[str, Value]:
        """The variables that have the same value in all solutions."""
        return {name: values[0] for name, values in self.possible.items() if len(values) == 1}


def marginals(
    problem: Problem, *, max_states: int | None = None, seconds: float | None = None, advance: Advance | None = None
) -> Marginals:
    """Count for each variable and value the solutions in which it occurs.

    Args:
        problem: the problem; it is not changed.
        max_states: the budget of states; beyond it the engine ``sat`` finds which values occur, without numbers.
        seconds: the time limit.
        advance: as for :func:`count`.

    Raises:
        BeyondBudget: a limit was reached before it was known which values occur.

    Example:
        >>> from f2csp import generate
        >>> found = marginals(generate("queens", size=4))
        >>> found.numbers["Q1"], found.possible["Q1"]
        ({1: 0, 2: 1, 3: 1, 4: 0}, (2, 3))
    """
    expect_problem(problem)
    run = SearchRun(raw_model(problem), Limits(seconds))
    try:
        space = SolutionSpace(problem, Budget(max_states, None if seconds is None else seconds / 2, advance))
        numbers = space.marginals()
    except BeyondBudget:
        return Marginals(None, None, _possible_values(run))
    return Marginals(
        space.count, numbers, {name: tuple([v for v, n in counts.items() if n]) for name, counts in numbers.items()}
    )


def _possible_values(run: SearchRun) -> dict[str, tuple[Value, ...]]:
    """The values of each variable that occur in some solution: a call of CaDiCaL for each that none has so far.

    Raises:
        BeyondBudget: the time is over.
        MissingExtra: the SAT solver is not installed.
    """
    named_engine("sat").load("finding the values that occur in solutions")
    from f2csp.solving.engines.sat import Clauses

    encoding = encode(recover(run.problem))
    literals = encoding.literals
    is_possible = np.zeros(literals.n_values, dtype=np.bool_)
    clauses = Clauses(run)
    clauses.add(encoding.cnf)
    try:
        with InterruptibleThread() as thread:
            for value, literal in enumerate(literals.values.tolist()):
                if not is_possible[value] and (model := clauses.model(thread, [literal])) is not None:
                    is_possible |= literals.are_true(model)
    except Stopped:
        raise BeyondBudget("the time is over before it is known which values occur in solutions") from None
    occurs = np.split(is_possible, literals.starts[1:-1])
    return {
        variable.name: tuple(compress(variable.domain.values, part.tolist()))
        for variable, part in zip(run.problem.variables, occurs, strict=False)
    }

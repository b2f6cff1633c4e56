"""The contract of all engines, checked against all solutions by the definition."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from f2csp.model import Problem, Value
from f2csp.solving import Limits, Result, Solution, Status, solve
from tests.small import small_problems, solutions

Assignment = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Question:
    """A problem, the limits of a search, and all its solutions."""

    problem: Problem
    limits: Limits
    solutions: list[dict[str, Value]]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables in which solutions must differ."""
        return self.problem.variable_names if self.limits.project_onto is None else self.limits.project_onto


@st.composite
def questions(draw: DrawFn) -> Question:
    """A small problem; one solution, some or all of them are wanted, over all variables or some, perhaps one twice."""
    problem = draw(small_problems())
    over = None
    if draw(st.booleans()):
        names = st.lists(st.sampled_from(problem.variable_names), max_size=5) if problem.n_variables else st.just([])
        over = tuple(draw(names))
    wanted = draw(st.none() | st.none() | st.integers(0, 5))
    workers = draw(st.sampled_from([1, 1, 2]))
    limits = Limits(solutions=wanted, project_onto=over, workers=workers, seed=draw(st.integers(0, 1 << 64)))
    return Question(problem, limits, solutions(problem))


def check_answer(engine: str, question: Question, *, use_structure: bool) -> None:
    """Run an engine, and check every part of its result."""
    seen: list[Solution] = []
    result = solve(
        question.problem, engine=engine, limits=question.limits, use_structure=use_structure, observer=seen.append
    )
    every = parts(question.solutions, question.problem.variable_names)
    found = parts(result.solutions, question.problem.variable_names)
    assert set(found) <= set(every)
    assert [dict(one) for one in seen] == [dict(one) for one in result.solutions]
    assert result.n_solutions == len(result.solutions)
    different = set(parts(question.solutions, question.names))
    found_different = parts(result.solutions, question.names)
    assert len(set(found_different)) == len(found_different)
    wanted = question.limits.solutions
    assert len(found) == (len(different) if wanted is None else min(wanted, len(different)))
    check_status(result, n_all=len(different), stops_early=wanted is not None and wanted <= len(different))
    assert result.engine == engine.partition(":")[0]


def check_status(result: Result, *, n_all: int, stops_early: bool) -> None:
    """The status follows from what was found; it is complete where the engine had to look at everything."""
    if result.n_solutions:
        assert result.status == Status.SATISFIABLE
    else:
        assert result.status == (Status.UNSATISFIABLE if result.is_complete else Status.UNKNOWN)
    assert result.is_complete or stops_early
    assert not result.is_complete or result.n_solutions == n_all


def parts(found: Iterable[Mapping[str, Value]], names: Iterable[str]) -> list[Assignment]:
    """The values of some variables in each solution."""
    chosen = tuple(names)
    return [tuple((name, one[name]) for name in chosen) for one in found]

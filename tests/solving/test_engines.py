"""One contract for all engines, with the structure of a problem and without."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from f2csp.diagnostics import MissingExtra, ProblemError
from f2csp.model import Problem, Value
from f2csp.puzzles.puzzle import cell_names
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import ENGINES, Limits, Result, Solution, Status, solve
from tests.small import problem_of, small_problems, solutions
from tests.strategies import examples

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
    name = engine.partition(":")[0]
    assert result.engine in ([one.name for one in ENGINES] if name == "auto" else [name])


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


pytestmark = [
    pytest.mark.parametrize("engine", [one.name for one in ENGINES if one.is_installed]),
    pytest.mark.parametrize("use_structure", [True, False], ids=["structure", "tables"]),
]


@given(question=questions())
@examples(50)
def test_an_engine_finds_what_brute_force_finds(engine: str, use_structure: bool, question: Question) -> None:
    check_answer(engine, question, use_structure=use_structure)


@given(question=questions())
@examples(20)
def test_no_time_is_no_answer_or_the_right_one(engine: str, use_structure: bool, question: Question) -> None:
    limits = replace(question.limits, seconds=0)
    result = solve(question.problem, engine=engine, limits=limits, use_structure=use_structure)
    if result.is_complete:
        assert (result.status == Status.SATISFIABLE) == bool(question.solutions)
    else:
        assert result.status == (Status.SATISFIABLE if result.n_solutions else Status.UNKNOWN)
    assert result.n_solutions <= len(question.solutions)


def test_the_empty_sudoku_of_four_has_288_solutions(engine: str, use_structure: bool) -> None:
    if engine == "milp":
        pytest.skip("an engine that begins again for each solution takes ten seconds")
    result = solve(to_problem(Sudoku(4, 2, 2)), engine=engine, solutions=None, use_structure=use_structure)
    assert result.is_complete
    assert len({tuple(solution.values()) for solution in result.solutions}) == result.n_solutions == 288


@pytest.mark.slow
def test_the_takuzu_of_six_has_4140_solutions_over_its_cells(engine: str, use_structure: bool) -> None:
    if engine in ("milp", "z3"):
        pytest.skip("an engine that begins again for each solution takes minutes")
    if not use_structure:
        pytest.skip("tables alone are shown by smaller problems")
    problem = to_problem(Takuzu(6, 6))
    result = solve(
        problem,
        engine=engine,
        solutions=None,
        project=cell_names(6, 6),
        use_structure=use_structure,
        keep_solutions=False,
    )
    assert (result.n_solutions, result.is_complete, result.solutions) == (4140, True, ())


def test_solutions_count_as_different_over_chosen_variables_that_nothing_follows_from(
    engine: str, use_structure: bool
) -> None:
    problem = problem_of({"D: a b c d e f g h i j": range(5)}, ("reject a b", [(i, i) for i in range(5)]))
    result = solve(problem, engine=engine, solutions=None, project=["b", "a"], use_structure=use_structure)
    assert (result.n_solutions, result.is_complete) == (20, True)


def test_what_an_observer_raises_comes_out(engine: str, use_structure: bool) -> None:
    def refuse(solution: Solution) -> None:
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        solve(to_problem(Sudoku(4, 2, 2)), engine=engine, use_structure=use_structure, observer=refuse)


def test_an_unknown_variable_is_refused(engine: str, use_structure: bool) -> None:
    with pytest.raises(ProblemError, match="no variable z"):
        solve(to_problem(Sudoku(4, 2, 2)), engine=engine, project=["z"], use_structure=use_structure)


def test_the_default_engine_needs_no_other_package(
    engine: str, use_structure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = to_problem(Sudoku(4, 2, 2))
    monkeypatch.setattr("f2csp.solving.registry.find_spec", lambda name: None)
    result = solve(problem, use_structure=use_structure)
    assert (result.engine, list(result.statistics.engines or ())) == ("search", ["search"])
    if engine not in ("auto", "search"):
        with pytest.raises(MissingExtra, match=r"f2csp\[(solve|smt)\]"):
            solve(problem, engine=engine, use_structure=use_structure)


@pytest.mark.parametrize("large", [1 << 31, (1 << 31) - 1, 1 << 40, (1 << 63) - 1, -(1 << 63)])
def test_a_table_of_large_values_keeps_its_solutions(engine: str, use_structure: bool, large: int) -> None:
    tuples = [(1, 0, large), (large, large, 0), (large, large, 1), (large, large, large)]
    problem = problem_of({"D: x y z": [0, 1, large]}, ("accept y z x", tuples))
    found = solve(problem, engine=engine, solutions=None, use_structure=use_structure)
    assert {(one["y"], one["z"], one["x"]) for one in found.solutions} == set(tuples)


@pytest.mark.parametrize("large", [3, 1 << 24, (1 << 24) + 1, (1 << 62) + 1])
def test_sums_and_differences_of_large_values(engine: str, use_structure: bool, large: int) -> None:
    domain = [0, 1, 2, large, -large]
    sums = [pair for pair in product(domain, repeat=2) if sum(pair) == large + 1]
    others = [(a, b) for a, b in product(domain, repeat=2) if a - b != large - 1]
    problem = problem_of({"D: x y": domain}, ("accept x y", sums), ("reject y x", others))
    found = solve(problem, engine=engine, solutions=None, use_structure=use_structure)
    assert found.solutions == ({"x": 1, "y": large},)

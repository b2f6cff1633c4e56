"""No step loses a solution: checked against all solutions, each found by the definition of the problem alone."""

import pytest
from hypothesis import given

import f2csp
from f2csp.model import Problem
from f2csp.puzzles import KINDS
from f2csp.reasoning.hints import Hint, steps_of
from tests.puzzles.strategies import small_options
from tests.small import small_problems, solutions
from tests.strategies import examples

OPTIONS = {kind: small_options(kind) for kind in KINDS} | {
    "sudoku": {"box": 3},
    "latin": {"size": 7},
    "futoshiki": {"size": 6},
    "jigsaw": {"size": 7},
    "diagonal": {"box": 2},
    "takuzu": {"size": 8},
    "kakuro": {"rows": 6},
    "nonogram": {"rows": 6},
}


def holds(step: Hint, solution: dict[str, object]) -> bool:
    is_placed = all(solution[name] == value for name, value in step.placed.items())
    return is_placed and not any(solution[name] in values for name, values in step.removed.items())


@examples(200)
@given(small_problems())
def test_all_solutions_of_a_small_problem_remain(problem: Problem):
    found = solutions(problem)
    *steps, last = steps_of(problem, unique=len(found) == 1)
    assert all(holds(step, solution) for step in steps for solution in found)
    assert last.has_solution or not found
    if last.sentence == "it is solved":
        assert found == [{**last.values}]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_steps_lead_to_the_solution_of_a_puzzle(kind: str, seed: int):
    problem = f2csp.generate(kind, seed=seed, minimal=True, **OPTIONS[kind])
    solution = f2csp.solve(problem).solution
    *steps, last = steps_of(problem)
    assert all(holds(step, solution) for step in steps)
    assert all(solution[name] == value for name, value in last.values.items())
    assert (last.sentence == "it is solved") == bool(f2csp.rate(problem))
    guessed = [*steps_of(problem, solution=solution)]
    assert guessed[-1].sentence == "it is solved"

"""Broken symmetries: by brute force, each class of solutions keeps one; published sizes; engines and their counters."""

from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import factorial
from random import Random

import pytest
from hypothesis import given

import f2csp
from f2csp import generate, symmetry
from f2csp.model import Problem, Value
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import solve
from f2csp.symmetry import interchangeable_values, without_symmetries
from tests.search.textbook import AUSTRALIA, colouring, reference
from tests.small import problem_of, small_problems, solutions
from tests.strategies import examples

Assignment = dict[str, Value]


def images(problem: Problem, solution: Assignment) -> Iterator[Assignment]:
    """The solution with the values of each class permuted."""
    found = [(variables, classes) for variables, classes in interchangeable_values(problem) if classes]
    words = problem.words
    ways = [permutations(words[i] for i in one) for _, classes in found for one in classes]
    for way in product(*ways):
        moves = iter(way)
        image = dict(solution)
        for variables, classes in found:
            swaps = {words[i]: word for one in classes for i, word in zip(one, next(moves), strict=True)}
            for name in (problem.variable_names[v] for v in variables):
                word = swaps.get(str(solution[name]), str(solution[name]))
                image[name] = int(word) if isinstance(solution[name], int) else word
        yield image


@examples(300)
@given(problem=small_problems())
def test_values_each_class_of_solutions_keeps_one(problem: Problem) -> None:
    every = solutions(problem)
    left = solutions(without_symmetries(problem, "values"))
    assert all(solution in every for solution in left)
    for solution in every:
        moved = list(images(problem, solution))
        assert all(image in every for image in moved)
        assert any(image in left for image in moved)


@examples(200)
@given(problem=small_problems())
def test_variables_each_class_of_solutions_keeps_one(problem: Problem) -> None:
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    ordered = without_symmetries(problem, "values")
    every, left = solutions(ordered), solutions(without_symmetries(problem))
    assert all(solution in every for solution in left)
    found = symmetry(ordered, "variables")
    reached = list(left)
    for solution in reached:
        moved = (found.image(generator, solution) for generator in found.generators)
        reached += [image for image in moved if image not in reached]
    assert len(reached) == len(every)


def classes_of(problem: Problem) -> list[list[str]]:
    return [[problem.words[i] for i in one] for _, classes in interchangeable_values(problem) for one in classes]


def test_values_that_can_be_swapped() -> None:
    """Not the one that a table tells from the others, nor those of a variable that nothing connects."""
    different = [(i, i) for i in range(1, 5)]
    problem = problem_of({"D: x y z": range(1, 5)}, ("reject x y", different), ("reject x", [(3,)]))
    assert classes_of(problem) == [["1", "2", "4"]]
    assert classes_of(generate("queens", size=5)) == []


def test_parts_of_a_problem_have_values_of_their_own() -> None:
    rows = [(1, 2), (1, 3), (2, 3)]
    same = [(i, i) for i in (1, 2, 3)]
    problem = problem_of({"D: a b x y": [1, 2, 3]}, ("accept a b", rows), ("reject x y", same))
    assert classes_of(problem) == [["1", "2", "3"]]
    assert len(solutions(without_symmetries(problem, "values"))) == 3  # x is 1 and y is 2


@pytest.mark.parametrize(("n", "every"), [(3, 12), (4, 576)])
def test_values_of_a_row_of_a_latin_square(n: int, every: int) -> None:
    left = without_symmetries(to_problem(LatinSquare(n)), "values")
    assert solve(left, solutions=None).n_solutions == every // factorial(n)


@pytest.mark.parametrize("engine", ["search", "sat", "cpsat", "auto"])
def test_pigeonholes_and_cliques_need_no_search(engine: str) -> None:
    if not next(one for one in f2csp.engines() if one.name == engine).is_installed:
        pytest.skip("the engine is not installed")
    assert solve(generate("pigeonhole", pigeons=30, holes=29), engine=engine).status == "unsatisfiable"
    edges = [f"v{i:02} v{k:02}" for i, k in combinations(range(20), 2)]
    assert solve(colouring(19, *edges), engine=engine).status == "unsatisfiable"
    assert solve(colouring(20, *edges), engine=engine).status == "satisfiable"


def test_search_of_a_comparison_of_sets_that_differ() -> None:
    problem = f2csp.read(reference("xcsp3/c_comparisaon_alldiff.xml"))
    found = solve(problem, engine="search")
    assert (found.status, found.statistics.nodes) == ("unsatisfiable", 1)


def test_counted_assignments_and_traces_are_those_of_textbooks() -> None:
    """Where one solution is asked for; and values are never swapped where more are."""
    pigeons = generate("pigeonhole", pigeons=5, holes=4)
    broken, counted = (solve(pigeons, engine=f"search:counted={which}").statistics for which in ("choices", "all"))
    assert broken.nodes == 1
    assert counted.nodes is not None
    assert counted.nodes > 1
    steps: list[object] = []
    solve(pigeons, engine="search", trace=steps.append)
    assert len(steps) > 10
    assert solve(AUSTRALIA, solutions=None).n_solutions == 18
    assert not f2csp.unique(AUSTRALIA)


def test_boolean_pigeonholes_by_clauses() -> None:
    """Pigeons and holes are variables here, which only the graph of the problem tells."""
    pytest.importorskip("pynauty", reason="the extra 'symmetry' is not installed")
    names = [[f"x{i}-{k}" for k in range(4)] for i in range(5)]
    rows = [(f"reject {' '.join(row)}", [(0, 0, 0, 0)]) for row in names]
    columns = [(f"reject {one[k]} {other[k]}", [(1, 1)]) for one, other in combinations(names, 2) for k in range(4)]
    problem = problem_of({f"D: {' '.join(name for row in names for name in row)}": [0, 1]}, *rows, *columns)
    broken = without_symmetries(problem)
    assert broken.n_constraints > problem.n_constraints
    assert not solve(broken, engine="search")
    relaxed = problem.without(problem.label(0))  # a pigeon may stay outside
    assert solve(without_symmetries(relaxed), engine="search")


def test_tables_that_are_too_large_for_a_graph_are_solved() -> None:
    rows = Random(1).sample(list(product(range(40), repeat=3)), 25_000)
    problem = problem_of({"D: x y z": range(40)}, ("accept x y z", rows))
    assert solve(without_symmetries(problem), engine="search")

"""Sudoku modelled in four packages of Python, as their users model it; prints the solution of each puzzle of a file.

python sudoku_models.py cpsat puzzles.txt

A line of the file is a puzzle: the values of its cells, row by row, with 0 for a blank.
"""

import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from math import isqrt
from pathlib import Path


def groups(n: int) -> Iterator[list[int]]:
    """The cells of each row, column and box, numbered row by row."""
    root = isqrt(n)
    for i in range(n):
        yield [i * n + j for j in range(n)]
        yield [j * n + i for j in range(n)]
        top, left = i // root * root, i % root * root
        yield [(top + j // root) * n + left + j % root for j in range(n)]


def cpsat(n: int, givens: list[int]) -> list[int]:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [model.new_int_var(given or 1, given or n, f"x{i}") for i, given in enumerate(givens)]
    for group in groups(n):
        model.add_all_different([cells[i] for i in group])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 2
    assert solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return [solver.value(cell) for cell in cells]


def constraint(n: int, givens: list[int]) -> list[int]:
    from constraint import AllDifferentConstraint, Problem

    model = Problem()
    for i, given in enumerate(givens):
        model.addVariable(i, [given] if given else list(range(1, n + 1)))
    for group in groups(n):
        model.addConstraint(AllDifferentConstraint(), group)
    solution = model.getSolution()
    return [solution[i] for i in range(n * n)]


def pysat(n: int, givens: list[int]) -> list[int]:
    from pysat.solvers import Cadical195

    with Cadical195() as solver:
        for i, given in enumerate(givens):
            names = range(i * n + 1, (i + 1) * n + 1)
            solver.add_clause([names[given - 1]] if given else list(names))
            for pair in combinations(names, 2):
                solver.add_clause([-name for name in pair])
        for group in groups(n):
            for i, j in combinations(group, 2):
                for value in range(1, n + 1):
                    solver.add_clause([-(i * n + value), -(j * n + value)])
        assert solver.solve()
        return [(name - 1) % n + 1 for name in solver.get_model() if name > 0]


def pycsp3(n: int, givens: list[int]) -> list[int]:
    from pycsp3 import ACE, AllDifferent, VarArray, satisfy, solve, values

    cells = VarArray(size=n * n, dom=range(1, n + 1), id="x")
    satisfy(
        [AllDifferent(cells[i] for i in group) for group in groups(n)],
        [cells[i] == given for i, given in enumerate(givens) if given],
    )
    solve(solver=ACE)
    return list(values(cells))


MODELS: dict[str, Callable[[int, list[int]], list[int]]] = {
    "constraint": constraint,
    "cpsat": cpsat,
    "pycsp3": pycsp3,
    "pysat": pysat,
}


def main() -> None:
    _, name, path = sys.argv
    del sys.argv[1:]  # pycsp3 reads them
    for line in Path(path).read_text().splitlines():
        givens = [int(word) for word in line.split()]
        n = isqrt(len(givens))
        values = MODELS[name](n, givens)
        assert all(given in (0, value) for given, value in zip(givens, values, strict=True))
        assert all({values[i] for i in group} == set(range(1, n + 1)) for group in groups(n))
        print("solution", *values)


if __name__ == "__main__":
    main()

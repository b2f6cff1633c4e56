"""Sums travel beside their tables: engines that read them find the solutions of the tables, also after changes."""

import pickle
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, product

import numpy as np
import pytest

from f2csp.diagnostics import Source
from f2csp.formats.xcsp3 import lowering, read
from f2csp.generation.kinds import generate
from f2csp.model import Problem, ProblemBuilder
from f2csp.model.words import is_auxiliary
from f2csp.puzzles.cages import Cage
from f2csp.puzzles.killer import Killer
from f2csp.puzzles.puzzle import Cell
from f2csp.puzzles.takuzu import Takuzu
from f2csp.puzzles.to_problem import to_problem
from f2csp.solving import solve
from f2csp.solving.questions import Solution
from f2csp.structure import ConstraintModel, known_sums, recover, with_sums

ENGINES = ("cpsat", "z3", "milp")
OPERATORS = ("eq", "le", "ge", "lt", "gt", "ne")


def without_sums(problem: Problem) -> Problem:
    return replace(problem, sums=(), is_checked=True)


def modelled(problem: Problem) -> ConstraintModel:
    return with_sums(recover(problem), np.arange(problem.n_variables))


def holds(problem: Problem, row: Sequence[int]) -> bool:
    """Whether the sums of a problem are in their ranges, given the words of all variables."""
    for known in problem.sums:
        pairs = zip(known.variables, known.terms, strict=True)
        added = [dict(zip(term.words.tolist(), term.weights.tolist(), strict=True))[row[i]] for i, term in pairs]
        totals = [0, *accumulate(added)]
        if not all(any(low <= totals[n] <= high for low, high in ranges) for n, ranges in known.ranges):
            return False
    return True


def weighted(draws: random.Random) -> Problem:
    """Some weighted sums or counts of four variables, read from XCSP3."""
    values = draws.choice(["0..3", "1..5", "-2 0 1 7"])
    parts = []
    for _ in range(draws.randint(1, 2)):
        factors = " ".join(str(draws.choice([-3, -1, 1, 1, 2, 5])) for _ in range(5))
        limit = draws.randint(0, 12)
        condition = draws.choice([*[f"({name},{limit})" for name in OPERATORS], f"(in,{{1,{limit + 2},30}})"])
        coefficients = f"<coeffs> {factors} </coeffs>" if draws.random() < 0.7 else ""
        parts.append(f"<sum><list> x[] </list>{coefficients}<condition> {condition} </condition></sum>")
    text = (
        f'<variables><array id="x" size="[5]"> {values} </array></variables><constraints>{"".join(parts)}</constraints>'
    )
    return read(Source("test", f'<instance format="XCSP3" type="CSP">{text}</instance>'.encode()))


def killer(draws: random.Random) -> Problem:
    cells = [Cell(row, column) for row in range(1, 5) for column in range(1, 5)]
    first, second = sorted(draws.sample(cells[:4], 3)), sorted(draws.sample(cells[8:12], 3))
    return to_problem(Killer(4, 2, 2, (Cage(draws.randint(6, 9), tuple(first)), Cage(7, tuple(second)))))


def takuzu(draws: random.Random) -> Problem:
    return to_problem(Takuzu(4, draws.choice([4, 5])))


def magic(_: random.Random) -> Problem:
    return generate("magic", size=3)


@pytest.fixture(autouse=True)
def chains_of_all_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of a few small variables become chains, too."""
    monkeypatch.setattr(lowering, "_MAX_TRIED", 10)
    monkeypatch.setattr(lowering, "_MAX_WORDS", 0)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("is_in_digits", [False, True])
def test_a_sum_holds_where_its_tables_hold(seed: int, is_in_digits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_in_digits:
        monkeypatch.setattr(lowering, "_SHARE", 1 << 60)
    problem = weighted(random.Random(seed))
    own = [i for i, name in enumerate(problem.variable_names) if not is_auxiliary(name)]
    words = [problem.domain_values[domain].tolist() for domain in problem.variable_domains[own].tolist()]
    found = solve(
        without_sums(problem), engine="search", solutions=None, project=[problem.variable_names[i] for i in own]
    )
    allowed = {tuple(problem.words.index(str(one[problem.variable_names[i]])) for i in own) for one in found.solutions}
    n_with_sums = sum(row in allowed for row in product(*words) if holds(problem, row))
    assert n_with_sums == len(allowed) == found.n_solutions or not problem.sums
    assert all(holds(problem, row) for row in allowed)


@pytest.mark.parametrize("make", [killer, takuzu, magic])
@pytest.mark.parametrize("seed", range(3))
def test_the_sums_of_puzzles_hold_where_their_tables_hold(make: Callable[[random.Random], Problem], seed: int) -> None:
    """Each chain alone: its tables, with all values of its variables."""
    problem = make(random.Random(seed))
    assert problem.sums
    for known in problem.sums:
        labels = [problem.label(i) for i in range(problem.n_constraints) if i not in known.constraints]
        alone = problem.without(*labels)
        (moved,) = alone.sums
        names = [problem.variable_names[i] for i in known.variables]
        found = solve(without_sums(alone), engine="search", solutions=None, project=names)
        assert found.is_complete
        allowed = {tuple(one[name] for name in names) for one in found.solutions}
        domains = [problem.variables[name].domain.values for name in names]
        row = [0] * problem.n_variables
        for values in product(*domains):
            for i, value in zip(moved.variables, values, strict=True):
                row[i] = problem.words.index(str(value))
            assert holds(alone, row) == (values in allowed)


def rows(solutions: Sequence[Solution]) -> set[tuple[object, ...]]:
    return {tuple(one.items()) for one in solutions}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("make", [weighted, killer])
def test_engines_find_the_solutions_of_the_tables(
    engine: str, make: Callable[[random.Random], Problem], seed: int
) -> None:
    problem = make(random.Random(seed))
    own = [name for name in problem.variable_names if not is_auxiliary(name)]
    states = [problem.variable_names[state] for known in problem.sums for state in known.states][:1]
    for projection in (None, own[:4], [*own[1:4], *states]):
        some = solve(without_sums(problem), engine="search", solutions=6, project=projection)
        found = solve(problem, engine=engine, solutions=6, project=projection)
        assert (found.n_solutions, found.is_complete) == (some.n_solutions, some.is_complete)
    expected = solve(without_sums(problem), engine="search", solutions=None)
    assert rows(solve(problem, engine="cpsat", solutions=None).solutions) == rows(expected.solutions)


@pytest.mark.parametrize("seed", range(4))
def test_changed_problems_have_the_solutions_of_their_tables(seed: int) -> None:
    draws = random.Random(seed)
    problem = killer(draws)
    state = problem.variables[problem.sums[0].states[0]]
    cell, value = problem.variables[problem.sums[0].variables[0]], draws.choice(state.domain.values)
    label = problem.label(problem.sums[1].constraints[0])
    changed = {
        "restricted cell": problem.restricted({cell.name: draws.randint(1, 4)}),
        "restricted state": problem.restricted({state.name: value}),
        "constraint on a state": problem.with_constraint([state.name, cell.name], reject=[(value, 1)]),
        "without a table of a chain": problem.without(label),
        "without what differs": problem.without(*[f"C{i}" for i in range(1, 9)]),
        "renamed": problem.renamed({cell.name: "first"}, title="Other"),
        "rebuilt": problem.to_builder().build(),
        "pickled": pickle.loads(pickle.dumps(problem)),
    }
    n_sums = {name: len(modelled(other).sums) for name, other in changed.items()}
    fewer = {"restricted state": 1, "constraint on a state": 1, "without a table of a chain": 1}
    assert n_sums == dict.fromkeys(changed, 2) | fewer
    for other in changed.values():
        limits = {"solutions": 3000, "project": other.variable_names[:16]}
        expected = solve(without_sums(other), engine="search", **limits)
        found = solve(other, engine="cpsat", **limits)
        assert found.n_solutions == expected.n_solutions
        if found.is_complete:
            assert rows(found.solutions) == rows(expected.solutions)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("make", [weighted, killer, magic])
def test_sums_are_found_in_the_tables_of_a_file(make: Callable[[random.Random], Problem], seed: int) -> None:
    """What is found has the solutions of its chain; it is found where partial sums are the values of the states."""
    problem = without_sums(make(random.Random(seed)))
    sums = known_sums(problem)
    assert make is weighted or sums
    for known in sums:
        labels = [problem.label(i) for i in range(problem.n_constraints) if i not in known.constraints]
        alone = replace(problem.without(*labels), sums=(known,), is_checked=True)
        names = [problem.variable_names[i] for i in known.variables]
        found = solve(without_sums(alone), engine="search", solutions=None, project=names)
        allowed = {tuple(one[name] for name in names) for one in found.solutions}
        row = [0] * problem.n_variables
        for values in product(*[problem.variables[name].domain.values for name in names]):
            for i, value in zip(known.variables, values, strict=True):
                row[i] = problem.words.index(str(value))
            assert holds(alone, row) == (values in allowed)


def test_a_chain_that_is_no_sum_stays_tables() -> None:
    builder = ProblemBuilder("Products")
    for name in ("x", "y", "z", "u", "s", "t"):
        builder.domain(f"D{name}", range(1, 4) if name > "t" else range(1, 28))
        builder.variable(name, f"D{name}")
    builder.accept(["x", "y", "s"], lambda x, y, s: x * y == s)
    builder.accept(["s", "z", "t"], lambda s, z, t: s * z == t)
    builder.accept(["t", "u"], lambda t, u: t * u == 6)
    assert known_sums(builder.build()) == ()

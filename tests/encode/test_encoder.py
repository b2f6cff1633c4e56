"""Problems as clauses: their models, with all auxiliary literals, one to one with the solutions from the definition."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from f2csp.diagnostics import Unsuitable
from f2csp.encode import Cnf, Encoding, EncodingMethod, encode, literals_of
from f2csp.encode.cnf import MAX_LITERALS, CnfBuilder
from f2csp.encode.encoder import MAX_PAIRWISE, at_most_one, parity
from f2csp.model import Problem, Value
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.structure import raw_model, recover
from tests.small import problem_of, small_problems, solutions

WAYS = [(method, has_structure) for method in EncodingMethod for has_structure in (False, True)]


def clauses(cnf: Cnf) -> list[list[int]]:
    """All clauses."""
    return [clause for block in cnf.blocks for clause in block.tolist()]


def models(cnf: Cnf, n_literals: int = 0) -> list[list[int]]:
    """All assignments under which all clauses hold, to all literals of these and to so many first ones at least."""
    with Minisat22(clauses(cnf)) as solver:
        for literal in range(1, n_literals + 1):
            solver.add_clause([literal, -literal])
        return list(solver.enum_models())


def encoded(problem: Problem, method: EncodingMethod, *, has_structure: bool) -> Encoding:
    return encode(recover(problem) if has_structure else raw_model(problem), method)


def solutions_of(encoding: Encoding, problem: Problem) -> list[dict[str, Value]]:
    found = []
    for model in models(encoding.cnf, encoding.cnf.n_literals):
        words = [problem.words[word] for word in encoding.literals.words_in(model)]
        found.append(dict(zip(problem.variable_names, words, strict=True)))
    return found


def in_order(found: Sequence[dict[str, Value]]) -> list[list[tuple[str, str]]]:
    return sorted([(name, str(value)) for name, value in one.items()] for one in found)


@pytest.mark.parametrize(("method", "has_structure"), WAYS)
@given(problem=small_problems())
def test_models_are_the_solutions_one_to_one(method: EncodingMethod, has_structure: bool, problem: Problem) -> None:
    encoding = encoded(problem, method, has_structure=has_structure)
    assert in_order(solutions_of(encoding, problem)) == in_order(solutions(problem))


@pytest.mark.parametrize(("method", "has_structure"), WAYS)
@given(problem=small_problems())
def test_all_literals_are_used_and_there_are_no_others(
    method: EncodingMethod, has_structure: bool, problem: Problem
) -> None:
    cnf = encoded(problem, method, has_structure=has_structure).cnf
    used = {abs(literal) for clause in clauses(cnf) for literal in clause}
    literals = literals_of(problem)
    free = set(literals.first[:-1][~literals.has_own].tolist())  # over 0 and 1
    assert used | free == set(range(1, cnf.n_literals + 1))
    assert all(block.dtype == np.int32 and len(block) for block in cnf.blocks)
    assert cnf.n_clauses == len(clauses(cnf))


@given(problem=small_problems())
def test_literals_of_values_are_numbered_through_the_domains(problem: Problem) -> None:
    literals = encode(raw_model(problem)).literals
    pairs = [(i, word) for i, variable in enumerate(problem.variables) for word in variable.domain.words]
    found = zip(literals.variables.tolist(), literals.words.tolist(), strict=True)
    assert [(variable, problem.words[word]) for variable, word in found] == pairs
    last, expected = 0, []
    for variable in problem.variables:
        words = variable.domain.words
        is_bit = sorted(words) == ["0", "1"]
        expected += (
            [last + 1 if w == "1" else -last - 1 for w in words] if is_bit else range(last + 1, last + 1 + len(words))
        )
        last += 1 if is_bit else len(words)
    assert literals.values.tolist() == expected
    assert literals.first[-1] == last + 1


def test_a_variable_over_0_and_1_is_one_literal() -> None:
    constraints = [("reject x y z", [(1, 0, 1)]), ("accept x y", [(0, 0), (0, 1), (1, 1)]), ("accept z", [(1,)])]
    problem = problem_of({"bit: x y z": [1, 0]}, *constraints)
    for method in EncodingMethod:
        assert set(map(tuple, clauses(encode(raw_model(problem), method).cnf))) == {(-1, 2, -3), (-1, 2), (3,)}


def pair(*constraints: tuple[str, Sequence[Any]], variables: str = "x y", n_values: int = 3) -> Problem:
    """Variables with the values 0 to 2, or as many as are asked for."""
    return problem_of({f"D: {variables}": range(n_values)}, *constraints)


def written(problem: Problem, method: EncodingMethod, *, has_structure: bool = False) -> set[tuple[int, ...]]:
    """The clauses besides those that give each variable one value."""
    blank = set(map(tuple, clauses(encode(raw_model(pair())).cnf)))
    found = clauses(encoded(problem, method, has_structure=has_structure).cnf)
    return {tuple(sorted(clause)) for clause in found if tuple(clause) not in blank}


def test_a_rejected_tuple_is_a_clause() -> None:
    problem = pair(("reject y x", [(0, 1), (2, 2)]))
    for method in EncodingMethod:
        assert written(problem, method) == {(-4, -2), (-6, -3)}


def test_rejecting_almost_all_is_still_a_clause_for_each_tuple_where_that_is_asked_for() -> None:
    rejected = [(x, y) for x in range(5) for y in range(5) if x or y]
    problem = pair(("reject x y", rejected), n_values=5)
    found = set(map(tuple, clauses(encode(raw_model(problem), method=EncodingMethod.DIRECT).cnf)))
    assert found >= {(-1 - x, -6 - y) for x, y in rejected}
    assert (-2,) not in found
    assert (-2,) in set(map(tuple, clauses(encode(raw_model(problem), method=EncodingMethod.SUPPORT).cnf)))


def test_what_is_not_accepted_is_a_clause_where_that_is_asked_for() -> None:
    problem = pair(("accept x y", [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]))
    assert written(problem, EncodingMethod.DIRECT) == written(problem, EncodingMethod.SUPPORT) == {(-6, -3)}


def test_a_value_needs_its_supports() -> None:
    problem = pair(("accept x y", [(0, 0), (0, 1), (1, 1)]))
    assert written(problem, EncodingMethod.SUPPORT) == {(-3,), (-6,), (-1, 4, 5), (-2, 5), (-4, 1), (-5, 1, 2)}


@pytest.mark.parametrize("has_structure", [False, True])
def test_a_table_that_never_holds_is_an_empty_clause(has_structure: bool) -> None:
    assert () in written(pair(("accept x y", [])), EncodingMethod.SUPPORT, has_structure=has_structure)


def test_more_variables_than_values_are_an_empty_clause() -> None:
    tables = [(f"reject {scope}", [(0, 0), (1, 1)]) for scope in ("x y", "y z", "x z")]
    problem = pair(*tables, variables="x y z", n_values=2)
    assert () in written(problem, EncodingMethod.SUPPORT, has_structure=True)
    assert () not in written(problem, EncodingMethod.SUPPORT)


@pytest.mark.parametrize(
    ("constraints", "expected"),
    [
        ([("reject x", [(1,)]), ("accept y", [(2,)])], {(-2,), (-4,), (-5,), (1, 3), (6,)}),
        (
            [("accept x", [(2,)]), ("reject x y", [(value, value) for value in range(3)])],
            {(-1,), (-2,), (3,), (-6,), (4, 5)},
        ),
    ],
    ids=["excluded by unary constraints", "taken by another variable"],
)
def test_values_that_are_excluded_are_unit_clauses(
    constraints: list[tuple[str, Sequence[Any]]], expected: set[tuple[int, ...]]
) -> None:
    assert written(pair(*constraints), EncodingMethod.SUPPORT, has_structure=True) == expected


def test_a_clique_has_each_value_where_it_needs_all() -> None:
    problem = to_problem(Sudoku(9, 3, 3))
    wide = [
        clause
        for clause in clauses(encoded(problem, EncodingMethod.SUPPORT, has_structure=True).cnf)
        if len(clause) == 9
    ]
    assert len(wide) == len(set(map(tuple, wide))) == 81 + 27 * 9


def test_no_table_becomes_more_clauses_than_it_is_long() -> None:
    tables = ("accept u v w x y z", [range(6), range(2, 8)]), ("reject u v w", [(1, 2, 3)]), ("accept u v", [(1, 2)])
    problem = pair(*tables, variables="u v w x y z", n_values=1000)
    for method in EncodingMethod:
        for has_structure in (False, True):
            cnf = encoded(problem, method, has_structure=has_structure).cnf
            assert sum(block.size for block in cnf.blocks) < 6 * 1000 * 12


def test_there_are_no_more_literals_than_solvers_have() -> None:
    cnf = CnfBuilder(MAX_LITERALS)
    with pytest.raises(Unsuitable, match="2147483647 literals"):
        cnf.new(1)


# ---- At most one literal, and parities -------------------------------------------------------------------------------


def at_most_one_of(n_groups: int, n: int) -> CnfBuilder:
    cnf = CnfBuilder(n_groups * n)
    at_most_one(np.arange(1, n_groups * n + 1, dtype=np.int32).reshape(n_groups, n), cnf)
    return cnf


@pytest.mark.parametrize("n", [*range(1, 2 * MAX_PAIRWISE + 4), 120, 130])
def test_the_models_have_one_literal_or_none(n: int) -> None:
    cnf = at_most_one_of(1, n)
    found = [tuple(literal for literal in model[:n] if literal > 0) for model in models(cnf.take(), n)]
    assert sorted(found) == [(), *((literal,) for literal in range(1, n + 1))]


@pytest.mark.parametrize("n", [2, MAX_PAIRWISE + 1, 17])
def test_groups_do_not_touch_one_another(n: int) -> None:
    assert len(models(at_most_one_of(2, n).take(), 2 * n)) == (n + 1) ** 2


@pytest.mark.parametrize("n", [36, 100, 1000])
def test_there_are_few_clauses_and_few_literals_in_them(n: int) -> None:
    cnf = at_most_one_of(3, n).take()
    assert cnf.n_clauses <= 3 * (2 * n + 12 * n**0.5)
    assert sum(block.size for block in cnf.blocks) <= 3 * 9 * n


@pytest.mark.parametrize("odd", [0, 1])
@pytest.mark.parametrize("n", range(1, 11))
def test_the_models_have_the_parity(n: int, odd: int) -> None:
    cnf = CnfBuilder(n)
    parity(np.arange(1, n + 1, dtype=np.int32)[None, :], odd, cnf)
    found = sorted(tuple(int(literal > 0) for literal in model[:n]) for model in models(cnf.take()))
    assert found == [bits for bits in product((0, 1), repeat=n) if sum(bits) % 2 == odd]


def test_a_long_parity_is_cut() -> None:
    cnf = CnfBuilder(200)
    parity(np.arange(1, 201, dtype=np.int32).reshape(2, 100), 1, cnf)
    taken = cnf.take()
    assert taken.n_clauses <= 2 * 8 * 50
    assert max(block.shape[1] for block in taken.blocks) == 4


# ---- Comparisons by order literals -----------------------------------------------------------------------------------

numbers = st.lists(st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(0, 9), min_size=1, max_size=7, unique=True)


@given(numbers, numbers, st.booleans())
def test_the_models_are_the_pairs_in_order(first: list[int], second: list[int], or_equal: bool) -> None:
    pairs = [(a, b) for a, b in product(first, second) if a < b or (or_equal and a == b)]
    problem = problem_of({"D: a": first, "E: b": second}, ("accept a b", pairs))
    found = solutions_of(encoded(problem, EncodingMethod.ORDER, has_structure=True), problem)
    assert sorted((int(str(one["a"])), int(str(one["b"]))) for one in found) == sorted(pairs)


def test_clauses_are_as_many_as_values() -> None:
    ascending = [(a, b) for a in range(100) for b in range(a + 1, 100)]
    problem = problem_of({"D: a b c": range(100)}, ("accept a b", ascending), ("accept b c", ascending))
    cnf = encode(recover(problem), EncodingMethod.ORDER).cnf
    assert cnf.n_clauses < 3 * (4 + 4) * 100
    assert max(block.shape[1] for block in cnf.blocks) == 100  # some value

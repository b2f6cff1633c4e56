"""Problems as clauses: their models, with all auxiliary literals, one to one with the solutions from the definition."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.encode import Cnf, Encoding, EncodingMethod, encode, literals_of
from f2csp.encode.cnf import CnfBuilder
from f2csp.encode.encoder import MAX_PAIRWISE, at_most_one, parity
from f2csp.model import Problem, Value
from f2csp.structure import raw_model, recover
from tests.small import problem_of, small_problems, solutions

WAYS = [(method, has_structure) for method in EncodingMethod for has_structure in (False, True)]


def clauses(cnf: Cnf) -> list[list[int]]:
    """All clauses."""
    return [clause for block in cnf.blocks for clause in block.tolist()]


def models(cnf: Cnf, n_literals: int = 0) -> list[list[int]]:
    """All assignments under which all clauses hold, to all literals of these and to so many first ones at least."""
    minisat = pytest.importorskip("pysat.solvers").Minisat22
    with minisat(clauses(cnf)) as solver:
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


def test_no_table_becomes_more_clauses_than_it_is_long() -> None:
    tables = ("accept u v w x y z", [range(6), range(2, 8)]), ("reject u v w", [(1, 2, 3)]), ("accept u v", [(1, 2)])
    problem = pair(*tables, variables="u v w x y z", n_values=1000)
    for method in EncodingMethod:
        for has_structure in (False, True):
            cnf = encoded(problem, method, has_structure=has_structure).cnf
            assert sum(block.size for block in cnf.blocks) < 6 * 1000 * 12


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


@pytest.mark.parametrize("odd", [0, 1])
@pytest.mark.parametrize("n", range(1, 11))
def test_the_models_have_the_parity(n: int, odd: int) -> None:
    cnf = CnfBuilder(n)
    parity(np.arange(1, n + 1, dtype=np.int32)[None, :], odd, cnf)
    found = sorted(tuple(int(literal > 0) for literal in model[:n]) for model in models(cnf.take()))
    assert found == [bits for bits in product((0, 1), repeat=n) if sum(bits) % 2 == odd]


# ---- Comparisons by order literals -----------------------------------------------------------------------------------

numbers = st.lists(st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(0, 9), min_size=1, max_size=7, unique=True)


@given(numbers, numbers, st.booleans())
def test_the_models_are_the_pairs_in_order(first: list[int], second: list[int], or_equal: bool) -> None:
    pairs = [(a, b) for a, b in product(first, second) if a < b or (or_equal and a == b)]
    problem = problem_of({"D: a": first, "E: b": second}, ("accept a b", pairs))
    found = solutions_of(encoded(problem, EncodingMethod.ORDER, has_structure=True), problem)
    assert sorted((int(str(one["a"])), int(str(one["b"]))) for one in found) == sorted(pairs)

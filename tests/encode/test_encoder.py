"""Problems as clauses: their models, with all auxiliary literals, one to one with the solutions from the definition."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from f2csp.diagnostics import Unsuitable
from f2csp.encode import Encoding, Method, encode, literals_of
from f2csp.encode.cnf import MAX_LITERALS, CnfBuilder
from f2csp.model import Problem, Value
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_problem
from f2csp.structure import raw_model, recover
from tests.encode.cnf_models import clauses, models
from tests.small import problem_of, small_problems, solutions

WAYS = [(method, has_structure) for method in Method for has_structure in (False, True)]


def encoded(problem: Problem, method: Method, *, has_structure: bool) -> Encoding:
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
def test_models_are_the_solutions_one_to_one(method: Method, has_structure: bool, problem: Problem) -> None:
    encoding = encoded(problem, method, has_structure=has_structure)
    assert in_order(solutions_of(encoding, problem)) == in_order(solutions(problem))


@pytest.mark.parametrize(("method", "has_structure"), WAYS)
@given(problem=small_problems())
def test_all_literals_are_used_and_there_are_no_others(method: Method, has_structure: bool, problem: Problem) -> None:
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
    for method in Method:
        assert set(map(tuple, clauses(encode(raw_model(problem), method).cnf))) == {(-1, 2, -3), (-1, 2), (3,)}


def pair(*constraints: tuple[str, Sequence[Any]], variables: str = "x y", n_values: int = 3) -> Problem:
    """Variables with the values 0 to 2, or as many as are asked for."""
    return problem_of({f"D: {variables}": range(n_values)}, *constraints)


def written(problem: Problem, method: Method, *, has_structure: bool = False) -> set[tuple[int, ...]]:
    """The clauses besides those that give each variable one value."""
    blank = set(map(tuple, clauses(encode(raw_model(pair())).cnf)))
    found = clauses(encoded(problem, method, has_structure=has_structure).cnf)
    return {tuple(sorted(clause)) for clause in found if tuple(clause) not in blank}


def test_a_rejected_tuple_is_a_clause() -> None:
    problem = pair(("reject y x", [(0, 1), (2, 2)]))
    for method in Method:
        assert written(problem, method) == {(-4, -2), (-6, -3)}


def test_rejecting_almost_all_is_still_a_clause_for_each_tuple_where_that_is_asked_for() -> None:
    rejected = [(x, y) for x in range(5) for y in range(5) if x or y]
    problem = pair(("reject x y", rejected), n_values=5)
    found = set(map(tuple, clauses(encode(raw_model(problem), method=Method.DIRECT).cnf)))
    assert found >= {(-1 - x, -6 - y) for x, y in rejected}
    assert (-2,) not in found
    assert (-2,) in set(map(tuple, clauses(encode(raw_model(problem), method=Method.SUPPORT).cnf)))


def test_what_is_not_accepted_is_a_clause_where_that_is_asked_for() -> None:
    problem = pair(("accept x y", [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]))
    assert written(problem, Method.DIRECT) == written(problem, Method.SUPPORT) == {(-6, -3)}


def test_a_value_needs_its_supports() -> None:
    problem = pair(("accept x y", [(0, 0), (0, 1), (1, 1)]))
    assert written(problem, Method.SUPPORT) == {(-3,), (-6,), (-1, 4, 5), (-2, 5), (-4, 1), (-5, 1, 2)}


@pytest.mark.parametrize("has_structure", [False, True])
def test_a_table_that_never_holds_is_an_empty_clause(has_structure: bool) -> None:
    assert () in written(pair(("accept x y", [])), Method.SUPPORT, has_structure=has_structure)


def test_more_variables_than_values_are_an_empty_clause() -> None:
    tables = [(f"reject {scope}", [(0, 0), (1, 1)]) for scope in ("x y", "y z", "x z")]
    problem = pair(*tables, variables="x y z", n_values=2)
    assert () in written(problem, Method.SUPPORT, has_structure=True)
    assert () not in written(problem, Method.SUPPORT)


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
    assert written(pair(*constraints), Method.SUPPORT, has_structure=True) == expected


def test_a_clique_has_each_value_where_it_needs_all() -> None:
    problem = to_problem(Sudoku(9, 3, 3))
    wide = [clause for clause in clauses(encoded(problem, Method.SUPPORT, has_structure=True).cnf) if len(clause) == 9]
    assert len(wide) == len(set(map(tuple, wide))) == 81 + 27 * 9


def test_no_table_becomes_more_clauses_than_it_is_long() -> None:
    tables = ("accept u v w x y z", [range(6), range(2, 8)]), ("reject u v w", [(1, 2, 3)]), ("accept u v", [(1, 2)])
    problem = pair(*tables, variables="u v w x y z", n_values=1000)
    for method in Method:
        for has_structure in (False, True):
            cnf = encoded(problem, method, has_structure=has_structure).cnf
            assert sum(block.size for block in cnf.blocks) < 6 * 1000 * 12


def test_there_are_no_more_literals_than_solvers_have() -> None:
    cnf = CnfBuilder(MAX_LITERALS)
    with pytest.raises(Unsuitable, match="2147483647 literals"):
        cnf.new(1)

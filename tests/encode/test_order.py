"""Comparisons by order literals, against numbers compared."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from f2csp.encode import Method, encode
from f2csp.structure import recover
from tests.encode.cnf_models import models
from tests.small import problem_of

numbers = st.lists(st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(0, 9), min_size=1, max_size=7, unique=True)


@given(numbers, numbers, st.booleans())
def test_the_models_are_the_pairs_in_order(first: list[int], second: list[int], or_equal: bool) -> None:
    pairs = [(a, b) for a, b in product(first, second) if a < b or (or_equal and a == b)]
    problem = problem_of({"D: a": first, "E: b": second}, ("accept a b", pairs))
    encoding = encode(recover(problem), Method.ORDER)
    found = [encoding.literals.words_in(model) for model in models(encoding.cnf)]
    assert sorted((int(problem.words[a]), int(problem.words[b])) for a, b in found) == sorted(pairs)


def test_clauses_are_as_many_as_values() -> None:
    ascending = [(a, b) for a in range(100) for b in range(a + 1, 100)]
    problem = problem_of({"D: a b c": range(100)}, ("accept a b", ascending), ("accept b c", ascending))
    cnf = encode(recover(problem), Method.ORDER).cnf
    assert cnf.n_clauses < 3 * (4 + 4) * 100
    assert np.max([block.shape[1] for block in cnf.blocks]) == 100  # some value

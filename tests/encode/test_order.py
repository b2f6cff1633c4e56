"""Comparisons by order literals, against numbers compared."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from f2csp.encode import Method, encode
from f2csp.model import ProblemBuilder
from f2csp.structure import recover
from tests.encode.cnf_models import models

numbers = st.lists(st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(0, 9), min_size=1, max_size=7, unique=True)


@given(numbers, numbers, st.booleans())
def test_the_models_are_the_pairs_in_order(first: list[int], second: list[int], or_equal: bool) -> None:
    pairs = [(a, b) for a, b in product(first, second) if a < b or (or_equal and a == b)]
    builder = ProblemBuilder("pair")
    for name, values in (("a", first), ("b", second)):
        builder.domain(name, values)
        builder.variable(name, name)
    builder.accept(["a", "b"], pairs)
    problem = builder.build()
    encoding = encode(recover(problem), Method.ORDER)
    found = [encoding.literals.words_in(model) for model in models(encoding.cnf)]
    assert sorted((int(problem.words[a]), int(problem.words[b])) for a, b in found) == sorted(pairs)


def test_clauses_are_as_many_as_values() -> None:
    builder = ProblemBuilder("chain")
    builder.domain("D", range(100))
    for name in "abc":
        builder.variable(name, "D")
    for pair in ("ab", "bc"):
        builder.accept(list(pair), [(a, b) for a in range(100) for b in range(a + 1, 100)])
    problem = builder.build()
    cnf = encode(recover(problem), Method.ORDER).cnf
    assert cnf.n_clauses < 3 * (4 + 4) * 100
    assert np.max([block.shape[1] for block in cnf.blocks]) == 100  # some value

"""Parities as clauses: what the models are, with the literals of the pieces."""

from itertools import product

import numpy as np
import pytest

from f2csp.encode.cnf import CnfBuilder
from f2csp.encode.parity import parity
from tests.encode.models import models


@pytest.mark.parametrize("odd", [0, 1])
@pytest.mark.parametrize("n", range(1, 11))
def test_the_models_have_the_parity(n: int, odd: int) -> None:
    cnf = CnfBuilder(n)
    parity(np.arange(1, n + 1, dtype=np.int32)[None, :], odd, cnf)
    found = sorted(tuple(int(literal > 0) for literal in model[:n]) for model in models(cnf.build()))
    assert found == [bits for bits in product((0, 1), repeat=n) if sum(bits) % 2 == odd]


def test_a_long_parity_is_cut() -> None:
    cnf = CnfBuilder(200)
    parity(np.arange(1, 201, dtype=np.int32).reshape(2, 100), 1, cnf)
    assert cnf.build().n_clauses <= 2 * 8 * 50
    assert max(block.shape[1] for block in cnf.build().blocks) == 4

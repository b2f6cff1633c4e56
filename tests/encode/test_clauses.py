"""At most one literal, and parities, as clauses: the models with the auxiliary literals, and the number of clauses."""

from itertools import product

import numpy as np
import pytest

from f2csp.encode.cnf import CnfBuilder
from f2csp.encode.encoder import MAX_PAIRWISE, at_most_one, parity
from tests.encode.cnf_models import models


def written(n_groups: int, n: int) -> CnfBuilder:
    cnf = CnfBuilder(n_groups * n)
    at_most_one(np.arange(1, n_groups * n + 1, dtype=np.int32).reshape(n_groups, n), cnf)
    return cnf


@pytest.mark.parametrize("n", [*range(1, 2 * MAX_PAIRWISE + 4), 36, 37, 49, 50, 120, 130])
def test_the_models_have_one_literal_or_none(n: int) -> None:
    cnf = written(1, n)
    found = [tuple(literal for literal in model[:n] if literal > 0) for model in models(cnf.take(), n)]
    assert sorted(found) == [(), *((literal,) for literal in range(1, n + 1))]


@pytest.mark.parametrize("n", [2, MAX_PAIRWISE + 1, 17])
def test_groups_do_not_touch_one_another(n: int) -> None:
    assert len(models(written(2, n).take(), 2 * n)) == (n + 1) ** 2


@pytest.mark.parametrize("n", [36, 100, 1000])
def test_there_are_few_clauses_and_few_literals_in_them(n: int) -> None:
    cnf = written(3, n).take()
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
    written = cnf.take()
    assert written.n_clauses <= 2 * 8 * 50
    assert max(block.shape[1] for block in written.blocks) == 4

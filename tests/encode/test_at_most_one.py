"""At most one of some literals: what the models are, with the auxiliary literals, and how many clauses it takes."""

import numpy as np
import pytest

from f2csp.encode.at_most_one import MOST_IN_PAIRS, at_most_one
from f2csp.encode.cnf import CnfBuilder
from tests.encode.models import models


def written(n_groups: int, n: int) -> CnfBuilder:
    cnf = CnfBuilder(n_groups * n)
    at_most_one(np.arange(1, n_groups * n + 1, dtype=np.int32).reshape(n_groups, n), cnf)
    return cnf


@pytest.mark.parametrize("n", [*range(1, 2 * MOST_IN_PAIRS + 4), 36, 37, 49, 50, 120, 130])
def test_the_models_have_one_literal_or_none(n: int) -> None:
    cnf = written(1, n)
    found = [tuple(literal for literal in model[:n] if literal > 0) for model in models(cnf.build(), n)]
    assert sorted(found) == [(), *((literal,) for literal in range(1, n + 1))]


@pytest.mark.parametrize("n", [2, MOST_IN_PAIRS + 1, 17])
def test_groups_do_not_touch_one_another(n: int) -> None:
    assert len(models(written(2, n).build(), 2 * n)) == (n + 1) ** 2


@pytest.mark.parametrize("n", [36, 100, 1000])
def test_there_are_few_clauses_and_few_literals_in_them(n: int) -> None:
    cnf = written(3, n).build()
    assert cnf.n_clauses <= 3 * (2 * n + 12 * n**0.5)
    assert sum(block.size for block in cnf.blocks) <= 3 * 9 * n

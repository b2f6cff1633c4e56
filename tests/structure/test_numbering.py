"""Numberings: distinct integers, and constraints that say the same of them as of the values."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.model import Value
from f2csp.structure import ConstraintKind, Numbering
from tests.small import problem_of

LARGEST = 5

make = pytest.mark.parametrize(
    "make",
    [
        lambda problem: Numbering.in_order(problem, LARGEST),
        lambda problem: Numbering.compact(problem, LARGEST),
        lambda problem: Numbering.compact(problem, LARGEST, 3),
    ],
    ids=["in order", "compact", "compact from 3"],
)
domains = st.lists(
    st.lists(st.integers(-9, 9) | st.integers(-(1 << 63), (1 << 63) - 1), min_size=1, max_size=5, unique=True)
    | st.just(["a", "7", "b"]),
    min_size=2,
    max_size=2,
)
HOLDS: dict[ConstraintKind, Callable[[int, int], object]] = {
    ConstraintKind.EQUAL: lambda a, b: a == b,
    ConstraintKind.LESS: lambda a, b: a < b,
    ConstraintKind.GREATER_OR_EQUAL: lambda a, b: a >= b,
    ConstraintKind.DIFFERENCE: lambda a, b: a - b,
    ConstraintKind.SUM: lambda a, b: a + b,
}


@make
@given(values=domains)
def test_an_exact_constraint_says_the_same_of_the_integers(
    make: Callable[..., Numbering], values: list[list[Value]]
) -> None:
    problem = problem_of({f"D{i}: x{i}": domain for i, domain in enumerate(values)})
    numbering = make(problem)
    numbers = numbering.numbers.tolist()
    assert len(set(numbers)) == len(numbers)
    for word, number, is_own in zip(problem.words, numbers, numbering.is_own.tolist(), strict=True):
        assert is_own == (str(number) == word and abs(number) <= LARGEST)
    for kind, holds in HOLDS.items():
        if numbering.is_exact(kind, np.array([[0, 1]])).all() and not any("a" in domain for domain in values):
            for a in problem.domain_values[0].tolist():
                for b in problem.domain_values[1].tolist():
                    assert holds(int(problem.words[a]), int(problem.words[b])) == holds(numbers[a], numbers[b])

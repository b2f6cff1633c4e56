"""Partial solutions that leave the same problem are merged, and only their numbers are kept."""

from bisect import bisect
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from random import Random

import numpy as np

from f2csp.counting.budget import Budget
from f2csp.counting.different_values import DifferentValues, TooManySets
from f2csp.counting.least_images import LeastImages, affordable_symmetries
from f2csp.counting.residual import ByVariable, Diagrams, OpenTable, ResidualState
from f2csp.model import Problem
from f2csp.symmetry import SymmetryGroup

MANY = 10_000  # states of a layer that are worth a look for symmetries
_CHECK_EVERY = 1 << 12  # successors between two looks at the clock

Layer = dict[ResidualState, int]


@dataclass(frozen=True)
class Component:
    """Variables that constraints connect with each other and with no others, in the order of their assignment."""

    variables: tuple[int, ...]  # by level
    values: tuple[tuple[int, ...], ...]  # of each, as numbers
    words: tuple[int, ...]  # for each number the index of its word in the problem
    groups: tuple[tuple[int, ...], ...]  # of the levels of variables that must differ
    tables: tuple[OpenTable, ...]
    follows: tuple[bool, ...]  # whether the value of each follows from those before
    diagrams: Diagrams
    problem: Problem

    @cached_property
    def _different(self) -> DifferentValues | None:
        """The problem if its variables must differ and nothing else."""
        return self._different_values()

    def _different_values(self, *, is_marked: bool = False) -> DifferentValues | None:
        with suppress(TooManySets):
            return None if self.tables else DifferentValues(self.values, self.groups, is_marked=is_marked)
        return None

    @cached_property
    def _residuals(self) -> ByVariable:
        differ: list[set[int]] = [set() for _ in self.values]
        for group in self.groups:
            for level in group:
                differ[level].update(group)
        return ByVariable(self.values, differ, self.tables, self.follows, self.diagrams)

    def count(self, budget: Budget) -> int:
        """The number of solutions."""
        if self._different is not None:
            return self._different.count(budget)
        [last] = deque(_layers(self._residuals, budget, self._least_images), maxlen=1)
        return sum(last.values())

    def _least_images(self, n_steps: int) -> LeastImages | None:
        """By the symmetries of values, if they are found in a tenth of the time of so many steps."""
        found = affordable_symmetries(self.problem, SymmetryGroup.VALUES, n_steps // 10)
        numbers = np.zeros(len(self.problem.words), dtype=np.int64)
        numbers[list(self.words)] = own = np.arange(len(self.words), dtype=np.int64)
        words = [one.words[np.ix_(self.variables, self.words)] for one in found or ()]
        generators = [np.where(some >= 0, numbers[some], own) for some in words]
        return None if found is None else LeastImages(generators, self.tables, self.diagrams)

    def samples(self, n: int, random: Random, budget: Budget) -> Iterator[Iterator[tuple[int, int]]]:
        """Solutions, each as pairs of a variable and the index of a word."""
        some = self._different.samples(n, random, budget) if self._different else self._samples(n, random, budget)
        for values in some:
            yield zip(self.variables, [self.words[value] for value in values], strict=True)

    def _samples(self, n: int, random: Random, budget: Budget) -> Iterator[list[int]]:
        residuals = self._residuals
        completions = _completions(residuals, _kept_layers(residuals, budget), budget)
        for _ in range(n if completions[0][residuals.start] else 0):
            state = residuals.start
            values: list[int] = []
            for stage in range(len(residuals.stages)):
                ways = list(residuals.successors(stage, state))
                sums = list(accumulate(completions[stage + 1][successor] for successor, _ in ways))
                state, chosen = ways[bisect(sums, random.randrange(sums[-1]))]
                values += chosen
            yield values

    def occurrences(self, budget: Budget) -> list[dict[int, int]]:
        """For each level and value the number of solutions."""
        if (different := self._different_values(is_marked=True)) is not None:
            return different.occurrences(budget)
        residuals = self._residuals
        layers = _kept_layers(residuals, budget)
        after = _completions(residuals, layers, budget)
        found: list[dict[int, int]] = [dict.fromkeys(some, 0) for some in self.values]
        for stage, levels in enumerate(residuals.stages):
            budget.check(stage, len(residuals.stages), len(layers[stage]))
            for state, n in layers[stage].items():
                for successor, values in residuals.successors(stage, state):
                    amount = n * after[stage + 1][successor]
                    for level, value in zip(levels, values, strict=True):
                        found[level][value] += amount
        return found


def _layers(
    residuals: ByVariable, budget: Budget, find_images: Callable[[int], LeastImages | None] | None = None
) -> Iterator[Layer]:
    """For each number of stages the states, with the number of partial solutions that lead to each.

    In large layers, these are least images if there is something to find them.
    """
    layer = {residuals.start: 1}
    budget.check(0, len(residuals.stages), len(layer))
    yield layer
    n_made = 0
    images: LeastImages | None = None
    for stage in range(len(residuals.stages)):
        following: Layer = {}
        if images is None and find_images is not None and len(layer) > MANY:
            images = find_images(n_made)
        least = images and images.of_states(residuals.keys[stage])
        for state, n in layer.items():
            for successor, _ in residuals.successors(stage, state):
                if least:
                    successor = least(successor)
                following[successor] = following.get(successor, 0) + n
                n_made += 1
                if not n_made % _CHECK_EVERY:
                    budget.check(stage, len(residuals.stages), len(following))
        layer = following
        budget.check(stage + 1, len(residuals.stages), len(layer))
        yield layer


def _kept_layers(residuals: ByVariable, budget: Budget) -> list[Layer]:
    found: list[Layer] = []
    n_states = 0
    for layer in _layers(residuals, budget):
        n_states += len(layer)
        budget.check(len(found), len(residuals.stages), n_states)
        found.append(layer)
    return found


def _completions(residuals: ByVariable, layers: Sequence[Layer], budget: Budget) -> list[Layer]:
    """The states of each layer with the numbers of their completions."""
    found = [dict.fromkeys(layers[-1], 1)]
    for stage in reversed(range(len(residuals.stages))):
        after = found[-1]
        budget.check(stage, len(residuals.stages), len(after))
        found.append(
            {
                state: sum(after[successor] for successor, _ in residuals.successors(stage, state))
                for state in layers[stage]
            }
        )
    return found[::-1]

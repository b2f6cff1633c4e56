"""Symmetries of a problem: permutations of its variables and values that map solutions to solutions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import factorial

import numpy as np

from f2csp.diagnostics import listed
from f2csp.model import Offsets, Problem, Value, expect_problem
from f2csp.solutions import values_by_word
from f2csp.symmetry.breaking import interchangeable_values
from f2csp.symmetry.problem_graph import Automorphism, ProblemGraph, SymmetryGroup

_MAX_SWAPS = 100  # variables, rows or values that are tried in pairs for the words
_MAX_PAIRS = 1_000_000_000  # of vertices, over all permutations that are tried for the words


@dataclass(frozen=True, eq=False)
class Symmetry:
    """The symmetries of a problem.

    Attributes:
        problem: the problem.
        order: their number.
        generators: some of which all others are products.
        group: which are meant.
        graph: what they are the automorphisms of.
    """

    problem: Problem
    order: int
    generators: tuple[Automorphism, ...]
    group: SymmetryGroup
    graph: ProblemGraph

    @cached_property
    def orbits(self) -> tuple[tuple[str, ...], ...]:
        """The variables, those together that symmetries map to each other."""
        groups: dict[int, list[str]] = {}
        for name, orbit in zip(self.problem.variable_names, self.graph.graph.orbits(), strict=False):
            groups.setdefault(orbit, []).append(name)
        return tuple(map(tuple, groups.values()))

    def image(self, generator: Automorphism, assignment: Mapping[str, Value]) -> dict[str, Value]:
        """The assignment to which a generator maps another."""
        found = generator.images(self.rows([assignment]))[0].tolist()
        if self.graph.states:
            self.graph.model.complete(found)
        return self.assignment(found)

    def assignment(self, row: Sequence[int]) -> dict[str, Value]:
        """The assignment with these words."""
        pairs = zip(self.problem.variable_names, self._values, row, strict=True)
        return {name: values[word] for name, values, word in pairs}

    def rows(self, assignments: Sequence[Mapping[str, Value]]) -> Offsets:
        """The words of assignments by variable, an assignment a row; -1 for state variables, which follow."""
        words = [{value: word for word, value in some.items()} for some in self._values]
        pairs = list(zip(self.problem.variable_names, words, strict=True))
        rows = np.array([[of_variable[assignment[name]] for name, of_variable in pairs] for assignment in assignments])
        rows[:, self.graph.states] = -1
        return rows

    @cached_property
    def _values(self) -> list[dict[int, Value]]:
        of_domains = values_by_word(self.problem)
        return [of_domains[domain] for domain in self.problem.variable_domains.tolist()]

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What can be swapped and permuted, as far as there are words for it, and the number of symmetries."""
        if self.order == 1:
            return ("no symmetry but the identity",)
        swaps = _Swaps(self)
        may_swap = self.group in (SymmetryGroup.ALL, SymmetryGroup.VALUES)
        classes = swaps.values() if may_swap else []
        found = [
            f"{'the' if len(some) == 2 else 'any two of the'} values {_range_of(some)} can be swapped"
            for some in classes
        ]
        if self.group != SymmetryGroup.VALUES:
            found += swaps.lines() if swaps.cells else swaps.variables()
        n_alike = max(map(len, classes), default=1)
        rest = self.order // factorial(n_alike)
        return (*found, f"{rest:,} x {n_alike}! symmetries" if n_alike > 3 else f"{self.order:,} symmetries")


def symmetry(problem: Problem, group: str = SymmetryGroup.ALL) -> Symmetry:
    """Find the symmetries of a problem.

    Args:
        problem: the problem.
        group: ``all``; ``values``, which leave each variable where it is; ``variables``, which leave each value; or
            ``board``, the rotations and reflections of a board among these.

    Raises:
        MissingExtra: nauty is not installed.
        Unsuitable: the tables are too large, or the problem has no board to turn.

    Example:
        >>> from f2csp.puzzles.latin import LatinSquare
        >>> from f2csp.puzzles.to_problem import to_problem
        >>> symmetry(to_problem(LatinSquare(3))).sentences[0]
        'any two of the values 1 to 3 can be swapped'
    """
    expect_problem(problem)
    graph = ProblemGraph(problem, SymmetryGroup(group))
    generators = tuple(graph.automorphism(one) for one in graph.graph.generators())
    return Symmetry(problem, graph.graph.order, generators, SymmetryGroup(group), graph)


# ---- Words -----------------------------------------------------------------------------------------------------------


class _Swaps:
    """Which values, variables and lines of a board can be swapped."""

    def __init__(self, symmetry: Symmetry) -> None:
        self._symmetry = symmetry
        self._graph = symmetry.graph
        self._names = symmetry.problem.variable_names
        self.cells = symmetry.graph.cells
        self._own = [*self.cells.values()] or [*range(len(self._names))]  # others follow
        self._n_left = _MAX_PAIRS
        self._certificate = self._certificate_of({}, {})

    def _certificate_of(self, images: Mapping[int, int], words: Mapping[int, int]) -> bytes | None:
        """A certificate of the graph with variables and words in the places of others.

        None if a variable cannot be there, or if enough has been tried.
        """
        self._n_left -= self._graph.graph.n**2
        if self._n_left < 0:
            return None
        vertices = self._graph.vertices
        moved = [images.get(v, v) for v in self._own]
        places = [(some, some) for some in self._graph.shared]
        places += [(vertices[v], vertices[image]) for v, image in zip(self._own, moved, strict=True)]
        if any({words.get(word, word) for word in before} != after.keys() for before, after in places):
            return None
        fixed = {after[words.get(word, word)]: None for before, after in places for word in before}
        return self._graph.graph.certificate([*moved, *fixed])

    def _is_symmetry(self, images: Mapping[int, int], words: Mapping[int, int] | None = None) -> bool:
        """Whether a permutation of the variables is a symmetry, with one of the words, or with each as it is."""
        found = self._certificate_of(images, words or {})
        return found is not None and found == self._certificate

    def values(self) -> list[list[str]]:
        """The classes of values that can be swapped: in all cells of a board, or in variables that are connected."""
        classes = [one for _, found in interchangeable_values(self._symmetry.problem) for one in found]
        if self.cells:
            words = sorted({word for v in self._own for word in self._graph.vertices[v]})
            classes = _classes(words, lambda one, other: self._is_symmetry({}, {one: other, other: one}))
        return [[self._symmetry.problem.words[i] for i in one] for one in classes]

    def variables(self) -> list[str]:
        """The variables that can be swapped with each other."""
        at = {name: index for index, name in enumerate(self._names)}
        found = []
        for orbit in self._symmetry.orbits:
            first, *others = [at[name] for name in orbit[:_MAX_SWAPS]]
            alike = [first, *(one for one in others if self._is_symmetry({first: one, one: first}))]
            if len(alike) > 1:
                names = listed([self._names[v] for v in alike], 8)
                found.append(f"any two of the variables {names} can be swapped")
        return found

    def lines(self) -> list[str]:
        """What can be done to the rows and columns of a board."""
        found = []
        for axis, name in enumerate(("rows", "columns")):
            numbers = sorted({place[axis] for place in self.cells})
            groups = _classes(numbers, partial(self._may_swap, axis))
            if groups:
                ranges = ", ".join(_range_of([str(number) for number in some]) for some in groups)
                found.append(f"{name} {ranges} can be permuted")
                first, *others = groups
                if others and all(
                    len(some) == len(first) and self._may_move(axis, first + some, some + first) for some in others
                ):
                    found.append(f"these {len(groups)} groups of {name} can be permuted")
            elif self._may_move(axis, numbers, numbers[::-1]):
                found.append(f"the order of the {name} can be reversed")
        transposed = {at: self.cells.get((column, row), -1) for (row, column), at in self.cells.items()}
        if -1 not in transposed.values() and self._is_symmetry(transposed):
            found.append("the board can be transposed")
        return found

    def _may_swap(self, axis: int, one: int, other: int) -> bool:
        return self._may_move(axis, [one, other], [other, one])

    def _may_move(self, axis: int, numbers: Sequence[int], images: Sequence[int]) -> bool:
        """Whether some rows or columns can go to the places of others."""
        image_of = dict(zip(numbers, images, strict=True))
        moved = {}
        for place, at in self.cells.items():
            image = list(place)
            image[axis] = image_of.get(place[axis], place[axis])
            moved[at] = self.cells[image[0], image[1]]
        return self._is_symmetry(moved)


def _classes(items: Iterable[int], are_alike: Callable[[int, int], bool]) -> list[list[int]]:
    """The classes of two items or more."""
    found: list[list[int]] = []
    for item in items:
        alike = next((some for some in found if are_alike(item, some[0])), None)
        if alike is None:
            found.append([item])
        else:
            alike.append(item)
    return [some for some in found if len(some) > 1]


def _range_of(words: Sequence[str]) -> str:
    """Numbers in a row as "1 to 9", and other words as a list."""
    numbers = [int(word) for word in words if word.isdigit()]
    if len(numbers) == len(words) > 2 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return f"{words[0]} to {words[-1]}"
    return " and ".join(words) if len(words) == 2 else listed(words, 10)

"""A problem as a graph, of which the automorphisms are the symmetries of the problem."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import components
from f2csp.diagnostics import Unsuitable
from f2csp.model import Problem
from f2csp.structure import recover
from f2csp.symmetry.graphs import Graph, Permutation

_MAX_VERTICES = 20_000  # nauty has a bit for each pair
_MAX_TUPLES = 100_000  # of one table, and of its complement


class SymmetryGroup(StrEnum):
    """Which symmetries count."""

    ALL = "all"
    VALUES = "values"  # that leave each variable where it is
    VARIABLES = "variables"  # that leave each value as it is


class _Vertex(StrEnum):
    VARIABLE = "variable"
    VALUE = "value"
    LITERAL = "literal"
    TABLE = "table"
    SUPPORT = "support"
    CONFLICT = "conflict"
    CHOSEN = "chosen"


class ProblemGraph:
    """A problem as a graph: variables that must differ are adjacent, the values of tables are vertices of their own.

    The first vertices are the variables. Variables that are connected by pairs that must differ share vertices for
    their values. A variable in another constraint has a vertex for each of its values (a literal), adjacent to that of
    the shared value if there is one; literals in conflict are adjacent, and so are those of a larger tuple to a vertex.
    """

    def __init__(self, problem: Problem, group: SymmetryGroup = SymmetryGroup.ALL) -> None:
        """Raises Unsuitable if the graph is too large, and MissingExtra without nauty."""
        model = recover(problem)
        n = problem.n_variables
        self.problem = problem
        values = [some.tolist() for some in model.values]
        is_fixed = group == SymmetryGroup.VARIABLES
        self._colours: list[object] = [_Vertex.VARIABLE] * n
        tables = model.rest(model.unary, model.never_true).tolist()
        has_literals = {variable for table in tables for variable in problem.scope(table).tolist()}
        pairs = {(min(pair), max(pair)) for clique in model.all_different for pair in combinations(clique, 2)}
        parts = components(n, *np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T).tolist()
        self._edges = set(pairs)
        values_of: dict[int, set[int]] = {}  # the values of variables that are connected by pairs that must differ
        for variable in {v for pair in pairs for v in pair}:
            values_of.setdefault(parts[variable], set()).update(values[variable])
        of_parts: dict[int, dict[int, int]] = {}
        for part, words in values_of.items():
            colours = {word: (_Vertex.VALUE, word) if is_fixed else _Vertex.VALUE for word in sorted(words)}
            of_parts[part] = {word: self._vertex(colour) for word, colour in colours.items()}
        self.shared = [*of_parts.values()]
        self.vertices: list[dict[int, int]] = []  # for each variable those of its values
        for v, some in enumerate(values):
            of_part = of_parts.get(parts[v], {})
            own = {word: of_part[word] for word in some if of_part}
            if v in has_literals or not of_part:
                for word in some:
                    own[word] = self._vertex((_Vertex.LITERAL, word) if is_fixed else _Vertex.LITERAL)
                self._edges.update((of_part[word], own[word]) for word in some if of_part)
            if v in has_literals or len(some) != len(of_part):
                self._edges.update((v, vertex) for vertex in own.values())
            self.vertices.append(own)
        for table in tables:
            self._add_table(table)
        if group == SymmetryGroup.ALL and has_literals.issuperset(range(n)):
            self._exchange_variables_and_values(pairs)
        if group == SymmetryGroup.VALUES:
            self._colours[:n] = range(n)
        self.graph = Graph(self._colours, self._edges)

    def _exchange_variables_and_values(self, pairs: set[tuple[int, int]]) -> None:
        """Make values vertices like variables if each occurs once: all variables differ and have as many values."""
        n = len(self.vertices)
        words = self.vertices[0].keys() if n else set()
        if n != len(words) or any(some.keys() != words for some in self.vertices):
            return
        differ = set(pairs)  # edges that say that each value occurs once
        for pair in combinations(range(n), 2):
            first, second = (self.vertices[v] for v in pair)
            same = {(first[word], second[word]) for word in words}
            if pair not in pairs and not same <= self._edges:
                return
            differ |= same
        self._edges -= differ
        if not self.shared:
            self.shared.append({word: self._vertex(_Vertex.VARIABLE) for word in words})
            self._edges.update((v, some[word]) for some in self.vertices for word, v in self.shared[0].items())
        for vertex in self.shared[0].values():
            self._colours[vertex] = _Vertex.VARIABLE

    def with_assignment(self, words: Mapping[int, int]) -> Graph:
        """The graph with words assigned to some variables.

        Two of them are isomorphic exactly if a symmetry maps one assignment to the other.
        """
        chosen = range(len(self._colours), len(self._colours) + len(words))
        pairs = [(at, self.vertices[v][word], v) for at, (v, word) in zip(chosen, words.items(), strict=True)]
        edges = [(at, end) for at, value, v in pairs for end in (value, v)]
        return Graph([*self._colours, *(_Vertex.CHOSEN for _ in chosen)], [*self._edges, *edges])

    def automorphism(self, permutation: Permutation) -> "Automorphism":
        """What a permutation of the vertices does to pairs of a variable and a value."""
        shape = self.problem.n_variables, len(self.problem.words)
        variables, words = np.zeros(shape, dtype=np.int32), np.full(shape, -1, dtype=np.int32)
        shared = {vertex: word for some in self.shared for word, vertex in some.items()}
        pairs = ((v, word, vertex) for v, some in enumerate(self.vertices) for word, vertex in some.items())
        literals = {vertex: (v, word) for v, word, vertex in pairs if vertex not in shared}
        for v, some in enumerate(self.vertices):
            for word, vertex in some.items():
                image = permutation[vertex]
                pair = (permutation[v], shared[image]) if vertex in shared else literals[image]
                variables[v, word], words[v, word] = pair
        return Automorphism(variables, words)

    def _vertex(self, colour: object) -> int:
        if len(self._colours) >= _MAX_VERTICES:
            raise Unsuitable(f"symmetries are found in problems of at most {_MAX_VERTICES:,} values and tuples")
        self._colours.append(colour)
        return len(self._colours) - 1

    def _add_table(self, index: int) -> None:
        """Conflicts of two literals are edges; of more literals vertices, as are supports where these are fewer."""
        scope = self.problem.scope(index).tolist()
        relation = self.problem.relations[int(self.problem.constraint_relations[index])]
        of_scope = [self.vertices[v] for v in scope]
        n_all = prod(map(len, of_scope))
        rows = {row for row in map(tuple, relation.tuples.tolist()) if all(map(dict.__contains__, of_scope, row))}
        are_conflicts = relation.kind != "Accept"
        if (len(scope) == 2) > are_conflicts or (len(scope) > 2 and 2 * len(rows) > n_all):
            if n_all > _MAX_TUPLES:
                raise Unsuitable(f"symmetries are found in tables of at most {_MAX_TUPLES:,} tuples")
            rows = set(product(*of_scope)) - rows
            are_conflicts = not are_conflicts
        literals = [[some[word] for some, word in zip(of_scope, row, strict=True)] for row in sorted(rows)]
        if len(scope) == 2:
            self._edges.update((min(pair), max(pair)) for pair in literals)
            return
        table = None if are_conflicts else self._vertex((_Vertex.TABLE, len(scope)))
        for row in literals:
            vertex = self._vertex(_Vertex.CONFLICT if table is None else _Vertex.SUPPORT)
            self._edges.update((one, vertex) for one in row)
            if table is not None:
                self._edges.add((table, vertex))


@dataclass(frozen=True, slots=True, eq=False)
class Automorphism:
    """A permutation of the pairs of a variable and a value.

    Attributes:
        variables: of shape (n_variables, n_words), the variable of the image of each pair, by index.
        words: likewise the index of its word; -1 where the variable does not have the word.
    """

    variables: NDArray[np.int32]
    words: NDArray[np.int32]

    def images(self, solutions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The images of solutions, which have the index of a word for each variable, in rows."""
        found = np.empty_like(solutions)
        pairs = np.arange(solutions.shape[1]), solutions
        np.put_along_axis(found, self.variables[pairs].astype(np.int64), self.words[pairs], axis=1)
        return found

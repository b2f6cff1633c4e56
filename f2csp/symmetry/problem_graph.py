"""A problem as a graph, of which the automorphisms are the symmetries of the problem."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations, product
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import components
from f2csp.diagnostics import Unsuitable
from f2csp.model import Ids, Problem
from f2csp.model.linear_sums import LinearSum, Ranges, Term
from f2csp.structure import ConstraintModel, FunctionalClosure, recover, with_sums
from f2csp.symmetry.graphs import Graph, Permutation

_MAX_VERTICES = 20_000  # nauty has a bit for each pair
_MAX_TUPLES = 100_000  # of one table, and of its complement
_CELL = re.compile(r"(\D*)(\d+)(\D+)(\d+)(\D*)")


Images = TypeVar("Images", NDArray[np.int32], NDArray[np.int64])


class SymmetryGroup(StrEnum):
    """Which symmetries count."""

    ALL = "all"
    VALUES = "values"  # that leave each variable where it is
    VARIABLES = "variables"  # that leave each value as it is
    BOARD = "board"  # rotations and reflections of a board, which leave each value as it is


class _Vertex(StrEnum):
    VARIABLE = "variable"
    STATE = "state"
    NEIGHBOUR = "neighbour"
    VALUE = "value"
    PART = "part"
    LITERAL = "literal"
    TABLE = "table"
    SUPPORT = "support"
    CONFLICT = "conflict"
    SUM = "sum"
    WEIGHT = "weight"
    POLE = "pole"
    CHOSEN = "chosen"
    DECIDED = "decided"


class ProblemGraph:
    """A problem as a graph: variables that must differ are adjacent, the values of tables are vertices of their own.

    The first vertices are the variables. Variables that are connected by pairs that must differ share vertices for
    their values. A variable in another constraint has a vertex for each of its values (a literal), adjacent to that of
    the shared value if there is one; literals in conflict are adjacent, and so are those of a larger tuple to a vertex.
    A chain of tables that is a sum is one of the variables that it reads; its state variables follow from these.

    Attributes:
        states: the state variables of sums, which have no vertices of values.
        vertices: for each variable those of its values, by word.
        shared: the values of variables that are connected by pairs that must differ, by word.
    """

    def __init__(self, problem: Problem, group: SymmetryGroup = SymmetryGroup.ALL, *, has_sums: bool = True) -> None:
        """Prepare a problem, with chains of tables as the sums that they are, or as tables.

        Raises:
            Unsuitable: the graph is too large, or the group needs a board.
            MissingExtra: nauty is not installed.
        """
        self.problem = problem
        self._has_sums = has_sums
        n, model = problem.n_variables, self.model
        self.states = sorted({state for known in model.sums for state in known.states})
        values = [some.tolist() for some in model.values]
        is_fixed = group in (SymmetryGroup.VARIABLES, SymmetryGroup.BOARD)
        self._colours: list[object] = [_Vertex.VARIABLE] * n
        for state in self.states:
            self._colours[state] = (_Vertex.STATE, state)
            values[state] = []
        tables = model.rest(model.unary, model.never_true).tolist()
        has_literals = {variable for table in tables for variable in problem.scope(table).tolist()}
        has_literals.update(variable for known in model.sums for variable in known.variables)
        pairs = {(min(pair), max(pair)) for clique in model.all_different for pair in combinations(clique, 2)}
        parts = components(n, *np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T).tolist()
        self._edges = set(pairs)
        self._added: set[object] = set()
        members_of: dict[int, list[int]] = {}  # variables that are connected by pairs that must differ
        for variable in sorted({v for pair in pairs for v in pair}):
            members_of.setdefault(parts[variable], []).append(variable)
        of_parts: dict[int, dict[int, int]] = {}
        for part, members in members_of.items():
            words = {word for variable in members for word in values[variable]}
            colours = {word: (_Vertex.VALUE, problem.words[word]) if is_fixed else _Vertex.VALUE for word in words}
            of_parts[part] = {word: self._vertex(colours[word]) for word in sorted(words)}
            whole = self._vertex(_Vertex.PART)  # whose values these are
            self._edges.update((one, whole) for one in (*members, *of_parts[part].values()))
        self.shared = [*of_parts.values()]
        self.vertices: list[dict[int, int]] = []
        for v, some in enumerate(values):
            of_part = of_parts.get(parts[v], {})
            own = {word: of_part[word] for word in some if of_part}
            if v in has_literals or not of_part:
                for word in some:
                    own[word] = self._vertex((_Vertex.LITERAL, problem.words[word]) if is_fixed else _Vertex.LITERAL)
                self._edges.update((of_part[word], own[word]) for word in some if of_part)
            if v in has_literals or len(some) != len(of_part):
                self._edges.update((v, vertex) for vertex in own.values())
            self.vertices.append(own)
            if not some and self._colours[v] == _Vertex.VARIABLE:  # it has no pair that a permutation could move
                self._colours[v] = (_Vertex.VARIABLE, v)
        for _ in model.never_true[:1]:
            self._vertex(_Vertex.CONFLICT)  # of no literals
        for table in tables:
            self._add_table(table)
        for known in map(_from_zero, model.sums):
            are_different = pairs.issuperset(combinations(sorted(known.variables), 2))
            for n_terms, ranges in known.ranges:
                if n_terms == len(known.terms) or not _follows(known, n_terms, ranges, are_different=are_different):
                    self._add_sum(known, n_terms, ranges)
        if group == SymmetryGroup.ALL and has_literals.issuperset(range(n)):
            self._exchange_variables_and_values(pairs)
        if group == SymmetryGroup.VALUES:
            self._colours[:n] = range(n)
        if group == SymmetryGroup.BOARD:
            self._add_neighbours()
        self.graph = Graph(self._colours, self._edges)

    @property
    def model(self) -> ConstraintModel:
        """The problem, with sums if so."""
        model = recover(self.problem)
        return with_sums(model, np.arange(self.problem.n_variables)) if self._has_sums else model

    @cached_property
    def cells(self) -> dict[tuple[int, int], int]:
        """The cells of a board by row and column: variables whose names say so, if all others follow from them."""
        boards: dict[tuple[str, ...], dict[tuple[int, int], int]] = {}  # by what is around the numbers
        for v, match in enumerate(map(_CELL.fullmatch, self.problem.variable_names)):
            if match:
                before, row, between, column, after = match.groups()
                boards.setdefault((before, between, after), {})[int(row), int(column)] = v
        places = next(iter(boards.values()), {})
        n_rows, n_columns = (len({place[axis] for place in places}) for axis in (0, 1))
        others = set(range(self.problem.n_variables)).difference(self.states, places.values())
        follow = not others or others <= FunctionalClosure(self.problem, places.values()).found.keys()
        return places if n_rows * n_columns == len(places) and follow else {}

    def _add_neighbours(self) -> None:
        """A vertex for each two cells side by side: what leaves these as they are turns or reflects the board."""
        if not self.cells:
            raise Unsuitable("the problem is no board: expected variables with a row and a column, such as V1-2")
        for (row, column), v in self.cells.items():
            for other in ((row + 1, column), (row, column + 1)):
                if other in self.cells:
                    vertex = self._vertex(_Vertex.NEIGHBOUR)
                    self._edges.update([(v, vertex), (self.cells[other], vertex)])

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

    def with_assignment(self, words: Mapping[int, int], n_decided: int = 0) -> Graph:
        """The graph with words assigned to some variables; those of states follow.

        Two of them are isomorphic exactly if a symmetry maps one assignment to the other, and the first ``n_decided``
        variables to each other.
        """
        words = {v: word for v, word in words.items() if self.vertices[v]}
        shared = {vertex for some in self.shared for vertex in some.values()}
        chosen = range(len(self._colours), len(self._colours) + len(words))
        pairs = [(at, self.vertices[v][word], v) for at, (v, word) in zip(chosen, words.items(), strict=True)]
        # A literal alone says of which variable it is, also where variables and values change places.
        edges = [(at, end) for at, value, v in pairs for end in ((value, v) if value in shared else (value,))]
        colours = [*self._colours, *(_Vertex.CHOSEN for _ in chosen)]
        colours[:n_decided] = ((_Vertex.DECIDED, colour) for colour in colours[:n_decided])
        return Graph(colours, [*self._edges, *edges])

    def automorphism(self, permutation: Permutation | Ids) -> "Automorphism":
        """What a permutation of the vertices does to pairs of a variable and a value."""
        image = np.array(permutation, dtype=np.int32)
        vertices, variable_of, word_of = self._pairs
        moved = image[vertices]
        variables = np.where(variable_of[moved] >= 0, variable_of[moved], image[: len(vertices), None])
        return Automorphism(np.where(vertices >= 0, variables, 0), np.where(vertices >= 0, word_of[moved], -1))

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """The vertex of each variable and word; the variable of each literal; the word of each vertex; -1 for none."""
        vertices = np.full((self.problem.n_variables, len(self.problem.words)), -1, dtype=np.int32)
        variable_of, word_of = np.full((2, self.graph.n), -1, dtype=np.int32)
        shared = {vertex for some in self.shared for vertex in some.values()}
        for v, some in enumerate(self.vertices):
            for word, vertex in some.items():
                vertices[v, word], word_of[vertex] = vertex, word
                variable_of[vertex] = -1 if vertex in shared else v
        return vertices, variable_of, word_of

    def _vertex(self, colour: object) -> int:
        if len(self._colours) >= _MAX_VERTICES:
            raise Unsuitable(f"symmetries are found in problems of at most {_MAX_VERTICES:,} values and tuples")
        self._colours.append(colour)
        return len(self._colours) - 1

    def _is_new(self, what: object) -> bool:
        """Whether a sum, a table or a conflict is the first of its kind: twins would be symmetries of nothing."""
        is_new = what not in self._added
        self._added.add(what)
        return is_new

    def _add_sum(self, known: LinearSum, n: int, ranges: Ranges) -> None:
        """A vertex for the sum of the first terms, and one for each weight, adjacent to the literals that add it.

        Where the mirror images of the weights give sums in the same ranges, two poles let them all change places.
        """
        literals: dict[int, list[int]] = {}
        for v, term in zip(known.variables[:n], known.terms[:n], strict=True):
            weights = dict(zip(term.words.tolist(), term.weights.tolist(), strict=True))
            for word, vertex in self.vertices[v].items():
                literals.setdefault(weights[word], []).append(vertex)
        if not self._is_new((ranges, frozenset((weight, frozenset(some)) for weight, some in literals.items()))):
            return
        ends = min(literals, default=0) + max(literals, default=0)
        is_mirrored = tuple((n * ends - high, n * ends - low) for low, high in reversed(ranges)) == ranges
        total = self._vertex((_Vertex.SUM, n, ranges))
        poles = [self._vertex(_Vertex.POLE) for _ in range(2 * is_mirrored)]
        self._edges.update((total, pole) for pole in poles)
        for weight, some in literals.items():
            vertex = self._vertex((_Vertex.WEIGHT, min(weight, ends - weight) if is_mirrored else weight))
            self._edges.update((vertex, one) for one in (total, *some))
            if is_mirrored and 2 * weight != ends:
                self._edges.add((vertex, poles[2 * weight > ends]))

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
        if not are_conflicts and not self._is_new(frozenset(map(frozenset, literals))):
            return
        table = None if are_conflicts else self._vertex((_Vertex.TABLE, len(scope)))
        for row in literals:
            if are_conflicts and not self._is_new(frozenset(row)):
                continue
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

    def images(self, solutions: Images) -> Images:
        """The images of solutions, which have the index of a word for each variable, or -1 for none, in rows."""
        found = np.full_like(solutions, -1)
        rows, variables = np.nonzero(solutions >= 0)
        pairs = variables, solutions[rows, variables]
        found[rows, self.variables[pairs]] = self.words[pairs]
        return found


def _from_zero(known: LinearSum) -> LinearSum:
    """The same sum with terms whose least weight is 0."""
    least = [int(term.weights.min()) for term in known.terms]
    terms = tuple(Term(term.words, term.weights - low) for term, low in zip(known.terms, least, strict=True))
    moved = [(n, sum(least[:n]), ranges) for n, ranges in known.ranges]
    ranges = tuple((n, tuple((low - by, high - by) for low, high in some)) for n, by, some in moved)
    return replace(known, terms=terms, ranges=ranges)


def _follows(known: LinearSum, n: int, ranges: Ranges, *, are_different: bool) -> bool:
    """Whether the range for the first terms of a sum follows from those for all terms, whose values may differ."""
    are_alike = len({(term.words.tobytes(), term.weights.tobytes()) for term in known.terms}) == 1

    def bounds(terms: Sequence[Term]) -> tuple[int, int]:
        if are_different and are_alike:
            weights = sorted(known.terms[0].weights.tolist())
            return sum(weights[: len(terms)]), sum(weights[len(weights) - len(terms) :])
        return 0, sum(int(term.weights.max()) for term in terms)

    of_all = dict(known.ranges).get(len(known.terms))
    if of_all is None or len(ranges) > 1:
        return False
    (least, most), (rest_least, rest_most) = bounds(known.terms[:n]), bounds(known.terms[n:])
    ((low, high),) = ranges
    return low <= max(least, of_all[0][0] - rest_most) and min(most, of_all[-1][1] - rest_least) <= high

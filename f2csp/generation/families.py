"""Families of instances that researchers and courses use, each as a problem of tables."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations, groupby, product
from math import exp, log

import numpy as np

from f2csp.diagnostics import F2cspError
from f2csp.files import read_source
from f2csp.formats.col import read_graph
from f2csp.generation.draws import Draws, rounded
from f2csp.generation.full_grids import latin_square, lines_of
from f2csp.model import Problem, ProblemBuilder, Value
from f2csp.model.automaton import partial_sums
from f2csp.model.linear_sums import LinearSum, Term
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue, cell_names

Edges = Iterable[tuple[int, int]]

_HARDEST_HOLES = 0.42  # of the cells; the fraction with the hardest quasigroups with holes
_MAX_TUPLES = 1 << 24  # of values for one scope, and in all tables
_BLOCK, _OPEN = "#", "."  # cells of a crossword


def queens(draws: Draws, *, size: int) -> Problem:  # noqa: ARG001 - as every maker
    """A queen in each row of a chess board; the value of a row is the column."""
    b, columns = ProblemBuilder(f"{size} queens"), range(1, size + 1)
    names = _add_variables(b, [f"Q{i}" for i in columns], "column", columns)
    for distance in columns[: size - 1]:
        attacked = [(one, one + i) for one in columns for i in (-distance, 0, distance) if one + i in columns]
        b.reject_many(list(zip(names, names[distance:], strict=False)), attacked)
    return b.build()


def pigeonhole(draws: Draws, *, pigeons: int, holes: int | None) -> Problem:  # noqa: ARG001 - as every maker
    n_holes = max(1, pigeons - 1) if holes is None else holes
    b = ProblemBuilder(f"{pigeons} pigeons in {n_holes} holes")
    b.all_different(_add_variables(b, [f"P{i}" for i in range(1, pigeons + 1)], "hole", range(1, n_holes + 1)))
    return b.build()


def magic(draws: Draws, *, size: int) -> Problem:  # noqa: ARG001 - as every maker
    """A magic square; the sum of a line is a chain of tables, as those of the cages of a Killer Sudoku."""
    n, total = size * size, size * (size * size + 1) // 2
    b = ProblemBuilder(f"Magic square {size}x{size}")
    names = _add_variables(b, cell_names(size, size), "number", range(1, n + 1))
    b.all_different(names)

    rests = range(size - 1, -1, -1)  # the cells of the line after each
    bounds = [(total - rest * (2 * n - rest + 1) // 2, total - rest * (rest + 1) // 2) for rest in rests]
    sums = partial_sums(range(1, n + 1), bounds)
    lines = [*lines_of(size), range(0, n, size + 1), range(size - 1, max(n - 1, 1), max(size - 1, 1))]
    labels = [f"{direction}{i}" for direction in "RC" for i in range(1, size + 1)] + ["D1", "D2"]
    for i, states in enumerate(sums.states, 2):
        _add_variables(b, [f"{label}-sum-{i}" for label in labels], f"sum-{i}", states)
    for places, table in zip(sums.places, sums.tables, strict=True):
        scopes = []
        for label, line in zip(labels, lines, strict=True):
            variables = [names[i] for i in line] + [f"{label}-sum-{i}" for i in range(2, len(sums.states) + 2)]
            scopes.append([variables[place] for place in places])
        b.accept_many(scopes, table)
    problem = b.build()
    if len(sums.tables) == 1:
        return problem
    term, n_lines = Term(problem.domain_values[0], np.arange(1, n + 1)), len(lines)
    n_pairs = problem.n_constraints - len(sums.tables) * n_lines
    known = []
    for i, line in enumerate(lines):  # each table, and each step of the states, is that of all lines
        constraints = tuple(range(n_pairs + i, problem.n_constraints, n_lines))
        of_line = tuple(range(n + i, problem.n_variables, n_lines))
        known.append(LinearSum(tuple(line), (term,) * size, sums.ranges, constraints, of_line))
    return replace(problem, sums=tuple(known), is_checked=True)


def _add_variables(b: ProblemBuilder, names: Sequence[str], domain: str, values: Iterable[Value]) -> Sequence[str]:
    b.domain(domain, values)
    for name in names:
        b.variable(name, domain)
    return names


def qwh(draws: Draws, *, size: int, holes: int | None, balanced: bool) -> LatinSquare:
    """A quasigroup with holes: a Latin square of which cells are removed.

    Balanced holes are those of some values of another Latin square, which are in each row and each column once, and a
    part of those of a further value (the balanced patterns of Kautz and others, "Balance and filtering in structured
    satisfiable problems", 2001).
    """
    n_cells = size * size
    n_holes = rounded(_HARDEST_HOLES * n_cells) if holes is None else holes
    if n_holes > n_cells:
        raise F2cspError(f"a square of {n_cells} cells cannot have {n_holes} holes")
    grid = latin_square(size, draws)
    if balanced:
        pattern = latin_square(size, draws)
        order = draws.shuffled(range(n_cells))
        order.sort(key=pattern.__getitem__)
    else:
        order = draws.shuffled(range(n_cells))
    kept = sorted(order[n_holes:])
    return LatinSquare(size, clues=tuple(Clue(i // size + 1, i % size + 1, grid[i] + 1) for i in kept))


def coloring(draws: Draws, *, colours: int, graph: str | None, nodes: int, density: float) -> Problem:
    """Colours for the nodes of a graph: neighbours have different ones."""
    if graph is None:
        pairs = list(combinations(range(1, nodes + 1), 2))
        name, n_nodes = f"a random graph of {nodes} nodes", nodes
        edges: Edges = [pairs[i] for i in draws.sample(len(pairs), rounded(density * len(pairs)))]
    else:
        name = graph.rpartition("/")[2]
        n_nodes, edges = _graph(graph)
    b = ProblemBuilder(f"Colouring of {name} with {colours} colours")
    _add_variables(b, [f"N{i}" for i in range(1, n_nodes + 1)], "colour", range(1, colours + 1))
    b.reject_many([(f"N{one}", f"N{other}") for one, other in edges], [(c, c) for c in range(1, colours + 1)])
    return b.build()


# ---- Graphs ----------------------------------------------------------------------------------------------------------


def _graph(text: str) -> tuple[int, Edges]:
    """The number of nodes and the edges of a graph: ``NAME``, ``NAME:N``, or a file."""
    name, _, number = text.partition(":")
    if name == "petersen":
        return _petersen()
    if name not in _GRAPHS:
        return read_graph(read_source(text))
    graph_of, most = _GRAPHS[name]
    if not (number.isascii() and number.isdigit() and len(number) <= 3 and 0 < int(number) <= most):
        raise F2cspError(f"expected {name}:N with N from 1 to {most} as graph, found {text}")
    return graph_of(int(number))


def _cycle(n: int) -> tuple[int, Edges]:
    return n, sorted({(min(i, i % n + 1), max(i, i % n + 1)) for i in range(1, n + 1)} - {(1, 1)})


def _queen_graph(n: int) -> tuple[int, Edges]:
    cells = list(product(range(n), repeat=2))
    pairs = combinations(enumerate(cells, 1), 2)
    attacks = [(i, j) for (i, (r, c)), (j, (s, d)) in pairs if r == s or c == d or abs(r - s) == abs(c - d)]
    return n * n, attacks


def _mycielski(n: int) -> tuple[int, Edges]:
    """The graph with chromatic number ``n`` that has no triangle (Mycielski, 1955)."""
    n_nodes, edges = (1, []) if n == 1 else (2, [(1, 2)])
    for _ in range(n - 2):
        copies = [(a, b + n_nodes) for edge in edges for a, b in (edge, edge[::-1])]
        edges = sorted([*edges, *copies, *((i + n_nodes, 2 * n_nodes + 1) for i in range(1, n_nodes + 1))])
        n_nodes = 2 * n_nodes + 1
    return n_nodes, edges


def _petersen() -> tuple[int, Edges]:
    rim = [(i, i % 5 + 1) for i in range(1, 6)]
    star = [(i + 5, (i + 1) % 5 + 6) for i in range(1, 6)]
    return 10, sorted((min(e), max(e)) for e in [*rim, *star, *((i, i + 5) for i in range(1, 6))])


_GRAPHS: dict[str, tuple[Callable[[int], tuple[int, Edges]], int]] = {
    "complete": (lambda n: (n, list(combinations(range(1, n + 1), 2))), 999),
    "cycle": (_cycle, 999),
    "wheel": (lambda n: (n + 1, [*_cycle(n)[1], *((i, n + 1) for i in range(1, n + 1))]), 999),
    "queen": (_queen_graph, 50),
    "mycielski": (_mycielski, 12),
}
"""The graphs with a number by their names, and the largest number: a graph has at most half a million edges."""

# ---- Random tables ---------------------------------------------------------------------------------------------------


def model_b(
    draws: Draws, *, variables: int, domain: int, density: float, tightness: float, satisfiable: bool
) -> Problem:
    """Model B: exact fractions of the pairs of variables and of the pairs of values, without repetition.

    Source:
        I. P. Gent and others, "Random constraint satisfaction: flaws and structure", 2001.
    """
    pairs = list(combinations(range(variables), 2))
    scopes = [pairs[i] for i in draws.sample(len(pairs), rounded(density * len(pairs)))]
    title = f"Model B: {variables} variables, {domain} values, density {density:g}, tightness {tightness:g}"
    return _problem(title, draws, variables, domain, scopes, tightness, satisfiable)


def model_rb(
    draws: Draws, *, variables: int, arity: int, alpha: float, ratio: float, tightness: float | None, satisfiable: bool
) -> Problem:
    """Model RB: n ** alpha values, and r n ln n constraints, scopes with repetition; by default at its threshold.

    Source:
        K. Xu and W. Li, "Exact phase transitions in random constraint satisfaction problems", 2000.
    """
    if arity > variables:
        raise F2cspError(f"expected at least {arity} variables for constraints of arity {arity}, found {variables}")
    domain = rounded(variables**alpha)
    p = 1 - exp(-alpha / ratio) if tightness is None else tightness
    n_constraints = rounded(ratio * variables * log(variables))
    scopes = [draws.sample(variables, arity) for _ in range(n_constraints)]
    title = f"Model RB: {variables} variables, arity {arity}, alpha {alpha:g}, r {ratio:g}, tightness {p:.4g}"
    return _problem(title, draws, variables, domain, scopes, p, satisfiable)


def _problem(
    title: str,
    draws: Draws,
    n_variables: int,
    n_values: int,
    scopes: Sequence[Sequence[int]],
    tightness: float,
    satisfiable: bool,
) -> Problem:
    """The problem with a table of its own for each scope."""
    n_tuples = max((n_values ** len(scope) for scope in scopes), default=0)
    n_rejected = rounded(tightness * n_tuples)
    if max(n_tuples, n_rejected * len(scopes)) > _MAX_TUPLES:
        raise F2cspError(f"the tables would have {n_rejected * len(scopes):,} tuples of {n_tuples:,}; try fewer values")
    if satisfiable and n_rejected == n_tuples and scopes:
        raise F2cspError("tables that reject all tuples leave no solution: expected a smaller tightness")
    planted = [draws.below(n_values) for _ in range(n_variables)] if satisfiable else None
    b = ProblemBuilder(title)
    _add_variables(b, [f"X{i}" for i in range(1, n_variables + 1)], "D1", range(1, n_values + 1))
    for scope in scopes:
        ranks = draws.sample(n_tuples - (planted is not None), n_rejected)
        if planted is not None:
            spared = sum(planted[v] * n_values**i for i, v in enumerate(reversed(scope)))
            ranks = [rank + (rank >= spared) for rank in ranks]
        places = [n_values**i for i in range(len(scope))][::-1]
        tuples = [[rank // place % n_values + 1 for place in places] for rank in ranks]
        b.reject([f"X{v + 1}" for v in scope], tuples)
    return b.build()


# ---- Crosswords ------------------------------------------------------------------------------------------------------


def crossword(draws: Draws, *, words: str, grid: str) -> Problem:  # noqa: ARG001 - as every maker
    """The problem of filling a grid; its variables are the open cells, its values letters."""
    rows = _grid(grid)
    found = [word.strip().upper() for word in _lines(words)]
    of_length: dict[int, dict[str, None]] = {}
    for word in found:
        if word.isalpha():
            of_length.setdefault(len(word), {})[word] = None
    given = {(r, c): letter for r, row in enumerate(rows, 1) for c, letter in enumerate(row, 1) if letter.isalpha()}
    letters = sorted({*"".join("".join(some) for some in of_length.values()), *given.values()})
    if not letters:
        raise F2cspError(f"{words} has no word of letters")
    b = ProblemBuilder(f"Crossword {len(rows)}x{len(rows[0])}")
    names = [[f"V{r}-{c}" if cell != _BLOCK else "" for c, cell in enumerate(row, 1)] for r, row in enumerate(rows, 1)]
    _add_variables(b, list(filter(None, chain(*names))), "letter", letters)
    for scope in _slots(names):
        if len(scope) not in of_length:
            place = f"for the cells from {scope[0]} to {scope[-1]}"
            raise F2cspError(f"{words} has no word of {len(scope)} letters, {place}")
        b.accept(scope, [list(word) for word in of_length[len(scope)]])
    for (r, c), letter in given.items():
        b.accept([f"V{r}-{c}"], [letter])
    return b.build()


def _lines(file: str) -> list[str]:
    return read_source(file).data.decode("utf-8-sig", "replace").splitlines()


def _grid(file: str) -> list[str]:
    """The rows of a grid; blanks between cells are ignored."""
    rows = ["".join(line.split()).upper() for line in _lines(file) if line.strip()]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise F2cspError(f"{file}: expected {len(rows[0])} cells in row {number}, found {len(row)}")
        for cell in row:
            if cell not in (_BLOCK, _OPEN) and not cell.isalpha():
                raise F2cspError(f"{file}: expected {_OPEN}, {_BLOCK} or a letter in row {number}, found {cell!r}")
    if not rows:
        raise F2cspError(f"{file}: expected the rows of a grid, found none")
    return rows


def _slots(names: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """The cells of each word, across and then down; a block has no name."""
    for line in (*names, *zip(*names, strict=True)):
        for is_open, cells in groupby(line, bool):
            slot = list(cells)
            if is_open and len(slot) >= 2:
                yield slot

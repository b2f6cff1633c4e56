"""Families of instances that researchers and courses use, each as a problem of tables."""

from collections.abc import Callable, Sequence
from itertools import combinations, product

from f2csp.diagnostics import F2cspError
from f2csp.files import read_source
from f2csp.generation.draws import Draws, rounded
from f2csp.generation.full_grids import latin_square, lines_of
from f2csp.model import Problem, ProblemBuilder, automaton
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.puzzle import Clue, cell_names

Edges = Sequence[tuple[int, int]]

_HARDEST_HOLES = 0.42  # of the cells; the fraction with the hardest quasigroups with holes


def queens(draws: Draws, *, size: int) -> Problem:  # noqa: ARG001 - as every maker
    """A queen in each row of a chess board; the value of a row is the column."""
    b = ProblemBuilder(f"{size} queens")
    names = _variables(b, "Q", size, "column", range(1, size + 1))
    columns = range(1, size + 1)
    for distance in columns[: size - 1]:
        attacked = [(one, one + i) for one in columns for i in (-distance, 0, distance) if one + i in columns]
        b.reject_many(list(zip(names, names[distance:], strict=False)), attacked)
    return b.build()


def pigeonhole(draws: Draws, *, pigeons: int, holes: int | None) -> Problem:  # noqa: ARG001 - as every maker
    """Pigeons in different holes."""
    n_holes = max(1, pigeons - 1) if holes is None else holes
    b = ProblemBuilder(f"{pigeons} pigeons in {n_holes} holes")
    b.all_different(_variables(b, "P", pigeons, "hole", range(1, n_holes + 1)))
    return b.build()


def magic(draws: Draws, *, size: int) -> Problem:  # noqa: ARG001 - as every maker
    """A magic square; the sum of a line is a chain of tables, as those of the cages of a Killer Sudoku."""
    n, total = size * size, size * (size * size + 1) // 2
    b = ProblemBuilder(f"Magic square {size}x{size}")
    b.domain("number", range(1, n + 1))
    names = cell_names(size, size)
    for name in names:
        b.variable(name, "number")
    b.all_different(names)

    def add(position: int, partial: int, value: int) -> int | None:
        left, rest = total - partial - value, size - 1 - position
        return partial + value if rest * (rest + 1) // 2 <= left <= rest * (2 * n - rest + 1) // 2 else None

    sums = automaton.chain([range(1, n + 1)] * size, 0, add, lambda state: state == total)
    lines = [*lines_of(size), range(0, n, size + 1), range(size - 1, max(n - 1, 1), max(size - 1, 1))]
    labels = [f"{direction}{i}" for direction in "RC" for i in range(1, size + 1)] + ["D1", "D2"]
    for i, states in enumerate(sums.states, 2):
        b.domain(f"sum-{i}", states)
        for label in labels:
            b.variable(f"{label}-sum-{i}", f"sum-{i}")
    for places, table in zip(sums.places, sums.tables, strict=True):
        scopes = []
        for label, line in zip(labels, lines, strict=True):
            variables = [names[i] for i in line] + [f"{label}-sum-{i}" for i in range(2, len(sums.states) + 2)]
            scopes.append([variables[place] for place in places])
        b.accept_many(scopes, table)
    return b.build()


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
    _variables(b, "N", n_nodes, "colour", range(1, colours + 1))
    b.reject_many([(f"N{one}", f"N{other}") for one, other in edges], [(c, c) for c in range(1, colours + 1)])
    return b.build()


def _variables(b: ProblemBuilder, letter: str, n: int, domain: str, values: range) -> list[str]:
    """Declare variables of one domain, and return their names."""
    b.domain(domain, values)
    names = [f"{letter}{i}" for i in range(1, n + 1)]
    for name in names:
        b.variable(name, domain)
    return names


def _graph(text: str) -> tuple[int, Edges]:
    """The number of nodes and the edges of a graph: ``NAME``, ``NAME:N``, or a DIMACS file."""
    name, _, number = text.partition(":")
    if name not in GRAPHS:
        return _dimacs_graph(text)
    if name != "petersen" and not (number.isascii() and number.isdigit() and 0 < int(number) < 1000):
        raise F2cspError(f"expected {name}:N with N from 1 to 999 as graph, found {text}")
    return GRAPHS[name](int(number or 0))


def _dimacs_graph(file: str) -> tuple[int, Edges]:
    """Read lines ``p edge NODES EDGES`` and ``e NODE NODE``; an edge may be there in both directions."""
    source = read_source(file)
    n_nodes, edges = 0, dict[tuple[int, int], None]()
    for number, line in enumerate(source.data.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        is_header = words[0] == "p" and len(words) == 4 and not n_nodes
        numbers = [int(word) if word.isascii() and word.isdigit() else -1 for word in words[2 if is_header else 1 :]]
        if is_header and min(numbers) >= 0:
            n_nodes = numbers[0]
        elif words[0] == "e" and len(numbers) == 2 and all(1 <= node <= n_nodes for node in numbers):
            if numbers[0] == numbers[1]:
                raise F2cspError(f"{source.name}:{number}: node {numbers[0]} is its own neighbour")
            edges[min(numbers), max(numbers)] = None
        elif words[0] != "n":
            expected = f"an edge of two nodes from 1 to {n_nodes}: e NODE NODE" if n_nodes else "p edge NODES EDGES"
            raise F2cspError(f"{source.name}:{number}: expected {expected}, found {line.strip()!r}")
    if not n_nodes:
        raise F2cspError(f"{source.name}: expected p edge NODES EDGES, found no such line")
    return n_nodes, list(edges)


def _cycle(n: int) -> tuple[int, Edges]:
    return n, sorted({(min(i, i % n + 1), max(i, i % n + 1)) for i in range(1, n + 1)} - {(1, 1)})


def _wheel(n: int) -> tuple[int, Edges]:
    return n + 1, [*_cycle(n)[1], *((i, n + 1) for i in range(1, n + 1))]


def _queen_graph(n: int) -> tuple[int, Edges]:
    cells = list(product(range(n), repeat=2))
    pairs = combinations(enumerate(cells, 1), 2)
    attacks = [(i, j) for (i, (r, c)), (j, (s, d)) in pairs if r == s or c == d or abs(r - s) == abs(c - d)]
    return n * n, attacks


def _mycielski(n: int) -> tuple[int, Edges]:
    """The graph with chromatic number ``n`` that has no triangle (Mycielski, 1955)."""
    n_nodes, edges = (1, []) if n == 1 else (2, [(1, 2)])
    for _ in range(n - 2):
        copies = [(min(a, b), max(a, b) + n_nodes) for a, b in edges] + [
            (max(a, b), min(a, b) + n_nodes) for a, b in edges
        ]
        edges = sorted([*edges, *copies, *((i + n_nodes, 2 * n_nodes + 1) for i in range(1, n_nodes + 1))])
        n_nodes = 2 * n_nodes + 1
    return n_nodes, edges


def _petersen(_: int) -> tuple[int, Edges]:
    rim = [(i, i % 5 + 1) for i in range(1, 6)]
    star = [(i + 5, (i + 1) % 5 + 6) for i in range(1, 6)]
    return 10, sorted((min(e), max(e)) for e in [*rim, *star, *((i, i + 5) for i in range(1, 6))])


GRAPHS: dict[str, Callable[[int], tuple[int, Edges]]] = {
    "complete": lambda n: (n, list(combinations(range(1, n + 1), 2))),
    "cycle": _cycle,
    "wheel": _wheel,
    "queen": _queen_graph,
    "mycielski": _mycielski,
    "petersen": _petersen,
}
"""The named graphs by their parameter."""

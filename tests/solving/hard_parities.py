"""A problem that no engine solves in any time: parities around the vertices of a graph, which contradict one another.

Urquhart, "Hard examples for resolution", 1987. As a program it is solved until it is interrupted: with the name of an
engine, and ``all`` for the solutions of a part of it, which are far too many.
"""

import sys
import time
from itertools import product
from random import Random

from f2csp.model import Problem, ProblemBuilder
from f2csp.solving import Limits, Solution, Status, named_engine, solve

_N_VERTICES = 150
_MAX_SECONDS = 60.0


def parities(n_vertices: int = _N_VERTICES, *, is_contradictory: bool = True) -> Problem:
    """Edges hold 0 or 1; at each vertex an even number of its three edges holds 1, at one an odd number."""
    ends = [vertex for vertex in range(n_vertices) for _ in range(3)]
    random = Random(1)
    edges: set[tuple[int, ...]] = set()
    while len(edges) < len(ends) // 2:
        random.shuffle(ends)
        edges = {tuple(sorted(pair)) for pair in zip(ends[::2], ends[1::2], strict=True) if pair[0] != pair[1]}
    builder = ProblemBuilder("parities")
    builder.domain("D", [0, 1])
    names = {edge: f"{edge[0]}-{edge[1]}" for edge in sorted(edges)}
    for name in names.values():
        builder.variable(name, "D")
    for vertex in range(n_vertices):
        odd = is_contradictory and vertex == 0
        scope = [name for edge, name in names.items() if vertex in edge]
        builder.accept(scope, [row for row in product((0, 1), repeat=3) if sum(row) % 2 == odd])
    return builder.build()


def _announce(solution: Solution) -> None:
    print("found", flush=True)


if __name__ == "__main__":
    engine, wanted = sys.argv[1:]
    problem = parities(is_contradictory=wanted == "one")
    limits = Limits(seconds=_MAX_SECONDS, solutions=1 if wanted == "one" else None)
    named_engine(engine).load()  # its import takes seconds on a busy machine
    print("ready", flush=True)
    result = solve(problem, engine=engine, limits=limits, observer=_announce, keep_solutions=False)
    assert (result.status == Status.SATISFIABLE) == (result.n_solutions > 0)
    assert result.statistics.failures is not None
    try:
        print(result.status, result.is_complete, flush=True)
        for _ in range(int(10 * _MAX_SECONDS)):  # short sleeps: a signal just before a longer one does not end it
            time.sleep(0.1)
    except KeyboardInterrupt:
        print("interrupted", flush=True)

"""What solvers print, for all formats: solutions, or that there is none."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from f2csp.diagnostics import ByteSpan, Collector, Source
from f2csp.files import check_encoding
from f2csp.model import Problem
from f2csp.solutions import Assignments, Solution

Pair = tuple[str, ByteSpan, str, ByteSpan]
"""A name, a value, each with its place."""

Find = Callable[[Assignments], Iterable[tuple[Iterable[Pair], ByteSpan]]]
"""For each solution in a text its pairs, and the place of what they lack; faults are reported to the assignments."""


def ended_parts(
    matches: Iterable[re.Match[bytes]], is_end: Callable[[re.Match[bytes]], object], lack: str, assignments: Assignments
) -> Iterator[list[re.Match[bytes]]]:
    """The matches up to each that ends a solution, which is the last of them; a fault where the text ends before."""
    part: list[re.Match[bytes]] = []
    for match in matches:
        part.append(match)
        if is_end(match):
            yield part
            part = []
    if part and not assignments.collector.n_errors:
        message = f"the text ends inside solution {len(assignments.solutions) + 1}: {lack}"
        place = part[-1].end(), part[-1].end()
        assignments.collector.add("F507", *place, message, hint="get the whole output of the solver")


def solutions_printed(
    source: Source, problem: Problem, find: Find, none: re.Pattern[bytes], hint: str, optional: Collection[str] = ()
) -> list[Solution]:
    """The solutions in the output of a solver; raises InvalidInput for faults, or if there are none.

    ``none`` is how the solver says that there is no solution, and ``hint`` how to get one from it.
    """
    collector = Collector(source)
    check_encoding(source, collector)
    assignments = Assignments(problem, collector, optional)
    for pairs, place in find(assignments):
        assignments.begin()
        for pair in pairs:
            assignments.add(*pair)
        assignments.finish(*place)
    if not assignments.solutions and not collector.n_errors:
        if refusal := none.search(source.data):
            collector.add("F511", *refusal.span(), "the solver found no solution")
        else:
            end = len(source.data.rstrip(b" \t\r\n"))
            collector.add("F511", end, end, "the text has no solution", hint=hint)
    collector.raise_if_errors()
    return assignments.solutions

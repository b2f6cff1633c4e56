"""Small problems whose tables mean something, and all their solutions from the definition of one.

The tables are predicates over small domains: comparisons, sums, parities, functions, tables of no meaning, and those
that hold never or always. Each is told by what it accepts or by what it rejects. There are symbols, numbers as large as
the format has them, variables that no constraint mentions, and problems without any variable.
"""

from collections.abc import Callable
from itertools import product
from math import prod
from random import Random

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from f2csp.model import Problem, ProblemBuilder, Value, check_all

Values = tuple[Value, ...]
Predicate = Callable[[Values], bool]

_MOST_ASSIGNMENTS = 300

_DOMAINS: tuple[Values, ...] = (
    *((0, 1), (1, 0), (1, 2), (1, 2, 3), (3, 1, 2), (0, 1, 2, 3), (-1, 0, 1), (2, 5, 3, 4), (7,), (1,), (0,)),
    *(("a",), ("a", "b"), ("b", "c", "a"), ("a", "1", "01"), ("x", "0")),
    *(((1 << 63) - 1, -(1 << 63), 0), ((1 << 63) - 2, (1 << 63) - 1), (1 << 40, 0, -(1 << 41)), ((1 << 61) + 1, 1, 2)),
)

_OF_WORDS: dict[str, Predicate] = {
    "never": lambda row: False,
    "always": lambda row: True,
    "equal": lambda row: len({*map(str, row)}) == 1,
    "different": lambda row: len({*map(str, row)}) == len(row),
    "is": lambda row: str(row[0]) in "1ab",
    "is not": lambda row: str(row[0]) not in "1ab",
}
_OF_NUMBERS: dict[str, Predicate] = {
    "less": lambda row: row == tuple(sorted(set(row))),
    "less or equal": lambda row: list(row) == sorted(row),
    "greater": lambda row: row == tuple(sorted(set(row), reverse=True)),
    "greater or equal": lambda row: list(row) == sorted(row, reverse=True),
    "difference": lambda row: row[0] - row[-1] == 1,
    "sum": lambda row: sum(row) == 3,
    "even": lambda row: sum(row) % 2 == 0,
    "odd": lambda row: sum(row) % 2 == 1,
}


@st.composite
def small_problems(draw: DrawFn) -> Problem:
    """A problem with few assignments."""
    builder = ProblemBuilder("small")
    domains = draw(st.lists(st.sampled_from(_DOMAINS), min_size=1, max_size=3, unique=True))
    of_variable: dict[str, Values] = {}
    for i, values in enumerate(domains):
        builder.domain(f"D{i}", values)
    for i, chosen in enumerate(draw(st.lists(st.integers(0, len(domains) - 1), max_size=5))):
        if prod(map(len, of_variable.values())) * len(domains[chosen]) <= _MOST_ASSIGNMENTS:
            builder.variable(f"x{i}", f"D{chosen}")
            of_variable[f"x{i}"] = domains[chosen]
    if of_variable:
        scopes = st.lists(st.sampled_from(list(of_variable)), min_size=1, max_size=5, unique=True)
        for scope in draw(st.lists(scopes, max_size=6)):
            every = list(product(*(of_variable[name] for name in scope)))
            allowed = draw(_allowed(every))
            if draw(st.booleans()):
                builder.accept(scope, allowed)
            else:
                builder.reject(scope, [row for row in every if row not in allowed])
    return builder.build()


@st.composite
def _allowed(draw: DrawFn, every: list[Values]) -> list[Values]:
    """Of all tuples over some domains those that a constraint allows."""
    are_numbers = all(isinstance(value, int) for row in every for value in row)
    meaning = draw(st.sampled_from([*_OF_WORDS, *(_OF_NUMBERS if are_numbers else ()), "function", "any"]))
    random = Random(draw(st.integers(0, 1 << 16)))
    if meaning == "any":
        return random.sample(every, random.randrange(len(every) + 1))
    if meaning == "function":
        at = random.randrange(len(every[0]))
        random.shuffle(every)
        return list({row[:at] + row[at + 1 :]: row for row in every}.values())
    return [row for row in every if (_OF_WORDS | _OF_NUMBERS)[meaning](row)]


def solutions(problem: Problem) -> list[dict[str, Value]]:
    """All solutions, one assignment after the other checked."""
    names = [variable.name for variable in problem.variables]
    rows = product(*(variable.domain.values for variable in problem.variables))
    assignments = [dict(zip(names, row, strict=True)) for row in rows]
    return [one for one, broken in zip(assignments, check_all(problem, assignments), strict=True) if not broken]

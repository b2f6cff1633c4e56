"""Small problems whose tables mean something, and all their solutions from the definition of one.

The tables are predicates over small domains: comparisons, sums, parities, functions, tables of no meaning, those that
hold never or always, and some that are nearly one of these. Each is given by what it accepts or by what it rejects.
There are cliques of variables that differ, symbols, numbers as large as the format has them, variables that no
constraint mentions, and problems without any variable.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, product
from math import prod
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from f2csp.model import Problem, ProblemBuilder, Value, check_all

Values = tuple[Value, ...]
Predicate = Callable[[Values], bool]

_MOST_ASSIGNMENTS = 300

_BITS: tuple[Values, ...] = ((0, 1), (1, 0))
_NUMBERS: tuple[Values, ...] = ((1, 2, 3), (3, 1, 2), (0, 1, 2, 3), (-1, 0, 1), (2, 5, 3, 4), (1, 2), (1,), (0, 1))
_LARGE: tuple[Values, ...] = (
    *((-(1 << 63), (1 << 63) - 1, 0), ((1 << 63) - 2, (1 << 63) - 1), (1 << 40, 0, -(1 << 41)), ((1 << 61) + 1, 1, 2)),
)
_WORDS: tuple[Values, ...] = (("a", "b"), ("b", "c", "a"), ("a",), ("a", "1", "01"), ("x", "0"))
_DOMAINS = (_BITS, _NUMBERS, _NUMBERS, _LARGE, _WORDS, _BITS + _NUMBERS + _LARGE + _WORDS)

_OF_PAIRS: dict[str, Predicate] = {
    "equal": lambda row: str(row[0]) == str(row[1]),
    "different": lambda row: str(row[0]) != str(row[1]),
    "less": lambda row: row[0] < row[1],
    "less or equal": lambda row: row[0] <= row[1],
    "greater": lambda row: row[0] > row[1],
    "greater or equal": lambda row: row[0] >= row[1],
    "difference": lambda row: row[0] - row[1] == 1,
    "sum": lambda row: row[0] + row[1] == 3,
}
_OF_ANY: dict[str, Predicate] = {
    "never": lambda row: False,
    "always": lambda row: True,
    "is": lambda row: str(row[0]) in "1ab",
    "is not": lambda row: str(row[0]) not in "1ab",
}
_OF_BITS: dict[str, Predicate] = {
    "even": lambda row: sum(row) % 2 == 0,
    "odd": lambda row: sum(row) % 2 == 1,
}


def problem_of(domains: Mapping[str, Iterable[Value]], *constraints: tuple[Any, ...], title: str = "") -> Problem:
    """A problem in few words: ``problem_of({"D: x y": [1, 2]}, ("reject x y", [(1, 1)]))``.

    Args:
        domains: The values of each domain, by its name and those of its variables.
        constraints: The kind and the scope of each, its tuples, and perhaps its label.
        title: The title.
    """
    builder = ProblemBuilder(title)
    for names, values in domains.items():
        domain, _, variables = names.partition(":")
        builder.domain(domain, values)
        for name in filter(None, variables.split(" ")):
            builder.variable(name, domain)
    for head, *rows_and_label in constraints:
        kind, *scope = head.split()
        getattr(builder, kind)(scope, *rows_and_label)
    return builder.build()


@st.composite
def small_problems(draw: DrawFn) -> Problem:
    """A problem with few assignments."""
    builder = ProblemBuilder("small")
    domains = draw(st.lists(st.sampled_from(draw(st.sampled_from(_DOMAINS))), min_size=1, max_size=3, unique=True))
    of_variable: dict[str, Values] = {}
    for i, values in enumerate(domains):
        builder.domain(f"D{i}", values)
    for i, chosen in enumerate(draw(st.lists(st.integers(0, len(domains) - 1), max_size=7))):
        if prod(map(len, of_variable.values())) * len(domains[chosen]) <= _MOST_ASSIGNMENTS:
            builder.variable(f"x{i}", f"D{chosen}")
            of_variable[f"x{i}"] = domains[chosen]
    if of_variable:
        for _ in range(draw(st.integers(0, 6))):
            _constrain(draw, builder, of_variable)
    return builder.build()


def _constrain(draw: DrawFn, builder: ProblemBuilder, of_variable: dict[str, Values]) -> None:
    """Add a constraint, or one for each pair of a clique."""
    scope = draw(st.lists(st.sampled_from(list(of_variable)), min_size=1, max_size=6, unique=True))
    if len(scope) > 2 and draw(st.integers(0, 4)) == 0:
        scopes = [list(pair) for pair in combinations(scope, 2)]
        meaning = "different"
    else:
        are_bits = all({*of_variable[name]} == {0, 1} for name in scope)
        are_numbers = all(isinstance(value, int) for name in scope for value in of_variable[name])
        of_pairs = [*_OF_PAIRS][: None if are_numbers else 2] if len(scope) > 1 else []
        of_bits = [*_OF_BITS] * 4 if are_bits else []
        meaning = draw(st.sampled_from([*of_pairs, *of_bits, "function", "any", *_OF_ANY]))
        scopes = [scope[:2] if meaning in _OF_PAIRS else scope]
    seed = draw(st.integers(0, 1 << 16))
    for one in scopes:
        every = list(product(*(of_variable[name] for name in one)))
        random = Random(seed)
        allowed = _allowed(every, meaning, random)
        if random.random() < 0.1:  # nearly
            odd = random.choice(every)
            allowed = [row for row in every if (row in allowed) != (row == odd)]
        if draw(st.booleans()):
            builder.accept(one, allowed)
        else:
            builder.reject(one, [row for row in every if row not in allowed])


def _allowed(every: list[Values], meaning: str, random: Random) -> list[Values]:
    """Of all tuples over some domains those that a constraint allows."""
    if meaning == "any":
        return random.sample(every, random.randrange(len(every) + 1))
    if meaning == "function":
        at = random.randrange(len(every[0]))
        shuffled = random.sample(every, len(every))
        return list({row[:at] + row[at + 1 :]: row for row in shuffled}.values())
    holds = (_OF_ANY | _OF_PAIRS | _OF_BITS)[meaning]
    return [row for row in every if holds(row)]


def solutions(problem: Problem) -> list[dict[str, Value]]:
    """All solutions, one assignment after the other checked."""
    names = [variable.name for variable in problem.variables]
    rows = product(*(variable.domain.values for variable in problem.variables))
    assignments = [dict(zip(names, row, strict=True)) for row in rows]
    return [one for one, broken in zip(assignments, check_all(problem, assignments), strict=True) if not broken]

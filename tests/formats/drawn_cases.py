"""Constraints with random parts and their definitions, in blocks of three lines of a file.

The first line draws what the others name; the second is the text of a constraint, a format; the third is a Python
expression that says when a row satisfies it, ``v``.
"""

import operator
import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

Row = Sequence[int]

ORDERS = {name: getattr(operator, name) for name in ("lt", "le", "ge", "gt", "eq", "ne")}


def cases(file: str) -> list[str]:
    """The blocks of a file beside this module."""
    return Path(__file__).with_name(file).read_text(encoding="utf-8").rstrip("\n").split("\n\n")


@cache
def drawn(case: str, seed: int, domains: tuple[range, ...]) -> tuple[str, set[tuple[int, ...]]]:
    """The text of a constraint, and the rows over the domains that satisfy it."""
    draws, text, holds = case.splitlines()
    names = names_for(random.Random(seed))
    exec(draws, names)
    names |= {name: Items(value) for name, value in names.items() if isinstance(value, list)}
    code = compile(holds, "holds", "eval")

    return text.format(**names), {row for row in product(*domains) if eval(code, names.update(v=row) or names)}


class Condition(NamedTuple):
    """A condition as text, which can be called with a value and a row."""

    text: str
    holds: Callable[[int, Row], bool]

    def __str__(self) -> str:
        return self.text

    def __call__(self, value: int, row: Row) -> bool:
        return self.holds(value, row)


class Items(list[Any]):
    """A list, formatted with blanks, or as tuples where the format is ()."""

    def __format__(self, spec: str) -> str:
        return "".join(f"({','.join(map(str, row))})" for row in self) if spec else " ".join(map(str, self))


def names_for(draws: random.Random) -> dict[str, Any]:
    """What the lines of a case can use."""

    def condition(limit: int) -> Condition:
        """A condition with a number, a variable, an expression, a range or a set."""
        n, m, i = draws.randint(-1, limit), draws.randint(0, 3), draws.randrange(4)
        name = draws.choice(list(ORDERS))
        forms = [
            Condition(f"({name},{n})", lambda a, _: ORDERS[name](a, n)),
            Condition(f"({name},v[{i}])", lambda a, v: ORDERS[name](a, v[i])),
            Condition(f"({name},sub(v[{i}],v[4]))", lambda a, v: ORDERS[name](a, v[i] - v[4])),
            Condition(f"(in,{n}..{n + m})", lambda a, _: n <= a <= n + m),
            Condition(f"(notin,{{{n},{n + m}}})", lambda a, _: a not in (n, n + m)),
        ]
        return draws.choice(forms)

    def loop(after: Row) -> int:
        """The length of the only loop of successors, 0 if there is none or another one."""
        if not all(0 <= one < len(after) for one in after) or len({*after}) < len(after):
            return 0
        moved = [i for i, one in enumerate(after) if one != i]
        found = moved[:1]
        while found and after[found[-1]] != found[0]:
            found.append(after[found[-1]])
        return len(found) if len(found) == len(moved) else 0

    def reached(states: set[str], moves: Sequence[tuple[str, int, str]], row: Row) -> set[str]:
        for value in row:
            states = {after for before, n, after in moves if before in states and n == value}
        return states

    functions = [draws.choice, draws.choices, draws.randint, draws.sample, combinations, pairwise, product]
    return {function.__name__: function for function in [*functions, condition, loop, reached]} | {
        "ints": lambda n, least, most: [draws.randint(least, most) for _ in range(n)],
        "orders": ORDERS,
        "dot": lambda a, v: sum(map(operator.mul, a, v)),
        "firsts": lambda a, v: [v.index(n) if n in v else 9 for n in a],
        "named": lambda word, v: (
            {"v[0]": {v[0]}, "v[3]": {v[3]}, "v[4]": {v[4]}}.get(word) or range(int(word[0]), int(word[-1]) + 1)
        ),
        "apart": lambda tasks: all(a + n <= b or b + m <= a for (a, n), (b, m) in combinations(tasks, 2)),
    }

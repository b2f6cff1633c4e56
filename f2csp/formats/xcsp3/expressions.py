"""Expressions in functional form, such as ``eq(add(x,1),y)``, and the tuples for which they hold.

An expression is the sequence of its constants, variables and functions, each function after its arguments: no depth of
nesting is a recursion, and expressions that differ in their variables alone have the same program.
"""

import re
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from math import gcd, inf, prod
from operator import itemgetter
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from f2csp.diagnostics import ByteSpan, brief, near_word_hint
from f2csp.formats.xcsp3.declarations import Step, Variables
from f2csp.formats.xcsp3.xml_elements import PartFault, XmlText, written
from f2csp.model.automaton import NO_STATE, Ends, Moves, Numbers

_TOKEN = re.compile(
    rb"\s*+(?:(?P<function>[A-Za-z_][A-Za-z0-9_]*+)\s*+\(|(?P<operand>[A-Za-z_][^\s(),]*+|[-+]?+[0-9]{1,18}+(?=[\s(),]|$))"
    rb"|(?P<comma>,)|(?P<close>\))|(?P<other>[^\s(),]++|\())"
)
_HINT = "write functions as eq(add(x,1),y)"
_MAX_NESTED = 200
_CHUNK_TUPLES = 1 << 14
_MAX_MAGNITUDE = 1 << 62

Postfix = tuple[Step, ...]
Steps = Sequence[Step]


class Operator(NamedTuple):
    """A function of arrays of integers; true is 1 and false is 0."""

    function: Callable[..., Any]
    min_arguments: int
    max_arguments: float
    bound: Callable[[list[int]], int] = lambda _: 1  # from the largest magnitudes of the arguments to the result's


def _folded(function: Callable[..., Any], *start: bool) -> Callable[..., Any]:
    return lambda *arguments: reduce(function, arguments, *start)


def _all_equal(*arguments: Numbers) -> NDArray[np.bool_]:
    return reduce(np.logical_and, [one == other for one, other in pairwise(arguments)])


def _power(base: Numbers, exponent: Numbers) -> Numbers:
    """A power, rounded toward zero: 1 / 2 is 0, and a negative exponent keeps 1 and -1 alone."""
    return np.where((exponent >= 0) | (np.abs(base) == 1), base ** np.abs(exponent), 0)


OPERATORS: dict[str, Operator] = {
    "neg": Operator(np.negative, 1, 1, sum),
    "abs": Operator(np.absolute, 1, 1, sum),
    "add": Operator(_folded(np.add), 1, inf, sum),
    "sub": Operator(np.subtract, 2, 2, sum),
    "mul": Operator(_folded(np.multiply), 1, inf, prod),
    "div": Operator(lambda a, b: np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b)), 2, 2, itemgetter(0)),
    "mod": Operator(lambda a, b: np.sign(a) * (np.abs(a) % np.abs(b)), 2, 2, itemgetter(0)),
    "sqr": Operator(np.square, 1, 1, lambda n: n[0] ** 2),
    "pow": Operator(_power, 2, 2, lambda n: max(n[0], 1) ** min(n[1], 64)),
    "min": Operator(_folded(np.minimum), 1, inf, max),
    "max": Operator(_folded(np.maximum), 1, inf, max),
    "dist": Operator(lambda a, b: np.abs(a - b), 2, 2, sum),
    "lt": Operator(np.less, 2, 2),
    "le": Operator(np.less_equal, 2, 2),
    "ge": Operator(np.greater_equal, 2, 2),
    "gt": Operator(np.greater, 2, 2),
    "ne": Operator(np.not_equal, 2, 2),
    "eq": Operator(_all_equal, 2, inf),
    "in": Operator(lambda a, *members: reduce(np.logical_or, [a == b for b in members], False), 1, inf),
    "notin": Operator(lambda a, *members: reduce(np.logical_and, [a != b for b in members], True), 1, inf),
    "not": Operator(np.logical_not, 1, 1),
    "and": Operator(_folded(np.logical_and, True), 1, inf),
    "or": Operator(_folded(np.logical_or, False), 1, inf),
    "xor": Operator(_folded(np.logical_xor, False), 1, inf),
    "iff": Operator(lambda *arguments: _all_equal(*[argument != 0 for argument in arguments]), 2, inf),
    "imp": Operator(lambda a, b: (a == 0) | (b != 0), 2, 2),
    "if": Operator(lambda condition, a, b: np.where(condition != 0, a, b), 3, 3, max),
    "in..": Operator(lambda a, first, last: (first <= a) & (a <= last), 3, 3),
    "notin..": Operator(lambda a, first, last: (a < first) | (last < a), 3, 3),
}
"""Division rounds toward zero, as by all solvers, also in powers. ``in`` and ``notin`` have the members of their set as
further arguments; ``in..`` is the condition on a range."""

COMPARISONS = ("lt", "le", "ge", "gt", "ne", "eq")
LOGICAL = frozenset({*COMPARISONS, "in", "notin", "not", "and", "or", "xor", "iff", "imp", "in..", "notin.."})
"""The functions that are 0 or 1."""

_DIVISIONS: dict[str, Callable[[Numbers, Numbers], Any]] = {  # where they divide by 0
    "div": lambda _, divisor: divisor == 0,
    "mod": lambda _, divisor: divisor == 0,
    "pow": lambda base, exponent: (base == 0) & (exponent < 0),
}
_SETS = ("in", "notin")

RESERVED = frozenset({"set", *OPERATORS})
"""The names that no variable can have."""


# ---- Reading ---------------------------------------------------------------------------------------------------------


def operand(word: bytes, variables: Variables) -> Step | None:
    """An integer, a symbol or a variable, or None if the word is none."""
    variable = variables.named(word)
    return variables.number(word) if variable is None else variable


def parse(text: XmlText, variables: Variables) -> list[Step]:
    """Read an expression; ``PartFault`` if the text is none, or has a function that is not supported."""
    steps: list[Step] = []
    names, counts = [""], [0]  # the functions that are open, and the numbers of their arguments up to here
    is_complete = False  # whether the text up to here ends with an operand or a closing parenthesis
    for token in _TOKEN.finditer(text.data):
        kind, is_open = token.lastgroup, len(names) > 1
        if kind == "function" and not is_complete:
            name = token[1].decode()
            if name not in RESERVED:
                hint = near_word_hint(name, RESERVED)
                raise _fault(text, token, "F502", f"function {brief(name)} is not supported", hint)
            if len(names) > _MAX_NESTED:
                raise _fault(text, token, "F502", f"functions are nested more than {_MAX_NESTED} deep")
            names.append(name)
            counts.append(0)
        elif kind == "operand" and not is_complete:
            if (step := operand(token[2], variables)) is None:
                raise variables.unknown(token[2], text.place(token, 2))
            steps.append(step)
            counts[-1] += 1
            is_complete = True
        elif kind == "comma" and is_complete and is_open:
            is_complete = False
        elif kind == "close" and is_open and (is_complete or (names[-1], counts[-1]) == ("set", 0)):
            name, n = names.pop(), counts.pop()
            if name == "set":  # its members become arguments of the function around it
                if names[-1] not in _SETS or counts[-1] != 1:
                    raise _fault(text, token, "F501", "a set can only be the second argument of in or notin", _HINT)
                counts[-1] += n
            else:
                _, least, most, _ = OPERATORS[name]
                if not least <= n <= most:
                    expected = f"{least}" if least == most else f"at least {least}"
                    raise _fault(text, token, "F504", f"{name} has {n} arguments, expected {expected}")
                steps.append((name, n))
                counts[-1] += 1
            is_complete = True
        else:
            raise _fault(text, token, "F501", f"unexpected {written(token[token.lastindex or 0])!r}", _HINT)
    if len(names) > 1:
        raise PartFault("F501", text.whole(), f"')' is missing after {names[-1]}(", _HINT)
    if not is_complete:
        raise PartFault("F501", text.whole(), "expected an expression", _HINT)
    return steps


def _fault(text: XmlText, token: re.Match[bytes], code: str, message: str, hint: str | None = None) -> PartFault:
    return PartFault(code, text.span(*token.span(token.lastindex or 0)), message, hint)


# ---- Calculating -----------------------------------------------------------------------------------------------------


def scoped(steps: Sequence[Step]) -> tuple[tuple[int, ...], Postfix]:
    """The variables in the order of their first use, and the steps with positions in that order for variables."""
    scope: dict[int, int] = {}
    program = tuple(
        ("", scope.setdefault(step[1], len(scope))) if isinstance(step, tuple) and not step[0] else step
        for step in steps
    )
    return tuple(scope), program


def arguments(steps: Sequence[Step]) -> tuple[str, list[list[Step]]]:
    """The outermost function of an expression and its arguments; no function for a constant or a variable."""
    last = steps[-1]
    if isinstance(last, int) or not last[0]:
        return "", []
    starts: list[int] = []
    for i, step in enumerate(steps[:-1]):
        if isinstance(step, int) or not step[0]:
            starts.append(i)
        else:
            del starts[len(starts) - step[1] + 1 :]
    return last[0], [[*steps[start:end]] for start, end in pairwise([*starts, len(steps) - 1])]


def expression_values(program: Postfix, domains: Sequence[Numbers], place: ByteSpan) -> Numbers:
    """The value of an expression for each tuple of the domains, by its rank.

    ``PartFault`` if a value may have more than 64 bits, or a divisor may be 0.
    """
    n = prod(map(len, domains))
    values = np.empty(n, dtype=np.int64)
    for start in range(0, n, _CHUNK_TUPLES):
        ranks = np.arange(start, min(start + _CHUNK_TUPLES, n), dtype=np.int64)
        columns = [domain[at] for domain, at in zip(domains, positions(ranks, domains).T, strict=True)]
        values[ranks] = _value(program, columns, place)
    return values


def positions(ranks: Numbers, domains: Sequence[Numbers]) -> Numbers:
    """For each tuple, which is given by its rank, the positions of its values in the domains."""
    found = np.empty((len(ranks), len(domains)), dtype=np.int64)
    for i in reversed(range(len(domains))):
        ranks, found[:, i] = np.divmod(ranks, len(domains[i]))
    return found


def _value(program: Postfix, columns: Sequence[Numbers], place: ByteSpan) -> Numbers:
    """The value of an expression, given the values of its variables."""
    values: list[Numbers] = []
    bounds: list[int] = []
    for step in program:
        if isinstance(step, int):
            values.append(np.array(step, dtype=np.int64))
            bounds.append(abs(step))
        elif not step[0]:
            column = columns[step[1]]
            values.append(column)
            bounds.append(max(abs(int(column.min())), abs(int(column.max()))))
        else:
            name, n = step
            operator, arguments = OPERATORS[name], values[-n:]
            bounds[-n:] = [operator.bound(bounds[-n:])]
            if bounds[-1] > _MAX_MAGNITUDE:
                raise PartFault("F502", place, f"the values of {name} may have more than 64 bits")
            if name in _DIVISIONS and np.any(_DIVISIONS[name](*arguments)):
                raise PartFault("F502", place, f"{name} divides by a value that may be 0")
            values[-n:] = [np.asarray(operator.function(*arguments)).astype(np.int64)]
    return values[0]


# ---- Sums ------------------------------------------------------------------------------------------------------------

MAX_ADDEND = 1 << 61
"""The largest magnitude in an array of 64 bits: that of two may be added."""

Range = tuple[float, float]
_RANGES: dict[str, tuple[Range, ...]] = {  # of the difference of both sides
    "lt": ((-inf, -1),),
    "le": ((-inf, 0),),
    "ge": ((0, inf),),
    "gt": ((1, inf),),
    "eq": ((0, 0),),
    "ne": ((-inf, -1), (1, inf)),
}


def call(name: str, *terms: Steps) -> list[Step]:
    return [*(step for term in terms for step in term), (name, len(terms))]


def merged(sums: Numbers, least: int, most: int, ranges: Numbers, lowest: int) -> Numbers:
    """Partial sums to which others add ``least`` to ``most``; ``NO_STATE`` if they cannot end in one of the ranges.

    Partial sums that cannot leave a range are the same, the lowest: ``structure`` finds the sum again from this one.
    The last range is beyond all sums.
    """
    first, last = ranges[np.searchsorted(ranges[:-1, 1], sums + least)].transpose(2, 0, 1)
    is_inside = (first <= sums + least) & (sums + most <= last)
    same = np.where(is_inside, np.maximum(first - least, lowest), sums)
    return np.where(first <= sums + most, same, NO_STATE)


def complement(ranges: Sequence[Range]) -> list[Range]:
    """The ranges between sorted ranges."""
    ends = [(-inf, -inf), *ranges, (inf, inf)]
    gaps = [(one[1] + 1, other[0] - 1) for one, other in pairwise(ends)]
    return [(first, last) for first, last in gaps if first <= last and first < inf and last > -inf]


class Addend(NamedTuple):
    """What each value of a variable adds to a sum."""

    numbers: Numbers
    least: int
    most: int
    unit: int  # of the differences of the numbers
    n_distinct: int

    @classmethod
    def of(cls, numbers: Numbers, factor: int = 1) -> Self:
        """What numbers times a factor add."""
        added = [factor * number for number in numbers.tolist()]
        found = sorted(set(added))
        array = np.array(added, dtype=np.int64 if max(-found[0], found[-1]) <= MAX_ADDEND else np.object_)
        return cls(array, found[0], found[-1], gcd(*[number - found[0] for number in found]), len(found))


def n_transitions(addends: Sequence[Addend], ranges: Sequence[Range]) -> int:
    """A bound on the size of the chain of partial sums."""
    least = [0, *accumulate(addend.least for addend in addends)]
    most = [0, *accumulate(addend.most for addend in addends)]
    units = [1, *accumulate((addend.unit for addend in addends), gcd)]  # of the differences of partial sums
    bounds = {bound for ends in ranges for bound in ends if abs(bound) < inf}
    n, n_before = 0, 1
    for i, addend in enumerate(addends):
        n_states = 2
        for bound in bounds:  # the partial sums that may still be on both sides of it
            end = min(most[i], bound + least[i] - least[-1])
            n_states += max(0, int(end - max(least[i], bound + most[i] - most[-1])) // (units[i] or 1) + 1)
        n += min(n_before, n_states) * len(addend.numbers)
        n_before *= addend.n_distinct
    return n


def comparisons_of(ranges: Sequence[Range]) -> list[tuple[int, set[int]]] | None:
    """Ranges as numbers, each with the signs that a difference from it may have; None if they are no such."""
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return [(int(ranges[0][0]), {0})]
    gaps = complement(ranges)
    if any(-inf < first < last < inf for first, last in gaps):
        return None
    both = {-1, 1}
    return [(int(last), {1}) if first == -inf else (int(first), {-1} if last == inf else both) for first, last in gaps]


def added_in_columns(powers: Sequence[int], first: int, signs: set[int]) -> tuple[int, Moves, Ends]:
    """The automaton that adds digits to a first number, column by column, to a result of one of the signs.

    Before the digits and after each of them, the sum is divided by a power. The state is twice the quotient, plus 1 if
    there was a remainder.
    """

    def divided(state: Any, power: int) -> Any:
        quotient, remainder = divmod(state >> 1, power)
        return 2 * quotient + ((state & 1) | (remainder != 0))

    def moves(i: int, states: Numbers, digits: Numbers) -> Numbers:
        after = divided(states[:, None] + 2 * digits, powers[i + 1])
        return np.where(after & 1, NO_STATE, after) if signs == {0} else after

    return divided(2 * first, powers[0]), moves, lambda states: np.isin(np.sign(states), [*signs])


def is_constant(term: Steps) -> bool:
    return len(term) == 1 and isinstance(term[0], int)


def truth(term: Steps) -> Steps:
    """A term as 0 or 1."""
    last = term[-1]
    return term if isinstance(last, tuple) and last[0] in LOGICAL else call("ne", term, [0])


def ranges_of(name: str, terms: Sequence[Steps]) -> tuple[Range, ...] | None:
    """The ranges for the first term, less the second one in a comparison; None if the function compares nothing."""
    if name in COMPARISONS:
        return _RANGES[name]
    members = [term[0] for term in terms[1:] if isinstance(term[0], int)]
    if name == "in":
        return tuple((member, member) for member in sorted(set(members)))
    if name == "notin":
        ends = [-inf, *sorted(set(members)), inf]
        return tuple((first + 1, last - 1) for first, last in pairwise(ends) if first + 1 <= last - 1)
    if name == "in..":
        return ((members[0], members[1]),)
    return ((-inf, members[0] - 1), (members[1] + 1, inf)) if name == "notin.." else None


def add_linear(steps: Steps, factor: int, summands: list[tuple[int, Steps]]) -> int:
    """Add the summands of an expression times a factor to the others; give the sum of its constants."""
    if isinstance(steps[-1], int):
        return factor * steps[-1]
    name, terms = arguments(steps)
    if name == "mul" and sum(not is_constant(term) for term in terms) == 1:
        factor *= prod(term[0] for term in terms if isinstance(term[0], int) and len(term) == 1)
        return add_linear(next(term for term in terms if not is_constant(term)), factor, summands)
    if name in ("add", "neg", "sub"):
        signs = {"add": [1] * len(terms), "neg": [-1], "sub": [1, -1]}[name]
        return sum(add_linear(term, sign * factor, summands) for term, sign in zip(terms, signs, strict=True))
    summands.append((factor, steps))
    return 0


def is_sum(name: str, terms: Sequence[Steps]) -> bool:
    """Whether a comparison is one of sums of functions of one variable each."""
    summands: list[tuple[int, Steps]] = []
    for term in terms if name in COMPARISONS else ():
        add_linear(term, 1, summands)
    return bool(summands) and all(len(scoped(term)[0]) <= 1 for _, term in summands)

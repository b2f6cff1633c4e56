"""The constraints that are expressions in other words, or automata: for each kind, what must hold.

Each takes the parts of a constraint, and gives expressions as steps (``expressions.py``) or walks along an automaton.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from f2csp.diagnostics import brief
from f2csp.formats.xcsp3.declarations import TUPLE, Step, Terms
from f2csp.formats.xcsp3.expressions import call
from f2csp.formats.xcsp3.xml_elements import STEPS_OF_WORD, PartFault, written

if TYPE_CHECKING:
    from f2csp.formats.xcsp3.constraint_reader import ConstraintParts, Constraints

Expressions = Iterator[list[Step]]

_STEPS_OF_TASK = 250_000  # of calculation, at each time at which it may run
_MAX_SIGNS = 60  # of lists that are compared, with powers of 2
_OPERATORS = {-1: ("lt", "le"), 0: ("le", "ge"), 1: ("gt", "ge")}  # that hold, by the sign of a difference


def _sum(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    yield reader.compared(_weighted(reader, parts, reader.terms(parts)), parts)


def _weighted(reader: "Constraints", parts: "ConstraintParts", terms: Terms, name: str = "coeffs") -> list[Step]:
    """The sum of terms, each times its factor."""
    if name not in parts.texts:
        return call("add", *terms)
    factors = reader.operands(parts, name, len(terms))
    return call("add", *[t if f == [1] else call("mul", t, f) for t, f in zip(terms, factors, strict=True)])


def _count(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    terms, values = reader.terms(parts), reader.operands(parts, "values")
    reader.spend_pairs(len(terms), len(values), parts, STEPS_OF_WORD)
    yield reader.compared(call("add", *[call("in", term, *values) for term in terms]), parts)


def _cardinality(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    terms, values = reader.terms(parts), reader.operands(parts, "values")
    occurs = reader.occurrences(parts)
    reader.check_length(occurs, len(values), "occurs", parts)
    reader.spend_pairs(len(terms), len(values), parts)
    for value, occurrence in zip(values, occurs, strict=True):
        yield [*call("add", *[call("eq", term, value) for term in terms]), *occurrence]
    if parts.flag("values.closed"):
        yield from (call("in", term, *values) for term in terms)


def _n_values(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    terms = reader.terms(parts)
    excepted = set(reader.integers(parts.texts["except"])) if "except" in parts.texts else set()
    values = [value for value in reader.lowering.values_of(*terms) if value not in excepted]
    reader.spend_pairs(len(terms), len(values), parts)
    are_used = [call("or", *[call("eq", term, [value]) for term in terms]) for value in values]
    yield reader.compared(call("add", [0], *are_used), parts)


def _extremum(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    yield reader.compared(call(parts.name[:3], *reader.terms(parts)), parts)


def _extreme_place(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    """Some place with the extreme value, or the first or the last one, meets the condition."""
    terms, start = reader.terms(parts), parts.number("list.startIndex")
    rank = next((parts.attributes[name].strip() for name in (".rank", "list.rank") if name in parts.attributes), "any")
    if rank not in ("any", "first", "last"):
        raise PartFault("F501", parts.place, f"expected a rank, found {brief(rank)!r}", "write any, first or last")
    operator, strict = ("ge", "gt") if parts.name == "maximumArg" else ("le", "lt")
    reader.spend_pairs(len(terms), len(terms), parts)
    are_places = []
    for i, term in enumerate(terms):
        before, after = (strict if rank == "first" else operator), (strict if rank == "last" else operator)
        wins = [call(before if j < i else after, term, other) for j, other in enumerate(terms) if j != i]
        are_places.append(call("and", reader.compared([start + i], parts), *wins))
    yield call("or", *are_places)


def _element(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    """An element of a list or matrix at the index; without an index, any of them."""
    has_matrix = "matrix" in parts.texts
    rows = reader.matrix(parts) if has_matrix else [reader.operands(parts, "list")]
    if "index" not in parts.texts:
        yield call("or", *[reader.compared(list(term), parts, "value") for row in rows for term in row])
        return
    indices = reader.operands(parts, "index", 1 + has_matrix)
    sizes = [len(rows), len(rows[0])] if has_matrix else [len(rows[0])]
    names = ["startRowIndex", "startColIndex"] if has_matrix else ["startIndex"]
    starts = [parts.number(f"{'matrix' if has_matrix else 'list'}.{name}") for name in names]
    ranges = [call("in..", i, [s], [s + n - 1]) for i, s, n in zip(indices, starts, sizes, strict=True)]
    implied = []
    for row, terms in enumerate(rows):
        for column, term in enumerate(terms):
            at = (row, column) if has_matrix else (column,)
            others = [call("ne", i, [s + n]) for i, s, n in zip(indices, starts, at, strict=True)]
            implied.append(call("or", *others, reader.compared(list(term), parts, "value")))
    yield call("and", *ranges, *implied)


def _channel(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    lists = [reader.operands(parts, name) for name in parts.all("list")]
    starts = [parts.number(f"{name}.startIndex") for name in parts.all("list")]
    if len(lists) not in ((1,) if "value" in parts.texts else (1, 2)):
        raise parts.missing("one list and a value, or one or two lists")
    if "value" in parts.texts:
        value = reader.operand(parts, "value")
        for i, cell in enumerate(lists[0], starts[0]):
            yield call("eq", call("eq", cell, [1]), call("eq", value, [i]))
        yield call("in..", value, [starts[0]], [starts[0] + len(lists[0]) - 1])
        return
    one, other = lists[0], lists[-1]
    first, last = starts[0], starts[-1]
    is_partial = len(one) < len(other)
    reader.spend_pairs(len(one), len(other), parts, STEPS_OF_WORD)
    for cells, start, n in [(one, last, len(other)), (other, first, len(one))][: 1 if is_partial else 2]:
        yield from (call("in..", cell, [start], [start + n - 1]) for cell in cells)
    for i, cell in enumerate(one, first):
        for j, opposite in enumerate(other, last):
            if len(lists) > 1 or i < j:
                yield call("imp" if is_partial else "eq", call("eq", cell, [j]), call("eq", opposite, [i]))


def _circuit(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    """The successors of a node that is not its own lead through all such nodes, of which there are two at least."""
    terms, start = reader.terms(parts), parts.number("list.startIndex")
    nodes = range(start, start + len(terms))
    reader.spend_pairs(len(nodes), len(nodes), parts)
    yield from (call("in..", term, [nodes[0]], [nodes[-1]]) for term in terms)
    yield from (call("ne", one, other) for one, other in combinations(terms, 2))
    is_left = [call("ne", term, [node]) for node, term in zip(nodes, terms, strict=True)]
    size = reader.lowering.as_variable(call("add", *is_left))
    yield call("ge", size, [2])
    if "size" in parts.texts:
        yield call("eq", size, reader.operand(parts, "size"))
    # The greatest of such nodes, then its successors; coming back to it takes all.
    others = [call("if", condition, [node], [start]) for node, condition in zip(nodes, is_left, strict=True)]
    first = node = reader.lowering.as_variable(call("max", *others))
    for n_steps in range(1, len(terms)):
        steps = [call("if", call("eq", node, [i]), term, [start]) for i, term in zip(nodes, terms, strict=True)]
        node = reader.lowering.as_variable(call("max", *steps))
        yield call("or", call("ne", node, first), call("le", size, [n_steps]))


def _lex(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    """A list comes before another if the sum of the signs of differences, with powers of 2, is less than 0.

    The sum would be too large for long lists, of which an automaton finds the first sign that is not 0.
    """
    operator, has_matrix = reader.order(parts), "matrix" in parts.texts
    rows = reader.matrix(parts) if has_matrix else reader.lists(parts, reader.terms)
    for lists in (rows, [*zip(*rows, strict=True)] if has_matrix else []):
        for one, other in pairwise(lists):
            signs = [call("sub", call("gt", a, b), call("lt", a, b)) for a, b in zip(one, other, strict=True)]
            if len(signs) > _MAX_SIGNS:
                holds = [sign for sign, operators in _OPERATORS.items() if operator in operators]
                reader.lowering.walk(signs, lambda state, sign: state or sign, holds.__contains__)
                continue
            powers = [call("mul", sign, [1 << i]) for i, sign in enumerate(reversed(signs))][::-1]
            yield call(operator, call("add", *powers), [0])


def _ordered(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    """Each term, plus its length if it has one, comes before the next one."""
    operator, terms = reader.order(parts), reader.terms(parts)
    ends = terms
    if "lengths" in parts.texts:
        lengths = reader.operands(parts, "lengths")
        if len(lengths) != len(terms):
            reader.check_length(lengths, len(terms) - 1, "lengths", parts)
        ends = [call("add", *pair) for pair in zip(terms, lengths, strict=False)]
    yield from (call(operator, end, other) for end, other in zip(ends, terms[1:], strict=False))


def different_lists(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    """Two lists differ somewhere, unless they are equal to an excepted tuple."""
    lists = reader.lists(parts, reader.operands)
    excepted = reader.tuples(parts, "except", len(lists[0]))
    reader.spend_pairs(len(lists), len(lists) * len(lists[0]) * (1 + len(excepted)), parts, STEPS_OF_WORD)
    for one, other in combinations(lists, 2):
        differ = [call("ne", a, b) for a, b in zip(one, other, strict=True)]
        are = [call("and", *[call("eq", a, v) for a, v in zip(one, row, strict=True)]) for row in excepted]
        yield call("or", *differ, *are)


def _no_overlap(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    origins = reader.tuples(parts, "origins")
    width = len(origins[0]) if origins else None
    origins, lengths = reader.tuples(parts, "origins", width), reader.tuples(parts, "lengths", width)
    reader.check_length(lengths, len(origins), "lengths", parts)
    reader.spend_pairs(len(origins), len(origins), parts, STEPS_OF_WORD)
    ignores_zero = parts.flag(".zeroIgnored", default=True)
    for (one, size), (other, other_size) in combinations(zip(origins, lengths, strict=True), 2):
        apart = [
            call("le", call("add", a, length), b)
            for first, lengths_of, second in ((one, size, other), (other, other_size, one))
            for a, length, b in zip(first, lengths_of, second, strict=True)
        ]
        empty = [call("eq", length, [0]) for length in (*size, *other_size) if ignores_zero]
        yield call("or", *apart, *empty)


def _cumulative(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    """At each time at which a task may run, the heights of all that run add up to something in the limit."""
    origins, lengths, heights = (reader.terms(parts, name) for name in ("origins", "lengths", "heights"))
    reader.check_length(lengths, len(origins), "lengths", parts)
    reader.check_length(heights, len(origins), "heights", parts)
    if "ends" in parts.texts:
        for origin, length, end in zip(origins, lengths, reader.operands(parts, "ends", len(origins)), strict=True):
            yield call("eq", call("add", origin, length), end)
    tasks, values_of = list(zip(origins, lengths, heights, strict=True)), reader.lowering.values_of
    first = values_of(*origins)[0]
    last = max(values_of(origin)[-1] + values_of(length)[-1] for origin, length, _ in tasks)
    reader.spend_pairs(last - first, len(tasks), parts, _STEPS_OF_TASK)
    for time in range(first, last):
        running = [
            call("mul", height, call("and", call("le", start, [time]), call("gt", call("add", start, length), [time])))
            for start, length, height in tasks
        ]
        yield reader.compared(call("add", *running), parts)


def _knapsack(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    terms, conditions = reader.terms(parts), parts.all("condition")
    if len(conditions) != 2:
        raise parts.missing("a <condition> for weights and one for profits")
    for weights, condition in zip(("weights", "profits"), conditions, strict=True):
        yield reader.compared(_weighted(reader, parts, terms, weights), parts, condition)


def _bin_packing(reader: "Constraints", parts: "ConstraintParts") -> Expressions:
    terms = reader.terms(parts)
    sizes = reader.operands(parts, "sizes", len(terms))
    limits = next((name for name in ("limits", "loads") if name in parts.texts), None)
    loads = reader.operands(parts, limits) if limits else []
    bins = range(len(loads)) if limits else reader.lowering.values_of(*terms)
    reader.spend_pairs(len(terms), len(bins), parts)
    for number in bins:
        inside = [call("mul", size, call("eq", term, [number])) for term, size in zip(terms, sizes, strict=True)]
        load = call("add", *inside)
        if limits:
            yield call("le" if limits == "limits" else "eq", load, loads[number])
        else:
            yield reader.compared(load, parts)
    if limits:
        yield from (call("in..", term, [0], [len(loads) - 1]) for term in terms)


def _automaton(reader: "Constraints", parts: "ConstraintParts") -> None:
    """A word that leads from the start to a final state; in a diagram, from its root to a leaf."""
    moves: dict[bytes, dict[int, set[bytes]]] = defaultdict(lambda: defaultdict(set))
    text = parts.required("transitions")
    for match in TUPLE.finditer(text.data):
        cells = [cell.strip() for cell in (match[1] or b"").split(b",")]
        value = reader.variables.number(cells[1]) if len(cells) == 3 else None
        if value is None:
            place = text.span(*match.span())
            raise PartFault("F501", place, f"expected a transition, found {written(match.group())}", "write (a,0,b)")
        moves[cells[0]][value].add(cells[2])
    reached = {state for found in moves.values() for after in found.values() for state in after}
    start, final = moves.keys() - reached, reached - moves.keys()
    if parts.name == "regular":
        start, final = set(parts.required("start").data.split()), set(parts.required("final").data.split())
    sets = [frozenset(start)]  # of states that the same words lead to
    numbers = {sets[0]: 0}

    def step(state: int, value: int) -> int | None:
        after = frozenset().union(*[moves[one][value] for one in sets[state] if value in moves.get(one, ())])
        if after and after not in numbers:
            numbers[after] = len(sets)
            sets.append(after)
        return numbers[after] if after else None

    reader.lowering.walk(reader.terms(parts), step, lambda state: not final.isdisjoint(sets[state]))


def _precedence(reader: "Constraints", parts: "ConstraintParts") -> None:
    """A value comes after all values that are listed before it; the state is the number of values so far."""
    terms = reader.terms(parts)
    listed = parts.texts.get("values")
    values = reader.integers(listed) if listed else reader.lowering.values_of(*terms)
    places = {value: i for i, value in enumerate(values)}

    def step(state: int, value: int) -> int | None:
        place = places.get(value, -1)
        return None if place > state else state + (place == state)

    least = len(values) if parts.flag("values.covered") else 0
    reader.lowering.walk(terms, step, lambda state: state >= least)


GLOBAL_CONSTRAINTS: dict[str, tuple[Callable[["Constraints", "ConstraintParts"], Expressions | None], str]] = {
    "regular": (_automaton, "list transitions start final"),
    "mdd": (_automaton, "list transitions"),
    "precedence": (_precedence, "list values values.covered"),
    "sum": (_sum, "list coeffs condition"),
    "count": (_count, "list values condition"),
    "cardinality": (_cardinality, "list values values.closed occurs"),
    "nValues": (_n_values, "list except condition"),
    "minimum": (_extremum, "list condition"),
    "maximum": (_extremum, "list condition"),
    "minimumArg": (_extreme_place, "list condition .rank list.rank list.startIndex"),
    "maximumArg": (_extreme_place, "list condition .rank list.rank list.startIndex"),
    "element": (
        _element,
        "list list.startIndex matrix matrix.startRowIndex matrix.startColIndex index value condition",
    ),
    "channel": (_channel, "list list* list.startIndex value"),
    "circuit": (_circuit, "list list.startIndex size"),
    "ordered": (_ordered, "list lengths operator"),
    "lex": (_lex, "list list* matrix operator"),
    "noOverlap": (_no_overlap, "origins lengths .zeroIgnored"),
    "cumulative": (_cumulative, "origins lengths ends heights condition"),
    "knapsack": (_knapsack, "list weights profits condition condition*"),
    "binPacking": (_bin_packing, "list sizes condition limits loads"),
}
"""How each is read, and the elements in it; with * what may be repeated, .NAME for attributes."""

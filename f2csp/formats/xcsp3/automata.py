"""The constraints that read a sequence of variables and keep a state, which become chains of tables."""

from collections import defaultdict
from typing import TYPE_CHECKING

from f2csp.formats.xcsp3.declarations import TUPLE
from f2csp.formats.xcsp3.written_tables import RANGE
from f2csp.formats.xcsp3.xml_elements import Unreadable, written

if TYPE_CHECKING:
    from f2csp.formats.xcsp3.constraint_reader import Constraints, Parts


def automaton(reader: "Constraints", parts: "Parts") -> None:
    """A word that leads from the start to a final state; in a diagram, from its root to a leaf."""
    moves: dict[bytes, dict[int, set[bytes]]] = defaultdict(lambda: defaultdict(set))
    text = parts.required("transitions")
    for match in TUPLE.finditer(text.data):
        cells = [cell.strip() for cell in (match[1] or b"").split(b",")]
        value = reader.variables.number(cells[1]) if len(cells) == 3 else None
        if value is None:
            place = text.span(*match.span())
            raise Unreadable("F501", place, f"expected a transition, found {written(match.group())}", "write (a,0,b)")
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

    reader.lowering.walk(reader.terms(parts), 0, step, lambda state: not final.isdisjoint(sets[state]))


def precedence(reader: "Constraints", parts: "Parts") -> None:
    """A value comes after all values that are listed before it; the state is the number of values so far."""
    terms = reader.terms(parts)
    listed = parts.texts.get("values")
    values = (
        reader.integers(listed)
        if listed
        else sorted({value for term in terms for value in reader.lowering.values_of_term(term)})
    )
    places = {value: i for i, value in enumerate(values)}

    def step(state: int, value: int) -> int | None:
        place = places.get(value, -1)
        return None if place > state else state + (place == state)

    least = len(values) if parts.flag("values.covered") else 0
    reader.lowering.walk(terms, 0, step, lambda state: state >= least)


def stretch(reader: "Constraints", parts: "Parts") -> None:
    """Runs of equal values have lengths in the ranges of their values, and follow each other as in the patterns."""
    terms, values = reader.terms(parts), reader.integers(parts.required("values"))
    words = parts.required("widths").data.split()
    reader.check_length(words, len(values), "widths", parts)
    ranges = [RANGE.fullmatch(word) or RANGE.fullmatch(b"%b..%b" % (word, word)) for word in words]
    widths = {value: (int(match[1]), int(match[2])) for value, match in zip(values, ranges, strict=True) if match}
    if len(widths) < len(values):
        raise Unreadable("F501", parts.place, "expected a range such as 1..3 for each value in <widths>")
    pairs = {*pairs_of(reader, parts, "patterns")}
    first, width = -1, len(terms) + 1  # the state is a value's place times the width, plus the length of its run
    place_of = {value: i for i, value in enumerate(values)}

    def is_complete(state: int) -> bool:
        return state == first or state % width >= widths[values[state // width]][0]

    def step(state: int, value: int) -> int | None:
        if value not in place_of:
            return None
        before = None if state == first else values[state // width]
        if value == before:
            return state + 1 if state % width < widths[value][1] else None
        follows = before is None or not pairs or (before, value) in pairs
        return place_of[value] * width + 1 if follows and is_complete(state) and widths[value][1] else None

    reader.lowering.walk(terms, first, step, is_complete)


def pairs_of(reader: "Constraints", parts: "Parts", name: str) -> list[tuple[int, int]]:
    """The pairs of integers in an element."""
    found = []
    for one, other in reader.tuples(parts, name, 2):
        match [*one, *other]:
            case [int(first), int(second)]:
                found.append((first, second))
            case _:
                raise Unreadable("F501", parts.texts[name].whole(), f"expected pairs of integers in <{name}>")
    return found

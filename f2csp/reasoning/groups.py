"""Techniques on houses: singles, locked candidates, subsets and fish."""

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from operator import or_

from f2csp.reasoning.hint_model import House, bits
from f2csp.reasoning.marks import Deduction, Marks, enumerated

_SUBSETS = {2: "pair", 3: "triple", 4: "quad"}
_NAKED = {2: 3.0, 3: 3.6, 4: 5.0}
_HIDDEN = {2: 3.4, 3: 4.0, 4: 5.4}
_DIRECT = {2: 2.0, 3: 2.5}
_FISH = {2: ("X-wing", 3.2), 3: ("swordfish", 3.8), 4: ("jellyfish", 5.2)}


def full_house(marks: Marks) -> Iterator[Deduction]:
    for literal, house in marks.singles:
        if house and sum(1 for of in house.literals.values() if of & marks.placed) == len(house.variables) - 1:
            reason = f"it is the last open {marks.noun} of {house.name}"
            pattern = house.literals[literal % marks.model.width]
            yield Deduction("full house", 1.0, pattern, house.name, reason, placed=(literal,))


def hidden_single(marks: Marks) -> Iterator[Deduction]:
    for is_line, difficulty in ((False, 1.2), (True, 1.5)):
        for literal, house in marks.singles:
            if house and house.is_line == is_line:
                reason = f"no other {marks.noun} of {house.name} can hold it"
                pattern = house.literals[literal % marks.model.width]
                yield Deduction("hidden single", difficulty, pattern, house.name, reason, placed=(literal,))


def naked_single(marks: Marks) -> Iterator[Deduction]:
    for literal, house in marks.singles:
        if house is None:
            where = marks.place(literal)
            yield Deduction("naked single", 2.3, 1 << literal, where, "no other value is left", placed=(literal,))


def _followed(marks: Marks, step: Deduction, name: str, difficulty: float, literal: int, house: House) -> Deduction:
    """The single that a step would leave; as in the published ratings, it alone is the result."""
    single = f"no other {marks.noun} of {house.name} can hold it then"
    reason = f"{step.reason}, so {marks.action(step)}; {single}"
    pattern = step.pattern | house.literals[literal % marks.model.width] & marks.left
    return Deduction(name, difficulty, pattern, step.where, reason, placed=(literal,))


def direct_locked(marks: Marks) -> Iterator[Deduction]:
    """Locked candidates after which their value has one place in another house of the same kind."""
    model = marks.model
    for value, first, second, removed in _crossed(marks) if model.puzzle else ():
        for house in {id(h): h for b in bits(removed) for h in model.houses_of[b // model.width]}.values():
            rest = house.literals[value] & marks.open & ~removed
            if house.kind == first.kind and house.is_full and rest.bit_count() == 1:
                step = _locked(marks, value, first, second, removed)
                name, difficulty = ("direct claiming", 1.9) if first.is_line else ("direct pointing", 1.7)
                yield _followed(marks, step, name, difficulty, rest.bit_length() - 1, house)


def locked(marks: Marks) -> Iterator[Deduction]:
    for value, first, second, removed in _crossed(marks):
        yield _locked(marks, value, first, second, removed)


def _crossed(marks: Marks) -> Iterator[tuple[int, House, House, int]]:
    """The values that are in a second house in all of a first one, with what that removes."""
    left = marks.left
    for value, first, second, only_first, only_second in marks.model.crossings:
        if not left & only_first and left & only_second:
            yield value, first, second, left & only_second


def _locked(marks: Marks, value: int, first: House, second: House, removed: int) -> Deduction:
    pattern = first.literals[value] & marks.left
    name, difficulty = ("claiming", 2.8) if first.is_line else ("pointing", 2.6)
    reason = f"in {first.name}, {marks.values(pattern)} is only in {second.name}"
    return Deduction(f"locked candidates ({name})", difficulty, pattern, first.name, reason, removed)


def naked_subset(marks: Marks, size: int) -> Iterator[Deduction]:
    width = marks.model.width
    for house, some, domains in marks.open_cells:
        for chosen, union in _subsets(dict(enumerate(domains)), size, len(some)):
            others = [(v, domain) for i, (v, domain) in enumerate(zip(some, domains, strict=True)) if i not in chosen]
            removed = sum((domain & union) << v * width for v, domain in others)
            if removed:
                pattern = sum(domains[i] << some[i] * width for i in chosen)
                reason = f"in {house.name}, {marks.places(pattern)} hold {marks.values(pattern)}"
                yield Deduction(f"naked {_SUBSETS[size]}", _NAKED[size], pattern, house.name, reason, removed)


def hidden_subset(marks: Marks, size: int) -> Iterator[Deduction]:
    for *_, step in _hidden_subsets(marks, size):
        yield step


def direct_hidden_subset(marks: Marks, size: int) -> Iterator[Deduction]:
    """A hidden subset after which another value has one place in the house; not on boards of lines alone."""
    has_boxes = any(not house.is_line for house in marks.model.houses)
    for house, others, step in _hidden_subsets(marks, size) if has_boxes else ():
        for value in others:
            rest = house.literals[value] & marks.left & ~step.removed
            if rest.bit_count() == 1:
                name = f"direct hidden {_SUBSETS[size]}"
                yield _followed(marks, step, name, _DIRECT[size], rest.bit_length() - 1, house)


def _hidden_subsets(marks: Marks, size: int) -> Iterator[tuple[House, set[int], Deduction]]:
    """Each with its house and the other open values of this."""
    width, full = marks.model.width, marks.model.full
    for house, some, domains, spots in marks.open_values:
        for chosen, union in _subsets(spots, size, len(some)):
            values = sum(1 << value for value in chosen)
            places = [(some[i], domains[i]) for i in bits(union)]
            removed = sum((domain & full & ~values) << v * width for v, domain in places)
            if removed:
                pattern = sum((domain & values) << v * width for v, domain in places)
                where = f"in {house.name}, {marks.values(pattern)}"
                reason = f"{where} have no other {marks.noun}s than {marks.places(pattern)}"
                name, difficulty = f"hidden {_SUBSETS[size]}", _HIDDEN[size]
                step = Deduction(name, difficulty, pattern, house.name, reason, removed)
                yield house, spots.keys() - {*chosen}, step


def fish(marks: Marks, size: int) -> Iterator[Deduction]:
    """Parallel houses whose places for a value are in as many parallel houses of another kind."""
    left, width = marks.left, marks.model.width
    for bases, covers, cover_of in marks.model.grids:
        for value in bases[0].literals:
            spots = {
                i: reduce(or_, [1 << cover_of[b // width] for b in bits(base.literals.get(value, 0) & left)], 0)
                for i, base in enumerate(bases)
            }
            for chosen, union in _subsets(spots, size):
                inside = reduce(or_, [bases[i].literals[value] for i in chosen])
                crossed = [covers[i] for i in bits(union)]
                removed = reduce(or_, [cover.literals.get(value, 0) for cover in crossed]) & left & ~inside
                if removed:
                    where = enumerated([bases[i].name for i in chosen])
                    only = enumerated([cover.name for cover in crossed])
                    reason = f"in {where}, {marks.values(inside)} is only in {only}"
                    yield Deduction(*_FISH[size], inside & left, where, reason, removed)


def _subsets(masks: dict[int, int], size: int, n_open: int = 99) -> Iterator[tuple[tuple[int, ...], int]]:
    """The keys of as many masks as they have bits together, of two bits or more each, with these bits."""
    small = [key for key, mask in masks.items() if 1 < mask.bit_count() <= size]
    for chosen in combinations(small, size) if size < n_open else ():
        union = 0
        for key in chosen:
            union |= masks[key]
        if union.bit_count() == size:
            yield chosen, union

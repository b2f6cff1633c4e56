"""Techniques on houses: singles, locked candidates, subsets and fish."""

from collections.abc import Iterator
from itertools import combinations

from f2csp.reasoning.hint_model import House, bits
from f2csp.reasoning.marks import Deduction, Marks, enumerated

_SIZES = {2: "pair", 3: "triple", 4: "quad"}
_FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
_NAKED = {2: 3.0, 3: 3.6, 4: 5.0}
_HIDDEN = {2: 3.4, 3: 4.0, 4: 5.4}
_DIRECT = {2: 2.0, 3: 2.5}
_FINS = {2: 3.2, 3: 3.8, 4: 5.2}


def full_house(marks: Marks) -> Iterator[Deduction]:
    placed = marks.placed
    for literal, house in marks.singles:
        if house and sum(1 for of in house.literals.values() if of & placed) == len(house.variables) - 1:
            yield _single(marks, "full house", 1.0, literal, house)


def hidden_single(marks: Marks) -> Iterator[Deduction]:
    for is_line, difficulty in ((False, 1.2), (True, 1.5)):
        for literal, house in marks.singles:
            if house and house.is_line == is_line:
                yield _single(marks, "hidden single", difficulty, literal, house)


def _single(marks: Marks, name: str, difficulty: float, literal: int, house: House) -> Deduction:
    def reason() -> str:
        if name == "full house":
            return f"it is the last open {marks.noun} of {house.name}"
        return f"no other {marks.noun} of {house.name} can hold it"

    pattern = house.literals[literal % marks.model.width]
    return Deduction(name, difficulty, (literal,), 0, pattern, (house.name,), reason)


def naked_single(marks: Marks) -> Iterator[Deduction]:
    for literal, house in marks.singles:
        if house is None:
            cell = marks.model.cells[literal // marks.model.width]
            reason = lambda: "no other value is left"  # noqa: E731
            yield Deduction("naked single", 2.3, (literal,), 0, cell, (marks.place(literal),), reason)


def direct_locked(marks: Marks) -> Iterator[Deduction]:
    """Locked candidates after which their value has one place in another house of the same kind."""
    left, placed, model = marks.left, marks.placed, marks.model
    for value, first, second, only_first, only_second in model.crossings:
        if left & only_first or not left & only_second or not first.kind:
            continue
        hit = left & only_second
        for house in {id(h): h for b in bits(hit) for h in model.houses_of[b // model.width]}.values():
            rest = house.literals.get(value, 0) & left & ~hit
            if house.kind == first.kind and house.is_full and rest & (rest - 1) == 0 and rest & ~placed:
                step = _locked(marks, value, first, second, hit)
                name, difficulty = ("direct claiming", 1.9) if first.is_line else ("direct pointing", 1.7)
                yield _followed(marks, step, name, difficulty, rest.bit_length() - 1, house)


def _followed(marks: Marks, step: Deduction, name: str, difficulty: float, literal: int, house: House) -> Deduction:
    """The single that a step would leave; as published ratings do, it alone is the result."""

    def reason() -> str:
        single = f"no other {marks.noun} of {house.name} can hold it then"
        return f"{step.reason()}, so {marks.action(step)}; {single}"

    pattern = step.pattern | house.literals[literal % marks.model.width] & marks.left
    where = tuple(dict.fromkeys((*step.where, house.name)))
    return Deduction(name, difficulty, (literal,), 0, pattern, where, reason)


def locked(marks: Marks) -> Iterator[Deduction]:
    left = marks.left
    for value, first, second, only_first, only_second in marks.model.crossings:
        if not left & only_first and left & only_second:
            yield _locked(marks, value, first, second, left & only_second)


def _locked(marks: Marks, value: int, first: House, second: House, removed: int) -> Deduction:
    pattern = first.literals[value] & marks.left

    def reason() -> str:
        return f"in {first.name}, {marks.values(pattern)} is only in {second.name}"

    name, difficulty = ("claiming", 2.8) if first.is_line else ("pointing", 2.6)
    return Deduction(f"locked candidates ({name})", difficulty, (), removed, pattern, (first.name, second.name), reason)


def naked_subset(marks: Marks, size: int) -> Iterator[Deduction]:
    width = marks.model.width
    for house, some, domains in marks.open_cells:
        if len(some) <= size:
            continue
        small = [(v, domain) for v, domain in zip(some, domains, strict=True) if 1 < domain.bit_count() <= size]
        for chosen in combinations(small, size):
            union = _union([domain for _, domain in chosen])
            if union.bit_count() != size:
                continue
            in_subset = [v for v, _ in chosen]
            removed = sum((d & union) << v * width for v, d in zip(some, domains, strict=True) if v not in in_subset)
            if removed:
                pattern = sum(domain << v * width for v, domain in chosen)

                def reason(house: House = house, pattern: int = pattern) -> str:
                    return f"in {house.name}, {marks.places(pattern)} hold {marks.values(pattern)}"

                yield Deduction(f"naked {_SIZES[size]}", _NAKED[size], (), removed, pattern, (house.name,), reason)


def _hidden_subsets(marks: Marks, size: int) -> Iterator[tuple[House, tuple[int, ...], int, Deduction]]:
    """With the house, its places and the mask of those of the subset."""
    width, left = marks.model.width, marks.left
    for house, some, domains in marks.open_cells:
        if len(some) <= size or not house.is_full:
            continue
        spots: dict[int, int] = {}
        for place, domain in enumerate(domains):
            for value in bits(domain):
                spots[value] = spots.get(value, 0) | 1 << place
        small = [(value, mask) for value, mask in spots.items() if 1 < mask.bit_count() <= size]
        for chosen in combinations(small, size):
            union = _union([mask for _, mask in chosen])
            if union.bit_count() != size:
                continue
            values = sum(1 << value for value, _ in chosen)
            subset = [some[place] for place in bits(union)]
            removed = sum((left >> v * width & marks.model.full & ~values) << v * width for v in subset)
            if removed:
                pattern = sum((values << v * width) & left for v in subset)

                def reason(house: House = house, pattern: int = pattern) -> str:
                    where = f"in {house.name}, {marks.values(pattern)}"
                    return f"{where} have no other {marks.noun}s than {marks.places(pattern)}"

                step = Deduction(f"hidden {_SIZES[size]}", _HIDDEN[size], (), removed, pattern, (house.name,), reason)
                yield house, tuple(spots), values, step


def hidden_subset(marks: Marks, size: int) -> Iterator[Deduction]:
    for *_, step in _hidden_subsets(marks, size):
        yield step


def direct_hidden_subset(marks: Marks, size: int) -> Iterator[Deduction]:
    """A hidden subset after which another value has one place in the house."""
    for house, open_values, subset, step in _hidden_subsets(marks, size):
        for value in open_values:
            rest = house.literals[value] & marks.left & ~step.removed
            if not subset >> value & 1 and rest & (rest - 1) == 0 and rest:
                name = f"direct hidden {_SIZES[size]}"
                yield _followed(marks, step, name, _DIRECT[size], rest.bit_length() - 1, house)


def fish(marks: Marks, size: int) -> Iterator[Deduction]:
    """Parallel houses whose places for a value are in as many parallel houses of another kind."""
    left, placed, width = marks.left, marks.placed, marks.model.width
    for bases, covers, cover_of in marks.model.grids:
        for value in bases[0].literals:
            small = []
            for base in bases:
                mask = base.literals.get(value, 0) & left
                if 1 < mask.bit_count() <= size and not mask & placed:
                    small.append((base, _union([1 << cover_of[b // width] for b in bits(mask)])))
            for chosen in combinations(small, size):
                union = _union([mask for _, mask in chosen])
                if union.bit_count() != size:
                    continue
                inside = _union([base.literals[value] for base, _ in chosen])
                crossed = [covers[i] for i in bits(union)]
                removed = _union([cover.literals.get(value, 0) for cover in crossed]) & left & ~inside
                if removed:
                    names = [base.name for base, _ in chosen], [cover.name for cover in crossed]

                    def reason(inside: int = inside, names: tuple[list[str], list[str]] = names) -> str:
                        return f"in {enumerated(names[0])}, {marks.values(inside)} is only in {enumerated(names[1])}"

                    yield Deduction(_FISH[size], _FINS[size], (), removed, inside & left, tuple(names[0]), reason)


def _union(masks: list[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found

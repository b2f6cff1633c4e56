"""What is left of each variable, and a step of reasoning that changes it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from f2csp.diagnostics import listed
from f2csp.reasoning.hint_model import HintModel, House, Unit, bits
from f2csp.reasoning.local_rules import LocalRule

_MAX_NAMES = 6  # of places in a sentence


@dataclass(frozen=True, slots=True, eq=False)
class Deduction:
    """A deduction.

    Attributes:
        technique: its name in the literature.
        difficulty: on the scale of Sudoku Explainer.
        placed: the literals that are true, as numbers.
        removed: the literals that are false, beside those that the placed ones exclude.
        pattern: the literals that show it.
        where: the names of houses or variables to look at, or a rule in words.
        reason: says why.
    """

    technique: str
    difficulty: float
    placed: tuple[int, ...]
    removed: int
    pattern: int
    where: tuple[str, ...]
    reason: Callable[[], str]


class Marks:
    """The literals that are left, and those that are placed; never changed."""

    def __init__(self, model: HintModel, left: int, placed: int = 0) -> None:
        self.model, self.left, self.placed = model, left, placed

    @classmethod
    def of(cls, model: HintModel, given: Iterable[int]) -> "Marks":
        """The start, where the literals that are given, and variables of one value, are placed."""
        marks = cls(model, model.start)
        single = [cell & model.start for cell in model.cells if (cell & model.start).bit_count() == 1]
        return marks.after(0, [*given, *(literal.bit_length() - 1 for literal in single)])

    def after(self, removed: int, placed: Iterable[int] = ()) -> "Marks":
        left, done = self.left & ~removed, self.placed
        for literal in placed:
            left &= ~self.model.peers[literal]
            done |= 1 << literal
        return Marks(self.model, left, done)

    @cached_property
    def domains(self) -> list[int]:
        """For each variable the bits of its values."""
        full, width = self.model.full, self.model.width
        return [self.left >> shift & full for shift in range(0, len(self.model.cells) * width, width)]

    @cached_property
    def open(self) -> int:
        """The literals of variables without a placed value."""
        return self.left & ~self.placed

    @property
    def is_solved(self) -> bool:
        return self.placed.bit_count() == len(self.model.cells)

    @property
    def wipeout(self) -> Unit | None:
        """A unit without a literal that can be true."""
        return self._scanned[1]

    @property
    def singles(self) -> list[tuple[int, House | None]]:
        """The values that have one place left in a house, each with it; the variables that have one value left."""
        return self._scanned[0]

    @cached_property
    def _scanned(self) -> tuple[list[tuple[int, House | None]], Unit | None]:
        left, placed = self.left, self.placed
        found: list[tuple[int, House | None]] = []
        wipeout = None
        for unit in self.model.units:
            mask = unit.literals & left
            if mask & (mask - 1) == 0 and not mask & placed:
                if mask:
                    found.append((mask.bit_length() - 1, unit.house))
                else:
                    wipeout = unit
        return found, wipeout

    def of_rule(self, rule: LocalRule) -> tuple[int, ...]:
        """The domains of the variables of a rule."""
        return tuple([self.domains[v] for v in rule.variables])

    @cached_property
    def open_cells(self) -> list[tuple[House, list[int], list[int]]]:
        """For each house with two or more open variables these and their domains."""
        domains, placed, full, width = self.domains, self.placed, self.model.full, self.model.width
        is_open = [not placed >> v * width & full for v in range(len(domains))]
        opens = [(house, [v for v in house.variables if is_open[v]]) for house in self.model.houses]
        return [(house, some, [domains[v] for v in some]) for house, some in opens if len(some) > 1]

    @cached_property
    def bivalue(self) -> dict[int, int]:
        """The variables with two values left, and these literals."""
        cells = self.model.cells
        return {v: cells[v] & self.left for v, domain in enumerate(self.domains) if domain.bit_count() == 2}

    @cached_property
    def strong(self) -> list[tuple[int, int, Unit]]:
        """The units with two literals left, with these."""
        found = []
        for unit in self.model.units:
            mask = unit.literals & self.left
            if mask.bit_count() == 2:
                first = mask & -mask
                found.append((first.bit_length() - 1, (mask ^ first).bit_length() - 1, unit))
        return found

    # ---- Words -------------------------------------------------------------------------------------------------------

    @property
    def noun(self) -> str:
        return "cell" if self.model.puzzle else "variable"

    def place(self, literal: int) -> str:
        return self.model.names[literal // self.model.width]

    def value(self, literal: int) -> str:
        return self.model.words[literal % self.model.width]

    def literal(self, literal: int) -> str:
        form = "{1} at {0}" if self.model.puzzle else "{0} = {1}"
        return form.format(self.place(literal), self.value(literal))

    def places(self, literals: int, joint: str = "and") -> str:
        """The variables of some literals."""
        names = list(dict.fromkeys(map(self.place, bits(literals))))
        return enumerated(names, joint)

    def values(self, literals: int) -> str:
        """The values of some literals."""
        return enumerated([self.model.words[i] for i in sorted({b % self.model.width for b in bits(literals)})])

    def action(self, step: Deduction) -> str:
        """What a step does."""
        if step.placed:
            is_cell = self.model.puzzle is not None
            form = "{1} goes to {0}" if is_cell else "{0} = {1}"
            return "; ".join([form.format(self.place(b), self.value(b)) for b in step.placed])
        by_value: dict[int, int] = {}
        for b in bits(step.removed & self.left):
            by_value[b % self.model.width] = by_value.get(b % self.model.width, 0) | 1 << b
        of_places: dict[str, list[int]] = {}
        for literals in by_value.values():
            of_places.setdefault(self.places(literals, "or"), []).append(literals)
        verb = "{values} cannot be at {places}" if self.model.puzzle else "{places} cannot be {values}"
        parts = [
            verb.format(values=enumerated([self.values(one) for one in some], "or"), places=places)
            for places, some in of_places.items()
        ]
        return "; ".join(parts)

    def describe_unit(self, unit: Unit) -> str:
        if unit.house is None:
            return f"no value is left for {self.places(unit.literals)}"
        return f"no {self.noun} of {unit.house.name} is left for {self.values(unit.literals)}"


def enumerated(names: list[str], joint: str = "and") -> str:
    """Some names as a list in a sentence."""
    if len(names) > _MAX_NAMES:
        return listed(names, _MAX_NAMES)
    return f" {joint} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))

"""What is left of each variable, and a step of reasoning that changes it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import groupby
from math import inf
from time import monotonic
from typing import NamedTuple

from f2csp.diagnostics import listed
from f2csp.puzzles.puzzle import Cell, cell_of
from f2csp.reasoning.hint_model import HintModel, House, Unit, bits
from f2csp.reasoning.local_rules import LocalRule

_MAX_NAMES = 6  # of places in a sentence


class Deduction(NamedTuple):
    """A step.

    Attributes:
        technique: its name in the literature.
        difficulty: on the scale of Sudoku Explainer.
        pattern: the literals that show it.
        where: the houses, the variables or the rule to look at.
        reason: why, in words.
        removed: the literals that are false, beside those that the placed ones exclude.
        placed: the literals that are true, as numbers.
    """

    technique: str
    difficulty: float
    pattern: int
    where: str
    reason: str
    removed: int = 0
    placed: tuple[int, ...] = ()


class LateError(Exception):
    """The time limit was reached."""


class Marks:
    """The literals that are left, and those that are placed; never changed."""

    def __init__(self, model: HintModel, left: int, placed: int, before: Iterable[tuple[int, Unit]], end: float):
        self.model, self.left, self.placed, self._before, self._end = model, left, placed, before, end

    @classmethod
    def of(cls, model: HintModel, given: Iterable[int], seconds: float | None = None) -> "Marks":
        """The start, where the literals that are given, and variables of one value, are placed."""
        single = [cell.bit_length() - 1 for cell in model.cells if cell.bit_count() == 1]
        units = [(unit.literals, unit) for unit in model.units]
        end = inf if seconds is None else monotonic() + seconds
        return cls(model, sum(model.cells), 0, units, end).after(0, [*given, *single])

    def after(self, removed: int, placed: Iterable[int] = ()) -> "Marks":
        left, done = self.left & ~removed, self.placed
        for literal in placed:
            left &= ~self.model.peers[literal]
            done |= 1 << literal
        return Marks(self.model, left, done, self.units, self._end)

    def check_time(self) -> None:
        """Raise LateError at the time limit."""
        if monotonic() >= self._end:
            raise LateError

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

    @cached_property
    def units(self) -> list[tuple[int, Unit]]:
        """The units without a placed literal, each after its literals that are left."""
        left, placed = self.left, self.placed
        return [(mask, unit) for before, unit in self._before if not (mask := before & left) & placed]

    @property
    def wipeout(self) -> Unit | None:
        """A unit without a literal that can be true."""
        return next((unit for mask, unit in self.units if not mask), None)

    @cached_property
    def singles(self) -> list[tuple[int, House | None]]:
        """The values that have one place left in a house, each with it; the variables that have one value left."""
        return [(mask.bit_length() - 1, unit.house) for mask, unit in self.units if mask.bit_count() == 1]

    def of_rule(self, rule: LocalRule) -> tuple[int, ...]:
        """The domains of the variables of a rule."""
        return tuple([self.domains[v] for v in rule.variables])

    @cached_property
    def open_cells(self) -> list[tuple[House, list[int], list[int]]]:
        """For each house with two or more open variables these and their domains."""
        domains, opened = self.domains, {v for v, cell in enumerate(self.model.cells) if not cell & self.placed}
        opens = [(house, [v for v in house.variables if v in opened]) for house in self.model.houses]
        return [(house, some, [domains[v] for v in some]) for house, some in opens if len(some) > 1]

    @cached_property
    def open_values(self) -> list[tuple[House, list[int], list[int], dict[int, int]]]:
        """The same for full houses, with the bits of the places of each value among these variables."""
        found = []
        for house, some, domains in self.open_cells:
            spots: dict[int, int] = {}
            for place, domain in enumerate(domains if house.is_full else ()):
                for value in bits(domain):
                    spots[value] = spots.get(value, 0) | 1 << place
            found.append((house, some, domains, spots))
        return found

    @cached_property
    def bivalue(self) -> dict[int, int]:
        """The variables with two values left, and these literals."""
        cells = self.model.cells
        return {v: cells[v] & self.left for v, domain in enumerate(self.domains) if domain.bit_count() == 2}

    @cached_property
    def strong(self) -> list[tuple[int, int, Unit]]:
        """The units with two literals left, with these."""
        pairs = [(mask, unit) for mask, unit in self.units if mask.bit_count() == 2]
        return [((mask & -mask).bit_length() - 1, mask.bit_length() - 1, unit) for mask, unit in pairs]

    # ---- Words -------------------------------------------------------------------------------------------------------

    @property
    def noun(self) -> str:
        return "cell" if self.model.puzzle else "variable"

    def place(self, literal: int) -> str:
        return self.model.names[literal // self.model.width]

    def value(self, literal: int) -> str:
        return self.model.words[literal % self.model.width]

    def literal(self, literal: int) -> str:
        return self.one_of(1 << literal)

    def one_of(self, literals: int) -> str:
        """That one of some literals of a value is true."""
        where = "one of {0}" if literals & (literals - 1) else "{0}"
        form = f"{{1}} at {where}" if self.model.puzzle else f"{where} = {{1}}"
        return self._stated([*bits(literals)], "and", form)

    def places(self, literals: int, joint: str = "and") -> str:
        """The variables of some literals."""
        names = [*dict.fromkeys(map(self.place, bits(literals)))]
        if not self.model.puzzle or len(names) == 1:
            return enumerated(names, joint)
        cells = {cell for b in bits(literals) if (cell := cell_of(self.model.variables[b // self.model.width]))}
        return enumerated(_cells_in_words(cells, joint), joint)

    def values(self, literals: int) -> str:
        """The values of some literals."""
        return enumerated([self.model.words[i] for i in sorted({b % self.model.width for b in bits(literals)})])

    def action(self, step: Deduction) -> str:
        """What a step does."""
        if step.placed:
            return self._stated(step.placed, "and", "{1} goes to {0}" if self.model.puzzle else "{0} = {1}")
        return self.rejected(step.removed & self.left)

    def rejected(self, literals: int) -> str:
        """That some literals are false."""
        form = "{1} cannot be at {0}" if self.model.puzzle else "{0} cannot be {1}"
        return self._stated([*bits(literals)], "or", form)

    def _stated(self, literals: Sequence[int], joint: str, form: str) -> str:
        """A statement for the places of each value."""
        values_at: dict[str, list[str]] = {}
        for value in sorted({b % self.model.width for b in literals}):
            of_value = sum(1 << b for b in literals if b % self.model.width == value)
            values_at.setdefault(self.places(of_value, joint), []).append(self.model.words[value])
        return ", and ".join([form.format(places, enumerated(values, joint)) for places, values in values_at.items()])

    def describe_unit(self, unit: Unit) -> str:
        if unit.house is None:
            return f"no value is left for {self.model.names[unit.variable]}"
        return f"no {self.noun} of {unit.house.name} is left for {self.values(unit.literals)}"


def _cells_in_words(cells: Iterable[Cell], joint: str) -> list[str]:
    """Some cells line by line, as ``row 2, columns 3 to 5 and 7``; lines with the same places together."""
    rows, columns = defaultdict(set), defaultdict(set)
    for row, column in cells:
        rows[row].add(column)
        columns[column].add(row)
    by_row = len(rows) <= len(columns)
    alike: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for line, places in (rows if by_row else columns).items():
        alike[tuple(sorted(places))].append(line)

    def words(noun: str, numbers: Sequence[int]) -> str:
        runs = [[i for _, i in run] for _, run in groupby(enumerate(sorted(numbers)), lambda item: item[1] - item[0])]
        some = [word for run in runs for word in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
        return f"{noun}{'s'[: len(numbers) > 1]} {enumerated(some, joint)}"

    nouns = ("row", "column") if by_row else ("column", "row")
    return [f"{words(nouns[0], lines)}, {words(nouns[1], places)}" for places, lines in alike.items()]


def enumerated(names: list[str], joint: str = "and") -> str:
    """Some names as a list in a sentence; those of cells have commas."""
    separator = "; " if any("," in name for name in names) else ", "
    if len(names) > _MAX_NAMES:
        return listed(names, _MAX_NAMES, separator)
    return f" {joint} ".join(filter(None, [separator.join(names[:-1]), *names[-1:]]))

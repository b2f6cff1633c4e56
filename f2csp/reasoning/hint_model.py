"""A problem as people see it who solve it by hand: literals, groups that hold each value once, and other rules.

A literal is a value of a variable, as one bit of an integer: those of a variable are side by side. Auxiliary variables
have none. Sets of literals are integers.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import permutations
from operator import or_
from typing import NamedTuple

from f2csp.diagnostics import ProblemError, Unsuitable, listed
from f2csp.model import Problem, Value
from f2csp.model.arguments import word_of
from f2csp.model.words import is_auxiliary, is_integer
from f2csp.puzzles.puzzle import Puzzle, cell_of
from f2csp.puzzles.to_problem import to_problem
from f2csp.reasoning.local_rules import JointRules, LocalRule, local_rules, remainder
from f2csp.structure import recover, sentence

_MAX_LITERALS = 1 << 18
_MAX_LISTED = 5  # variables in a sentence
_MAX_REST = 4  # variables of a sum that others leave
_LINES = ("row", "column")


def bits(literals: int) -> Iterator[int]:
    """The positions of the bits that are set, ascending."""
    while literals:
        lowest = literals & -literals
        yield lowest.bit_length() - 1
        literals ^= lowest


@dataclass(frozen=True, slots=True, eq=False)
class House:
    """Variables that all differ: a row, a column, a box, a cage."""

    name: str
    kind: str  # the first word of the name in a puzzle
    variables: tuple[int, ...]
    is_full: bool  # whether it holds each value once
    literals: Mapping[int, int]  # for each value, as a number, those of its variables

    @property
    def is_line(self) -> bool:
        return self.kind in _LINES or not self.kind


class Unit(NamedTuple):
    """Literals of which exactly one is true."""

    literals: int
    house: House | None = None
    variable: int = -1  # whose values they are, if they are not the places of a value in a house


class Crossing(NamedTuple):
    """A value in two houses with common variables."""

    value: int
    first: House
    second: House
    only_first: int  # its literals in the first house alone
    only_second: int


class _Conflicts(dict[int, int]):
    """For a literal the literals that it excludes, made at first use."""

    def __init__(self, model: "HintModel", *, with_rules: bool) -> None:
        self._model, self._with_rules = model, with_rules

    def __missing__(self, literal: int) -> int:
        model = self._model
        variable, value = divmod(literal, model.width)
        found = model.cells[variable]
        for house in model.houses_of[variable]:
            found |= house.literals.get(value, 0)
        for rule in model.rules_of[variable] if self._with_rules else ():
            if len(rule.variables) == 2:
                domains = tuple([1 << value if v == variable else model.full for v in rule.variables])
                for v, left in zip(rule.variables, rule.supported(domains), strict=True):
                    found |= model.cells[v] & ~(left << v * model.width)
        self[literal] = found & ~(1 << literal)
        return self[literal]


class HintModel:
    """A problem for techniques.

    Attributes:
        names: the variables in words.
        variables: their names in the problem.
        words: the values, in order; a literal is ``variable * width + value``, both as numbers.
        cells: the literals of each variable that its unary constraints leave.
    """

    def __init__(self, problem: Problem, puzzle: Puzzle | None) -> None:
        self.problem, self.puzzle = problem, puzzle
        model = recover(problem)
        self._classification = model.classification
        names = problem.variable_names
        is_own = [cell_of(name) is not None if puzzle else not is_auxiliary(name) for name in names]
        own = {v: number for number, v in enumerate(v for v in range(problem.n_variables) if is_own[v])}
        domains = problem.variable_domains[[*own]].tolist()
        used = {word for domain in set(domains) for word in problem.domain_values[domain].tolist()}
        self.width, self.full = len(used), (1 << len(used)) - 1
        if len(own) * len(used) > _MAX_LITERALS:
            raise Unsuitable(f"{len(own):,} variables of {len(used):,} values are too many for hints")
        order = sorted(used, key=lambda word: _order(problem.words[word]))
        word_bits = {word: bit for bit, word in enumerate(order)}
        self.words: list[str] = [problem.words[word] for word in order]
        self.variables = [names[v] for v in own]
        self.names = [str(cell_of(name)) if puzzle else name for name in self.variables]
        self._numbers = {name: v for v, name in enumerate(self.variables)}
        self._are_integers = [problem.domains[domain].is_integer for domain in domains]
        masks = [sum(1 << word_bits[word] for word in model.values[v].tolist()) for v in own]
        self.cells = [mask << v * self.width for v, mask in enumerate(masks)]
        cliques = [[own[v] for v in clique if v in own] for clique in model.all_different]
        self.houses = [self._house(tuple(clique), masks) for clique in cliques if len(clique) > 1]
        self.rules = [*local_rules(model, own, word_bits, puzzle.TECHNIQUE if puzzle else "")]
        self.rules += self._remainders()
        self.houses_of: list[list[House]] = [[] for _ in own]
        self.rules_of: list[list[LocalRule]] = [[] for _ in own]
        for house in self.houses:
            for v in house.variables:
                self.houses_of[v].append(house)
        for rule in self.rules:
            for v in rule.variables:
                self.rules_of[v].append(rule)
        self.peers = _Conflicts(self, with_rules=False)
        self.conflicts = _Conflicts(self, with_rules=True)

    def value(self, literal: int) -> Value:
        """The value of a literal."""
        word = self.words[literal % self.width]
        return int(word) if self._are_integers[literal // self.width] else word

    def number(self, name: str, value: Value) -> int:
        """The literal of a value of a variable; raises ProblemError if there is none."""
        if name not in self._numbers:
            raise ProblemError(f"the problem has no variable {name}")
        word, variable = word_of(value), self._numbers[name]
        literal = variable * self.width + (self.words.index(word) if word in self.words else 0)
        if word not in self.words or not self.cells[variable] >> literal & 1:
            raise ProblemError(f"{value} is no value of {name}")
        return literal

    def _house(self, variables: tuple[int, ...], masks: list[int]) -> House:
        names = [self.names[v] for v in variables]
        name = _house_names(self.puzzle).get(frozenset(names), "") if self.puzzle else ""
        literals = {
            value: sum(1 << v * self.width + value for v in variables if masks[v] >> value & 1)
            for value in bits(reduce(or_, [masks[v] for v in variables]))
        }
        kind = name.partition(" ")[0]
        name = name or f"the group of {listed(names, _MAX_LISTED, '; ' if self.puzzle else ' ')}"
        return House(name, kind, variables, len(literals) == len(variables), literals)

    def _remainders(self) -> Iterator[LocalRule]:
        """The variables that the sums inside a full house leave, or that those across it add, if they are few."""
        sums = [(rule, {*rule.variables}) for rule in self.rules if rule.total is not None and rule.weights]
        sums = [(rule, some) for rule, some in sums if rule.weights == sums[0][0].weights]
        groups = [{*house.variables} for house in self.houses]
        for house in self.houses if sums else ():
            cells, weights = {*house.variables}, sums[0][0].weights
            if not house.is_full or {bit for bit, _ in weights} != {1 << value for value in house.literals}:
                continue
            across = [(rule, some) for rule, some in sums if some & cells]
            inside = [(rule, some) for rule, some in across if some <= cells]
            for found in (inside, across) if inside != across else (inside,):
                covered = {v for _, some in found for v in some}
                rest = cells ^ covered
                is_sum = len(covered) == sum(len(some) for _, some in found) and (rest <= cells or cells <= covered)
                if not is_sum or not 1 <= len(rest) <= _MAX_REST or not any(rest <= group for group in groups):
                    continue
                whole, parts = sum(weight for _, weight in weights), sum(rule.total or 0 for rule, _ in found)
                total, names = abs(whole - parts), [self.names[v] for v in sorted(rest)]
                places = listed(names, _MAX_REST, "; " if self.puzzle else " ")
                words = f"{house.name} adds up to {whole} and the sums on it to {parts}, so {places} to {total}"
                constraints = tuple([c for rule, _ in found for c in rule.constraints])
                yield remainder(tuple(sorted(rest)), total, weights, self.width, constraints, words)

    @cached_property
    def units(self) -> list[Unit]:
        """Those of houses, then those of variables."""
        of_houses = [Unit(of, house) for house in self.houses if house.is_full for of in house.literals.values()]
        return [*of_houses, *(Unit(mask, variable=v) for v, mask in enumerate(self.cells))]

    @cached_property
    def units_of(self) -> dict[int, int]:
        """For each literal the numbers of its units, as bits."""
        found: defaultdict[int, int] = defaultdict(int)
        for number, unit in enumerate(self.units):
            for literal in bits(unit.literals):
                found[literal] |= 1 << number
        return found

    @cached_property
    def rule_scopes(self) -> list[tuple[LocalRule, int]]:
        """The rules, each with the literals of its variables."""
        return [(rule, sum(self.cells[v] for v in rule.variables)) for rule in self.rules]

    @cached_property
    def rules_by_technique(self) -> dict[str, list[LocalRule]]:
        names = dict.fromkeys(rule.technique for rule in self.rules)
        return {name: [rule for rule in self.rules if rule.technique == name] for name in names}

    @cached_property
    def joint_rules(self) -> list[JointRules]:
        """The rules with others on some of their variables."""
        found = (JointRules(rule, {o for v in rule.variables for o in self.rules_of[v]}) for rule in self.rules)
        return [joint for joint in found if joint.others]

    @cached_property
    def crossings(self) -> list[Crossing]:
        """In both directions, the houses with a name of no line first."""
        found = []
        for first in sorted(self.houses, key=lambda house: house.is_line):
            near = {id(other): other for v in first.variables for other in self.houses_of[v]}
            for second in near.values() if first.is_full else ():
                if second is not first and len({*first.variables} & {*second.variables}) > 1:
                    for value, mine in first.literals.items():
                        theirs = second.literals.get(value, 0)
                        found.append(Crossing(value, first, second, mine & ~theirs, theirs & ~mine))
        return found

    @cached_property
    def grids(self) -> list[tuple[list[House], list[House], dict[int, int]]]:
        """Two ways to cut the same variables into full houses that meet in one of them at most, as rows and columns.

        With the second houses comes the position of that of each variable.
        """
        kinds = dict.fromkeys(house.kind for house in self.houses if house.kind)
        cuts = [[house for house in self.houses if house.kind == kind and house.is_full] for kind in kinds]
        found = []
        for bases, covers in permutations(cuts, 2):
            cover_of = {v: i for i, house in enumerate(covers) for v in house.variables}
            base_of = {v: i for i, house in enumerate(bases) for v in house.variables}
            pairs = {(i, cover_of.get(v)) for v, i in base_of.items()}
            if base_of and base_of.keys() == cover_of.keys() and len(pairs) == len(base_of):
                found.append((bases, covers, cover_of))
        return found

    def rule_words(self, rule: LocalRule) -> str:
        """What a rule requires."""
        if rule.words:
            return rule.words
        names = [self.names[v] for v in rule.variables]
        cells = [cell for v in rule.variables if (cell := cell_of(self.variables[v]))]
        words = self.puzzle.describe(cells, are_different=False) if self.puzzle else None
        if words:
            return words
        constraint = self.problem.constraints[rule.constraints[0]]
        if len(rule.constraints) > 1:
            return f"the constraints on {listed(names, _MAX_LISTED)}"
        meaning = self._classification[rule.constraints[0]]
        line = f" (line {constraint.line})" if constraint.line is not None and not self.puzzle else ""
        table = f"the table {constraint.label}{line} on {{names}}" if not self.puzzle else "the rule on {names}"
        return sentence(meaning.kind, names, meaning.value, table)


def _order(word: str) -> tuple[bool, int, str]:
    return (False, int(word), "") if is_integer(word) else (True, 0, word)


@lru_cache(maxsize=8)
def _house_names(blank: Puzzle) -> Mapping[frozenset[str], str]:
    """The names of the groups of a puzzle by the names of their cells."""
    return {frozenset(map(str, cells)): name for name, cells in reversed([*blank.groups().items()])}


@lru_cache(maxsize=8)
def model_of_blank(blank: Puzzle) -> HintModel:
    return HintModel(to_problem(blank), blank)

"""Expressions become tables: one table where it is small, otherwise several that share auxiliary variables.

Sums, and whatever else reads a sequence and keeps a state, become chains of tables (``model/automaton.py``); an
argument of another large expression gets a variable. Auxiliary variables follow from the others, so the number of
solutions does not change:

    3x + 2y + z + w = 9      (x, ~sum1-1) (~sum1-1, y, ~sum1-2) (~sum1-2, z, ~sum1-3) (~sum1-3, w)
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, count, pairwise
from math import inf, prod
from typing import Any, TypeVar, cast

import numpy as np

from f2csp.arrays import distinct
from f2csp.diagnostics import ByteSpan
from f2csp.formats.xcsp3.declarations import Step, Variables
from f2csp.formats.xcsp3.expressions import (
    COMPARISONS,
    MAX_ADDEND,
    Addend,
    Range,
    Steps,
    add_linear,
    added_in_columns,
    arguments,
    call,
    comparisons_of,
    complement,
    expression_values,
    is_constant,
    is_sum,
    merged,
    n_transitions,
    positions,
    ranges_of,
    scoped,
    truth,
)
from f2csp.formats.xcsp3.xml_elements import LARGE_HINT, STEPS_OF_TRANSITION, PartFault, Refused, TupleBudget, XmlText
from f2csp.model import Ids, Kind
from f2csp.model.automaton import Chain, Ends, Moves, Numbers, stepwise, unfolded
from f2csp.model.linear_sums import MAX_WEIGHT, LinearSum, Term
from f2csp.model.words import auxiliary_name
from f2csp.text.columns import UNKNOWN, ColumnsBuilder

_MAX_ROWS = 1_000  # of a table on many variables, if it can be a chain instead
_MAX_TRIED = 100_000  # tuples for such a table
_MAX_WORDS = 100  # rows of a table on any number of variables
_MAX_VIEW = 10_000  # tuples of the table of an auxiliary variable, if its expression can be divided
_N_FEW = 3  # variables
_MAX_LAYERS = 5  # as large as the largest table in the transitions of an automaton before it is made minimal
_MAX_VALUE = (1 << 63) - 1
_MAX_RANGES = 100  # of a sum that engines know
_BASE = 10  # of the digits in large sums
_STEPS_OF_VIEW = 40  # of calculation, for a tuple of the table of an auxiliary variable
_SHARE = 8  # a chain of partial sums may take one of this number of shares of what is left
_FOLDED = frozenset({"add", "mul", "min", "max", "and", "or", "xor"})

_Parts = Mapping[int, Addend]  # of a sum, by variables
_Inputs = Sequence[tuple[int, Numbers]]  # of an automaton: variables, and what it reads for each of their values
_Move = Callable[[int, int], int | None]

_Made = TypeVar("_Made")


class Lowering:
    """Adds tables and auxiliary variables to the columns; ``numbers`` are those of the builder's words."""

    def __init__(self, variables: Variables, numbers: list[int], builder: ColumnsBuilder, budget: TupleBudget) -> None:
        self.builder = builder
        self.budget = budget
        self.variables = variables
        self.n_added = 0
        self._order = np.argsort(np.array(numbers, dtype=np.int64))
        self._sorted = np.array(numbers, dtype=np.int64)[self._order]
        self.numbers = [np.array(values, dtype=np.int64) for values in variables.values]
        self.words = [self.indices(values) for values in self.numbers]
        self._auxiliary_domains: dict[tuple[int, ...], tuple[int, int]] = {}  # indices here, and in the columns
        self._n_lowered: Counter[str] = Counter()  # constraints with auxiliary variables, by their name
        self._name, self._place = "", (0, 0)  # of the constraint
        self._n_auxiliary = 0  # variables of the constraint
        self._chains: dict[object, Chain | None] = {}
        self._made: dict[object, Any] = {}

    def begin(self, name: str, place: ByteSpan) -> None:
        """Begin a constraint, from which the next expressions stem."""
        self._name, self._place, self._n_auxiliary = name, place, 0

    def once(self, key: object, make: Callable[..., _Made], *arguments: object) -> _Made:
        """What is made for a key, which is made once."""
        if key not in self._made:
            self._made[key] = make(*arguments)
        return cast("_Made", self._made[key])

    def indices(self, numbers: Numbers) -> Ids:
        """For each number the index of its word, or ``UNKNOWN``."""
        if not len(self._sorted):
            return np.full(numbers.shape, UNKNOWN, dtype=np.int32)
        places = np.minimum(np.searchsorted(self._sorted, numbers), len(self._sorted) - 1)
        return np.where(self._sorted[places] == numbers, self._order[places], UNKNOWN).astype(np.int32)

    def domains(self, scope: Iterable[int]) -> tuple[int, ...]:
        """The index of the domain of each variable."""
        return tuple([self.variables.domains[variable] for variable in scope])

    def post(self, scope: Sequence[int], table: int | None) -> None:
        if table is not None:
            self.n_added = self.builder.constraint(scope, table) + 1

    def _forbid(self, variable: int) -> None:
        """Add a constraint that no value of a variable satisfies."""
        self.variables.mentioned.add(variable)
        self.post((variable,), self.builder.table("Accept", np.empty((0, 1), dtype=np.int32)))

    # ---- Constraints -------------------------------------------------------------------------------------------------

    def require(self, steps: Steps) -> None:
        """Add tables so that an expression holds."""
        scope, program = scoped(steps)
        n_tuples = self._n_tuples(scope)
        name, terms = arguments(steps)
        is_kept = len(scope) <= _N_FEW or (self._name == "intension" and not is_sum(name, terms))
        if n_tuples <= (self.budget.max_tuples if is_kept else _MAX_TRIED):
            table, n_rows = self.once((program, self.domains(scope)), self._table, steps)
            if is_kept or n_rows <= _MAX_ROWS:
                if scope:
                    self.post(scope, table)
                elif n_rows and self.variables.names:  # it rejects the only tuple
                    self._forbid(0)
                return
        if name == "and":
            for term in terms:
                self.require(term)
        elif name == "or":
            self._require_sum([(1, truth(term)) for term in terms], ((1, inf),))
        elif name == "imp":
            self.require(call("or", call("not", terms[0]), terms[1]))
        elif name == "eq" and len(terms) > 2:
            for other in terms[1:]:
                self.require(call("eq", terms[0], other))
        elif name in ("in", "notin") and not all(map(is_constant, terms[1:])):
            parts = [call("eq" if name == "in" else "ne", terms[0], member) for member in terms[1:]]
            self.require(call("or" if name == "in" else "and", *parts))
        elif (ranges := ranges_of(name, terms)) is None:
            self._require_sum([(1, truth(steps))], ((1, inf),))
        else:
            summands: list[tuple[int, Steps]] = []
            constant = add_linear(terms[0], 1, summands)
            if name in COMPARISONS:
                constant += add_linear(terms[1], -1, summands)
            self._require_sum(summands, [(first - constant, last - constant) for first, last in ranges])

    def walk(self, terms: Iterable[Steps], step: _Move, is_accepted: Callable[[int], bool]) -> None:
        """Add the chain of an automaton that reads the values of terms: ``step(state, value)``, from the state 0."""
        inputs = [(variable, addend.numbers) for variable, addend in map(self._input, terms)]
        found = self._unfolded(None, inputs, 0, *stepwise(lambda _, *known: step(*known), is_accepted))
        self._post_chain([variable for variable, _ in inputs], found)

    def _require_sum(self, summands: Sequence[tuple[int, Steps]], ranges: Sequence[Range]) -> None:
        """Add the chain of partial sums; the sum is in one of the ranges, which are sorted."""
        constant = 0
        parts: dict[int, Addend] = {}
        for factor, term in summands:
            variable, addend = self._input(term, factor)
            other = parts.get(variable)
            parts[variable] = Addend.of(other.numbers + addend.numbers) if other else addend
        for variable, addend in list(parts.items()):
            if addend.n_distinct == 1:
                constant += addend.least
                if len(parts) > 1:
                    del parts[variable]
                else:
                    parts[variable] = Addend.of(addend.numbers - addend.least)
        ranges = [(first - constant, last - constant) for first, last in ranges]
        scope, sizes = [*parts], [len(addend.numbers) for addend in parts.values()]
        if (found := self._sums(parts, ranges)) is None:
            self._require_digits(parts, ranges)
            return
        n_words, n_others = found.n_words(sizes, _MAX_WORDS + 1)
        if 0 < n_words <= _MAX_WORDS:
            self.post_columns(scope, "Accept", np.array(found.words()).T)
        elif 0 < n_others <= _MAX_WORDS and (others := self._sums(parts, complement(ranges))):
            self.post_columns(scope, "Reject", np.array(others.words()).T)
        else:
            self._keep_sum(parts, ranges, self.n_added, self._post_chain(scope, found))

    def _keep_sum(self, parts: _Parts, ranges: Sequence[Range], first: int, states: Iterable[int]) -> None:
        """Keep that the constraints from the first on say together that a sum is in one of the ranges."""
        least = [addend.least for addend in parts.values()]
        most = [addend.most for addend in parts.values()]
        if self.n_added - first < 2 or len(ranges) > _MAX_RANGES or max(*most, -min(least)) > MAX_WEIGHT:
            return
        terms = []
        for variable, addend in parts.items():
            domain = self.variables.domains[variable]
            terms.append(self.once((domain, addend.numbers.tobytes()), self._term, domain, addend.numbers))
        ends = [(int(max(low, sum(least))), int(min(high, sum(most)))) for low, high in ranges]
        if possible := tuple((low, high) for low, high in ends if low <= high):
            constraints, of_all = tuple(range(first, self.n_added)), ((len(parts), possible),)
            self.builder.linear_sum(LinearSum(tuple(parts), tuple(terms), of_all, constraints, tuple(states)))

    def _term(self, domain: int, numbers: Numbers) -> Term:
        order = np.argsort(self.words[domain])
        return Term(self.words[domain][order], numbers.astype(np.int64)[order])

    def _sums(self, parts: _Parts, ranges: Sequence[Range]) -> Chain | None:
        """The chain of partial sums of what the values of variables add; None if it may be too large."""
        addends = list(parts.values())
        least = [0, *accumulate(addend.least for addend in addends)]
        most = [0, *accumulate(addend.most for addend in addends)]
        key = (tuple(ranges), self.domains(parts), *[tuple(addend.numbers.tolist()) for addend in addends])
        must_be_chain = key in self._chains or len(parts) == 1 or comparisons_of(ranges) is None
        if not must_be_chain and _SHARE * n_transitions(addends, ranges) > self.budget.transitions_left():
            return None
        ends = [(max(low, least[-1]), min(high, most[-1])) for low, high in ranges]
        is_small = max(*most, -min(least)) <= MAX_ADDEND
        bounds = np.array([*ends, (most[-1] + 1, most[-1] + 1)], dtype=np.int64 if is_small else np.object_)

        def moves(i: int, partial: Numbers, added: Numbers) -> Numbers:
            sums = partial.astype(bounds.dtype)[:, None] + added
            return merged(sums, least[-1] - least[i + 1], most[-1] - most[i + 1], bounds, least[i + 1])

        return self._unfolded(key, [(variable, addend.numbers) for variable, addend in parts.items()], 0, moves)

    def _require_digits(self, parts: _Parts, ranges: Sequence[Range]) -> None:
        """Add the sum as it is done in writing: the digits of all terms in columns, the last ones first, with a carry.

        3x + 2y = 57     (x, x0) (x, x1) (y, y0) (y, y1)     digits
                         (x0, s1) (s1, y0, s2) (s2, x1, s3) (s3, y1)     s2 holds the carry
        """
        left = [addend.numbers - addend.least for addend in parts.values()]
        least = sum(addend.least for addend in parts.values())
        inputs: list[tuple[int, Numbers]] = []
        columns = [0]  # and that of each digit
        for column in count():
            if not any(numbers.any() for numbers in left):
                break
            for variable, numbers in zip(parts, left, strict=True):
                if (digits := (numbers % _BASE).astype(np.int64)).any():
                    inputs.append(self._with_few_values(variable, digits))
                    columns.append(column)
            left = [numbers // _BASE for numbers in left]
        powers = [_BASE ** (after - column) for column, after in pairwise([*columns, columns[-1]])]
        scope = [variable for variable, _ in inputs]
        known = self.domains(scope), *[tuple(digits.tolist()) for _, digits in inputs], *powers
        first_constraint, states = self.n_added, []
        for number, signs in comparisons_of(ranges) or ():
            automaton = added_in_columns(powers, least - number, signs)
            states += self._post_chain(scope, self._unfolded((least - number, *signs, *known), inputs, *automaton))
        self._keep_sum(parts, ranges, first_constraint, states)

    def _with_few_values(self, variable: int, numbers: Numbers) -> tuple[int, Numbers]:
        """A variable and numbers for its values; if these are many, an auxiliary variable that has the numbers."""
        if len(numbers) <= _BASE:
            return variable, numbers
        few = self.once(("digits", variable, numbers.tobytes()), self._viewed, (variable,), numbers)
        return few, self._numbers([few])[0]

    def _unfolded(self, key: object, inputs: _Inputs, start: int, moves: Moves, ends: Ends | None = None) -> Chain:
        """The chain of an automaton; that of a key is made once."""
        limit = _MAX_LAYERS * self.budget.max_tuples
        if key is None or key not in self._chains:
            self.budget.spend("tuples in tables", 1, self._place)  # nothing is built when none are left
            values = [(self._numbers([variable])[0], numbers) for variable, numbers in inputs]
            found, n_steps = unfolded(values, start, moves, ends, limit=limit)
            self._chains[key] = found
            self.budget.spend("steps of calculation", n_steps * STEPS_OF_TRANSITION, self._place)
            self.budget.spend("tuples in tables", sum(map(len, found.tables)) if found else 0, self._place)
        if (kept := self._chains[key]) is None:
            message = f"the chain of tables for <{self._name}> requires more than {limit:,} tuples"
            raise Refused("F510", self._place, message, LARGE_HINT)
        return kept

    def _post_chain(self, scope: Sequence[int], found: Chain) -> list[int]:
        """Add the tables of a chain, and give its state variables."""
        if not all(map(len, found.tables)):
            self._forbid(scope[0])
            return []
        states = [self._auxiliary(values) for values in found.states]
        for i, places in enumerate(found.scopes(scope, states)):
            columns = dict(zip(reversed(places), reversed(found.tables[i].T), strict=True))
            key = found, i, self.domains(places), len(columns)
            if key in self._made:
                self.post(tuple(columns), self._made[key])
                continue
            if len(columns) < len(places):  # a variable is there twice
                kept = np.all([found.tables[i].T[j] == columns[place] for j, place in enumerate(places)], axis=0)
                columns = {variable: values[kept] for variable, values in columns.items()}
            self._made[key] = self.post_columns(tuple(columns), "Accept", columns.values())
        return states

    def post_columns(self, scope: Sequence[int], kind: Kind, columns: Iterable[Numbers]) -> int:
        """Add a table, whose columns are given as values, and give its index."""
        table = self.builder.table(kind, np.stack(list(map(self.words_of, scope, columns)), axis=1))
        self.post(scope, table)
        return table

    def words_of(self, variable: int, values: Numbers) -> Ids:
        """The words of values of a variable; those that it cannot have are left out."""
        domain = self.variables.domains[variable]
        order = self.once(("order", domain), np.argsort, self.numbers[domain])
        ordered, words = self.numbers[domain][order], self.words[domain][order]
        places = np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)
        return cast("Ids", words[places[ordered[places] == values]])

    # ---- Tables ------------------------------------------------------------------------------------------------------

    def _n_tuples(self, scope: Iterable[int]) -> int:
        return prod(len(self.numbers[domain]) for domain in self.domains(scope))

    def _values(self, steps: Steps) -> Numbers:
        """The value of an expression for each tuple of the domains of its scope."""
        scope, program = scoped(steps)
        n_tuples = self._n_tuples(scope)
        if not n_tuples:
            raise PartFault  # a domain without values, which is reported
        self.budget.spend_tuples(f"the table of <{self._name}>", n_tuples, len(program) + len(scope), self._place)
        return expression_values(program, self._numbers(scope), self._place)

    def _numbers(self, scope: Iterable[int]) -> list[Numbers]:
        return [self.numbers[domain] for domain in self.domains(scope)]

    def _columns(self, scope: Sequence[int], ranks: Numbers) -> list[Ids]:
        """The words of tuples over the domains of a scope, by their ranks."""
        found = positions(ranks, self._numbers(scope)).T
        return [self.words[domain][column] for domain, column in zip(self.domains(scope), found, strict=True)]

    def _table(self, steps: Steps) -> tuple[int, int]:
        """The table of the tuples for which an expression holds or does not hold, whichever are fewer; and its size."""
        scope, _ = scoped(steps)
        holds = self._values(steps) != 0
        accepts = 2 * int(np.count_nonzero(holds)) <= len(holds) and bool(scope)
        kept = np.flatnonzero(holds == accepts)
        self.budget.spend("tuples in tables", len(kept), self._place)
        if not scope:
            return UNKNOWN, len(kept)
        rows = np.stack(self._columns(scope, kept), axis=1)
        return self.builder.table("Accept" if accepts else "Reject", rows), len(kept)

    # ---- Auxiliary variables -----------------------------------------------------------------------------------------

    def _input(self, term: Steps, factor: int = 1) -> tuple[int, Addend]:
        """A variable, and a factor times the value of a term for each of its values."""
        scope, program = scoped(term)
        if len(scope) != 1:
            scope, term = (variable := self.variable_of(term),), [("", variable)]
            program = (("", 0),)
        key = program, self.domains(scope), factor
        return scope[0], self.once(key, lambda: Addend.of(self._values(term), factor))

    def values_of(self, *terms: Steps) -> list[int]:
        """The distinct values that terms can have, in ascending order."""
        return sorted({value for term in terms for value in self._values(term).tolist()})

    def variable_of(self, steps: Steps) -> int:
        """The variable with the value of an expression; an auxiliary one unless the expression is a variable."""
        if len(steps) == 1 and isinstance(steps[0], tuple):
            return steps[0][1]
        return self.once(tuple(steps), self._view, steps)

    def as_variable(self, term: Steps) -> list[Step]:
        """The variable with the value of a term, as a term."""
        return [("", self.variable_of(term))]

    def _view(self, steps: Steps) -> int:
        scope, _ = scoped(steps)
        if self._n_tuples(scope) > _MAX_VIEW:
            name, terms = arguments(steps)
            while name in _FOLDED and len(terms) > 2:
                terms[:2] = [self.as_variable(call(name, *terms[:2]))]
            steps = call(name, *[term if len(term) == 1 else self.as_variable(term) for term in terms])
        return self._viewed(scoped(steps)[0], self._values(steps))

    def _viewed(self, scope: Sequence[int], values: Numbers) -> int:
        """A new variable with these values for the tuples of the domains of a scope."""
        self.budget.spend("steps of calculation", len(values) * _STEPS_OF_VIEW, self._place)
        found, inverse = distinct(values)
        variable = self._auxiliary(tuple(found.tolist()))

        def table() -> int:
            self.budget.spend("tuples in tables", len(inverse), self._place)
            columns = self._columns(scope, np.arange(len(inverse)))
            rows = np.stack([*columns, self.words[self.variables.domains[variable]][inverse]], axis=1)
            return self.builder.table("Accept", rows)

        self.post((*scope, variable), self.once(("view", self.domains(scope), values.tobytes()), table))
        return variable

    def _auxiliary(self, values: tuple[int, ...]) -> int:
        """A new variable with these values."""
        if max(map(abs, values)) > _MAX_VALUE:
            raise PartFault("F502", self._place, f"the values of <{self._name}> may have more than 64 bits")
        if values not in self._auxiliary_domains:
            words = list(map(str, values))
            name = f"~{len(self._auxiliary_domains) + 1}"
            self._auxiliary_domains[values] = len(self.numbers), self.builder.domain(name, words)
            self.numbers.append(np.array(values, dtype=np.int64))
            self.words.append(np.array([self.builder.words[word] for word in words], dtype=np.int32))
            self.variables.values.append(values)
            self.variables.texts.append(XmlText(b"", self._place[0]))
        domain, column = self._auxiliary_domains[values]
        self._n_lowered[self._name] += not self._n_auxiliary
        self._n_auxiliary += 1
        name = auxiliary_name(self._name, self._n_lowered[self._name], self._n_auxiliary)
        self.builder.variable(name, column)
        return self.variables.add(name, domain, self._place)

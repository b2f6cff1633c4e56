"""The .cfn format of toulbar2: JSON with liberties, and with names.

    # F2CSP
    # title Two countries
    # domain colour: red green blue
    {"problem": {"name": "Two_countries", "mustbe": "<1"},
    "variables": {
    # variables of colour
    "France": ["red", "green", "blue"],
    "Spain": ["red", "green", "blue"]},
    "functions": {
    "C1": {"scope": ["France", "Spain"], "defaultcost": 0, "costs": [
    "red", "red", 1, "green", "green", 1, "blue", "blue", 1]},
    "C2": {"scope": ["France"], "defaultcost": 1, "costs": [
    "red", 0]}}}

A tuple whose cost is at least ``mustbe`` is forbidden. A function may name another one, further down, whose table it
shares. Quotes, commas and colons may be missing, braces and brackets are the same, a line that begins with ``#`` is a
comment, and ``//`` begins one. The comments that are shown keep what the format has no place for.

Specification: https://toulbar2.github.io/toulbar2/formats/cfnformat.html
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import cached_property
from itertools import count, repeat
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import offsets_of
from f2csp.diagnostics import ByteSpan, Source, brief, listed
from f2csp.files import checked
from f2csp.formats.fitting_names import fitting_title, noted_problem
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.toulbar2 import (
    CostFunctionReader,
    CostFunctionWriter,
    UnreadableError,
    answers,
    problem_name,
    safe_names,
)
from f2csp.model import Ids, Kind, Problem
from f2csp.model.words import is_name
from f2csp.text.chunked_text import Pieces, pieces, row_chunks
from f2csp.text.columns import UNKNOWN

__all__ = ["answers", "chunks", "looks_like", "read"]

_COMMENT = rb"(?:\s|#[^\n]*\n|//[^\n]*\n)*"
_HEAD = re.compile(_COMMENT + rb"[{\[]" + _COMMENT + rb'"?problem"?[\s:]*[{\[]')
_WORD = re.compile(rb'^#[^\n]*|//[^\n]*|[{}\[\]]|"[^\s:,"{}\[\]]+"|(?:[^\s:,"{}\[\]/]|/(?!/))+|"', re.MULTILINE)
_NOTE = re.compile(r"# (title|domain|variables of|variable|constraint) ([^\n]*?)\r?")
_BOUND = re.compile(r"([<>])([+-]?[0-9]+(?:\.[0-9]*)?)")
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_COST = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DIGITS = "0123456789"
_BRACKETS = {"{": "[", "}": "]"}
_BRACKET_NAMES = {"[": "an opening bracket", "]": "a closing bracket"}
_NO_WORDS = ("", "[", "]", '"')
_ALLOWED, _FORBIDDEN, _SOFT, _NOT_A_COST = range(4)
_MAX_LISTED = 5
_N_HEAD = 4  # words of a function before its variables
_SHARED_ARITIES = (2, 3)  # toulbar2 lets only these share a table


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    title = "".join(f"# title {line}\n" for line in problem.title.split("\n") if line)
    domains = "".join(f"# domain {d.name}: {' '.join(d.words)}\n" for d in problem.domains)
    name = safe_names([problem_name(problem)])[0]
    yield f'# F2CSP\n{title}{domains}{{"problem": {{"name": "{name}", "mustbe": "<1"}},\n"variables": {{\n'.encode()
    yield from _Writer(problem).text()


class _Writer(CostFunctionWriter):
    """The last constraint with a shared table writes it, the others refer to it by its name."""

    def text(self) -> Iterator[bytes]:
        problem = self.problem
        self._names = safe_names(problem.variable_names)
        self._values = [safe_names(domain.words) for domain in problem.domains]
        self._labels = safe_names(problem.labels) if problem.labels else None
        yield ",\n".join(self._variables()).encode()
        yield b'},\n"functions": {'
        arities = np.array([relation.arity for relation in self.relations], dtype=np.int64)
        has_table = ~(self.is_shared & np.isin(arities, _SHARED_ARITIES))[self.tables]
        has_table[self.last] = True
        labels = [self._labels[i] if self._labels else f"C{i + 1}" for i in self.last.tolist()]
        references = pieces(labels, '], "costs": "{}"}')
        yield from self.chunks(has_table, pieces(self._names, '"{}", '), pieces(self._names, '"{}"'), references)
        yield b"}}\n"

    def _variables(self) -> Iterator[str]:
        problem = self.problem
        lists = [": [" + ", ".join([f'"{value}"' for value in values]) + "]" for values in self._values]
        before = -1
        domains = problem.variable_domains.tolist()
        for name, word, domain in zip(self._names, problem.variable_names, domains, strict=True):
            note = f"# variables of {problem.domain_names[domain]}\n" if domain != before else ""
            if name != word:
                note += f"# variable {word}\n"
            yield f'{note}"{name}"{lists[domain]}'
            before = domain

    def heads(self, start: int, end: int, has_table: NDArray[np.bool_]) -> Pieces:  # noqa: ARG002 - .wcsp needs it
        heads = np.empty(end - start, dtype=np.object_)
        if self._labels is None:
            heads[:] = [b',\n"C%d": {"scope": [' % i for i in range(start + 1, end + 1)]
        else:
            words, names = (self.problem.labels or ())[start:end], self._labels[start:end]
            notes = [f"# constraint {w}\n" if w != n else "" for w, n in zip(words, names, strict=True)]
            heads[:] = [f',\n{note}"{n}": {{"scope": ['.encode() for note, n in zip(notes, names, strict=True)]
        if start == 0:
            heads[0] = heads[0][1:]
        return heads

    def table_text(self, table: int) -> Iterator[bytes]:
        is_accepting = self.relations[table].kind == "Accept"
        yield f'], "defaultcost": {int(is_accepting)}, "costs": ['.encode()
        starts, words, last_words = self._pieces
        rows = self.positions(table) + starts[[*self.domains(table)]]
        separator = b"\n"
        for text in row_chunks(rows, words, last_words[is_accepting]):
            yield separator + text[:-2]
            separator = b",\n"
        yield b"]}"

    @cached_property
    def _pieces(self) -> tuple[NDArray[np.int64], Pieces, tuple[Pieces, Pieces]]:
        """Where the values of each domain begin, all values, and all values with the cost that follows them."""
        starts = offsets_of(self.problem.domain_sizes)
        words = pieces([value for values in self._values for value in values], '"{}", ')
        return starts, words, (words + b"1, ", words + b"0, ")


def looks_like(data: bytes) -> bool:
    """Whether a text begins like the problem's name and bound."""
    return _HEAD.match(data) is not None


def read(source: Source, *, hard_only: bool = False) -> Problem:
    """Read a problem, perhaps without its soft costs; in time and memory linear in the text."""
    checked(source)
    return _Reader(source, _Words(source), is_hard_only=hard_only).problem()


class _Words:
    """The words and brackets of a text, a "" behind the last; quotes, commas, colons and comments separate them."""

    def __init__(self, source: Source) -> None:
        self._start = source.start
        self._data = source.data[source.start :]
        self.has_notes = self._data.startswith((b"# F2CSP\n", b"# F2CSP\r\n"))
        self.words: list[str] = []  # a brace is the same as a bracket
        self.notes: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)  # kind and text of those before a word
        for word in map(bytes.decode, _WORD.findall(self._data)):
            if word[0] == '"':
                self.words.append(word.strip('"') or word)
            elif not word.startswith(("#", "//")):
                self.words.append(_BRACKETS.get(word, word))
            elif self.has_notes and (note := _NOTE.fullmatch(word)):
                self.notes[len(self.words)].append((note[1], note[2]))
        self.words.append("")

    def place(self, start: int, end: int = 0) -> ByteSpan:
        """The bytes of a word, or of the words from ``start`` to ``end`` (exclusive)."""
        return self._spans[start][0], self._spans[max(start, end - 1)][1]

    def word(self, index: int) -> str:
        """A word; empty behind the last one."""
        return self.words[index]

    @cached_property
    def _spans(self) -> list[ByteSpan]:
        words = (word for word in _WORD.finditer(self._data) if not word.group().startswith((b"#", b"//")))
        end = self._start + len(self._data.rstrip())
        return [*((self._start + word.start(), self._start + word.end()) for word in words), (end, end)]


_Table = tuple[Kind, Ids]  # the kind, and the tuples as positions in the domains


class _Function(NamedTuple):
    start: int  # the position of its name
    scope: list[int]  # variables, or UNKNOWN
    table_at: int  # the position of the first word of its table
    table: _Table | None  # None if it shares one


class _Reader(CostFunctionReader):
    def __init__(self, source: Source, words: _Words, *, is_hard_only: bool) -> None:
        super().__init__(source, words, is_hard_only=is_hard_only)
        self._words = words.words
        self._has_notes = words.has_notes
        self._notes = words.notes
        self._at = 0
        self._noted: dict[str, tuple[int, tuple[str, ...]]] = {}  # domains of the notes, with the names of their values
        self._domains: dict[tuple[str, ...], int] = {}  # other domains by the names of their values
        self._positions: list[dict[str, int]] = []  # for each domain the positions of names, and of positions as text
        self._values: list[Ids] = []  # for each domain its values, and UNKNOWN behind the last
        self._repetitive: set[int] = set()  # domains that hold a value twice
        self._variables: dict[str, int] = {}
        self._variable_domains: list[int] = []
        self._used_names: set[str] = set()
        self._functions: list[_Function] = []
        self._tables: dict[tuple[str | int | None, ...], _Table] = {}
        self._costs: dict[str, int] = {"inf": _FORBIDDEN}

    def _read(self) -> None:
        self._read_header()
        self._expect("variables", "[")
        noted = ""
        while self._words[self._at] != "]":
            noted = self._read_variable(noted)
        self._expect("]", "functions", "[")
        while self._words[self._at] != "]":
            self._read_function()
        self._expect("]", "]")
        if word := self._words[self._at]:
            self._give_up("F501", self._at, f"{brief(word)} follows the end of the problem", "remove it")
        self._add_constraints()

    def _next(self, expected: str) -> str:
        """The next word, which must not be a bracket."""
        word = self._words[self._at]
        if word in _NO_WORDS:
            self._malformed(self._at, expected)
        self._at += 1
        return word

    def _expect(self, *words: str) -> None:
        for word in words:
            if self._words[self._at] != word:
                self._malformed(self._at, _BRACKET_NAMES.get(word, f'"{word}"'))
            self._at += 1

    def _list(self) -> list[str]:
        """The words up to the next bracket, which must close the list."""
        start = self._at
        while self._words[self._at] not in _NO_WORDS:
            self._at += 1
        if self._words[self._at] == '"':
            self._malformed(self._at, "a word in quotes, without blanks")
        self._expect("]")
        return self._words[start : self._at - 1]

    # ---- Header and variables ----------------------------------------------------------------------------------------

    def _read_header(self) -> None:
        self._expect("[")
        notes = self._notes[0]
        self._expect("problem", "[", "name")
        name = self._next("a name")
        title = "\n".join(text for kind, text in notes if kind == "title")
        self._builder.title = fitting_title(title if self._has_notes else name)
        noted = noted_problem([text for kind, text in notes if kind == "domain"], [])
        for domain in noted.domains if noted else ():
            names = tuple(safe_names(domain.words))
            self._noted[domain.name] = self._new_domain(domain.name, domain.words, names, 0), names
        self._expect("mustbe")
        bound, at = self._next("a bound"), self._at - 1
        match = _BOUND.fullmatch(bound)
        if match is None:
            self._malformed(at, "a bound such as <1 or <10.00")
        self._bound = Decimal(match[2])
        if match[1] == ">":
            self._give_up("F502", at, "maximising is not supported", "tables only allow or forbid a tuple")
        if self._bound <= 0:
            self._give_up("F501", at, "expected a bound above 0: nothing is allowed")
        self._expect("]")

    def _read_variable(self, noted: str) -> str:
        """Read a variable; gives the domain that the notes name for it and those that follow."""
        at, notes = self._at, dict(self._notes[self._at])
        noted = notes.get("variables of", noted)
        name = self._next("a variable")
        if self._words[self._at] == "[":
            self._at += 1
            domain = self._listed_domain(tuple(self._list()), noted)
        else:
            domain = self._sized_domain(self._next("the values of a domain, or their number"))
        word = notes.get("variable", name)
        word = word if is_name(word) and word not in self._used_names else name
        self._knows_variables &= is_name(word) and word not in self._used_names
        self._used_names.add(word)
        self._variables.setdefault(name, self._builder.variable(word, domain))
        self._variable_domains.append(domain)
        self._places.variables.append(at)
        return noted

    def _listed_domain(self, names: tuple[str, ...], noted: str) -> int:
        if noted in self._noted and self._noted[noted][1] == names:
            return self._noted[noted][0]
        if names not in self._domains:
            first = self._at - 1 - len(names)
            for at, name in enumerate(names, first):
                if name[0] in _DIGITS:
                    message = f"the value {brief(name)} begins with a digit"
                    hint = "put a letter before it: toulbar2 reads digits as the position of a value"
                    self._report("F501", at, message, hint)
            self._domains[names] = self._new_domain(self._free_name(), names, names, first - 1)
        return self._domains[names]

    def _sized_domain(self, word: str) -> int:
        at, key = self._at - 1, (word,)
        if not _INTEGER.fullmatch(word):
            self._malformed(at, "the values of a domain, or their number")
        if key not in self._domains:
            self._count_values(int(word), at)
            words = list(map(str, range(int(word))))
            self._domains[key] = self._new_domain(self._free_name(), words, [f"v{value}" for value in words], at)
        return self._domains[key]

    def _free_name(self) -> str:
        return next(name for name in map("D{}".format, count(len(self._domains) + 1)) if name not in self._noted)

    def _new_domain(self, name: str, words: Sequence[str], names: Sequence[str], start: int) -> int:
        """Add the domain whose words, up to the present one, begin at ``start``."""
        self._places.domains.append((start, self._at))
        domain = self._builder.domain(name, words)
        self._values.append(np.array([*(self._builder.words[word] for word in words), UNKNOWN], dtype=np.int32))
        self._positions.append({str(i): i for i in range(len(names))} | {name: i for i, name in enumerate(names)})
        if len(set(words)) < len(words):
            self._repetitive.add(domain)
        return domain

    # ---- Functions ---------------------------------------------------------------------------------------------------

    def _read_function(self) -> None:
        start, words = self._at, self._words
        self._next("a function")
        self._expect("[", "scope", "[")
        scope = [self._variable(word) for word in self._list()]
        default = None
        if words[self._at] == "defaultcost":
            self._at += 1
            default = self._next("a cost")
        if words[self._at] == "type":
            self._give_up("F502", self._at + 1, f"cost functions {brief(words[self._at + 1])} are not supported")
        self._expect("costs")
        table_at, table = self._at, None
        if words[table_at] == "[":
            table_at = self._at = table_at + 1
            table = self._table(scope, default, self._list(), table_at)
        elif default is not None:
            self._give_up("F501", table_at - 2, "a function that shares a table has no default cost of its own")
        else:
            self._next("a table, or a function that has one")
        self._expect("]")
        self._functions.append(_Function(start, scope, table_at, table))

    def _variable(self, word: str) -> int:
        """A variable by its name, or by its position."""
        if word in self._variables:
            return self._variables[word]
        return int(word) if _INTEGER.fullmatch(word) and 0 <= int(word) < len(self._variable_domains) else UNKNOWN

    def _table(self, scope: list[int], default: str | None, words: list[str], at: int) -> _Table:
        """The table with these words, the first of which is at ``at``; empty where it has a fault."""
        domains = self._domains_of(scope)
        key = (*words, default, *domains)
        if key not in self._tables:
            self._tables[key] = _empty(len(scope))
            if UNKNOWN not in domains:  # otherwise the rules report the variable
                with suppress(UnreadableError):
                    if default is None:
                        self._tables[key] = self._all_tuples(words, domains, at)
                    else:
                        self._tables[key] = self._listed_tuples(words, default, domains, at)
        return self._tables[key]

    def _domains_of(self, scope: list[int]) -> list[int]:
        return [self._variable_domains[variable] if variable >= 0 else UNKNOWN for variable in scope]

    def _all_tuples(self, costs: list[str], domains: list[int], at: int) -> _Table:
        """A table with a cost for each tuple, in lexicographic order; in the kind that is the shorter."""
        sizes = [len(self._values[domain]) - 1 for domain in domains]
        if len(costs) != prod(sizes):
            message = f"expected {prod(sizes):,} costs, one for each tuple, found {len(costs)}"
            self._give_up("F501", at - 1, message, end=self._at)
        is_forbidden = self._are_forbidden(costs, at, 1)
        kind: Kind = "Accept" if 2 * np.count_nonzero(is_forbidden) > len(costs) else "Reject"
        chosen = np.flatnonzero(is_forbidden == (kind == "Reject"))
        columns = np.unravel_index(chosen, sizes) if sizes else np.empty((0, len(chosen)))
        return kind, np.array(columns, dtype=np.int32).T

    def _listed_tuples(self, words: list[str], default: str, domains: list[int], at: int) -> _Table:
        """A table with the listed tuples, each followed by its cost."""
        is_default_forbidden = bool(self._are_forbidden([default], at - 3, 1)[0])
        width = len(domains) + 1
        costs = words[width - 1 :: width]
        odd = next((i for i, word in enumerate(costs) if self._cost(word) == _NOT_A_COST), len(costs))
        if odd * width != len(words):
            end = min((odd + 1) * width, len(words))
            message = f"expected {width - 1} values and a cost, found {brief(' '.join(words[odd * width : end]))}"
            self._give_up("F306", at + odd * width, message, end=at + end)
        is_forbidden = self._are_forbidden(costs, at + width - 1, width)
        kind: Kind = "Accept" if is_default_forbidden else "Reject"
        if not domains:
            return kind, np.empty((int(np.any(is_forbidden[:1] != is_default_forbidden)), 0), dtype=np.int32)
        columns = [
            list(map(self._positions[domain].get, words[i::width], repeat(UNKNOWN))) for i, domain in enumerate(domains)
        ]
        return kind, self._listed(np.array(columns, dtype=np.int32).T, is_forbidden != is_default_forbidden, at)

    def _are_forbidden(self, costs: list[str], at: int, step: int) -> NDArray[np.bool_]:
        """Whether each cost forbids its tuple; gives up at the first that does neither."""
        kinds = np.array([self._cost(cost) for cost in costs], dtype=np.int8)
        for i in np.flatnonzero(kinds == _NOT_A_COST)[:1].tolist():
            self._malformed(at + i * step, "a cost")
        for i in np.flatnonzero(kinds == _SOFT)[:1].tolist():
            self._refuse_soft(at + i * step)
        is_forbidden: NDArray[np.bool_] = np.equal(kinds, _FORBIDDEN)
        return is_forbidden

    def _cost(self, word: str) -> int:
        if word not in self._costs:
            if not _COST.fullmatch(word):
                return _NOT_A_COST
            cost = Decimal(word)
            self._costs[word] = _ALLOWED if cost == 0 else _FORBIDDEN if cost >= self._bound else _SOFT
        return self._costs[word]

    # ---- Constraints -------------------------------------------------------------------------------------------------

    def _add_constraints(self) -> None:
        never: _Table = "Accept", np.empty((0, 1), dtype=np.int32)
        kept: list[tuple[_Function, int, list[int], _Table]] = []
        by_name = {self._words[function.start]: function for function in self._functions}
        for function in self._functions:
            at, table = self._table_of(function, by_name.get(self._words[function.table_at]))
            if function.scope:
                kept.append((function, at, function.scope, table))
            elif self._variables and (table[0] == "Accept") == (len(table[1]) == 0):
                kept.append((function, at, [0], never))  # every assignment is forbidden: so is the first variable
        labels = [dict(self._notes[f.start]).get("constraint", self._words[f.start]) for f, *_ in kept]
        has_labels = all(map(is_name, labels)) and len(set(labels)) == len(labels)
        indices: dict[tuple[int, ...], int] = {}
        for label, (function, at, scope, (kind, positions)) in zip(labels, kept, strict=True):
            domains = self._domains_of(scope)
            key = (id(positions), *domains)
            if not self._repetitive.isdisjoint(domains):
                positions = positions[:0]
            if key not in indices:
                columns = [self._values[domain][positions[:, i]] for i, domain in enumerate(domains)]
                indices[key] = self._builder.table(kind, np.array(columns, dtype=np.int32).T)
            self._builder.constraint(scope, indices[key], label if has_labels else None)
            self._places.functions.append((function.start, function.start + _N_HEAD, at, len(function.scope)))

    def _table_of(self, function: _Function, other: _Function | None) -> tuple[int, _Table]:
        """Where the table of a function begins, and the table, which may be that of another one."""
        at = function.table_at
        if function.table is not None:
            return at, function.table
        if other is None or other.table is None:
            message = f"there is no function {brief(self._words[at])} with a table"
            self._report("F503", at, message, "define the function whose table is shared further down")
        elif (sizes := self._sizes(other.scope)) == self._sizes(function.scope):
            return other.table_at, other.table
        elif 0 not in (*sizes, *self._sizes(function.scope)):  # otherwise a variable is reported
            expected = listed(map(str, sizes), _MAX_LISTED)
            self._report("F501", at, f"expected domains of the sizes {expected}, as in function {self._words[at]}")
        return at, _empty(len(function.scope))

    def _sizes(self, scope: list[int]) -> list[int]:
        return [len(self._values[domain]) - 1 if domain >= 0 else 0 for domain in self._domains_of(scope)]


def _empty(arity: int) -> _Table:
    return "Reject", np.empty((0, arity), dtype=np.int32)

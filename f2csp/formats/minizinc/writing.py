"""A problem as a MiniZinc model, in pieces."""

from collections.abc import Iterator
from itertools import pairwise
from typing import cast

import numpy as np

from f2csp.formats.chunked_text import LARGE, Pieces, joined, pieces
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.minizinc.meanings import Statements, statements
from f2csp.formats.minizinc.naming import Naming, quoted
from f2csp.model import Ids, Offsets, Problem, Relation

_LINES = 1 << 14
_HEAD_VALUES = 8  # what a constraint costs besides its scope

_REJECTS = """predicate rejects(array[int] of var int: x, array[int, int] of int: t) =
  forall(i in index_set_1of2(t))(exists(j in index_set(x))(x[j] != t[i, j]));
"""
_WORD = """function string: word(int: value) =
  if value in index_set(words) then words[value] else show(value) endif;
"""


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:
    """The text of a problem in pieces of a few megabytes at the most."""
    naming = Naming.of(problem)
    said = statements(problem, naming, use_structure=options.use_structure)
    tables = _Tables(problem, naming, said.tables)
    yield from _joined(_head(problem, said, tables))
    yield from _joined(_values(naming))
    yield from _joined(_variables(problem, naming))
    yield from tables.declarations()
    yield from _joined(said.lines)
    yield from tables.constraints()
    yield b"solve satisfy;\n"
    yield from _joined(_output(problem, naming))


def _joined(lines: Iterator[str]) -> Iterator[bytes]:
    """The lines in chunks."""
    held: list[str] = []
    for line in lines:
        held.append(line)
        if len(held) == _LINES:
            yield "".join(held).encode()
            held = []
    yield "".join(held).encode()


def _head(problem: Problem, said: Statements, tables: "_Tables") -> Iterator[str]:
    if problem.title:
        yield "".join(f"% {line}\n" for line in problem.title.split("\n"))
    if said.has_all_different:
        yield 'include "alldifferent.mzn";\n'
    if tables.are_of("Accept"):
        yield 'include "table.mzn";\n'
    if tables.are_of("Reject"):
        yield _REJECTS


def _values(naming: Naming) -> Iterator[str]:
    """The constants, and their names."""
    if not naming.constants:
        return
    for number, constant in enumerate(naming.constants.values(), naming.first):
        yield f"int: {constant} = {number};\n"
    last = naming.first + len(naming.constants) - 1
    yield f"array[int] of string: words = array1d({naming.first}..{last}, ["
    before = ""
    for word in naming.constants:
        yield f"{before}{quoted(word)}"
        before = ", "
    yield f"]);\n{_WORD}"


def _variables(problem: Problem, naming: Naming) -> Iterator[str]:
    for name, values in zip(naming.domains, problem.domain_values, strict=True):
        yield f"set of int: {name} = {_set(values, naming)};\n"
    for name, domain in zip(naming.variables, problem.variable_domains.tolist(), strict=True):
        yield f"var {naming.domains[domain]}: {name};\n"


def _set(words: Ids, naming: Naming) -> str:
    """Some values: a range if they are one."""
    listed = words.tolist()
    if listed and all(naming.is_exact[word] for word in listed):
        numbers = sorted(int(naming.words[word]) for word in listed)
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"{numbers[0]}..{numbers[-1]}"
    return f"{{{', '.join([naming.words[word] for word in listed])}}}"


class _Tables:
    """The constraints that are written as tables."""

    def __init__(self, problem: Problem, naming: Naming, constraints: Offsets) -> None:
        self._problem = problem
        self._naming = naming
        self._constraints = constraints
        relations = problem.constraint_relations[constraints]
        self._used: list[int] = np.flatnonzero(np.bincount(relations)).tolist()
        # Only tables of several columns and of some rows have a name.
        named = [i for i in self._used if problem.relations[i].arity > 1 and problem.relations[i].n_tuples]
        self._numbers = {relation: number for number, relation in enumerate(named, 1)}

    def are_of(self, kind: str) -> bool:
        """Whether there are named tables of a kind."""
        return any(self._problem.relations[i].kind == kind for i in self._numbers)

    def declarations(self) -> Iterator[bytes]:
        """The named tables."""
        words = pieces(self._naming.words, "{}, ")
        last_words = pieces(self._naming.words, "{}\n   | ")
        for relation, number in self._numbers.items():
            tuples = self._problem.relations[relation].tuples
            yield f"array[int, int] of int: table_{number} =\n  [| ".encode()
            n_rows = max(1, LARGE // tuples.shape[1])
            for start in range(0, len(tuples), n_rows):
                rows = tuples[start : start + n_rows]
                text = words[rows]
                text[:, -1] = last_words[rows[:, -1]]
                is_last = start + n_rows >= len(tuples)
                yield b"".join(text.ravel().tolist())[: -len("\n   | ") if is_last else None]
            yield b" |];\n"

    def constraints(self) -> Iterator[bytes]:
        """The constraints."""
        if not len(self._constraints):
            return
        problem = self._problem
        heads, tails = self._around_scopes()
        names, last_names = pieces(self._naming.variables, "{}, "), pieces(self._naming.variables)
        arities = np.diff(problem.scope_offsets)[self._constraints]
        weights = np.cumsum(arities + _HEAD_VALUES) // LARGE
        cuts = [0, *(np.flatnonzero(np.diff(weights)) + 1).tolist(), len(arities)]
        for start, end in pairwise(cuts):
            constraints = self._constraints[start:end]
            relations = problem.constraint_relations[constraints]
            n = arities[start:end]
            ends = np.cumsum(n)
            places = np.arange(ends[-1]) + np.repeat(problem.scope_offsets[constraints] - ends + n, n)
            own_heads = self._labelled(constraints, heads[relations])
            yield joined(own_heads, names, last_names, tails[relations], problem.scopes[places], n)

    def _around_scopes(self) -> tuple[Pieces, Pieces]:
        """For each table what stands before the scope and what behind it."""
        n = len(self._problem.relations)
        heads, tails = np.empty(n, dtype=np.object_), np.empty(n, dtype=np.object_)
        for i in self._used:
            head, tail = self._around_scope(i, self._problem.relations[i])
            heads[i], tails[i] = head.encode(), tail.encode()
        return heads, tails

    def _around_scope(self, index: int, relation: Relation) -> tuple[str, str]:
        accepts = relation.kind == "Accept"
        if not relation.n_tuples:
            return f"{'false' if accepts else 'true'}; % of ", "\n"
        if relation.arity > 1:
            return f"{'table' if accepts else 'rejects'}([", f"], table_{self._numbers[index]});\n"
        values = relation.tuples[:, 0]
        if len(values) == 1:
            return "", f" {'=' if accepts else '!='} {self._naming.words[values[0]]};\n"
        listed = _set(values, self._naming)
        return ("", f" in {listed};\n") if accepts else ("not (", f" in {listed});\n")

    def _labelled(self, constraints: Offsets, heads: Pieces) -> Pieces:
        """What stands before the scopes, with the constraints' names where they have some."""
        labels = self._problem.labels
        if labels is None:
            return cast("Pieces", b"constraint " + heads)
        named = [f"constraint :: {quoted(labels[i])} ".encode() for i in constraints.tolist()]
        return cast("Pieces", np.array(named, dtype=np.object_) + heads)


def _output(problem: Problem, naming: Naming) -> Iterator[str]:
    """The solution as lines NAME = VALUE."""
    are_exact = [all(naming.is_exact[word] for word in values.tolist()) for values in problem.domain_values]
    yield "output ["
    before = ""
    domains = problem.variable_domains.tolist()
    for identifier, name, domain in zip(naming.variables, problem.variable_names, domains, strict=True):
        shown = f"show({identifier})" if are_exact[domain] else f"word(fix({identifier}))"
        yield f'{before}{quoted(f"{name} = ")}, {shown}, "\\n"'
        before = ",\n  "
    yield "];\n"

"""A problem as XCSP3 text, in chunks, and the answers of solvers.

Constraints that differ in their scopes alone are written in one group. Names become identifiers and values become
integers of a size that solvers take. The attributes ``note``, which XCSP3 has for people, keep the title, the domains
in order, and the names:

    <instance note="Map of two countries" ...>
      <variables note="colour: red=0 green=1, D2: 1..4">
        <var id="v1_A" note="1-A: colour"> 0 1 </var>

Solvers print each solution as an ``<instantiation>``, on lines that begin with v:

    s SATISFIABLE
    v <instantiation id='sol1' type='solution'>
    v   <list> x y z </list>
    v   <values> 1 4 2 </values>
    v </instantiation>
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from operator import itemgetter
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from f2csp.arrays import by_value, row_codes
from f2csp.diagnostics import ByteSpan, Source, Unsuitable
from f2csp.formats.answers import Pair, solutions_printed
from f2csp.formats.fitting_names import declared_variables, fresh_name, identifier_like, is_identifier
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.xcsp3.expressions import RESERVED
from f2csp.model import Ids, Kind, Offsets, Problem, Relation
from f2csp.model.words import is_auxiliary, is_integer
from f2csp.solutions import Assignments, Solution
from f2csp.structure import ConstraintModel, Numbering, raw_model, recover, sentence
from f2csp.text.chunked_text import line_chunks

FREE = "so that no variable is free"
"""The note of a constraint that is always true: solvers leave out variables that no constraint names."""

NO_VARIABLE = "so that there is a variable"
"""The note of a variable that is not in the problem: no solver takes an instance without variables."""

_MAX_LINE_VALUES = 48
_LINE_END = "\n          "  # in a table
_MAX_NUMBER = 10_000_000  # Choco takes the sum of two such values
_MIN_RANGE = 3  # values that are written as a range
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;"})
_NOT_IN_XML = re.compile("[\ufffe\uffff]")

_FUNCTIONS = {"=": "eq", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "-": "sub", "+": "add"}


# ---- Names and notes -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Naming:
    """The names and the words of a problem in XCSP3."""

    identifiers: list[str]  # for each variable, its name if that is an identifier, else one that is like it
    numbers: list[int]  # for each word, its integer
    numbering: Numbering  # the same, for the constraint model

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """The names and numbers of a problem, always the same ones."""
        numbering = Numbering.compact(problem, _MAX_NUMBER)
        return cls(_identifiers(problem.variable_names), numbering.numbers.tolist(), numbering)


def _identifiers(names: Sequence[str]) -> list[str]:
    kept = {name for name in names if is_identifier(name) and name not in RESERVED}
    taken = kept | RESERVED
    numbers: dict[str, int] = {}
    return [name if name in kept else fresh_name(identifier_like(name), taken, numbers) for name in names]


def note_attribute(text: str) -> str:
    """A note in a tag; nothing for an empty one. ``Unsuitable`` if it has a character that XML cannot hold."""
    if odd := _NOT_IN_XML.search(text):
        raise Unsuitable(f"XML cannot hold the character U+{ord(odd[0]):04X} of a name or of the title")
    return f' note="{text.translate(_ESCAPES)}"' if text else ""


def domains_note(problem: Problem, naming: Naming) -> str:
    """The domains with their values in order, and the numbers of the values that are not their own."""
    triples = zip(problem.words, naming.numbers, naming.numbering.is_own.tolist(), strict=True)
    words = [word if is_own else f"{word}={number}" for word, number, is_own in triples]
    lists = [" ".join(_with_ranges([words[i] for i in values.tolist()])) for values in problem.domain_values]
    return ", ".join(f"{name}: {listed}" for name, listed in zip(problem.domain_names, lists, strict=True))


def _with_ranges(words: Sequence[str]) -> Iterator[str]:
    """The words, with a..b for consecutive integers."""
    numbered = ((i - int(word) if is_integer(word) else word, word) for i, word in enumerate(words))
    for _, pairs in groupby(numbered, key=itemgetter(0)):
        run = [word for _, word in pairs]
        yield from [f"{run[0]}..{run[-1]}"] if len(run) >= _MIN_RANGE else run


# ---- The instance ----------------------------------------------------------------------------------------------------


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:
    holes, problem = [hole.index for hole in problem.holes], problem.with_holes()
    naming = Naming.of(problem)
    yield f'<instance format="XCSP3" type="CSP"{note_attribute(problem.title)}>\n'.encode()
    yield _variables(problem, naming).encode()
    yield b"  <constraints>\n"
    writer = _ConstraintWriter(naming)
    is_used = np.zeros(problem.n_variables, dtype=np.bool_)
    is_used[holes] = True  # they remain without a constraint
    model = recover(problem) if options.use_structure else raw_model(problem)
    for group in _groups(model, naming.numbering):
        for scopes in group.scopes:
            is_used[scopes.ravel()] = True
        yield from writer.write(group)
    for group in _all_values("Accept", problem, np.flatnonzero(~is_used).astype(np.int32)):
        yield from writer.write(group, FREE)
    if not problem.n_variables:
        yield from writer.write(_Group("intension", [np.zeros((1, 1), dtype=np.int32)], "eq({0},0)"), FREE)
    yield b"  </constraints>\n</instance>\n"


def _variables(problem: Problem, naming: Naming) -> str:
    lines = [f"  <variables{note_attribute(domains_note(problem, naming))}>\n"]
    first_of: dict[int, str] = {}
    names = zip(naming.identifiers, declared_variables(problem), problem.variable_domains.tolist(), strict=True)
    for identifier, note, domain in names:
        tag = f'    <var id="{identifier}"{note_attribute(note)}'
        if domain in first_of:
            lines.append(f'{tag} as="{first_of[domain]}"/>\n')
        else:
            first_of[domain] = identifier
            lines.append(f"{tag}> {_values(problem.domain_values[domain], naming)} </var>\n")
    if not problem.n_variables:
        lines.append(f'    <var id="none"{note_attribute(NO_VARIABLE)}> 0 </var>\n')
    return "".join([*lines, "  </variables>\n"])


def _values(words: Ids, naming: Naming) -> str:
    """The numbers of some words in ascending order, with ranges."""
    return " ".join(_with_ranges([str(number) for number in sorted(naming.numbers[word] for word in words.tolist())]))


# ---- Groups ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Group:
    """Constraints that differ in their scopes alone."""

    element: str
    scopes: Sequence[Ids]  # those of one size in one array of shape (n, arity)
    form: str = ""  # their text with {0}, {1}, ... for the names of a scope; if empty, it is these names
    table: Relation | None = None  # of an extension


def _groups(model: ConstraintModel, numbering: Numbering) -> Iterator[_Group]:
    """The recovered constraints for which XCSP3 has a form, and the other ones as tables."""
    sizes = np.array([len(scope) for scope in model.all_different], dtype=np.int64)
    scopes = [np.array([model.all_different[i] for i in at.tolist()], dtype=np.int32) for _, at in by_value(sizes)]
    if pairs := [some for some in scopes if some.shape[1] == 2]:
        yield _Group("intension", pairs, "ne({0},{1})")
    if cliques := [some for some in scopes if some.shape[1] > 2]:
        yield _Group("allDifferent", cliques)
    written = []
    for case in model.comparisons:
        is_exact = numbering.is_exact(case.kind, case.scopes)
        written.append(case.constraints[is_exact])
        if is_exact.any():
            first, sign, second, *total = sentence(case.kind, ("{0}", "{1}"), case.constant, "").split()
            form = f"{_FUNCTIONS[sign]}({first},{second})"
            form = f"eq({form},{case.constant})" if total else form
            yield _Group("intension", [case.scopes[is_exact]], form)
    yield from _tables(model.problem, model.rest(*written))


def _tables(problem: Problem, constraints: Offsets) -> Iterator[_Group]:
    """Some constraints as tables, those with the same table together."""
    for index, positions in by_value(problem.constraint_relations[constraints]):
        table, scopes = problem.relations[index], problem.scopes_of(constraints[positions])
        can_hold = _can_hold(problem, table, scopes)
        if not can_hold.all():  # solvers fail at tables that accept nothing: all values of a variable are rejected
            yield from _all_values("Reject", problem, scopes[~can_hold, 0])
        if can_hold.any():
            yield _Group("extension", [scopes[can_hold]], table=table)


def _can_hold(problem: Problem, table: Relation, scopes: Ids) -> NDArray[np.bool_]:
    """On which scopes a table allows anything; a product that a float cannot represent is no table's length."""
    if table.kind == "Accept":
        return np.full(len(scopes), table.n_tuples > 0)
    n_all = problem.domain_sizes[problem.variable_domains[scopes]].prod(axis=1, dtype=np.float64)
    return cast("NDArray[np.bool_]", n_all != table.n_tuples)


def _all_values(kind: Kind, problem: Problem, variables: Ids) -> Iterator[_Group]:
    """Unary constraints that accept or reject all values."""
    for domain, positions in by_value(problem.variable_domains[variables]):
        table = Relation(kind, problem.domain_values[domain][:, None])
        yield _Group("extension", [variables[positions, None]], table=table)


# ---- Text ------------------------------------------------------------------------------------------------------------


class _ConstraintWriter:
    def __init__(self, naming: Naming) -> None:
        self._identifiers = naming.identifiers or ["none"]
        self._naming = naming

    def write(self, group: _Group, note: str = "") -> Iterator[bytes]:
        """The text of a group; without ``<group>`` if it is one constraint only."""
        attribute = note_attribute(note)
        if sum(map(len, group.scopes)) == 1:
            names = [self._identifiers[variable] for variable in group.scopes[0][0].tolist()]
            yield from self._element(group, names, attribute, "    ")
            return
        yield f"    <group{attribute}>\n".encode()
        is_flat = not group.form and group.table is None
        parameters = ["%..."] if is_flat else [f"%{i}" for i in range(group.scopes[0].shape[1])]
        yield from self._element(group, parameters, "", "      ")  # cosoco fails at a unary table with %...
        rows = (" ".join([self._identifiers[i] for i in row]) for scopes in group.scopes for row in scopes.tolist())
        yield from line_chunks(f"      <args> {row} </args>\n" for row in rows)
        yield b"    </group>\n"

    def _element(self, group: _Group, names: Sequence[str], attribute: str, indent: str) -> Iterator[bytes]:
        if group.table is None:
            text = group.form.format(*names) or " ".join(names)
            yield f"{indent}<{group.element}{attribute}> {text} </{group.element}>\n".encode()
            return
        tag = "supports" if group.table.kind == "Accept" else "conflicts"
        yield f"{indent}<extension{attribute}>\n{indent}  <list> {' '.join(names)} </list>\n{indent}  <{tag}> ".encode()
        yield from self._table(group.table)
        yield f" </{tag}>\n{indent}</extension>\n".encode()

    def _table(self, table: Relation) -> Iterator[bytes]:
        if table.arity == 1:  # has a syntax of its own, with ranges
            yield _values(table.tuples[:, 0], self._naming).encode()
            return
        rows = self._naming.numbering.numbers[table.tuples]
        rows = rows[np.argsort(row_codes(rows.T))]  # ACE loses solutions of tables that are not sorted
        n_line_rows = max(1, _MAX_LINE_VALUES // table.arity)
        parts = ((start, rows[start : start + n_line_rows].tolist()) for start in range(0, len(rows), n_line_rows))
        yield from line_chunks(_LINE_END * bool(start) + "".join(map(_tuple, part)) for start, part in parts)


def _tuple(row: Sequence[int]) -> str:
    return f"({','.join(map(str, row))})"


# ---- Answers ---------------------------------------------------------------------------------------------------------

_VALUE_LINE = re.compile(rb"^v(?=[ \t])", re.MULTILINE)
_OTHER_LINE = re.compile(rb"^(?!v[ \t])[^\n]++", re.MULTILINE)
_INSTANTIATION = re.compile(
    rb"<instantiation\b[^>]*+>\s*+<list>([^<]*+)</list>\s*+<values>([^<]*+)</values>\s*+</instantiation>"
)
_WORD = re.compile(rb"[^\s]++")
_REPEATED = re.compile(r"(-?[0-9]{1,18}|\*)x([0-9]{1,18})")
_VALUES_ALONE = re.compile(rb"^v((?:[ \t]++(?:-?[0-9]{1,18}|\*))++)[ \t\r]*+$", re.MULTILINE)
_UNSATISFIABLE = re.compile(rb"^s[ \t]+UNSATISFIABLE", re.MULTILINE)


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions that a solver printed for the problem as exported to XCSP3.

        v <instantiation> <list> x y </list> <values> 1 * </values> </instantiation>
        v 1 *

    A star is any value. cosoco prints the values alone, those of a solution on one line.
    """
    written, data = problem.with_holes(), source.data
    naming = Naming.of(written)
    names = dict(zip(naming.identifiers, written.variable_names, strict=True)) or {"none": ""}
    words = {str(number): word for number, word in zip(naming.numbers, problem.words, strict=True)}
    first_words = {variable.name: variable.domain.words[0] for variable in problem.variables}
    own = [name for name in written.variable_names if not is_auxiliary(name)]
    pattern = _INSTANTIATION if b"<instantiation" in data else _VALUES_ALONE
    if pattern is _INSTANTIATION and _VALUE_LINE.search(data):  # then all that is on other lines becomes blanks
        data = _VALUE_LINE.sub(b" ", _OTHER_LINE.sub(lambda match: b" " * len(match.group()), data))

    def pairs(match: re.Match[bytes], assignments: Assignments) -> Iterator[Pair]:
        last = match.re.groups  # the group of the values
        values_in_words = list(_words(match, last))
        if match.re is _VALUES_ALONE:
            is_own = len(values_in_words) == len(own)  # the solver read the instance, before its import added others
            listed = [(name, match.span()) for name in (own if is_own else written.variable_names)]
        else:
            listed = [(name, place) for word, place in _words(match, 1) for name in _named(word, written)]
        values = [pair for word, place in values_in_words for pair in repeat(*_value(word, place, len(listed)))]
        if len(listed) != len(values):
            found = f"{len(values)}" if len(values) <= len(listed) else f"more than {len(listed)}"
            message = f"expected {len(listed)} values, one for each variable, found {found}"
            assignments.collector.add("F504", *match.span(last), message)
            assignments.n_lost = problem.n_variables
            return
        for (identifier, place), (value, value_place) in zip(listed, values, strict=False):
            if name := names.get(identifier, identifier):  # a star matches any value
                word = first_words.get(name, value) if value == "*" else words.get(value, value)
                yield name, place, word, value_place

    return solutions_printed(
        source,
        problem,
        lambda assignments: ((pairs(match, assignments), match.span()) for match in pattern.finditer(data)),
        _UNSATISFIABLE,
        "run the solver so that it prints solutions: ACE and Choco always do, cosoco with -model=1",
        list(filter(is_auxiliary, problem.variable_names)),
    )


def _named(word: str, problem: Problem) -> Sequence[str]:
    """The variables that a word names: itself, or the cells of an array."""
    if "[]" not in word:
        return [word]
    pattern = re.compile(re.escape(word).replace(r"\[\]", r"\[[0-9]+\]"))
    return [name for name in problem.variable_names if pattern.fullmatch(name)] or [word]


def _words(match: re.Match[bytes], group: int) -> Iterator[tuple[str, ByteSpan]]:
    for found in _WORD.finditer(match.string, *match.span(group)):
        yield found.group().decode("utf-8", "replace"), found.span()


def _value(word: str, place: ByteSpan, most: int) -> tuple[tuple[str, ByteSpan], int]:
    """A value and the number of its occurrences, where 0x25 is 25 times 0; one more than the most is enough."""
    repeated = _REPEATED.fullmatch(word)
    return ((repeated[1], place), min(int(repeated[2]), most + 1)) if repeated else ((word, place), 1)

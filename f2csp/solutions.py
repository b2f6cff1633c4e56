"""Solution files; the answers of all solvers are assembled here too.

    V1 = 1
    V2 = 2
    ---
    V1 = 2
    V2 = 1

The same as JSON: ``[{"V1": 1, "V2": 2}, {"V1": 2, "V2": 1}]``; a single solution is an object without a list.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase, digits
from typing import IO, Any, Literal, TypeVar

import numpy as np

from f2csp.board_cells import boards_of_size
from f2csp.diagnostics import ByteSpan, Collector, ProblemError, Source, brief, listed, near_word_hint, spelling_hint
from f2csp.files import FileName, check_encoding, read_source, text_source, write_chunks
from f2csp.json_text import JSON_KINDS, JsonCollector, JsonPath, parse_json
from f2csp.model import Domain, Problem, Value, expect_problem
from f2csp.model.words import is_auxiliary
from f2csp.text.terminals import pattern

Form = Literal["text", "json"]
Solution = Mapping[str, Value]
"""A value for each variable: a number where its domain is an integer one, else a word."""

_Entry = TypeVar("_Entry")

_FILLED_LINE = re.compile(rb"[^ \t\r\n](?:[^\n]*[^ \t\r\n])?")  # without the white space around it
_ASSIGNMENT = re.compile(rb"(?:v[ \t]+)?(%b)([ \t]*+[=:,][ \t]*+|[ \t]++)(%b)" % (pattern("_WORD"), pattern("_WORD")))
_CELL_NAME = re.compile(r"V([1-9][0-9]{0,3})-([1-9][0-9]{0,3})")
_BLANKS = ("", *"._?*0")
_DIGITS = digits + ascii_uppercase + ascii_lowercase  # the values of a board whose cells are characters
_JSON = re.compile(rb"[ \t\r\n]*+(?=[\[{])")

ANY = "*"  # in place of a value, where any one will do
_MAX_LISTED = 5  # names or values in a message


class Assignments:
    """Takes names and values with their places, reports faults, and gives a dictionary for each solution."""

    def __init__(self, problem: Problem, collector: Collector, optional: Collection[str]) -> None:
        """Begin without a solution; each must give a value to all variables except the ``optional`` ones."""
        self.problem = problem
        self.collector = collector
        self.solutions: list[Solution] = []  # the finished ones
        self._holes = {hole.name: hole.domain for hole in problem.holes}
        self._optional = frozenset(optional).union(self._holes)
        self._allowed = [spelling(domain) for domain in problem.domains]
        self._domain_of = dict(zip(problem.variable_names, problem.variable_domains.tolist(), strict=True))
        self._domain_of |= self._holes
        self._unknown: set[str] = set()
        self._has_known = False  # where no name is known, the first is enough
        self.begin()

    def begin(self) -> None:
        self._values: dict[str, Value] = {}
        self._places: dict[str, ByteSpan] = {}
        self.n_lost = 0  # things that could not be read, each of which may have been the value of a variable

    @cached_property
    def _free(self) -> set[str]:
        """The variables in no constraint: a star may be their value, as any value may."""
        is_free = np.ones(self.problem.n_variables, dtype=np.bool_)
        is_free[self.problem.scopes] = False
        return {self.problem.variable_names[i] for i in np.flatnonzero(is_free)}

    def knows(self, name: str) -> bool:
        """Whether the problem has a variable of this name."""
        return name in self._domain_of

    def allows(self, name: str, word: str) -> bool:
        """Whether the word is a value of the variable."""
        return name in self._domain_of and word in self._allowed[self._domain_of[name]]

    def add(self, name: str, name_place: ByteSpan, word: str, word_place: ByteSpan) -> None:
        if name not in self._domain_of:
            self.n_lost += 1
            if name not in self._unknown and (self._has_known or not self._unknown):
                self._unknown.add(name)
                hint = None if self.collector.is_full else near_word_hint(name, self._domain_of)
                message = f"the problem has no variable {brief(name)}"
                self.collector.add("F204", *name_place, message, hint=hint)
        elif name in self._places:
            message = f"variable {name} has a value twice in one solution"
            first = (*self._places[name], "the first is here")
            self.collector.add("F702", *name_place, message, related=[first], hint="keep one of the two")
        else:
            self._has_known = True
            self._places[name] = name_place[0], word_place[1]
            allowed = self._allowed[self._domain_of[name]]
            if word == ANY and word not in allowed and (name in self._holes or name in self._free):
                word = next(iter(allowed))
            if word in allowed and name not in self._holes:
                self._values[name] = allowed[word]
            elif word not in allowed:
                domain = self.problem.domain_names[self._domain_of[name]]
                message = f"value {brief(word)} is not in domain {domain} of variable {name}"
                label, hint = f"{name} takes {listed(allowed, _MAX_LISTED)}", spelling_hint(word, allowed)
                self.collector.add("F304", *word_place, message, label=label, hint=hint)

    def finish(self, start: int, end: int) -> None:
        """End the solution; missing values are reported at this place."""
        self.solutions.append(self._values)
        n_missing = len(self._domain_of) - len(self._places) - len(self._optional.difference(self._places))
        if n_missing > self.n_lost:
            self._report_missing(n_missing, start, end)

    def _report_missing(self, n_missing: int, start: int, end: int) -> None:
        n_variables = len(self._domain_of) - len(self._optional)
        known = self._optional.union(self._places)
        missing = (name for name in self.problem.variable_names if name not in known)
        message = f"solution {len(self.solutions)} gives no value to {n_missing} of {n_variables} variables: "
        message += listed(missing, _MAX_LISTED, ", ")
        is_empty = n_missing == n_variables
        hint = "write its values, or remove the solution" if is_empty else "give each variable a value"
        self.collector.add("F703", start, end, message, hint=hint)


def spelling(domain: Domain) -> dict[str, Value]:
    """The values of a domain by their words."""
    return dict(zip(domain.words, domain.values, strict=True))


def values_by_word(problem: Problem) -> list[dict[int, Value]]:
    """For each domain of a problem its values by the indices of their words."""
    domains = zip(problem.domain_values, problem.domains, strict=True)
    return [dict(zip(words.tolist(), domain.values, strict=True)) for words, domain in domains]


def own_values(values: Mapping[str, _Entry]) -> dict[str, _Entry]:
    """The entries of a dictionary by variables, without those of auxiliary variables.

    Example:
        >>> own_values({"x": 1, "~sum1-1": 3})
        {'x': 1}
    """
    return {name: value for name, value in values.items() if not is_auxiliary(name)}


def load_solutions(file: FileName | IO[Any], problem: Problem, *, optional: Collection[str] = ()) -> list[Solution]:
    """Read the solutions in a file.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.
        problem: the problem.
        optional: the variables that a solution may leave out, such as the auxiliary ones of a puzzle.

    Returns:
        A dictionary from variable to value for each solution; integers as numbers, symbols as words. The
        constraints are not checked: see :func:`f2csp.check`.

    Raises:
        InvalidInput: the text has faults.
        OSError: the file cannot be read.

    Example:
        >>> import io
        >>> from f2csp import generate
        >>> load_solutions(io.StringIO("Q1 = 1"), generate("queens", size=1))
        [{'Q1': 1}]
    """
    return solutions_in(read_source(file), problem, optional)


def loads_solutions(text: str | bytes, problem: Problem, *, optional: Collection[str] = ()) -> list[Solution]:
    """Read the solutions in a text; as :func:`load_solutions`.

    Example:
        >>> from f2csp import generate
        >>> loads_solutions('{"Q1": 2, "Q2": 4, "Q3": 1, "Q4": 3}', generate("queens", size=4))
        [{'Q1': 2, 'Q2': 4, 'Q3': 1, 'Q4': 3}]
    """
    return solutions_in(text_source(text), problem, optional)


def dump_solutions(
    solutions: Iterable[Mapping[str, Value]] | Mapping[str, Value],
    problem: Problem,
    file: FileName | IO[Any],
    *,
    form: Form = "text",
) -> None:
    """Write solutions, or a single one.

    Args:
        solutions: a value for each variable, as a word or as an integer; auxiliary variables may be left out.
        problem: the problem; its variables are written in its order.
        file: a path (written whole or not at all), ``-`` for standard output, or a file open for writing.
        form: ``text``, or ``json``: an object for a single solution, a list otherwise.

    Raises:
        ProblemError: there is no solution, or one that does not fit the problem.
        OSError: the file cannot be written.

    Example:
        >>> import sys
        >>> from f2csp.model import ProblemBuilder
        >>> b = ProblemBuilder("One cell")
        >>> b.domain("D1", [1, 2])
        >>> b.variable("x", "D1")
        >>> dump_solutions([{"x": 1}, {"x": 2}], b.build(), sys.stdout)
        x = 1
        ---
        x = 2
    """
    write_chunks([dumps_solutions(solutions, problem, form=form).encode()], file)


def dumps_solutions(
    solutions: Iterable[Mapping[str, Value]] | Mapping[str, Value], problem: Problem, *, form: Form = "text"
) -> str:
    r"""The text of solutions; as :func:`dump_solutions`.

    Example:
        >>> from f2csp import generate
        >>> dumps_solutions({"Q1": 1}, generate("queens", size=1))
        'Q1 = 1\n'
    """
    expect_problem(problem)
    allowed = [spelling(domain) for domain in problem.domains]
    domain_of = dict(zip(problem.variable_names, problem.variable_domains.tolist(), strict=True))
    texts = []
    for solution in [solutions] if isinstance(solutions, Mapping) else solutions:
        for name, value in solution.items():
            if name not in domain_of:
                raise ProblemError(f"the problem has no variable {name}")
            if str(value) not in allowed[domain_of[name]]:
                raise ProblemError(f"{value} is not in the domain {problem.domain_names[domain_of[name]]} of {name}")
        values = {name: allowed[d][str(solution[name])] for name, d in domain_of.items() if name in solution}
        lines = "".join([f"{name} = {value}\n" for name, value in values.items()])
        texts.append(json.dumps(values, ensure_ascii=False) if form == "json" else lines)
    if not texts or (form == "text" and texts == [""] and problem.n_variables):
        raise ProblemError("there is no solution to write")
    if form == "json":
        return f"{texts[0]}\n" if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]\n"
    text = "---\n".join(texts)
    return f"\ufeff{text}" if text.startswith("\ufeff") else text  # a reader takes the first one for a mark


def solutions_in(source: Source, problem: Problem, optional: Collection[str]) -> list[Solution]:
    """Read the solutions in a text; as :func:`load_solutions`."""
    expect_problem(problem)
    assignments = _read(source, Assignments(problem, Collector(source), optional), optional)
    assignments.collector.raise_if_errors()
    return assignments.solutions


def _read(source: Source, assignments: Assignments, optional: Collection[str]) -> Assignments:
    """Read lines of names and values, boards, or JSON, whatever the text has; any other text is one fault."""
    check_encoding(source, assignments.collector)
    lines = [match[0] for match in _FILLED_LINE.finditer(source.data, source.start)]
    is_json = _JSON.match(source.data, source.start) is not None
    is_object = is_json and b"{" in source.data
    pairs = (pair for line in lines if (pair := _pair(line, assignments)))
    has_names = any(assignments.knows(pair[1].decode("utf-8", "replace")) for pair in pairs)
    if not has_names and not is_object and _read_boards(source, assignments):
        return assignments
    if is_json and not has_names:
        assignments.collector.raise_if_errors()
        collector = JsonCollector(source)
        assignments = Assignments(assignments.problem, collector, optional)
        _read_json(parse_json(source, "F701", "F701"), assignments, collector)
        return assignments
    is_text = has_names or b"---" in lines or any(_pair(line, assignments) for line in lines)
    if is_text or not assignments.problem.n_variables:
        _read_text(source, assignments)
    elif first := _FILLED_LINE.search(source.data, source.start):
        found = brief(first[0].decode("utf-8", "replace"))
        message = f"expected lines NAME = VALUE, JSON, or the board of a puzzle, found {found}"
        hint = "f2csp solve FILE -o SOLUTION writes a solution of FILE"
        assignments.collector.add("F701", *first.span(), message, hint=hint)
    else:
        _report_empty(assignments, (source.start, source.start))
    return assignments


def _pair(line: bytes, assignments: Assignments) -> re.Match[bytes] | None:
    """The name and the value on a line; without = between them, the name must be that of a variable."""
    match = _ASSIGNMENT.fullmatch(line)
    return match if match and (b"=" in match[2] or assignments.knows(match[1].decode("utf-8", "replace"))) else None


def _read_text(source: Source, assignments: Assignments) -> None:
    collector, place = assignments.collector, source.start
    for match in _FILLED_LINE.finditer(source.data, source.start):
        start, end = match.span()
        if collector.is_suppressed(start):
            assignments.n_lost += 1
        elif pair := _pair(match[0], assignments):
            name, word = pair[1].decode("utf-8", "replace"), pair[3].decode("utf-8", "replace")
            assignments.add(name, (start + pair.start(1), start + pair.end(1)), word, (start + pair.start(3), end))
        elif match[0] == b"s SATISFIABLE":  # of f2csp solve --competition
            continue
        else:
            is_separator = not match[0].strip(b"-")
            if match[0] != b"---":
                found = brief(match[0].decode("utf-8", "replace"))
                message = f"expected {'---' if is_separator else 'NAME = VALUE'}, found {found}"
                hint = "separate solutions by a line ---" if is_separator else "write one variable and its value"
                collector.add("F701", start, end, message, hint=hint)
            if is_separator:
                assignments.finish(place, place)
                assignments.begin()
            else:
                assignments.n_lost += 1
        place = end
    assignments.finish(place, place)


def _read_boards(source: Source, assignments: Assignments) -> bool:
    """Read the values of cells, the variables V1-1 ... of a puzzle; return whether there are boards."""
    cells = [match for name in assignments.problem.variable_names if (match := _CELL_NAME.fullmatch(name))]
    n_rows, n_columns = (max((int(cell[axis]) for cell in cells), default=0) for axis in (1, 2))
    if not cells or len(cells) != n_rows * n_columns:
        return False
    boards = boards_of_size(source.data, source.start, n_rows, n_columns)
    for board in boards:
        assignments.begin()
        blank = None
        for cell in board:
            name, place = f"V{cell.row}-{cell.column}", (cell.start, cell.end)
            value = str(_DIGITS.index(cell.word)) if len(cell.word) == 1 and cell.word.isalpha() else cell.word
            if value not in _BLANKS or assignments.allows(name, value):
                assignments.add(name, place, value, place)
            else:
                blank = blank or place
        assignments.finish(*(blank or (board[-1].end, board[-1].end)))
    return bool(boards)


def _read_json(document: Any, assignments: Assignments, collector: JsonCollector) -> None:
    result = dict(document).get("solutions") if isinstance(document, tuple) else document
    if isinstance(result, list):  # of solutions, perhaps in what f2csp solve --json prints
        path: JsonPath = () if result is document else ("solutions",)
        solutions: list[tuple[JsonPath, Any]] = [((*path, i), value) for i, value in enumerate(result)]
    else:
        solutions = [((), document)]
    for path, solution in solutions:
        place = collector.place(*path)
        if not isinstance(solution, tuple):
            message = f"expected a solution, found {JSON_KINDS[type(solution)]}"
            hint = "write one object of names and values, or a list of such objects"
            collector.add("F701", *place, message, hint=hint)
            assignments.solutions.append({})  # so that the solutions after it have their right numbers
            continue
        assignments.begin()
        for name, value in solution:
            if type(value) in (int, str):
                assignments.add(name, place, str(value), place)
            else:
                assignments.n_lost += 1
                message = f"expected a value of {brief(name)}, found {JSON_KINDS[type(value)]}"
                collector.add("F701", *place, message, hint="write an integer, or a word in quotes")
        assignments.finish(*collector.place())
    if not solutions:
        _report_empty(assignments, collector.place())


def _report_empty(assignments: Assignments, span: ByteSpan) -> None:
    hint = "write NAME = VALUE on each line, for each variable of the problem"
    assignments.collector.add("F701", *span, "the file has no solution", hint=hint)

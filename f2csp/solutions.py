"""Solution files, read and written.

    V1 = 1
    V2 = 2
    ---
    V1 = 2
    V2 = 1

The same as JSON: ``[{"V1": 1, "V2": 2}, {"V1": 2, "V2": 1}]``; a single solution is an object without a list.
"""

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import IO, Any, Literal

from f2csp.diagnostics import (
    Collector,
    InvalidInput,
    ProblemError,
    Source,
    listed,
    near_word_hint,
    shown,
    spelling_hint,
)
from f2csp.files import FileName, read_source, writing
from f2csp.model import Domain, Problem, Value
from f2csp.text.source_lines import lines_of
from f2csp.utf8 import check_encoding

Form = Literal["text", "json"]
Solution = dict[str, Value]

_ASSIGNMENT = re.compile(rb"([^\x00-\x20\x7f:,(){}=]++)[ \t]*+=[ \t]*+([^\x00-\x20\x7f:,(){}=]++)")
_SEPARATOR = b"---"

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]|[^\s\[\]{},:"]++', re.ASCII)
_INTEGER = re.compile(r"-?[0-9]+")
_KINDS = {"true": "a boolean", "false": "a boolean", "null": "null", "{": "an object", "[": "a list"}
_JSON_HINT = "write one object of names and values, or a list of such objects"

_MAX_LISTED = 5  # names or values in a message

_Token = re.Match[str]
_Place = tuple[int, int]  # byte offsets


class Assignments:
    """Takes names and values with their places, tells faults to a collector, and gives dictionaries.

    Attributes:
        problem: what the solutions solve.
        collector: what is told the faults.
        solutions: those that are finished.
    """

    def __init__(self, problem: Problem, collector: Collector, optional: Collection[str]) -> None:
        """Begin without any solution; a variable without value is a fault, but for the ``optional`` ones."""
        self.problem = problem
        self.collector = collector
        self.solutions: list[dict[str, Value]] = []
        self._optional = frozenset(optional)
        self._allowed = [spelling(domain) for domain in problem.domains]
        self._domain_of = dict(zip(problem.variable_names, problem.variable_domains.tolist(), strict=True))
        self._unknown: set[str] = set()
        self.begin()

    def begin(self) -> None:
        """Begin a solution."""
        self._values: dict[str, Value] = {}
        self._places: dict[str, _Place] = {}
        self._n_lost = 0

    def add(self, name: str, name_place: _Place, word: str, word_place: _Place) -> None:
        """Take one name and its value."""
        if name not in self._domain_of:
            self.lose()
            self._tell_unknown(name, name_place)
        elif name in self._places:
            message = f"variable {name} has a value twice in one solution"
            first = (*self._places[name], "the first is here")
            self.collector.add("F702", *name_place, message, related=[first], hint="keep one of the two")
        else:
            self._places[name] = name_place[0], word_place[1]
            domain = self._domain_of[name]
            if word in self._allowed[domain]:
                self._values[name] = self._allowed[domain][word]
            else:
                self._tell_foreign(name, domain, word, word_place)

    def lose(self) -> None:
        """Note that something could not be read that may have been the value of a variable."""
        self._n_lost += 1

    def finish(self, start: int, end: int) -> None:
        """End the solution, which ends at this place."""
        self.solutions.append(self._values)
        n_missing = self.problem.n_variables - len(self._places) - len(self._optional.difference(self._places))
        if n_missing > self._n_lost:
            self._tell_missing(n_missing, start, end)

    def _tell_unknown(self, name: str, place: _Place) -> None:
        if name not in self._unknown:
            self._unknown.add(name)
            hint = None if self.collector.is_full else near_word_hint(name, self._domain_of)
            self.collector.add("F204", *place, f"the problem has no variable {shown(name)}", hint=hint)

    def _tell_foreign(self, name: str, domain: int, word: str, place: _Place) -> None:
        domain_name = self.problem.domain_names[domain]
        message = f"value {shown(word)} is not in domain {domain_name} of variable {name}"
        label = f"{name} takes {listed(self._allowed[domain], _MAX_LISTED)}"
        hint = spelling_hint(word, self._allowed[domain])
        self.collector.add("F304", *place, message, label=label, hint=hint)

    def _tell_missing(self, n_missing: int, start: int, end: int) -> None:
        n_variables = self.problem.n_variables - len(self._optional)
        known = self._optional.union(self._places)
        missing = (name for name in self.problem.variable_names if name not in known)
        count = f"{n_missing} of {n_variables} variables"
        message = f"solution {len(self.solutions)} gives no value to {count}: {listed(missing, _MAX_LISTED, ', ')}"
        hint = "give each variable a value"
        if n_missing == n_variables:
            hint = "write its values, or remove it if no solution is meant"
        self.collector.add("F703", start, end, message, hint=hint)


def spelling(domain: Domain) -> dict[str, Value]:
    """The values of a domain by their words."""
    return dict(zip(domain.words, domain.values, strict=True))


def load_solutions(file: FileName | IO[Any], problem: Problem, *, optional: Collection[str] = ()) -> list[Solution]:
    """Read the solutions in a file.

    Args:
        file: a path (of a compressed file too), ``-`` for standard input, or a file open for reading.
        problem: what they solve.
        optional: the variables that a solution may leave out; a puzzle's, those that are no cells.

    Returns:
        A dictionary from variable to value for each solution; integers as numbers, symbols as words. Whether the
        constraints hold is not looked at: that is :func:`f2csp.check`.

    Raises:
        InvalidInput: the text has faults.
        OSError: the file cannot be read.
    """
    return _solutions(read_source(file), problem, optional)


def loads_solutions(text: str | bytes, problem: Problem, *, optional: Collection[str] = ()) -> list[Solution]:
    """Read the solutions in a text; as :func:`load_solutions`."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    return _solutions(Source("<text>", data), problem, optional)


def dump_solutions(
    solutions: Iterable[Mapping[str, Value]], problem: Problem, file: FileName | IO[Any], *, form: Form = "text"
) -> None:
    """Write solutions.

    Args:
        solutions: a value for each variable, as a word or as an integer; auxiliary variables may be left out.
        problem: what they solve; its variables come in its order.
        file: a path (written whole or not at all), ``-`` for standard output, or a file open for writing.
        form: ``text``, or ``json``: an object for a single solution, a list otherwise.

    Raises:
        ProblemError: there is no solution, or one that does not fit the problem.
        OSError: the file cannot be written.
    """
    text = dumps_solutions(solutions, problem, form=form)
    if isinstance(file, (str, os.PathLike)):
        with writing(file) as stream:
            stream.write(text.encode())
    else:
        file.write(text if hasattr(file, "encoding") else text.encode())


def dumps_solutions(solutions: Iterable[Mapping[str, Value]], problem: Problem, *, form: Form = "text") -> str:
    """The text of solutions; as :func:`dump_solutions`."""
    texts = list(map(_writer(problem, form), solutions))
    if not texts or (form == "text" and texts == [""] and problem.n_variables):
        raise ProblemError("there is no solution to write")
    if form == "json":
        return f"{texts[0]}\n" if len(texts) == 1 else "[\n" + ",\n".join(texts) + "\n]\n"
    text = "---\n".join(texts)
    return f"\ufeff{text}" if text.startswith("\ufeff") else text  # a reader takes the first one for a mark


def _writer(problem: Problem, form: Form) -> Callable[[Mapping[str, Value]], str]:
    allowed = [spelling(domain) for domain in problem.domains]
    domain_of = dict(zip(problem.variable_names, problem.variable_domains.tolist(), strict=True))

    def written(solution: Mapping[str, Value]) -> str:
        for name, value in solution.items():
            if name not in domain_of:
                raise ProblemError(f"the problem has no variable {name}")
            if str(value) not in allowed[domain_of[name]]:
                raise ProblemError(f"{value} is not in the domain {problem.domain_names[domain_of[name]]} of {name}")
        values = {name: allowed[d][str(solution[name])] for name, d in domain_of.items() if name in solution}
        if form == "json":
            return json.dumps(values, ensure_ascii=False)
        return "".join([f"{name} = {value}\n" for name, value in values.items()])

    return written


def _solutions(source: Source, problem: Problem, optional: Collection[str]) -> list[Solution]:
    collector = Collector(source)
    check_encoding(source, collector)
    assignments = Assignments(problem, collector, optional)
    if not _is_json(source.data, source.start):
        _read_text(source, assignments)
    elif not collector.n_errors:
        _read_json(source, assignments)
    if collector.n_errors:
        raise InvalidInput(collector.diagnostics(), collector.n_hidden)
    return assignments.solutions


def _is_json(data: bytes, start: int) -> bool:
    """Whether the text begins like JSON; a name may begin with a bracket too, but is followed by an equals sign."""
    while data[start : start + 1] in (b" ", b"\t", b"\r", b"\n"):
        start += 1
    return data.startswith((b"{", b"["), start) and not _ASSIGNMENT.match(data, start)


# ---- NAME = VALUE ----------------------------------------------------------------------------------------------------


def _read_text(source: Source, assignments: Assignments) -> None:
    collector = assignments.collector
    place, is_empty = source.start, True
    assignments.begin()
    for start, end in lines_of(source.data, source.start, len(source.data)):
        is_empty = False
        line = source.data[start:end]
        if collector.is_spoiled(start):
            assignments.lose()
        elif match := _ASSIGNMENT.fullmatch(line):
            name, word = match[1].decode("utf-8", "replace"), match[2].decode("utf-8", "replace")
            assignments.add(name, (start, start + match.end(1)), word, (start + match.start(2), end))
        elif line.strip(b"-"):
            assignments.lose()
            hint = "write one variable, one equals sign and one value on each line"
            _tell_malformed(collector, line, start, hint)
        else:
            if line != _SEPARATOR:
                _tell_malformed(collector, line, start, "solutions are separated by a line ---")
            assignments.finish(place, place)
            assignments.begin()
        place = end
    if is_empty and assignments.problem.n_variables:
        _tell_nothing(assignments, place, place)
    else:
        assignments.finish(place, place)


def _tell_malformed(collector: Collector, line: bytes, start: int, hint: str) -> None:
    message = f"the line {shown(line.decode('utf-8', 'replace'))} is not of the form NAME = VALUE"
    collector.add("F701", start, start + len(line), message, hint=hint)


def _tell_nothing(assignments: Assignments, start: int, end: int) -> None:
    hint = "write NAME = VALUE on each line, for each variable of the problem"
    assignments.collector.add("F701", start, end, "there is no solution in it", hint=hint)


# ---- JSON ------------------------------------------------------------------------------------------------------------


def _read_json(source: Source, assignments: Assignments) -> None:
    """Python's reader says whether it is JSON at all; the places of names and values are found by going through it."""
    # Each byte as one character, so that an index is a byte offset; all signs of JSON are ASCII.
    text = " " * source.start + source.data[source.start :].decode("latin-1")
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        end = _after_character(source.data, error.pos)
        message = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
        assignments.collector.add("F701", error.pos, end, message)
    except RecursionError:
        deep = _third_level(text)
        if deep is None:  # it is the caller who has no stack left
            raise
        assignments.collector.add("F701", *deep.span(), "the values are nested too deeply", hint=_JSON_HINT)
    else:
        _read_document(_TOKEN.finditer(text), assignments)


def _after_character(data: bytes, start: int) -> int:
    end = min(start + 1, len(data))
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return end


def _third_level(text: str) -> _Token | None:
    """The first bracket that cannot belong to a list of objects of values."""
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth > 2:
            return token
    return None


def _read_document(tokens: Iterator[_Token], assignments: Assignments) -> None:
    first = next(tokens)
    if first[0] == "{":
        _read_object(tokens, assignments)
        return
    is_empty = True
    for token in tokens:
        if token[0] in ",]":
            continue
        is_empty = False
        if token[0] == "{":
            _read_object(tokens, assignments)
        else:
            message = f"the list holds {_kind(token[0])} where a solution is due"
            assignments.collector.add("F701", *token.span(), message, hint=_JSON_HINT)
            assignments.solutions.append({})  # so that the solutions after it have their right numbers
            _skip(token, tokens)
    if is_empty:
        _tell_nothing(assignments, *first.span())


def _read_object(tokens: Iterator[_Token], assignments: Assignments) -> None:
    assignments.begin()
    for key in tokens:
        if key[0] == "}":
            assignments.finish(*key.span())
            return
        if key[0] == ",":
            continue
        next(tokens)  # the colon
        value = next(tokens)
        if value[0].startswith('"'):
            assignments.add(_text(key[0]), key.span(), _text(value[0]), value.span())
        elif _INTEGER.fullmatch(value[0]):
            assignments.add(_text(key[0]), key.span(), value[0], value.span())
        else:
            assignments.lose()
            message = f"the value of {shown(_text(key[0]))} is {_kind(value[0])}"
            assignments.collector.add("F701", *value.span(), message, hint="write an integer, or a word in quotes")
            _skip(value, tokens)


def _skip(token: _Token, tokens: Iterator[_Token]) -> None:
    """Go behind the value that begins here."""
    depth = int(token[0] in "[{")
    while depth:
        sign = next(tokens)[0]
        depth += (sign in "[{") - (sign in "]}")


def _text(token: str) -> str:
    text = token.encode("latin-1").decode()
    return str(json.loads(text)) if "\\" in text else text[1:-1]


def _kind(token: str) -> str:
    if token.startswith('"'):
        return "a string"
    if _INTEGER.fullmatch(token):
        return "a number"
    return _KINDS.get(token, "a number that is no integer")

"""A problem as JSON, by the schema ``grammars/f2csp.schema.json``.

    {"format": "F2CSP", "version": 1, "title": "Two countries",
     "domains": [{"name": "colour", "values": ["red", "green"]}],
     "variables": [{"name": "France", "domain": "colour"}, {"name": "Spain", "domain": "colour"}],
     "relations": [{"kind": "Reject", "arity": 2, "tuples": [["red", "red"], ["green", "green"]]}],
     "constraints": [{"scope": ["France", "Spain"], "relation": 0}]}

Each table is written once, and constraints name it by its number from 0; a constraint has a label where that is not the
default one. A value is a number where it is an integer, and a string otherwise; words are compared, so 2 and "2" are
the same value.
"""

import json
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain, islice
from math import inf
from typing import Any

import numpy as np

from f2csp.diagnostics import ByteSpan, ProblemError, Source, brief
from f2csp.files import checked
from f2csp.formats.foreign import ExportOptions
from f2csp.json_text import JSON_KINDS, JsonCollector, JsonPath, parse_json
from f2csp.model import Kind, Problem
from f2csp.model.builder import checked_title
from f2csp.model.words import is_integer
from f2csp.text.chunked_text import Pieces, line_chunks, pieces, row_chunks
from f2csp.text.columns import UNKNOWN, Columns, ColumnsBuilder, DeclaredCount, SourcePlaces
from f2csp.text.rule_book import checked_problem

_BETWEEN_ROWS = "],\n["
_MAX_ARITY = 1_000_000

_Record = dict[str, Any]


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    yield f'{{"format": "F2CSP", "version": 1, "title": {_quoted(problem.title)},\n"domains": ['.encode()
    yield from _records(_domains(problem))
    yield b'],\n"variables": ['
    domains = [f', "domain": {_quoted(name)}}}' for name in problem.domain_names]
    names = zip(problem.variable_names, problem.variable_domains.tolist(), strict=True)
    yield from _records(f'{{"name": {_quoted(name)}{domains[d]}' for name, d in names)
    yield b'],\n"relations": ['
    values = _values(problem)
    for i, relation in enumerate(problem.relations):
        yield b",\n" if i else b"\n"
        yield f'{{"kind": "{relation.kind}", "arity": {relation.arity}, "tuples": ['.encode()
        if relation.n_tuples:
            yield b"\n["
            yield from row_chunks(relation.tuples, *values, len(_BETWEEN_ROWS) - 1)
        yield b"]}"
    yield b'],\n"constraints": ['
    yield from _records(_constraints(problem))
    yield b"]}\n"


def read(source: Source) -> Problem:
    """Read a problem, or raise ``InvalidInput``; linear in the text, in time and memory."""
    checked(source)
    return _Reader(source).problem()


# ---- Writing ---------------------------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _values(problem: Problem) -> tuple[Pieces, Pieces]:
    """Each value as written within a tuple, and at its end; a number unless a domain of symbols has it too."""
    is_number = np.array([is_integer(word) for word in problem.words], dtype=np.bool_)
    for ids in problem.domain_values:
        if not is_number[ids].all():
            is_number[ids] = False
    words = [w if n else _quoted(w) for w, n in zip(problem.words, is_number.tolist(), strict=True)]
    return pieces(words, "{}, "), pieces(words, f"{{}}{_BETWEEN_ROWS}")


def _domains(problem: Problem) -> Iterator[str]:
    for domain in problem.domains:
        words = domain.words if domain.is_integer else map(_quoted, domain.words)
        yield f'{{"name": {_quoted(domain.name)}, "values": [{", ".join(words)}]}}'


def _records(records: Iterator[str]) -> Iterator[bytes]:
    """The records one on a line."""
    return line_chunks(f"{',' if i else ''}\n{record}" for i, record in enumerate(records))


def _constraints(problem: Problem) -> Iterator[str]:
    names = [_quoted(name) for name in problem.variable_names]
    for i, relation in enumerate(problem.constraint_relations.tolist()):
        scope = ", ".join([names[variable] for variable in problem.scope(i).tolist()])
        is_default = problem.labels is None or problem.labels[i] == f"C{i + 1}"
        label = "" if is_default else f'"label": {_quoted(problem.label(i))}, '
        yield f'{{{label}"scope": [{scope}], "relation": {relation}}}'


# ---- Reading ---------------------------------------------------------------------------------------------------------

_VALUE, _NAME, _LIST, _ANY = (int, str), (str,), (list,), ()
_FORMS: dict[str, dict[str, Any]] = {  # of the members of each record: types, none for any, or a list of such
    "domains": {"name": _NAME, "values": [_VALUE]},
    "variables": {"name": _NAME, "domain": _NAME},
    "relations": {"kind": _ANY, "arity": _ANY, "tuples": [[_VALUE]]},
    "constraints": {"scope": [_NAME], "relation": _ANY, "label": _NAME},
}
_DOCUMENT = {"format": _ANY, "version": _ANY, "title": _NAME, **dict.fromkeys(_FORMS, _LIST)}
_OPTIONAL = ("title", "label")


class _Reader:
    """Fills columns with the values of a document, in the order of the schema; reports what the schema refuses."""

    def __init__(self, source: Source) -> None:
        self._document = parse_json(source, "F501", "F507")
        self._collector = JsonCollector(source)
        self._places = _JsonPlaces(source, self._document, self._collector)
        self._builder = ColumnsBuilder(source)
        self._domains: dict[str, int] = {}
        self._variables: dict[str, int] = {}
        self._words: dict[int | str, int] = {}  # of a value: by the number and by the string that it may be
        self._tables: dict[int, int] = {}  # of each readable relation: its index in the columns
        self._n_relations: float = inf  # unless the list of them is readable

    def problem(self) -> Problem:
        document = self._record(self._document, _DOCUMENT, ())
        columns = self._builder.columns() if document is None else self._columns(document)
        return checked_problem(columns, self._places, self._collector)

    def _columns(self, document: _Record) -> Columns:
        self._read_header(document)
        has_all_domains = self._read_section(document, "domains", self._read_domain)
        self._words.update({int(word): i for word, i in self._builder.words.items() if is_integer(word)})
        self._words.update(self._builder.words)
        has_all_variables = self._read_section(document, "variables", self._read_variable)
        self._n_relations = len(document["relations"]) if "relations" in document else inf
        self._read_section(document, "relations", self._read_relation)
        self._read_section(document, "constraints", self._read_constraint)
        columns = self._builder.columns(knows_domains=has_all_domains, knows_variables=has_all_variables)
        arities = self._places.arities
        columns.declared_arities.extend(arities.get(relation, UNKNOWN) for relation in self._places.relations)
        return columns

    def _read_header(self, document: _Record) -> None:
        if document["format"] != "F2CSP":
            self._report("F501", ("format",), 'expected "F2CSP"')
        elif document["version"] != 1 or type(document["version"]) is not int:
            self._report("F502", ("version",), "expected version 1")
        try:
            self._builder.title = checked_title(document.get("title", ""))
        except ProblemError as error:
            self._report("F509", ("title",), str(error))

    def _read_section(self, document: _Record, section: str, read: Callable[[_Record, JsonPath], bool]) -> bool:
        """Read the records of a section that are well-formed; gives whether all are."""
        readable, forms = self._places.records[section], _FORMS[section]
        for i, value in enumerate(document.get(section, ())):
            record = self._record(value, forms, (section, i))
            if record and forms.keys() - record.keys() <= {*_OPTIONAL} and read(record, (section, i)):
                readable.append(i)
        return section in document and len(readable) == len(document[section])

    def _read_domain(self, record: _Record, path: JsonPath) -> bool:
        words = list(map(str, record["values"]))
        beyond = [i for i, value in enumerate(record["values"]) if type(value) is int and not is_integer(words[i])]
        for i in beyond:
            self._report("F509", (*path, "values", i), "the number is beyond 64 bits", hint="write it as a string")
        domain = self._builder.domain(record["name"], words, is_complete=not beyond)
        self._domains.setdefault(record["name"], domain)
        return True

    def _read_variable(self, record: _Record, _: JsonPath) -> bool:
        variable = self._builder.variable(record["name"], self._domains.get(record["domain"], UNKNOWN))
        self._variables.setdefault(record["name"], variable)
        return True

    def _read_relation(self, record: _Record, path: JsonPath) -> bool:
        kind, arity, tuples = record["kind"], record["arity"], record["tuples"]
        is_kind, is_arity = kind in ("Reject", "Accept"), type(arity) is int and 1 <= arity <= _MAX_ARITY
        if not is_kind:
            self._report("F501", (*path, "kind"), 'expected "Reject" or "Accept"')
        if not is_arity:
            self._report("F501", (*path, "arity"), f"expected a number from 1 to {_MAX_ARITY:,}")
        if is_kind and is_arity:
            self._tables[int(path[1])], self._places.arities[int(path[1])] = self._table(kind, tuples, arity), arity
        return is_kind and is_arity

    def _table(self, kind: Kind, tuples: list[list[Any]], arity: int) -> int:
        indices = [self._words.get(value, UNKNOWN) for value in chain.from_iterable(tuples)]
        sizes = set(map(len, tuples)) or {arity}
        if len(sizes) > 1:
            rows = iter(indices)
            return self._builder.ragged_table(kind, [list(islice(rows, len(row))) for row in tuples])
        return self._builder.table(kind, np.array(indices, dtype=np.int32).reshape(len(tuples), sizes.pop()))

    def _read_constraint(self, record: _Record, path: JsonPath) -> bool:
        relation = record["relation"]
        if type(relation) is not int or not 0 <= relation < self._n_relations:
            self._report("F501", (*path, "relation"), f"expected the number of a relation, below {self._n_relations}")
            return False
        scope = [self._variables.get(name, UNKNOWN) for name in record["scope"]]
        self._builder.constraint(scope, self._tables.get(relation, UNKNOWN), record.get("label"))
        self._places.relations.append(relation)
        return True

    # ---- Forms -------------------------------------------------------------------------------------------------------

    def _record(self, value: Any, forms: dict[str, Any], path: JsonPath) -> _Record | None:
        """The members of an object that have their forms; None if it is none, or lacks a key."""
        if not self._fits(value, (tuple,), path):
            return None
        members: _Record = dict(value)
        if len(members) < len(value):
            keys = Counter(key for key, _ in value)
            for key in (key for key, n in keys.items() if n > 1):
                self._report("F501", path, f"the object has the key {brief(key)} twice", hint="keep one of the two")
        if missing := [key for key in forms if key not in members and key not in _OPTIONAL]:
            listed_keys = ", ".join(f'"{key}"' for key in missing)
            self._report("F501", path, f"the object has no {listed_keys}")
        for key in [key for key in members if key not in forms]:
            self._report("F501", path, f"unknown key {brief(key)}", hint=self._collector.near_word_hint(key, forms))
        found = {key: members[key] for key in forms if key in members}
        fitting = {key: one for key, one in found.items() if self._fits(one, forms[key], (*path, key))}
        return None if missing else fitting

    def _fits(self, value: Any, form: Any, path: JsonPath) -> bool:
        """Whether a value has a form; what has not is reported."""
        if isinstance(form, list):
            if not self._fits(value, _LIST, path):
                return False
            (inner,), flat = form, value
            if isinstance(inner, list) and set(map(type, value)) <= {list}:  # the values of a table at once
                (inner,), flat = inner, chain.from_iterable(value)
            if isinstance(inner, tuple) and set(map(type, flat)) <= {*inner}:
                return True
            return False not in [self._fits(one, form[0], (*path, i)) for i, one in enumerate(value)]
        if type(value) in form or form is _ANY:
            return True
        expected, hint = JSON_KINDS[form[0]], None
        if form is _VALUE:
            expected, hint = "a value", "write an integer, or a word in quotes"
        self._report("F501", path, f"expected {expected}, found {JSON_KINDS[type(value)]}", hint=hint)
        return False

    def _report(self, code: str, path: JsonPath, message: str, *, hint: str | None = None) -> None:
        if self._collector.is_full:
            self._collector.count_hidden(1)
        else:
            self._collector.add(code, *self._collector.place(*path), message, hint=hint)


class _JsonPlaces(SourcePlaces):
    """Paths in a problem as JSON, as numbers of the collector; each thing is found by the position of its record."""

    def __init__(self, source: Source, document: Any, collector: JsonCollector) -> None:
        super().__init__(source)
        self._document = document
        self._collector = collector
        self.records = {section: array("q") for section in _FORMS}  # the records that are in the columns
        self.relations = array("q")  # of each constraint in the columns
        self.arities: dict[int, int] = {}  # of each relation

    def text(self, span: ByteSpan) -> str:
        value = self._value(self._collector.path(span[0]))
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return text.encode("utf-8", "replace").decode()  # JSON can name half a character

    def domain(self, index: int) -> ByteSpan:
        return self._place("domains", index, "name")

    def values(self, index: int) -> Iterable[ByteSpan]:
        return self._parts(self._place("domains", index, "values"))

    def variable(self, index: int) -> ByteSpan:
        return self._place("variables", index, "name")

    def variable_domain(self, index: int) -> ByteSpan:
        return self._place("variables", index, "domain")

    def constraint(self, index: int) -> ByteSpan:
        return self._place("constraints", index)

    def scope(self, index: int) -> ByteSpan:
        return self._place("constraints", index, "scope")

    def names(self, index: int) -> Iterable[ByteSpan]:
        return self._parts(self.scope(index))

    def arity(self, index: int) -> DeclaredCount:
        """The arity of the relation if it is not that of its tuples; otherwise the scope is what is wrong."""
        relation = self.relations[index]
        tuples = self._value(("relations", relation, "tuples"))
        is_wrong = tuples and len(tuples[0]) != self.arities[relation]
        place = self._collector.place("relations", relation, "arity") if is_wrong else self.scope(index)
        return DeclaredCount(self.arities[relation], *place)

    def table(self, index: int) -> ByteSpan:
        return self._collector.place("relations", self.relations[index], "tuples")

    def rows(self, index: int, wanted: Collection[int]) -> dict[int, ByteSpan]:
        return {row: self._collector.place("relations", self.relations[index], "tuples", row) for row in wanted}

    def row_values(self, row: ByteSpan) -> Iterable[ByteSpan]:
        return self._parts(row)

    def _place(self, section: str, index: int, *keys: str) -> ByteSpan:
        return self._collector.place(section, self.records[section][index], *keys)

    def _parts(self, span: ByteSpan) -> Iterable[ByteSpan]:
        path = self._collector.path(span[0])
        return (self._collector.place(*path, i) for i in range(len(self._value(path))))

    def _value(self, path: JsonPath) -> Any:
        value = self._document
        for step in path:
            value = dict(value)[step] if isinstance(step, str) else value[step]
        return value

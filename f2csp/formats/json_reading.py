"""From the values of a JSON text to the problem that they say, or to all that is wrong with them."""

from collections.abc import Collection
from itertools import chain
from typing import Any

import numpy as np

from f2csp.diagnostics import ProblemError, listed, shown
from f2csp.formats.assembly import Assembly, repeated_rows
from f2csp.formats.json_checks import Checks, kind_of
from f2csp.formats.json_faults import Faults, Part
from f2csp.formats.json_places import Path
from f2csp.model import Ids, Problem
from f2csp.model.builder import checked_labels, checked_title
from f2csp.model.words import is_integer, is_value

_SECTIONS = ("domains", "variables", "relations", "constraints")
_LISTED = 5  # values of a domain that a message lists
_NO_VALUE = "a value is a word: no white space and none of : , ( ) { } =, and not of the form 1..9"
_VALUE = "write an integer, or a word in quotes"

_Record = dict[str, Any]


class Reading:
    """Goes through the values in the order of the schema."""

    def __init__(self, faults: Faults) -> None:
        """Begin; whatever is wrong goes to the faults."""
        self._faults = faults
        self._checks = Checks(faults)
        self._domains: dict[str, int] = {}
        self._variables: dict[str, int] = {}
        self._numbers: dict[int | str, int] = {}  # of a value, as the number and as the string that it may be
        self._tables: dict[int, tuple[int, Ids]] = {}  # the number in the assembly and the tuples of each without fault
        self._arities: dict[int, int] = {}
        self._known_to_fit: set[tuple[int, ...]] = set()
        self._told: set[Path] = set()
        self._lost: set[str] = set()  # the sections in which a declaration has a fault: what is missing may be in it

    def problem(self, document: Any) -> Problem | None:
        """The problem, or None if there is a fault."""
        if not self._checks.is_object(document, (), ("format", "version", *_SECTIONS), ("title",)):
            return None
        self._check_version(document)
        self._assembly = Assembly(self._title(document))
        for i, record in self._records(document, "domains", ("name", "values")):
            self._read_domain(record, ("domains", i))
        self._numbers.update({int(w): n for w, n in self._assembly.words.items() if is_integer(w)})
        self._numbers.update(self._assembly.words)
        for i, record in self._records(document, "variables", ("name", "domain")):
            self._read_variable(record, ("variables", i))
        self._n_tables = len(document["relations"]) if isinstance(document["relations"], list) else 0
        for i, record in self._records(document, "relations", ("kind", "arity", "tuples")):
            self._read_relation(record, i)
        labels = self._read_constraints(document)
        try:
            checked_labels(labels)
        except ProblemError:
            self._tell_repeated_labels(labels)
        return None if self._faults else self._assembly.build(labels)

    def _records(self, document: _Record, section: str, needed: Collection[str]) -> list[tuple[int, _Record]]:
        """The objects of a section that have the keys that they need."""
        if not self._checks.is_list(document[section], (section,)):
            self._lost.add(section)
            return []
        records = []
        for i, record in enumerate(document[section]):
            if self._checks.is_object(record, (section, i), needed):
                records.append((i, record))
            else:
                self._lost.add(section)
        return records

    def _check_version(self, document: _Record) -> None:
        if document["format"] != "F2CSP":
            self._faults.add("F501", ("format",), 'the format is not "F2CSP"')
        elif document["version"] != 1 or type(document["version"]) is not int:
            self._faults.add("F502", ("version",), "the version is not 1, the only one that is known")

    def _title(self, document: _Record) -> str:
        title = document.get("title", "")
        if not self._checks.is_string(title, ("title",)):
            return ""
        try:
            return checked_title(title)
        except ProblemError as error:
            self._faults.add("F509", ("title",), str(error))
            return ""

    # ---- Domains and variables ---------------------------------------------------------------------------------------

    def _read_domain(self, record: _Record, path: Path) -> None:
        name = record["name"]
        is_new = self._checks.is_new_name(name, (*path, "name"), "domain", self._domains)
        words = self._domain_words(record["values"], (*path, "values"))
        if not is_new or words is None:
            self._lost.add("domains")
        if is_new:
            self._domains[name] = self._assembly.domain(name, words or ())

    def _domain_words(self, values: Any, path: Path) -> list[str] | None:
        """The values; None if there is a fault."""
        if not self._checks.is_list(values, path):
            return None
        if not values:
            self._faults.add("F501", path, "the domain has no value", hint="give it at least one value")
            return None
        words: dict[str, None] = {}
        for i, value in enumerate(values):
            word = self._new_value(value, (*path, i))
            if word is not None and word in words:
                message = f"the value {shown(word)} stands twice in the domain"
                self._faults.add("F508", (*path, i), message, hint="keep one of the two")
            elif word is not None:
                words[word] = None
        return list(words) if len(words) == len(values) else None

    def _new_value(self, value: Any, path: Path) -> str | None:
        if type(value) is int and is_integer(str(value)):
            return str(value)
        if type(value) is int or value == float("inf"):
            hint = "write it as a string"
            self._faults.add("F509", path, "the number is beyond 64 bits", hint=hint)
        elif type(value) is not str:
            self._faults.add("F501", path, f"{kind_of(value)} stands where a value is due", hint=_VALUE)
        elif is_value(value):
            return value
        else:
            self._faults.add("F509", path, f"{shown(value)!r} cannot be a value", hint=_NO_VALUE)
        return None

    def _read_variable(self, record: _Record, path: Path) -> None:
        name, domain = record["name"], record["domain"]
        is_new = self._checks.is_new_name(name, (*path, "name"), "variable", self._variables)
        if not self._checks.is_string(domain, (*path, "domain")):
            return
        if domain not in self._domains and "domains" not in self._lost:
            hint = self._checks.near(domain, self._domains)
            self._faults.add("F503", (*path, "domain"), f"there is no domain {shown(domain)}", hint=hint)
        if not is_new:
            self._lost.add("variables")
        else:
            self._variables[name] = self._assembly.variable(name, self._domains.get(domain, -1))

    # ---- Tables ------------------------------------------------------------------------------------------------------

    def _read_relation(self, record: _Record, index: int) -> None:
        path: Path = ("relations", index)
        kind, arity, tuples = record["kind"], record["arity"], record["tuples"]
        is_kind = kind in ("Reject", "Accept")
        if not is_kind:
            self._faults.add("F501", (*path, "kind"), 'the kind is neither "Reject" nor "Accept"')
        if type(arity) is not int or arity < 1:
            self._faults.add("F501", (*path, "arity"), "the arity is not a number from 1")
            return
        self._arities[index] = arity
        rows = self._rows(tuples, arity, (*path, "tuples"))
        if rows is not None and is_kind:
            self._tables[index] = self._assembly.relation(kind, rows), rows

    def _rows(self, tuples: Any, arity: int, path: Path) -> Ids | None:
        """The tuples as numbers of values; None if one has a fault."""
        if not self._checks.is_list(tuples, path):
            return None
        if set(map(type, tuples)) - {list} or set(map(len, tuples)) - {arity}:
            self._tell_sizes(tuples, arity, path)
            return None
        values = list(chain.from_iterable(tuples))
        if set(map(type, values)) - {int, str}:  # what else there may be can be equal to a number
            self._tell_values(tuples, path)
            return None
        numbers = list(map(self._numbers.get, values))
        if None in numbers:
            self._tell_values(tuples, path)
            return None
        rows = np.array(numbers, dtype=np.int32).reshape(len(tuples), arity)
        repeats = repeated_rows(rows)
        for i in repeats:
            self._faults.add("F508", (*path, i), "the tuple stands twice in one table", hint="write each tuple once")
        return None if repeats else rows

    def _tell_sizes(self, tuples: list[Any], arity: int, path: Path) -> None:
        for i, row in enumerate(tuples):
            if self._checks.is_list(row, (*path, i)) and len(row) != arity:
                message = f"the tuple has {len(row)} values in a table of arity {arity}"
                self._faults.add("F504", (*path, i), message)

    def _tell_values(self, tuples: list[list[Any]], path: Path) -> None:
        for i, row in enumerate(tuples):
            for j, value in enumerate(row):
                if type(value) not in (int, str):
                    message = f"{kind_of(value)} stands where a value is due"
                    self._faults.add("F501", (*path, i, j), message, hint=_VALUE)
                elif value not in self._numbers and "domains" not in self._lost:
                    hint = self._checks.near(str(value), self._assembly.words)
                    self._faults.add("F505", (*path, i, j), f"{shown(str(value))} is in no domain", hint=hint)

    # ---- Constraints -------------------------------------------------------------------------------------------------

    def _read_constraints(self, document: _Record) -> list[str | None]:
        """Read the constraints, and give their labels."""
        labels: list[str | None] = []
        if not self._checks.is_list(document["constraints"], ("constraints",)):
            return labels
        for i, record in enumerate(document["constraints"]):
            path = ("constraints", i)
            labels.append(None)
            if self._checks.is_object(record, path, ("scope", "relation"), ("label",)):
                if "label" in record and self._checks.is_new_name(record["label"], (*path, "label"), "constraint", ()):
                    labels[-1] = record["label"]
                self._read_constraint(record, path)
        return labels

    def _read_constraint(self, record: _Record, path: Path) -> None:
        scope = self._scope(record["scope"], (*path, "scope"))
        relation = record["relation"]
        if type(relation) is not int or not 0 <= relation < self._n_tables:
            code = "F503" if type(relation) is int else "F501"
            message = f"the relation is none of the {self._n_tables}, which count from 0"
            self._faults.add(code, (*path, "relation"), message)
            return
        if scope is None:
            return
        arity = self._arities.get(relation, len(scope))
        if arity != len(scope):
            message = f"the scope has {len(scope)} variables for a table of arity {arity}"
            self._faults.add("F504", (*path, "scope"), message)
            return
        if relation in self._tables:
            number, rows = self._tables[relation]
            self._check_fit(rows, scope, relation)
            self._assembly.constraint(scope, number)

    def _scope(self, names: Any, path: Path) -> list[int] | None:
        """The numbers of the variables; None if one has a fault."""
        if not self._checks.is_list(names, path):
            return None
        if not names:
            self._faults.add("F501", path, "the scope has no variable", hint="give it at least one variable")
            return None
        try:
            scope = [self._variables[name] for name in names]
        except (KeyError, TypeError):
            for i, name in enumerate(names):
                if self._checks.is_string(name, (*path, i)) and name not in self._variables:
                    self._tell_unknown(name, (*path, i))
            return None
        if len(set(scope)) == len(scope):
            return scope
        for i in range(1, len(scope)):
            if scope[i] in scope[:i]:
                self._faults.add("F508", (*path, i), f"variable {shown(names[i])} stands twice in the scope")
        return None

    def _tell_unknown(self, name: str, path: Path) -> None:
        if "variables" not in self._lost and ("unknown", name) not in self._told:  # once for each name
            self._told.add(("unknown", name))
            hint = self._checks.near(name, self._variables)
            self._faults.add("F503", path, f"there is no variable {shown(name)}", hint=hint)

    def _check_fit(self, rows: Ids, scope: list[int], relation: int) -> None:
        """Tell the values that are in no domain of their variable, each once for all constraints with the table."""
        domains = [self._assembly.variable_domains[v] for v in scope]
        key = (relation, *domains)
        if key in self._known_to_fit or min(domains) < 0 or "domains" in self._lost:
            return
        self._known_to_fit.add(key)
        for column, (variable, domain) in enumerate(zip(scope, domains, strict=True)):
            allowed = self._assembly.domain_values[domain]
            for row in np.flatnonzero(~np.isin(rows[:, column], allowed)).tolist():
                path = ("relations", relation, "tuples", row, column)
                if path not in self._told:
                    self._told.add(path)
                    self._tell_misfit(path, int(rows[row, column]), variable, domain)

    def _tell_misfit(self, path: Path, value: int, variable: int, domain: int) -> None:
        words = list(self._assembly.words)
        name, domain_name = self._assembly.variable_names[variable], self._assembly.domain_names[domain]
        message = f"value {shown(words[value])} is not in domain {domain_name} of variable {name}"
        allowed = listed((words[i] for i in self._assembly.domain_values[domain].tolist()), _LISTED)
        self._faults.add("F505", path, message, label=f"{name} takes {allowed}")

    def _tell_repeated_labels(self, labels: list[str | None]) -> None:
        seen: set[str] = set()
        for i, label in enumerate(labels):
            named = label or f"C{i + 1}"
            if named in seen:
                path: Path = ("constraints", i, "label") if label else ("constraints", i)
                part: Part = "whole" if label else "opening"
                message = f"constraint {shown(named)} is declared twice"
                self._faults.add("F508", path, message, part=part, hint="give each another label")
            seen.add(named)

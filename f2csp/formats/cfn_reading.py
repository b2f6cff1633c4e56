"""From a .cfn text to a problem, or to all that is wrong with it."""

import re
from dataclasses import dataclass
from decimal import Decimal
from itertools import count

import numpy as np

from f2csp.diagnostics import Collector, Source, listed, near_word_hint, shown
from f2csp.formats.assembly import Assembly
from f2csp.formats.cfn_tables import TableReader
from f2csp.formats.cfn_tokens import CLOSING, OPENING, BrokenError, PlainFunction, Token, Tokens, domain_notes
from f2csp.formats.costs import Table
from f2csp.formats.toulbar2 import safe_names
from f2csp.model import Problem
from f2csp.model.words import is_name, is_title_line, is_value

MOST_VALUES = 1_000_000  # in all domains that differ together

_BOUND = re.compile(r"([<>])([+-]?[0-9]+(?:\.[0-9]*)?)")
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_DIGITS = "0123456789"
_MOST_HINTS = 20  # to look for a near word takes long where there are many
_NO_WORD = "F2CSP has no words with white space or one of : , ( ) { } =, and none that begins a section"


@dataclass(slots=True)
class _Function:
    """A cost function as it stands there; without a table if it has a fault, or shares one that is yet to come."""

    label: str | None
    scope: list[int]
    is_sound: bool = True  # the scope
    table: Table | None = None


class CfnReader:
    """Reads the text in its order; whatever is wrong goes to the collector."""

    def __init__(self, source: Source, collector: Collector) -> None:
        """Begin at the beginning."""
        self._source = source
        self._collector = collector
        self._tokens = Tokens(source)
        self._domain_names: dict[str, int] = {}
        self._spelled: list[list[str]] = []  # for each domain its values as toulbar2 calls them
        self._by_values: dict[tuple[str, ...], int] = {}
        self._variables: dict[str, int] = {}  # by the names that toulbar2 has for them
        self._words: set[str] = set()
        self._functions: list[_Function] = []
        self._sharing: dict[str, list[tuple[_Function, Token]]] = {}
        self._seen: set[str] = set()
        self._has_lost = False  # whether a variable has a fault, so that one that is unknown may be that
        self._named_domain = ""  # the one of which a comment says that the variables have it
        self._free_names = map("D{}".format, count(1))
        self._n_hints = 0
        self._n_values = 0

    def problem(self) -> Problem:
        """The problem, of no use if there are faults."""
        self._assembly = Assembly()
        try:
            self._read()
        except BrokenError as error:
            self._tell_broken(error)
        return self._build()

    def _read(self) -> None:
        tokens = self._tokens
        tokens.opening()
        has_tags = tokens.peek().text == "problem"
        self._read_header(has_tags)
        if has_tags:
            tokens.tag("variables")
        tokens.opening()
        while tokens.peek().text not in CLOSING:
            self._read_variable()
        tokens.closing()
        self._tables = TableReader(self._collector, self._spelled, self._bound)
        if has_tags:
            tokens.tag("functions")
        tokens.opening()
        while tokens.peek().text not in CLOSING:
            self._read_function(has_tags)
        tokens.closing()
        tokens.closing()
        if not tokens.is_at_end():
            token = tokens.peek()
            self._fault("F501", token, f"{shown(token.text)} stands behind the end of the problem", "remove it")
        for name, waiting in self._sharing.items():
            for _, token in waiting:
                where = "only before this" if name in self._seen else "nowhere"
                message = f"the table of {shown(name)} is to be shared, and it is defined {where}"
                self._fault("F503", token, message, "define the function whose table is shared further down")

    # ---- Header ------------------------------------------------------------------------------------------------------

    def _read_header(self, has_tags: bool) -> None:
        tokens = self._tokens
        if has_tags:
            tokens.next()
        tokens.opening()
        title = "\n".join(text for kind, text in tokens.notes if kind == "title")
        domains = domain_notes(tokens.notes)
        if has_tags:
            tokens.tag("name")
        name = tokens.next().text
        title = title if tokens.has_notes else name
        self._assembly = Assembly(title if all(map(is_title_line, title.split("\n"))) else "")
        for domain, words in domains.items():
            self._add_domain(domain, words, safe_names(words))
        tokens.take_notes()
        if has_tags:
            tokens.tag("mustbe")
        token = tokens.next()
        match = _BOUND.fullmatch(token.text)
        if match is None:
            raise BrokenError("F501", token.start, token.end, f"{shown(token.text)} is no bound such as <1 or <10.00")
        self._bound = Decimal(match[2])
        if match[1] == ">":
            self._fault("F502", token, "the costs are to be as large as possible", "only what is forbidden has tables")
        elif self._bound <= 0:
            self._fault("F501", token, "the bound is not above 0, so nothing is allowed")
        tokens.closing()

    # ---- Variables ---------------------------------------------------------------------------------------------------

    def _read_variable(self) -> None:
        token = self._tokens.next()
        notes = self._tokens.take_notes()
        has_name = token.text not in OPENING and token.text[0] not in _DIGITS
        name = token.text if has_name else f"x{len(self._variables)}"
        first = self._tokens.next() if has_name else token
        domain = self._values(notes.get("variables of")) if first.text in OPENING else self._size(first)
        if "variables of" in notes:
            self._named_domain = notes["variables of"]
        word = notes.get("variable", name)
        if word in self._words or not is_name(word):
            word = name
        if name in self._variables or word in self._words:
            self._fault("F508", token, f"variable {shown(name)} is declared twice", "keep one of the two")
        elif not is_name(word):
            self._fault("F509", token, f"{shown(name)} cannot name a variable", _NO_WORD)
        else:
            self._words.add(word)
            self._variables[name] = self._assembly.variable(word, domain)
            return
        self._has_lost = True

    def _values(self, named: str | None) -> int:
        """The domain whose values stand here; -1 if it has a fault."""
        start = self._tokens.at
        names: list[str] = []
        first: list[Token] = []
        while (token := self._tokens.next()).text not in CLOSING:
            if token.text in OPENING:
                raise BrokenError("F501", token.start, token.end, "a bracket stands inside a domain")
            names.append(token.text)
            first.append(token)
        named = named or self._named_domain
        if named in self._domain_names and self._spelled[self._domain_names[named]] == names:
            return self._domain_names[named]
        key = tuple(names)
        if key not in self._by_values:
            self._by_values[key] = self._new_domain(names, first, start)
        return self._by_values[key]

    def _new_domain(self, names: list[str], tokens: list[Token], start: int) -> int:
        n_before = self._collector.n_errors
        seen: set[str] = set()
        for name, token in zip(names, tokens, strict=True):
            if name[0] in _DIGITS:
                message = f"the name {shown(name)} of a value begins with a digit"
                self._fault(
                    "F501", token, message, "put a letter before it: toulbar2 reads digits as the place of a value"
                )
            elif not is_value(name):
                self._fault("F509", token, f"{shown(name)} cannot be a value", _NO_WORD)
            elif name in seen:
                self._fault("F508", token, f"the value {shown(name)} stands twice in the domain", "keep one of the two")
            seen.add(name)
        if not names:
            self._collector.add("F501", start - 1, self._tokens.at, "the domain has no value")
        if self._collector.n_errors > n_before:
            return -1
        return self._add_domain(self._free_name(), names, names)

    def _size(self, token: Token) -> int:
        """The domain of so many values without names; -1 if it has a fault."""
        if not _NUMBER.fullmatch(token.text):
            self._fault(
                "F501", token, f"{shown(token.text)} stands where the values of a domain, or their number, are due"
            )
            return -1
        size = int(token.text)
        key = ("", str(size))
        if size < 0:
            self._fault(
                "F502", token, f"the size {size} is of an interval, which has no tables", "give the number of values"
            )
        elif size == 0:
            self._fault("F501", token, "the domain has no value")
        elif key in self._by_values:
            return self._by_values[key]
        elif self._n_values + size > MOST_VALUES:
            self._fault("F510", token, f"the domains have more than {MOST_VALUES:,} values together")
        else:
            self._n_values += size
            words = list(map(str, range(size)))
            domain = self._add_domain(self._free_name(), words, [f"v{word}" for word in words])
            self._by_values[key] = domain
            return domain
        return -1

    def _free_name(self) -> str:
        """A name for a domain: the next of D1, D2, ... that is not taken."""
        return next(name for name in self._free_names if name not in self._domain_names)

    def _add_domain(self, name: str, words: list[str], spelled: list[str]) -> int:
        self._spelled.append(spelled)
        self._domain_names[name] = self._assembly.domain(name, words)
        return self._domain_names[name]

    # ---- Functions ---------------------------------------------------------------------------------------------------

    def _read_function(self, has_tags: bool) -> None:
        start = self._tokens.at
        if has_tags and not self._tokens.notes and (plain := self._tokens.plain_function()):
            if self._take(plain):
                return
            self._tokens.at = start
        token = self._tokens.next()
        notes = self._tokens.take_notes()
        name = None if token.text in OPENING else token.text
        opening = self._tokens.opening() if name is not None else token
        try:
            self._read_body(name, notes.get("constraint", name), has_tags)
        except BrokenError as error:
            if error.code == "F507":
                raise
            self._tell_broken(error)
            self._tokens.skip(opening.start)
            self._sharing.pop(name or "", None)  # its table is lost to those that share it

    def _take(self, plain: PlainFunction) -> bool:
        """Read a function in the usual spelling; False if there is a fault, or it is no more usual further on."""
        try:
            scope = [self._variables[name] for name in plain.scope]
        except KeyError:
            return False
        domains = [self._assembly.variable_domains[v] for v in scope]
        if len(set(scope)) < len(scope) or min(domains, default=0) < 0:
            return False
        function = _Function(plain.name, scope)
        if plain.shared:
            if plain.default:
                return False
            self._sharing.setdefault(plain.shared.text, []).append((function, plain.shared))
        else:
            start = self._tokens.at
            try:
                block = self._tokens.block()
                self._tokens.closing()
            except BrokenError:
                return False
            function.table = self._tables.read(block, start, plain.default, domains)
            self._share(plain.name, function)
        self._functions.append(function)
        self._seen.add(plain.name)
        return True

    def _read_body(self, name: str | None, label: str | None, has_tags: bool) -> None:
        tokens = self._tokens
        if has_tags:
            tokens.tag("scope")
        tokens.opening()
        function = _Function(label, *self._scope())
        scope = function.scope
        token = tokens.next()
        default = None
        if token.text == "defaultcost" if has_tags else token.text[0] in f"{_DIGITS}-+.":
            default = tokens.next() if has_tags else token
            token = tokens.next()
        if has_tags and token.text == "type":
            self._refuse_type(tokens.next())
        if has_tags and token.text != "costs":
            raise BrokenError("F501", token.start, token.end, f'{shown(token.text)} stands where "costs" is due')
        if has_tags:
            token = tokens.next()
        if token.text in OPENING:
            start = tokens.at
            block = tokens.block()
            if function.is_sound:
                domains = [self._assembly.variable_domains[v] for v in scope]
                function.table = self._tables.read(block, start, default, domains)
        elif tokens.peek().text in OPENING:
            self._refuse_type(token)
        elif default is not None:
            message = "a function that shares a table has no default cost of its own"
            raise BrokenError("F501", default.start, default.end, message)
        else:
            self._sharing.setdefault(token.text, []).append((function, token))
        tokens.closing()
        self._functions.append(function)
        if name is not None:
            self._seen.add(name)
            if token.text in OPENING:
                self._share(name, function)

    def _refuse_type(self, token: Token) -> None:
        raise BrokenError(
            "F502", token.start, token.end, f"the cost function {shown(token.text)} is not given by a table"
        )

    def _scope(self) -> tuple[list[int], bool]:
        """The variables, and whether they are without fault."""
        scope: list[int] = []
        is_sound = True
        while (token := self._tokens.next()).text not in CLOSING:
            if token.text in OPENING:
                raise BrokenError("F501", token.start, token.end, "a bracket stands inside a scope")
            variable = self._variable(token)
            if variable is None or self._assembly.variable_domains[variable] < 0:
                is_sound = False
            if variable is not None:
                scope.append(variable)
        if len(set(scope)) < len(scope):
            self._fault("F508", token, "a variable stands twice in the scope that ends here")
            is_sound = False
        return scope, is_sound

    def _variable(self, token: Token) -> int | None:
        """The number of a variable by its name, or by its place if that is a number."""
        if token.text in self._variables:
            return self._variables[token.text]
        if _NUMBER.fullmatch(token.text) and 0 <= int(token.text) < len(self._variables):
            return int(token.text)
        if not self._has_lost:
            self._n_hints += 1
            hint = near_word_hint(token.text, self._variables) if self._n_hints <= _MOST_HINTS else None
            self._fault("F503", token, f"there is no variable {shown(token.text)}", hint)
        return None

    def _share(self, name: str, function: _Function) -> None:
        """Give a table to the functions before it that share it."""
        sizes = self._sizes(function.scope)
        for other, token in self._sharing.pop(name, ()):
            if not (function.is_sound and other.is_sound):
                continue
            if self._sizes(other.scope) != sizes:
                message = f"the domains have not the sizes {listed(map(str, sizes), 5)} of those of {shown(name)}"
                self._fault("F504", token, message)
            else:
                other.table = function.table

    def _sizes(self, scope: list[int]) -> list[int]:
        domains = [self._assembly.variable_domains[v] for v in scope]
        return [len(self._spelled[domain]) if domain >= 0 else 0 for domain in domains]

    # ---- The problem -------------------------------------------------------------------------------------------------

    def _build(self) -> Problem:
        if self._collector.n_errors:
            return Assembly().build()
        numbers: dict[tuple[int, ...], int] = {}
        labels: list[str | None] = []
        for function in self._functions:
            scope, table = function.scope, function.table
            if table is None or (not scope and not self._is_forbidding(table)):
                continue
            if not scope:
                scope, table = [0], ("Accept", np.empty((0, 1), dtype=np.int32))
            domains = [self._assembly.variable_domains[v] for v in scope]
            key = (id(table), *domains)
            if key not in numbers:
                numbers[key] = self._relation(table, domains)
            self._assembly.constraint(scope, numbers[key])
            labels.append(function.label)
        are_labels = all(label and is_name(label) for label in labels) and len(set(labels)) == len(labels)
        return self._assembly.build(labels if are_labels else None)

    def _is_forbidding(self, table: Table) -> bool:
        """Whether a table of no variable forbids everything; the problem must have a variable to say so."""
        return (table[0] == "Accept") == (len(table[1]) == 0) and bool(self._variables)

    def _relation(self, table: Table, domains: list[int]) -> int:
        kind, places = table
        words = np.empty_like(places)
        for column, domain in enumerate(domains):
            words[:, column] = self._assembly.domain_values[domain][places[:, column]]
        return self._assembly.relation(kind, words)

    def _fault(self, code: str, token: Token, message: str, hint: str | None = None) -> None:
        self._collector.add(code, token.start, token.end, message, hint=hint)

    def _tell_broken(self, error: BrokenError) -> None:
        hint = "get the whole file" if error.code == "F507" else None
        self._collector.add(error.code, error.start, error.end, error.message, hint=hint)

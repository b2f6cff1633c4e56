r"""MiniZinc, the modelling language; written so that a person can read it, and not read.

    % Map of two countries
    int: red = 1;
    int: green = 2;
    array[int] of string: words = array1d(1..2, ["red", "green"]);
    set of int: colour = {red, green};
    var colour: A;
    var colour: B;
    array[int, int] of int: table_1 =
      [| red, red
       | green, green |];
    constraint rejects([A, B], table_1);
    solve satisfy;
    output ["A = ", word(fix(A)), "\n", "B = ", word(fix(B)), "\n"];

An integer that is not too large for solvers stays what it is; any other value is a constant of its own name.

Specification: https://docs.minizinc.dev/en/stable/spec.html
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Self

import numpy as np

from f2csp.diagnostics import ByteSpan, Source, brief
from f2csp.formats.answers import Pair, ended_parts, solutions_printed
from f2csp.formats.fitting_names import fresh_name, identifier_like, is_identifier
from f2csp.formats.foreign import ExportOptions
from f2csp.model import Ids, Kind, Problem, Relation
from f2csp.model.words import is_integer
from f2csp.solutions import Assignments, Solution
from f2csp.structure import ConstraintModel, Numbering, raw_model, recover, sentence
from f2csp.text.chunked_text import line_chunks, pieces, row_chunks
from f2csp.text.terminals import pattern

# ---- Names and values ------------------------------------------------------------------------------------------------

_MAX_VALUE = 1_000_000_000  # Gecode can add two such values
_OWN_NAMES = ("rejects", "words", "word")  # of the models; and table_1, table_2, ...
_UNQUOTABLE = re.compile(r"['\\]")
_NOT_A_NAME = re.compile(r"table_[0-9]+|(?:mzn_|fzn_|X_INTRODUCED).*|[^A-Za-z0-9]+")  # operators can be in quotes too
_KEYWORDS = re.compile(
    "ann|annotation|any|array|bool|case|constraint|default|diff|div|else|elseif|endif|enum|false|float|function|if|in|"
    "include|infinity|int|intersect|let|list|maximize|minimize|mod|not|of|op|opt|output|par|predicate|record|satisfy|"
    "set|solve|string|subset|superset|symdiff|test|then|true|tuple|type|union|var|where|xor"
)


@dataclass(frozen=True, slots=True)
class _Naming:
    variables: list[str]  # their identifiers
    domains: list[str]  # their identifiers
    words: list[str]  # for each word its integer, or the identifier of its constant
    is_exact: list[bool]  # for each word whether it is its integer
    numbering: Numbering
    constants: dict[str, str]  # the identifier of each word that is not exact, in order
    first: int  # the number of the first constant; the others follow

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Names and numbers that depend on the problem alone."""
        taken, counts = set(_OWN_NAMES), dict[str, int]()
        # without quotes: MiniZinc 2.6 loses fixed variables whose names have quotes
        variables = [fresh_name(_allowed(identifier_like(name)), taken, counts) for name in problem.variable_names]
        domains = [_quoted_name(name, taken, counts) for name in problem.domain_names]
        numbers = [int(word) for word in problem.words if is_integer(word)]
        first = max((number for number in numbers if 0 < number <= _MAX_VALUE), default=0) + 1
        numbering = Numbering.compact(problem, _MAX_VALUE, first)
        is_exact: list[bool] = numbering.is_own.tolist()
        inexact = [word for word, exact in zip(problem.words, is_exact, strict=True) if not exact]
        constants = {word: _quoted_name(word, taken, counts) for word in inexact}
        words = [constants.get(word, word) for word in problem.words]
        return cls(variables, domains, words, is_exact, numbering, constants, first)

    def set_of(self, words: Ids) -> str:
        """Some values: a range if they are one."""
        listed = words.tolist()
        if listed and all(self.is_exact[word] for word in listed):
            numbers = sorted(int(self.words[word]) for word in listed)
            if numbers[-1] - numbers[0] == len(numbers) - 1:
                return f"{numbers[0]}..{numbers[-1]}"
        return f"{{{', '.join([self.words[word] for word in listed])}}}"


def _allowed(name: str) -> str:
    name = f"its_{name}" if _NOT_A_NAME.fullmatch(name) else name
    return f"{name}_" if _KEYWORDS.fullmatch(name) else name


def _quoted_name(name: str, taken: set[str], counts: dict[str, int]) -> str:
    """A new identifier that is like a name, in quotes if need be."""
    name = fresh_name(_allowed(_UNQUOTABLE.sub("_", name)), taken, counts)
    return name if is_identifier(name) else f"'{name}'"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# ---- Writing ---------------------------------------------------------------------------------------------------------

_REJECTS = """predicate rejects(array[int] of var int: x, array[int, int] of int: t) =
  forall(i in index_set_1of2(t))(exists(j in index_set(x))(x[j] != t[i, j]));
"""
_WORD = """function string: word(int: value) =
  if value in index_set(words) then words[value] else show(value) endif;
"""
_ROW_END = "\n   | "


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:
    naming = _Naming.of(problem)
    model = recover(problem) if options.use_structure else raw_model(problem)
    texts = _expressions(model, naming)
    rest = model.rest(np.array([*texts], dtype=np.int64))
    used = np.unique(problem.constraint_relations[rest]).tolist()
    tables = {i: problem.relations[i] for i in used if problem.relations[i].arity > 1 and problem.relations[i].n_tuples}
    yield from line_chunks(_head(model, {table.kind for table in tables.values()}))
    yield from line_chunks(_values(naming))
    yield from line_chunks(_variables(problem, naming))
    words, last_words = pieces(naming.words, "{}, "), pieces(naming.words, f"{{}}{_ROW_END}")
    numbers = {relation: number for number, relation in enumerate(tables, 1)}
    for relation, table in tables.items():
        yield f"array[int, int] of int: table_{numbers[relation]} =\n  [| ".encode()
        yield from row_chunks(table.tuples, words, last_words, len(_ROW_END))
        yield b" |];\n"
    around = {i: _around_scope(problem.relations[i], numbers.get(i, 0), naming) for i in used}
    for i in rest.tolist():
        head, tail = around[int(problem.constraint_relations[i])]
        texts[i] = f"{head}{', '.join([naming.variables[j] for j in problem.scope(i).tolist()])}{tail}"
    yield from line_chunks(_cases(model, naming, texts))
    yield b"solve satisfy;\n"
    yield from line_chunks(_output(problem, naming))


def _expressions(model: ConstraintModel, naming: _Naming) -> dict[int, str]:
    """The constraints that MiniZinc has words for, by their indices."""
    texts: dict[int, str] = dict.fromkeys(model.never_true.tolist(), "false;\n")
    for case in model.exact(naming.numbering):
        for constraint, scope in zip(case.constraints.tolist(), case.scopes.tolist(), strict=True):
            names = [naming.variables[variable] for variable in scope]
            texts[constraint] = sentence(case.kind, names, case.constant, "") + ";\n"
    for parity in model.parities:
        for constraint, scope in zip(parity.constraints.tolist(), parity.scopes.tolist(), strict=True):
            total = " + ".join(naming.variables[variable] for variable in scope)
            texts[constraint] = f"({total}) mod 2 = {parity.odd};\n"
    return texts


def _head(model: ConstraintModel, kinds_of_tables: set[Kind]) -> Iterator[str]:
    if model.problem.title:
        yield "".join(f"% {line}\n" for line in model.problem.title.split("\n"))
    if any(len(clique) > 2 for clique in model.all_different):
        yield 'include "alldifferent.mzn";\n'
    if "Accept" in kinds_of_tables:
        yield 'include "table.mzn";\n'
    if "Reject" in kinds_of_tables:
        yield _REJECTS


def _values(naming: _Naming) -> Iterator[str]:
    if not naming.constants:
        return
    for number, constant in enumerate(naming.constants.values(), naming.first):
        yield f"int: {constant} = {number};\n"
    last = naming.first + len(naming.constants) - 1
    words = ", ".join(map(_quoted, naming.constants))
    yield f"array[int] of string: words = array1d({naming.first}..{last}, [{words}]);\n{_WORD}"


def _variables(problem: Problem, naming: _Naming) -> Iterator[str]:
    for name, values in zip(naming.domains, problem.domain_values, strict=True):
        yield f"set of int: {name} = {naming.set_of(values)};\n"
    for name, domain in zip(naming.variables, problem.variable_domains.tolist(), strict=True):
        yield f"var {naming.domains[domain]}: {name};\n"


def _around_scope(relation: Relation, number: int, naming: _Naming) -> tuple[str, str]:
    """The text of a table before and behind the variables; a table with several columns and some rows has a number."""
    accepts = relation.kind == "Accept"
    if not relation.n_tuples:
        return f"{'false' if accepts else 'true'}; % of ", "\n"
    if relation.arity > 1:
        return f"{'table' if accepts else 'rejects'}([", f"], table_{number});\n"
    values = relation.tuples[:, 0]
    if len(values) == 1:
        return "", f" {'=' if accepts else '!='} {naming.words[values[0]]};\n"
    listed = naming.set_of(values)
    return ("", f" in {listed};\n") if accepts else ("not (", f" in {listed});\n")


def _cases(model: ConstraintModel, naming: _Naming, texts: dict[int, str]) -> Iterator[str]:
    for clique in model.all_different:
        names = [naming.variables[variable] for variable in clique]
        if len(names) > 2:
            yield f"constraint alldifferent([{', '.join(names)}]);\n"
        else:
            yield f"constraint {names[0]} != {names[1]};\n"
    labels = model.problem.labels
    for i, text in sorted(texts.items()):
        yield f"constraint {text}" if labels is None else _labelled(labels[i], text)


def _output(problem: Problem, naming: _Naming) -> Iterator[str]:
    """The solution as lines NAME = VALUE."""
    are_exact = [all(naming.is_exact[word] for word in values.tolist()) for values in problem.domain_values]
    domains = problem.variable_domains.tolist()
    lines = []
    for identifier, name, domain in zip(naming.variables, problem.variable_names, domains, strict=True):
        shown_value = f"show({identifier})" if are_exact[domain] else f"word(fix({identifier}))"
        lines.append(f'{_quoted(f"{name} = ")}, {shown_value}, "\\n"')
    text = ",\n  ".join(lines)
    yield f"output [{text}];\n"


def _labelled(label: str, text: str) -> str:
    """A constraint with its name; true and false have it in a comment: MiniZinc would put it wherever they occur."""
    constant, _, rest = text.partition(";")
    if constant in ("true", "false"):
        return f"constraint {constant}; % {label}{rest.removeprefix(' %')}"
    return f"constraint :: {_quoted(label)} {text}"


# ---- Answers ---------------------------------------------------------------------------------------------------------

_TOKEN = pattern("_WORD")
_LINE = re.compile(rb"(?m)^(?:(%b)[ \t]*+=[ \t]*+(%b)|(-{10})|(?!%%|={5})([^\r\n]++))\r?$" % (_TOKEN, _TOKEN))
_NONE = re.compile(rb"^={5}[A-Z]++={5}", re.MULTILINE)


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions that MiniZinc printed for the exported model: lines NAME = VALUE, and a line of dashes for each.

    Warnings and statistics may be between them.
    """

    def find(assignments: Assignments) -> Iterator[tuple[Iterator[Pair], ByteSpan]]:
        lines = (line for line in _LINE.finditer(source.data, source.start) if not _is_news(line, assignments))
        for part in ended_parts(lines, itemgetter(3), "no line ---------- follows", assignments):
            yield _pairs(part[:-1], assignments), part[-1].span()

    return solutions_printed(source, problem, find, _NONE, "run minizinc on the exported model")


def _is_news(line: re.Match[bytes], assignments: Assignments) -> bool:
    """Whether a line is neither NAME = VALUE nor dashes, and does not begin with the name of a variable either."""
    return bool(line[4]) and not assignments.knows(line[4].partition(b" ")[0].decode("utf-8", "replace"))


def _pairs(lines: list[re.Match[bytes]], assignments: Assignments) -> Iterator[Pair]:
    for line in lines:
        if line[1]:
            name, value = line[1].decode("utf-8", "replace"), line[2].decode("utf-8", "replace")
            yield name, line.span(1), value, line.span(2)
        else:
            assignments.n_lost += 1
            message = f"expected NAME = VALUE, found {brief(line[4].decode('utf-8', 'replace'))}"
            assignments.collector.add("F511", *line.span(4), message, hint="give the output of an exported model")

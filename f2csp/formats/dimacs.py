"""DIMACS CNF, the clauses that SAT solvers read; comments keep names and values for the way back.

    c title A country and a yes or no
    c domain colour: red green blue
    c domain bit: 0 1
    c variable A: colour, literals 1 to 3
    c variable b: bit, literal 4
    p cnf 4 5
    1 2 3 0
    -1 -2 0
    -1 -3 0
    -2 -3 0
    -3 -4 0

Of the literals of a variable exactly one holds; a variable over 0 and 1 has a single one. They come first in every
encoding. Answers are those of the SAT competitions.

Specification: "Satisfiability: Suggested Format", DIMACS 1993; https://satcompetition.github.io/2024/output.html
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from f2csp.arrays import grouped
from f2csp.diagnostics import ByteSpan, Collector, F2cspError, Source, brief
from f2csp.encode import EncodingMethod, Literals, encode, literals_of
from f2csp.formats.answers import Pair, ended_parts, solutions_printed
from f2csp.formats.clause_tables import BIT_VALUES, BITS, problem_of
from f2csp.formats.fitting_names import declared_variables, noted_problem
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.number_text import NOT_A_NUMBER, NumberText
from f2csp.model import Ids, Origin, Problem
from f2csp.solutions import Assignments, Solution
from f2csp.structure import raw_model, recover
from f2csp.text.chunked_text import line_chunks, pieces, row_chunks

_MAX_UNUSED = 1_000_000  # variables that a file may declare beyond the numbers in it: each takes memory
_MAX_LITERAL = (1 << 31) - 1
_MAX_PLACED = 1 << 24  # bytes of a text whose clauses have lines

# ---- Writing ---------------------------------------------------------------------------------------------------------


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:
    if options.encoding not in list(EncodingMethod):
        raise F2cspError(f"there is no encoding {options.encoding!r}; the encodings are {', '.join(EncodingMethod)}")
    model = recover(problem) if options.use_structure else raw_model(problem)
    encoding = encode(model, EncodingMethod(options.encoding))
    cnf = encoding.cnf
    if not _is_plain(problem, cnf.n_literals):
        yield from line_chunks(_notes(problem, encoding.literals))
    yield f"p cnf {cnf.n_literals} {cnf.n_clauses}\n".encode()
    numbers = pieces([*range(cnf.n_literals + 1), *range(-cnf.n_literals, 0)], "{} ")  # a negative index is one, too
    numbers[0] = b"0\n"
    for block in cnf.blocks:
        yield from row_chunks(np.pad(block, ((0, 0), (0, 1))), numbers, numbers)


def _is_plain(problem: Problem, n_literals: int) -> bool:
    """Whether the clauses without notes are read as a problem with these names and values."""
    numbers = tuple(map("x{}".format, range(1, n_literals + 1)))
    declared = [(domain.name, domain.words) for domain in problem.domains]
    return not problem.title and problem.variable_names == numbers and declared == [(BITS, BIT_VALUES)]


def _notes(problem: Problem, literals: Literals) -> Iterator[str]:
    yield from (f"c title {line}\n" for line in problem.title.split("\n") if problem.title)
    yield from (f"c domain {domain.name}: {' '.join(domain.words)}\n" for domain in problem.domains)
    ranges = pairwise(literals.first.tolist())
    for note, (first, after), has_own in zip(declared_variables(problem), ranges, literals.has_own, strict=True):
        yield f"c variable {note}, {f'literals {first} to {after - 1}' if has_own else f'literal {first}'}\n"


# ---- Reading ---------------------------------------------------------------------------------------------------------

_COMMENTS = rb"(?:[ \t\r]*+(?:[c%][^\n]*+)?+\n)*+[ \t]*+"
_HEADER = re.compile(_COMMENTS + rb"(p(?![^ \t\r\n])[^\n]*+)")
_FIRST_WORD = re.compile(rb"(?:[ \t\r]*+(?:[c%][^\n]*+)?+(?:\n|\Z))*+[ \t]*+([^ \t\r\n]++)")
_LATE_HEADER = re.compile(rb"^[ \t]*+(p)[ \t]++[a-z]*cnf\b", re.MULTILINE)
_COMMENT = re.compile(rb"^[ \t]*+c[^\n]*+", re.MULTILINE)
_END = re.compile(rb"^[ \t]*+%[ \t\r]*+$", re.MULTILINE)
_MINUS_ZERO = re.compile(rb"(?<![^ \t\r\n])-0++(?![^ \t\r\n])")
_WORD = re.compile(rb"[^ \t\r\n]++")
_COUNT = re.compile(rb"[0-9]{1,18}")
_XOR = re.compile(r"x-?[0-9]+")
_HEADER_HINT = "write p cnf, the number of variables and the number of clauses"
_CLAUSE_HINT = "a clause is numbers other than 0, a minus before each negated one, and a 0 at the end"


def read(source: Source) -> Problem:
    """Read a problem: over the variables of the notes, or else over one variable for each number.

    Complexity:
        Linear in the text and in the tuples that its clauses reject.
    """
    collector = Collector(source)
    header = _HEADER.match(source.data, source.start)
    counts = _counts(source, header, collector)
    collector.raise_if_errors()
    start = header.end() if header else source.start
    text = NumberText(_without_comments(source, start, collector), start)
    numbers = _numbers(source, text, counts, collector)
    collector.raise_if_errors()
    n_variables = int(counts[0][0]) if counts else int(np.abs(numbers).max(initial=0))
    names = _noted_problem(source.data[source.start : start].decode("utf-8", "replace"), n_variables)
    return problem_of(n_variables, numbers, names, _lines(source, start, text))


def _lines(source: Source, start: int, text: NumberText) -> Origin | None:
    """The line at which each clause begins; None for a text that no person reads."""
    if len(source.data) > _MAX_PLACED:
        return None
    starts = np.flatnonzero(np.concatenate([[0], text.values])[:-1] == 0)
    return Origin(source.name, text.line_numbers(starts) + source.first_line + source.data.count(b"\n", 0, start))


def _counts(source: Source, header: re.Match[bytes] | None, collector: Collector) -> list[re.Match[bytes]]:
    """The numbers of variables and of clauses in the line p; none where clauses begin without one."""
    if header is None:
        first = _FIRST_WORD.match(source.data, source.start)
        if late := _LATE_HEADER.search(source.data, source.start):
            collector.add("F501", *late.span(1), "the line p follows clauses", hint="write it first")
        elif first is None or not _LITERAL.fullmatch(first[1]):
            place = first.span(1) if first else (_end(source),) * 2
            collector.add("F501", *place, "there is no line p before the clauses", hint=_HEADER_HINT)
        return []
    words = list(_WORD.finditer(source.data, *header.span(1)))
    form = _text(words[1]) if len(words) > 1 else ""
    place = words[0].start(), words[-1].end()
    if form == "wcnf":
        message = "clauses with weights are not supported"
        collector.add("F502", *words[1].span(), message, hint="write the hard clauses alone, as p cnf")
    elif form != "cnf":
        message = f"expected the format cnf, found {brief(form)}" if form else "the line p names no format"
        collector.add("F501", *place, message, hint=_HEADER_HINT)
    elif len(words) != 4:
        collector.add("F501", *place, f"expected 2 numbers in the line p, found {len(words) - 2}", hint=_HEADER_HINT)
    for word in words[2:] if not collector.n_errors else []:
        if not _COUNT.fullmatch(word[0]):
            collector.add("F501", *word.span(), f"expected a count, found {brief(_text(word))}", hint=_HEADER_HINT)
    return words[2:]


def _text(word: re.Match[bytes]) -> str:
    return word[0].decode("utf-8", "replace")


def _end(source: Source) -> int:
    return len(source.data.rstrip(b" \t\r\n"))


def _numbers(source: Source, text: NumberText, counts: list[re.Match[bytes]], collector: Collector) -> Ids:
    """The literals of the clauses from the end of the line p on, a zero after each clause."""
    values = text.values
    n_variables = int(counts[0][0]) if counts else min(_MAX_LITERAL, len(values) + _MAX_UNUSED)
    _check_literals(text, min(n_variables, _MAX_LITERAL), counts, collector)
    n_clauses = int(np.count_nonzero(values == 0))
    if len(values) and values[-1] != 0 and not collector.n_errors:
        message = f"the text ends inside clause {n_clauses + 1}: no 0 follows its last literal"
        collector.add("F507", _end(source), _end(source), message, hint="end the clause with 0, or get the whole file")
    elif counts and int(counts[1][0]) != n_clauses and not collector.n_errors:
        message = f"declared {int(counts[1][0])} clauses, found {n_clauses}"
        collector.add("F506", *counts[1].span(), message, hint="correct the number, or the clauses")
    if counts and n_variables > min(len(values) + _MAX_UNUSED, _MAX_LITERAL):
        message = f"declared {n_variables} variables for {len(values)} numbers in clauses"
        hint = f"declare at most {_MAX_UNUSED} variables that occur in no clause"
        collector.add("F506", *counts[0].span(), message, hint=hint)
    return values.astype(np.int32)


def _without_comments(source: Source, start: int, collector: Collector) -> bytes:
    """The clauses, with blanks for comments; a line ``%`` and a ``0`` may follow them."""
    text = source.data[start:]
    if b"c" in text:
        text = _COMMENT.sub(lambda comment: b" " * len(comment[0]), text)
    if b"-0" in text:
        text = _MINUS_ZERO.sub(lambda word: b"-" * len(word[0]), text)  # not a number
    end = _END.search(text) if b"%" in text else None
    if end is None:
        return text
    for word in _WORD.finditer(text, end.end()):
        if word[0] != b"0":
            message = f"{brief(_text(word))} follows the line %, which ends the clauses"
            collector.add("F501", start + word.start(), start + word.end(), message, hint="remove it, or the line %")
            break
    return text[: end.start()]


def _check_literals(text: NumberText, largest: int, counts: list[re.Match[bytes]], collector: Collector) -> None:
    """Report the first malformed word of each line, and each variable that is not declared."""
    reported: set[tuple[bool, int]] = set()
    for index in np.flatnonzero(np.abs(text.values) > largest).tolist():
        word, place, variable = text.word(index), text.place(index), abs(int(text.values[index]))
        is_number = variable != -NOT_A_NUMBER
        key = is_number, variable if is_number else int(text.lines[index])
        if key in reported:
            continue
        reported.add(key)
        if _XOR.fullmatch(word):
            hint = "write them as clauses of literals"
            collector.add("F502", *place, "clauses of exclusive or are not supported", hint=hint)
        elif not is_number:
            collector.add("F501", *place, f"{brief(word)} is not a literal", hint=_CLAUSE_HINT)
        elif variable > _MAX_LITERAL:
            collector.add("F503", *place, f"variable {variable} is larger than {_MAX_LITERAL}, the limit")
        else:
            related = [(*count.span(), "declared here") for count in counts[:1]]
            message = f"variable {variable} is not one of the {largest} {'declared' if counts else 'first'} variables"
            collector.add("F503", *place, message, related=related)


_NOTE = re.compile(r"^c (title|domain|variable) ([^\n]*?)\r?$", re.MULTILINE)


def _noted_problem(head: str, n_literals: int) -> Problem | None:
    """The declarations in the comments; None if they would not be written as they are, or need more literals."""
    notes = _NOTE.findall(head)
    of_kind = grouped(notes)
    variables = [text.rpartition(", ")[0] for text in of_kind["variable"]]
    problem = noted_problem(of_kind["domain"], variables, "\n".join(of_kind["title"]))
    if problem is None or problem.domain_sizes[problem.variable_domains].sum() > 2 * n_literals:
        return None
    literals = literals_of(problem)
    is_as_written = [*_notes(problem, literals)] == [f"c {kind} {text}\n" for kind, text in notes]
    return problem if is_as_written and literals.first[-1] <= n_literals + 1 else None


# ---- Answers ---------------------------------------------------------------------------------------------------------

_VALUE_LINE = re.compile(rb"^v(?=[ \t\r\n]|\Z)[^\n]*+", re.MULTILINE)
_NUMBER_LINE = re.compile(rb"^[ \t]*+-?[0-9][^\n]*+", re.MULTILINE)
_LITERAL = re.compile(rb"-?[0-9]{1,18}")
_UNSATISFIABLE = re.compile(rb"^(?:s[ \t]+)?+UNSAT(?:ISFIABLE)?+[ \t\r]*+$", re.MULTILINE)


def answers(source: Source, problem: Problem) -> list[Solution]:
    """The solutions in the models that a solver printed for the problem, in any encoding.

    Models are lines ``v`` of numbers, ended by a 0, or the lines of numbers that minisat writes.
    """
    literals = literals_of(problem)
    variables, words = literals.variables.tolist(), literals.words.tolist()
    values = {literal: i for i, literal in enumerate(literals.values.tolist())}
    free = np.setdiff1d(np.flatnonzero(~literals.has_own), problem.scopes).tolist()  # minisat leaves them out

    def pairs(model: list[re.Match[bytes]], assignments: Assignments) -> Iterator[Pair]:
        left = dict.fromkeys(free)
        for word in model[:-1]:
            if not _LITERAL.fullmatch(word[0]):
                assignments.n_lost += 1
                message = f"{brief(_text(word))} is not a literal"
                assignments.collector.add("F511", *word.span(), message, hint="a model is numbers, and a 0 at the end")
            elif (i := values.get(int(word[0]))) is not None:
                yield problem.variable_names[variables[i]], word.span(), problem.words[words[i]], word.span()
                left.pop(variables[i], None)
        yield from ((problem.variable_names[i], model[-1].span(), "0", model[-1].span()) for i in left)

    def find(assignments: Assignments) -> Iterator[tuple[Iterator[Pair], ByteSpan]]:
        lack = "no 0 follows its last literal"
        for model in ended_parts(_model_words(source), lambda word: word[0] == b"0", lack, assignments):
            yield pairs(model, assignments), (model[0].start(), model[-1].end())

    hint = "run the solver so that it prints its model, as cadical and clasp do; minisat writes it to a file"
    return solutions_printed(source, problem, find, _UNSATISFIABLE, hint)


def _model_words(source: Source) -> Iterator[re.Match[bytes]]:
    has_value_lines = _VALUE_LINE.search(source.data) is not None
    for line in (_VALUE_LINE if has_value_lines else _NUMBER_LINE).finditer(source.data, source.start):
        yield from _WORD.finditer(source.data, line.start() + has_value_lines, line.end())

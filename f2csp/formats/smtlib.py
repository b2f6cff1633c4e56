"""SMT-LIB, the language of Z3, cvc5 and other solvers of logic with arithmetic; written, and not read.

    ; Map of two countries
    (set-option :produce-models true)
    (set-logic QF_LIA)
    (define-fun |red| () Int 0)
    (define-fun |green| () Int 1)
    (define-fun |domain 1| ((|x| Int)) Bool (<= 0 |x| 1))
    (declare-const |A| Int)
    (assert (|domain 1| |A|))
    (declare-const |B| Int)
    (assert (|domain 1| |B|))
    (define-fun |table 1| ((|x 1| Int) (|x 2| Int)) Bool (not (or false
      (and true (= |x 1| |red|) (= |x 2| |red|))
      (and true (= |x 1| |green|) (= |x 2| |green|))
      false)))
    (assert (|table 1| |A| |B|))
    (check-sat)
    (get-value (|A| |B|))

A symbol is a constant, whose number follows on the integers. With structure, the state variables of sums are left out.

Specification: https://smt-lib.org/language.shtml
"""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from f2csp.arrays import by_value
from f2csp.formats.fitting_names import fresh_name
from f2csp.formats.foreign import ExportOptions
from f2csp.model import Problem, Relation
from f2csp.model.linear_sums import Term
from f2csp.structure import ConstraintModel, Numbering, raw_model, recover, sentence, with_sums
from f2csp.text.chunked_text import line_chunks

_LARGEST = 1 << 62
_UNQUOTABLE = re.compile(r"[|\\]")
_RESERVED = "_ and or not xor distinct ite true false let exists forall match par as mod div abs Int Bool"


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:
    model = raw_model(problem)
    if options.use_structure:
        model = with_sums(recover(problem), np.arange(problem.n_variables))
    return line_chunks(_Writer(model).lines())


class _Writer:
    def __init__(self, model: ConstraintModel) -> None:
        self._model = model
        self._numbering = Numbering.in_order(model.problem, _LARGEST)
        self._taken, self._counts = {*_RESERVED.split()}, dict[str, int]()
        self._names = list(map(self._name, model.problem.variable_names))
        pairs = zip(model.problem.words, self._numbering.numbers.tolist(), self._numbering.is_own.tolist(), strict=True)
        self._words = [_number(number) if is_own else self._name(word) for word, number, is_own in pairs]

    def _name(self, name: str) -> str:
        """A new symbol that is like a name; those with a blank are left for other things."""
        return f"|{fresh_name(_UNQUOTABLE.sub('_', name), self._taken, self._counts)}|"

    def _scope(self, scope: Iterable[int]) -> str:
        return " ".join([self._names[variable] for variable in scope])

    def lines(self) -> Iterator[str]:
        model, problem, numbers = self._model, self._model.problem, self._numbering.numbers
        yield from (f"; {line}\n" for line in problem.title.split("\n") if problem.title)
        yield "(set-option :produce-models true)\n(set-logic QF_LIA)\n"
        for i in np.flatnonzero(~self._numbering.is_own).tolist():
            yield f"(define-fun {self._words[i]} () Int {_number(numbers[i])})\n"
        for i, values in enumerate(problem.domain_values, 1):
            low, high = numbers[values].min(), numbers[values].max()
            if high - low == len(values) - 1:
                yield f"(define-fun |domain {i}| ((|x| Int)) Bool {_between(low, '|x|', high)})\n"
            else:
                yield from self._function(f"|domain {i}|", Relation("Accept", values[:, None]))
        left_out = {state for known in model.sums for state in known.states}
        variables = [variable for variable in range(problem.n_variables) if variable not in left_out]
        for i in variables:
            domain = f"|domain {problem.variable_domains[i] + 1}|"
            yield f"(declare-const {self._names[i]} Int)\n(assert ({domain} {self._names[i]}))\n"
        yield from (f"(assert (distinct {self._scope(clique)}))\n" for clique in model.all_different)
        compared = list(model.exact(self._numbering))
        for case in compared:
            first, sign, second, *others = sentence(case.kind, ("{0}", "{1}"), case.constant, "").split()
            form = f"(= ({sign} {first} {second}) {_number(case.constant)})" if others else f"({sign} {first} {second})"
            for one, other in case.scopes.tolist():
                yield f"(assert {form.format(self._names[one], self._names[other])})\n"
        for known in model.sums:
            parts = [self._weight(term, self._names[i]) for i, term in zip(known.variables, known.terms, strict=True)]
            for n, ranges in known.ranges:
                total = f"(+ 0 {' '.join(parts[:n])})"
                yield f"(assert (or false {' '.join(_between(low, total, high) for low, high in ranges)}))\n"
        constraints = model.rest(*(case.constraints for case in compared))
        for i, places in by_value(problem.constraint_relations[constraints]):
            yield from self._function(f"|table {i + 1}|", problem.relations[i])
            scopes = problem.scopes_of(constraints[places]).tolist()
            yield from (f"(assert (|table {i + 1}| {self._scope(scope)}))\n" for scope in scopes)
        yield "(check-sat)\n" + f"(get-value ({self._scope(variables)}))\n" * bool(variables)

    def _weight(self, term: Term, name: str) -> str:
        if (line := term.line(self._numbering.numbers)) is not None:
            return f"(+ (* {_number(line[0])} {name}) {_number(line[1])})"
        text = "0"
        for word, weight in zip(term.words.tolist(), term.weights.tolist(), strict=True):
            text = f"(ite (= {name} {self._words[word]}) {_number(weight)} {text})" if weight else text
        return text

    def _function(self, name: str, table: Relation) -> Iterator[str]:
        parameters = [f"|x {i}|" for i in range(1, table.arity + 1)]
        head = " ".join(f"({parameter} Int)" for parameter in parameters)
        yield f"(define-fun {name} ({head}) Bool ({'not' if table.kind == 'Reject' else 'and true'} (or false\n"
        for row in table.tuples.tolist():
            cells = [f"(= {parameter} {self._words[word]})" for parameter, word in zip(parameters, row, strict=True)]
            yield f"  (and true {' '.join(cells)})\n"
        yield "  false)))\n"


def _number(number: int) -> str:
    return str(number) if number >= 0 else f"(- {-number})"


def _between(low: int, term: str, high: int) -> str:
    return f"(= {term} {_number(low)})" if low == high else f"(<= {_number(low)} {term} {_number(high)})"

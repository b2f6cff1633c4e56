"""What holds of every solution, in whatever form it is written: each variable once, with a value of its domain."""

from collections.abc import Collection

from f2csp.diagnostics import Collector, listed, near_word_hint, shown, spelling_hint
from f2csp.model import Domain, Problem, Value

_LISTED = 5  # names or values that a message lists

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
        label = f"{name} takes {listed(self._allowed[domain], _LISTED)}"
        hint = spelling_hint(word, self._allowed[domain])
        self.collector.add("F304", *place, message, label=label, hint=hint)

    def _tell_missing(self, n_missing: int, start: int, end: int) -> None:
        n_variables = self.problem.n_variables - len(self._optional)
        known = self._optional.union(self._places)
        missing = (name for name in self.problem.variable_names if name not in known)
        count = f"{n_missing} of {n_variables} variables"
        message = f"solution {len(self.solutions)} gives no value to {count}: {listed(missing, _LISTED, ', ')}"
        hint = "give each variable a value"
        if n_missing == n_variables:
            hint = "write its values, or remove it if no solution is meant"
        self.collector.add("F703", start, end, message, hint=hint)


def spelling(domain: Domain) -> dict[str, Value]:
    """The values of a domain by their words."""
    return dict(zip(domain.words, domain.values, strict=True))

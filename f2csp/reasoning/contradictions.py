"""What leads to a contradiction, by singles and rules, or by easier techniques."""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from operator import or_
from typing import NamedTuple

from f2csp.diagnostics import counted
from f2csp.reasoning.chains import longer
from f2csp.reasoning.hint_model import bits
from f2csp.reasoning.local_rules import LocalRule
from f2csp.reasoning.marks import Deduction, Marks

_MAX_SHORT, _MAX_ROUNDS = 3, 40
_MAX_WORK, _MAX_NESTED_WORK, _UNITS_PER_RULE = 2_500_000, 600_000, 10


class _Event(NamedTuple):
    """What happens in a hypothesis."""

    words: Callable[[], str]
    causes: int  # the literals whose absence leads to it
    removed: int


class _Hypothesis:
    """What follows if a literal is true, round by round, by singles and rules."""

    def __init__(self, marks: Marks, literal: int) -> None:
        self._marks, self.literal = marks, literal
        self._left, self._placed, self._seen = marks.left, marks.placed, marks.left
        self._events: list[_Event] = []
        self._place(literal, 0)

    def go_on(self) -> bool | None:
        """Work for a round; true if there is a contradiction, None if there is nothing more to do."""
        self._marks.check_time()
        model, before, n_before = self._marks.model, self._left, len(self._events)
        changed, self._seen = self._seen & ~before, before
        touched = reduce(or_, [model.units_of[literal] for literal in bits(changed)], 0)
        for unit in [model.units[number] for number in bits(touched)]:
            mask = unit.literals & before
            if not mask:
                self._add(partial(self._marks.describe_unit, unit), unit.literals, 0)
                return True
            if mask & (mask - 1) == 0 and not mask & self._placed:
                self._place(mask.bit_length() - 1, unit.literals ^ mask)
        for rule, scope in model.rule_scopes:
            if not scope & changed:
                continue
            domains = tuple([before >> v * model.width & model.full for v in rule.variables])
            after = rule.supported(domains)
            if after != domains:
                kept = sum(domain << v * model.width for v, domain in zip(rule.variables, after, strict=True))
                removed = scope & before & ~kept
                words = partial(self._words, rule, removed if all(after) else scope, is_wipeout=not all(after))
                self._add(words, scope & ~before, removed)
                if not all(after):
                    return True
        return False if len(self._events) > n_before else None

    def _words(self, rule: LocalRule, literals: int, *, is_wipeout: bool) -> str:
        marks = self._marks
        result = f"no value is left for {marks.places(literals)}" if is_wipeout else marks.rejected(literals)
        return f"{result}, as {marks.model.rule_words(rule)}"

    def _place(self, literal: int, causes: int) -> None:
        self._placed |= 1 << literal
        removed = self._marks.model.peers[literal] & self._left
        self._add(partial(self._marks.literal, literal), causes, removed)

    def _add(self, words: Callable[[], str], causes: int, removed: int) -> None:
        self._events.append(_Event(words, causes, removed))
        self._left &= ~removed

    def needed(self) -> list[_Event]:
        """The events that lead to the contradiction, which is the last one."""
        *events, last = self._events
        found, needed = [last], last.causes
        for event in reversed(events):
            if event.removed & needed:
                found.append(event)
                needed = needed & ~event.removed | event.causes
        return found[::-1]


def contradiction(marks: Marks, *, is_short: bool = False) -> Iterator[Deduction]:
    """Literals that lead to a contradiction, after fewest rounds first; of these the one with the fewest steps.

    Short ones, of three rounds, are for problems with other rules than groups: they are how the rules work together.
    """
    is_tried = _work(marks) <= _MAX_WORK and (marks.model.rules or not is_short)
    hypotheses = [_Hypothesis(marks, b) for b in bits(marks.open)] if is_tried else []
    for n_rounds in range(_MAX_SHORT if is_short else _MAX_ROUNDS):
        outcomes = [(hypothesis, hypothesis.go_on()) for hypothesis in hypotheses]
        refuted = [(hypothesis.needed(), hypothesis.literal) for hypothesis, is_refuted in outcomes if is_refuted]
        for events, literal in sorted(refuted, key=lambda item: len(item[0])):
            difficulty = 6.1 + 0.2 * n_rounds if is_short else 8.2 + longer(4 * len(events))
            name = "short contradiction" if is_short else "contradiction"
            words = ", then ".join([event.words() for event in events])
            yield _refuted(marks, name, difficulty, literal, f"if {words}")
        hypotheses = [hypothesis for hypothesis, is_refuted in outcomes if is_refuted is False]


def nested_contradiction(marks: Marks, next_step: Callable[[Marks], Deduction | None]) -> Iterator[Deduction]:
    """Literals that lead to a contradiction by other techniques."""
    for literal in bits(marks.open) if _work(marks) <= _MAX_NESTED_WORK else ():
        assumed, n_steps = marks.after(0, [literal]), 0
        while not assumed.wipeout and (step := next_step(assumed)):
            assumed, n_steps = assumed.after(step.removed, step.placed), n_steps + 1
        if assumed.wipeout:
            ending = f"then after {counted(n_steps, 'step')} {marks.describe_unit(assumed.wipeout)}"
            reason = f"if {marks.literal(literal)}, {ending}"
            yield _refuted(marks, "nested contradiction", 9.3 + longer(4 * n_steps), literal, reason)


def _work(marks: Marks) -> int:
    """About the number of units and rules that are looked at to assume each literal for a round."""
    return marks.open.bit_count() * (len(marks.model.units) + _UNITS_PER_RULE * len(marks.model.rules))


def _refuted(marks: Marks, name: str, difficulty: float, literal: int, reason: str) -> Deduction:
    others = marks.left & marks.model.cells[literal // marks.model.width] & ~(1 << literal)
    placed = (others.bit_length() - 1,) if others.bit_count() == 1 else ()
    return Deduction(name, difficulty, 1 << literal, marks.place(literal), reason, 1 << literal, placed)

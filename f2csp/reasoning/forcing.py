"""What follows in all cases, and what leads to a contradiction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from f2csp.reasoning.chains import Closure, closures, longer
from f2csp.reasoning.hint_model import Unit, bits
from f2csp.reasoning.local_rules import LocalRule
from f2csp.reasoning.marks import Deduction, Marks

_MAX_SHORT, _MAX_ROUNDS = 3, 40


def forcing_chains(marks: Marks) -> Iterator[Deduction]:
    """Whatever of three or more literals of a unit is true, chains lead to the same result; the shortest first."""
    found: list[tuple[float, int, int, Unit, dict[int, Closure]]] = []
    all_closures = closures(marks)
    for unit in marks.model.units:
        cases = [*bits(unit.literals & marks.left)]
        if len(cases) < 3:
            continue
        off, on = marks.left, marks.open
        for case in cases:
            off &= all_closures[case].off
            on &= all_closures[case].on
        of_unit = {case: all_closures[case] for case in cases}
        for literal in bits(off):
            length = sum(2 * closure.length(literal) + 1 for closure in of_unit.values())
            found.append((8.0 + longer(length), literal, 0, unit, of_unit))
        for literal in bits(on & ~off):
            length = sum(2 * closure.length(literal) for closure in of_unit.values())
            found.append((8.0 + longer(length), literal, 1, unit, of_unit))
    for difficulty, literal, is_on, unit, of_unit in sorted(found, key=lambda item: item[:3]):

        def reason(unit: Unit = unit, of_unit: dict[int, Closure] = of_unit, literal: int = literal) -> str:
            cases = "; ".join(
                [f"if {marks.literal(case)}, {closure.words(literal)}" for case, closure in of_unit.items()]
            )
            where = (
                f"{marks.value(next(iter(of_unit)))} in {unit.house.name}"
                if unit.house
                else marks.places(unit.literals)
            )
            return f"it follows from all cases of {where}: {cases}"

        name = f"{'region' if unit.house else 'cell'} forcing chains"
        placed, removed = ((literal,), 0) if is_on else ((), 1 << literal)
        where = unit.house.name if unit.house else marks.places(unit.literals)
        yield Deduction(name, difficulty, placed, removed, unit.literals & marks.left, (where,), reason)


@dataclass(frozen=True, slots=True)
class _Event:
    """Literals that are removed because others were."""

    causes: int
    removed: int
    placed: int | None
    unit: Unit | None = None
    rule: LocalRule | None = None


class _Hypothesis:
    """What follows if a literal is true, round by round, by singles and rules."""

    def __init__(self, marks: Marks, literal: int) -> None:
        self.marks, self.literal = marks, literal
        self.events = [_Event(0, marks.model.peers[literal] & marks.left, literal)]
        self.left = marks.left & ~self.events[0].removed
        self.placed = marks.placed | 1 << literal

    def go_on(self) -> bool | None:
        """Work for a round; true if there is a contradiction, None if there is nothing more to do."""
        model, before, n_before = self.marks.model, self.left, len(self.events)
        for unit in model.units:
            mask = unit.literals & before
            if not mask:
                self.events.append(_Event(unit.literals, 0, None, unit))
                return True
            if mask & (mask - 1) == 0 and not mask & self.placed:
                literal = mask.bit_length() - 1
                self._add(_Event(unit.literals ^ mask, model.peers[literal] & self.left, literal, unit))
        for rule in model.rules:
            width, full = model.width, model.full
            domains = tuple([before >> v * width & full for v in rule.variables])
            if not all(domains):
                continue
            after = rule.supported(domains)
            if after != domains:
                scope = sum(model.cells[v] for v in rule.variables)
                kept = sum(domain << v * width for v, domain in zip(rule.variables, after, strict=True))
                self._add(_Event(scope & ~before, scope & before & ~kept, None, None, rule))
                if not all(after):
                    return True
        return False if len(self.events) > n_before else None

    def _add(self, event: _Event) -> None:
        self.events.append(event)
        self.left &= ~event.removed
        if event.placed is not None:
            self.placed |= 1 << event.placed

    def needed(self) -> list[_Event]:
        """The events that lead to the contradiction, the last one."""
        last = self.events[-1]
        found, causes = [last], last.causes
        for event in reversed(self.events[:-1]):
            if event.removed & causes:
                found.append(event)
                causes = causes & ~event.removed | event.causes
        return found[::-1]


def contradiction(marks: Marks, *, is_short: bool = False) -> Iterator[Deduction]:
    """Literals that lead to a contradiction, after fewest rounds first; of these the one with the fewest steps.

    Short ones, of three rounds, are for problems with other rules than groups: they are how the rules work together.
    """
    if is_short and not marks.model.rules:
        return
    open_hypotheses = [_Hypothesis(marks, b) for b in bits(marks.open)]
    for n_rounds in range(_MAX_SHORT if is_short else _MAX_ROUNDS):
        outcomes = [(hypothesis, hypothesis.go_on()) for hypothesis in open_hypotheses]
        refuted = [(hypothesis.needed(), hypothesis) for hypothesis, outcome in outcomes if outcome]
        for events, hypothesis in sorted(refuted, key=lambda item: len(item[0])):
            difficulty = 4.6 + 0.2 * n_rounds if is_short else 8.5 + longer(4 * len(events))
            pattern = sum({1 << e.placed for e in events if e.placed is not None})

            def reason(events: list[_Event] = events) -> str:
                return f"if {_chain_words(marks, events)}"

            literal = 1 << hypothesis.literal
            width = marks.model.width
            others = marks.left & marks.model.cells[hypothesis.literal // width] & ~literal
            placed = (others.bit_length() - 1,) if others.bit_count() == 1 else ()
            where = (marks.place(hypothesis.literal),)
            name = "short contradiction" if is_short else "contradiction"
            yield Deduction(name, difficulty, placed, literal, pattern, where, reason)
        open_hypotheses = [hypothesis for hypothesis, outcome in outcomes if outcome is False]


def nested_contradiction(marks: Marks, next_step: Callable[[Marks], Deduction | None]) -> Iterator[Deduction]:
    """Literals that lead to a contradiction by other techniques."""
    for literal in bits(marks.open):
        assumed, n_steps = marks.after(0, [literal]), 0
        while not assumed.wipeout and (step := next_step(assumed)):
            assumed, n_steps = assumed.after(step.removed, step.placed), n_steps + 1
        if assumed.wipeout:

            def reason(literal: int = literal, n_steps: int = n_steps, unit: Unit = assumed.wipeout) -> str:
                return f"if {marks.literal(literal)}, then after {n_steps} steps {marks.describe_unit(unit)}"

            difficulty, where = 9.3 + longer(4 * n_steps), (marks.place(literal),)
            yield Deduction("nested contradiction", difficulty, (), 1 << literal, 1 << literal, where, reason)


def _chain_words(marks: Marks, events: list[_Event]) -> str:
    parts = []
    for event in events:
        if event.placed is not None:
            parts.append(marks.literal(event.placed))
        elif event.rule:
            parts.append(marks.model.rule_words(event.rule))
        elif event.unit:
            parts.append(marks.describe_unit(event.unit))
    return ", then ".join(parts)

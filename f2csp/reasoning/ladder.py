"""The ladder of techniques, the easiest first.

The difficulties are those of Sudoku Explainer, and of its successor Sukaku Explainer where the former has none, such as
turbot fish; those of rules that Sudoku does not have are on the same scale.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from math import inf
from typing import NamedTuple

from f2csp.diagnostics import F2cspError, counted, near_word_hint
from f2csp.reasoning.chains import alternating_chains, of_variable, simple_colouring, w_wing, x_chains, xyz_wing
from f2csp.reasoning.contradictions import contradiction, nested_contradiction
from f2csp.reasoning.groups import (
    direct_hidden_subset,
    direct_locked,
    fish,
    full_house,
    hidden_single,
    hidden_subset,
    locked,
    naked_single,
    naked_subset,
)
from f2csp.reasoning.local_rules import LocalRule, Masks
from f2csp.reasoning.marks import Deduction, Marks
from f2csp.reasoning.uniqueness import bivalue_grave, hidden_rectangle, unique_rectangle


class Technique(NamedTuple):
    """A rung of the ladder."""

    difficulty: float  # of its easiest steps
    name: str  # in the literature
    find: Callable[[Marks], Iterator[Deduction]]
    is_rated: bool = True  # whether published ratings know it
    is_for_unique: bool = False  # whether it assumes that there is one solution


_View = Callable[[Marks, LocalRule], Callable[[Masks], Masks] | None]
"""What to take of a rule: what it leaves of domains, or nothing."""


def _of_rule(difficulty: float, name: str, kind: str = "", view: _View = lambda _, rule: rule.supported) -> Technique:
    """What each rule of a kind leaves."""

    def find(marks: Marks) -> Iterator[Deduction]:
        for rule in marks.model.rules_by_technique.get(kind or name, ()):
            if supported := view(marks, rule):
                yield from _from_rule(marks, rule, supported, name, difficulty)

    return Technique(difficulty, name, find)


def _last_variable(marks: Marks, rule: LocalRule) -> Callable[[Masks], Masks] | None:
    return rule.supported if sum(domain & (domain - 1) > 0 for domain in marks.of_rule(rule)) == 1 else None


def _blank_board(marks: Marks, rule: LocalRule) -> Callable[[Masks], Masks]:
    model = marks.model
    blank = rule.supported(tuple([model.cells[v] >> v * model.width for v in rule.variables]))
    return lambda domains: tuple([one & other for one, other in zip(blank, domains, strict=True)])


def _from_joint_rules(marks: Marks) -> Iterator[Deduction]:
    for joint in marks.model.joint_rules:
        yield from _from_rule(marks, joint.rule, joint.supported, "impossible combinations", 3.3, len(joint.others))


def _from_rule(
    marks: Marks, rule: LocalRule, supported: Callable[[Masks], Masks], name: str, difficulty: float, n_others: int = 0
) -> Iterator[Deduction]:
    """The values that one rule rejects, whatever its other variables are, or this with others on its variables."""
    width = marks.model.width
    before = marks.of_rule(rule)
    after = supported(before)
    if after == before:
        return
    pairs = [(v, old, new) for v, old, new in zip(rule.variables, before, after, strict=True) if old != new]
    removed = sum((old & ~new) << v * width for v, old, new in pairs)
    placed = tuple([v * width + new.bit_length() - 1 for v, _, new in pairs if new.bit_count() == 1])
    pattern = sum(domain << v * width for v, domain in zip(rule.variables, before, strict=True))
    if name == "three alike":
        name += " (gap)" if rule.variables[1] in {literal // width for literal in placed} else " (pair)"
    others = f", and {counted(n_others, 'other rule')} on its {marks.noun}s" if n_others else ""
    words = marks.model.rule_words(rule)
    yield Deduction(name, difficulty, pattern, marks.places(pattern), words + others, removed, placed)


_AIC, _GROUPED = "alternating inference chain", "grouped alternating inference chain"
LADDER = (
    Technique(1.0, "full house", full_house),
    _of_rule(1.1, "three alike"),
    Technique(1.2, "hidden single", hidden_single),
    _of_rule(1.2, "single gap", "full count", _last_variable),
    _of_rule(1.3, "overlap of blocks", "line solving", _blank_board),
    _of_rule(1.4, "full count"),
    _of_rule(1.4, "line solving"),
    _of_rule(1.5, "edge clue initialization", "edge clue elimination", _blank_board),
    _of_rule(1.6, "comparison"),
    Technique(1.7, "direct locked candidates", direct_locked),
    _of_rule(1.8, "sum combinations"),
    _of_rule(1.8, "cage combinations"),
    _of_rule(2.0, "innies and outies"),
    Technique(2.0, "direct hidden pair", partial(direct_hidden_subset, size=2)),
    _of_rule(2.1, "equal lines"),
    _of_rule(2.2, "value without support"),
    _of_rule(2.2, "edge clue elimination"),
    _of_rule(2.2, "rule"),
    Technique(2.3, "naked single", naked_single),
    Technique(2.5, "direct hidden triple", partial(direct_hidden_subset, size=3)),
    Technique(2.6, "locked candidates", locked),
    Technique(3.0, "naked pair", partial(naked_subset, size=2)),
    Technique(3.2, "X-wing", partial(fish, size=2)),
    Technique(3.3, "impossible combinations", _from_joint_rules),
    Technique(3.4, "hidden pair", partial(hidden_subset, size=2)),
    Technique(3.6, "naked triple", partial(naked_subset, size=3)),
    Technique(3.8, "swordfish", partial(fish, size=3)),
    Technique(4.0, "hidden triple", partial(hidden_subset, size=3)),
    Technique(4.0, "turbot fish", partial(x_chains, name="turbot fish", most=2)),
    Technique(4.2, "XY-wing", partial(alternating_chains, name="XY-wing", base=4.1, fits=of_variable, least=3, most=3)),
    Technique(4.3, "simple colouring", simple_colouring, is_rated=False),
    Technique(4.4, "XYZ-wing", xyz_wing),
    Technique(4.4, "W-wing", w_wing, is_rated=False),
    Technique(4.5, "unique rectangle", unique_rectangle, is_for_unique=True),
    Technique(4.7, "hidden rectangle", hidden_rectangle, is_rated=False, is_for_unique=True),
    Technique(5.0, "naked quad", partial(naked_subset, size=4)),
    Technique(5.2, "jellyfish", partial(fish, size=4)),
    Technique(5.4, "hidden quad", partial(hidden_subset, size=4)),
    Technique(5.4, "X-chain", partial(x_chains, name="X-chain", least=3)),
    Technique(5.6, "bivalue universal grave", bivalue_grave, is_for_unique=True),
    Technique(6.1, "short contradiction", partial(contradiction, is_short=True)),
    Technique(6.6, "XY-chain", partial(alternating_chains, name="XY-chain", base=6.6, fits=of_variable)),
    Technique(7.0, _AIC, partial(alternating_chains, name=_AIC, base=7.0)),
    Technique(7.2, _GROUPED, partial(alternating_chains, name=_GROUPED, base=7.2, grouped=True), is_rated=False),
    Technique(8.2, "contradiction", contradiction),
)


_WITHIN = [technique for technique in LADDER if technique.difficulty < 4 and technique.is_rated]
_nested = partial(nested_contradiction, next_step=lambda marks: _first(_WITHIN, marks))
_ALL = (*LADDER, Technique(9.3, "nested contradiction", _nested))
ASSUMING_ONE_SOLUTION = frozenset(technique.name for technique in _ALL if technique.is_for_unique)


def next_step(marks: Marks, *, unique: bool = True, is_rating: bool = False, most: float = inf) -> Deduction | None:
    """The first step of the easiest technique that finds one, up to a difficulty."""
    easy = [technique for technique in _ALL if technique.difficulty <= most]
    step = _first([t for t in easy if (t.is_rated or not is_rating) and (unique or not t.is_for_unique)], marks)
    return step if step and step.difficulty <= most else None


def _first(techniques: Iterable[Technique], marks: Marks) -> Deduction | None:
    for technique in techniques:
        marks.check_time()
        for step in technique.find(marks):
            return step
    return None


def technique_named(name: str) -> Technique:
    """The technique of a name, with hyphens or blanks; raises F2cspError if there is none."""
    words = name.replace("-", " ").casefold()
    found = next((t for t in _ALL if t.name.replace("-", " ").casefold() == words), None)
    if found is None:
        names = [t.name.replace(" ", "-") for t in _ALL]
        raise F2cspError(f"there is no technique {name!r}; {near_word_hint(name, names) or ', '.join(names)}")
    return found

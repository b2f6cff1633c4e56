"""Hints and ratings: the ladder climbed step by step, always by the easiest step there is."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf

from f2csp.diagnostics import Unsuitable
from f2csp.model import Problem, Value, expect_problem
from f2csp.notebook import Lines
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.recognise import recognise
from f2csp.reasoning.hint_model import HintModel, bits, model_of_blank
from f2csp.reasoning.ladder import next_step
from f2csp.reasoning.marks import Deduction, LateError, Marks

GRADES = {"easy": 2.3, "medium": 3.4, "hard": 6.5, "expert": inf}
"""The difficulty of the hardest step that each grade may have."""

NO_STEP, LATE = "there is no step without a guess", "the time limit was reached"
_SOLVED = "it is solved"


@dataclass(frozen=True, slots=True, repr=False)
class Hint(Lines):
    """The next step, true if there is one.

    Attributes:
        technique: the name of the technique; empty if there is no step.
        sentence: what follows, and why; or why there is no step.
        difficulty: on the scale of Sudoku Explainer.
        placed: the values that are found, by variables.
        removed: the values that are ruled out, by variables.
        pattern: the variables that show it.
        where: the groups, or the variables, to look at.
        values: the values that were known before, by variables.
        left: the values that were left before of the other variables.
        has_solution: whether the problem may have one: if not, there is no step, and the sentence says why.
    """

    technique: str
    sentence: str
    difficulty: float = 0.0
    placed: Mapping[str, Value] = field(default_factory=dict)
    removed: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    pattern: tuple[str, ...] = ()
    where: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    left: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    has_solution: bool = True

    @property
    def clue(self) -> str:
        """Where to look, without the result."""
        return f"{self.technique} in {self.where}" if self else self.sentence

    def __bool__(self) -> bool:
        return self.technique != ""

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<Hint: {self.technique or 'none'}: {self.sentence}>"


def steps_of(
    problem: Problem | Puzzle,
    given: Mapping[str, Value] | None = None,
    *,
    unique: bool = True,
    solution: Mapping[str, Value] | None = None,
    seconds: float | None = None,
) -> Iterator[Hint]:
    """The steps one after the other, at the end a false one, whether or not the problem has a solution.

    The arguments are those of :func:`f2csp.hints`.
    """
    find = partial(next_step, unique=unique)
    for marks, step, reason in _walk(*_start(problem, given or {}, seconds), find, solution):
        if step:
            yield _as_hint(marks, step)
        else:
            is_possible = reason in (NO_STEP, LATE, _SOLVED)
            known = _values_of(marks, bits(marks.placed))
            yield Hint("", reason, values=known, left=_left(marks), has_solution=is_possible)


def _walk(
    marks: Marks, reason: str, find: Callable[[Marks], Deduction | None], solution: Mapping[str, Value] | None = None
) -> Iterator[tuple[Marks, Deduction | None, str]]:
    """The steps, each with the marks before it; at the end none, and why there are no more."""
    with suppress(LateError):
        while not (reason := reason or _end(marks)):
            reason = LATE
            step = find(marks) or (_guess(marks, solution) if solution else None)
            reason = "" if step else NO_STEP
            if step:
                yield marks, step, ""
                marks = marks.after(step.removed, step.placed)
    yield marks, None, reason


def _start(problem: Problem | Puzzle, given: Mapping[str, Value], seconds: float | None) -> tuple[Marks, str]:
    """The marks, and why there is no solution as far as it is clear."""
    puzzle = problem if isinstance(problem, Puzzle) else None
    if not isinstance(problem, Puzzle):
        expect_problem(problem)
        with suppress(Unsuitable):
            puzzle = recognise(problem)
    if puzzle is not None:
        model = model_of_blank(replace(puzzle, clues=()))
    elif isinstance(problem, Problem):
        model = HintModel(problem, None)
    clues = {f"V{clue.row}-{clue.column}": puzzle.word(clue.value) for clue in puzzle.clues} if puzzle else {}
    literals = [model.number(name, value) for name, value in [*clues.items(), *given.items()]]
    conflict = next(puzzle.conflicts(), None) if puzzle else None
    return Marks.of(model, literals, seconds), f"there is no solution: {conflict.message}" if conflict else ""


def _end(marks: Marks) -> str:
    """Why there is no further step, if that is clear."""
    if marks.wipeout:
        return f"there is no solution: {marks.describe_unit(marks.wipeout)}"
    if not marks.is_solved:
        return ""
    broken = next((rule for rule in marks.model.rules if not all(rule.supported(marks.of_rule(rule)))), None)
    return f"there is no solution: broken is that {marks.model.rule_words(broken)}" if broken else _SOLVED


def _guess(marks: Marks, solution: Mapping[str, Value]) -> Deduction:
    """The value of the first variable with the fewest values."""
    model = marks.model
    n_values = {v: domain.bit_count() for v, domain in enumerate(marks.domains) if domain.bit_count() > 1}
    variable = min(n_values, key=n_values.__getitem__)
    literal = model.number(model.variables[variable], solution[model.variables[variable]])
    return Deduction("guess", 12.0, 1 << literal, marks.place(literal), "a solution has it", placed=(literal,))


def _values_of(marks: Marks, placed: Iterable[int]) -> dict[str, Value]:
    return {marks.model.variables[b // marks.model.width]: marks.model.value(b) for b in placed}


def _left(marks: Marks, literals: int | None = None) -> dict[str, tuple[Value, ...]]:
    """The values of some literals, or of those that are open, by variables."""
    found: dict[str, tuple[Value, ...]] = {}
    for b in bits(marks.open if literals is None else literals):
        name = marks.model.variables[b // marks.model.width]
        found[name] = (*found.get(name, ()), marks.model.value(b))
    return found


def _as_hint(marks: Marks, step: Deduction) -> Hint:
    sentence, difficulty = f"{marks.action(step)}: {step.reason}", round(step.difficulty, 1)
    placed, removed = _values_of(marks, step.placed), _left(marks, marks.left & step.removed)
    names = dict.fromkeys([marks.model.variables[b // marks.model.width] for b in bits(step.pattern)])
    known = _values_of(marks, bits(marks.placed))
    return Hint(step.technique, sentence, difficulty, placed, removed, tuple(names), step.where, known, _left(marks))


@dataclass(frozen=True, slots=True, repr=False)
class Rating(Lines):
    """How hard a problem is for people, true if it is solved without a guess.

    Attributes:
        difficulty: that of its hardest step; of a Sudoku by the published table of Sudoku Explainer.
        grade: the difficulty in a word: easy, medium, hard or expert; ``unsolved`` if a guess is needed,
            ``unsatisfiable`` if there is no solution, as the steps show, or ``unknown`` at the time limit.
        hardest: the technique of the hardest step.
        techniques: for each technique the number of steps, the easiest first.
        outcome: how the steps end, in a sentence.
    """

    difficulty: float
    grade: str
    hardest: str
    techniques: Mapping[str, int]
    outcome: str

    def __bool__(self) -> bool:
        return self.outcome == _SOLVED

    def __str__(self) -> str:
        counts = ", ".join([f"{n} {name}" for name, n in self.techniques.items()])
        if not self:
            return f"{self.grade}: {self.outcome}"
        return f"{self.grade}, {self.difficulty:.1f}: {counts or 'no step is left'}"

    def __repr__(self) -> str:
        return f"<Rating: {self}>"


def rating_by_steps(problem: Problem | Puzzle, *, most: float = inf, seconds: float | None = None) -> Rating:
    """The rating of a problem that has one solution, as some techniques assume; what needs more than ``most`` has none.

    Raises:
        Unsuitable: the problem has too many values.
    """
    hardest: dict[str, float] = {}
    counts: Counter[str] = Counter()
    find = partial(next_step, is_rating=True, most=most)
    for _, step, reason in _walk(*_start(problem, {}, seconds), find):  # noqa: B007 - the last is used
        if step:
            counts[step.technique] += 1
            hardest[step.technique] = max(hardest.get(step.technique, 0.0), step.difficulty)
    difficulty = max(hardest.values(), default=0.0)
    grade = next(grade for grade, limit in GRADES.items() if difficulty <= limit)
    if reason != _SOLVED:
        grade = {NO_STEP: "unsolved", LATE: "unknown"}.get(reason, "unsatisfiable")
    in_order = {name: counts[name] for name in sorted(counts, key=lambda name: hardest[name])}
    return Rating(round(difficulty, 1), grade, next(reversed(in_order), ""), in_order, reason)

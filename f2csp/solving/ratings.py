"""Hints and ratings that know whether there is a solution, and one alone, as the techniques of people assume."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf

from f2csp.diagnostics import Unsuitable
from f2csp.model import Problem, Value
from f2csp.model.arguments import values_by_name
from f2csp.puzzles.puzzle import Puzzle, cell_of
from f2csp.puzzles.recognise import recognise
from f2csp.puzzles.to_problem import to_problem
from f2csp.reasoning.hints import Hint, Rating, rating_by_steps, steps_of
from f2csp.reasoning.ladder import ASSUMING_ONE_SOLUTION
from f2csp.reasoning.marks import enumerated
from f2csp.solving.explanation import contradicting_values
from f2csp.solving.questions import Uniqueness, solve, unique
from f2csp.solving.search_run import Status

_SECONDS = 10.0  # the time limit of the search for a second solution
_SECONDS_OF_HINT = 1.0  # of the search for a solution before a hint, and of that for wrong entries
_MAX_ENTRIES = 6  # in a sentence
_NO_SOLUTION = "there is no solution"


def hint(problem: Problem | Puzzle, given: Mapping[str, Value] | None = None, *, unique: bool = True) -> Hint:
    """The easiest next step towards the solution, in words.

    Args:
        problem: the problem, or a puzzle.
        given: the values that are known, by variables, in addition to those of the problem.
        unique: whether to assume that there is one solution, as some techniques do.

    Returns:
        The step; false if there is none without a guess, if all variables have a value, or if there is no solution, as
        a short search shows: then the sentence says so, and ``pattern`` has the entries of which one is wrong.

    Raises:
        ProblemError: a variable or a value in ``given`` is unknown.
        Unsuitable: the problem has too many values.

    Example:
        >>> from f2csp.puzzles.latin import LatinSquare
        >>> print(hint(LatinSquare(2), {"V1-1": 2}))
        1 goes to row 1, column 2: it is the last open cell of row 1
    """
    return next(hints(problem, given, unique=unique))


def hints(
    problem: Problem | Puzzle,
    given: Mapping[str, Value] | None = None,
    *,
    unique: bool = True,
    solution: Mapping[str, Value] | None = None,
    seconds: float | None = None,
    verdict: Uniqueness = Uniqueness.UNKNOWN,
) -> Iterator[Hint]:
    """The steps one after the other, at the end a false one; as :func:`hint`.

    Args:
        problem: the problem, or a puzzle.
        given: the values that are known.
        unique: whether to assume that there is one solution.
        solution: where there is no step without a guess, one of its values is the next step.
        seconds: the time limit.
        verdict: what is known of the number of solutions; if nothing is, a solution is looked for first.

    Example:
        >>> from f2csp.puzzles.latin import LatinSquare
        >>> [step.technique for step in hints(LatinSquare(2), {"V1-1": 2})]
        ['full house', 'full house', 'full house', '']
    """
    given = values_by_name(given)
    steps = steps_of(problem, given, unique=unique, solution=solution, seconds=seconds)
    first = next(steps)
    if first.left and first.has_solution and solution is None:
        tables = (to_problem(problem) if isinstance(problem, Puzzle) else problem).restricted(given)
        limit = _SECONDS_OF_HINT if seconds is None else min(seconds, _SECONDS_OF_HINT)
        if verdict == Uniqueness.UNKNOWN and solve(tables, seconds=limit).status == Status.UNSATISFIABLE:
            verdict = Uniqueness.NONE
        if verdict == Uniqueness.NONE:
            yield _without_step(first, problem, tables, given, limit)
            return
    yield first
    yield from steps


def _without_step(
    step: Hint, problem: Problem | Puzzle, tables: Problem, given: Mapping[str, Value], seconds: float
) -> Hint:
    """In place of a step, that there is no solution, and the entries of which one is wrong, if they are found soon."""
    puzzle = problem if isinstance(problem, Puzzle) else None
    with suppress(Unsuitable):
        puzzle = puzzle or recognise(tables)
    clues = {f"V{clue.row}-{clue.column}" for clue in puzzle.clues} if puzzle else set()
    values = contradicting_values(tables, clues | given.keys(), seconds)
    form = "{value} at {cell}" if puzzle else "{name} = {value}"
    words = [form.format(name=name, cell=cell_of(name), value=value) for name, value in values.items()]
    are_few = len(words) <= _MAX_ENTRIES
    which = enumerated(words, "or") if are_few else f"one of {len(words)} that contradict each other"
    sentence = f"{_NO_SOLUTION}: an entry is wrong, {which}" if words else _NO_SOLUTION
    return Hint("", sentence, pattern=tuple(values), values=step.values, left=step.left, has_solution=False)


def has_several_solutions(problem: Problem | Puzzle, seconds: float | None = None) -> bool:
    """Whether a second solution is found soon."""
    return _verdict(problem, seconds) == Uniqueness.MULTIPLE


def _verdict(problem: Problem | Puzzle, seconds: float | None) -> Uniqueness:
    tables = to_problem(problem) if isinstance(problem, Puzzle) else problem
    return unique(tables, seconds=_SECONDS if seconds is None else min(seconds, _SECONDS)).uniqueness


def rate(problem: Problem | Puzzle, *, most: float = inf, seconds: float | None = None) -> Rating:
    """Rate how hard a problem is for people; with several solutions it is ``unsolved``, and the outcome says so.

    Args:
        problem: the problem, or a puzzle.
        most: the difficulty of the hardest step to take; what needs a harder one is ``unsolved``.
        seconds: the time limit.

    Raises:
        Unsuitable: the problem has too many values.

    Example:
        >>> from f2csp import generate
        >>> rate(generate("sudoku", box=2, fill=0.8, seed=1)).grade
        'easy'
    """
    rating = rating_by_steps(problem, most=most, seconds=seconds)
    is_proven = rating.grade != "unsolved" and ASSUMING_ONE_SOLUTION.isdisjoint(rating.techniques)
    verdict = Uniqueness.UNKNOWN if rating.grade == "unknown" or is_proven else _verdict(problem, seconds)
    if verdict == Uniqueness.NONE:
        return replace(rating, grade="unsatisfiable", outcome=_NO_SOLUTION)
    if verdict == Uniqueness.MULTIPLE:
        return replace(rating, grade="unsolved", outcome="it has several solutions")
    return rating

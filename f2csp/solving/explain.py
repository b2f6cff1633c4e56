"""Why a problem has no solution: a minimal set of its own constraints that cannot hold together.

First whole parts are tried: a given, a row that must be all different, the balance of a line. Of the parts that are
left when none can be spared, the single constraints are tried likewise. Deletion with refinement by cores:
Marques-Silva, "Minimal unsatisfiability: models, algorithms and applications", 2010.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from time import monotonic

from f2csp.model import Problem
from f2csp.puzzles.puzzle import Puzzle
from f2csp.puzzles.squares import cell_of
from f2csp.solving.oracle import Oracle, OutOfTimeError
from f2csp.solving.parts import Part, parts_of
from f2csp.solving.result import Limits, Status
from f2csp.solving.wording import Wording
from f2csp.structure import recover

Core = list[int]
Ask = Callable[[Sequence[int]], Core | None]
"""Whether parts, by number, can hold together: None if they can, or else some of them that cannot."""

_TRIES = 20  # orders in which parts are left out; the fewest that remain are told
_SECONDS_OF_TRIES = 1.0
_FEW = 3  # parts than which none need be looked for that are fewer


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why there is no solution.

    Attributes:
        status: ``unsatisfiable``; or ``satisfiable`` or ``unknown``, and there is nothing to explain.
        parts: the parts that cannot hold together, every one of which is needed.
        words: what each of them says.
        constraints: of their constraints, those that cannot hold together, as indices in ascending order.
        is_minimal: whether each set of one constraint less was found to have a solution; not if the time was over.
    """

    status: Status
    parts: tuple[Part, ...] = ()
    words: tuple[str, ...] = ()
    constraints: tuple[int, ...] = ()
    is_minimal: bool = False


def explain(problem: Problem, limits: Limits | None = None, *, puzzle: Puzzle | None = None) -> Explanation:
    """Find out why a problem has no solution.

    Args:
        problem: the problem.
        limits: the seconds and the seed; the others have no effect.
        puzzle: the puzzle that it is, if it is one: it is explained in its words.

    Raises:
        MissingExtra: the SAT solver is not installed.
    """
    limits = limits or Limits()
    end = None if limits.seconds is None else monotonic() + limits.seconds
    structure = recover(problem)
    auxiliary = [name for name in problem.variable_names if puzzle is not None and cell_of(name) is None]
    parts = parts_of(problem, structure, auxiliary)
    try:
        ask = Oracle(problem, parts, end).core
        core = ask(range(len(parts)))
    except OutOfTimeError:
        return Explanation(Status.UNKNOWN)
    if core is None:
        return Explanation(Status.SATISFIABLE)
    chosen = [parts[i] for i in _fewest(core, parts, ask, limits.seed)]
    constraints = sorted({constraint for part in chosen for constraint in part.constraints})
    kept, is_minimal = _shrunk(range(len(constraints)), Oracle(problem, [Part((c,)) for c in constraints], end).core)
    in_words = Wording(problem, structure.meanings, puzzle)
    return Explanation(
        Status.UNSATISFIABLE,
        tuple(chosen),
        tuple(map(in_words, chosen)),
        tuple(constraints[i] for i in sorted(kept)),
        is_minimal,
    )


def _fewest(core: Core, parts: Sequence[Part], ask: Ask, seed: int) -> Core:
    """The fewest parts that are found to be needed, and of as many the more telling ones.

    They are left out in one order after the other; those that tell least first.
    """
    random = Random(seed)  # noqa: S311 - no secret depends on it
    end = monotonic() + _SECONDS_OF_TRIES

    def cost(core: Core) -> tuple[int, int]:
        return len(core), sum(not parts[part].is_telling for part in core)

    best, _ = _shrunk(core, ask)
    for _ in range(_TRIES):
        if monotonic() > end or len(best) <= _FEW:
            break
        order = list(range(len(parts)))
        random.shuffle(order)
        order.sort(key=lambda part: not parts[part].is_telling)
        best = min(best, _shrunk(order, ask)[0], key=cost)
    return sorted(best)


def _shrunk(parts: Sequence[int], ask: Ask) -> tuple[Core, bool]:
    """Of parts that cannot hold together some of which none can be spared, the last ones left out first.

    Returns:
        These; and whether the time sufficed, for else some may be left that can be spared.
    """
    needed: Core = []
    rest = list(parts)
    try:
        while rest:
            tried = rest.pop()
            core = ask([*needed, *rest])
            if core is None:
                needed.append(tried)
            else:
                known = set(core)
                rest = [part for part in rest if part in known]
    except OutOfTimeError:
        return [*needed, *rest, tried], False
    return needed, True

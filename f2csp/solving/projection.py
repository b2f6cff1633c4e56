"""The variables in which solutions of an instance must differ to count as distinct."""

from f2csp.diagnostics import ProblemError, Unsuitable
from f2csp.instances import Instance
from f2csp.model.words import is_auxiliary
from f2csp.puzzles.puzzle import cell_names, cell_of
from f2csp.solving.search_run import Limits


def limits_for(
    instance: Instance, solutions: int | None, wanted: str | None, seconds: float | None, workers: int | None, seed: int
) -> Limits:
    """The limits of a search for a number of solutions, None for all, that differ in the wanted variables."""
    # A single solution has no others to differ from, so the puzzle need not be recognised.
    names = None if solutions == 1 and wanted is None else projection(instance, wanted)
    return Limits(seconds, solutions, workers, seed, names)


def projection(instance: Instance, wanted: str | None) -> tuple[str, ...] | None:
    """The names of the variables in which solutions must differ to count as distinct; None for all variables.

    Args:
        instance: the problem.
        wanted: ``all``, ``cells`` (the variables ``V<row>-<column>``), or names separated by blanks or commas; None for
            the cells of a puzzle, and for all variables of another problem but the auxiliary ones of an import.
    """
    if wanted == "all":
        return None
    if wanted is None:
        puzzle = instance.recognised
        if puzzle is not None:
            return cell_names(puzzle.n_rows, puzzle.n_columns)
        own = tuple(name for name in instance.problem.variable_names if not is_auxiliary(name))
        return own if len(own) < instance.problem.n_variables else None
    if wanted == "cells":
        cells = tuple(name for name in instance.problem.variable_names if cell_of(name))
        if not cells:
            raise Unsuitable("the problem has no cells: no variable is called V<row>-<column>")
        return cells
    names = tuple(dict.fromkeys(wanted.replace(",", " ").split()))
    known = set(instance.problem.variable_names)
    for name in names:
        if name not in known:
            raise ProblemError(f"the problem has no variable {name}")
    return names

"""What the tables mean, in words of MiniZinc."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from f2csp.formats.minizinc.naming import Naming, quoted
from f2csp.model import Offsets, Problem
from f2csp.structure import MeaningKind, Structure, recover

_SIGNS = {
    MeaningKind.EQUAL: "{} = {}",
    MeaningKind.LESS: "{} < {}",
    MeaningKind.LESS_OR_EQUAL: "{} <= {}",
    MeaningKind.GREATER: "{} > {}",
    MeaningKind.GREATER_OR_EQUAL: "{} >= {}",
    MeaningKind.DIFFERENCE: "{} - {} = ",
    MeaningKind.SUM: "{} + {} = ",
}


@dataclass(frozen=True, slots=True)
class Said:
    """How the constraints of a problem are written.

    Attributes:
        lines: those that are not written as tables.
        tables: the others, as indices.
        has_all_different: whether there is an alldifferent in the lines.
    """

    lines: Iterator[str]
    tables: Offsets
    has_all_different: bool


def sayings(problem: Problem, naming: Naming, *, use_structure: bool) -> Said:
    """How the constraints of a problem are written: all as tables, or what they mean where there are words for it."""
    if not use_structure:
        return Said(iter(()), np.arange(problem.n_constraints), has_all_different=False)
    structure = recover(problem)
    found = structure.meanings
    ordered = found.are(*_SIGNS) & ~found.are(MeaningKind.EQUAL)
    # A number that is too large for solvers is another one here; words are equal all the same.
    is_exact = np.array([all(naming.is_exact[i] for i in values.tolist()) for values in problem.domain_values])
    for constraint in np.flatnonzero(ordered).tolist():
        ordered[constraint] = is_exact[problem.variable_domains[problem.scope(constraint)]].all()
    has_words = ordered | found.are(MeaningKind.EQUAL, MeaningKind.XOR, MeaningKind.NEVER_TRUE)
    is_table = ~has_words & ~found.are(MeaningKind.DIFFERENT, MeaningKind.ALWAYS_TRUE)
    has_all_different = any(len(clique) > 2 for clique in structure.all_different)
    lines = _lines(problem, naming, structure, np.flatnonzero(has_words))
    return Said(lines, np.flatnonzero(is_table), has_all_different)


def _lines(problem: Problem, naming: Naming, structure: Structure, constraints: Offsets) -> Iterator[str]:
    for clique in structure.all_different:
        names = [naming.variables[variable] for variable in clique]
        yield (
            f"constraint alldifferent([{', '.join(names)}]);\n"
            if len(names) > 2
            else (f"constraint {names[0]} != {names[1]};\n")
        )
    for constraint in constraints.tolist():
        meaning = structure.meanings[constraint]
        names = [naming.variables[variable] for variable in problem.scope(constraint).tolist()]
        label = "" if problem.labels is None else f":: {quoted(problem.labels[constraint])} "
        if meaning.kind == MeaningKind.NEVER_TRUE:
            text = "false"
        elif meaning.kind == MeaningKind.XOR:
            text = f"({' + '.join(names)}) mod 2 = {meaning.value}"
        else:
            constant = "" if meaning.value is None else str(meaning.value)
            text = _SIGNS[meaning.kind].format(*names) + constant
        yield f"constraint {label}{text};\n"

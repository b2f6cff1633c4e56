"""The constraint model in MiniZinc."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from f2csp.formats.minizinc.naming import Naming, quoted
from f2csp.model import Offsets, Problem
from f2csp.structure import ConstraintKind, ConstraintModel, raw_model, recover

_SIGNS = {
    ConstraintKind.EQUAL: "{} = {}",
    ConstraintKind.LESS: "{} < {}",
    ConstraintKind.LESS_OR_EQUAL: "{} <= {}",
    ConstraintKind.GREATER: "{} > {}",
    ConstraintKind.GREATER_OR_EQUAL: "{} >= {}",
    ConstraintKind.DIFFERENCE: "{} - {} = {constant}",
    ConstraintKind.SUM: "{} + {} = {constant}",
}


@dataclass(frozen=True, slots=True)
class Statements:
    """How the constraints of a problem are written.

    Attributes:
        lines: those that are not written as tables.
        tables: the others, as indices.
        has_all_different: whether there is an alldifferent in the lines.
    """

    lines: Iterator[str]
    tables: Offsets
    has_all_different: bool


def statements(problem: Problem, naming: Naming, *, use_structure: bool) -> Statements:
    """How the constraints of a problem are written: all as tables, or as what MiniZinc has words for."""
    model = recover(problem) if use_structure else raw_model(problem)
    texts: dict[int, str] = dict.fromkeys(model.never_true.tolist(), "false")
    for case in model.comparisons:
        exact = naming.numbering.is_exact(case.kind, case.scopes)
        for constraint, scope in zip(case.constraints[exact].tolist(), case.scopes[exact].tolist(), strict=True):
            names = [naming.variables[variable] for variable in scope]
            texts[constraint] = _SIGNS[case.kind].format(*names, constant=case.constant)
    for parity in model.parities:
        for constraint, scope in zip(parity.constraints.tolist(), parity.scopes.tolist(), strict=True):
            texts[constraint] = f"({' + '.join(naming.variables[variable] for variable in scope)}) mod 2 = {parity.odd}"
    has_all_different = any(len(clique) > 2 for clique in model.all_different)
    return Statements(_lines(model, naming, texts), model.rest(np.array([*texts], dtype=np.int64)), has_all_different)


def _lines(model: ConstraintModel, naming: Naming, texts: dict[int, str]) -> Iterator[str]:
    for clique in model.all_different:
        names = [naming.variables[variable] for variable in clique]
        if len(names) > 2:
            yield f"constraint alldifferent([{', '.join(names)}]);\n"
        else:
            yield f"constraint {names[0]} != {names[1]};\n"
    labels = model.problem.labels
    for constraint in sorted(texts):
        label = "" if labels is None else f":: {quoted(labels[constraint])} "
        yield f"constraint {label}{texts[constraint]};\n"

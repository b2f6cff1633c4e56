"""A puzzle as a problem: its rules, then its givens."""

from dataclasses import replace
from functools import lru_cache
from itertools import chain

import numpy as np

from f2csp.model import ConstraintBlock, Problem, ProblemStream, Relation
from f2csp.puzzles.puzzle import Puzzle

_KEPT_CELLS = 1000  # the largest board whose rules are kept for the next puzzle


def to_problem(puzzle: Puzzle) -> Problem:
    """The puzzle as a problem: section 7 of the format fixes variables, constraints and their order."""
    if puzzle.n_rows * puzzle.n_columns > _KEPT_CELLS:
        return to_stream(puzzle).collect()
    rules = _rules(replace(puzzle, clues=()))
    relations, block = _givens(puzzle, len(rules.relations))
    ends = rules.scope_offsets[-1] + np.arange(1, len(block.relations) + 1)
    return replace(
        rules,
        relations=rules.relations + relations,
        scopes=np.concatenate((rules.scopes, block.scopes)),
        scope_offsets=np.concatenate((rules.scope_offsets, ends)),
        constraint_relations=np.concatenate((rules.constraint_relations, block.relations)),
    )


def to_stream(puzzle: Puzzle) -> ProblemStream:
    """The same as :func:`to_problem`, with the constraints in blocks, made when they are asked for."""
    rules = puzzle.rules()
    relations, block = _givens(puzzle, len(rules.relations))
    return replace(
        rules,
        relations=rules.relations + relations,
        n_constraints=rules.n_constraints + len(block.relations),
        blocks=chain(rules.blocks, [block]),
    )


@lru_cache(maxsize=8)
def _rules(blank: Puzzle) -> Problem:
    """The rules of a puzzle without givens: many puzzles are often converted that differ in these alone."""
    return blank.rules().collect()


def _givens(puzzle: Puzzle, n_relations: int) -> tuple[tuple[Relation, ...], ConstraintBlock]:
    """A relation for each value that is given, and a constraint for each given; ``n_relations`` stand before."""
    clues, first_value, n_columns = puzzle.clues, puzzle.values[0], puzzle.n_columns
    relation_of = {value: i for i, value in enumerate(dict.fromkeys([clue.value for clue in clues]), n_relations)}
    cells = [(row - 1) * n_columns + column - 1 for row, column, _ in clues]
    relations = [relation_of[clue.value] for clue in clues]
    block = ConstraintBlock(np.array(cells, dtype=np.int32), np.array(relations, dtype=np.int32))
    return tuple(_given(value - first_value) for value in relation_of), block


@lru_cache(maxsize=256)
def _given(word: int) -> Relation:
    """The relation that holds one value; ``word`` is its index in the problem's words."""
    return Relation("Accept", np.array([[word]], dtype=np.int32))

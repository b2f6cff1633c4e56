"""The writer: the same text as a plain loop gives, whatever the arities, labels and tables; and in chunks."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.model import Problem, ProblemStream
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_stream
from f2csp.text import chunked_text, writer
from f2csp.text.writer import chunks, dumps
from tests.small import problem_of
from tests.strategies import problems


def plain_text(problem: Problem) -> str:
    """The canonical form, by a loop over views."""
    lines = [problem.title] if problem.title else []
    lines += ["Domains:", str(problem.n_domains)]
    lines += [f"{domain.name}: {' '.join(domain.words)}" for domain in problem.domains]
    lines += ["Variables:", str(problem.n_variables)]
    lines += [f"{variable.name}: {variable.domain.name}" for variable in problem.variables]
    lines += ["Constraints:", str(problem.n_constraints)]
    for constraint in problem.constraints:
        lines += [constraint.label, "Vars:", str(constraint.arity), " ".join(constraint.scope)]
        rows = constraint.relation.tuples.tolist()
        lines += [f"{constraint.kind}:", str(len(rows))]
        lines += [" ".join(problem.words[i] for i in row) for row in rows]
    return "".join(f"{line}\n" for line in [*lines, "Goal:", "Satisfy"])


@given(problem=problems(), chunk_values=st.sampled_from([1, 17, 40, 1 << 17]), kept=st.sampled_from([0, 1 << 23]))
def test_the_text_is_the_one_that_a_loop_gives(problem: Problem, chunk_values: int, kept: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "LARGE", chunk_values)
        patch.setattr(chunked_text, "LARGE", chunk_values)
        patch.setattr(writer, "_KEPT_BYTES", kept)
        assert dumps(problem) == plain_text(problem)


@given(problem=problems())
def test_a_stream_collects_to_the_problem_that_it_came_from(problem: Problem) -> None:
    assert ProblemStream.of(problem).collect() == problem


def test_many_constraints_of_mixed_arities_and_tables_of_all_sizes() -> None:
    tables = []
    for i in range(500):
        arity = i % 4 + 1
        rows = itertools.islice(itertools.product(range(40), repeat=arity), i % 40)
        tables.append((f"{'accept' if i % 3 else 'reject'} {' '.join('uvwx'[:arity])}", list(rows)))
    large = itertools.product(range(40), range(40), range(21), range(2))
    problem = problem_of({"D: u v w x": range(40)}, *tables, ("accept u v w x", large), ("reject u", [[1]]))
    assert problem.relations[-2].tuples.size > chunked_text.LARGE
    assert dumps(problem) == plain_text(problem)
    named = replace(problem, labels=tuple(f"é{i}" for i in range(problem.n_constraints)))
    assert dumps(named) == plain_text(named)


def test_chunks_are_whole_lines_and_of_bounded_size() -> None:
    table = ("accept x y z", itertools.product(range(70), repeat=3))
    stream = ProblemStream.of(problem_of({"D: x y z": range(70)}, table))
    found = list(chunks(replace(stream, n_constraints=3, blocks=[*stream.blocks] * 3)))
    assert all(chunk.endswith(b"\n") for chunk in found if chunk)
    assert max(map(len, found)) < 2 << 20
    assert sum(map(len, found)) > 6 << 20


def test_a_stream_is_written_block_by_block() -> None:
    drawn = []
    stream = to_stream(Sudoku(16, 4, 4))
    blocks = list(stream.blocks)
    text = chunks(replace(stream, blocks=(drawn.append(i) or block for i, block in enumerate(blocks))))
    label = next(chunk for chunk in text if chunk.startswith(b"C1\n"))
    assert drawn == [0]
    assert 0 < label.count(b"Vars:") <= len(blocks[0].relations)
    assert b"".join(text).endswith(b"Goal:\nSatisfy\n")
    assert np.concatenate([block.relations for block in blocks]).shape == (stream.n_constraints,)

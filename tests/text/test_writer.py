"""The writer: the same text as a plain loop gives, whatever the arities, labels and tables; and in chunks."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.model import Problem, ProblemStream
from f2csp.text import chunked_text, writer
from f2csp.text.writer import dumps
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

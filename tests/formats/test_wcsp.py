"""The .wcsp format of toulbar2: there and back again, what others write, and every fault with its place."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.wcsp import chunks, read
from f2csp.model import Problem
from tests.fault_cases import places
from tests.formats.numbered import flat, numbered
from tests.strategies import problems

SAMPLE = Path(__file__).parents[2] / "samples" / "map.csp"


def text_of(problem: Problem) -> bytes:
    return b"".join(chunks(problem, ExportOptions()))


@given(problems())
def test_there_and_back_again_is_the_same_but_for_names(problem: Problem) -> None:
    text = text_of(problem)
    again = read(Source("file", text))
    assert numbered(again) == numbered(problem)
    assert read(Source("file", b"\xef\xbb\xbf" + text)) == again
    written = text_of(again)  # domains of one size are one, so more tables are shared
    assert text_of(read(Source("file", written))).split(b"\n")[1:] == written.split(b"\n")[1:]


@given(problems(), st.sampled_from([" ", "\n", "\r\n", "\t\n "]))
def test_tables_that_are_not_shared_and_other_white_space(problem: Problem, blank: str) -> None:
    again = read(Source("file", flat(problem).replace(b" ", blank.encode())))
    assert numbered(again) == numbered(problem)
    assert again.variable_names == tuple(f"x{i}" for i in range(problem.n_variables))


def test_a_text_in_full() -> None:
    text = b"Map_of_two_countries 2 3 2 1\n3 3\n2 0 1 0 3\n0 0 1\n1 1 1\n2 2 1\n1 0 1 1\n0 0\n"
    assert text_of(f2csp.load(SAMPLE)) == text
    assert read(Source("file", text)).title == "Map_of_two_countries"
    assert read(Source("file", b"e 0 0 0 1")) == f2csp.ProblemBuilder("e").build()


def test_every_cost_from_the_bound_on_forbids() -> None:
    text = "costs 2 2 3 5 2 2\n2 0 1 0 4\n0 0 0\n0 1 5\n1 0 6\n1 1 0\n1 0 7 2\n0 0\n1 9\n0 0 0\n"
    assert [(c.kind, c.tuples) for c in read(Source("file", text.encode())).constraints] == [
        ("Reject", ((0, 1), (1, 0))),
        ("Accept", ((0,),)),
    ]


def test_a_shared_table_keeps_its_default_cost() -> None:
    """As in toulbar2, which ignores that of the reference."""
    text = "shared 2 2 2 1 2 2\n-2 0 1 0 1\n0 0 1\n2 1 0 1 -1\n"
    assert [c.kind for c in read(Source("file", text.encode())).constraints] == ["Reject", "Reject"]


def test_soft_costs_are_refused_in_one_message_or_left_out() -> None:
    text = "soft 2 2 2 9 2 2\n2 0 1 3 2\n0 0 9\n1 1 0\n1 0 9 1\n0 8\n"
    with pytest.raises(InvalidInput, match="1 further tables have such costs") as caught:
        f2csp.read(io.StringIO(text), "wcsp")
    assert [fault.code for fault in caught.value.diagnostics] == ["F502"]
    solutions = f2csp.solve(f2csp.read(io.StringIO(text), "wcsp", hard_only=True), solutions=None)
    assert [tuple(solution.values()) for solution in solutions] == [(0, 1)]


def test_a_constant_that_is_forbidden_leaves_no_solution() -> None:
    problem = read(Source("file", b"none 1 2 1 1 2\n0 1 0\n"))
    assert [(c.kind, c.scope, c.tuples) for c in problem.constraints] == [("Accept", ("x0",), ())]


# ---- Faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "name", "name 1 2", "name 2 3 0 1\n3", "name 999999999999999999 3 0 1 3"])
def test_a_text_that_ends_in_the_head_is_told_so(text: str) -> None:
    assert [place[:4] for place in places(read, text)] == ["F507"]

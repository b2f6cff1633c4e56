"""The .wcsp format of toulbar2: there and back again, what others write, and every fault with its place."""

from hypothesis import given
from hypothesis import strategies as st

from f2csp.diagnostics import Source
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.wcsp import chunks, read
from f2csp.model import Problem
from tests.formats.numbered import flat, numbered
from tests.strategies import problems


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


# ---- Faults ----------------------------------------------------------------------------------------------------------

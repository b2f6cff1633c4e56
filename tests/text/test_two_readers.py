"""The scanner and the parser read one language: the same columns, the same findings, and the same texts refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from f2csp.text import parts
from tests.fault_cases import changes
from tests.fuzz.two_readers import assert_same
from tests.strategies import examples, mutations, problems, spellings, vocabulary


@pytest.fixture(params=[1, 200, 1 << 16], ids=["block for each constraint", "small blocks", "one block"], autouse=True)
def _block_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_BLOCK", request.param)


PLAIN = "".join(
    f"C{i}\nVars:\n2\na b\nReject:\n2\n1 1\n2 2\nC{i + 1}\nVars:\n1\na\nAccept:\n1\n1\n" for i in range(1, 7, 2)
)
HEAD = "T\nDomains:\n1\nD: 1 2 3\nVariables:\n2\na: D\nb: D\nConstraints:\n6\n"
WHOLE = f"{HEAD}{PLAIN}Goal:\nSatisfy\n"
CHANGES = changes(Path(__file__).with_name("changes.txt"))


@pytest.mark.parametrize(("old", "new"), [("", ""), *CHANGES])
@pytest.mark.parametrize("times", [1, -1], ids=["once", "everywhere"])
def test_both_read_the_same_from(old: str, new: str, times: int):
    assert_same(WHOLE.replace(old, new, times).encode())


@pytest.mark.parametrize(
    "row", ["- 1", "+ 1", "1 -", "00 1", "-0 1", "+1 1", "1-1", "1e0 1", "0x1 1", "1\x0b1", " ", "9" * 30]
)
def test_both_read_the_same_from_odd_numbers(row: str):
    assert_same(WHOLE.replace("D: 1 2 3", "D: 0 1 2 3").replace("1 1\n", f"{row}\n").encode())


def test_both_read_the_same_from_a_text_cut_anywhere():
    for size in range(0, len(WHOLE), 5):
        assert_same(WHOLE[:size].encode())


@examples(60)
@given(problems().flatmap(spellings))
def test_both_read_the_same_from_any_spelling(text: bytes):
    assert_same(text)


@given(problems().flatmap(spellings).flatmap(mutations))
def test_both_read_the_same_from_any_mutation(text: bytes):
    assert_same(text)


@examples(50)
@given(vocabulary())
def test_both_read_the_same_from_the_words_of_the_format(text: bytes):
    assert_same(text)


@examples(50)
@given(st.binary(max_size=200))
def test_both_read_the_same_from_any_bytes(text: bytes):
    assert_same(text)

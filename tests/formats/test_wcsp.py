"""The .wcsp format of toulbar2: there and back again, what others write, and every fault with its place."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput, Source
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.wcsp import chunks, looks_like, read
from f2csp.model import Problem
from tests.formats.faults import messages, places
from tests.formats.numbered import numbered
from tests.strategies import mutate, problems

SAMPLE = Path(__file__).parents[2] / "samples" / "map.csp"


def text_of(problem: Problem) -> bytes:
    return b"".join(chunks(problem, ExportOptions()))


def flat(problem: Problem) -> str:
    """The same, written constraint for constraint and without line ends to speak of."""
    sizes, constraints = numbered(problem)
    words: list[object] = ["name", len(sizes), max(sizes, default=0), len(constraints), 7, *sizes]
    for kind, scope, tuples in constraints:
        default = 0 if kind == "Reject" else 8
        words += [len(scope), *scope, default, len(tuples)]
        for row in tuples:
            words += [*row, 7 - min(default, 7)]
    return " ".join(map(str, words))


@given(problems())
def test_there_and_back_again_is_the_same_but_for_names(problem: Problem) -> None:
    text = text_of(problem)
    again = read(Source("file", text))
    assert numbered(again) == numbered(problem)
    assert read(Source("file", b"\xef\xbb\xbf" + text)) == again
    assert text_of(again).split(b"\n")[1:] == text.split(b"\n")[1:]


@given(problems(), st.sampled_from([" ", "\n", "\r\n", "\t\n "]))
def test_tables_that_are_not_shared_and_other_white_space(problem: Problem, blank: str) -> None:
    again = read(Source("file", flat(problem).replace(" ", blank).encode()))
    assert numbered(again) == numbered(problem)
    assert again.variable_names == tuple(f"x{i}" for i in range(problem.n_variables))


def test_a_large_table_and_many_constraints_come_in_pieces() -> None:
    builder = f2csp.ProblemBuilder("Large")
    builder.domain("D", range(500))
    builder.domain("E", range(500, 0, -1))
    for name, domain in (("x", "D"), ("y", "D"), ("z", "E")):
        builder.variable(name, domain)
    builder.accept(["x", "y"], [(i, j) for i in range(1, 500) for j in range(500)])
    builder.accept(["y", "x"], [(i, j) for i in range(1, 500) for j in range(500)])
    builder.accept(["y", "z"], [(i, j) for i in range(1, 500) for j in range(1, 500)])
    for i in range(30_000):
        builder.reject([["x", "y"], ["y", "z"]][i % 2], [(1 + i % 400, 1)])
    problem = builder.build()
    assert numbered(read(Source("file", text_of(problem)))) == numbered(problem)
    assert max(map(len, chunks(problem, ExportOptions()))) < len(text_of(problem)) / 2


def test_a_text_in_full() -> None:
    text = b"Map_of_two_countries 2 3 2 1\n3 3\n2 0 1 0 3\n0 0 1\n1 1 1\n2 2 1\n1 0 1 1\n0 0\n"
    assert text_of(f2csp.load(SAMPLE)) == text
    assert read(Source("file", text)).title == "Map_of_two_countries"
    assert read(Source("file", b"e 0 0 0 1")) == f2csp.ProblemBuilder("e").build()


@pytest.mark.parametrize(
    "data", [b"", b"4\n3\n1 1 1\n2 2 2\n", b"p cnf 1 2 3 4 5 6\n", b"c 1 2 3 4 5 6\n", b"{a 1 2 3 4 5 6"]
)
def test_other_texts_are_none(data: bytes) -> None:
    assert not looks_like(data)


def test_every_cost_from_the_bound_on_forbids() -> None:
    text = "costs 2 2 3 5 2 2\n2 0 1 0 4\n0 0 0\n0 1 5\n1 0 6\n1 1 0\n1 0 7 2\n0 0\n1 9\n0 0 0\n"
    assert [(c.kind, c.tuples) for c in read(Source("file", text.encode())).constraints] == [
        ("Reject", ((0, 1), (1, 0))),
        ("Accept", ((0,),)),
    ]


def test_a_constant_that_is_forbidden_leaves_no_solution() -> None:
    problem = read(Source("file", b"none 1 2 1 1 2\n0 1 0\n"))
    assert [(c.kind, c.scope, c.tuples) for c in problem.constraints] == [("Accept", ("x0",), ())]


# ---- Faults ----------------------------------------------------------------------------------------------------------

SOUND = """\
sound 3 3 4 1
3 3 2
-2 0 1 0 3
0 0 1
1 1 1
2 2 1
2 1 0 0 -1
1 2 1 1
1 0
2 0 2 0 1
2 1 1
"""

FAULTS = [
    ("sound 3 3 4 1", "sound 3 3 4 x", ["F501 1:13-14"]),
    ("sound 3 3 4 1", "sound 3 3 4 0", ["F501 1:13-14"]),
    ("sound 3 3 4 1", "sound -3 3 4 1", ["F501 1:7-9"]),
    ("sound 3 3 4 1", "sound 3 9 4 1", ["F506 1:9-10"]),
    ("sound 3 3 4 1", "sound 3 3 5 1", ["F506 1:11-12"]),
    ("sound 3 3 4 1", "sound 3 3 3 1", ["F506 10:1-2"]),
    ("sound 3 3 4 1", "sound 3 3 4 2", ["F502 4:5-6", "F502 8:5-6", "F502 11:5-6"]),
    ("3 3 2\n-", "3 3 -2\n-", ["F502 2:5-7"]),
    ("3 3 2\n-", "3 3 0\n-", ["F301 2:5-6"]),
    ("3 3 2\n-", "3 3 a\n-", ["F501 2:5-6"]),
    ("3 3 2\n-", "3 3 1000000\n-", ["F506 1:9-10", "F510 2:5-12"]),
    ("3 3 2\n-", "3 2 2\n-", ["F304 6:3-4"]),
    ("-2 0 1 0 3", "-2 0 3 0 3", ["F204 3:6-7"]),
    ("-2 0 1 0 3", "-2 0 0 0 3", ["F205 3:6-7"]),
    ("-2 0 1 0 3", "-2 0 1 0 4", ["F506 3:10-11"]),
    ("-2 0 1 0 3", "-2 0 1 0 2", ["F506 3:10-11"]),
    ("-2 0 1 0 3", "-2 0 1 0 999999999999999999", ["F506 3:10-28"]),
    ("-2 0 1 0 3", "2 0 1 0 3", ["F503 7:9-11"]),
    ("-2 0 1 0 3", "-2 0 1 salldiff 3", ["F501 3:8-16"]),
    ("0 0 1\n1 1", "0 0 1 1\n1 1", ["F306 4:1-8"]),
    ("0 0 1\n1 1", "0 1\n1 1", ["F306 4:1-4"]),
    ("0 0 1\n1 1", "0 7 1\n1 1", ["F304 4:3-4"]),
    ("0 0 1\n1 1", "9 -1 1\n1 1", ["F304 4:1-2", "F304 4:3-5"]),
    ("0 0 1\n1 1", "0 0 -1\n1 1", ["F501 4:5-7"]),
    ("0 0 1\n1 1", "0 0 1.5\n1 1", ["F501 4:5-8"]),
    ("0 0 1\n1 1", "1 1 1\n1 1", ["F307 5:1-4"]),
    ("2 1 0 0 -1", "2 1 0 0 -2", ["F503 7:9-11"]),
    ("2 1 0 0 -1", "2 1 2 0 -1", ["F304 6:3-4"]),
    ("2 1 0 0 -1", "1 1 0 -1", ["F501 7:7-9"]),
    ("2 1 0 0 -1", "2 1 0 1 -1", ["F501 7:7-8"]),
    ("2 1 0 0 -1", "2 1 0 -1 salldiff var 1", ["F502 7:10-18"]),
    ("2 1 0 0 -1", "x 1 0 0 -1", ["F501 7:1-2"]),
    ("1 2 1 1\n", "1 2 1 0\n", ["F506 8:7-8"]),
    ("2 1 1\n", "2 1 1\n7", ["F506 12:1-2"]),
    ("2 1 1\n", "2 1\n", ["F306 11:1-4"]),
    ("2 1 1\n", "", ["F507 10:10-10"]),
    ("2 0 2 0 1\n2 1 1\n", "2 0 2 0", ["F507 10:8-8"]),
    ("2 0 2 0 1\n2 1 1\n", "", ["F506 1:11-12"]),
    ("sound", "sou\x00nd", ["F002 1:4-5"]),
]  # fmt: skip


def test_the_sound_text_is_sound() -> None:
    assert numbered(read(Source("file", SOUND.encode()))) == (
        [3, 3, 2],
        [
            ("Reject", [0, 1], [(0, 0), (1, 1), (2, 2)]),
            ("Reject", [1, 0], [(0, 0), (1, 1), (2, 2)]),
            ("Accept", [2], [(1,)]),
            ("Reject", [0, 2], [(2, 1)]),
        ],
    )


@pytest.mark.parametrize(("sound", "faulty", "expected"), FAULTS)
def test_fault_has_its_place(sound: str, faulty: str, expected: list[str]) -> None:
    assert SOUND.count(sound) == 1 or sound == "2 1 1\n"
    start = SOUND.rindex(sound)
    assert places(read, SOUND[:start] + faulty + SOUND[start + len(sound) :]) == expected


def test_all_faults_come_in_one_run() -> None:
    text = SOUND.replace("0 0 1\n", "0 9 1\n").replace("1 2 1 1", "1 5 1 1").replace("2 0 2 0 1", "2 0 2 0 2")
    assert places(read, text) == ["F304 4:3-4", "F204 8:3-4", "F507 11:6-6"]


def test_messages_name_both_quantities() -> None:
    assert messages(read, SOUND.replace("-2 0 1 0 3", "-2 0 1 0 2"))[0][0] == "declared 2 tuples, found 3"
    assert messages(read, SOUND.replace("sound 3 3 4", "sound 3 3 5"))[0][0] == "declared 5 cost functions, found 4"
    assert messages(read, SOUND.replace("1 2 1 1", "1 5 1 1"))[0][0] == (
        "constraint C3 names the variable 5, which is not declared"
    )


@pytest.mark.parametrize("text", ["", "name", "name 1 2", "name 2 3 0 1\n3", "name 999999999999999999 3 0 1 3"])
def test_a_text_that_ends_in_the_head_is_told_so(text: str) -> None:
    assert [place[:4] for place in places(read, text)] == ["F507"]


@settings(max_examples=300)
@given(problems(), st.booleans(), st.lists(st.integers(0, 1 << 16), min_size=1, max_size=3))
def test_a_text_gone_wrong_is_read_or_told(problem: Problem, is_flat: bool, seeds: list[int]) -> None:
    text = flat(problem).encode() if is_flat else text_of(problem)
    for seed in seeds:
        text = mutate(text, seed)
    with suppress(InvalidInput):
        again = read(Source("file", text))
        assert f2csp.loads(f2csp.dumps(again)) == again

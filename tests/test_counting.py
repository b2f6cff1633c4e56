"""Counting alone: on valid texts the numbers of the whole statistics, on canonical ones those of the simplest one."""

import io
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput
from f2csp.model import Problem
from f2csp.puzzles.puzzle import Clue
from f2csp.puzzles.sudoku import Sudoku
from f2csp.puzzles.to_problem import to_stream
from f2csp.text import counter
from f2csp.text.counter import Counts, count_contents
from f2csp.text.writer import dumps
from tests.canonical import simple_counts
from tests.small import problem_of
from tests.strategies import examples, problems, spelled_problems

CORPUS = Path(__file__).parent / "corpus"
VALID = sorted(path for path in [*CORPUS.glob("valid/*/*"), *CORPUS.glob("warnings/*/*")] if path.suffix == ".csp")
SUDOKU = dumps(to_stream(Sudoku(9, 3, 3, clues=(Clue(1, 1, 5), Clue(3, 7, 2))))).encode()


def counted(text: bytes, chunk: int = 1 << 20) -> Counts:
    with pytest.MonkeyPatch.context() as patch:
        chunks = [text[i : i + chunk] for i in range(0, len(text), chunk)]
        patch.setattr(counter, "text_chunks", lambda file, max_bytes: iter(chunks))
        patch.setattr(counter, "_PIECE", chunk)
        return count_contents("some.csp")


def by_header(found: Counts) -> Counter[str]:
    counts = {"Domains:": found.domains, "Variables:": found.variables, "Constraints:": found.constraints}
    return Counter(counts | {"Reject:": found.rejected_tuples, "Accept:": found.accepted_tuples})


def whole(problem: Problem) -> Counts:
    found = f2csp.stats(problem)
    return Counts(**{name: getattr(found, name) for name in Counts.__slots__})


@examples(300)
@given(spelled=spelled_problems(), chunk=st.sampled_from([1, 7, 50, 1 << 20]))
def test_any_spelling_of_a_problem_gives_its_numbers(spelled: tuple[Problem, bytes], chunk: int) -> None:
    problem, text = spelled
    assert counted(text, chunk) == whole(problem)


@given(problem=problems(), chunk=st.sampled_from([1, 50, 1 << 20]))
def test_the_simplest_program_gives_the_same_on_canonical_text(problem: Problem, chunk: int) -> None:
    text = dumps(problem)
    assert by_header(counted(text.encode(), chunk)) == simple_counts(text)


def test_a_title_that_looks_like_a_constraint() -> None:
    problem = problem_of({"D: x": [1]}, ("reject x", [(1,)]), title="Sudoku 4x4\nC1\nVars: x y")
    assert counted(dumps(problem).encode()) == whole(problem)


@pytest.mark.parametrize("path", VALID, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_valid_case_gives_the_whole_statistics_numbers(path: Path) -> None:
    assert count_contents(path) == whole(f2csp.load(path))


def variants() -> list[bytes]:
    crlf = SUDOKU.replace(b"\n", b"\r\n")
    inline = SUDOKU.replace(b"Reject:\n", b"reject : ").replace(b"Domains:\n", b"DOMAINS: ")
    blank = SUDOKU.replace(b"\nVars:", b"\n\t\n\nVars:").replace(b"\nReject:", b"\n \nReject:")
    colons = SUDOKU.replace(b"\nVars:", b":\nVars:")
    indented = b"".join(b"\t " + line + b" \n" for line in SUDOKU.splitlines())
    rows = b"".join(b"%d %d\n" % (i, i) for i in range(1, 10))
    parentheses = SUDOKU.replace(rows, b"(1, 1) (2,2)(3 3)\n(4 4)\n5 5\n6, 6\n(7 7) (8 8) (9 9)\n")
    marked = b"\xef\xbb\xbf" + SUDOKU.rstrip(b"\n")
    plain_inline = SUDOKU.replace(b"Reject:\n", b"REJECT: ").replace(b"Vars:\n", b"vars:\t")
    no_goal = SUDOKU.replace(b"Goal:\nSatisfy\n", b"")
    ends = [no_goal, no_goal.rstrip(), no_goal + b"  ", no_goal + b" \n\t"]
    return [SUDOKU, crlf, inline, plain_inline, blank, colons, indented, parentheses, marked, *ends]


@pytest.mark.parametrize("chunk", [100, 1 << 20])
@pytest.mark.parametrize("variant", range(len(variants())))
def test_every_liberty_gives_the_same(variant: int, chunk: int) -> None:
    text = variants()[variant]
    assert f2csp.loads(text) == f2csp.loads(SUDOKU)
    assert counted(text, chunk) == Counts("Sudoku 9x9", 1, 81, 812, 2, 7290)


def first_fault(text: bytes, chunk: int = 1 << 20) -> tuple[str, int, str]:
    with pytest.raises(InvalidInput) as caught:
        counted(text, chunk)
    diagnostic = caught.value.diagnostics[0]
    return diagnostic.code, diagnostic.span.line, diagnostic.message


@pytest.mark.parametrize("spell", [lambda text: text, lambda text: text.replace(b"\n", b"\r\n")], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        (b"Domains:\n1", b"Domains:\n2", "F103", "declared 2 domains, found 1"),
        (b"Variables:\n81", b"Variables:\n80", "F103", "declared 80 variables, found 81"),
        (b"Constraints:\n812", b"Constraints:\n811", "F103", "declared 811 constraints, found 812"),
        (
            b"C7\nVars:\n2\nV1-1 V1-8\nReject:\n9",
            b"C7\nVars:\n2\nV1-1 V1-8\nReject:\n8",
            "F103",
            "constraint C7 declared 8 tuples, found 9",
        ),
        (
            b"C812\nVars:\n1\nV3-7\nAccept:\n1\n2",
            b"C812\nVars:\n1\nV3-7\nAccept:\n1",
            "F103",
            "constraint C812 declared 1 tuples, found 0",
        ),
        (b"Variables:\n81", b"Variables:\nxx", "F102", "expected a count for Variables:, found xx"),
        (b"Variables:\n81", b"Variables: 081", "F102", "expected a count for Variables:, found 081"),
        (b"C1\nVars:\n2\nV1-1 V1-2\nReject:\n9\n", b"C1\nVars:\nReject:\n9\n", "F101", "Vars: has no count"),
    ],
)
def test_a_count_that_does_not_match_is_told_as_by_validation(
    old: bytes, new: bytes, code: str, message: str, spell
) -> None:
    assert SUDOKU.count(old) == 1
    text = spell(SUDOKU.replace(old, new))
    found = first_fault(text)
    assert (found[0], found[2]) == (code, message)
    assert first_fault(text, 1000) == found
    told = [(d.code, d.span.line, d.message) for d in f2csp.validate(io.BytesIO(text)).diagnostics]
    assert found in told


@examples(200)
@given(text=st.binary() | st.lists(st.sampled_from(SUDOKU[:1500].split(b"\n")), max_size=40).map(b"\n".join))
def test_no_text_raises_anything_but_invalid_input(text: bytes) -> None:
    with suppress(InvalidInput):
        counted(text, 64)

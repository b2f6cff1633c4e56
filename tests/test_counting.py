"""Counting alone: on valid texts the numbers of the whole statistics, on canonical ones those of the simplest one."""

import bz2
import gzip
import io
import lzma
from collections import Counter
from contextlib import suppress
from itertools import pairwise
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
from tests.cli.in_process import run_program
from tests.strategies import examples, problems, spelled_problems

CORPUS = Path(__file__).parent / "corpus"
VALID = sorted(path for path in [*CORPUS.glob("valid/*/*"), *CORPUS.glob("warnings/*/*")] if path.suffix == ".csp")
SUDOKU = dumps(to_stream(Sudoku(9, 3, 3, clues=(Clue(1, 1, 5), Clue(3, 7, 2))))).encode()


def counted(text: bytes, chunk: int = 1 << 20) -> Counts:
    with pytest.MonkeyPatch.context() as patch:
        chunks = [text[i : i + chunk] for i in range(0, len(text), chunk)]
        patch.setattr(counter, "text_chunks", lambda file, max_bytes: iter(chunks))
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


def first_fault(text: bytes) -> tuple[str, int, str]:
    with pytest.raises(InvalidInput) as caught:
        counted(text)
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
    told = [(d.code, d.span.line, d.message) for d in f2csp.validate(io.BytesIO(text)).diagnostics]
    assert found in told


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (b"", "F007", 1),
        (b"A title\n", "F007", 2),
        (b"Domains: 0\nVariables:", "F007", 2),
        (b"Domains: 0\nConstraints: 0\n", "F003", 2),
        (SUDOKU + b"Title\nDomains:\n0\n", "F009", SUDOKU.count(b"\n") + 2),
        (b"Reject: 4\n", "F003", 1),
        (SUDOKU[: SUDOKU.index(b"\nC9\n")], "F103", 89),
    ],
)
def test_a_text_that_is_no_whole_problem_is_refused(text: bytes, code: str, line: int) -> None:
    assert first_fault(text)[:2] == (code, line)


def test_past_a_hundred_mismatches_the_rest_are_counted() -> None:
    with pytest.raises(InvalidInput) as caught:
        counted(SUDOKU.replace(b"Reject:\n9\n", b"Reject:\n8\n"))
    assert len(caught.value.diagnostics) == 100
    assert caught.value.n_hidden == 710
    assert all(one.span.line < other.span.line for one, other in pairwise(caught.value.diagnostics))


@pytest.mark.parametrize("spell", [bytes, lambda text: text.replace(b"Vars:\n", b"Vars: ").replace(b"ct:\n", b"ct: ")])
def test_the_line_of_a_mismatch_is_right_behind_a_run_of_plain_constraints(spell) -> None:
    text = spell(SUDOKU)
    at = text.index(b"Reject:", text.index(b"\nC700\n"))
    text = text[:at] + text[at:].replace(b"\n9 9\n", b"\n", 1)
    code, line, message = first_fault(text)
    assert (code, message) == ("F103", "constraint C700 declared 9 tuples, found 8")
    (told,) = f2csp.validate(io.BytesIO(text)).diagnostics
    assert (told.message, told.span.line) == (message, line)


@examples(200)
@given(text=st.binary() | st.lists(st.sampled_from(SUDOKU[:1500].split(b"\n")), max_size=40).map(b"\n".join))
def test_no_text_raises_anything_but_invalid_input(text: bytes) -> None:
    with suppress(InvalidInput):
        counted(text, 64)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress, bytes])
def test_a_compressed_text_is_counted_from_a_file_and_from_standard_input(compress, tmp_path: Path) -> None:
    path = tmp_path / "puzzle"
    path.write_bytes(compress(SUDOKU))
    named, piped = (
        run_program("--fast", "--json", name, program="stats", stdin=path.read_bytes()).stdout for name in (path, "-")
    )
    assert b'"rejected_tuples": 7290' in named
    assert named.replace(str(path).encode(), b"-") == piped


def test_broken_compression_and_a_text_that_is_too_large_are_told(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.gz"
    path.write_bytes(gzip.compress(SUDOKU)[:-400])
    with pytest.raises(InvalidInput, match="F014"):
        count_contents(path)
    path.write_bytes(gzip.compress(SUDOKU))
    with pytest.raises(InvalidInput, match=r"F013.*limit of 1,000 bytes"):
        count_contents(path, max_bytes=1000)


def test_the_program_prints_the_counts_and_exits_with_one_at_a_mismatch(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.csp"
    path.write_bytes(SUDOKU)
    done = run_program("--fast", "puzzle.csp", program="stats", cwd=tmp_path)
    lines = ["Title: Sudoku 9x9", "Domains: 1", "Variables: 81", "Constraints: 812"]
    assert done.stdout.decode().splitlines() == [*lines, "Accepted tuples: 2", "Rejected tuples: 7290"]
    path.write_bytes(SUDOKU.replace(b"Constraints:\n812", b"Constraints:\n900"))
    done = run_program("--fast", "puzzle.csp", program="stats", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    head, place, *_ = done.stderr.decode().splitlines()
    assert head == "error[F103] count-mismatch: declared 900 constraints, found 812"
    assert place.strip() == "--> puzzle.csp:89:1"

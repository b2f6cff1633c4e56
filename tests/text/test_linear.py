"""Reading is linear in the text and bounded in memory, whatever the text claims; work is counted, time not measured.

Work is what the interpreter counts: lines run and calls into C. Beyond a fixed part it must double when an awkward
input doubles. What C does inside one call is not seen by this; what is allocated at the peak is looked at besides.
"""

import bz2
import gc
import gzip
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from f2csp import InvalidInput, load, validate
from f2csp.diagnostics import Source
from f2csp.text.load import FixedText, Report, apply_fixes, report_on
from tests.strategies import COMPRESSIONS

lzma = pytest.importorskip("lzma", exc_type=ImportError)
zstandard = pytest.importorskip("zstandard")

# ---- Awkward inputs ------------------------------------------------------------------------------------------------

XY = "2\nx: D\ny: D"


def text_of(*constraints: str, title: str = "t\n", domains: str = "1\nD: 1 2", variables: str = XY) -> str:
    body = "".join(constraints)
    return (
        f"{title}Domains:\n{domains}\nVariables:\n{variables}\nConstraints:\n{len(constraints)}\n{body}Goal:\nSatisfy\n"
    )


def constraint(label: object, scope: str = "x y", rows: Iterable[str] = ("1 1",), kind: str = "Reject") -> str:
    rows = list(rows)
    table = "".join(f"{row}\n" for row in rows)
    return f"C{label}\nVars:\n{len(scope.replace(',', ' ').split())}\n{scope}\n{kind}:\n{len(rows)}\n{table}"


def many(n: int, thing: Callable[[int], str]) -> list[str]:
    return [thing(i) for i in range(1, n + 1)]


def named(n: int, what: Callable[[int], object], prefix: str = "x") -> str:
    return "\n".join([str(n), *many(n, lambda i: f"{prefix}{i}: {what(i)}")])


AWKWARD: dict[str, Callable[[int], str | bytes]] = {
    "blank lines before the title": lambda n: "\n \n" * n + text_of(constraint(1)),
    "many title lines": lambda n: text_of(title="a title\n" * n),
    "title lines like sections": lambda n: text_of(title="Vars: a\n" * n),
    "one long title line": lambda n: text_of(title="a " * 9 * n + "\n"),
    "a title and no more": lambda n: "a" * 9 * n,
    "one long line of values": lambda n: text_of(domains=f"1\nD: {' '.join(map(str, range(n)))}", variables="0"),
    "one long value": lambda n: text_of(domains=f"1\nD: {'a' * 9 * n}"),
    "one value again and again": lambda n: text_of(domains=f"1\nD: {'1 ' * n}"),
    "a long name with repeated values": lambda n: text_of(domains=f"1\n{'D' * 3 * n}: {'1 ' * n}", variables="0"),
    "ranges that are refused": lambda n: text_of(domains=f"1\nD: 1..99 {'1..1000001 ' * n}"),
    "ranges that repeat": lambda n: text_of(domains=f"1\nD: {'1..9 ' * n}"),
    "symbols like ranges": lambda n: text_of(
        domains=f"1\nD: {' '.join(many(n, lambda i: f'{3 * i}-{3 * i + 1}'))}", variables="0"
    ),
    "commas in a domain": lambda n: text_of(domains=f"1\nD: 1 {',' * n}"),
    "nested braces": lambda n: text_of(domains=f"1\nD: {'{' * n}"),
    "unclosed braces": lambda n: text_of(domains=named(n, lambda i: "{ 1 2", "D"), variables="0"),
    "many domains": lambda n: text_of(domains=named(n, lambda i: f"v{i}", "D"), variables="0"),
    "equal names": lambda n: text_of(domains=f"{n}\n" + "D: 1\n" * n, variables="0"),
    "names that are section words": lambda n: text_of(domains=f"{n}\n" + "goal: 1 2\n" * n, variables="0"),
    "many domains, values and constraints": lambda n: text_of(
        *many(n, lambda i: constraint(i, f"x{i}", [f"v{i}"])),
        domains=named(n, lambda i: f"v{i}", "D"),
        variables=named(n, lambda i: f"D{i}"),
    ),
    "many values outside of many domains": lambda n: text_of(
        *many(n, lambda i: constraint(i, f"x{i}", [f"v{i + 1}"])),
        domains=named(n, lambda i: f"v{i}", "D"),
        variables=named(n, lambda i: f"D{i}"),
    ),
    "unknown domains": lambda n: text_of(variables=named(n, lambda i: f"E{i // 2}")),
    "unknown variables": lambda n: text_of(*many(n, lambda i: constraint(i, f"x u{i // 2}"))),
    "one long scope": lambda n: text_of(
        constraint(1, " ".join(many(n, lambda i: f"x{i}")), ["1 " * n]), variables=named(n, lambda i: "D")
    ),
    "one long scope on many lines": lambda n: text_of(
        constraint(1, "\n".join(many(n, lambda i: f"x{i}")), []), variables=named(n, lambda i: "D")
    ),
    "one long tuple outside of its domains": lambda n: text_of(
        constraint(1, " ".join(many(n, lambda i: f"x{i}")), ["3 " * n]), variables=named(n, lambda i: "D")
    ),
    "one variable again and again": lambda n: text_of(constraint(1, "x " * n)),
    "commas in a scope": lambda n: text_of(constraint(1, "x,,y" + "," * n)),
    "one tuple too long": lambda n: text_of(constraint(1, rows=["1 " * 5 * n])),
    "one long value in a tuple": lambda n: text_of(constraint(1, rows=["1 " + "2" * 9 * n])),
    "one line of tuples": lambda n: text_of(
        constraint(1, rows=[" ".join(many(n, lambda i: f"({i}, {i})"))]), domains=f"1\nD: 1..{n}"
    ),
    "nested parentheses": lambda n: text_of(constraint(1, rows=["(" * 9 * n])),
    "unclosed parentheses": lambda n: text_of(constraint(1, rows=["(1 2"] * n)),
    "commas in a tuple": lambda n: text_of(constraint(1, rows=["," * 9 * n])),
    "tuples of many sizes": lambda n: text_of(constraint(1, rows=many(n, lambda i: "1 " * (i % 9 + 1)))),
    "one tuple again and again": lambda n: text_of(constraint(1, rows=["1 1"] * n)),
    "tuples outside of the domain": lambda n: text_of(constraint(1, rows=["1 3"] * n)),
    "one long label": lambda n: text_of(constraint("C" * 9 * n)),
    "a constraint with a long label repeated": lambda n: text_of(
        constraint("C" * n), *many(n, lambda i: constraint(i))
    ),
    "equal labels": lambda n: text_of(*many(n, lambda i: constraint("C"))),
    "unary constraints on one variable": lambda n: text_of(*many(n, lambda i: constraint(i, "x", ["1"]))),
    "unary constraints on many variables of a large domain": lambda n: text_of(
        *many(2 * n, lambda i: constraint(i, f"x{(i + 1) // 2}", [str(i % 2 + 1)])),
        domains="1\nD: 1..5000",
        variables=named(n, lambda i: "D"),
    ),
    "an Accept cut down by many a Reject": lambda n: text_of(
        constraint(1, "x", map(str, range(1, n + 1)), "Accept"),
        *many(n - 1, lambda i: constraint(i + 1, "x", [str(i)])),
        domains=f"1\nD: 1..{n}",
        variables="1\nx: D",
    ),
    "constraints without tuples": lambda n: text_of(*many(n, lambda i: constraint(i, rows=[]))),
    "many lines Domains:": lambda n: "Domains:\n" * n + text_of(),
    "many sections Domains": lambda n: "Domains: 0\n" * n + text_of(),
    "many sections in turn": lambda n: "Domains: 0\nVariables: 0\nConstraints: 0\nGoal: satisfy\n" * n,
    "many lines Vars:": lambda n: text_of("C1\n" + "Vars:\n" * n),
    "many lines Vars: 1": lambda n: text_of("C1\n" + "Vars: 1\n" * n),
    "many lines Reject:": lambda n: text_of("C1\nVars: 1\nx\n" + "Reject:\n" * n),
    "many tables": lambda n: text_of("C1\nVars: 1\nx\n" + "Reject: 1\n1\n" * n),
    "many goals": lambda n: text_of() + "Goal: Satisfy\n" * n,
    "many labels": lambda n: text_of("C1:\n" * n),
    "control characters": lambda n: "\x01a" * n + "\n" + text_of(),
    "lines with control characters": lambda n: "\x01a\n" * n + text_of(),
    "lone carriage returns": lambda n: "a\r" * n + "\n" + text_of(),
    "nothing but NUL": lambda n: "\0" * 9 * n,
    "lines of Latin-1": lambda n: b"caf\xe9 au lait\n" * n + text_of().encode(),
    "Latin-1 and control characters": lambda n: b"caf\xe9 au lait\n\x01\n" * n + text_of().encode(),
    "blanks and blank lines after everything": lambda n: text_of(constraint(1)).replace("\n", " \t" * n + "\n" * n),
    "blanks inside": lambda n: text_of(constraint(1, f"x{' ' * 5 * n}y", [f"1{chr(9) * 5 * n}1"])),
    "blanks in the goal": lambda n: text_of().replace("Satisfy", f"satisfy{' ' * 9 * n}everything"),
    "blank lines before a count": lambda n: f"Domains:{chr(10) * n}x\n",
    "a long count": lambda n: f"Domains: {'9' * 9 * n}\n",
    "lists in square brackets": lambda n: text_of(domains=f"1\nD: {'[1] ' * n}"),
    "ranges spelt otherwise": lambda n: text_of(domains=f"1\nD: {'1-2 ' * n}"),
    "no-break spaces": lambda n: text_of(domains=f"1\nD: 1{chr(0xA0) * n}2"),
    "separators": lambda n: text_of(constraint(1, rows=["1 | 2; 1"] * n)),
    "byte-order marks": lambda n: "\ufeff \n" * n + text_of(),
    "lines that declare nothing": lambda n: text_of(domains="1\nD: 1 2\n" + "1\n" * n),
    "headers without colon": lambda n: text_of("C1\n" + "Vars\n2\n" * n),
    "tables before their scopes": lambda n: text_of("Reject: 1\n1 1\nVars: 2\nx y\n" * n),
}
SLIPS = list(AWKWARD)[list(AWKWARD).index("lists in square brackets") :]


def bytes_of(name: str, n: int) -> bytes:
    text = AWKWARD[name](n)
    return text if isinstance(text, bytes) else text.encode()


def report_of(data: bytes) -> Report:
    return report_on(Source("text", data))


def work_of(data: bytes, work: Callable[[bytes], object] = report_of) -> int:
    """How many lines are run and calls into C made to examine a text, or for other work on it."""
    n = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal n
        n += 1
        return trace

    def profile(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal n
        n += event == "c_call"

    before = sys.gettrace(), sys.getprofile()
    sys.setprofile(profile)
    sys.settrace(trace)
    try:
        work(data)
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    return n


def peak_of(examine: Callable[[], object]) -> int:
    """How many bytes stand in memory at the most, beyond those from before."""
    gc.collect()
    tracemalloc.start()
    try:
        examine()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    """Build the parser and import what is imported late before anything is counted."""
    for name in AWKWARD:
        report_of(bytes_of(name, 1))
        report_of(bytes_of(name, 1000))
    report_of(bytes_of("blanks and blank lines after everything", 4000))  # is large enough for the parser


@pytest.mark.slow
@pytest.mark.parametrize("name", AWKWARD)
def test_the_work_doubles_when_an_awkward_input_doubles(name: str) -> None:
    n = 400

    def is_linear(sizes: Sequence[int]) -> bool:
        one, two, four = (work_of(bytes_of(name, size)) for size in sizes)
        return four - two < 3 * (two - one) + 10_000  # it would be 4 if the work were quadratic

    # A text that grows beyond a limit, such as a block of the scanner, costs a fixed step more.
    assert is_linear((n, 2 * n, 4 * n)) or is_linear((2 * n, 4 * n, 8 * n))


def fixed(data: bytes) -> FixedText:
    return apply_fixes(Source("text", data))


@pytest.mark.parametrize("name", SLIPS)
def test_the_work_of_fixes_doubles_too(name: str) -> None:
    one, two, four = (work_of(bytes_of(name, k * 200), fixed) for k in (1, 2, 4))
    assert four - two < 3 * (two - one) + 10_000, (one, two, four)


@pytest.mark.slow
@pytest.mark.parametrize("name", AWKWARD)
def test_the_memory_stays_within_a_multiple_of_an_awkward_input(name: str) -> None:
    data = bytes_of(name, 1500)
    peak = peak_of(lambda: report_of(data))
    assert peak < 64 * len(data) + (4 << 20), peak / len(data)  # the patterns of slips, and the findings that are kept


@pytest.mark.parametrize(
    "text",
    [
        "Domains: 999999999999999999\nD: 1\n",
        text_of().replace("Variables:\n2", "Variables:\n999999999999999999"),
        text_of(constraint(1)).replace("Constraints:\n1", "Constraints:\n999999999999999999"),
        text_of(constraint(1)).replace("Vars:\n2", "Vars:\n999999999999999999"),
        text_of(constraint(1)).replace("Reject:\n1", "Reject:\n999999999999999999"),
        text_of(constraint(1)).replace("Reject:\n1", "Accept:\n1000000000000000000"),
        text_of(domains="1\nD: 1..1000000000000000000"),
        text_of(domains="1\nD: -9223372036854775808..9223372036854775807"),
        text_of(domains="1\nD: 1..1" + "0" * 900),
        text_of(domains="1\nD: " + " ".join(f"{i}0001..{i + 1}0000" for i in range(1, 50))),
    ],
)
def test_a_small_file_that_claims_much_gives_a_fault_in_little_memory(text: str) -> None:
    report = None

    def read() -> None:
        nonlocal report
        report = validate(BytesIO(text.encode()), max_range_values=10_000)

    assert peak_of(read) < 6 << 20
    assert report is not None
    errors = [d for d in report.diagnostics if d.severity == "error"]
    assert errors
    assert len(errors) < 60


# ---- Compressed files ----------------------------------------------------------------------------------------------


def long_title(kind: str, megabytes: int) -> bytes:
    """Lines of zeros, compressed as a stream."""
    block = (1023 * b"0" + b"\n") * 1024
    compressors: dict[str, Callable[[], Any]] = {
        "gz": lambda: zlib.compressobj(9, wbits=31),
        "xz": lambda: lzma.LZMACompressor(preset=0),
        "bz2": lambda: bz2.BZ2Compressor(),
        "zst": lambda: zstandard.ZstdCompressor(level=1).compressobj(),
    }
    compressor = compressors[kind]()
    pieces = [compressor.compress(block) for _ in range(megabytes)]
    return b"".join([*pieces, compressor.flush()])


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "megabytes"), [("gz", 256), ("xz", 64), ("bz2", 64), ("zst", 512)])
def test_a_file_that_expands_far_beyond_the_limit_is_refused(kind: str, megabytes: int) -> None:
    packed = long_title(kind, megabytes)
    assert len(packed) < 4 << 20
    codes = []
    peak = peak_of(lambda: codes.extend(d.code for d in validate(BytesIO(packed), max_bytes=3 << 20).diagnostics))
    assert codes == ["F013"]
    assert peak < 48 << 20
    with pytest.raises(InvalidInput, match="F013"):
        load(BytesIO(packed), max_bytes=3 << 20)


CANONICAL = text_of(*many(30, lambda i: constraint(i, rows=[f"{i % 2 + 1} {j}" for j in (1, 2)]))).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kilobytes on Linux")
def test_an_xz_file_that_claims_a_huge_dictionary_takes_no_memory_for_it(tmp_path: Path) -> None:
    packed = bytearray(lzma.compress(CANONICAL, filters=[{"id": lzma.FILTER_LZMA2, "preset": 0}]))
    header = packed[12 : 12 + 4 * (packed[12] + 1)]
    header[header.index(b"\x21\x01") + 2] = 39  # the size of the dictionary: 3 GiB
    header[-4:] = zlib.crc32(bytes(header[:-4])).to_bytes(4, "little")
    packed[12 : 12 + len(header)] = header
    with pytest.raises(lzma.LZMAError, match="emory"):
        lzma.LZMADecompressor(memlimit=2 << 30).decompress(bytes(packed))
    (tmp_path / "huge.csp.xz").write_bytes(packed)
    program = (
        "import resource, sys, f2csp; f2csp.loads('t'.join(sys.argv[2:])); f2csp.load(sys.argv[1])"
        " if sys.argv[1] else None; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    texts = [text_of().replace("t\n", "", 1)]
    plain, huge = (
        int(subprocess.run([sys.executable, "-c", program, name, *texts], capture_output=True, check=True).stdout)
        for name in ("", str(tmp_path / "huge.csp.xz"))
    )
    assert huge - plain < 64 << 10


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_a_compressed_file_cut_anywhere_gives_no_problem(kind: str) -> None:
    packed = COMPRESSIONS[kind](CANONICAL)
    whole = validate(BytesIO(packed)).problem
    assert whole is not None
    for end in range(len(packed)):
        report = validate(BytesIO(packed[:end]))
        assert report.problem is None
        if end >= 10:
            assert [d.code for d in report.diagnostics] == ["F014"]


@pytest.mark.parametrize("kind", sorted(COMPRESSIONS.keys() - {"lzma"}))  # which has no checksum
def test_a_compressed_file_with_a_flipped_bit_never_gives_another_problem(kind: str) -> None:
    packed = (
        zstandard.ZstdCompressor(write_checksum=True).compress(CANONICAL)
        if kind == "zst"
        else COMPRESSIONS[kind](CANONICAL)
    )
    whole = validate(BytesIO(packed)).problem
    for at in range(0, len(packed), 3):
        wrong = bytearray(packed)
        wrong[at] ^= 1 << at % 8
        report = validate(BytesIO(bytes(wrong)))
        assert report.problem in (None, whole)


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_junk_behind_a_compressed_file_gives_no_other_problem(kind: str) -> None:
    packed = COMPRESSIONS[kind](CANONICAL)
    whole = validate(BytesIO(packed)).problem
    assert validate(BytesIO(packed + b"junk behind it")).problem in (None, whole)


@pytest.mark.parametrize("kind", COMPRESSIONS)
def test_two_compressed_files_end_to_end_are_one_text(kind: str) -> None:
    half = len(CANONICAL) // 2
    packed = COMPRESSIONS[kind](CANONICAL[:half]) + COMPRESSIONS[kind](CANONICAL[half:])
    assert validate(BytesIO(packed)).problem == validate(BytesIO(CANONICAL)).problem


def test_a_gzip_file_in_a_gzip_file_is_no_text() -> None:
    report = validate(BytesIO(gzip.compress(gzip.compress(CANONICAL))))
    assert report.problem is None

"""All foreign formats through one face: files by name, recognition by text, and problems that F2CSP can hold."""

import io
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import f2csp
from f2csp.diagnostics import InvalidInput, Source, Unsuitable
from f2csp.door import problem_format
from f2csp.file_formats import F2CSP, PROBLEM_FORMATS
from f2csp.formats.foreign import ExportOptions, exporter, foreign_format, importer
from f2csp.model import Problem
from f2csp.puzzles.latin import LatinSquare
from f2csp.puzzles.to_problem import to_problem
from tests.conftest import Expected
from tests.fault_cases import SOUND_TEXTS, check_faults, sound_text
from tests.formats.numbered import flat, numbered
from tests.small import solutions
from tests.strategies import examples, mutations, problems

SAMPLE = f2csp.load(Path(__file__).parents[2] / "samples" / "map.csp")
NAMES = [form.name for form in PROBLEM_FORMATS if form.name != F2CSP and form.is_written]
IMPORTED = [name for name in NAMES if foreign_format(name).is_read]
some_options = st.builds(ExportOptions, st.booleans(), st.sampled_from(["direct", "support", "order"]))
DEFAULTS = ExportOptions()


def text_of(problem: Problem, name: str, options: ExportOptions = DEFAULTS) -> bytes:
    return b"".join(exporter(name).chunks(problem, options))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_the_exported_text(name: str, tmp_path: Path) -> None:
    stream = io.StringIO()
    f2csp.export(SAMPLE, stream, name)
    f2csp.export(SAMPLE, tmp_path / "map", name)
    assert stream.getvalue().encode() == (tmp_path / "map").read_bytes() == text_of(SAMPLE, name)


@pytest.mark.parametrize("name", IMPORTED)
def test_a_file_is_imported_by_its_name_or_open(name: str, tmp_path: Path) -> None:
    f2csp.export(SAMPLE, tmp_path / "map.gz", name)
    again = f2csp.import_(tmp_path / "map.gz", name)
    assert f2csp.import_(io.StringIO(text_of(SAMPLE, name).decode()), name) == again
    assert len(solutions(again)) == len(solutions(SAMPLE))
    if name != "wcsp":
        assert list(again.variables) == list(SAMPLE.variables)


@pytest.mark.parametrize("name", IMPORTED)
@given(problem=problems())
def test_an_exported_text_is_recognised(name: str, problem: Problem) -> None:
    try:
        source = Source("file", text_of(problem, name))
    except Unsuitable:  # XML cannot hold some characters
        return
    assert problem_format(source) is foreign_format(name)


@pytest.mark.parametrize("name", ["json", "wcsp"])
@given(problem=problems())
def test_there_and_back_again_is_the_same_problem(name: str, problem: Problem) -> None:
    read, text = importer(name).read, text_of(problem, name)
    again = read(Source("file", text))
    assert again == problem if name != "wcsp" else numbered(again) == numbered(problem)
    assert read(Source("file", b"\xef\xbb\xbf" + text)) == again


def _exported(problem: Problem, name: str, data: st.DataObject) -> bytes:
    return text_of(problem, name, data.draw(some_options))


@pytest.mark.parametrize(
    ("name", "write"),
    [
        *((name, _exported) for name in IMPORTED),
        *((name, lambda _, name, __: sound_text(name).encode()) for name in ("json", "wcsp", "xcsp2", "xcsp3")),
        ("wcsp", lambda p, *_: flat(p)),
    ],
)
@examples(80)
@given(problem=problems(), data=st.data())
def test_an_import_is_a_problem_that_reads_back_or_has_faults(
    name: str, write: Callable[[Problem, str, st.DataObject], bytes], problem: Problem, data: st.DataObject
) -> None:
    with suppress(InvalidInput, Unsuitable):
        again = importer(name).read(Source("file", data.draw(mutations(write(problem, name, data)))))
        assert f2csp.loads(f2csp.dumps(again)) == again


@pytest.mark.parametrize("name", ["col", "dimacs", "json", "wcsp", "xcsp2", "xcsp3"])
def test_every_fault_has_its_place(name: str, expected: Expected) -> None:
    options = {"colours": 3} if name == "col" else {}
    read = partial(importer(name).read, **options)
    if name != "dimacs":
        expected(SOUND_TEXTS / f"{name}.csp", f2csp.dumps(read(Source("file", sound_text(name).encode()))))
    check_faults(name, read, expected, "" if name == "dimacs" else sound_text(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["json", "wcsp"])
def test_a_large_table_and_many_constraints_come_in_pieces(name: str) -> None:
    builder = f2csp.ProblemBuilder("Large")
    builder.domain("D", range(300))
    builder.domain("E", range(300, 0, -1))
    for variable, domain in (("x", "D"), ("y", "D"), ("z", "E")):
        builder.variable(variable, domain)
    for scope in (["x", "y"], ["y", "x"], ["y", "z"]):
        builder.accept(scope, [(i, j) for i in range(1, 300) for j in range(1, 300)])
    for i in range(1 << 14):
        builder.reject([["x", "y"], ["y", "z"]][i % 2], [(1 + i % 200, 1)], f"{i}#")
    problem = builder.build()
    pieces = list(exporter(name).chunks(problem, ExportOptions()))
    again = importer(name).read(Source("file", b"".join(pieces)))
    assert again == problem if name != "wcsp" else numbered(again) == numbered(problem)
    assert max(map(len, pieces)) < sum(map(len, pieces)) / 2


@pytest.mark.parametrize("name", ["dimacs", "minizinc"])
def test_many_constraints_come_in_pieces(name: str) -> None:
    pieces = list(exporter(name).chunks(to_problem(LatinSquare(40)), DEFAULTS))
    assert max(map(len, pieces)) < 1 << 20 < sum(map(len, pieces))


@given(problem=problems())
def test_an_exported_model_is_recognised_as_one_that_is_not_read(problem: Problem) -> None:
    assert problem_format(Source("file", text_of(problem, "minizinc"))) is foreign_format("minizinc")

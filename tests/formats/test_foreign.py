"""All foreign formats through one face: files by name, recognition by text, and problems that F2CSP can hold."""

import io
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import f2csp
from f2csp.cli.inputs import is_problem
from f2csp.diagnostics import F2cspError, InvalidInput, Source, Unsuitable
from f2csp.formats.foreign import FOREIGN_FORMATS, ExportOptions, foreign_format, recognised
from f2csp.model import Problem
from tests.small import solutions
from tests.strategies import mutations, problems

SAMPLE = f2csp.load(Path(__file__).parents[2] / "samples" / "map.csp")
NAMES = [form.name for form in FOREIGN_FORMATS]
IMPORTED = [form.name for form in FOREIGN_FORMATS if form.imports]


def text_of(problem: Problem, name: str) -> bytes:
    return b"".join(foreign_format(name).exporter().chunks(problem, ExportOptions()))


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
@settings(deadline=None)
@given(problem=problems())
def test_an_exported_text_is_recognised(name: str, problem: Problem) -> None:
    try:
        source = Source("file", text_of(problem, name))
    except Unsuitable:  # XML cannot hold some characters
        return
    assert recognised(source) is foreign_format(name)
    assert not is_problem(source, "auto")


@pytest.mark.parametrize("name", IMPORTED)
@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_an_import_is_a_problem_that_reads_back_or_has_faults(name: str, data: st.DataObject) -> None:
    with suppress(InvalidInput, Unsuitable):
        text = data.draw(mutations(text_of(data.draw(problems()), name)))
        again = foreign_format(name).importer().read(Source("file", text))
        assert f2csp.loads(f2csp.dumps(again)) == again


def test_names_of_formats() -> None:
    assert foreign_format("toulbar2") is foreign_format("cfn")
    with pytest.raises(F2cspError, match="there is no format 'sat'; the formats are xcsp3, "):
        f2csp.export(SAMPLE, io.StringIO(), "sat")
    with pytest.raises(Unsuitable, match="MiniZinc can be written, but not read"):
        f2csp.import_(io.StringIO(""), "minizinc")
    with pytest.raises(Unsuitable, match="solvers print no answers in JSON"):
        foreign_format("json").answer_reader()

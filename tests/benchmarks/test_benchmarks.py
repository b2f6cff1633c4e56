"""The benchmarks run, on tiny inputs; no time is asserted."""

import sys
from pathlib import Path

import pytest

import f2csp
from tests.benchmarks import __main__ as program
from tests.benchmarks import measure
from tests.benchmarks.__main__ import RESULTS, main
from tests.benchmarks.measure import Answer, Row, Skipped, needs, process
from tests.benchmarks.peers import TASKS, task_lines
from tests.benchmarks.rows import ROWS
from tests.benchmarks.startup import commands, table
from tests.benchmarks.texts import FAULTS, TINY, Texts


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Texts:
    monkeypatch.setattr(measure, "MAX_TURNS", 1)
    return Texts(tmp_path, TINY)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row_is_measured(row: Row, texts: Texts) -> None:
    assert row.aim < row.must
    try:
        measured = row.measured(texts)
    except Skipped as reason:
        pytest.skip(str(reason))
    assert measured.seconds > 0
    assert isinstance(measured.value, float)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(TASKS)), ids=lambda number: TASKS[number].name)
def test_programs_of_a_task_answer(number: int, texts: Texts) -> None:
    try:
        lines = task_lines(number, texts)
    except Skipped as reason:
        pytest.skip(str(reason))
    assert len(lines) == len(TASKS[number].programs)
    assert any("| f2csp |" in line for line in lines)


def test_a_program_without_an_answer_has_no_time() -> None:
    command = [sys.executable, "-c", "print('no answer')"]
    assert process(command, answer=Answer("^no")) > 0
    with pytest.raises(RuntimeError, match=r"expected .* found 'no answer"):
        process(command, answer=Answer("^no", 2))
    with pytest.raises(RuntimeError, match="ended with 3"):
        process([sys.executable, "-c", "exit(3)"])
    with pytest.raises(TimeoutError, match=r"did not end within 0 s"):
        process([sys.executable, "-c", "import time; time.sleep(60)"], limit=0.01)


def test_results_lack_no_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(program, "RESULTS", tmp_path / "RESULTS.md")
    with pytest.raises(SystemExit, match="wc is not installed"):
        main(["--scale", "tiny", "--only", "stats --fast", "--write"])
    assert not (tmp_path / "RESULTS.md").exists()
    assert "skipped" not in RESULTS.read_text(encoding="utf-8")


def test_a_row_without_its_peer_is_skipped() -> None:
    with pytest.raises(Skipped, match="no_such_package is not installed"):
        needs("no_such_package")


def test_variants_are_the_problems_that_they_should_be(texts: Texts) -> None:
    plain = f2csp.load(texts.sudoku(9))
    assert f2csp.load(texts.crlf(9)) == plain == f2csp.load(texts.counted_beside(9))
    assert f2csp.load(texts.named(9)).constraints[6].label == "pair-7"
    assert len(f2csp.load(texts.alternating(9)).relations) == 2
    for fault in FAULTS:
        assert not f2csp.validate(texts.faulty(9, fault)).is_valid
    assert len(f2csp.load(texts.different()).relations) == TINY.n_tables
    assert len(f2csp.load(texts.triples()).relations) == TINY.n_tables
    assert f2csp.load(texts.large_table(50)).relations[0].n_tuples == 50
    assert {d.code for d in f2csp.validate(texts.unknown_names()).diagnostics} == {"F204"}


def test_the_table_of_start_up_times_has_every_command(texts: Texts) -> None:
    from f2csp.cli.commands import commands as commands_of_program

    measured = commands(texts)
    assert set(commands_of_program()) == {name.split()[0] for name in measured} - {"--version"}
    *_, line = table({"code": measured["code"]})
    assert line.startswith("| `f2csp code` |")


def test_the_program_prints_the_rows_that_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--scale", "tiny", "--only", "9x9, warm", "--folder", str(tmp_path / "texts")])
    head, _, row, _, total = capsys.readouterr().out.splitlines()
    assert head.startswith("| what | ratio, or megabytes |")
    assert total.endswith(": 1")
    assert row.startswith("| `loads`, 9x9, warm | ")

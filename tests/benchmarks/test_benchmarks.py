"""The benchmarks run, on tiny inputs; no time is asserted."""

from pathlib import Path

import pytest

import f2csp
from tests.benchmarks.__main__ import main
from tests.benchmarks.measure import Row
from tests.benchmarks.peers import PEERS, peer_time
from tests.benchmarks.rows import ROWS
from tests.benchmarks.startup import table
from tests.benchmarks.texts import TINY, Texts


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    return Texts(tmp_path, TINY)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row_is_measured(row: Row, texts: Texts) -> None:
    found = row.measured(texts)
    assert found.seconds > 0
    assert isinstance(found.value, float)
    assert row.aim < row.must


@pytest.mark.parametrize("name", PEERS)
def test_peer_is_measured_or_says_why_not(name: str, texts: Texts) -> None:
    found = peer_time(name, texts)
    assert found.endswith(" s") or found.startswith("skipped: ")


def test_variants_are_the_problems_that_they_should_be(texts: Texts) -> None:
    plain = f2csp.load(texts.sudoku(9))
    assert f2csp.load(texts.crlf(9)) == plain
    assert f2csp.load(texts.named(9)).constraints[6].label == "pair-7"
    assert len(f2csp.load(texts.alternating(9)).relations) == 2
    assert [d.code for d in f2csp.validate(texts.faulty(9)).diagnostics] == ["F304"]
    assert len(f2csp.load(texts.different()).relations) == TINY.n_tables
    assert len(f2csp.load(texts.triples()).relations) == TINY.n_tables
    assert f2csp.load(texts.large_table()).relations[0].n_tuples == TINY.n_rows


def test_the_table_of_start_up_times_has_every_command(texts: Texts) -> None:
    from f2csp.cli.main import commands

    measured = commands(texts)
    assert set(commands()) == {name.split()[0] for name in measured} - {"--version"}
    *_, line = table({"code": measured["code"]}, runs=1)
    assert line.startswith("| `f2csp code` |")


def test_the_program_prints_the_rows_that_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--scale", "tiny", "--only", "9x9, warm", "--folder", str(tmp_path / "texts")])
    head, _, row = capsys.readouterr().out.splitlines()
    assert head.startswith("| what | seconds |")
    assert row.startswith("| `loads`, 9x9, warm | ")

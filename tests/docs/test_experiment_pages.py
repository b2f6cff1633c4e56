"""The pages of experiments: their files without a run, and on demand the table and the plot of runs that are kept."""

import os
from pathlib import Path

import pytest

import f2csp.experiments
from docs.experiments import EXPERIMENTS, experiment_pages, files_of

SMALL = '''\
title = "Small squares"
text = """
Two searches.
"""
repeats = 1

[[generate]]
kind = "latin"
size = 3
count = 2

[engines]
FC = "search:inference=fc"
MAC = "search:inference=mac"

[plot]
y = "nodes"
'''


def test_each_experiment_has_a_page_with_its_file():
    pages = experiment_pages(None)
    assert list(pages) == [f"experiments/{path.stem}.md" for path in EXPERIMENTS]
    for path, page in zip(EXPERIMENTS, pages.values(), strict=True):
        head, text = path.read_text(encoding="utf-8").split('"""\n', 1)
        about, rest = text.split('"""\n', 1)
        title = head.split('"')[1]
        assert page.startswith(f"# {title}\n\n{about}\n")
        assert f"```toml\n{rest}```\n" in page
        assert f"f2csp compare --experiment samples/experiments/{path.name} --markdown" in page


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system forks no processes")
def test_runs_are_made_once_and_shown_as_a_table_and_a_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("matplotlib")
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    files = files_of(path, tmp_path / "runs")
    page = files["experiments/small.md"]
    assert page.startswith("# Small squares\n\nTwo searches.\n\n4 runs, ")
    assert "![Plot](small.svg)" in page
    assert [name for name in ("FC", "MAC") if f"| latin, size 3 | {name} | satisfiable | 2 | " not in page] == []
    assert "<svg" in files["experiments/small.svg"]
    assert [kept.suffix for kept in (tmp_path / "runs").iterdir()] == [".jsonl"]
    monkeypatch.setattr(f2csp.experiments, "run", None)
    assert files_of(path, tmp_path / "runs") == files

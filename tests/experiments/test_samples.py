"""The experiments in samples: each can be read, and the table beside it is its own."""

import re
from pathlib import Path

import pytest

from f2csp.experiments import load_experiment

FOLDER = Path(__file__).parents[2] / "samples" / "experiments"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_an_experiment_has_its_table_beside_it(file: Path):
    pytest.importorskip("ortools")
    pytest.importorskip("pysat")
    pytest.importorskip("z3")
    experiment = load_experiment(str(file))
    page = file.with_suffix(".md").read_text(encoding="utf-8")
    assert page.startswith(f"# {experiment.title}\n\n{experiment.text.strip()}\n\n{experiment.n_runs:,} runs, ")
    names = {(experiment.group_of(task), name) for task in experiment.tasks for name in experiment.names_for(task)}
    assert [pair for pair in names if f"| {' | '.join(pair)} | " not in page] == []
    assert "contradiction" not in page
    for plot in re.findall(r"!\[Plot\]\((.*?)\)", page):
        assert (FOLDER / plot).read_bytes().startswith(b"\x89PNG")

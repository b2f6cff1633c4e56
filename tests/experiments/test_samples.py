"""The experiments in samples: each can be read, and each of its configurations runs on its first problem."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from f2csp.experiments import Experiment, load_experiment, run
from f2csp.experiments.runs import ANSWERS, TIMED_OUT
from f2csp.experiments.table import contradictions

FILES = sorted((Path(__file__).parents[2] / "samples" / "experiments").glob("*.toml"))


def loaded(file: Path) -> Experiment:
    for package in ("ortools", "pysat", "z3"):
        pytest.importorskip(package)
    return load_experiment(str(file))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_an_experiment_says_what_it_compares(file: Path):
    experiment = loaded(file)
    assert experiment.title
    assert experiment.text.strip()
    used = {name for task in experiment.tasks for name in experiment.names_for(task)}
    assert used == set(experiment.engines)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system forks no processes")
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_each_configuration_runs_on_its_first_problem(file: Path):
    experiment = loaded(file)
    first = {
        name: next(task for task in experiment.tasks if name in experiment.names_for(task))
        for name in experiment.engines
    }
    tasks = [replace(task, engines=[name]) for name, task in first.items()]
    runs = list(run(replace(experiment, tasks=tasks, repeats=1, seconds=1)))
    assert [each.engine for each in runs] == list(experiment.engines)
    assert [(each.engine, each.message) for each in runs if each.status not in (*ANSWERS, TIMED_OUT)] == []
    assert contradictions(runs) == []

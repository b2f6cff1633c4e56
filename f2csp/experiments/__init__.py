"""Experiments: engines and their configurations side by side on the same problems."""

from f2csp.experiments.experiment import Experiment, Plot, Task, load_experiment
from f2csp.experiments.runs import Run, frame, run

__all__ = ["Experiment", "Plot", "Run", "Task", "frame", "load_experiment", "run"]

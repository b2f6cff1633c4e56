"""Runs foreign programs, skips tests for which they are not installed, and has the problems of all samples."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

import f2csp
from f2csp.files import read_source
from f2csp.model import Problem
from f2csp.puzzles import KINDS
from f2csp.puzzles.to_problem import to_problem
from tests.boards.puzzle_texts import read

_ROOT = Path(__file__).parents[2] / "samples"
SAMPLES = [*sorted(_ROOT.glob("*.csp")), *(path for kind in KINDS for path in sorted((_ROOT / kind).iterdir()))]
"""The files."""


def needs(program: str, package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not shutil.which(program), reason=f"needs the Debian package {package}")


def some(n: int) -> settings:
    """Few random examples, for each of which a program starts."""
    return settings(
        max_examples=n,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def run(*command: str | Path, check: bool = False, folder: Path | None = None) -> str:
    """What a program prints; unless it is checked, its exit code says only what it found."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=check, cwd=folder, timeout=120)
    return done.stdout


def sample_name(path: Path) -> str:
    return f"{path.parent.name}-{path.name}"


def sample(path: Path) -> Problem:
    """The problem in a file, or that of the first puzzle in it."""
    if path.suffix == ".csp":
        return f2csp.load(path)
    box = re.search(r"-box-(\d+)x(\d+)", path.name)
    options = {"box": (int(box[1]), int(box[2]))} if box else {}
    return to_problem(read(read_source(path).data, path.parent.name, **options))

"""Runs foreign programs, and skips tests for which they are not installed."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings


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

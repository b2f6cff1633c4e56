"""Options, profiles and fixtures for all tests."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

Expected = Callable[[str | Path, str], None]

# A test never asserts a time: machines are shared, and a first example often pays for an import.
for profile, n_examples in [("quick", 40), ("full", 100), ("thorough", 1000)]:
    untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=n_examples)
    settings.register_profile(profile, untimed)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# A shell starts background jobs with Ctrl-C ignored, and children inherit that: the tests of interrupts would hang.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="Rewrite the expected texts with what the tests find.")


@pytest.fixture
def expected(request: pytest.FixtureRequest) -> Expected:
    """Compares a text with an expected file, which ``pytest --update`` rewrites.

    A relative name is a file in the folder ``expected`` beside the test module: ``expected("solve/help.txt", text)``.
    """

    def compare(name: str | Path, text: str) -> None:
        path = request.path.parent / "expected" / name
        if request.config.getoption("update"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert text == path.read_bytes().decode()

    return compare

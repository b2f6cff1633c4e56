"""Options, profiles and fixtures for all tests."""

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from f2csp.diagnostics import MissingExtra

Expected = Callable[[str | Path, str], None]

# A test never asserts a time: machines are shared, and a first example often pays for an import.
for profile, n_examples in [("quick", 40), ("full", 100), ("thorough", 1000)]:
    untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=n_examples)
    settings.register_profile(profile, untimed)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# A shell starts background jobs with Ctrl-C ignored, and children inherit that: the tests of interrupts would hang.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


NOT_IN_A_BROWSER = re.compile(
    r"No module named '(_?lzma|cairosvg|distributed|hatchling|matplotlib|ortools|pandas|pyarrow|pyganak|pysat|z3|zst)"
    r"|does not support processes|can't start new thread|Function not implemented"
)
"""What WebAssembly lacks: packages with code in C or for a desk, processes, threads."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Skip a test that needs what is not there, inside Pyodide; elsewhere it fails."""
    try:
        return (yield)
    except (ImportError, MissingExtra, OSError, RuntimeError) as error:
        if sys.platform == "emscripten" and (isinstance(error, MissingExtra) or NOT_IN_A_BROWSER.search(str(error))):
            pytest.skip(f"not inside Pyodide: {error}")
        raise


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

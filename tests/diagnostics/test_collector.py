"""The collector keeps the first findings, counts the others, and its errors survive pickling."""

import pickle
from pathlib import Path

import pytest

from f2csp.diagnostics import (
    CATALOGUE,
    Collector,
    F2cspError,
    InvalidInput,
    MissingExtra,
    ProblemError,
    Source,
    Unsuitable,
)
from f2csp.files import BrokenText

PACKAGE = Path(__file__).parents[2] / "f2csp"


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_code_is_reported_by_some_module(code: str) -> None:
    modules = [path for path in PACKAGE.rglob("*.py") if path.name != "catalogue.py"]
    assert any(f'"{code}"' in path.read_text(encoding="utf-8") for path in modules)


def filled(offsets: list[int], limit: int) -> Collector:
    collector = Collector(Source("a.csp", b"x" * 10_000), limit)
    for offset in offsets:
        collector.add("F012", offset, offset + 1, f"fault at {offset}")
    return collector


def test_errors_survive_pickling() -> None:
    with pytest.raises(InvalidInput) as caught:
        filled([3, 5], limit=1).raise_if_errors()
    errors: list[F2cspError] = [caught.value, Unsuitable("no"), ProblemError("no"), MissingExtra("zstandard", "zst")]
    for error in [*errors, BrokenText("F014", "cut off")]:
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))

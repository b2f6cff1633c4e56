"""Every example of docs/python.md does what it shows."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


def test_the_page_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("networkx")
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8").replace("```", "")
    tour = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(tour.examples) > 40
    assert doctest.DocTestRunner().run(tour).failed == 0

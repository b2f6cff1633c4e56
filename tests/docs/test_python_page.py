"""Every example of docs/python.md, docs/batch.md and docs/hints.md does what it shows."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("name", "n_examples"), [("python.md", 40), ("batch.md", 2), ("hints.md", 6)])
def test_the_page_does_what_it_shows(
    name: str, n_examples: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ROOT / "docs" / name
    pytest.importorskip("pandas")
    pytest.importorskip("networkx")
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8").replace("```", "")
    tour = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    assert len(tour.examples) >= n_examples
    assert doctest.DocTestRunner().run(tour).failed == 0

"""The page of licences: its table is that of the extras, and of what the installed packages say."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
PAGE = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| ([\w-]+) \| (.+) \|$", PAGE, re.MULTILINE)
SPELLINGS = {"GPL": "GNU General Public License v3", "PSF": "Python Software Foundation"}


def test_each_extra_for_users_has_its_packages() -> None:
    packages = [(extra, re.match(r"[\w-]+", line)[0]) for extra, lines in EXTRAS.items() for line in lines]  # type: ignore[index]
    assert sorted((e, p) for e, p, _ in ROWS) == sorted(
        (e, p) for e, p in packages if e not in ("all", "bench", "docs", "test")
    )


@pytest.mark.parametrize(("package", "licence"), sorted({row[1:] for row in ROWS}))
def test_the_licence_is_that_of_the_installed_package(package: str, licence: str) -> None:
    try:
        given = metadata(package)
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    stated = " ".join(value for key, value in given.items() if key in ("License-Expression", "License", "Classifier"))
    family = licence.split("-")[0]
    assert SPELLINGS.get(family, family) in stated


def test_all_installs_nothing_with_the_gpl() -> None:
    (line,) = EXTRAS["all"]
    extras = re.search(r"\[(.*)\]", line)[1].split(",")  # type: ignore[index]
    assert not {extra for extra, _, licence in ROWS if licence.startswith("GPL")} & {*extras}

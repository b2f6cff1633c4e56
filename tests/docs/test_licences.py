"""The page of licences: its table is that of the extras, and of what the installed packages say."""

import re
from importlib.metadata import PackageNotFoundError, metadata

import pytest

from tests.docs.test_release import EXTRAS, ROOT, packages_of

PAGE = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| ([\w-]+) \| (.+) \|$", PAGE, re.MULTILINE)
SPELLINGS = {"GPL": "GNU General Public License v3", "PSF": "Python Software Foundation"}


def test_each_extra_for_users_has_its_packages() -> None:
    for_users = set(EXTRAS) - {"all", "bench", "docs", "test"}
    assert sorted((e, p) for e, p, _ in ROWS) == sorted((e, p) for e in for_users for p in packages_of(e))


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
    assert not {package for _, package, licence in ROWS if licence.startswith("GPL")} & packages_of("all")

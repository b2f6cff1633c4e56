"""What a release brings: one version and one address everywhere, manual pages, completion."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import f2csp
from f2csp.cli.commands import commands
from f2csp.diagnostics import CATALOGUE, SITE, page_of

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["CITATION.cff", "docs/packaging/conda/recipe.yaml"])
def test_the_version_is_the_same_everywhere(name: str) -> None:
    assert re.findall(r"^ *version: (\S+)$", text_of(name), re.MULTILINE)[0] == f2csp.__version__


def test_the_address_is_the_same_everywhere() -> None:
    assert PROJECT["urls"]["Documentation"] == SITE
    assert SITE in text_of("CITATION.cff")
    assert {page_of(code) for code in CATALOGUE} == {f"{SITE}codes/{code}/" for code in CATALOGUE}
    for name in ("CITATION.cff", "SECURITY.md", "docs/packaging/conda/recipe.yaml"):
        assert PROJECT["urls"]["Repository"] in text_of(name)


def test_the_workflow_tests_every_python_that_is_promised() -> None:
    promised = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert promised[0] == PROJECT["requires-python"].removeprefix(">=")
    listed = re.search(r"python: \[(.*)\]", text_of(".github/workflows/test.yml"))
    assert listed is not None
    assert re.findall(r'"(3\.\d+)"', listed[1]) == promised


def test_the_recipe_needs_what_the_package_needs() -> None:
    (run,) = re.findall(r"  run: \[python (.*)\]", text_of("docs/packaging/conda/recipe.yaml"))
    assert run.replace(" ", "") == ",".join([PROJECT["requires-python"], *PROJECT["dependencies"]])


def test_a_wheel_brings_a_manual_page_and_completion_for_each_program(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        shared = {name.partition("/share/")[2]: name for name in archive.namelist() if "/share/" in name}
        page = archive.read(shared["man/man1/f2csp-count.1"]).decode()
    programs = set(PROJECT["scripts"])
    assert {name for name in shared if name.startswith("man")} == {
        f"man/man1/{page}.1" for page in programs | {f"f2csp-{name}" for name in commands()}
    }
    assert programs == {name.rpartition("/")[2] for name in shared if name.startswith("bash-completion")}
    assert page.startswith('.TH "F2CSP-COUNT" 1\n.SH NAME\nf2csp-count \\- Count')
    assert "f2csp count [OPTIONS]" in page

"""What a release brings: one version and one address everywhere, manual pages, completion."""

import os
import re
import shutil
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

EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def packages_of(extra: str) -> set[str]:
    """The packages that an extra installs, by itself or by other extras."""
    packages = set()
    for line in EXTRAS[extra]:
        name, *others = re.findall(r"[\w-]+", line.partition(">")[0])
        packages |= {name} if name != PROJECT["name"] else set().union(*map(packages_of, others))
    return packages


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_no_other_file_repeats_the_version() -> None:
    release = re.escape(f2csp.__version__.partition(".dev")[0])
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if files.returncode:
        pytest.skip("this is no clone")
    version = re.compile(rf"(?<![\d.^~=-]){release}(?!\.?[1-9])")
    named = {
        name
        for name in files.stdout.split("\0")
        if name.endswith((".cff", ".json", ".md", ".py", ".toml", ".yaml", ".yml"))
        and not name.startswith("tests/corpus/")
        and not name.endswith("package-lock.json")  # versions of what npm brings
        and version.search(text_of(name))
    }
    assert named == {"CHANGELOG.md", "f2csp/__init__.py"}


def test_the_addresses_are_those_of_the_project() -> None:
    assert PROJECT["urls"]["Documentation"] == SITE
    assert {page_of(code) for code in CATALOGUE} == {f"{SITE}codes/{code}/" for code in CATALOGUE}
    for name in ("CITATION.cff", "SECURITY.md", "action.yml", "docs/packaging/conda/recipe.yaml"):
        assert "f2csp/f2csp" not in text_of(name)


def test_the_action_runs_the_program_of_its_own_ref(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None or os.name == "nt":
        pytest.skip("the runners of the action have bash")
    (command,) = re.findall(r"^ +run: (.*)$", text_of("action.yml"), re.MULTILINE)
    variables = re.findall(r"^ +([A-Z]+): \$\{\{ ([\w.]+) \}\}", text_of("action.yml"), re.MULTILINE)
    assert dict(variables)["ACTION"] == "github.action_path"
    pipx = tmp_path / "pipx"
    pipx.write_text('#!/bin/sh\ntest -f "$3/pyproject.toml" && shift 3 && exec "$@"\n', encoding="utf-8")
    pipx.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]])
    for name in ("first.txt", "second.txt", "two-cells.csp"):
        shutil.copy(ROOT / "samples/faulty/two-cells.csp", tmp_path / name)
    given = {"ACTION": str(ROOT), "ARGUMENTS": "--exclude *.txt", "FILES": ".", "PATH": path}
    done = subprocess.run(
        [bash, "-c", command], cwd=tmp_path, env=os.environ | given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    (annotation,) = done.stdout.splitlines()
    assert annotation.startswith("::error file=two-cells.csp,line=20")


def test_the_workflow_tests_every_python_that_is_promised() -> None:
    promised = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert promised[0] == PROJECT["requires-python"].removeprefix(">=")
    listed = re.search(r"python: \[(.*)\]", text_of(".github/workflows/test.yml"))
    assert listed is not None
    assert re.findall(r'"(3\.\d+)"', listed[1]) == promised


def test_the_recipe_needs_what_the_package_needs() -> None:
    (run,) = re.findall(r"  run: \[python (.*)\]", text_of("docs/packaging/conda/recipe.yaml"))
    assert run.replace(" ", "").replace('"', "") == ",".join([PROJECT["requires-python"], *PROJECT["dependencies"]])


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this clone."""
    pytest.importorskip("hatchling")
    pytest.importorskip("hatch_fancy_pypi_readme")
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def test_links_of_the_readme_are_addresses_in_the_description_of_a_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        description = archive.read(metadata).decode().partition("\n\n")[2]
    repository = re.escape(PROJECT["urls"]["Repository"])
    addresses = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", description)
    assert len(addresses) > 10
    for picture, address in addresses:
        place = re.fullmatch(rf"{repository}/{'raw' if picture else 'blob'}/main/([^#]+)(#.*)?", address)
        assert place is not None, address
        assert (ROOT / place[1]).exists(), address


def test_a_wheel_brings_a_manual_page_and_completion_for_each_program(wheel: Path) -> None:
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

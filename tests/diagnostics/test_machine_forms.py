"""SARIF, GitHub annotations and the hooks for pre-commit: what machines read."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from f2csp.diagnostics import Diagnostic, Excerpt, Span
from f2csp.diagnostics.render import Findings, github, sarif
from f2csp.text.load import validate
from tests.cli.in_process import run_program

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
INVALID = sorted((ROOT / "tests/corpus/invalid").iterdir())

DOCUMENT = json.loads(Path(__file__).with_name("sarif.schema.json").read_text(encoding="utf-8"))
"""What of SARIF 2.1.0 is written, as a JSON schema that allows no more."""
NUMBER = {"type": "integer", "minimum": 1}


def exactly(**properties: Any) -> dict[str, Any]:
    """An object with these properties, each of them required, and no others."""
    kind = {"type": "object", "additionalProperties": False}
    return {**kind, "properties": properties, "required": list(properties)}


def run(*args: str, cwd: Path) -> tuple[int, str, str]:
    done = run_program(*args, program="validate", cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def sarif_of(*diagnostics: Diagnostic) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(sarif(Findings([("p.csp", diagnostics)]), "1.2.3"))
    jsonschema.validate(document, DOCUMENT)
    found: dict[str, Any] = document["runs"][0]
    return found


def diagnostic(message: str, file: str = "p.csp", hint: str | None = None, end_line: int = 3) -> Diagnostic:
    return Diagnostic("F304", message, file, Excerpt(Span(3, 5, end_line, 7), "1 2"), (), ("a note",), hint)


@pytest.mark.parametrize("folder", INVALID, ids=lambda folder: folder.name)
def test_every_fault_of_the_corpus_has_its_form(folder: Path) -> None:
    diagnostics = [diagnostic for path in sorted(folder.glob("*.csp")) for diagnostic in validate(path).diagnostics]
    results = sarif_of(*diagnostics)["results"]
    assert [r["ruleId"] for r in results] == [d.code for d in diagnostics]
    assert [list(r["locations"][0]["physicalLocation"]["region"].values()) for r in results] == [
        [d.span.line, d.span.column, d.span.end_line, d.span.end_column] for d in diagnostics
    ]
    assert [len(r["relatedLocations"]) for r in results] == [len(d.related) for d in diagnostics]
    assert [
        [c["replacements"][0]["insertedContent"]["text"] for f in r["fixes"] for c in f["artifactChanges"]]
        for r in results
        if "fixes" in r
    ] == [[d.fix.text] for d in diagnostics if d.fix]
    assert all(re.fullmatch(r"::(error|warning) [^\n]*::[^\n]+\n", github(d)) for d in diagnostics)


@pytest.fixture
def three_files(tmp_path: Path) -> Path:
    (tmp_path / "good.csp").write_text("T\nDomains: 0\nVariables: 0\nConstraints: 0\nGoal: Satisfy\n")
    (tmp_path / "bad.csp").write_text('T\nDomains: 1\n"<&\uffff: 1 1\nVariables: 0\nConstraints: 2\n', encoding="utf-8")
    return tmp_path


def test_the_form_for_gitlab_is_a_code_quality_report(three_files: Path) -> None:
    args = ("--format", "gitlab", "good.csp", "bad.csp", "none.csp")
    code, out, _ = run(*args, cwd=three_files)
    issues = json.loads(out)
    location = exactly(path={"type": "string"}, lines=exactly(begin=NUMBER))
    words = {"type": "string", "minLength": 1}
    severity = {"enum": ["info", "minor", "major", "critical", "blocker"]}
    issue = exactly(description=words, check_name=words, fingerprint=words, severity=severity, location=location)
    jsonschema.validate(issues, {"type": "array", "items": issue})
    assert [issue["check_name"][:4] for issue in issues] == [
        d.code for d in validate(three_files / "bad.csp").diagnostics
    ]
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) > 1
    assert (code, out) == (2, run(*args, cwd=three_files)[1])


def test_the_form_for_junit_has_a_suite_for_each_file_and_a_failure_for_each_fault(three_files: Path) -> None:
    code, out, _ = run("--format", "junit", "good.csp", "bad.csp", "none.csp", cwd=three_files)
    suites = list(ElementTree.fromstring(out.encode()))
    n = len(validate(three_files / "bad.csp").diagnostics)
    found = [(suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("errors")) for suite in suites]
    assert found == [("good.csp", "1", "0", "0"), ("bad.csp", f"{n}", f"{n}", "0"), ("f2csp", "1", "0", "1")]
    assert code == 2


def hooks() -> list[dict[str, str]]:
    """The hooks, by the little of YAML that the file uses."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text()
    blocks = text.removeprefix("- ").split("\n\n- ")
    return [dict(line.strip().split(": ", 1) for line in block.splitlines()) for block in blocks]  # type: ignore[misc]


def test_the_hooks_for_pre_commit_are_whole_and_run() -> None:
    assert [hook["id"] for hook in hooks()] == ["f2csp-validate", "f2csp-format"]
    scripts = {point.name for point in entry_points(group="console_scripts") if point.value.startswith("f2csp.")}
    for hook in hooks():
        assert set(hook) == {"id", "name", "description", "entry", "language", "files"}
        assert hook["language"] == "python"
        assert re.search(hook["files"], "a/b.csp")
        assert not re.search(hook["files"], "a/b.csp.txt")
        assert bool(re.search(hook["files"], "a/b.sdm.gz")) == (hook["id"] == "f2csp-validate")
        program, *args = hook["entry"].split()
        assert program in scripts
        command = [str(Path(sys.executable).with_name(program)), *args, str(ROOT / "samples/map.csp")]
        done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "NO_COLOR": "1"})
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("form", ["json", "gitlab", "sarif"])
def test_no_control_character_is_left_in_json(tmp_path: Path, form: str) -> None:
    name = "x\x9b31m"
    text = f"T\nDomains: 1\nd: 1\nVariables: 1\n{name}: e\nConstraints: 0\nGoal: Satisfy\n"
    (tmp_path / "a.csp").write_text(text, encoding="utf-8")
    code, out, _ = run("--format", form, "a.csp", cwd=tmp_path)
    assert code == 1
    assert "F203" in out
    assert all(character.isprintable() or character == "\n" for character in out)


@pytest.mark.parametrize("command", ["solve", "stats"])
def test_no_control_character_is_left_in_records(tmp_path: Path, command: str) -> None:
    text = "T \x9b31m\nDomains: 1\nd: \x9b2J\nVariables: 1\nx\x9b31m: d\nConstraints: 0\nGoal: Satisfy\n"
    (tmp_path / "a.csp").write_text(text, encoding="utf-8")
    done = run_program(command, "--json", "a.csp", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "\\u009b" in done.stdout.decode()
    assert "\x9b" not in done.stdout.decode()

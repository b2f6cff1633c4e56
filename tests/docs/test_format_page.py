"""Every example of grammars/README.md is what the page says it is."""

import io
import re
from pathlib import Path

import pytest

import f2csp

PAGE = Path(__file__).parents[2] / "grammars" / "README.md"
BLOCKS = re.findall(r"^```(\S+)([^\n]*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
EXAMPLES = [(tag.split(), text) for language, tag, text in BLOCKS if language == "f2csp"]
UNSAFE = dict(re.findall(r"^\| (F\d{3}): (.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
PAIR = "Pair\nDomains: 1\nD: 1 2\nVariables: 2\nx: D\ny: D\nConstraints: 1\nC1\nVars: 2\nx y\nReject: 2\n1 1\n2 2\n"
CHANGES = {
    "a count promises more than follows": ("Reject: 2", "Reject: 3"),
    "a tuple stands twice, and the count includes both": ("2 2\n", "1 1\n"),
    "a range ends below its start": ("D: 1 2", "D: 2..1"),
    "`1:4` in a domain": ("D: 1 2", "D: 1:4"),
    "`my colour: red green` where `colour` is used": ("D: 1 2", "my D: 1 2"),
}


def codes(text: str, severity: str) -> list[str]:
    report = f2csp.validate(io.StringIO(text))
    return [d.code for d in report.diagnostics if d.severity == severity]


def test_the_page_has_examples_of_every_kind():
    kinds = {tag[0] if tag else "valid" for tag, _ in EXAMPLES}
    assert kinds == {"valid", "same-as-canonical", "canonical", "fault", "warning"}


@pytest.mark.parametrize(("tag", "text"), EXAMPLES)
def test_example_is_what_its_tag_says(tag: list[str], text: str):
    if tag and tag[0] == "fault":
        assert sorted(codes(text, "error")) == sorted(tag[1:])
        return
    problem = f2csp.loads(text)
    if tag and tag[0] == "warning":
        assert codes(text, "warning") == tag[1:]
    elif tag and tag[0] == "canonical":
        assert f2csp.dumps(problem) == text
    elif tag and tag[0] == "same-as-canonical":
        canonical = next(other for other_tag, other in EXAMPLES if other_tag == ["canonical"])
        assert f2csp.dumps(problem) == canonical


@pytest.mark.parametrize("code", UNSAFE)
def test_the_fix_is_unsafe(code: str):
    report = f2csp.validate(io.StringIO(f"{PAIR.replace(*CHANGES[UNSAFE[code]])}Goal: Satisfy\n"))
    assert [(d.code, d.fix is not None and d.fix.is_safe) for d in report.diagnostics] == [(code, False)]


def test_the_first_example_is_written_as_json():
    (text,) = [text for language, _, text in BLOCKS if language == "json"]
    output = io.BytesIO()
    f2csp.export(f2csp.loads(EXAMPLES[0][1]), output, "json")
    assert output.getvalue().decode() == text


def test_the_first_example_is_canonical():
    assert EXAMPLES[0][0] == []
    assert f2csp.dumps(f2csp.loads(EXAMPLES[0][1])) == EXAMPLES[0][1]


@pytest.mark.parametrize("code", [text for language, _, text in BLOCKS if language == "python"])
def test_python_example_runs(code: str):
    exec(compile(code, str(PAGE), "exec"), {})

"""Diagnostics as text for people and for programs, each by itself or those of many files as one document.

``sarif`` is SARIF 2.1.0, the static analysis results interchange format.
    {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "f2csp", "rules": [...]}}, "results": [...]}]}
    https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
``gitlab`` is a Code Quality report of GitLab.
    [{"description": "...", "check_name": "F304", "fingerprint": "...", "severity": "major", "location": {...}}]
    https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
``junit`` is a test report, with a suite for each file and a failed test for each diagnostic.
    <testsuites><testsuite name="a.csp" tests="1" failures="1"><testcase name="F304"><failure/></testcase></testsuite>
    https://github.com/testmoapp/junitxml
"""

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from f2csp.diagnostics.catalogue import CATALOGUE, SITE, page_of
from f2csp.diagnostics.diagnostic import Diagnostic, Excerpt, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

Level = Literal["error", "note"]
Style = Callable[[str, str], str]  # (text, role) -> text; role: error, warning, place, mark, note, or that of a word
Words = Callable[[Excerpt], Iterable[tuple[str, str]]]  # the words of an excerpt's line, with their roles

_MANY = 9_000  # diagnostics that are not listed
_TAB = "    "
_C1 = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}
_FORMULA = re.compile(r"[=@\t\r]|[-+](?![0-9.]+\Z)")
_DOTS = "..."
_NONCHARACTERS = {0xFFFE: "?", 0xFFFF: "?"}  # which XML forbids
_RULE_INDEX = {code: i for i, code in enumerate(CATALOGUE)}


def plain(text: str, role: str) -> str:  # noqa: ARG001 - the signature of a Style
    """The style that changes nothing."""
    return text


def full(diagnostic: Diagnostic, style: Style = plain, width: int | None = None, words: Words | None = None) -> str:
    """The message with the lines of text that it speaks of, each place marked, cut to a number of columns."""
    excerpts = (diagnostic.excerpt, *diagnostic.related)
    gutter = max(len(str(e.span.line)) for e in excerpts)
    margin = " " * gutter
    span = diagnostic.span
    severity = diagnostic.severity
    head = style(f"{severity}[{diagnostic.code}] {diagnostic.name}", severity)
    lines = [f"{head}: {visible(diagnostic.message)}"]
    lines.append(f"{margin}{style('-->', 'place')} {visible(diagnostic.file)}:{span.line}:{span.column}")
    lines.append(style(f"{margin} |", "place"))
    for excerpt in excerpts:
        sign = "^" if excerpt is diagnostic.excerpt else "-"
        text, mark = _marked(excerpt, sign, None if width is None else width - gutter - len(" | "))
        text = _styled(text, words(excerpt), style) if words else text
        lines.append(f"{style(f'{excerpt.span.line:>{gutter}} |', 'place')} {text}".rstrip())
        marked = f"{mark} {visible(excerpt.label)}".rstrip()
        lines.append(f"{style(f'{margin} |', 'place')} {style(marked, severity if sign == '^' else 'mark')}")
    lines.extend(f"{margin} {style('= note:', 'note')} {visible(note)}" for note in diagnostic.notes)
    if diagnostic.hint:
        lines.append(f"{margin} {style('= hint:', 'note')} {visible(diagnostic.hint)}")
    return "\n".join(lines) + "\n"


def concise(diagnostic: Diagnostic, style: Style = plain) -> str:
    """One line: file, line, column, code, message."""
    span = diagnostic.span
    code = style(f"{diagnostic.severity}[{diagnostic.code}]", diagnostic.severity)
    return f"{visible(diagnostic.file)}:{span.line}:{span.column}: {code} {visible(diagnostic.message)}\n"


def as_record(diagnostic: Diagnostic) -> dict[str, object]:
    """The keys of its JSON object."""
    keys = ("file", "code", "name", "severity", "message")
    record = {key: getattr(diagnostic, key) for key in keys} | diagnostic.span._asdict() | {"hint": diagnostic.hint}
    if fix := diagnostic.fix:
        record["fix"] = fix.span._asdict() | {"text": fix.text, "is_safe": fix.is_safe}
    return record


def escaped_json(value: object, *, indent: int | None = None) -> str:
    r"""JSON without the control characters that JSON itself allows, but that a terminal obeys.

    >>> escaped_json("é" + chr(0x9B) + "31m")
    '"é\\u009b31m"'
    """
    return json.dumps(value, ensure_ascii=False, indent=indent).translate(_C1)


def as_json(diagnostic: Diagnostic, style: Style = plain) -> str:  # noqa: ARG001 - JSON has no style
    """One JSON object on one line."""
    return escaped_json(as_record(diagnostic)) + "\n"


def not_listed(n_hidden: int) -> str:
    """How many diagnostics of a file are not listed; of very many, not all are looked for."""
    return f"{'at least ' * (n_hidden >= _MANY)}{n_hidden} more not listed"


def hidden_as_json(file: str, n_hidden: int) -> str:
    """The number of diagnostics of a file that are not listed, with the keys of a diagnostic."""
    about = {"file": file, "code": None, "name": None, "severity": "note", "message": not_listed(n_hidden)}
    place = dict.fromkeys(("line", "column", "end_line", "end_column", "hint"))
    return escaped_json(about | place) + "\n"


def github(diagnostic: Diagnostic, style: Style = plain) -> str:  # noqa: ARG001 - read by a program
    """One workflow command of GitHub Actions, which shows the message beside the line of the file."""
    span = diagnostic.span
    place = {"file": diagnostic.file, "line": span.line, "col": span.column, "endLine": span.end_line}
    if span.line == span.end_line:  # else GitHub takes no columns at the end
        place["endColumn"] = span.end_column
    place["title"] = f"{diagnostic.code} {diagnostic.name}"
    properties = ",".join([f"{key}={_escaped(visible(str(value)), ':,')}" for key, value in place.items()])
    hint = [f"hint: {diagnostic.hint}"] if diagnostic.hint else []
    message = _escaped("\n".join(map(visible, [diagnostic.message, *diagnostic.notes, *hint])))
    return f"::{diagnostic.severity} {properties}::{message}\n"


RENDERERS: dict[str, Callable[[Diagnostic, Style], str]]
RENDERERS = {"full": full, "concise": concise, "json": as_json, "github": github}


def _escaped(text: str, also: str = "") -> str:
    """The text with what would end a part of a workflow command written as ``%`` and its number."""
    text = text.encode("utf-8", "replace").decode()  # a file's name need not be UTF-8
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" or c in also else c for c in text)


def visible(text: str) -> str:
    """The text with control characters shown as pictures, so that no input can steer a terminal.

    >>> visible("a" + chr(27) + "[31m")
    'a␛[31m'
    """
    return text if text.isprintable() else "".join(_picture(c) for c in text)


def csv_cell(value: object) -> object:
    """The value of a cell; a text, but no number, that a spreadsheet would take for a formula begins with a quote.

    >>> csv_cell("=1+1"), csv_cell("-1")
    ("'=1+1", '-1')
    """
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _picture(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return "\ufffd" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") else char


def _marked(excerpt: Excerpt, sign: str, width: int | None) -> tuple[str, str]:
    """The excerpt's line as shown, and the marks below it; of a line that is wider, the part with the first mark."""
    span = excerpt.span
    before = span.column - 1 - excerpt.offset
    same_line = span.end_line == span.line
    after = span.end_column - 1 - excerpt.offset if same_line else len(excerpt.text)
    after = min(max(after, before), len(excerpt.text))
    parts = excerpt.text[:before], excerpt.text[before:after], excerpt.text[after:]
    head, body, tail = (_TAB.join(map(visible, part.split("\t"))) for part in parts)
    dots = _DOTS if excerpt.offset else ""
    if width is not None and _width(dots + head + body + tail) > width:
        room = max(width - len(_DOTS), 1)
        marked = min(_width(body), room // 2)
        if _width(dots + head) + marked > room:
            dots = _DOTS
            head = _cut(head[::-1], room - len(_DOTS) - marked)[::-1]
        body = _cut(body, room - _width(dots + head))
        tail = _cut(tail, room - _width(dots + head + body)) + _DOTS
    return f"{dots}{head}{body}{tail}", " " * _width(dots + head) + sign * max(1, _width(body))


def _styled(text: str, words: Iterable[tuple[str, str]], style: Style) -> str:
    """A line as shown, with its words in the style of their roles; what is cut is skipped."""
    parts, at = [], 0
    for word, role in words:
        shown = visible(word)
        found = text.find(shown, at)
        if found >= 0:
            parts += [text[at:found], style(shown, role)]
            at = found + len(shown)
    return "".join([*parts, text[at:]])


def _cut(text: str, width: int) -> str:
    """The beginning of a text, as wide as there is room."""
    while text and _width(text) > width:
        text = text[: min(len(text) - 1, max(width, 0))]
    return text


def _width(text: str) -> int:
    """Columns of a terminal that the text takes: wide characters two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


# ---- Documents -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Findings:
    """What one run of a program finds."""

    files: list[tuple[str, Sequence[Diagnostic]]] = field(default_factory=list)
    messages: list[tuple[Level, str]] = field(default_factory=list)  # such as that a file cannot be read


def gitlab(findings: Findings, version: str) -> str:  # noqa: ARG001 - not in the format
    """A Code Quality report, which has no place for messages."""
    fingerprints: set[str] = set()
    issues = []
    for file, diagnostics in findings.files:
        for diagnostic in diagnostics:
            issue = {
                "description": _clean(f"{diagnostic.code} {visible(diagnostic.message)}"),
                "check_name": f"{diagnostic.code} {diagnostic.name}",
                "fingerprint": _fingerprint(f"{file}\n{diagnostic.code}\n{diagnostic.message}", fingerprints),
                "severity": "major" if diagnostic.severity == "error" else "minor",
                "location": {"path": _clean(Path(file).as_posix()), "lines": {"begin": diagnostic.span.line}},
            }
            issues.append(issue)
    return escaped_json(issues, indent=1) + "\n"


def _fingerprint(key: str, known: set[str]) -> str:
    """A name for a diagnostic that does not change with its line; it is added to the known ones."""
    import hashlib

    while (name := hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()) in known:
        key = name
    known.add(name)
    return name


def junit(findings: Findings, version: str) -> str:  # noqa: ARG001 - not in the format
    """A test report: a file without faults is a test that passed, an error a test that could not be run."""
    suites = [_suite(file, diagnostics) for file, diagnostics in findings.files]
    for message in (message for level, message in findings.messages if level == "error"):
        case = f'<testcase name="f2csp"><error message={_quoted(message)}/></testcase>'
        suites.append(f'<testsuite name="f2csp" tests="1" failures="0" errors="1">{case}</testsuite>\n')
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{"".join(suites)}</testsuites>\n'


def _suite(file: str, diagnostics: Sequence[Diagnostic]) -> str:
    from xml.sax.saxutils import escape

    cases = []
    for d in diagnostics:
        case = f'<testcase name={_quoted(d.code)} classname={_quoted(file)} line="{d.span.line}">'
        failure = f"<failure message={_quoted(d.message)}>{escape(_clean(full(d)))}</failure>"
        cases.append(f"{case}{failure}</testcase>\n")
    n = len(diagnostics)
    passed = f'<testcase name="valid" classname={_quoted(file)}/>\n'
    head = f'<testsuite name={_quoted(file)} tests="{n or 1}" failures="{n}" errors="0">'
    return f"{head}\n{''.join(cases) or passed}</testsuite>\n"


def sarif(findings: Findings, version: str) -> str:
    """A SARIF log, with the messages as notifications."""
    rules = [
        {
            "id": code,
            "name": "".join(map(str.capitalize, entry.name.split("-"))),
            "shortDescription": {"text": entry.meaning},
            "helpUri": page_of(code),
            "help": {"text": f"{entry.cure} Example of the fault: {entry.example}."},
            "defaultConfiguration": {"level": entry.severity},
        }
        for code, entry in CATALOGUE.items()
    ]
    driver = {"name": "f2csp", "version": version, "informationUri": SITE, "rules": rules}
    notifications = [{"level": level, "message": {"text": _clean(message)}} for level, message in findings.messages]
    is_whole = all(level != "error" for level, _ in findings.messages)
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": is_whole, "toolExecutionNotifications": notifications}],
        "results": [_result(diagnostic) for _, diagnostics in findings.files for diagnostic in diagnostics],
    }
    return escaped_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(diagnostic: Diagnostic) -> dict[str, Any]:
    file, fix = diagnostic.file, diagnostic.fix
    hint = [f"Hint: {diagnostic.hint}"] if diagnostic.hint else []
    related = [
        {"id": number, "physicalLocation": _place(file, excerpt.span)}
        | ({"message": {"text": _clean(excerpt.label)}} if excerpt.label else {})
        for number, excerpt in enumerate(diagnostic.related, 1)
    ]
    result = {
        "ruleId": diagnostic.code,
        "ruleIndex": _RULE_INDEX[diagnostic.code],
        "level": diagnostic.severity,
        "message": {"text": _clean("\n".join([diagnostic.message, *diagnostic.notes, *hint]))},
        "locations": [{"physicalLocation": _place(file, diagnostic.span)}],
        "relatedLocations": related,
    }
    if fix:
        place = _place(file, fix.span)
        replacement = {"deletedRegion": place["region"], "insertedContent": {"text": fix.text}}
        change = {"artifactLocation": place["artifactLocation"], "replacements": [replacement]}
        result["fixes"] = [{"artifactChanges": [change], "properties": {"isSafe": fix.is_safe}}]
    return result


def _place(file: str, span: Span) -> dict[str, Any]:
    """A part of a file: a relative path as a relative reference, an absolute one as an address; it may not be UTF-8."""
    from urllib.parse import quote

    path = Path(file)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    region = dict(zip(("startLine", "startColumn", "endLine", "endColumn"), span, strict=True))
    return {"artifactLocation": {"uri": uri}, "region": region}


def _clean(text: str) -> str:
    """The text with a mark for each character that no document can hold: lone surrogates and noncharacters."""
    return text.translate(_NONCHARACTERS).encode("utf-8", "replace").decode()


def _quoted(text: str) -> str:
    """The text as the value of an attribute."""
    from xml.sax.saxutils import quoteattr

    return quoteattr(_clean(visible(text)))


DOCUMENT_RENDERERS = {"sarif": sarif, "gitlab": gitlab, "junit": junit}
"""The documents by the names of their forms; each ends with a newline, and may name the version of f2csp."""

"""Diagnostics as text for people and for programs, each by itself."""

import json
import unicodedata
from collections.abc import Callable, Iterator
from itertools import groupby

from f2csp.diagnostics.diagnostic import Diagnostic, Excerpt

Style = Callable[[str, str], str]  # (text, role) -> text; role: error, warning, place, mark, note

_TAB = "    "


def plain(text: str, role: str) -> str:  # noqa: ARG001 - the signature of a Style
    """The style that changes nothing."""
    return text


def full(diagnostic: Diagnostic, style: Style = plain) -> str:
    """The message with the lines of text that it speaks of, each place marked."""
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
        text, mark = _marked(excerpt, sign)
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
        record["fix"] = fix.span._asdict() | {"text": fix.text}
    return record


def as_json(diagnostic: Diagnostic, style: Style = plain) -> str:  # noqa: ARG001 - JSON has no style
    """One JSON object on one line."""
    return json.dumps(as_record(diagnostic), ensure_ascii=False) + "\n"


def hidden_as_json(file: str, n_hidden: int) -> str:
    """The number of diagnostics of a file that are not listed, with the keys of a diagnostic."""
    about = {"file": file, "code": None, "name": None, "severity": "note", "message": f"{n_hidden} more not listed"}
    place = dict.fromkeys(("line", "column", "end_line", "end_column", "hint"))
    return json.dumps(about | place, ensure_ascii=False) + "\n"


def github(diagnostic: Diagnostic, style: Style = plain) -> str:  # noqa: ARG001 - read by a program
    """One workflow command of GitHub Actions, which shows the message beside the line of the file."""
    span = diagnostic.span
    place = {"file": diagnostic.file, "line": span.line, "col": span.column, "endLine": span.end_line}
    if span.line == span.end_line:  # else GitHub takes no columns at the end
        place["endColumn"] = span.end_column
    place["title"] = f"{diagnostic.code} {diagnostic.name}"
    properties = ",".join([f"{key}={_escaped(str(value), ':,')}" for key, value in place.items()])
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
    return "".join(_picture(c) for c in text)


def _picture(char: str) -> str:
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return "\ufffd" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") else char


def _marked(excerpt: Excerpt, sign: str) -> tuple[str, str]:
    """The excerpt's line as shown, and the marks below it."""
    span = excerpt.span
    before = span.column - 1 - excerpt.offset
    same_line = span.end_line == span.line
    after = span.end_column - 1 - excerpt.offset if same_line else len(excerpt.text)
    after = min(max(after, before), len(excerpt.text))
    dots = "..." if excerpt.offset else ""
    head, body, tail = (
        "".join(_shown(part)) for part in (excerpt.text[:before], excerpt.text[before:after], excerpt.text[after:])
    )
    width = max(1, _width(body))
    return f"{dots}{head}{body}{tail}", " " * (len(dots) + _width(head)) + sign * width


def _shown(text: str) -> Iterator[str]:
    for is_tab, run in groupby(text, key=lambda c: c == "\t"):
        text_of_run = "".join(run)
        yield _TAB * len(text_of_run) if is_tab else visible(text_of_run)


def _width(text: str) -> int:
    """Columns of a terminal that the text takes: wide characters two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

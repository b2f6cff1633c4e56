"""Diagnostics as text: full, concise, JSON."""

import json
from pathlib import Path

import pytest

from f2csp.diagnostics import CATALOGUE, Diagnostic, Excerpt, Source, Span
from f2csp.diagnostics.render import RENDERERS, as_json, concise, full, plain, visible
from f2csp.text.load import report_on, validate

CORPUS = Path(__file__).parents[1] / "corpus"
FAULTY = [
    pytest.param(path, id=str(path.relative_to(CORPUS)))
    for folder in ("invalid", "warnings")
    for path in sorted((CORPUS / folder).glob("*/*.csp"))
]
KEYS = ["file", "code", "name", "severity", "message", "line", "column", "end_line", "end_column", "hint"]

SMALL = """\
T
Domains: 1
D1: 1 2 3 4
Variables: 2
V1-1: D1
V1-2: D1
Constraints: 1
C1
Vars: 2
V1-1 V1-2
Reject: 1
1 9
Goal: Satisfy
"""


def diagnostics_of(text, name="puzzle.csp"):
    data = text if isinstance(text, bytes) else text.encode()
    return report_on(Source(name, data)).diagnostics


def rendered(text):
    return "".join(full(d) for d in diagnostics_of(text))


def with_domain(line):
    return f"T\nDomains: 1\n{line}\nVariables: 1\nV1: D1\nConstraints: 0\nGoal: Satisfy\n"


# ---- Full


FULL_FORMS = {
    "the place and what it contradicts": SMALL,
    "a hint": with_domain("D1: 1 9..4"),
    "a note": SMALL.replace("Constraints: 1", "Constraints: 3")
    .replace("1 9", "1 2")
    .replace("C1", "C1\nVars: 1\nW1\nReject: 1\n1\nC2\nVars: 1\nW1\nReject: 1\n1\nC3"),
    "wide characters take two columns of the marks": "T\nDomains: 1\n漢字: 赤 青\nVariables: 1\n変数: 漢字\n"
    "Constraints: 1\nC1\nVars: 1\n変数\nAccept: 2\n赤\n(緑)\nGoal: Satisfy\n",
    "an empty place has one mark": "T\nDomains: 1\nD1: 1",
    "the end behind the last newline": "T\nDomains: 1\nD1: 1\n",
    "combining characters take no column of the marks": with_domain("D1: e\u0301 a a"),
    "tabs are blanks": with_domain("D1:\t1\t2\t1"),
    "a carriage return at the end of a line": with_domain("D1: 1 1").replace("\n", "\r\n"),
    "a byte order mark": "\ufeff\ufeff" + SMALL.replace("1 9", "1 2"),
    "a warning": SMALL.replace("1 9", "1 2").removeprefix("T\n"),
    "no text": "Quadrícula\n".encode("latin-1") + SMALL.encode(),
}


def test_the_full_form(expected):
    expected("full.txt", "\n".join(f"# {name}\n{rendered(text)}" for name, text in FULL_FORMS.items()))


def test_several_notes_stand_before_the_hint():
    place = Excerpt(Span(1, 1, 1, 2), "x")
    diagnostic = Diagnostic("F012", "message", "a.csp", place, notes=("one", "two"), hint="cure")
    assert full(diagnostic).endswith("1 | x\n  | ^\n  = note: one\n  = note: two\n  = hint: cure\n")


def test_a_place_over_several_lines_is_marked_to_the_end_of_its_first():
    place = Excerpt(Span(7, 3, 9, 2), "ab cd", 0, "all of this")
    assert full(Diagnostic("F012", "message", "a.csp", place)).splitlines()[3:] == [
        "7 | ab cd",
        "  |   ^^^ all of this",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("at", ["start", "middle", "end"])
def test_a_line_of_two_megabytes_stays_a_short_excerpt(at):
    words = [str(i) for i in range(10**6, 10**6 + 250_000)]
    words.insert({"start": 0, "middle": len(words) // 2, "end": len(words)}[at], "=")
    line = "D1: " + " ".join(words)
    assert len(line) > 2 * 10**6 - 10
    (diagnostic, *_) = diagnostics_of(with_domain(line))
    assert diagnostic.code == "F011"
    assert diagnostic.span.column == line.index("=") + 1
    text, mark = full(diagnostic).splitlines()[3:5]
    assert len(text) < 200
    assert text[mark.index("^")] == "="


def test_the_marked_part_of_a_wide_line_is_visible():
    words = [f"w{i}" for i in range(25)]
    for i in range(25):
        (diagnostic, *_) = diagnostics_of(with_domain(f"D1: {' '.join([*words[:i], '=', *words[i:]])}"))
        text, mark = full(diagnostic, plain, 40).splitlines()[3:5]
        assert len(text) <= 40
        assert text[mark.index("^")] == "="
    (*_, diagnostic) = diagnostics_of(SMALL.replace("Satisfy", "N" * 100))
    text, mark = full(diagnostic, plain, 40).splitlines()[3:5]
    assert text[mark.index("^") :].startswith("N" * 25)
    assert len(text) == 40


LONG = "w" * 1_000_000


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1 9", f"1 {LONG}"),
        ("Satisfy", LONG),
        ("Reject: 1", f"Reject: {LONG}"),
        ("V1-1: D1", f"{LONG}: D1"),
        ("V1-1: D1", f"V1-1: {LONG}"),
        ("V1-1: D1", LONG),
        ("V1-1: D1", f"V1-1: D1 {LONG}"),
        ("V1-1 V1-2", f"V1-1 {LONG}"),
        ("D1: 1 2", f"D1: 1 2 {LONG} {LONG}"),
        ("D1: 1 2 3 4", f"{LONG}: 1 2 3 4"),
        ("D1: 1 2 3 4", f"D1: {{1}} {LONG}"),
        ("D1: 1 2", "D1: 1 2 1.." + "9" * 1_000_000),
        ("1 9", "1 1.." + "9" * 1_000_000),
        ("1 9", f"(1 2) {LONG}"),
        ("C1", f"{LONG} x"),
        ("Goal: Satisfy", f"Goal: Satisfy\n{LONG}"),
    ],
    ids=lambda text: text[:12].replace("\n", " "),
)
def test_a_word_of_a_megabyte_is_cut_in_every_form(old, new):
    found = diagnostics_of(SMALL.replace(old, new, 1))
    assert found
    for diagnostic in found:
        assert all(len(render(diagnostic, lambda text, role: text)) < 2000 for render in RENDERERS.values())


def test_a_cut_word_leaves_the_sentence():
    (diagnostic,) = diagnostics_of(SMALL.replace("1 9", f"1 {LONG}"))
    assert diagnostic.message == f"value {'w' * 60}... is not in domain D1 of variable V1-2"


# ---- What could steer a terminal


@pytest.mark.parametrize(("char", "picture"), [("\x00", "␀"), ("\x1b", "␛"), ("\x07", "␇"), ("\x7f", "␡"), ("\r", "␍")])
def test_control_characters_are_shown_as_pictures(char, picture):
    text = rendered(f"a{char}b\n" + SMALL)
    assert f"1 | a{picture}b" in text
    assert char not in text


@pytest.mark.parametrize("char", ["\u202e", "\u2066", "\u200b", "\u0085", "\u2028", "\ufeff", "\x9b"])
def test_characters_that_change_what_is_seen_are_replaced(char):
    text = rendered(SMALL.replace("V1-1: D1", f"V1-1: D{char}1"))
    assert char not in text
    assert "V1-1: D\ufffd1" in text


def test_no_form_but_json_lets_a_control_character_through():
    diagnostic = Diagnostic(
        "F012", "m\x1b", "f\x1b\n.csp", Excerpt(Span(1, 1, 1, 2), "x\x1b", 0, "l\x1b"), (), ("n\x1b",), "h\x1b"
    )
    assert "\x1b" not in full(diagnostic) + concise(diagnostic)
    assert full(diagnostic).splitlines()[1] == " --> f␛␊.csp:1:1"
    assert concise(diagnostic) == "f␛␊.csp:1:1: error[F012] m␛\n"
    assert "\x1b" not in as_json(diagnostic)  # escaped, as JSON asks for
    assert json.loads(as_json(diagnostic))["file"] == "f\x1b\n.csp"


def test_visible_leaves_ordinary_text_alone():
    assert visible("Quadrícula 数独 a\u00a0b 🧩") == "Quadrícula 数独 a\u00a0b 🧩"


# ---- Concise and JSON


def test_the_concise_form_is_one_line():
    (diagnostic,) = diagnostics_of(SMALL)
    assert concise(diagnostic) == ("puzzle.csp:12:3: error[F304] value 9 is not in domain D1 of variable V1-2\n")
    assert json.loads(as_json(diagnostic))["hint"] is None


def test_json_is_one_object_on_a_line():
    (diagnostic,) = diagnostics_of(SMALL.replace("1 9", "1 02"), name="quadrícula.csp")
    place = '"line": 12, "column": 3, "end_line": 12, "end_column": 5'
    assert as_json(diagnostic) == (
        '{"file": "quadrícula.csp", "code": "F304", "name": "value-not-in-domain", "severity": "error", '
        f'"message": "value 02 is not in domain D1 of variable V1-2", {place}, '
        '"hint": "write 2: values are compared as words", '
        '"fix": {"line": 12, "column": 3, "end_line": 12, "end_column": 5, "text": "2", "is_safe": true}}\n'
    )


@pytest.mark.parametrize("path", FAULTY)
def test_every_diagnostic_of_the_corpus_has_all_forms(path):
    options = path.with_suffix(".options.json")
    report = validate(path, **(json.loads(options.read_text(encoding="utf-8")) if options.exists() else {}))
    for diagnostic in report.diagnostics:
        record = json.loads(as_json(diagnostic))
        assert list(record) == KEYS + ["fix"] * (diagnostic.fix is not None)
        assert record["name"] == CATALOGUE[record["code"]].name
        assert record["file"] == str(path)
        lines = full(diagnostic).splitlines()
        assert lines[0] == f"{record['severity']}[{record['code']}] {record['name']}: {visible(record['message'])}"
        assert lines[4].lstrip(" |").startswith("^")
        assert concise(diagnostic).count("\n") == 1
        assert len(full(diagnostic)) < 3000


# ---- The catalogue


@pytest.mark.parametrize("code", CATALOGUE)
def test_an_entry_of_the_catalogue_says_everything(code):
    entry = CATALOGUE[code]
    assert entry.name == entry.name.lower()
    assert set(entry.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert entry.meaning.endswith(".")
    assert entry.cure.endswith(".")
    assert entry.example


def test_names_of_codes_are_unique():
    assert len({entry.name for entry in CATALOGUE.values()}) == len(CATALOGUE)

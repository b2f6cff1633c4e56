"""Diagnostics as text: full, concise, JSON."""

import json
from pathlib import Path

import pytest

from f2csp.diagnostics import CATALOGUE, Diagnostic, Excerpt, Source, Span
from f2csp.diagnostics.render import RENDERERS, as_json, concise, full, visible
from f2csp.text.load import examine, validate

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
    return examine(Source(name, data)).diagnostics


def rendered(text):
    return "".join(full(d) for d in diagnostics_of(text))


def with_domain(line):
    return f"T\nDomains: 1\n{line}\nVariables: 1\nV1: D1\nConstraints: 0\nGoal: Satisfy\n"


# ---- Full


def test_the_full_form_shows_the_place_and_what_it_contradicts():
    assert rendered(SMALL) == (
        "error[F304] value-not-in-domain: value 9 is not in domain D1 of variable V1-2\n"
        "  --> puzzle.csp:12:3\n"
        "   |\n"
        "12 | 1 9\n"
        "   |   ^ V1-2 takes 1 2 3 4\n"
        " 3 | D1: 1 2 3 4\n"
        "   | ----------- D1 is declared here\n"
    )


def test_a_hint_stands_at_the_end():
    assert rendered(with_domain("D1: 1 9..4")) == (
        "error[F303] descending-range: the range ends at 4, below its start 9\n"
        " --> puzzle.csp:3:7\n"
        "  |\n"
        "3 | D1: 1 9..4\n"
        "  |       ^^^^\n"
        "  = hint: write 4..9\n"
    )


def test_a_note_stands_below_the_excerpts():
    text = SMALL.replace("1 9", "1 2").replace("C1", "C1\nVars: 1\nW1\nReject: 1\n1\nC2\nVars: 1\nW1\nReject: 1\n1\nC3")
    assert rendered(text.replace("Constraints: 1", "Constraints: 3")) == (
        "error[F204] unknown-variable: constraint C1 names the variable W1, which is not declared\n"
        "  --> puzzle.csp:10:1\n"
        "   |\n"
        "10 | W1\n"
        "   | ^^\n"
        "   = note: W1 is used 2 times\n"
    )


def test_several_notes_stand_before_the_hint():
    place = Excerpt(Span(1, 1, 1, 2), "x")
    diagnostic = Diagnostic("F012", "message", "a.csp", place, notes=("one", "two"), hint="cure")
    assert full(diagnostic).endswith("1 | x\n  | ^\n  = note: one\n  = note: two\n  = hint: cure\n")


def test_a_warning_is_called_so():
    text = SMALL.replace("1 9", "1 2").removeprefix("T\n")
    assert rendered(text).startswith("warning[F401] no-title: the problem has no title\n --> puzzle.csp:1:1\n")


def test_wide_characters_take_two_columns_of_the_marks():
    text = "T\nDomains: 1\n漢字: 赤 青\nVariables: 1\n変数: 漢字\nConstraints: 1\nC1\nVars: 1\n変数\n"
    assert rendered(text + "Accept: 2\n赤\n(緑)\nGoal: Satisfy\n") == (
        "error[F304] value-not-in-domain: value 緑 is not in domain 漢字 of variable 変数\n"
        "  --> puzzle.csp:12:2\n"
        "   |\n"
        "12 | (緑)\n"
        "   |  ^^ 変数 takes 赤 青\n"
        " 3 | 漢字: 赤 青\n"
        "   | ----------- 漢字 is declared here\n"
    )


def test_combining_characters_take_no_column_of_the_marks():
    lines = rendered(with_domain("D1: e\u0301 a a")).splitlines()
    assert lines[3] == "3 | D1: e\u0301 a a"
    assert lines[4] == "  |         ^"


def test_tabs_are_shown_as_blanks_and_the_marks_stand_below_their_words():
    lines = rendered(with_domain("D1:\t1\t2\t1")).splitlines()
    assert lines[3] == "3 | D1:    1    2    1"
    assert lines[4] == "  |                  ^"


def test_an_empty_place_has_one_mark():
    assert rendered("T\nDomains: 1\nD1: 1") == (
        "error[F007] file-ends-early: the file ends early: in the section Domains:, before Variables:\n"
        " --> puzzle.csp:3:6\n"
        "  |\n"
        "3 | D1: 1\n"
        "  |      ^ the file ends here\n"
        "  = hint: get the whole file again\n"
    )


def test_the_end_behind_the_last_newline_can_be_shown():
    lines = rendered("T\nDomains: 1\nD1: 1\n").splitlines()
    assert lines[1:5] == [" --> puzzle.csp:4:1", "  |", "4 |", "  | ^ the file ends here"]


def test_a_place_over_several_lines_is_marked_to_the_end_of_its_first():
    place = Excerpt(Span(7, 3, 9, 2), "ab cd", 0, "all of this")
    assert full(Diagnostic("F012", "message", "a.csp", place)).splitlines()[3:] == [
        "7 | ab cd",
        "  |   ^^^ all of this",
    ]


def test_a_carriage_return_at_the_end_of_a_line_is_not_shown():
    lines = rendered(with_domain("D1: 1 1").replace("\n", "\r\n")).splitlines()
    assert lines[3:5] == ["3 | D1: 1 1", "  |       ^"]


def test_a_byte_order_mark_is_neither_shown_nor_counted():
    lines = rendered("\ufeff\ufeff" + SMALL.replace("1 9", "1 2")).splitlines()
    assert lines[1:5] == [" --> puzzle.csp:1:1", "  |", "1 | \ufffdT", "  | ^"]


@pytest.mark.parametrize("at", ["start", "middle", "end"])
def test_a_line_of_ten_megabytes_stays_a_short_excerpt(at):
    words = [str(i) for i in range(10**6, 10**6 + 1_250_000)]
    words.insert({"start": 0, "middle": len(words) // 2, "end": len(words)}[at], "=")
    line = "D1: " + " ".join(words)
    assert len(line) > 10**7 - 10
    (diagnostic, *_) = diagnostics_of(with_domain(line))
    assert diagnostic.code == "F011"
    assert diagnostic.span.column == line.index("=") + 1
    text, mark = full(diagnostic).splitlines()[3:5]
    assert len(text) < 200
    assert text[mark.index("^")] == "="


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


def test_bytes_that_are_no_text_are_shown_as_replacement_characters():
    assert "1 | Quadr\ufffdcula\n  |      ^\n" in rendered("Quadrícula\n".encode("latin-1") + SMALL.encode())


# ---- Concise


def test_the_concise_form_is_one_line():
    (diagnostic,) = diagnostics_of(SMALL)
    assert concise(diagnostic) == ("puzzle.csp:12:3: error[F304] value 9 is not in domain D1 of variable V1-2\n")


# ---- JSON


def test_json_is_one_object_with_these_keys_in_this_order():
    (diagnostic,) = diagnostics_of(SMALL.replace("1 9", "1 02"), name="quadrícula.csp")
    line = as_json(diagnostic)
    assert line.count("\n") == 1
    record = json.loads(line)
    assert list(record) == [*KEYS, "fix"]
    assert record == {
        "file": "quadrícula.csp",
        "code": "F304",
        "name": "value-not-in-domain",
        "severity": "error",
        "message": "value 02 is not in domain D1 of variable V1-2",
        "line": 12,
        "column": 3,
        "end_line": 12,
        "end_column": 5,
        "hint": "write 2: values are compared as words",
        "fix": {"line": 12, "column": 3, "end_line": 12, "end_column": 5, "text": "2"},
    }


def test_a_hint_that_is_not_there_is_null_in_json():
    (diagnostic,) = diagnostics_of(SMALL)
    assert json.loads(as_json(diagnostic))["hint"] is None


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

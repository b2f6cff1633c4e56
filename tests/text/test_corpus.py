"""The corpora: what each file of ``tests/corpus`` reads to, or every fault that it has.

    valid/<topic>/<case>.csp + .json          the problem
    invalid/<code>-<name>/<case>.csp + .diag  all its diagnostics: span and code, one per line, in order
    warnings/<code>-<name>/<case>.csp + .diag those of files that are valid and have warnings
    messages.txt                              for each code every wording in these, with an example
    canonical/<case>.in.csp + .out.csp        what the writer makes of it

A case that needs limits of the reader has an ``.options.json`` beside it, with arguments of ``validate``.
To add a case, write its ``.csp``, run ``pytest --update tests/text/test_corpus.py``, and read the file that this makes.
"""

import io
import json
import re
from pathlib import Path

import pytest
from lark.exceptions import UnexpectedInput

from f2csp import dumps, load
from f2csp.diagnostics import CATALOGUE
from f2csp.files import read_source
from f2csp.text.load import validate
from f2csp.text.terminals import language
from tests.canonical import CanonicalReader, simple_counts, true_counts
from tests.fault_cases import lines_of, place_of

CORPUS = Path(__file__).parents[1] / "corpus"
BOM = b"\xef\xbb\xbf"

BLOCKS = ("F0", "F1", "F2", "F3", "F4")  # F5, foreign formats, F6, puzzle files, and F7, solutions: tested with these
CODES = {code for code in CATALOGUE if code.startswith(BLOCKS)}
FORM = {"F002", "F003", "F004", "F005", "F008", "F009", "F010", "F011", "F012", "F015", "F101", "F102"}


def cases(pattern):
    return [pytest.param(path, id=str(path.relative_to(CORPUS))) for path in sorted(CORPUS.glob(pattern))]


VALID = cases("valid/*/*.csp")
INVALID = cases("invalid/*/*.csp")
WARNINGS = cases("warnings/*/*.csp")
CANONICAL = cases("canonical/*.in.csp")


def text_of(path):
    """The bytes of a case, expanded."""
    return read_source(path).data


def options_of(path):
    options = path.with_suffix(".options.json")
    return json.loads(options.read_text(encoding="utf-8")) if options.exists() else {}


def as_json(problem):
    """The problem, with a domain, a variable or a constraint on each line."""
    title = json.dumps(problem.title, ensure_ascii=False)
    domains = _block("{}", [_pair(domain.name, list(domain.values)) for domain in problem.domains])
    variables = _block("{}", [_pair(variable.name, variable.domain.name) for variable in problem.variables])
    constraints = [
        {"label": c.label, "scope": c.scope, "kind": c.kind, "tuples": list(c.tuples)} for c in problem.constraints
    ]
    blocks = _block("[]", [json.dumps(c, ensure_ascii=False) for c in constraints])
    return f'{{\n "title": {title},\n "domains": {domains},\n "variables": {variables},\n "constraints": {blocks}\n}}\n'


def _pair(name, value):
    return f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"


def _block(brackets, lines):
    return brackets if not lines else brackets[0] + "\n  " + ",\n  ".join(lines) + "\n " + brackets[1]


def check_diagnostics(path, expected):
    report = validate(path, **options_of(path))
    expected(path.with_suffix(".diag"), "".join(f"{place_of(d)} {d.code}\n" for d in report.diagnostics))
    assert report.n_hidden == 0
    assert path.parent.name.split("-")[0] in {d.code for d in report.diagnostics}
    return report


def wording(text):
    """A message or a hint without the words that come from the file: those with a digit, a capital or a sign."""
    return re.sub(r"\S*[^a-z\s,.;:()'-]\S*", "_", text or "")


# ---- The corpora themselves


@pytest.mark.parametrize("corpus", [VALID, INVALID, WARNINGS, CANONICAL], ids=["valid", "invalid", "warnings", "out"])
def test_no_corpus_is_empty(corpus):
    assert len(corpus) > 10


def test_every_file_has_its_partners():
    folders = ("valid", "invalid", "warnings", "canonical")  # the others belong to other tests
    files = {str(path.relative_to(CORPUS)) for folder in folders for path in (CORPUS / folder).rglob("*.*")}
    partners = set()
    for path in (param.values[0].relative_to(CORPUS) for param in (*VALID, *INVALID, *WARNINGS, *CANONICAL)):
        kind = path.parts[0]
        if kind == "canonical":
            partners |= {str(path), str(path).removesuffix(".in.csp") + ".out.csp"}
            continue
        partners |= {str(path), str(path.with_suffix(".json" if kind == "valid" else ".diag"))}
        options = str(path.with_suffix(".options.json"))
        partners |= {options} & files if kind == "invalid" else set()
    assert files == partners


def test_every_code_of_the_file_format_has_a_case():
    assert {param.values[0].parent.name.split("-")[0] for param in (*INVALID, *WARNINGS)} == CODES


@pytest.mark.parametrize("folder", sorted({param.values[0].parent for param in (*INVALID, *WARNINGS)}), ids=str)
def test_a_folder_is_called_as_the_catalogue_calls_its_code(folder):
    code, name = folder.name.split("-", 1)
    assert CATALOGUE[code].name == name
    assert CATALOGUE[code].severity == ("warning" if folder.parent.name == "warnings" else "error")


# ---- Valid


@pytest.mark.parametrize("path", VALID)
def test_a_valid_case_is_in_the_language_and_reads_to_its_problem_as_its_canonical_form_does(path, expected):
    problem = load(path)
    expected(path.with_suffix(".json"), as_json(problem))
    language().parse(text_of(path).decode(), start="start")
    text = dumps(problem)
    again = load(io.StringIO(text))
    assert again == problem
    assert dumps(again) == text


@pytest.mark.parametrize("path", VALID)
def test_line_ends_a_byte_order_mark_and_a_missing_last_newline_change_nothing(path):
    problem, text = load(path), text_of(path)
    crlf = text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    unmarked = text.removeprefix(BOM)
    for other in (crlf, unmarked, BOM + unmarked, text.rstrip(b"\r\n")):
        assert load(io.BytesIO(other)) == problem


@pytest.mark.parametrize("ending", [".gz", ".xz", ".bz2", ".zst", ".csp", ".txt", ""])
@pytest.mark.parametrize("path", [*cases("valid/compressed/*.csp"), *cases("valid/lines/canonical.csp")])
def test_compression_is_known_by_the_first_bytes_and_not_by_the_name(path, ending, tmp_path):
    copy = tmp_path / f"copy{ending}"
    copy.write_bytes(path.read_bytes())
    assert load(copy) == load(path)


# ---- Invalid


@pytest.mark.parametrize("path", INVALID)
def test_an_invalid_case_gives_exactly_its_diagnostics_in_order(path, expected):
    report = check_diagnostics(path, expected)
    assert not report.is_valid
    places = [(d.span.line, d.span.column) for d in report.diagnostics]
    assert places == sorted(places)
    assert all((d.span.line, d.span.column) <= (d.span.end_line, d.span.end_column) for d in report.diagnostics)


@pytest.mark.parametrize("code", sorted(FORM))
def test_a_file_with_a_fault_of_form_is_not_in_the_language_of_the_grammar(code):
    for path in sorted(CORPUS.glob(f"invalid/{code}-*/*.csp")):
        text = text_of(path).decode()
        with pytest.raises(UnexpectedInput):
            language().parse(text, start="start")


@pytest.mark.parametrize("path", WARNINGS)
def test_a_case_with_warnings_gives_exactly_its_diagnostics_and_a_problem(path, expected):
    report = check_diagnostics(path, expected)
    assert report.is_valid
    language().parse(text_of(path).decode(), start="start")


def test_each_code_has_its_wordings(expected):
    examples = {}
    for param in (*INVALID, *WARNINGS):
        path = param.values[0]
        for d in validate(path, **options_of(path)).diagnostics:
            lines = "\n".join(lines_of([d])).partition(" ")[2]
            examples.setdefault((d.code, wording(d.message), wording(d.hint)), lines)
    expected(CORPUS / "messages.txt", "\n".join(examples[key] for key in sorted(examples)) + "\n")


def test_a_file_cut_off_anywhere_has_one_fault_at_its_end():
    text = text_of(CORPUS / "canonical" / "already-canonical.out.csp")
    for length in range(len(text)):
        part = text[:length]
        report = validate(io.BytesIO(part))
        lines = part.decode().split("\n")
        if report.is_valid:
            assert [d.name for d in report.diagnostics][:1] in ([], ["no-goal"]), part
        else:
            end = len(lines), len(lines[-1]) + 1
            assert [(d.code, (d.span.line, d.span.column)) for d in report.diagnostics] == [("F007", end)], part


# ---- Canonical


@pytest.mark.parametrize("path", CANONICAL)
def test_the_writer_gives_the_canonical_form(path, expected):
    expected(path.with_name(path.name.removesuffix(".in.csp") + ".out.csp"), dumps(load(path)))


@pytest.mark.parametrize("path", cases("canonical/*.out.csp"))
def test_the_canonical_form_is_a_fixed_point(path):
    assert dumps(load(path)).encode() == path.read_bytes()


@pytest.mark.parametrize("path", cases("canonical/*.out.csp"))
def test_the_canonical_form_has_no_liberty_and_a_program_that_only_counts_understands_it(path):
    text = path.read_bytes().decode()
    CanonicalReader(text).read()
    assert simple_counts(text) == true_counts(load(path))

"""What the features say of a text, in the process of the test."""

from io import BytesIO

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcInvalidParams

import f2csp
from f2csp.diagnostics import CATALOGUE, Source
from f2csp.editor import annotations, edits, lenses, navigation
from f2csp.editor.live_diagnostics import diagnostics_of
from f2csp.text.load import apply_fixes
from tests.editor.documents import CORPUS, MAP, SAMPLES, applied, asked, at, opened

OPTIONS = t.FormattingOptions(4, insert_spaces=True)
SIZED = [p for p in sorted(CORPUS.glob("*/**/*.csp")) if p.stat().st_size < 20_000 and p.parent.name != "compressed"]
VALID = [p for p in SIZED if "valid" in p.parts]
FAULTY = [p for p in SIZED if "invalid" in p.parts and "F014" not in str(p)]
HEAD = "Domains: 1\nd: a ab\n"
TWO = f"{HEAD}Variables: 2\nx: d\ny: d\nConstraints: 1\n"
WHOLE = t.Range(t.Position(0, 0), t.Position(9_999, 0))


def text_of(path):
    return path.read_bytes().decode("utf-8", "replace")


def hover_text(document, position):
    found = navigation.hover(document, asked(t.HoverParams, document, position))
    return found and found.contents.value


def labels_at(document, position):
    return [item.label for item in edits.completion_list(document, asked(t.CompletionParams, document, position)).items]


def actions_in(document, range_=WHOLE, only=None):
    context = t.CodeActionContext([], only=only)
    return edits.code_actions(document, asked(t.CodeActionParams, document, range=range_, context=context))


# ---- Diagnostics -----------------------------------------------------------------------------------------------------


def test_a_diagnostic_has_its_place_related_places_and_hint():
    document = opened(text_of(SAMPLES / "faulty/two-cells.csp"))
    (found,) = diagnostics_of(document, {})
    assert (found.code, found.source, found.severity) == ("F304", "f2csp", t.DiagnosticSeverity.Error)
    assert found.code_description.href.endswith("/codes/F304/")
    assert found.range == t.Range(t.Position(19, 2), t.Position(19, 3))
    assert found.message == "value 9 is not in domain D1 of variable V1-2\nV1-2 takes 1 2 3 4"
    (related,) = found.related_information
    assert (related.message, related.location.range.start.line) == ("D1 is declared here", 3)


def test_what_is_unused_is_marked_as_unnecessary():
    document = opened(MAP.replace("1\ncolour:", "2\nunused: 1\ncolour:"))
    assert [(d.code, d.tags) for d in diagnostics_of(document, {})] == [("F403", [t.DiagnosticTag.Unnecessary])]


@pytest.mark.parametrize(
    ("settings", "codes"),
    [
        ({}, ["F401", "F402"]),
        ({"ignore": ["F402"]}, ["F401"]),
        ({"select": ["F402", "F3"]}, ["F402"]),
        ({"max-errors": 1}, ["F401"]),
        ({"exclude": ["open.*"]}, []),
    ],
)
def test_settings_choose_the_diagnostics(settings, codes):
    document = opened("Domains: 1\nD1: 1 2\nVariables: 1\nx: D1\nConstraints: 0\n")
    assert [d.code for d in diagnostics_of(document, settings)] == codes


def test_warnings_can_be_errors():
    document = opened(MAP.replace("Goal:\nSatisfy\n", ""))
    (found,) = diagnostics_of(document, {"warnings-as-errors": True})
    assert found.severity == t.DiagnosticSeverity.Error


@pytest.mark.parametrize(
    ("name", "text", "codes"),
    [
        ("clues.txt", "4\n1\n2 3 9\n", []),
        ("board.sdk", "4\n1\n2 3 9\n", ["F603"]),
        ("words.sdk", "what I did today\n", ["F614"]),
        ("broken.xml", '<instance format="XCSP3" type="CSP">\n<variables>\n</instance>\n', ["F501"]),
        ("broken.cnf", "p cnf 1 1\n2 0\n", ["F503"]),
        ("notes.txt", "what I did today\n", []),
        ("page.xml", "<page/>\n", []),
        ("empty.txt", "", []),
        ("data.json", '{"a": 1}\n', []),
        ("text.csp", "what I did today\n", ["F007"]),
    ],
)
def test_other_formats_have_diagnostics_and_unknown_ones_none(name, text, codes):
    document = opened(text, f"file:///tmp/{name}", "f2csp-puzzle" if name.endswith(".sdk") else "plaintext")
    assert [d.code for d in diagnostics_of(document, {})][:1] == codes


# ---- Navigation ------------------------------------------------------------------------------------------------------


def test_the_outline_says_what_constraints_mean():
    document = opened(MAP)
    found = navigation.document_symbols(document, asked(t.DocumentSymbolParams, document))
    assert [(s.name, [(c.name, c.detail) for c in s.children]) for s in found] == [
        ("Domains", [("colour", "red green blue")]),
        ("Variables", [("France", "colour"), ("Spain", "colour")]),
        ("Constraints", [("C1", "France Spain all differ"), ("C2", "France = red")]),
    ]


@pytest.mark.parametrize("path", [*VALID, *FAULTY[::6]], ids=lambda path: path.stem)
def test_every_symbol_encloses_its_name(path):
    document = opened(text_of(path))
    for parent in navigation.document_symbols(document, asked(t.DocumentSymbolParams, document)):
        for symbol in (parent, *parent.children):
            assert symbol.range.start <= symbol.selection_range.start
            assert symbol.selection_range.end <= symbol.range.end
            assert symbol.name


def test_sections_and_constraints_fold():
    document = opened(MAP)
    found = navigation.folding_ranges(document, asked(t.FoldingRangeParams, document))
    assert [(fold.start_line, fold.end_line) for fold in found] == [(6, 7), (10, 18), (19, 25)]


@pytest.mark.parametrize(
    ("text", "nth", "said"),
    [
        ("colour", 0, "Domain `colour` of 2 variables: `red green blue`"),
        ("France", 0, "Variable `France`: `red green blue`\n\n2 constraints\n\n- `C1`: France Spain all differ"),
        ("C1", 0, "Constraint `C1`: France Spain all differ\n\n3 of 9 tuples, tightness 0.333"),
        ("Reject", 0, "Constraint `C1`"),
        ("red red", 0, "`France` takes `red green blue`"),
    ],
)
def test_hover_says_what_a_word_means(text, nth, said):
    document = opened(MAP)
    assert said in hover_text(document, at(document, text, 1, nth))


def test_hover_explains_codes_and_is_silent_on_the_title():
    document = opened(MAP.replace("red red", "red purple"))
    assert CATALOGUE["F304"].meaning in hover_text(document, at(document, "purple", 2))
    assert hover_text(document, t.Position(0, 3)) is None


def test_definition_references_and_highlights():
    document = opened(MAP)

    def place(location):
        return location.range.start.line, location.range.start.character

    ask = asked(t.DefinitionParams, document, at(document, "France Spain", 2))
    assert place(navigation.definition(document, ask)) == (6, 0)
    ask = asked(t.DefinitionParams, document, at(document, "green green", 1))
    assert place(navigation.definition(document, ask)) == (3, 12)
    ask = asked(t.DefinitionParams, document, t.Position(0, 0))
    assert navigation.definition(document, ask) is None
    for is_included, places in ((True, [(6, 0), (13, 0), (22, 0)]), (False, [(13, 0), (22, 0)])):
        context = t.ReferenceContext(is_included)
        ask = asked(t.ReferenceParams, document, at(document, "France", 1), context=context)
        assert list(map(place, navigation.references(document, ask))) == places
    ask = asked(t.DocumentHighlightParams, document, at(document, "colour", 1))
    kinds = [found.kind for found in navigation.highlights(document, ask)]
    assert kinds == [t.DocumentHighlightKind.Write, *[t.DocumentHighlightKind.Read] * 2]


# ---- Edits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Title\n|", ["Domains:"]),
        (f"{HEAD}Variables: 1\nx: |", ["d"]),
        (f"{TWO}C1\nVars: 2\n|", ["x", "y", "Reject:", "Accept:"]),
        (f"{TWO}C1\nVars: 2\nx |\nReject: 0\n", ["y"]),
        (f"{TWO}C1\nVars: 1\nx\nReject: 1\n|", ["a", "ab", "Vars:", "Goal:"]),
        (f"{TWO}C1\nVars: 1\nx\nReject: 1\nab|", ["ab"]),
        (f"{TWO}C1\nVars: 2\nx y\nReject: 1\n(a, |", ["a", "ab"]),
        ("Domains: 0\nVariables: 0\nConstraints: 0\nGoal: |", ["Satisfy"]),
    ],
)
def test_what_can_be_written_is_offered(typed, expected):
    before, after = typed.split("|")
    document = opened(before + after)
    assert labels_at(document, document.position(len(before.encode()))) == expected


def test_a_completion_replaces_the_word_that_is_typed():
    text = MAP.replace("green green", "green gre")
    document = opened(text)
    (item,) = edits.completion_list(document, asked(t.CompletionParams, document, at(document, "green gre\n", 9))).items
    assert applied(text, [item.text_edit]) == MAP


def test_the_signature_of_a_table_knows_the_next_value():
    document = opened(MAP)
    found = edits.signature_help(document, asked(t.SignatureHelpParams, document, at(document, "green green", 7)))
    assert (found.signatures[0].label, found.active_parameter) == ("Reject (France, Spain)", 1)
    assert [p.documentation for p in found.signatures[0].parameters] == ["red green blue"] * 2
    assert edits.signature_help(document, asked(t.SignatureHelpParams, document, t.Position(0, 0))) is None
    document = opened(MAP.replace("green green", "green green blue"))
    ask = asked(t.SignatureHelpParams, document, at(document, "green blue\n", 8))
    assert edits.signature_help(document, ask) is None


def renamed(document, position, name):
    edit = edits.rename(document, asked(t.RenameParams, document, position, new_name=name))
    return applied(document.data.decode(), edit.changes[document.uri])


def test_a_name_changes_everywhere():
    document = opened(MAP)
    assert renamed(document, at(document, "France", 1, 1), "Gaul") == MAP.replace("France", "Gaul")
    assert renamed(document, at(document, "colour", 1, 1), "hue") == MAP.replace("colour", "hue")
    assert renamed(document, at(document, "C1", 1), "border") == MAP.replace("C1", "border")


@pytest.mark.parametrize("name", ["", "a b", "x:", "Vars", "(x)", "Spain", "a,b"])
def test_what_is_no_name_or_that_of_another_is_refused(name):
    document = opened(MAP)
    with pytest.raises(JsonRpcInvalidParams):
        renamed(document, at(document, "France"), name)


def test_only_names_can_be_renamed():
    document = opened(MAP)
    for text, is_name in (
        ("France Spain", True),
        ("colour", True),
        ("red red", False),
        ("Vars", False),
        ("Map", False),
    ):
        place = edits.prepare_rename(document, asked(t.PrepareRenameParams, document, at(document, text, 1)))
        assert (place is not None) is is_name, text
        edit = edits.rename(document, asked(t.RenameParams, document, at(document, text, 1), new_name="new"))
        assert (edit is not None) is is_name, text


@pytest.mark.parametrize("path", FAULTY[::4], ids=lambda path: path.stem)
def test_safe_fixes_are_those_of_the_program(path):
    text = text_of(path)
    document = opened(text)
    actions = actions_in(document, only=[edits.FIX_ALL])
    fixed = apply_fixes(Source("", text.encode())).source.data
    if actions:
        (action,) = actions
        found = applied(text, action.edit.changes[document.uri])
        assert found.replace("\r", "") == fixed.decode().replace("\r", "")
    else:
        assert fixed == text.encode() or not any(d.fix and d.fix.is_safe for d in document.examination.diagnostics)


def test_quick_fixes_are_offered_where_the_fault_is():
    text = MAP.replace("green green", "green Green")
    document = opened(text)
    place = at(document, "Green", 2)
    (fix, *_) = actions_in(document, t.Range(place, place))
    assert (fix.title, fix.kind, fix.is_preferred) == ("Write green", t.CodeActionKind.QuickFix, True)
    assert applied(text, fix.edit.changes[document.uri]) == MAP
    assert actions_in(document, t.Range(t.Position(0, 0), t.Position(1, 0)), ["quickfix"]) == []
    assert [action.kind for action in actions_in(document, only=["source.fixAll"])] == [edits.FIX_ALL]


def test_a_fix_is_named_as_it_is_written():
    document = opened(MAP.replace("green", "Green").replace("Green Green", "Green green"))
    assert [action.title for action in actions_in(document, only=["quickfix"])] == ["Write Green"]


def test_an_unsafe_fix_says_so_and_is_not_preferred():
    document = opened(MAP.replace("Reject:\n3", "Reject:\n4"))
    (fix,) = actions_in(document)
    assert "unsafe" in fix.title
    assert fix.is_preferred is False


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_formatting_is_that_of_the_program(path):
    from f2csp import dumps, loads

    text = text_of(path)
    document = opened(text)
    found = edits.formatting(document, asked(t.DocumentFormattingParams, document, options=OPTIONS))
    canonical = dumps(loads(text))
    assert applied(text, found).replace("\r\n", "\n") == canonical
    if text == canonical:
        assert found == []


def test_formatting_touches_only_what_differs():
    text = MAP.replace("Vars:\n2", "Vars: 2").replace("green green", "(green, green)")
    document = opened(text)
    found = edits.formatting(document, asked(t.DocumentFormattingParams, document, options=OPTIONS))
    assert sum(len(e.new_text) for e in found) < 20
    assert applied(text, found) == MAP
    ask = asked(
        t.DocumentRangeFormattingParams, document, options=OPTIONS, range=t.Range(t.Position(11, 0), t.Position(12, 0))
    )
    assert applied(text, edits.range_formatting(document, ask)) == MAP.replace("green green", "(green, green)")
    faulty = opened("no problem\n")
    assert edits.formatting(faulty, asked(t.DocumentFormattingParams, faulty, options=OPTIONS)) is None


# ---- Annotations and lenses ------------------------------------------------------------------------------------------


def tokens_of(document, data):
    """The words that the numbers of a semantic colouring describe, with their types."""
    lines, line, column = document.data.decode().split("\n"), 0, 0
    for n_lines, n_columns, length, kind, declared in zip(*[iter(data)] * 5, strict=True):
        line, column = line + n_lines, n_columns + (0 if n_lines else column)
        text = lines[line].encode("utf-16-le")[2 * column : 2 * (column + length)].decode("utf-16-le")
        yield text, annotations.TOKEN_LEGEND.token_types[kind] + "!" * declared


def test_words_have_the_colours_of_what_they_are():
    document = opened(MAP)
    found = annotations.semantic_tokens(document, asked(t.SemanticTokensParams, document))
    tokens = list(tokens_of(document, found.data))
    assert tokens[4:14] == [
        ("Domains", "keyword"), ("1", "number"), ("colour", "type!"), ("red", "enumMember"), ("green", "enumMember"),
        ("blue", "enumMember"), ("Variables", "keyword"), ("2", "number"), ("France", "variable!"), ("colour", "type"),
    ]  # fmt: skip
    ask = asked(t.SemanticTokensRangeParams, document, range=t.Range(t.Position(13, 0), t.Position(13, 5)))
    part = annotations.semantic_tokens_in_range(document, ask)
    assert list(tokens_of(document, part.data)) == [("France", "variable"), ("Spain", "variable")]


def test_hints_name_the_columns_of_long_tables():
    text = (SAMPLES / "map.csp").read_text(encoding="utf-8")
    text = text.replace("Accept:\n1\nred", "Accept:\n5\nred\nred\nred\nred\nred")
    document = opened(text)
    found = annotations.inlay_hints(document, asked(t.InlayHintParams, document, range=WHOLE))
    assert [hint.label for hint in found if hint.kind] == ["France="]
    document = opened(MAP)
    found = annotations.inlay_hints(document, asked(t.InlayHintParams, document, range=WHOLE))
    says = [
        "France Spain all differ",
        "3 of 9 tuples, tightness 0.333",
        "France = red",
        "1 of 3 tuples, tightness 0.667",
    ]
    assert [hint.label for hint in found] == says


def test_lenses_are_above_texts_without_faults():
    for text, name, n in [(MAP, "a.csp", 5), ("x", "a.csp", 0), ("4\n1\n2 3 4\n", "a.txt", 5), ("notes", "a.txt", 0)]:
        document = opened(text, f"file:///tmp/{name}", "plaintext")
        found = lenses.code_lenses(document, asked(t.CodeLensParams, document))
        assert len(found) == n
        assert all(lens.command.command.startswith("f2csp.") for lens in found)


@pytest.mark.parametrize("form", ["xcsp3", "dimacs", "json"])
def test_foreign_formats_have_diagnostics_and_lenses(form):
    stream = BytesIO()
    f2csp.write(f2csp.loads(MAP), stream, form)
    text = stream.getvalue().decode()
    document = opened(text, "file:///text", "plaintext")
    assert [d.severity for d in diagnostics_of(document, {})].count(t.DiagnosticSeverity.Error) == 0
    assert len(lenses.code_lenses(document, asked(t.CodeLensParams, document))) == 5
    at_end = document.position(len(document.data) * 2 // 3)
    document.change(t.TextDocumentContentChangePartial(t.Range(at_end, document.position(len(document.data))), " !"))
    assert diagnostics_of(document, {})[0].severity == t.DiagnosticSeverity.Error
    assert lenses.code_lenses(document, asked(t.CodeLensParams, document)) == []


EMPTY_SECTIONS = [
    "One\nDomains: 0\nVariaables: 0\nConstraints: 0\n",
    "One\nDomains: 0\nVariables: 1\nx: d\nConstraints: 1\nC1\nVars: 1\nx\nReject: 1\na\n",
    "One\nDomains:\nVars: 1\nx\nReject: 1\na\n",
]


@pytest.mark.parametrize("text", [*(text_of(path)[:2_000] for path in FAULTY[::7]), *EMPTY_SECTIONS])
def test_every_question_has_an_answer_at_every_place_of_a_faulty_text(text):
    document = opened(text)
    for offset in range(0, len(document.data) + 1, 3 if len(text) > 100 else 1):
        place = document.position(offset)
        hover_text(document, place)
        labels_at(document, place)
        navigation.definition(document, asked(t.DefinitionParams, document, place))
        navigation.highlights(document, asked(t.DocumentHighlightParams, document, place))
        edits.signature_help(document, asked(t.SignatureHelpParams, document, place))
        edits.prepare_rename(document, asked(t.PrepareRenameParams, document, place))
    annotations.inlay_hints(document, asked(t.InlayHintParams, document, range=WHOLE))
    annotations.semantic_tokens(document, asked(t.SemanticTokensParams, document))
    navigation.folding_ranges(document, asked(t.FoldingRangeParams, document))
    actions_in(document)

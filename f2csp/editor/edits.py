"""Changes of the text: completion, signatures, rename, quick fixes, formatting."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from lsprotocol import types as t
from pygls.exceptions import JsonRpcInvalidParams

from f2csp.diagnostics import Fix, Source, listed
from f2csp.diagnostics.diagnostic import n_shared
from f2csp.editor.document import MOST_LISTED, Document
from f2csp.editor.live_diagnostics import lsp_diagnostic
from f2csp.editor.navigation import named_at, uses_of
from f2csp.text.examination import ConstraintPlaces, DomainPlaces, TextSpan, VariablePlaces, examine
from f2csp.text.load import apply_fixes
from f2csp.text.source_lines import SPELLING
from f2csp.text.terminals import FOLLOWERS, terminal
from f2csp.text.word_roles import Role, Word
from f2csp.text.writer import dumps

FIX_ALL = "source.fixAll.f2csp"

_MAX_ITEMS = 500  # of a completion
_MAX_COMPARED_LINES = 4_000  # of a part of the text; a longer one is replaced as a whole
_MAX_FIXED = 1 << 20  # bytes of a text of which all fixes are made without being asked for

# ---- While one types -------------------------------------------------------------------------------------------------


def completion_list(document: Document, params: t.CompletionParams) -> t.CompletionList:
    """The names, values and section words that can be written here."""
    examination = document.examination
    offset = document.offset(params.position)
    word = examination.word_at(offset)
    prefix = examination.text_of(word._replace(end=offset))
    place = document.range(word.start, word.end)
    found = (item for item in _candidates(document, word, prefix) if item[0].startswith(prefix))
    items = [
        t.CompletionItem(text, kind=kind, detail=detail, text_edit=t.TextEdit(place, text), sort_text=f"{number:04}")
        for number, (text, kind, detail) in zip(range(_MAX_ITEMS), found, strict=False)
    ]
    return t.CompletionList(is_incomplete=len(items) == _MAX_ITEMS, items=items)


def _candidates(document: Document, word: Word, prefix: str) -> Iterator[tuple[str, t.CompletionItemKind, str]]:
    examination = document.examination
    named = examination.named(word)
    if word.role is Role.DOMAIN and word.section == "variables":
        for domain in examination.domains:
            yield domain.name, t.CompletionItemKind.Enum, listed(domain.words, MOST_LISTED)
    elif word.role is Role.VARIABLE and word.section == "vars":
        used = set[str]()
        if word.constraint is not None:
            used = {examination.text_of(name) for name in examination.constraints[word.constraint].scope}
        for variable in examination.variables:
            if variable.name.startswith(prefix) and variable.name not in used:
                span = variable.domain
                yield variable.name, t.CompletionItemKind.Variable, examination.text_of(span) if span else ""
    elif word.role is Role.VALUE and word.constraint is not None and isinstance(named, DomainPlaces):
        for value in named.words:
            yield value, t.CompletionItemKind.EnumMember, named.name
    elif word.role is Role.GOAL:
        yield "Satisfy", t.CompletionItemKind.Keyword, "the only goal"
    if word.position == 0:
        for section in FOLLOWERS["constraints" if word.section == "label" else word.section]:
            yield SPELLING[section], t.CompletionItemKind.Keyword, "section"


def signature_help(document: Document, params: t.SignatureHelpParams) -> t.SignatureHelp | None:
    """The variables of the tuple that is typed, and which value is next."""
    examination = document.examination
    word = examination.word_at(document.offset(params.position))
    if word.role is not Role.VALUE or word.constraint is None:
        return None
    constraint = examination.constraints[word.constraint]
    names = list(map(examination.text_of, constraint.scope))
    if word.position >= len(names):
        return None
    domains = [constraint.domain_of(position) for position in range(len(names))]
    values = ["" if i is None else listed(examination.domains[i].words, MOST_LISTED) for i in domains]
    parameters = [t.ParameterInformation(name, text) for name, text in zip(names, values, strict=True)]
    label = f"{word.section.capitalize()} ({', '.join(names)})"
    return t.SignatureHelp([t.SignatureInformation(label, None, parameters)], 0, word.position)


# ---- Names -----------------------------------------------------------------------------------------------------------


def prepare_rename(document: Document, params: t.PrepareRenameParams) -> t.Range | None:
    """The name at a position, if it can have another."""
    word = document.examination.word_at(document.offset(params.position))
    return document.range(word.start, word.end) if named_at(document, params.position) else None


def rename(document: Document, params: t.RenameParams) -> t.WorkspaceEdit | None:
    """Give a domain, a variable or a constraint another name.

    Raises:
        JsonRpcInvalidParams: it is no name, or another has it.
    """
    named = named_at(document, params.position)
    if named is None:
        return None
    examination, new = document.examination, params.new_name
    if not terminal("NAME").fullmatch(new.encode("utf-8", "replace")):
        raise JsonRpcInvalidParams(f"expected a name, found {new!r}: no blanks, no signs of , : = ( ) {{ }}")
    others: Iterable[str] = (constraint.name for constraint in examination.constraints)
    if not isinstance(named, ConstraintPlaces):
        is_variable = isinstance(named, VariablePlaces)
        others = examination.columns.variable_names if is_variable else examination.columns.domain_names
    if new != named.name and new in others:
        raise JsonRpcInvalidParams(f"{new} is the name of another")
    places: list[TextSpan] = [named.span, *uses_of(named)]
    return _workspace_edit(document, [t.TextEdit(document.range(place.start, place.end), new) for place in places])


# ---- Fixes and form --------------------------------------------------------------------------------------------------


def code_actions(document: Document, params: t.CodeActionParams) -> list[t.CodeAction]:
    """The quick fixes of the diagnostics in a range, and one action for all safe fixes of the text."""
    only = params.context.only or ["quickfix", *(["source"] if len(document.data) <= _MAX_FIXED else [])]
    start, end = document.offset(params.range.start), document.offset(params.range.end)
    fixable = [(d, d.fix) for d in document.examination.diagnostics if d.fix]
    actions = [
        t.CodeAction(
            f"{fix.title[0].upper()}{fix.title[1:]}{'' if fix.is_safe else ' (unsafe: something else may be meant)'}",
            t.CodeActionKind.QuickFix,
            [lsp_diagnostic(document, diagnostic)],
            is_preferred=fix.is_safe,
            edit=_workspace_edit(document, _edits_of(document, fix)),
        )
        for diagnostic, fix in fixable
        if "quickfix" in only and diagnostic.start <= end and start <= max(diagnostic.end, fix.end)
    ]
    is_wanted = any(kind == FIX_ALL or FIX_ALL.startswith(kind + ".") for kind in only)
    if is_wanted and any(fix.is_safe for _, fix in fixable):
        fixed = apply_fixes(Source("", document.data)).source.data
        edit = _workspace_edit(document, list(_differences(document, fixed)))
        actions.append(t.CodeAction("Apply all safe fixes", FIX_ALL, edit=edit))
    return actions


def formatting(document: Document, params: t.DocumentFormattingParams) -> list[t.TextEdit] | None:  # noqa: ARG001
    """The edits that make the text canonical; None where it has faults. Line ends stay."""
    problem = document.examination.problem
    return None if problem is None else list(_differences(document, dumps(problem).encode()))


def range_formatting(document: Document, params: t.DocumentRangeFormattingParams) -> list[t.TextEdit] | None:
    """Those of the edits that begin in a range."""
    edits = formatting(document, t.DocumentFormattingParams(params.text_document, params.options))
    return edits and [edit for edit in edits if params.range.start <= edit.range.start <= params.range.end]


def _workspace_edit(document: Document, edits: list[t.TextEdit]) -> t.WorkspaceEdit:
    return t.WorkspaceEdit(changes={document.uri: edits})


def _edits_of(document: Document, fix: Fix) -> list[t.TextEdit]:
    edits = sorted({(fix.start, fix.end, fix.text), *fix.further})
    return [t.TextEdit(document.range(start, end), text) for start, end, text in edits]


def _differences(document: Document, new: bytes) -> Iterator[t.TextEdit]:
    """Small edits that make the text new, found constraint by constraint."""
    old = document.data
    if b"\r\n" in old:
        new = new.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    starts, new_starts = document.examination.columns.starts, examine(new).columns.starts
    cuts = zip(starts, new_starts, strict=True) if len(starts) == len(new_starts) else ()
    for (at, new_at), (end, new_end) in pairwise([(0, 0), *cuts, (len(old), len(new))]):
        if old[at:end] != new[new_at:new_end]:
            for start, stop, text in _line_differences(old[at:end].decode(), new[new_at:new_end].decode(), at):
                yield t.TextEdit(document.range(start, stop), text)


def _line_differences(old: str, new: str, at: int) -> Iterator[tuple[int, int, str]]:
    """The parts of lines that differ: start, end, replacement; ``at`` is the offset of the old text."""
    lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    opcodes: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(lines), 0, len(new_lines))]
    if len(lines) + len(new_lines) <= _MAX_COMPARED_LINES:
        opcodes = SequenceMatcher(None, lines, new_lines, autojunk=False).get_opcodes()
    for tag, first, last, new_first, new_last in opcodes:
        before, after = "".join(lines[first:last]), "".join(new_lines[new_first:new_last])
        if tag != "equal":
            n_same = n_shared(before, after)
            n_same_behind = n_shared(before[n_same:][::-1], after[n_same:][::-1])
            start = at + len(before[:n_same].encode())
            end = at + len(before[: len(before) - n_same_behind].encode())
            yield start, end, after[n_same : len(after) - n_same_behind]
        at += len(before.encode())

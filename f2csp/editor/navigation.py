"""What is where: outline, folding, hover, definitions, references and highlights."""

from collections.abc import Iterator

from lsprotocol import types as t

from f2csp.diagnostics import counted, listed
from f2csp.editor.document import MOST_LISTED, Document
from f2csp.editor.live_diagnostics import explanation
from f2csp.text.examination import ConstraintPlaces, DomainPlaces, TextSpan, VariablePlaces
from f2csp.text.word_roles import Role, Word

_MAX_SYMBOLS = 2_000  # of each sort in the outline
_MAX_FOLDS = 5_000
_MAX_NAMED = 8  # constraints in a hover

_Named = DomainPlaces | VariablePlaces | ConstraintPlaces


def document_symbols(document: Document, params: t.DocumentSymbolParams) -> list[t.DocumentSymbol]:  # noqa: ARG001
    """The outline: domains with their values, variables with their domains, constraints with their meaning."""

    def symbol(kind: t.SymbolKind, thing: _Named, last: TextSpan, detail: str) -> t.DocumentSymbol:
        whole, own = document.range(thing.span.start, last.end), document.range(thing.span.start, thing.span.end)
        return t.DocumentSymbol(thing.name, kind, whole, own, detail)

    examination = document.examination
    domains, variables = examination.domains[:_MAX_SYMBOLS], examination.variables[:_MAX_SYMBOLS]
    constraints = examination.constraints[:_MAX_SYMBOLS]
    names = [examination.text_of(v.domain) if v.domain else "" for v in variables]
    pairs = zip(variables, names, strict=True)
    sections = {
        "Domains": [symbol(t.SymbolKind.Enum, d, d.declaration, listed(d.words, MOST_LISTED)) for d in domains],
        "Variables": [symbol(t.SymbolKind.Variable, v, v.domain or v.span, name) for v, name in pairs],
        "Constraints": [symbol(t.SymbolKind.Function, c, c.whole, document.meaning(c)) for c in constraints],
    }
    return [
        t.DocumentSymbol(name, t.SymbolKind.Namespace, whole, found[0].selection_range, children=found)
        for name, found in sections.items()
        if found
        for whole in [t.Range(min(one.range.start for one in found), max(one.range.end for one in found))]
    ]


def folding_ranges(document: Document, params: t.FoldingRangeParams) -> list[t.FoldingRange]:  # noqa: ARG001
    """The sections, and each constraint."""
    places = document.examination
    spans = [(found[0].span.start, found[-1].span.end) for found in (places.domains, places.variables) if found]
    spans += [(c.whole.start, c.whole.end) for c in places.constraints[:_MAX_FOLDS]]
    lines = [(document.position(start).line, document.position(end).line) for start, end in spans]
    return [t.FoldingRange(first, last) for first, last in lines if first < last]


def hover(document: Document, params: t.HoverParams) -> t.Hover | None:
    """What a word means, and the codes of the diagnostics there."""
    offset = document.offset(params.position)
    codes = dict.fromkeys(d.code for d in document.reading[1] if d.start <= offset < max(d.end, d.start + 1))
    texts, place = [*map(explanation, codes)], None
    if document.is_f2csp:
        word = document.examination.word_at(offset)
        texts, place = [*_meaning(document, word), *texts], document.range(word.start, word.end)
    return t.Hover(t.MarkupContent(t.MarkupKind.Markdown, "\n\n".join(texts)), place) if texts else None


def _meaning(document: Document, word: Word) -> Iterator[str]:
    examination = document.examination
    named = examination.named(word)
    if isinstance(named, DomainPlaces):
        values = f"`{listed(named.words, MOST_LISTED)}`"
        if word.role is Role.VALUE and word.constraint is not None:
            variable = examination.constraints[word.constraint].scope[word.position]
            yield f"`{examination.text_of(variable)}` takes {values}"
        else:
            yield f"Domain `{named.name}` of {counted(len(named.uses), 'variable')}: {values}"
    elif isinstance(named, VariablePlaces):
        word = examination.word_at(named.domain.start) if named.domain else word
        domain = examination.named(word)
        values = f": `{listed(domain.words, MOST_LISTED)}`" if isinstance(domain, DomainPlaces) else ""
        constraints = [examination.constraints[i] for i in named.constraints]
        texts = [f"- `{c.name}`: {document.meaning(c)}" for c in constraints[:_MAX_NAMED]]
        more = ["- ..."] if len(texts) < len(constraints) else []
        lines = [f"Variable `{named.name}`{values}\n", f"{counted(len(constraints), 'constraint')}\n", *texts, *more]
        yield "\n".join(lines)
    elif isinstance(named, ConstraintPlaces):
        yield f"Constraint `{named.name}`: {document.meaning(named)}"
        yield document.size(named)


def definition(document: Document, params: t.DefinitionParams) -> t.Location | None:
    """Where a name is declared; of a value of a tuple, where it is in its domain."""
    examination = document.examination
    word = examination.word_at(document.offset(params.position))
    named = examination.named(word)
    if named is None:
        return None
    place = named.span
    if word.role is Role.VALUE and isinstance(named, DomainPlaces):
        text = examination.text_of(word)
        place = next((value for value in named.values if examination.text_of(value) == text), place)
    return document.location(place.start, place.end)


def references(document: Document, params: t.ReferenceParams) -> list[t.Location] | None:
    """Where a name is used."""
    named = named_at(document, params.position)
    if named is None:
        return None
    places = [*([named.span] if params.context.include_declaration else []), *uses_of(named)]
    return [document.location(place.start, place.end) for place in places]


def highlights(document: Document, params: t.DocumentHighlightParams) -> list[t.DocumentHighlight] | None:
    """The declaration of a name, and its uses."""
    named = named_at(document, params.position)
    if named is None:
        return None
    places = [(named.span, t.DocumentHighlightKind.Write)]
    places += [(place, t.DocumentHighlightKind.Read) for place in uses_of(named)]
    return [t.DocumentHighlight(document.range(place.start, place.end), kind) for place, kind in places]


def named_at(document: Document, position: t.Position) -> _Named | None:
    """What is named at a position."""
    word = document.examination.word_at(document.offset(position))
    is_name = word.role in (Role.DOMAIN, Role.VARIABLE, Role.CONSTRAINT) and word.start < word.end
    return document.examination.named(word) if is_name else None


def uses_of(named: _Named) -> list[TextSpan]:
    """Where a name is used; the label of a constraint is used nowhere."""
    return [] if isinstance(named, ConstraintPlaces) else named.uses

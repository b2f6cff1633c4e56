"""What is where: outline, folding, hover, definitions, references and highlights."""

from collections.abc import Iterator

from lsprotocol import types as t

from f2csp.diagnostics import listed
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
    examination = document.examination

    def symbol(kind: t.SymbolKind, name: str, detail: str, whole: tuple[int, int], own: TextSpan) -> t.DocumentSymbol:
        return t.DocumentSymbol(name, kind, document.range(*whole), document.range(own.start, own.end), detail)

    domains = [
        symbol(t.SymbolKind.Enum, d.name, listed(d.words, MOST_LISTED), (d.span.start, d.declaration.end), d.span)
        for d in examination.domains[:_MAX_SYMBOLS]
    ]
    variables = [
        symbol(t.SymbolKind.Variable, v.name, text, (v.span.start, v.domain.end if v.domain else v.span.end), v.span)
        for v in examination.variables[:_MAX_SYMBOLS]
        for text in [examination.text_of(v.domain) if v.domain else ""]
    ]
    constraints = [
        symbol(t.SymbolKind.Function, c.name, document.meaning(c), (c.whole.start, c.whole.end), c.span)
        for c in examination.constraints[:_MAX_SYMBOLS]
    ]
    sections = {"Domains": domains, "Variables": variables, "Constraints": constraints}
    return [
        t.DocumentSymbol(
            name,
            t.SymbolKind.Namespace,
            t.Range(min(c.range.start for c in children), max(c.range.end for c in children)),
            children[0].selection_range,
            children=children,
        )
        for name, children in sections.items()
        if children
    ]


def folding_ranges(document: Document, params: t.FoldingRangeParams) -> list[t.FoldingRange]:  # noqa: ARG001
    """The sections, and each constraint."""
    places = document.examination
    things: list[tuple[int, int]] = [
        (found[0].span.start, found[-1].span.end) for found in (places.domains, places.variables) if found
    ]
    things += [(c.whole.start, c.whole.end) for c in places.constraints[:_MAX_FOLDS]]
    lines = [(document.position(start).line, document.position(end).line) for start, end in things]
    return [t.FoldingRange(first, last) for first, last in lines if first < last]


def hover(document: Document, params: t.HoverParams) -> t.Hover | None:
    """What a word means, and the codes of the diagnostics there."""
    offset = document.offset(params.position)
    texts = [explanation(d.code) for d in document.reading[1] if d.start <= offset < max(d.end, d.start + 1)]
    if document.is_f2csp:
        word = document.examination.word_at(offset)
        texts = [*_meaning(document, word), *dict.fromkeys(texts)]
        place = document.range(word.start, word.end)
    if not texts:
        return None
    return t.Hover(t.MarkupContent(t.MarkupKind.Markdown, "\n\n".join(texts)), place if document.is_f2csp else None)


def _meaning(document: Document, word: Word) -> Iterator[str]:
    examination = document.examination
    named = examination.named(word)
    if isinstance(named, DomainPlaces):
        values = f"`{listed(named.words, MOST_LISTED)}`"
        if word.role is Role.VALUE and word.constraint is not None:
            variable = examination.constraints[word.constraint].scope[word.position]
            yield f"`{examination.text_of(variable)}` takes {values}"
        else:
            yield f"Domain `{named.name}` of {len(named.uses):,} variables: {values}"
    elif isinstance(named, VariablePlaces):
        word = examination.word_at(named.domain.start) if named.domain else word
        domain = examination.named(word)
        values = f": `{listed(domain.words, MOST_LISTED)}`" if isinstance(domain, DomainPlaces) else ""
        constraints = [examination.constraints[i] for i in named.constraints]
        texts = [f"- `{c.name}`: {document.meaning(c)}" for c in constraints[:_MAX_NAMED]]
        more = ["- ..."] if len(texts) < len(constraints) else []
        lines = [f"Variable `{named.name}`{values}\n", f"{len(constraints):,} constraints\n", *texts, *more]
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
    """What the name at a position stands for."""
    word = document.examination.word_at(document.offset(position))
    is_name = word.role in (Role.DOMAIN, Role.VARIABLE, Role.CONSTRAINT) and word.start < word.end
    return document.examination.named(word) if is_name else None


def uses_of(named: _Named) -> list[TextSpan]:
    """Where a name is used; the label of a constraint is used nowhere."""
    return [] if isinstance(named, ConstraintPlaces) else named.uses

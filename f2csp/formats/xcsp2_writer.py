"""A problem as XCSP 2.1 text, in chunks; each distinct table is one relation."""

from collections.abc import Iterator, Sequence

import numpy as np

from f2csp.formats.fitting_names import is_identifier
from f2csp.formats.foreign import ExportOptions
from f2csp.formats.xcsp3.xcsp3_writer import Naming, domains_note, escaped, with_ranges
from f2csp.model import Problem
from f2csp.text.chunked_text import blocks, joined, pieces, row_chunks


def chunks(problem: Problem, options: ExportOptions) -> Iterator[bytes]:  # noqa: ARG001 - every format has them
    naming, arities = Naming.of(problem), np.diff(problem.scope_offsets)
    arity = int(arities.max(initial=0))
    yield f'<instance>\n<presentation name="?" maxConstraintArity="{arity}" format="XCSP 2.1" type="CSP">\n'.encode()
    yield "".join(f"{escaped(line)}\n" for line in _notes(problem, naming)).encode()
    yield f'</presentation>\n<domains nbDomains="{problem.n_domains}">\n'.encode()
    numbers = list(map(str, naming.numbers))
    names = _domain_names(problem)
    for name, values in zip(names, problem.domain_values, strict=True):
        listed = " ".join(with_ranges([numbers[i] for i in values.tolist()]))
        yield f'<domain name="{name}" nbValues="{len(values)}">{listed}</domain>\n'.encode()
    yield f'</domains>\n<variables nbVariables="{problem.n_variables}">\n'.encode()
    domains = zip(naming.identifiers, problem.variable_domains.tolist(), strict=True)
    yield "".join([f'<variable name="{name}" domain="{names[domain]}"/>\n' for name, domain in domains]).encode()
    yield f'</variables>\n<relations nbRelations="{len(problem.relations)}">\n'.encode()
    words, last_words = pieces(numbers, "{} "), pieces(numbers, "{}|")
    for i, relation in enumerate(problem.relations, 1):
        semantics = "supports" if relation.kind == "Accept" else "conflicts"
        head = f'<relation name="R{i}" arity="{relation.arity}" nbTuples="{relation.n_tuples}" semantics="{semantics}">'
        yield head.encode()
        yield from row_chunks(relation.tuples, words, last_words, 1)
        yield b"</relation>\n"
    yield f'</relations>\n<constraints nbConstraints="{problem.n_constraints}">\n'.encode()
    labels = problem.labels if problem.labels and all(map(is_identifier, problem.labels)) else None
    scoped, last = pieces(naming.identifiers, "{} "), pieces(naming.identifiers)
    tails = pieces(range(1, len(problem.relations) + 1), '" reference="R{}"/>\n')
    for start, end in blocks(arities):
        own = labels[start:end] if labels else [f"C{i}" for i in range(start + 1, end + 1)]
        scopes = problem.scopes[problem.scope_offsets[start] : problem.scope_offsets[end]]
        sizes = pieces(arities[start:end].tolist(), '" arity="{}" scope="')
        own_tails = tails[problem.constraint_relations[start:end]]
        yield joined([pieces(own, '<constraint name="{}'), sizes], scoped, last, own_tails, scopes, arities[start:end])
    yield b"</constraints>\n</instance>\n"


def _domain_names(problem: Problem) -> Sequence[str]:
    """The names of the domains, or D1, D2, ... if not all of them are identifiers."""
    names = problem.domain_names
    return names if all(map(is_identifier, names)) else [f"D{i}" for i in range(1, len(names) + 1)]


def _notes(problem: Problem, naming: Naming) -> Iterator[str]:
    """The title, and the declarations where the format has others."""
    yield from (f"title {line}" for line in problem.title.split("\n") if problem.title)
    names = (*naming.identifiers, *_domain_names(problem))
    if names == (*problem.variable_names, *problem.domain_names) and naming.numbering.is_own.all():
        return
    yield f"domains {domains_note(problem, naming)}"
    for name, domain in zip(problem.variable_names, problem.variable_domains.tolist(), strict=True):
        yield f"variable {name}: {problem.domain_names[domain]}"

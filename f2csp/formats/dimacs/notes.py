"""What the comments of our own files say: which literals stand for which values of which variables.

    c title Map of two countries
    c domain colour: red green
    c variable A: colour, literals 1 to 2

Of the literals of a variable exactly one holds. Notes that do not fit together are somebody else's comments; they are
passed over, all of them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from f2csp.diagnostics import ProblemError
from f2csp.model import Problem
from f2csp.model.builder import checked_title
from f2csp.model.words import is_name, is_value

_WORD = r"[^\x00-\x20\x7f:,(){}=]++"
_DOMAIN = re.compile(f"c domain ({_WORD}):((?: {_WORD})++)")
_VARIABLE = re.compile(f"c variable ({_WORD}): ({_WORD}), literals ([0-9]{{1,10}}) to ([0-9]{{1,10}})")
_TITLE = "c title "
_NOTE = re.compile(rb"c (?:title|domain|variable) [^\n]*")


@dataclass(slots=True)
class Notes:
    """What a file says of the problem that it was written for.

    Attributes:
        title: the title.
        domains: the values of each domain.
        variables: the domain of each variable, in the order of their literals.
    """

    title: str = ""
    domains: dict[str, tuple[str, ...]] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def n_literals(self) -> int:
        """How many literals stand for values."""
        return sum(len(self.domains[domain]) for domain in self.variables.values())


def note_lines(problem: Problem) -> Iterator[str]:
    """The notes for a problem."""
    for line in problem.title.split("\n") if problem.title else []:
        yield f"{_TITLE}{line}\n"
    for name, values in zip(problem.domain_names, problem.domain_values, strict=True):
        yield f"c domain {name}: {' '.join([problem.words[word] for word in values.tolist()])}\n"
    last = 0
    sizes = problem.domain_sizes.tolist()
    for name, domain in zip(problem.variable_names, problem.variable_domains.tolist(), strict=True):
        first, last = last + 1, last + sizes[domain]
        yield f"c variable {name}: {problem.domain_names[domain]}, literals {first} to {last}\n"


def read_notes(data: bytes, start: int, end: int) -> Notes | None:
    """The notes in some lines of a text, or None if there are none that fit together."""
    lines = [match.group() for match in _NOTE.finditer(data, start, end)]
    try:
        return _fitted(line.decode().rstrip("\r") for line in lines) if lines else None
    except (UnicodeDecodeError, ProblemError):
        return None


def _fitted(lines: Iterable[str]) -> Notes | None:
    notes = Notes()
    titles = []
    last = 0
    for line in lines:
        if line.startswith(_TITLE):
            titles.append(line.removeprefix(_TITLE))
        elif match := _DOMAIN.fullmatch(line):
            name, words = match[1], tuple(match[2].split(" ")[1:])
            if not is_name(name) or name in notes.domains or not all(map(is_value, words)):
                return None
            if len(set(words)) < len(words):
                return None
            notes.domains[name] = words
        elif match := _VARIABLE.fullmatch(line):
            name, domain = match[1], match[2]
            if not is_name(name) or name in notes.variables or domain not in notes.domains:
                return None
            if (int(match[3]), int(match[4])) != (last + 1, last + len(notes.domains[domain])):
                return None
            notes.variables[name] = domain
            last = int(match[4])
        else:
            return None
    notes.title = checked_title("\n".join(titles))
    return notes

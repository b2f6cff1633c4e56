"""What the file keeps for the way back, in attributes ``note``, which XCSP3 has for people: names, values, order.

    <instance note="Map of two countries" ...>
      <variables note="colour: red=0 green=1, D2: 1..4">
        <var id="v1_A" note="1-A: colour"> 0 1 </var>
    ...
        <group note="1..56 60"> or, with labels, <group note="1..2: north south">

A note that does not fit the rest of the file is one of somebody else, or has been overtaken; it is passed over.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from f2csp.diagnostics import ProblemError, Unsuitable
from f2csp.formats.xcsp3.naming import Naming
from f2csp.model import Offsets, Problem
from f2csp.model.builder import checked_title
from f2csp.model.words import is_integer, is_name, is_range, is_value, range_ends

FREE = "so that no variable is free"
NOBODY = "so that there is a variable"

Numbered = list[tuple[str, int]]
"""Words, each with the integer that stands for it."""

_MOST_VALUES = 2_000_000
_LONGEST_RANGE = 50
_RUN = re.compile(r"([1-9][0-9]{0,9})(?:\.\.([1-9][0-9]{0,9}))?")
_LEAST_RUN = 3  # values that are written as a range
_ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
_SPECIAL = re.compile(r'[&<>"\n\t\ufffe\uffff]')


def attribute(text: str) -> str:
    """A note as it stands in a tag; nothing for an empty one.

    Raises:
        Unsuitable: it has a character that XML cannot hold.
    """
    return f' note="{_SPECIAL.sub(_escaped, text)}"' if text else ""


def _escaped(match: re.Match[str]) -> str:
    sign = match.group()
    if sign not in _ESCAPED:
        raise Unsuitable(f"XML cannot hold the character U+{ord(sign):04X}, which is in a name or in the title")
    return _ESCAPED[sign]


def domains_note(problem: Problem, naming: Naming) -> str:
    """The domains with their values in order, and the numbers of those that are not their own."""
    texts = []
    for name, values in zip(problem.domain_names, problem.domain_values, strict=True):
        words = [
            problem.words[i] if naming.is_exact[i] else f"{problem.words[i]}={naming.numbers[i]}"
            for i in values.tolist()
        ]
        texts.append(f"{name}: {' '.join(with_ranges(words))}")
    return ", ".join(texts)


def with_ranges(words: Sequence[str]) -> Iterator[str]:
    """The words, with a..b for integers that follow each other."""
    start = 0
    while start < len(words):
        end = start + 1
        if is_integer(words[start]):
            first = int(words[start]) - start
            while end < len(words) and is_integer(words[end]) and int(words[end]) == first + end:
                end += 1
        if end - start >= _LEAST_RUN:
            yield f"{words[start]}..{words[end - 1]}"
        else:
            yield from words[start:end]
        start = end


def order_note(constraints: Offsets, labels: Sequence[str] | None) -> str:
    """Which constraints of the problem stand here, from 1, and what they are called if not C1, C2, ..."""
    cuts = np.flatnonzero(np.diff(constraints) != 1) + 1
    firsts = constraints[np.concatenate(([0], cuts))].tolist()
    lasts = constraints[np.concatenate((cuts, [len(constraints)])) - 1].tolist()
    runs = " ".join([str(a + 1) if a == b else f"{a + 1}..{b + 1}" for a, b in zip(firsts, lasts, strict=True)])
    return runs if labels is None else f"{runs}: {' '.join([labels[i] for i in constraints.tolist()])}"


def read_title(note: str) -> str:
    """A note as a title; none if it cannot be one."""
    try:
        return checked_title(note)
    except ProblemError:
        return ""


def read_domains(note: str) -> dict[str, Numbered] | None:
    """The domains that a note tells: for each the words with their numbers; None if it is no such note."""
    domains: dict[str, Numbered] = {}
    numbers: dict[str, int] = {}
    n_listed = 0
    for part in note.split(", ") if note else []:
        name, _, words = part.partition(": ")
        values = dict(chain.from_iterable(map(_numbered, words.split(" "))))
        n_listed += len(values)
        if not is_name(name) or name in domains or not values or None in values.values() or n_listed > _MOST_VALUES:
            return None
        domains[name] = [(word, number) for word, number in values.items() if number is not None]
        if any(numbers.setdefault(word, number) != number for word, number in domains[name]):
            return None
    return domains if len(set(numbers.values())) == len(numbers) else None


def _numbered(text: str) -> Iterator[tuple[str, int | None]]:
    """The words with their numbers in something like 1, red=0 or 1..4; no number where it is nothing of this kind."""
    word, sign, number = text.partition("=")
    if is_range(text):
        first, last = map(int, range_ends(text)) if len(text) < _LONGEST_RANGE else (0, 0)
        if 0 < last - first < _MOST_VALUES:
            yield from ((str(i), i) for i in range(first, last + 1))
        else:
            yield text, None
    elif is_value(word) and is_integer(number if sign else word):
        yield word, int(number if sign else word)
    else:
        yield text, None


def read_order(note: str, n: int) -> tuple[list[int], list[str] | None] | None:
    """The places of ``n`` constraints in the problem, from 1, and their labels; None if it is no such note."""
    runs, sign, names = note.partition(": ")
    places: list[int] = []
    for match in map(_RUN.fullmatch, runs.split(" ")):
        if not match or len(places) + int(match[2] or match[1]) - int(match[1]) >= n:
            return None
        places += range(int(match[1]), int(match[2] or match[1]) + 1)
    labels = names.split(" ") if sign else None
    is_right = labels is None or (len(labels) == n and all(map(is_name, labels)))
    return (places, labels) if len(places) == n and is_right else None

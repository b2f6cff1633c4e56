"""F016: section words that are misspelt or without their colon, found from the order in which sections follow."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from f2csp.diagnostics import Fault, shown
from f2csp.model.words import SECTION_WORDS
from f2csp.text.columns import Span
from f2csp.text.mended_source import Slip
from f2csp.text.source_lines import SPELLING, header_at, lines_of, text_of
from f2csp.text.terminals import FOLLOWERS, pattern, terminal

_OTHER_WORDS = {
    "scope": "vars",
    "variable": "vars",
    "allow": "accept",
    "allowed": "accept",
    "permitted": "accept",
    "supports": "accept",
    "forbid": "reject",
    "forbidden": "reject",
    "conflicts": "reject",
    "objective": "goal",
    "solve": "goal",
    "bedingungen": "constraints",
    "ziel": "goal",
}
_MIN_LIKENESS = 0.7
_MAX_COUNT_LINE = 200  # bytes up to the end of the line below a header, where its count may be
_MIN_PREFIX = 3  # letters of an abbreviation

_GOAL = rb"satis[^ \t\r\n]*+[^\n]*+"
_LINE = re.compile(
    rb"^[ \t]*+([A-Za-z\x80-\xff][^\x00-\x20\x7f:,(){}=]{1,15}+)[ \t]*+([:=]?+)[ \t]*+(%b|%b|)[ \t\r]*+$"
    % (pattern("COUNT"), _GOAL),
    re.MULTILINE | re.IGNORECASE,
)
_GOAL_LINE = re.compile(_GOAL, re.IGNORECASE)
_SECTION = re.compile(rb"^(?:%b)" % pattern("_SECTION"), re.MULTILINE)


class _Candidate(NamedTuple):
    """A line that may be a misspelt header."""

    start: int
    word: Span
    end: int  # behind its colon, if it has one
    line_end: int
    meanings: list[str]  # section words, the nearest first
    is_followed: bool  # by a count or a goal


def section_slips(data: bytes) -> list[Slip]:
    """The misspelt section lines of a text, each spelling reported once."""
    found: dict[str, list[tuple[_Candidate, str]]] = {}
    for candidate, meaning in _misspelt(data):
        found.setdefault(text_of(data, candidate.word), []).append((candidate, meaning))
    slips = []
    for word, uses in found.items():
        candidate, meaning = uses[0]
        notes = (f"{word} is used {len(uses)} times",) if len(uses) > 1 else ()
        message, hint = f"unknown section word {shown(word)}", f"did you mean {SPELLING[meaning]}?"
        if word.lower() == meaning:
            message, hint = f"the section word {word} has no colon", f"write {SPELLING[meaning]}"
        edit = candidate.word[0], candidate.end, SPELLING[meaning]
        fault = Fault("F016", *candidate.word, message, hint, notes=notes, edit=edit)
        slips += [Slip(c.word[0], c.end, SPELLING[m].encode(), None if c is not candidate else fault) for c, m in uses]
    return slips


def _misspelt(data: bytes) -> Iterator[tuple[_Candidate, str]]:
    """Each misspelt header and the section word that it is meant for."""
    candidates = list(_candidates(data))
    at, here = 0, "title"
    for start, following in _headers(data):
        end = bisect_left(candidates, start, key=lambda candidate: candidate.start)
        segment = candidates[at:end]
        if segment and following == "vars" and not data[segment[-1].line_end : start].strip():
            segment.pop()  # the label
        yield from _meant(segment, here, following)
        at, here = end, following


def _meant(segment: list[_Candidate], here: str, following: str) -> list[tuple[_Candidate, str]]:
    """The candidates between two headers that take the place of missing ones."""
    n_missing = _n_missing(here, following)
    found = []
    word = here
    for candidate in segment:
        if n_missing == 0 and not candidate.is_followed:
            continue
        ways = [(_n_missing(word, m), _n_missing(m, following), m) for m in candidate.meanings]
        way = min((way for way in ways if way[0] + way[1] < 9), key=lambda way: way[:2], default=None)
        if way and (way[0] == 0 or way[1] < _n_missing(word, following)):
            word = way[2]
            found.append((candidate, word))
    n_left = _n_missing(word, following)
    return found if n_left < n_missing or n_left == 0 else []


def _candidates(data: bytes) -> Iterator[_Candidate]:
    for match in _LINE.finditer(data):
        word, has_colon, rest = text_of(data, match.span(1)), match[2] == b":", match[3]
        line = next(lines_of(data, match.end(), min(len(data), match.end() + _MAX_COUNT_LINE)), (0, 0))
        following = rest or data[slice(*line)]
        is_goal = _GOAL_LINE.fullmatch(following) is not None
        is_followed = is_goal or terminal("COUNT").fullmatch(following) is not None
        if (not has_colon and not is_followed) or (has_colon and word.lower() in SECTION_WORDS):
            continue
        if re.search("[0-9\ufffd]", word):  # a label that runs into the header, or not UTF-8
            continue
        meanings = [m for m in _meanings(word.lower()) if is_goal == (m == "goal") or not is_followed]
        if meanings:
            end = match.end(2) if match[2] else match.end(1)
            yield _Candidate(match.start(), match.span(1), end, match.end(), meanings, is_followed)


@cache
def _meanings(word: str) -> list[str]:
    """The section words that a word may be meant for, the nearest first."""
    from difflib import get_close_matches

    near = get_close_matches(word, SECTION_WORDS, n=3, cutoff=_MIN_LIKENESS)
    others = [_OTHER_WORDS[word]] if word in _OTHER_WORDS else []
    prefixed = [w for w in SECTION_WORDS if len(word) >= _MIN_PREFIX and w.startswith(word)]
    return list(dict.fromkeys([*others, *near, *prefixed]))


def _headers(data: bytes) -> Iterator[tuple[int, str]]:
    """The section lines that are spelt right, and the end of the text."""
    here = "title"
    for match in _SECTION.finditer(data):
        header = header_at(data, match.start())
        rest = data[slice(*header.rest)]
        is_count = terminal("COUNT").fullmatch(rest) or (header.word == "goal" and _GOAL_LINE.fullmatch(rest))
        if not rest or is_count or here not in ("title", "domains", "variables"):
            here = header.word
            yield match.start(), here
    yield len(data), "end"


@cache
def _n_missing(here: str, following: str) -> int:
    """The number of headers that are missing between two; many if they are in the wrong order."""
    seen, words = 0, {here}
    while seen < len(FOLLOWERS):
        had_goal = "goal" in words
        words = {follower for word in words for follower in FOLLOWERS.get(word, ())}
        if following in words or (following == "end" and (had_goal or "goal" in words)):
            return seen
        seen += 1
    return 99

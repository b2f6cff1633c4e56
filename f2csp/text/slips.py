"""Slips of people who write by hand: parts of a faulty text in the spelling of another language.

A finder looks for one kind of slip. What it finds is mended, and the mended text is read: if this leaves no more faults
than before, the slip was one, and the faults that followed from it are gone. Places are those of the original text.
"""

import re
import tomllib
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple
from unicodedata import name as name_of_character

import numpy as np

from f2csp.diagnostics import BOM, ByteSpan, Collector, Edit, Fault, Source, brief
from f2csp.model import Offsets
from f2csp.model.words import SECTION_WORDS
from f2csp.text.line_faults import ranges_in
from f2csp.text.parts import Change
from f2csp.text.reader import TextReading
from f2csp.text.recorder import MAX_COUNTED
from f2csp.text.rule_book import apply_rules
from f2csp.text.source_lines import SPELLING, TextPlaces, header_at, line_spans, text_at
from f2csp.text.terminals import FOLLOWERS, grammar_path, pattern, terminal

_MAX_BYTES = 1 << 24  # of a text written by hand
_MAX_NAMES = 200  # with blanks, that are looked for everywhere
_FORM = {"F008", "F009", "F010", "F011", "F012", "F101", "F102"}  # a slip that explains such a fault keeps its code
_CHARACTER_CODES = {"F001", "F002"}  # what is wrong on such a line is not read
_MAX_SHOWN = 60  # characters of a slip that a message shows
_LARGE = 1 << 14  # bytes of a part of which only the lines with faults are searched
_MAX_NEAR = 400  # bytes where another list, or a scope before a table, is looked for


class Slip(NamedTuple):
    """A part of a text that is not what was meant."""

    start: int
    end: int
    meant: bytes  # not empty
    fault: Fault | None = None  # None where another slip with the same cause has it


class _Mending:
    """A text with its slips mended, and the offsets of the one text in the other."""

    def __init__(self, data: bytes, slips: Sequence[Slip]) -> None:
        """Mend slips, which are in the order of the text and do not overlap."""
        ends = [0, *(slip.end for slip in slips)]
        parts = [data[at : slip.start] + slip.meant for at, slip in zip(ends, slips, strict=False)]
        self.data = b"".join([*parts, data[ends[-1] :]])
        self._slips = slips
        self._starts = [n - len(slip.meant) for n, slip in zip(accumulate(map(len, parts)), slips, strict=True)]

    def offset_after(self, offset: int) -> int:
        i = bisect_right(self._slips, (offset, inf)) - 1
        if i < 0:
            return offset
        slip, n = self._slips[i], len(self._slips[i].meant)
        return self._starts[i] + (min(offset - slip.start, n) if offset < slip.end else n + offset - slip.end)

    def offset_before(self, offset: int) -> int:
        i = bisect_right(self._starts, offset) - 1
        if i < 0:
            return offset
        slip, beyond = self._slips[i], offset - self._starts[i]
        n = len(slip.meant)
        return min(slip.start + beyond, slip.end) if beyond < n else slip.end + beyond - n


def without_slips(reading: TextReading, collector: Collector, suspects: Offsets) -> Collector:
    """The findings in a faulty text after its slips are mended; ``collector`` if it has none.

    Slips are looked for in the head, in the parts with a fault of form, and in the constraints that break a rule, the
    suspects.
    """
    original, source = collector.source, collector.source
    mendings, faults = list[_Mending](), list[Fault]()

    def at(offset: int) -> int:
        """The offset in the original text."""
        for mending in reversed(mendings):
            offset = mending.offset_before(offset)
        return offset

    if collector.n_errors > MAX_COUNTED and all(code.startswith(("F2", "F4")) for code in collector.codes):
        return collector  # names alone, and very many: no slip explains them
    extract = _Extract(reading, suspects, collector)
    for find, is_only in _finders() if len(extract.data) <= _MAX_BYTES else ():
        slips = sorted(extract.in_source(find(extract.data)), key=lambda slip: slip.start)
        if not slips:
            continue
        mending = _Mending(source.data, slips)
        again = Collector(Source(source.name, mending.data), collector.limit)
        changes = [Change(slip.start, slip.end, len(slip.meant)) for slip in slips]
        read_again = reading.edited(again.source, changes, again)
        suspects = apply_rules(read_again.columns, TextPlaces(read_again.columns), again)
        if again.n_errors > MAX_COUNTED:  # that of two readings which were not read to the end is better is not known
            break
        code = min((collector.codes - again.codes) & _FORM, default="F309")
        new = [fault._replace(code=code) if fault.code == "F309" else fault for fault in _faults(slips)]
        moved = [fault.moved(mending.offset_after) for fault in (*faults, *new)]
        for fault in moved:
            again.report(fault)
        hides_characters = bool((collector.codes - again.codes) & _CHARACTER_CODES)
        most = len(moved) if is_only else inf if find is _misspelt_sections else collector.n_errors
        if 0 < again.n_errors <= most and not hides_characters:
            mendings.append(mending)
            source, collector, faults, reading = again.source, again, moved, read_again
            extract = _Extract(reading, suspects, collector)
    return collector.moved(original, at) if mendings else collector


class _Extract:
    """What of a text may hold slips, end to end."""

    def __init__(self, reading: TextReading, suspects: Offsets, collector: Collector) -> None:
        data, faults = reading.columns.source.data, collector.listed_starts
        spans = [part for span in _suspect_spans(reading, suspects, data) for part in _faulty(data, span, faults)]
        self._starts = [start for start, _ in spans]
        self._offsets = [0, *accumulate(end - start for start, end in spans)]
        self.data = b"".join([data[start:end] for start, end in spans])
        if reading.columns.source.start:
            self.data = self.data.replace(BOM, b"   ", 1)

    def in_source(self, slips: Iterable[Slip]) -> Iterator[Slip]:
        """The slips at their places in the text, without those that extend over a gap."""
        for slip in slips:
            start, end = self._at(slip.start), self._at(max(slip.start, slip.end - 1)) + (slip.end > slip.start)
            if end - start == slip.end - slip.start:
                yield slip._replace(start=start, end=end, fault=slip.fault and slip.fault.moved(self._within(slip)))

    def _within(self, slip: Slip) -> Callable[[int], int]:
        """The offsets in the text, also of the end of a slip that ends before a gap."""
        shift = self._at(slip.start) - slip.start
        return lambda offset: offset + shift if slip.start <= offset <= slip.end else self._at(offset)

    def _at(self, offset: int) -> int:
        i = min(bisect_right(self._offsets, offset), len(self._starts)) - 1
        return offset - self._offsets[i] + self._starts[i]


def _faulty(data: bytes, span: ByteSpan, faults: list[int]) -> Iterator[ByteSpan]:
    """What of a large part is around faults that are all known: its beginning, and their lines."""
    start, end = span
    here = faults[bisect_left(faults, start) : bisect_left(faults, end)]
    if end - start <= _LARGE or not here:
        yield span
        return
    at = start
    for place in (start + _MAX_NEAR, *here):
        line_end = data.find(b"\n", place, end) + 1 or end
        if line_end > at:
            at = max(at, data.rfind(b"\n", at, place) + 1) if place in here else at
            yield at, line_end
            at = line_end


def _suspect_spans(reading: TextReading, suspects: Offsets, data: bytes) -> Iterator[ByteSpan]:
    columns, size = reading.columns, len(data)
    parts, starts = reading.parts.parts if reading.parts else (), columns.starts
    if not parts:
        yield 0, size
        return
    malformed = np.flatnonzero(np.frombuffer(columns.is_malformed, dtype=np.uint8))
    unknown = columns.with_unknown_variables() if columns.sections["variables"].is_complete else malformed
    suspects = np.unique(np.concatenate([suspects, malformed, unknown]))
    ends = [*starts[1:], size]
    spans = [(starts[i], data.rfind(b"\n", 0, ends[i] + _MAX_NEAR) + 1) for i in suspects.tolist()]
    spans += [(part.start, part.end) for part in parts if part.block is None]
    at = 0
    for start, end in sorted([(0, parts[0].start), *spans, (parts[-1].end, size)]):
        if max(start, at) < end:
            yield max(start, at), end
        at = max(at, end)


def _faults(slips: Iterable[Slip]) -> list[Fault]:
    """The faults of slips, each with the cures of those behind it that have no fault of their own."""
    found: list[tuple[Fault, list[Edit]]] = []
    for slip in slips:
        if slip.fault:
            found.append((slip.fault, []))
        elif found and found[-1][0].edit:
            found[-1][1].append((slip.start, slip.end, _written(slip.meant)))
    return [fault._replace(further=edits) for fault, edits in found]


def _written(meant: bytes) -> str:
    return meant.strip(b" \t").decode("utf-8", "replace") or " "


# ---- Spellings of other languages ------------------------------------------------------------------------------------

_WORD = pattern("_WORD")
_BEFORE, _BEHIND = rb"(?<![^ \t\r\n,:={(\[])", rb"(?![^ \t\r\n,;:)}\]])"
_COUNT_LINE = rb"\s*+%b[ \t\r]*+\n" % pattern("COUNT")
_NO_LINE_END = re.compile(rb"[^\r\n]")
_NAME_WITH_BLANKS = re.compile(rb"(%b(?:[ \t]++%b)++)[ \t]*+[:=]" % (_WORD, _WORD))
_PLACES = {"start": rb"\A", "first domain": rb"(?im)^[ \t]*+domains[ \t]*+:\s*+(?:%b\s*+)?" % pattern("COUNT")}
_SPACED = b"|".join(b"[ ]?+".join(b"%c" % letter for letter in word.encode()) for word in SECTION_WORDS)


@dataclass(frozen=True)
class _Spelling:
    """A slip of ``slips.toml``, where its attributes are explained."""

    pattern: re.Pattern[bytes]
    message: str = ""
    meant: bytes | None = None
    rewrite: Sequence[tuple[re.Pattern[bytes], bytes]] = ()
    hint: str = "write %s"
    code: str = "F309"
    first: str = "domains"
    last: str = ""
    each: bool = False
    cure: bool = True
    signs: Sequence[bytes] = (b"",)

    def slips(self, data: bytes) -> Iterator[Slip]:
        if not any(sign in data for sign in self.signs):
            return
        found = list(self.pattern.finditer(data, *_region(data, self.first, self.last)))
        for i, match in enumerate(found):
            meant = self._meant(match)
            has_fault = self.message and (self.each or i == 0)
            yield Slip(*match.span(), meant, self._fault(match, meant, len(found)) if has_fault else None)

    def _meant(self, match: re.Match[bytes]) -> bytes:
        if self.meant is None and not self.rewrite:
            return _NO_LINE_END.sub(b" ", match[0])
        text = match.expand(self.meant) if self.meant is not None else match[0]
        for pattern_, replacement in self.rewrite:
            text = pattern_.sub(replacement, text)
        return text or b" "

    def _fault(self, match: re.Match[bytes], meant: bytes, n: int) -> Fault:
        data, place = match.string, match.span("place" if "place" in self.pattern.groupindex else 0)
        plain = " ".join(meant.decode("utf-8", "replace").split())
        hint = self.hint.replace("write %s", f"write {brief(plain)}" if plain else "remove it")
        edit = (*match.span(), _written(meant)) if self.cure else None
        notes = (f"the file has {n} such places",) if n > 1 and not self.each else ()
        return Fault(self.code, *place, self.message.replace("%s", _shown(data, place)), hint, notes=notes, edit=edit)


def _region(data: bytes, first: str, last: str = "") -> ByteSpan:
    """The part of a text between two headers, or from a header to the end."""
    headers = (_PLACES.get(word, rb"(?im)^[ \t]*+%b[ \t]*+:" % word.encode()) for word in (first, last or "start"))
    start, end = (re.search(header, data) for header in headers)
    return (start.end(), end.start() if last else len(data)) if start and end else (0, 0)


def _shown(data: bytes, place: ByteSpan) -> str:
    return " ".join(text_at(data, place)[:_MAX_SHOWN].split())


def _lookalikes(data: bytes) -> Iterator[Slip]:
    for character, meant in _data()["lookalikes"].items():
        name = f"U+{ord(character):04X} ({name_of_character(character)})"
        what = {" ": "a space", "\n": "a line end"}.get(meant, meant)
        message, hint = f"expected {what}, found {name}", f"write {what}"
        found = re.compile(character.encode())
        yield from _Spelling(found, message, meant.encode(), hint=hint).slips(data)


def _ranges(data: bytes) -> Iterator[Slip]:
    for start, end in line_spans(data, *_region(data, "domains", "variables")):
        sign = re.compile(rb"[:=]").search(data, start, end)
        values = text_at(data, (sign.end(), end)) if sign else ""
        for first, last, meant in ranges_in(values):
            at = end - len(values[first:].encode())
            place = at, at + len(values[first:last].encode())
            message = f"expected a range START..END, found {brief(values[first:last])}"
            colon = data.find(b":", *place)
            is_safe = colon < 0  # 8:30 may be a value
            shown = place if is_safe else (colon, colon + 1)
            fault = Fault("F309", *shown, message, f"write {meant}", edit=(*place, meant), is_safe=is_safe)
            yield Slip(*place, meant.encode(), fault)


def _names_with_blanks(data: bytes) -> Iterator[Slip]:
    """The names with blanks in the domains and the variables, and their uses, which may be of the last word alone."""
    faults: dict[bytes, Fault] = {}
    for start, end in line_spans(data, *_region(data, "domains", "constraints")):
        match = _NAME_WITH_BLANKS.match(data, start, end)
        if match and len(faults) < _MAX_NAMES:
            message = f"expected a name without blanks, found {_shown(data, match.span(1))}"
            faults.setdefault(b" ".join(match[1].split()), Fault("F012", *match.span(1), message))
    longest_first = sorted(faults, key=len, reverse=True)
    names = b"|".join(re.escape(name).replace(rb"\ ", rb"[ \t]++") for name in longest_first)
    pattern_of_uses = re.compile(_BEFORE + rb"(?:%b)" % names + _BEHIND)
    spans = [match.span() for match in pattern_of_uses.finditer(data, *_region(data, "domains"))] if faults else []
    n_uses = Counter(b" ".join(data[slice(*span)].split()) for span in spans)
    n_words = Counter(terminal("_WORD").findall(data)) if faults else Counter[bytes]()
    for span in spans:
        parts = data[slice(*span)].split()
        fault, is_joined = faults[name := b" ".join(parts)], n_uses[name] > 1 or n_words[parts[-1]] == 1
        meant = b"_".join(parts) if is_joined else parts[-1]
        text = meant.decode("utf-8", "replace")
        fault = fault._replace(hint=f"write {brief(text)}", edit=(*span, text), is_safe=is_joined)
        yield Slip(*span, meant, fault if fault.start == span[0] else None)


# ---- Misspelt section words ------------------------------------------------------------------------------------------

_MIN_LIKENESS = 0.7
_MIN_PREFIX = 3  # letters of an abbreviation

_GOAL = rb"satis[^ \t\r\n]*+[^\n]*+"
_LINE_LIKE_HEADER = re.compile(
    rb"(?im)^[ \t]*+([A-Za-z\x80-\xff][^\x00-\x20\x7f:,(){}=]{1,15}+)(?:[ \t]++tuples)?+[ \t]*+([:=]?+)"
    rb"(?:\s*+(%b|%b))?(?=[ \t\r]*+$)" % (pattern("COUNT"), _GOAL)
)
_GOAL_LINE = re.compile(_GOAL, re.IGNORECASE)
_SECTION_LINE = re.compile(rb"^(?:%b)" % pattern("_SECTION"), re.MULTILINE)


class _Candidate(NamedTuple):
    """A line that may be a misspelt header."""

    start: int
    word: ByteSpan
    end: int  # behind its colon, if it has one
    meanings: list[str]  # section words, the nearest first
    is_followed: bool  # by a count or a goal


def _misspelt_sections(data: bytes) -> list[Slip]:
    """F016: misspelt section lines, found from the order of the sections; each spelling is reported once."""
    found = defaultdict[str, list[tuple[_Candidate, str]]](list)
    for candidate, meaning in _misspelt(data):
        found[text_at(data, candidate.word)].append((candidate, meaning))
    slips = []
    for word, uses in found.items():
        candidate, meaning = uses[0]
        notes = (f"{word} is used {len(uses)} times",) if len(uses) > 1 else ()
        message, hint = f"unknown section word {brief(word)}", f"did you mean {SPELLING[meaning]}?"
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
    for start, following in _headers(data) if candidates else ():
        end = bisect_left(candidates, start, key=lambda candidate: candidate.start)
        segment = candidates[at:end]
        if segment and following == "vars" and not data[segment[-1].end : start].strip():
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
    for match in _LINE_LIKE_HEADER.finditer(data):
        word, has_colon, is_followed = text_at(data, match.span(1)), match[2] == b":", match[3] is not None
        is_goal = is_followed and match[3][:1].isalpha()
        if (not has_colon and not is_followed) or (has_colon and word.lower() in SECTION_WORDS):
            continue
        meanings = [m for m in _meanings(word.lower()) if is_goal == (m == "goal") or not is_followed]
        if meanings and not re.search("[0-9\ufffd]", word):  # a label that runs into the header, or not UTF-8
            yield _Candidate(match.start(), match.span(1), match.end(2 if match[2] else 1), meanings, is_followed)


@cache
def _meanings(word: str) -> list[str]:
    """The section words that a word may be meant for, the nearest first."""
    from difflib import get_close_matches

    near = get_close_matches(word, SECTION_WORDS, n=3, cutoff=_MIN_LIKENESS)
    others = [meaning for meaning, words in _data()["words"].items() if word in words]
    prefixed = [w for w in SECTION_WORDS if len(word) >= _MIN_PREFIX and w.startswith(word)]
    return list(dict.fromkeys([*others, *near, *prefixed]))


def _headers(data: bytes) -> Iterator[tuple[int, str]]:
    """The section lines that are spelt right, and the end of the text."""
    here = "title"
    for match in _SECTION_LINE.finditer(data):
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
    words = {here}
    for n in range(len(FOLLOWERS)):
        had_goal, words = "goal" in words, {follower for word in words for follower in FOLLOWERS.get(word, ())}
        if following in words or (following == "end" and (had_goal or "goal" in words)):
            return n
    return 99


# ---- Counts, names and lines that are missing ------------------------------------------------------------------------

_TABLE = re.compile(
    rb"(?im)^[ \t]*+vars[ \t]*+:\s*+(?P<arity>[0-9]{1,9}+)[ \t\r]*+\n(?:[^:\n]*+\n)*+[ \t]*+(?:reject|accept)[ \t]*+:"
    rb"\s*+(?P<n>[0-9]{1,9}+)(?=\s)(?P<rows>(?:[^:\r]|\r\n)*+)"
)
_VALUE = re.compile(rb"[^\s,;|/()\[\]{}<>'\"]++")
_FOREIGN_TUPLE = re.compile(rb"<[^<>\n]*+>|\([^()'\"\n]*+['\"]")
_SIGNS_IN_TUPLES = (b"-", b".", b"_")


def _tables(data: bytes) -> Iterator[Slip]:
    """Tables with as many values as declared, but not one tuple on each line, or with signs between the values."""
    for match in _TABLE.finditer(data, *_region(data, "constraints")):
        arity, n = int(match["arity"]), int(match["n"])
        start, end = match.span("rows")
        if data[end : end + 1] == b":":
            end = data.rfind(b"\n", start, end)
            if data[end : match.end()].strip().lower() == b"vars":  # behind a label
                end = data.rfind(b"\n", start, len(data[:end].rstrip()))
        values = _VALUE.findall(data, start, max(start, end))
        foreign = _FOREIGN_TUPLE.search(data, start, end)
        is_joined = len(values) == n != n * arity
        if not (is_joined or len(values) == n * arity) or not n * arity:
            continue
        body = data[start:end].strip()
        if not foreign and (b"(" in body or (not is_joined and body.count(b"\n") + 1 == n)):
            continue
        lines = list(line_spans(data, start, end))
        rows = [values[i : i + arity] for i in range(0, len(values), arity)]
        rows = [_split(value, arity) for value in values] if is_joined else rows
        pairs = [
            (line, row)
            for line, row in zip(lines, rows, strict=False)
            if data[slice(*line)].replace(b",", b" ").split() != row
        ]
        if not pairs:
            continue
        place, row = pairs[0]
        meant = b"\n".join(map(b" ".join, rows))
        start, end = lines[0][0], lines[-1][1]
        meant = meant if b"\n" in data[match.end("n") : start] else b"\n" + meant
        message = f"expected one tuple on each line, found {brief(_shown(data, place))}"
        hint = f"write {brief(b' '.join(row).decode('utf-8', 'replace'))} on its line"
        edit = None if is_joined else (start, end, meant.decode("utf-8", "replace"))
        yield Slip(start, end, meant, Fault("F309", *place, message, hint, edit=edit))


def _split(value: bytes, arity: int) -> list[bytes]:
    """The values that are written as one word, such as 1-2-3 or 123."""
    ways = [value.split(sign) for sign in _SIGNS_IN_TUPLES] + [[b"%c" % letter for letter in value]]
    return next((way for way in ways if len(way) == arity), [value])


def _nameless_domain(data: bytes) -> Iterator[Slip]:
    """The only domain without a name and a colon, where variables have one domain that is not declared."""
    domains, variables = _region(data, "domains", "variables"), _region(data, "variables", "constraints")
    used = set(re.compile(rb"(?m)[ \t:=](%b)[ \t\r]*+$" % _WORD).findall(data, *variables))
    missing = used - set(re.compile(rb"(?m)^[ \t]*+(%b)[ \t]*+[:=]" % _WORD).findall(data, *domains))
    lines = [line for line in line_spans(data, *domains) if not re.search(rb".[:=]", data[slice(*line)])]
    lines = [line for line in lines if not terminal("COUNT").fullmatch(data, *line)]
    if len(lines) == len(missing) == 1 and missing.isdisjoint(data[slice(*lines[0])].split()):
        (start, end), name = lines[0], missing.pop()
        colon = start + (data[start] == ord(":"))
        hint = f"write {name.decode('utf-8', 'replace')}: before it"
        fault = Fault("F012", start, end, "the domain has no name", hint)
        text = f"{name.decode('utf-8', 'replace')}: "
        yield Slip(start, colon, text.encode(), fault._replace(edit=(start, colon, text)))


# ---- All of them -----------------------------------------------------------------------------------------------------

_FINDERS = {
    find.__name__[1:]: find
    for find in (_lookalikes, _misspelt_sections, _tables, _ranges, _nameless_domain, _names_with_blanks)
}


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(grammar_path("slips.toml").read_text(encoding="utf-8"))


@cache
def _finders() -> list[tuple[Callable[[bytes], Iterable[Slip]], bool]]:
    """The finders of slips, and whether nothing else may be wrong with the text."""
    parts = {name: part.encode() for name, part in _data()["parts"].items()}
    parts |= {"word": _WORD, "count": pattern("COUNT"), "count_line": _COUNT_LINE, "spaced": _SPACED}

    def compiled(text: str) -> re.Pattern[bytes]:
        filled = re.sub(rb"\{([a-z]\w*|_)\}", lambda part: parts[part[1].decode()], text.encode())
        return re.compile(filled, re.IGNORECASE | re.MULTILINE)

    def finder(row: dict[str, Any]) -> Callable[[bytes], Iterable[Slip]]:
        if "finder" in row:
            return _FINDERS[row["finder"]]
        row["pattern"] = compiled(row["pattern"])
        row["rewrite"] = [(compiled(old), new.encode()) for old, new in row.get("rewrite", ())]
        row["signs"] = [sign.encode() for sign in row.get("signs", [""])]
        if "meant" in row:
            row["meant"] = row["meant"].encode()
        return _Spelling(**row).slips

    return [(row.pop("only", False), finder(row))[::-1] for row in _data()["slip"]]

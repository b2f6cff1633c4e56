"""Slips of people who write by hand: parts of a faulty text in the spelling of another language.

A finder looks for one kind of slip; `grammars/slips.toml` lists them. What they find is tried out in ``mending``.
"""

import re
import tomllib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple
from unicodedata import name as name_of_character

from f2csp.arrays import grouped
from f2csp.diagnostics import ByteSpan, Edit, Fault, brief
from f2csp.model.words import SECTION_WORDS
from f2csp.text.line_faults import ranges_in
from f2csp.text.source_lines import SPELLING, header_at, line_spans, text_at
from f2csp.text.terminals import FOLLOWERS, grammar_path, pattern, terminal

_MAX_NAMES = 200  # with blanks, that are looked for everywhere, or in a range
_MAX_SHOWN = 60  # characters of a slip that a message shows


class Slip(NamedTuple):
    """A part of a text that is not what was meant."""

    start: int
    end: int
    meant: bytes  # not empty
    fault: Fault | None = None  # None where another slip with the same cause has it

    @property
    def cure(self) -> Edit:
        """The replacement, without blanks around it."""
        return self.start, self.end, self.meant.strip(b" \t").decode("utf-8", "replace") or " "


# ---- Spellings of other languages ------------------------------------------------------------------------------------

_WORD = pattern("_WORD")
_BEFORE, _BEHIND = rb"(?<![^ \t\r\n,:={(\[])", rb"(?![^ \t\r\n,;:)}\]])"
_COUNT_LINE = rb"\s*+%b[ \t\r]*+\n" % pattern("COUNT")
_CLOCK_TIME = re.compile(_BEFORE + rb"[0-9]{1,2}(?::[0-5][0-9]){1,2}" + _BEHIND)
_NO_LINE_END = re.compile(rb"[^\r\n]")
_NAME_WITH_BLANKS = re.compile(rb"(%b(?:[ \t]++%b)++)[ \t]*+[:=]" % (_WORD, _WORD))
_VARIABLE_RANGE = re.compile(
    rb"(?m)^(?P<place>(?P<stem>[^\x00-\x20:,(){}=]{0,60}?)(?P<first>0|[1-9][0-9]{0,4}+)[ \t]*+(?:\.\.++|-|to)"
    rb"[ \t]*+(?P=stem)(?P<last>[1-9][0-9]{0,4}+))(?P<domain>[ \t]*+:[ \t]*+%b)(?=[ \t\r]*+$)" % _WORD
)
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
            slip = Slip(*match.span(), self._meant(match))
            has_fault = self.message and (self.each or i == 0)
            yield slip._replace(fault=self._fault(match, slip, len(found))) if has_fault else slip

    def _meant(self, match: re.Match[bytes]) -> bytes:
        if self.meant is None and not self.rewrite:
            return _NO_LINE_END.sub(b" ", match[0])
        text = match.expand(self.meant) if self.meant is not None else match[0]
        for pattern_, replacement in self.rewrite:
            text = pattern_.sub(replacement, text)
        return text or b" "

    def _fault(self, match: re.Match[bytes], slip: Slip, n: int) -> Fault:
        data, place = match.string, match.span("place" if "place" in self.pattern.groupindex else 0)
        plain = " ".join(slip.meant.decode("utf-8", "replace").split())
        hint = self.hint.replace("write %s", f"write {brief(plain)}" if plain else "remove it")
        edit = slip.cure if self.cure else None
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
        yield from _Spelling(re.compile(character.encode()), message, meant.encode(), hint=hint).slips(data)


def _clock_times(data: bytes) -> Iterator[Slip]:
    """Times such as 8:30 in a text whose domains have two of them, or one such as 8:00; 8:30 alone may be a range."""
    times = _CLOCK_TIME.findall(data, *_region(data, "domains", "variables"))
    if len(times) > 1 or any(b":0" in time for time in times):
        spelling = _Spelling(_CLOCK_TIME, "a value cannot hold a colon, found %s", rewrite=[(re.compile(b":"), b".")])
        for slip in spelling.slips(data):
            yield slip._replace(fault=slip.fault and slip.fault._replace(is_safe=False))


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


def _numbered_variables(data: bytes) -> Iterator[Slip]:
    """Lines such as V1..V9: D1, where these names are used and that one is not."""
    for match in _VARIABLE_RANGE.finditer(data, *_region(data, "variables", "constraints")):
        first, last = int(match["first"]), int(match["last"])
        if first < last < first + _MAX_NAMES:
            meant = b"\n".join(b"%b%d%b" % (match["stem"], i, match["domain"]) for i in range(first, last + 1))
            slip, place = Slip(*match.span(), meant), match.span("place")
            message = f"expected one variable on the line, found {_shown(data, place)}"
            yield slip._replace(fault=Fault("F309", *place, message, "write a line for each", edit=slip.cure))


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
    rb"(?im)^[ \t]*+(?P<header>(?P<word>[A-Za-z\x80-\xff][^\x00-\x20\x7f:,(){}=]{1,15}+)(?:[ \t]++tuples)?+"
    rb"(?:[ \t]*+(?P<colon>[:=]))?+)(?:\s*+(?P<count>%b|%b))?(?=[ \t\r]*+$)" % (pattern("COUNT"), _GOAL)
)
_GOAL_LINE = re.compile(_GOAL, re.IGNORECASE)
_SECTION_LINE = re.compile(rb"^(?:%b)" % pattern("_SECTION"), re.MULTILINE)


def _misspelt_sections(data: bytes) -> Iterator[Slip]:
    """F016: misspelt section lines, found from the order of the sections; each spelling is reported once."""
    found = grouped((text_at(data, match.span("word")), (match, meaning)) for match, meaning in _misspelt(data))
    for word, uses in found.items():
        notes = (f"{word} is used {len(uses)} times",) if len(uses) > 1 else ()
        for i, (match, meaning) in enumerate(uses):
            message, hint = f"unknown section word {brief(word)}", f"did you mean {SPELLING[meaning]}?"
            if word.lower() == meaning:
                message, hint = f"the section word {word} has no colon", f"write {SPELLING[meaning]}"
            edit = *match.span("header"), SPELLING[meaning]
            fault = Fault("F016", *match.span("word"), message, hint, notes=notes, edit=edit)
            yield Slip(*match.span("header"), edit[2].encode(), None if i else fault)


def _misspelt(data: bytes) -> Iterator[tuple[re.Match[bytes], str]]:
    """Each misspelt header, and the section word that it is meant for: one that is missing between two others."""
    candidates = [(match, meanings) for match in _LINE_LIKE_HEADER.finditer(data) if (meanings := _meanings(match))]
    at, here = 0, "title"
    for start, following in _headers(data) if candidates else ():
        end = bisect_left(candidates, start, key=lambda candidate: candidate[0].start())
        segment = candidates[at:end]
        if segment and following == "vars" and not data[segment[-1][0].end("header") : start].strip():
            segment.pop()  # the label
        for match, meanings in segment:
            gaps = [_n_missing(here, meaning) + _n_missing(meaning, following) for meaning in meanings]
            if min(gaps) < _n_missing(here, following):
                here = meanings[gaps.index(min(gaps))]
                yield match, here
        at, here = end, following


def _meanings(match: re.Match[bytes]) -> list[str]:
    """The section words that a line may be meant for, the nearest first."""
    word, count = match["word"].decode("utf-8", "replace"), match["count"]
    if (count is None and not match["colon"]) or (match["colon"] == b":" and word.lower() in SECTION_WORDS):
        return []
    if re.search("[0-9\ufffd]", word):  # a label that runs into the header, or not UTF-8
        return []
    return [m for m in _near_words(word.lower()) if count is None or count[:1].isalpha() == (m == "goal")]


@cache
def _near_words(word: str) -> list[str]:
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
        if following in words or (following == "end" and had_goal):
            return n
    return 99


# ---- Counts, names and lines that are missing ------------------------------------------------------------------------

_TABLE = re.compile(
    rb"(?im)^[ \t]*+vars[ \t]*+:\s*+(?P<arity>[0-9]{1,9}+)[ \t\r]*+\n(?:[^:\n]*+\n)*+[ \t]*+(?:reject|accept)[ \t]*+:"
    rb"\s*+(?P<n>[0-9]{1,9}+)(?=\s(?P<rows>(?:[^:\r]|\r\n)*+))"
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
            if data[end : match.end("rows")].strip().lower() == b"vars":  # behind a label
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
        written = [data[slice(*line)].replace(b",", b" ").split() for line in lines]
        pairs = [(line, row) for line, row, words in zip(lines, rows, written, strict=False) if words != row]
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

_OWN = (
    _lookalikes,
    _misspelt_sections,
    _tables,
    _clock_times,
    _ranges,
    _numbered_variables,
    _nameless_domain,
    _names_with_blanks,
)
_FINDERS = {find.__name__[1:]: find for find in _OWN}


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(grammar_path("slips.toml").read_text(encoding="utf-8"))


@cache
def finders() -> list[tuple[Callable[[bytes], Iterable[Slip]], bool, bool]]:
    """All finders, in the order in which they are to look, each with what ``slips.toml`` calls only and sure."""
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

    flags = [(row.pop("only", False), row.pop("sure", False)) for row in _data()["slip"]]
    return [(finder(row), *flag) for row, flag in zip(_data()["slip"], flags, strict=True)]

"""Slips of people who write by hand: parts of a faulty text in the spelling of another language.

A finder looks for one kind of slip. What it finds is mended, and the mended text is read: if this leaves no more faults
than before, the slip was one, and the faults that followed from it are gone.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple
from unicodedata import name as name_of_character

from f2csp.diagnostics import BOM, Collector, Fault, shown
from f2csp.text.columns import Span
from f2csp.text.diagnosis_lines import ranges_in
from f2csp.text.mended_source import MendedSource, Slip
from f2csp.text.rule_book import apply_rules
from f2csp.text.scanner import read
from f2csp.text.section_slips import section_slips
from f2csp.text.source_lines import lines_of, text_of, text_places
from f2csp.text.terminals import pattern, terminal

_MAX_BYTES = 1 << 24  # of a text written by hand
_MAX_NAMES = 200  # with blanks, that are looked for everywhere
_BLANK_MARK = b" " * len(BOM)
_FORM = {"F008", "F009", "F010", "F011", "F012", "F101", "F102"}  # a slip that explains such a fault keeps its code
_SEPARATORS = "expected blanks or commas between words, found %s"
_MAX_SHOWN = 60  # characters of a slip that a message shows
_MAX_NEAR = 400  # bytes where another list, or a scope before a table, is looked for

_LOOKALIKES = dict.fromkeys("\xa0\u2007\u202f\u3000\u200b\u2060\ufeff", " ")
_LOOKALIKES |= {wide: chr(ord(wide) - 0xFEE0) for wide in "：，（）｛｝＝"} | {"、": ",", "…": "..."}
_COMMENTS = (rb"/\*(?:[^*]|\*(?!/)){0,500}+\*/", *(rb"(?<![^ \t\n])%b[^\n]*+" % m for m in (b"#", b"//", b"%", b"--")))
_COMMENTS += (rb"^[ \t]*+;[^\n]*+",)

_WORD = pattern("_WORD")
_BEFORE, _BEHIND = rb"(?<![^ \t\r\n,:={(\[])", rb"(?![^ \t\r\n,;:)}\]])"
_BRACKETED = re.compile(_BEFORE + rb"\[((?:[^\[\]\n]|\[[^\[\]\n]*+\])*+)\]" + _BEHIND)
_QUOTE = b"(?:%b)" % "|".join("'\"`´‘’“”„«»").encode()
_QUOTED = re.compile(_BEFORE + rb"%b((?:(?!%b)[^\n,:(){}=])++)%b" % (_QUOTE, _QUOTE, _QUOTE) + _BEHIND)
_SEPARATED = re.compile(rb"(?<![^ \t\r\n:,(){}=])[^ \t\r\n:,(){}=;|]*+[;|][^ \t\r\n:,(){}=]*+")
_ARROW = re.compile(rb"(?<=[ \t])(?:[-=]>|&|-|and|%b)(?=[ \t])" % "|".join("→⇒–—").encode())
_IN_DOMAINS, _IN_VARIABLES, _IN_CONSTRAINTS = (
    re.compile(rb"^[ \t]*+%b[ \t]*+:" % word, re.MULTILINE | re.IGNORECASE)
    for word in (b"domains", b"variables", b"constraints")
)
_NAME_WITH_BLANKS = re.compile(rb"(%b(?:[ \t]++%b)++)[ \t]*+[:=]" % (_WORD, _WORD))
_SEVERAL_NAMES = re.compile(rb"(%b(?:(?:[ \t]*+,[ \t]*+|[ \t]++)%b)++)[ \t]*+:[ \t]*+(%b)" % (_WORD, _WORD, _WORD))
_HEAD = rb"[ \t]*+:\s*+%b[ \t\r]*+\n" % pattern("COUNT")
_SWAPPED = re.compile(
    rb"^([ \t]*+(?:reject|accept)%b(?:[^:\n]*+\n)*?)([ \t]*+vars%b[^:\n]*+\n)" % (_HEAD, _HEAD),
    re.MULTILINE | re.IGNORECASE,
)
_SCOPE_BEFORE = re.compile(rb"vars%b[^:\n]*+\n\Z" % _HEAD, re.IGNORECASE)
_VALUES = re.compile(rb"%b(?:[ \t]*+,?[ \t]*+%b)*+[ \t]*+,?" % (_WORD, _WORD))


def without_slips(collector: Collector, max_range_values: int) -> Collector:
    """What is found in a faulty text in which slips are mended; ``collector`` if it has none."""
    source, faults = collector.source, list[Fault]()
    for find in _FINDERS if len(source.data) <= _MAX_BYTES else ():
        data = source.data.replace(BOM, _BLANK_MARK, 1) if source.start else source.data
        slips = sorted(find(data), key=lambda slip: slip.start)
        if not slips:
            continue
        candidate = MendedSource.of(source, slips)
        again = Collector(candidate, collector.limit)
        columns = read(candidate, again, max_range_values)
        apply_rules(columns, text_places(columns), again)
        code = min((collector.codes - again.codes) & _FORM, default="F309")
        new = [slip.fault for slip in slips if slip.fault]
        new = [fault._replace(code=code) if fault.code == "F309" else fault for fault in new]
        moved = [fault.moved(candidate.mended_offset) for fault in (*faults, *new)]
        for fault in moved:
            again.report(fault)
        if again.n_errors <= collector.n_errors or find is section_slips:
            source, collector, faults = candidate, again, moved
    return collector


# ---- Finders ---------------------------------------------------------------------------------------------------------


def _old_line_ends(data: bytes) -> Iterator[Slip]:
    """Carriage returns alone, and no other line end."""
    at = data.find(b"\r")
    if at < 0 or b"\n" in data or data.count(b"\r") < 2:
        return
    message, hint = "the lines end with carriage returns alone", r"end lines with \n or \r\n"
    yield Slip(at, len(data), data[at:].replace(b"\r", b"\n"), Fault("F002", at, at + 1, message, hint))


class _Spelling(NamedTuple):
    """A spelling of another language, which is looked for behind the title."""

    pattern: re.Pattern[bytes]
    meant: Callable[[re.Match[bytes]], bytes]
    message: str  # %s is what was found
    hint: str = "write %s"  # %s is that without brackets and other signs
    has_cure: bool = True

    def slips(self, data: bytes) -> Iterator[Slip]:
        """A slip for each place; the first has the fault of all, with a cure."""
        matches = list(self.pattern.finditer(data, _start(data)))
        for i, match in enumerate(matches):
            end = match.start() + len(match[0].rstrip(b"\r"))
            meant = self.meant(match).rstrip(b"\r")
            fault = None if i else self._fault(data, (match.start(), end), meant, len(matches))
            yield Slip(match.start(), end, meant, fault)

    def _fault(self, data: bytes, place: Span, meant: bytes, n: int) -> Fault:
        plain = re.sub(rb"[\[\];|]|%b" % _QUOTE, b" ", data[slice(*place)]).decode("utf-8", "replace")
        hint = self.hint.replace("%s", shown(" ".join(plain.split())))
        is_cure = self.has_cure and len(meant.splitlines()) == 1
        edit = (*place, meant.strip().decode("utf-8", "replace") or " ") if is_cure else None
        notes = (f"the file has {n} such places",) if n > 1 else ()
        return Fault("F309", *place, self.message.replace("%s", _shown(data, place)), hint, notes=notes, edit=edit)


def _lookalike(character: str, meant: str) -> _Spelling:
    """A character that looks like one of the format's."""
    name = f"U+{ord(character):04X} ({name_of_character(character)})"
    what = meant if meant != " " else "a space"
    pattern = re.compile(re.escape(character.encode()))
    return _Spelling(pattern, lambda _: meant.encode(), f"expected {what}, found {name}", f"write {what}")


def _comment(marker: bytes) -> _Spelling:
    hint = "F2CSP has no comments: put remarks in the title"
    pattern = re.compile(marker, re.MULTILINE)
    return _Spelling(pattern, lambda m: re.sub(rb"[^\r\n]", b" ", m[0]), "unexpected comment %s", hint, has_cure=False)


def _without_brackets(match: re.Match[bytes]) -> bytes:
    """The list, in parentheses if another one is near on its line."""
    data, (start, end) = match.string, match.span()
    before = data[max(0, start - _MAX_NEAR) : start].rpartition(b"\n")[2]
    is_alone = not _BRACKETED.search(before + b" " + data[end : end + _MAX_NEAR].partition(b"\n")[0])
    return (b" %b " if is_alone else b"(%b)") % match[1]


_SPELLINGS = (
    _Spelling(_BRACKETED, _without_brackets, "expected a list without square brackets, found %s"),
    _Spelling(_QUOTED, lambda m: b"_".join(m[1].split()) or b" ", "expected a word without quotation marks, found %s"),
    _Spelling(_SEPARATED, lambda m: re.sub(rb"[;|]", b" ", m[0]), _SEPARATORS),
    _Spelling(_ARROW, lambda m: b" " * len(m[0]), _SEPARATORS, "remove it"),
)


def _ranges(data: bytes) -> Iterator[Slip]:
    for start, end in _lines_between(data, _IN_DOMAINS, _IN_VARIABLES):
        colon = re.compile(rb"[:=]").search(data, start, end)
        values = text_of(data, (colon.end(), end)) if colon else ""
        for first, last, meant in ranges_in(values):
            at = end - len(values[first:].encode())
            place = at, at + len(values[first:last].encode())
            message = f"expected a range START..END, found {shown(values[first:last])}"
            fault = Fault("F309", *place, message, f"write {meant}", edit=(*place, meant))
            yield Slip(*place, meant.encode(), fault)


def _names_with_blanks(data: bytes) -> list[Slip]:
    """The names with blanks in the domains and the variables, and their uses."""
    faults: dict[bytes, Fault] = {}
    for start, end in _lines_between(data, _IN_DOMAINS, _IN_CONSTRAINTS):
        match = _NAME_WITH_BLANKS.match(data, start, end)
        if match and len(faults) < _MAX_NAMES:
            message = f"expected a name without blanks, found {_shown(data, match.span(1))}"
            hint = f"write {b'_'.join(match[1].split()).decode('utf-8', 'replace')}"
            faults.setdefault(b" ".join(match[1].split()), Fault("F012", *match.span(1), message, hint))
    longest_first = sorted(faults, key=len, reverse=True)
    names = b"|".join(re.escape(name).replace(rb"\ ", rb"[ \t]++") for name in longest_first)
    uses = re.compile(_BEFORE + rb"(?:%b)" % names + _BEHIND).finditer(data, _start(data)) if faults else ()
    return [
        Slip(*use.span(), b"_".join(use[0].split()), fault if fault.start == use.start() else None)
        for use in uses
        if (fault := faults.get(b" ".join(use[0].split())))
    ]


def _several_names(data: bytes) -> Iterator[Slip]:
    """Lines of variables that declare several at once."""
    for start, end in _lines_between(data, _IN_VARIABLES, _IN_CONSTRAINTS):
        match = _SEVERAL_NAMES.fullmatch(data, start, end)
        if match:
            names = match[1].replace(b",", b" ").split()
            comma = data.find(b",", start, end)
            place = (comma, comma + 1) if comma >= 0 else match.span(1)
            code = "F011" if comma >= 0 else "F012"
            fault = Fault(code, *place, "expected one variable on the line, found several", "write a line for each")
            yield Slip(start, end, b"\n".join(b"%b: %b" % (name, match[2]) for name in names), fault)


def _broken_domains(data: bytes) -> Iterator[Slip]:
    """Domains that go on on the next line."""
    lines = list(_lines_between(data, _IN_DOMAINS, _IN_VARIABLES))
    for (_, line_end), (start, end) in pairwise(lines):
        if _VALUES.fullmatch(data, start, end) and not terminal("COUNT").fullmatch(data, line_end, line_end):
            word = next(terminal("_WORD").finditer(data, start, end)).span()
            message = f"expected a colon after the name {_shown(data, word)}"
            fault = Fault("F012", *word, message, "write all values of a domain on one line")
            yield Slip(line_end, start, b" ", fault)


def _swapped_parts(data: bytes) -> Iterator[Slip]:
    """Tables that precede their scope."""
    for match in _SWAPPED.finditer(data, _start(data)):
        if not _SCOPE_BEFORE.search(data, max(0, match.start() - _MAX_NEAR), match.start()):
            place = match.start(), data.index(b":", match.start()) + 1
            message = f"{text_of(data, place).strip()} precedes Vars:"
            yield Slip(
                *match.span(), match[2] + match[1], Fault("F005", *place, message, "write Vars: before the table")
            )


_FINDERS: tuple[Callable[[bytes], Iterable[Slip]], ...] = (
    _old_line_ends,
    section_slips,
    *(_lookalike(*pair).slips for pair in _LOOKALIKES.items()),
    *(_comment(marker).slips for marker in _COMMENTS),
    _swapped_parts,
    _broken_domains,
    *(spelling.slips for spelling in _SPELLINGS),
    _ranges,
    _names_with_blanks,
    _several_names,
)


# ---- Their parts -----------------------------------------------------------------------------------------------------


def _shown(data: bytes, place: Span) -> str:
    return " ".join(text_of(data, place)[:_MAX_SHOWN].split())


def _start(data: bytes) -> int:
    """Where the title ends."""
    match = _IN_DOMAINS.search(data)
    return match.start() if match else len(data)


def _lines_between(data: bytes, first: re.Pattern[bytes], last: re.Pattern[bytes]) -> Iterator[Span]:
    """The lines between two headers."""
    start, end = first.search(data), last.search(data)
    if start and end:
        yield from lines_of(data, start.end(), end.start())

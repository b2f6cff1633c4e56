"""Hypothesis strategies that every room's tests draw from: problems, their spellings, and texts gone wrong.

``problems`` draws a problem through ``ProblemBuilder``; ``spellings`` prints one with a choice for every liberty that
the format gives a writer; ``mutations`` changes a text; ``vocabulary`` strings the format's own words together;
``examples`` is the number of examples of a test.

A spelling is drawn as a set of liberties and a seed. So an example shrinks to the one liberty that matters, and
printing costs no draw for each blank.
"""

import bz2
import gzip
from importlib import import_module
from itertools import product
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from f2csp.model import Problem, ProblemBuilder
from f2csp.model.words import is_integer, is_name, is_title_line, is_value


def examples(n: int) -> settings:
    """At most ``n`` random examples with ``HYPOTHESIS_PROFILE=full``; 0.4 times as many by default."""
    return settings(max_examples=max(1, n * settings().max_examples // 100))


SECTION_WORDS = ("Domains", "Variables", "Constraints", "Vars", "Reject", "Accept", "Goal")

# ---- Words ---------------------------------------------------------------------------------------------------------

_characters = st.characters(exclude_categories=["Cs"], exclude_characters=[*map(chr, range(0x21)), "\x7f", *":,(){}="])
_odd_words = st.sampled_from(
    [
        *(*"V1-1 x[2][3] a.b quadrícula 数 \ufeff e\u0301 \U0001f600".split(), "\u00a0", "\u2028", "\x85", "a\u00a0b"),
        *"C1 C2 1 2 3 01 +1 -0 00 - -- --- .. 1.. ..2 1..x 01..2 1..+2".split(),
        *"Domains1 goal. Satisfy satisfy xVars Var\u017f Doma\u0131ns # // \" ' \\n [1]".split(),
        *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "1000000000000000000", "1e3", "0x1F"),
    ]
)
_words = _odd_words | st.text(_characters, min_size=1, max_size=6)

names = st.sampled_from(["D1", "x", "y", "z", "V1-2"]) | _words.filter(is_name)
symbols = _words.filter(is_value)
integers = (
    st.integers(-3, 9)
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.sampled_from([-(1 << 63), 1 - (1 << 63), (1 << 63) - 1, (1 << 63) - 2])
)

_odd_title_lines = st.sampled_from(
    [
        *"Sudoku 4x4|1 2 3|C1|Domains|Domains: D1|Domains: 007|Domains: -1|Vars: x y|a: b|((|Goal: Satisfy".split("|"),
        *"goal:satisfy all|Reject 4|Domains :x|Constraints: 1 2|{}|a\tb|a  b|,|\u00a0|x\u00a0|\x85|\u2028".split("|"),
        *"x\ufeff|Domain\u017f:|Doma\u0131ns: 1|Domains: \u0661|Goal".split("|"),
    ]
)
_title_characters = st.characters(exclude_categories=["Cs"], exclude_characters=[*map(chr, range(0x20)), "\x7f"])
_title_lines = (_odd_title_lines | st.text(_title_characters, min_size=1, max_size=12)).filter(is_title_line)

titles = st.lists(_title_lines, max_size=3).map("\n".join).filter(lambda title: not title.startswith("\ufeff"))

# ---- Problems ------------------------------------------------------------------------------------------------------


@st.composite
def domain_values(draw: DrawFn) -> list[str]:
    """One to five different values: small, negative or huge integers, symbols, or both in one domain."""
    kind = draw(st.sampled_from(["interval", "integers", "symbols", "mixed"]))
    if kind == "interval":
        start = draw(st.sampled_from([1, 0, -2, 8, (1 << 63) - 3, -(1 << 63)]))
        return [str(i) for i in range(start, start + draw(st.integers(1, 5)))]
    of_kind = {"integers": integers.map(str), "symbols": symbols, "mixed": integers.map(str) | symbols}[kind]
    return draw(st.lists(of_kind, min_size=1, max_size=5, unique=True))


@st.composite
def _tables(draw: DrawFn, domains: list[list[str]]) -> list[tuple[str, ...]]:
    size = 1
    for values in domains:
        size *= len(values)
    if size <= 27 and draw(st.integers(0, 5)) == 0:
        return list(product(*domains))  # all of them
    rows = st.tuples(*map(st.sampled_from, domains))
    return draw(st.lists(rows, max_size=min(size, 6), unique=True))


@st.composite
def problems(
    draw: DrawFn, *, max_domains: int = 3, max_variables: int = 5, max_constraints: int = 4, max_arity: int = 4
) -> Problem:
    """A problem of any kind that the format can hold, the empty one included."""
    builder = ProblemBuilder(draw(titles))
    domains = {name: draw(domain_values()) for name in draw(st.lists(names, max_size=max_domains, unique=True))}
    for name, values in domains.items():
        builder.domain(name, values)
    owners: dict[str, str] = {}
    if domains:
        for name in draw(st.lists(names, max_size=max_variables, unique=True)):
            owners[name] = draw(st.sampled_from(list(domains)))
            builder.variable(name, owners[name])
    n_constraints = draw(st.integers(0, max_constraints)) if owners else 0
    labels = draw(_labels(n_constraints))
    before: list[tuple[list[str], list[tuple[str, ...]]]] = []
    for label in labels:
        if before and draw(st.integers(0, 3)) == 0:
            scope, rows = draw(st.sampled_from(before))  # the same table again
        else:
            scope = draw(
                st.lists(st.sampled_from(list(owners)), min_size=1, max_size=min(len(owners), max_arity), unique=True)
            )
            rows = draw(_tables([domains[owners[name]] for name in scope]))
            before.append((scope, rows))
        add = draw(st.sampled_from([builder.reject, builder.accept]))
        add(scope, rows, label)
    return builder.build()


@st.composite
def _labels(draw: DrawFn, n: int) -> list[str | None]:
    kind = draw(st.sampled_from(["default", "numbers", "named", "shifted"]))
    if kind == "default":
        return [None] * n
    if kind == "numbers":
        return [str(i) for i in range(1, n + 1)]
    if kind == "shifted":
        return [f"{draw(st.sampled_from(['C', '']))}{i}" for i in range(2, n + 2)]
    return list(draw(st.lists(names, min_size=n, max_size=n, unique=True)))


# ---- Spellings -----------------------------------------------------------------------------------------------------

LIBERTIES = (
    *("crlf", "bom", "blanks", "tabs", "blank lines", "letter case", "blank before colon", "count on the line"),
    *("goal on the line", "ranges", "domain commas", "braces", "equals", "scope lines", "scope commas", "parentheses"),
    *("shared lines", "tuple commas", "label colons", "numbered labels", "no goal", "goal spelling", "no last newline"),
)
COMPRESSIONS = {
    "gz": gzip.compress,
    "xz": lambda data: import_module("lzma").compress(data),
    "lzma": lambda data: import_module("lzma").compress(data, import_module("lzma").FORMAT_ALONE),
    "bz2": bz2.compress,
    "zst": lambda data: import_module("zstandard").ZstdCompressor().compress(data),
}


class Printer:
    """Prints a problem with the given liberties, each taken or not by the dice."""

    def __init__(self, problem: Problem, liberties: frozenset[str], seed: int) -> None:
        self._problem = problem
        self._liberties = liberties
        self._random = Random(seed)

    def text(self) -> bytes:
        """The text, not compressed."""
        problem = self._problem
        lines = [*problem.title.split("\n")] if problem.title else []
        lines += self._header("Domains", problem.n_domains)
        lines += [self._domain(d.name, d.words) for d in problem.domains]
        lines += self._header("Variables", problem.n_variables)
        lines += [f"{v.name}{self._colon()}{v.domain.name}" for v in problem.variables]
        lines += self._header("Constraints", problem.n_constraints)
        is_numbered = problem.labels is None and self._does("numbered labels")
        for i, constraint in enumerate(problem.constraints, 1):
            label = str(i) if is_numbered else constraint.label
            lines.append(f"{label}{self._blank()}:" if self._does("label colons") else label)
            lines += self._header("Vars", constraint.arity)
            lines += self._scope(constraint.scope)
            lines += self._header(constraint.kind, constraint.relation.n_tuples)
            lines += self._table([[problem.words[w] for w in row] for row in constraint.relation.tuples.tolist()])
        if not self._does("no goal"):
            lines += self._goal()
        return self._joined(lines)

    def _does(self, liberty: str) -> bool:
        return liberty in self._liberties and self._random.random() < 0.6

    def _blank(self, least: int = 0) -> str:
        """At least so many blanks, and more where that is free."""
        if not ({"blanks", "tabs"} & self._liberties):
            return " " * least
        signs = " \t" if "tabs" in self._liberties else " "
        return "".join(
            self._random.choice(signs) for _ in range(self._random.choice([least, least, least + 1, least + 2]))
        )

    def _colon(self) -> str:
        before = self._blank(1) if self._does("blank before colon") else ""
        after = self._blank() if self._does("blanks") else self._blank(1)
        return f"{before}:{after}"

    def _cased(self, word: str) -> str:
        if not self._does("letter case"):
            return word
        return "".join(self._random.choice([c.lower(), c.upper()]) for c in word)

    def _header(self, word: str, count: int | str) -> list[str]:
        colon = self._colon().rstrip(" \t")
        head = f"{self._cased(word)}{colon}"
        if self._does("goal on the line" if word == "Goal" else "count on the line"):
            return [f"{head}{self._blank(self._random.randint(0, 1))}{count}"]
        return [head, str(count)]

    def _domain(self, name: str, words: tuple[str, ...]) -> str:
        colon = self._colon()
        if self._does("equals"):
            colon = colon.replace(":", "=")
        values = self._separated(self._with_ranges(words), "domain commas")
        if self._does("braces"):
            values = "{" + self._blank() + values + self._blank() + "}"
        return f"{name}{colon}{values}"

    def _with_ranges(self, words: tuple[str, ...]) -> list[str]:
        shown: list[str] = []
        at = 0
        while at < len(words):
            end = at + 1
            if is_integer(words[at]) and self._does("ranges"):
                while end < len(words) and is_integer(words[end]) and int(words[end]) == int(words[at]) + end - at:
                    end += 1
                end = self._random.randint(at + 1, end)
                shown.append(f"{words[at]}..{words[end - 1]}")
            else:
                shown.append(words[at])
            at = end
        return shown

    def _separated(self, words: list[str] | tuple[str, ...], commas: str) -> str:
        text = words[0]
        for word in words[1:]:
            if self._does(commas):
                text += self._random.choice(["", self._blank()]) + "," + self._random.choice(["", " ", self._blank()])
            else:
                text += self._blank(1)
            text += word
        return text

    def _scope(self, names: tuple[str, ...]) -> list[str]:
        lines = [names[0]]
        for name in names[1:]:
            is_new_line = self._does("scope lines")
            comma = self._does("scope commas")
            if is_new_line and comma:
                place = self._random.randrange(3)
                lines[-1] += self._blank() + "," if place == 0 else ""
                lines += [","] if place == 2 else []
                lines.append(("," + self._blank() if place == 1 else "") + name)
            elif is_new_line:
                lines.append(name)
            else:
                lines[-1] += (self._blank() + "," + self._blank() if comma else self._blank(1)) + name
        return lines

    def _table(self, rows: list[list[str]]) -> list[str]:
        lines: list[str] = []
        can_share = False  # whether the line before holds tuples in parentheses
        for row in rows:
            text = self._separated(row, "tuple commas")
            if not self._does("parentheses"):
                lines.append(text)
                can_share = False
                continue
            text = f"({self._blank()}{text}{self._blank()})"
            if can_share and self._does("shared lines"):
                lines[-1] += self._blank() + text
            else:
                lines.append(text)
            can_share = True
        return lines

    def _goal(self) -> list[str]:
        if not self._does("goal spelling"):
            return self._header("Goal", "Satisfy")
        words = ["satisfy", "all", "constraints"][: self._random.randint(1, 3)]
        goal = self._blank(1).join(map(self._random.choice([str.lower, str.upper, str.title]), words))
        return self._header("Goal", goal + self._random.choice(["", "."]))

    def _joined(self, lines: list[str]) -> bytes:
        parts = ["\ufeff"] if self._does("bom") else []
        for line in lines:
            while self._does("blank lines"):
                parts.append(self._blank() + self._end())
            parts.append(self._blank() + line + self._blank() + self._end())
        if self._does("no last newline"):
            parts[-1] = parts[-1].rstrip("\r\n")
        else:
            parts += [self._blank() + self._end() for _ in range(2) if self._does("blank lines")]
        return "".join(parts).encode()

    def _end(self) -> str:
        return "\r\n" if self._does("crlf") else "\n"


@st.composite
def spellings(draw: DrawFn, problem: Problem) -> bytes:
    """Any text that reads to the problem, not compressed."""
    liberties = draw(st.just(frozenset(LIBERTIES)) | st.frozensets(st.sampled_from(LIBERTIES)))
    return Printer(problem, liberties, draw(st.integers(0, 1 << 16))).text()


def spelled_problems(**limits: int) -> SearchStrategy[tuple[Problem, bytes]]:
    """A problem and a spelling of it."""
    return problems(**limits).flatmap(lambda problem: st.tuples(st.just(problem), spellings(problem)))


# ---- Texts gone wrong ----------------------------------------------------------------------------------------------

_COUNTS = tuple(b"0 1 2 3 007 -1 +1 1.5 10 1000000000000000000 999999999999999999 x".split())
_WORDS = (b"x", b"y", b"D1", b"D9", b"C1", b"9", b"02", b"Vars", b"goal", b"1..9", b"9..1", b"1..1000000000000000000")
_WORDS += (b"-9223372036854775808..9223372036854775807", b"\xc2\xa0", b"caf\xc3\xa9", b"..")
_SIGNS = (b":", b",", b"(", b")", b"{", b"}", b"=", b",,", b"()", b"{}", b": :", b" ", b"\n", b"\t", b"\r\n")
_BYTES = (b"\0", b"\r", b"\x0b", b"\x0c", b"\x1a", b"\x1b[31m", b"\x7f", b"\xff", b"\xc3", b"\xed\xa0\x80")
_BYTES += (b"\xef\xbb\xbf", b"\xc2\x85")
_LINES = b"Domains:|Variables: 2|Constraints:|Vars:|Reject:|Accept: 1|Goal:|Satisfy|C1|1 2".split(b"|")
_LINES += b"GOAL : satisfy all|D1: 1 2|x: D1|(1 2) (2 1)|(||Domains: x|goal: 3|vars: D1|C1".split(b"|")


def mutate(text: bytes, seed: int) -> bytes:
    """One thing done to a text: cut, a line or a word dropped, doubled, swapped, changed, something put in."""
    random = Random(seed)
    kind = random.randrange(8)
    if kind == 0:
        return text[: random.randrange(len(text) + 1)]
    if kind == 1:
        at = random.randrange(len(text) + 1)
        return text[:at] + random.choice(_SIGNS + _BYTES + (random.randbytes(2),)) + text[at:]
    if kind == 2 and text:
        at = random.randrange(len(text))
        return text[:at] + text[at + random.choice([1, 1, 2, 5]) :]
    if kind in (3, 4):
        return _with_other_word(text, random)
    return _with_other_lines(text, random)


def _with_other_word(text: bytes, random: Random) -> bytes:
    """The text with one of its words replaced, a number by a count more often than not."""
    places, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        places.append((at, at + len(word)))
        at += len(word)
    if not places:
        return text
    start, end = random.choice(places)
    word = text[start:end]
    if word.isdigit() and random.random() < 0.7:
        other = random.choice([str(max(0, int(word) + random.choice([-1, 1]))).encode(), *_COUNTS])
    else:
        other = random.choice([text[slice(*random.choice(places))], *_WORDS, word + b"x", word[1:]])
    return text[:start] + other + text[end:]


def _with_other_lines(text: bytes, random: Random) -> bytes:
    lines = text.splitlines(keepends=True) or [b""]
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(5):
        case 0:
            del lines[i]
        case 1:
            lines.insert(i, lines[i])
        case 2:
            lines[i], lines[j] = lines[j], lines[i]
        case 3:
            lines.insert(i, lines[j])
        case _:
            lines.insert(i, random.choice(_LINES) + b"\n")
    return b"".join(lines)


@st.composite
def mutations(draw: DrawFn, text: bytes) -> bytes:
    """The text with one to three things done to it."""
    for seed in draw(st.lists(st.integers(0, 1 << 16), min_size=1, max_size=3)):
        text = mutate(text, seed)
    return text


def mutated_spellings(**limits: int) -> SearchStrategy[bytes]:
    """A spelling of some problem, gone wrong; a few are valid all the same."""
    return spelled_problems(**limits).flatmap(lambda drawn: mutations(drawn[1]))


def vocabulary() -> SearchStrategy[bytes]:
    """The format's own words, signs and lines in any order."""
    headers = [word.encode() + b":" for word in SECTION_WORDS]
    lines = st.sampled_from([*(h + b"\n" for h in headers), *(line + b"\n" for line in _LINES)])
    pieces = st.sampled_from([*headers, b"\n", b" ", *_COUNTS[:4], *_SIGNS, *_WORDS[:6], b"Satisfy"])
    return st.lists(lines | pieces, max_size=24).map(b"".join)

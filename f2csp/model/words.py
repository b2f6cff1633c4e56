"""Words, names and values of the format; the terminals of ``grammars/f2csp.lark`` define the same.

White space is space and tab. A word is a run of characters without white space, control characters and
``: , ( ) { } =``.
"""

import re

SECTION_WORDS = ("domains", "variables", "constraints", "vars", "reject", "accept", "goal")

_WORD = re.compile(r"[^\x00-\x20\x7f:,(){}=]+")
_RANGE = re.compile(r"(0|-?[1-9][0-9]*+)\.\.(0|-?[1-9][0-9]*+)")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_AUXILIARY = re.compile(r"~[A-Za-z]+[0-9]+-[0-9]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HEADER = re.compile(rf"(?:{'|'.join(SECTION_WORDS)})[ \t]*:[ \t]*(?:0|[1-9][0-9]{{0,17}})?", re.IGNORECASE | re.ASCII)


def is_word(text: str) -> bool:
    """Whether the text is one word that UTF-8 can hold."""
    return _WORD.fullmatch(text) is not None and _is_encodable(text)


def is_section_word(text: str) -> bool:
    """Whether the text is one of the seven section words, in any letter case."""
    return text.isascii() and text.lower() in SECTION_WORDS


def is_name(text: str) -> bool:
    """Whether the text can name a domain, a variable or a constraint."""
    return is_word(text) and not is_section_word(text)


def is_range(text: str) -> bool:
    """Whether a word is a range INT..INT of several values."""
    return _RANGE.fullmatch(text) is not None


def range_ends(word: str) -> tuple[str, str]:
    start, end = word.split("..")
    return start, end


def auxiliary_name(kind: str, number: int, index: int) -> str:
    """The name of an auxiliary variable: that with this index of the constraint with this number of a kind."""
    return f"~{kind}{number}-{index}"


def is_auxiliary(name: str) -> bool:
    """Whether a variable is an auxiliary one, which follows from the others: an import has made it."""
    return _AUXILIARY.fullmatch(name) is not None


def is_value(text: str) -> bool:
    """Whether the text can be a value."""
    return is_word(text) and not is_range(text)


def is_integer(text: str) -> bool:
    """Whether a word is an integer in canonical spelling within 64 bits."""
    return _INTEGER.fullmatch(text) is not None and -(1 << 63) <= int(text) < 1 << 63


def is_title_line(text: str) -> bool:
    """Whether a title may hold this line."""
    is_plain = text != "" and text.strip(" \t") == text and not _CONTROL.search(text.replace("\t", ""))
    return is_plain and not _HEADER.fullmatch(text) and _is_encodable(text)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True

"""Words as toulbar2 allows them in a .cfn file.

There, a name does not begin with one of ``0123456789-.+`` and holds none of ``/#[]{}:,"``. A backslash would be a sign
of its own to programs that read the file as JSON.
"""

import re
from collections.abc import Iterable

_FOREIGN = re.compile(r'[/#\[\]{}:,"\\\s]')
_FIRST = re.compile(r"[0-9.+-]")


def safe_names(words: Iterable[str]) -> list[str]:
    """A name for each word, all different: the word itself where that is allowed."""
    names = [_safe(word) for word in words]
    if len(set(names)) == len(names):
        return names
    return _numbered(list(words), names)


def _safe(word: str) -> str:
    name = _FOREIGN.sub("_", word)
    return f"_{name}" if _FIRST.match(name) else name


def _numbered(words: list[str], names: list[str]) -> list[str]:
    """The names, those that two words have with numbers; what is allowed as it is stays as it is."""
    taken = {name for name, word in zip(names, words, strict=True) if name == word}
    tried: dict[str, int] = {}
    for i, (name, word) in enumerate(zip(names, words, strict=True)):
        if name == word:
            continue
        while names[i] in taken:
            tried[name] = tried.get(name, 1) + 1
            names[i] = f"{name}_{tried[name]}"
        taken.add(names[i])
    return names

"""Where things stand in a JSON text that is known to be one: Python's reader gives values, but no places."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]
"""The keys and indices that lead to a value from the outermost one."""

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]|[^\s\[\]{},:"]++')


@dataclass(slots=True)
class Place:
    """Where a value stands, and its key if it has one; byte offsets."""

    start: int
    end: int
    key: tuple[int, int] | None


@dataclass(slots=True)
class _Container:
    """A list or an object that is gone through, with the part of the wanted paths that leads into it."""

    wanted: dict[str | int, Any] | None
    path: Path
    index: int
    is_object: bool
    place: Place


def places(data: bytes, start: int, paths: Collection[Path]) -> dict[Path, Place]:
    """Where the values at some paths stand, in one pass over the text.

    Args:
        data: the text.
        start: where it begins.
        paths: what is looked for; a path that leads nowhere gets no place.
    """
    found: dict[Path, Place] = {}
    stack: list[_Container] = []
    key: tuple[int, int] | None = None
    for token in _TOKEN.finditer(data, start):
        sign = token[0]
        if sign == b",":
            stack[-1].index += 1
        elif sign in b"]}":
            stack.pop().place.end = token.end()
        elif sign != b":":
            top = stack[-1] if stack else None
            if top and top.is_object and key is None:
                key = token.span()
                continue
            here = Place(*token.span(), key)
            wanted, path = _step(top, data, key, paths)
            key = None
            if wanted is not None and None in wanted:
                found[path] = here
            if sign in b"[{":
                stack.append(_Container(wanted, path, 0, sign == b"{", here))
    return found


def repeated_keys(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """The places of keys that stood in their object before."""
    seen: list[set[str] | None] = []
    is_key = False
    for token in _TOKEN.finditer(data, start):
        sign = token[0]
        if sign in b"[{":
            seen.append(set() if sign == b"{" else None)
            is_key = sign == b"{"
        elif sign in b"]}":
            seen.pop()
            is_key = False
        elif sign == b",":
            is_key = seen[-1] is not None
        elif is_key:
            keys, name = seen[-1], text_of(sign)
            if keys is not None and name in keys:
                yield token.span()
            elif keys is not None:
                keys.add(name)
            is_key = False


def too_deep(data: bytes, start: int, most: int) -> tuple[int, int] | None:
    """The place of the first bracket with more than so many around it."""
    depth = 0
    for token in _TOKEN.finditer(data, start):
        depth += (token[0] in b"[{") - (token[0] in b"]}")
        if depth > most:
            return token.span()
    return None


def text_of(token: bytes) -> str:
    """What a string in quotes says."""
    return str(json.loads(token)) if b"\\" in token else token[1:-1].decode()


def _step(
    top: _Container | None, data: bytes, key: tuple[int, int] | None, paths: Collection[Path]
) -> tuple[dict[Any, Any] | None, Path]:
    """What is wanted at the value that comes next, and its path."""
    if top is None:
        return _tree(paths), ()
    if top.wanted is None:
        return None, ()
    name = text_of(data[slice(*key)]) if key else top.index
    return top.wanted.get(name), (*top.path, name)


def _tree(paths: Collection[Path]) -> dict[Any, Any]:
    """The paths as nested dictionaries; None marks the end of one."""
    root: dict[Any, Any] = {}
    for path in paths:
        node = root
        for step in path:
            node = node.setdefault(step, {})
        node[None] = {}
    return root

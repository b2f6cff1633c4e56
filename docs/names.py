"""The pages of the public names of the package, from their docstrings: an index, a page for each group and class."""

import inspect
import os
import re
from pathlib import Path
from typing import Any

import f2csp

_VALUES = "Values that they return or take"


def name_pages() -> dict[str, str]:
    """The index by the sections of ``help(f2csp)``; a page for the functions of each section, and for each class."""
    documented = inspect.getdoc(f2csp) or ""
    listed = re.findall(r"^(\w[\w ]*?)(?:  +|: )(\w[\w, :]*)$", documented, re.MULTILINE)
    groups = {heading: re.findall(r"\w+", names) for heading, names in listed}
    grouped = {name for names in groups.values() for name in names}
    groups[_VALUES] = [name for name in f2csp.__all__ if name not in grouped]
    index = ["# Python names", "[The tour](python.md) shows them at work; `help(f2csp.solve)` has the same words."]
    pages = {}
    places = {}
    for heading, names in groups.items():
        group = "names/" + re.sub(r"\W+", "-", heading.lower()) + ".md"
        functions = []
        index.append(f"## {heading}")
        items = []
        for name in names:
            value = getattr(f2csp, name)
            if isinstance(value, type):
                place = f"names/classes/{name}.md"
                pages[place] = _page([f"# {name}", *_entry(name, value), *_members(value)])
            else:
                place = f"{group}#{name.lower()}"
                functions += [f"## {name}", *_entry(name, value)]
            places[name] = place
            items.append(f"- [`{name}`]({place}): {_prose((inspect.getdoc(value) or '').split(chr(10))[0])}")
        index.append("\n".join(items))
        if functions:
            pages[group] = _page([f"# {heading}", *functions])
    pages["names.md"] = _page(index)
    return {page: _linked(text, page, places) for page, text in pages.items()}


def _linked(text: str, page: str, places: dict[str, str]) -> str:
    """The text with a link for each public name that a docstring marks as one."""

    def link(marked: re.Match[str]) -> str:
        kind, name = marked.groups()
        if kind not in ("class", "func") or name not in places or f"# {name}\n" in text:
            return f"`{name}`"
        return f"[`{name}`]({Path(os.path.relpath(places[name], Path(page).parent)).as_posix()})"

    return re.sub(r":(\w+):`(?:[\w.]*\.)?(\w+)`", link, text)


def _page(parts: list[str]) -> str:
    return "\n\n".join(parts) + "\n"


def _members(value: type) -> list[str]:
    """The documented methods and properties of a class."""
    parts = []
    for name, member in vars(value).items():
        described = inspect.getdoc(member) if not name.startswith("_") else None
        if described and (inspect.isroutine(member) or isinstance(member, property)):
            own = getattr(value, name)
            parts += [f"## {name}", *_entry(name, own)]
    return parts


def _entry(name: str, value: Any) -> list[str]:
    try:
        signature = f"{name}{inspect.signature(value)}"
    except (TypeError, ValueError):
        signature = name
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", signature)
    signature = re.sub(r" at 0x[0-9a-f]+|f2csp\.[\w.]*\.|collections\.abc\.|typing\.|pathlib\.", "", signature)
    return [f"```python\n{signature}\n```", *_markdown(inspect.getdoc(value) or "")]


def _markdown(text: str) -> list[str]:
    """A docstring in Google's style as paragraphs of Markdown: lists of arguments, examples as code."""
    parts = []
    section = ""
    for paragraph in re.split(r"\n\n+", text):
        if head := re.match(r"(Args|Returns|Raises|Attributes|Examples?|Yields|Shape|Complexity|Source):\n", paragraph):
            section = head[1]
            parts.append(f"**{section}**")
        elif not paragraph.startswith(" "):
            section = ""
        lines = inspect.cleandoc("\n" + paragraph[head.end() if head else 0 :])
        if lines.startswith(">>>"):
            parts.append(f"```pycon\n{lines}\n```")
        elif section in ("Args", "Raises", "Attributes"):
            parts.append(_prose(re.sub(r"^(\w[\w., ]*): ", r"- `\1`: ", lines, flags=re.MULTILINE)))
        else:
            parts.append(_prose(lines))
    return parts


def _prose(text: str) -> str:
    return text.replace("``", "`")

"""The page of the public names of the package, from their docstrings."""

import inspect
import re

import f2csp


def names_page() -> str:
    """All names, by the sections of ``help(f2csp)``."""
    lines = [
        "# Python names",
        "",
        "[The tour](python.md) shows them at work; `help(f2csp.solve)` has the same words.",
        "",
    ]
    documented = inspect.getdoc(f2csp) or ""
    for heading, listed in re.findall(r"^(\w[\w ]*?)(?:  +|: )(\w[\w, :]*)$", documented, re.MULTILINE):
        lines += [f"## {heading}", ""]
        for name in re.findall(r"\w+", listed):
            lines += _entry(name)
    others = [name for name in f2csp.__all__ if f"### {name}\n" not in "\n".join(lines) + "\n"]
    lines += ["## Values that they return or take", ""]
    for name in others:
        lines += _entry(name)
    return "\n".join(lines)


def _entry(name: str) -> list[str]:
    value = getattr(f2csp, name)
    try:
        signature = f"{name}{inspect.signature(value)}"
    except (TypeError, ValueError):
        signature = name
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", signature)
    signature = re.sub(r" at 0x[0-9a-f]+|f2csp\.[\w.]*\.|collections\.abc\.|typing\.|pathlib\.", "", signature)
    return [f"### {name}", "", f"```python\n{signature}\n```", "", *_markdown(inspect.getdoc(value) or ""), ""]


def _markdown(text: str) -> list[str]:
    """A docstring in Google's style as Markdown: lists of arguments, examples as code."""
    lines: list[str] = []
    section = ""
    for line in text.split("\n"):
        head = re.fullmatch(r"(Args|Returns|Raises|Attributes|Example|Examples|Yields|Shape|Complexity|Source):", line)
        if head:
            lines += ["```", ""] if section.startswith("Example") else [""]
            section = head[1]
            lines += [f"**{section}**", ""] + (["```pycon"] if section.startswith("Example") else [])
        elif section.startswith("Example"):
            lines.append(line.removeprefix("    "))
        elif section and (item := re.fullmatch(r"    (\w[\w., ]*): (.*)", line)):
            lines.append(f"- `{item[1]}`: {item[2]}")
        else:
            lines.append(line.removeprefix("    ") if section else line)
    if section.startswith("Example"):
        lines = [*"\n".join(lines).rstrip().split("\n"), "```"]
    return [
        re.sub(r":(?:func|class):`(?:[\w.]*\.)?(\w+)`", r"`\1`", line).replace("``", "`") if "```" not in line else line
        for line in lines
    ]

"""Defaults of options in a table ``tool.f2csp`` of pyproject.toml."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from f2csp.cli.session import Command
from f2csp.diagnostics import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Iterable

_SETTINGS = {"exclude": list, "select": list, "ignore": list, "max-errors": int, "warnings-as-errors": bool}
_KIND_NAMES = {list: "a list of strings", int: "an integer", bool: "true or false"}


class ConfiguredCommand(Command):
    """A command whose options have defaults such as ``ignore = ["F402"]`` in a table ``tool.f2csp``.

    It is that of the nearest pyproject.toml that has one, in the working directory or one above it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.default_map = {key.replace("-", "_"): value for key, value in _settings(Path.cwd()).items()}
        return super().parse_args(ctx, args)


def codes_in(values: Iterable[str]) -> tuple[str, ...]:
    """The codes, or first characters of codes, in values with commas; raises ValueError if there is no such code."""
    codes = tuple(code.strip().upper() for value in values for code in value.split(","))
    for code in codes:
        if not code or not any(known.startswith(code) for known in CATALOGUE):
            raise ValueError(f"no code begins with {code!r}; f2csp code lists all codes")
    return codes


def _settings(folder: Path) -> dict[str, Any]:
    for file in (place / "pyproject.toml" for place in (folder, *folder.parents)):
        if file.is_file():
            import tomllib

            try:
                tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
                if isinstance(tool, dict) and "f2csp" in tool:
                    return _checked(tool["f2csp"], file.parent)
            except ValueError as error:
                raise click.UsageError(f"{file}: {error}") from None
    return {}


def _checked(settings: Any, folder: Path) -> dict[str, Any]:
    """The settings, of which patterns with a folder are below that of pyproject.toml."""
    if not isinstance(settings, dict):
        raise ValueError(f"expected a table tool.f2csp, found {settings!r}")
    for key, value in settings.items():
        if key not in _SETTINGS:
            raise ValueError(f"tool.f2csp has no key {key}; its keys are {', '.join(_SETTINGS)}")
        kind, items = _SETTINGS[key], list(value) if isinstance(value, list) else []
        if type(value) is not kind or not all(isinstance(item, str) for item in items):
            raise ValueError(f"expected {_KIND_NAMES[kind]} for {key} in tool.f2csp, found {value!r}")
        if key in ("select", "ignore"):
            try:
                codes_in(items)
            except ValueError as error:
                raise ValueError(f"{key} in tool.f2csp: {error}") from None
    if "exclude" in settings:
        from glob import escape

        root = escape(str(folder.resolve()))
        settings["exclude"] = [f"{root}/{glob}" if "/" in glob else glob for glob in settings["exclude"]]
    return settings

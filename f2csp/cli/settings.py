"""Settings of a project: defaults of options, in the table ``tool.f2csp`` of pyproject.toml.

[tool.f2csp]
exclude = ["tests/faulty"]
ignore = ["F402"]
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from f2csp.cli.options import Command

_KINDS: dict[str, type] = {
    "exclude": list,
    "select": list,
    "ignore": list,
    "max-errors": int,
    "warnings-as-errors": bool,
}
_KIND_NAMES = {list: "a list of strings", int: "an integer", bool: "true or false"}


class ConfiguredCommand(Command):
    """A command whose options have their defaults in the nearest pyproject.toml with a table ``tool.f2csp``.

    It is looked for in the working directory and those above it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the settings as defaults."""
        ctx.default_map = {key.replace("-", "_"): value for key, value in _settings(Path.cwd()).items()}
        return super().parse_args(ctx, args)


def _settings(folder: Path) -> dict[str, Any]:
    for file in (place / "pyproject.toml" for place in (folder, *folder.parents)):
        if file.is_file():
            import tomllib

            try:
                tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
            except ValueError as error:
                raise click.UsageError(f"{file}: {error}") from None
            if "f2csp" in tool:
                return _checked(file, tool["f2csp"])
    return {}


def _checked(file: Path, settings: dict[str, Any]) -> dict[str, Any]:
    for key, value in settings.items():
        kind = _KINDS.get(key)
        if kind is None:
            raise click.UsageError(f"{file}: tool.f2csp has no key {key}; its keys are {', '.join(_KINDS)}")
        if type(value) is not kind or (isinstance(value, list) and not all(isinstance(item, str) for item in value)):
            raise click.UsageError(f"{file}: expected {_KIND_NAMES[kind]} for {key} in tool.f2csp, found {value!r}")
    return settings

"""Defaults of options in a table ``tool.f2csp`` of pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import click

from f2csp.cli.session import Command
from f2csp.settings import settings_for


class ConfiguredCommand(Command):
    """A command whose options have defaults such as ``ignore = ["F402"]`` in a table ``tool.f2csp``.

    It is that of the nearest pyproject.toml that has one, in the working directory or one above it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            settings = settings_for(Path.cwd())
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        ctx.default_map = {key.replace("-", "_"): value for key, value in settings.items()}
        return super().parse_args(ctx, args)

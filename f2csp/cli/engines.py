"""``f2csp engines``."""

from __future__ import annotations

import click

from f2csp.cli.options import JSON, Command, echo_json


@click.command(cls=Command)
@JSON
def engines(as_json: bool) -> int:
    """List the engines, and whether they are installed.

    \b
    Examples:
      f2csp engines
      f2csp engines --json
    """
    from f2csp.solving.registry import ENGINES

    if as_json:
        keys = ("name", "summary", "is_installed", "extra")
        echo_json([{key.removeprefix("is_"): getattr(one, key) for key in keys} for one in ENGINES])
        return 0
    width = max(len(one.name) for one in ENGINES)
    for one in ENGINES:
        how = "installed" if one.is_installed else f"not installed: pip install 'f2csp[{one.extra}]'"
        click.echo(f"{one.name:{width}}  {one.summary} ({how})")
    return 0

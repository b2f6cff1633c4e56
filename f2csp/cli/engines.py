"""``f2csp engines``."""

from __future__ import annotations

import click

from f2csp.cli.options import JSON, Command, echo_json


@click.command(cls=Command)
@click.argument("name", required=False)
@JSON
def engines(name: str | None, as_json: bool) -> int:
    """List the engines, and whether they are installed; or the options of the engine NAME.

    Options follow the name of an engine: --engine sat:encoding=direct. The first value is the default.

    \b
    Examples:
      f2csp engines
      f2csp engines --json
      f2csp engines sat
    """
    from f2csp.solving.registry import ENGINES, named_engine

    if name is not None:
        options = named_engine(name).options
        if as_json:
            echo_json([{"name": option.name, "summary": option.summary, "values": option.values} for option in options])
        for option in () if as_json else options:
            click.echo(f"{option.name}={'|'.join(option.values)}  {option.summary}")
        return 0
    if as_json:
        keys = ("name", "summary", "is_installed", "extra")
        echo_json([{key.removeprefix("is_"): getattr(one, key) for key in keys} for one in ENGINES])
        return 0
    width = max(len(one.name) for one in ENGINES)
    for one in ENGINES:
        how = "installed" if one.is_installed else f"not installed: pip install 'f2csp[{one.extra}]'"
        click.echo(f"{one.name:{width}}  {one.summary} ({how})")
    return 0

"""``f2csp engines``: which engines there are, and which of them are installed."""

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--json", "as_json", is_flag=True, help="A JSON list.")
def engines(as_json: bool) -> int:
    """List the engines that solve, and say which are installed.

    \b
    Examples:
      f2csp engines
      f2csp engines --json
    """
    from f2csp.solving.registry import ENGINES

    if as_json:
        import json

        keys = ("name", "summary", "is_installed", "extra")
        click.echo(json.dumps([{key.removeprefix("is_"): getattr(one, key) for key in keys} for one in ENGINES]))
        return 0
    width = max(len(one.name) for one in ENGINES)
    for one in ENGINES:
        how = "installed" if one.is_installed else f"not installed: pip install 'f2csp[{one.extra}]'"
        click.echo(f"{one.name:{width}}  {one.summary} ({how})")
    return 0

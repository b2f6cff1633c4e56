"""``f2csp code``."""

from __future__ import annotations

import click

from f2csp.cli.options import JSON, Command, echo_json


@click.command(cls=Command)
@click.argument("code", required=False)
@JSON
def code(code: str | None, as_json: bool) -> int:
    """Explain a diagnostic code.

    CODE is its number or its name; without CODE, all codes are listed.

    \b
    Examples:
      f2csp code F304
      f2csp code value-not-in-domain
    """
    from f2csp.diagnostics import CATALOGUE

    wanted = code.lower() if code else None
    found = {c: e for c, e in CATALOGUE.items() if wanted in (None, c.lower(), e.name)}
    if not found:
        raise click.UsageError(f"there is no code {code}; f2csp code lists all codes")
    for number, entry in found.items():
        if as_json:
            echo_json({"code": number, "name": entry.name, "severity": entry.severity} | entry._asdict())
        elif wanted is None:
            click.echo(f"{number}  {entry.severity:7}  {entry.name}")
        else:
            click.echo(f"{number} {entry.name} ({entry.severity})\n\n{entry.meaning}")
            click.echo(f"\nExample: {entry.example}\nCure:    {entry.cure}")
    return 0

"""``f2csp code``."""

from __future__ import annotations

import click

from f2csp.cli.options import JSON, Command, echo_json
from f2csp.diagnostics import CATALOGUE, near_word_hint


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    words = [word for number, entry in CATALOGUE.items() for word in (number, entry.name)]
    return [word for word in words if word.casefold().startswith(incomplete.casefold())]


@click.command(cls=Command)
@click.argument("code", required=False, shell_complete=_complete)
@JSON
def code(code: str | None, as_json: bool) -> int:
    """Explain a diagnostic code.

    CODE is its number or its name; without CODE, all codes are listed.

    \b
    Examples:
      f2csp code F304
      f2csp code value-not-in-domain
    """
    wanted = code.lower() if code else None
    found = CATALOGUE
    if wanted is not None:
        found = {number: one for number, one in CATALOGUE.items() if wanted in (number.lower(), number[1:], one.name)}
    if not found:
        near = near_word_hint(str(wanted), [entry.name for entry in CATALOGUE.values()])
        raise click.UsageError(f"there is no code {code}; {f'{near} ' if near else ''}f2csp code lists all codes")
    width = max(len(entry.name) for entry in CATALOGUE.values())
    for number, entry in found.items():
        if as_json:
            echo_json({"code": number, "name": entry.name, "severity": entry.severity} | entry._asdict())
        elif wanted is None:
            click.echo(f"{number}  {entry.severity:7}  {entry.name:{width}}  {entry.meaning}")
        else:
            click.echo(f"{number} {entry.name} ({entry.severity})\n\n{entry.meaning}")
            click.echo(f"\nExample: {entry.example}\nCure:    {entry.cure}")
    return 0

"""``f2csp code``."""

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("code", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per code and line.")
def code(code: str | None, as_json: bool) -> int:
    """Explain a diagnostic CODE, by its number or its name; without one, list them all.

    \b
    Examples:
      f2csp code F304
      f2csp code value-not-in-domain
    """
    import json

    from f2csp.diagnostics import CATALOGUE

    wanted = code.lower() if code else None
    found = {c: e for c, e in CATALOGUE.items() if wanted in (None, c.lower(), e.name)}
    if not found:
        raise click.UsageError(f"there is no code {code}; f2csp code lists them all")
    for number, entry in found.items():
        if as_json:
            record = {"code": number, "name": entry.name, "severity": entry.severity, "meaning": entry.meaning}
            click.echo(json.dumps(record | {"example": entry.example, "cure": entry.cure}, ensure_ascii=False))
        elif wanted is None:
            click.echo(f"{number}  {entry.severity:7}  {entry.name}")
        else:
            click.echo(f"{number} {entry.name} ({entry.severity})\n\n{entry.meaning}")
            click.echo(f"\nExample: {entry.example}\nCure:    {entry.cure}")
    return 0

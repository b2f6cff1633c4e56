"""Puts a manual page for each command, and completion for each program, into wheels: under ``share`` when installed."""

import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPLETIONS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}


def manual_page(name: str, text: str) -> str:
    """A page of section 1 with the help of a command as it is printed."""
    summary = next(line.strip().rstrip(".") for line in text.splitlines()[1:] if line.strip())
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    shown = "\n".join(f"\\&{line}" for line in lines)
    return f'.TH "{name.upper()}" 1\n.SH NAME\n{name} \\- {summary}\n.SH DESCRIPTION\n.nf\n{shown}\n.fi\n'


class SharedFiles(BuildHookInterface):
    """Asks the program itself for its help and its completion; so it has to run where it is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        import click

        from f2csp.cli.about import completion_of
        from f2csp.cli.commands import command_named, commands

        place = Path(mkdtemp())
        programs = ["f2csp", *filter(None, (entry.program for entry in commands().values()))]
        helps = {"f2csp": (None, "f2csp")} | {f"f2csp-{name}": (name, f"f2csp {name}") for name in commands()}
        helps |= {entry.program: (name, entry.program) for name, entry in commands().items() if entry.program}
        files = {}
        for page, (name, usage) in helps.items():
            command = command_named(name)
            context = click.Context(command, info_name=usage, terminal_width=78, **command.context_settings)
            files[f"man/man1/{page}.1"] = manual_page(page, command.get_help(context))
        for shell, path in COMPLETIONS.items():
            files |= {path.format(program): f"{completion_of(shell, program)}\n" for program in programs}
        for path, text in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8")
            build_data["shared_data"][str(place / path)] = f"share/{path}"

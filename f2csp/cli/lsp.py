"""``f2csp lsp``."""

from __future__ import annotations

import gc
import os
import signal

import click

from f2csp.diagnostics import optional_package


@click.command("lsp")
def lsp_command() -> int:
    """Serve an editor over standard input and output, by the Language Server Protocol.

    The editor starts it; docs/editors.md says how to set that up in VS Code, Neovim, Helix, Emacs, Kate and Zed.

    \b
    Examples:
      f2csp lsp
    """
    gc.disable()  # thousands of classes are made, and none is let go
    optional_package("pygls.lsp.server", "serving an editor", "lsp")
    from f2csp.editor.features import serve_editor

    # The thread that reads standard input cannot be stopped: without this, an interrupt would wait for its next line.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    gc.freeze()
    gc.enable()
    return serve_editor()

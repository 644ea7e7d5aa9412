"""A command on a terminal of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.cli.command import ROOT


def on_terminal(
    *arguments: str,
    cwd: Path,
    watch: Callable[[subprocess.Popen[bytes]], None] | None = None,
    **environment: str,
) -> tuple[int, str]:
    """The exit status and what appeared on the terminal, which is stdin, stdout and stderr."""
    import pty

    inherited = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=cwd,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**inherited, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment},
        start_new_session=True,
    )
    os.close(slave)
    if watch is not None:
        watch(process)
    shown = b""
    try:
        while block := os.read(master, 65536):
            shown += block
    except OSError:  # the last process has closed the terminal
        pass
    os.close(master)
    return process.wait(timeout=120), shown.decode().replace("\r\n", "\n")

"""`padlint server`: the language server for editors."""

from __future__ import annotations

import os
import re
import sys

import click


@click.command(short_help="Run the language server for editors.")
@click.option("--stdio", is_flag=True, help="Talk over stdin and stdout.  [the default]")
@click.option("--tcp", metavar="HOST:PORT", help="Wait for one connection instead.")
def server(stdio: bool, tcp: str | None) -> None:
    """Run the language server: findings as you type, fixes, and what every call pads when you point at it.

    It honours the configuration nearest to each file; the editor may pass the same settings as initialization
    options.
    """
    if stdio and tcp:
        raise click.UsageError("--stdio and --tcp exclude each other.")
    place = re.fullmatch(r"(?P<host>.*):(?P<port>\d+)", tcp) if tcp else None
    if tcp and place is None:
        raise click.UsageError(f"--tcp {tcp}: expected HOST:PORT, such as 127.0.0.1:2087.")
    try:
        from padlint.server.app import create
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise click.ClickException("the server needs pygls: pip install 'padlint[server]'") from None
    if place is not None:
        create().start_tcp(place["host"] or "127.0.0.1", int(place["port"]))
    else:
        with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stdout:
            sys.stdout = sys.stderr  # nothing else may write to the connection
            create().start_io(stdout=stdout)

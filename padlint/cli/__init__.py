"""The command line. The only package that prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from padlint import __version__, interrupts

__all__ = ["cli", "main"]

_FAILURE, _BROKEN_PIPE = 2, 141


_COMMANDS = (
    "baseline",
    "check",
    "completion",
    "config",
    "explain",
    "report",
    "rule",
    "server",
    "shape",
    "trace",
    "verify",
)
"""Each is the function of that name in the module of that name."""


class _Commands(click.Group):
    """Loads a command when it is called: start-up decides how a hook feels."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"padlint.cli.{cmd_name}"), cmd_name)
        return command


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(__version__, prog_name="padlint", message="%(prog)s %(version)s")
def cli() -> None:
    """Find, explain, fix and prove padding that differs across frameworks, input sizes and exporters."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    _prepare_streams()
    interrupts.listen()
    try:
        status = cli.main(arguments, prog_name="padlint", standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = _FAILURE
    except (click.Abort, KeyboardInterrupt) as error:
        click.echo("error: interrupted", err=True)
        cause = error.__cause__ if isinstance(error, click.Abort) else error
        status = (cause if isinstance(cause, interrupts.Interrupted) else interrupts.Interrupted()).status
    except BrokenPipeError:
        _discard_stdout()
        status = _BROKEN_PIPE
    except OSError as error:
        click.echo(f"error: cannot write the output: {error.strerror}", err=True)
        _discard_stdout()
        status = _FAILURE
    except Exception:
        import traceback

        traceback.print_exc()
        click.echo("error: this is a bug in padlint; please report it", err=True)
        status = _FAILURE
    sys.exit(status)


def _prepare_streams() -> None:
    """Let text that the stream cannot encode come out escaped instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")


def _discard_stdout() -> None:
    """Keep Python from complaining, on its way out, about what it could not write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

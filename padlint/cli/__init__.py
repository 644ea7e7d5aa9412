"""The command line. The only package that prints."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

import click

from padlint import __version__
from padlint.cli.check import check
from padlint.cli.output import prepare_streams
from padlint.cli.rule import rule
from padlint.cli.trace import trace
from padlint.cli.verify import verify

__all__ = ["cli", "main"]

_FAILURE, _INTERRUPTED, _BROKEN_PIPE = 2, 130, 141


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="padlint", message="%(prog)s %(version)s")
def cli() -> None:
    """Find, explain, fix and prove padding that differs across frameworks, input sizes and exporters."""


cli.add_command(check)
cli.add_command(rule)
cli.add_command(trace)
cli.add_command(verify)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    prepare_streams()
    try:
        status = cli.main(arguments, prog_name="padlint", standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        status = _FAILURE
    except (click.Abort, KeyboardInterrupt):
        click.echo("padlint was interrupted; files that were fixed already stay fixed", err=True)
        status = _INTERRUPTED
    except BrokenPipeError:
        _discard_stdout()
        status = _BROKEN_PIPE
    except OSError as error:
        click.echo(f"error: cannot write the output: {error.strerror}", err=True)
        _discard_stdout()
        status = _FAILURE
    except Exception:
        traceback.print_exc()
        click.echo("error: this is a bug in padlint; please report it", err=True)
        status = _FAILURE
    sys.exit(status)


def _discard_stdout() -> None:
    """Keep Python from complaining, on its way out, about what it could not write."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

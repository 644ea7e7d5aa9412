"""What a command line asks of this one run: no setting, since none of it holds for every run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import click


class Demands(NamedTuple):
    """`noqa` is the reason that written comments give."""

    noqa: str | None = None


NOTHING = Demands()
NAMES = frozenset({"add_noqa"})
"""The options that are no settings."""


def demands(flags: Mapping[str, Any], *, is_stdin: bool) -> Demands:
    """What is asked for. Raises UsageError where it does not go together."""
    asked = Demands(flags["add_noqa"])
    if asked.noqa is not None:
        _check_noqa(asked.noqa, flags, is_stdin=is_stdin)
    return asked


def _check_noqa(reason: str, flags: Mapping[str, Any], *, is_stdin: bool) -> None:
    for other in ("fix", "diff", "verify", "watch"):
        if flags[other]:
            raise click.UsageError(f"--add-noqa and --{other} exclude each other.")
    if is_stdin:
        raise click.UsageError("--add-noqa needs files; the source is on stdin.")
    if not reason.isprintable() or "#" in reason:
        raise click.UsageError("--add-noqa: the reason stands in a comment: one line, without `#`.")


class Command(click.Command):
    """A command whose `--add-noqa` takes a reason only behind `=`: what follows it is a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Make a bare `--add-noqa` one with an empty reason."""
        end = args.index("--") if "--" in args else len(args)
        args[:end] = ["--add-noqa=" if arg == "--add-noqa" else arg for arg in args[:end]]
        return super().parse_args(ctx, args)

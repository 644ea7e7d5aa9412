"""What a command line asks of this one run: no setting, since none of it holds for every run."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click


class Demands(NamedTuple):
    """`noqa` is the reason that written comments give, `since` the revision whose later lines count.

    With `whole`, the baseline does not count; with `interactive`, each fix is asked about. `report` is the
    file for the report on what was done.
    """

    noqa: str | None = None
    since: str | None = None
    whole: bool = False
    interactive: bool = False
    report: Path | None = None


NOTHING = Demands()
NAMES = frozenset({"add_noqa", "since", "no_baseline", "interactive", "report"})
"""The options that are no settings."""


def demands(flags: Mapping[str, Any], *, is_stdin: bool) -> Demands:
    """What is asked for. Raises UsageError where it does not go together."""
    asked = Demands(
        flags["add_noqa"], flags["since"], flags["no_baseline"], flags["interactive"], flags["report"]
    )
    if asked.noqa is not None:
        _check_noqa(asked.noqa, flags)
    for name in NAMES - {"no_baseline"}:
        if is_stdin and flags[name] not in (None, False):
            raise click.UsageError(f"--{name.replace('_', '-')} needs files; the source is on stdin.")
    if asked.interactive:
        _check_interactive(flags)
    if asked.report is not None:
        from padlint.cli.migration import check_place

        check_place(asked.report, "--report")
    return asked


def _check_interactive(flags: Mapping[str, Any]) -> None:
    if not flags["fix"]:
        raise click.UsageError("--interactive asks about what --fix does: pass --fix, too.")
    if flags["diff"] or flags["watch"]:
        raise click.UsageError("--interactive does not go together with --diff and --watch.")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError("--interactive asks on a terminal, and stdin or stderr is none.")


def _check_noqa(reason: str, flags: Mapping[str, Any]) -> None:
    for other in ("fix", "diff", "verify", "watch", "interactive", "report"):
        if flags[other]:
            raise click.UsageError(f"--add-noqa and --{other} exclude each other.")
    if not reason.isprintable() or "#" in reason:
        raise click.UsageError("--add-noqa: the reason stands in a comment: one line, without `#`.")


class Command(click.Command):
    """A command whose `--add-noqa` takes a reason only behind `=`: what follows it is a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Make a bare `--add-noqa` one with an empty reason."""
        end = args.index("--") if "--" in args else len(args)
        args[:end] = ["--add-noqa=" if arg == "--add-noqa" else arg for arg in args[:end]]
        return super().parse_args(ctx, args)

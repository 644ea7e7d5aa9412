"""What a shell may offer for arguments that are no files and no fixed choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

Completer = Callable[[click.Context, click.Parameter, str], list[str]]


def complete_codes(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Codes and prefixes of rules."""
    from padlint.config.selection import ALL, known_codes

    codes = known_codes()
    families = sorted({code[:4] for code in codes})
    return _last(incomplete, (ALL, *(families if len(incomplete.rpartition(",")[2]) < 4 else ()), *codes))


def complete_targets(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Where a model may go."""
    from padlint.config import TARGETS

    return _last(incomplete, TARGETS)


def complete_settings(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Names of settings."""
    from padlint.config.schema import names

    return _last(incomplete, names())


def _last(incomplete: str, known: Iterable[str]) -> list[str]:
    """What the last item of a list with commas may become."""
    before, comma, begun = incomplete.rpartition(",")
    taken = before.split(",")
    return [f"{before}{comma}{word}" for word in known if word.startswith(begun) and word not in taken]

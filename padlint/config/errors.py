"""The one way in which a configuration says that it is wrong."""

from __future__ import annotations

from collections.abc import Iterable


class ConfigError(Exception):
    """A setting that cannot be used. The message names the file or flag, what is wrong, and what to do."""


def suggestion(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """`; did you mean X?` for the closest known word, or nothing."""
    import difflib

    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=cutoff)
    return f"; did you mean {by_folded[close[0]]}?" if close else ""

"""Text that is safe to print."""

from __future__ import annotations


def printable(text: str, keep: str = "") -> str:
    """The text with control characters and undecodable bytes made visible, but for those to keep."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode() for c in text)

"""Text that is safe to print."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with control characters and undecodable bytes of file names made visible."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == " " else c.encode("unicode_escape").decode() for c in text)

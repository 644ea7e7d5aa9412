"""What could not be done: said on stderr, counted, and the run goes on."""

from __future__ import annotations

from typing import NamedTuple


class FileError(Exception):
    """Why one file cannot be read, decoded or written, for the user."""


class Problem(NamedTuple):
    """Something that could not be done, and where. `details` is for those who ask for them."""

    where: str
    message: str
    details: str = ""


def reason(error: OSError) -> str:
    """What the operating system says, without numbers and paths."""
    return (error.strerror or str(error) or type(error).__name__).lower()

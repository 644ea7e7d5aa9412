"""What could not be done: said on stderr, counted, and the run goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from padlint.findings import Location


class FileError(Exception):
    """Why one file cannot be read, decoded or written, for the user."""


class Problem(NamedTuple):
    """Something that could not be done, in which file (none: all), and where in it.

    `details` is for those who ask for them.
    """

    filename: str
    message: str
    details: str = ""
    location: Location | None = None

    @property
    def where(self) -> str:
        """The file, and the place in it if one is meant."""
        place = f":{self.location.row}:{self.location.column}" if self.location else ""
        return f"{self.filename}{place}"


def reason(error: OSError) -> str:
    """What the operating system says, without numbers and paths."""
    return (error.strerror or str(error) or type(error).__name__).lower()

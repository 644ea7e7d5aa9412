"""How bad a finding is and how sure a fix. Every run needs these, few have the findings to go with them."""

from __future__ import annotations

import enum


class Severity(enum.IntEnum):
    """How bad a finding is; the order is that of `--fail-on`."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        """The word that users read and write: `info`, `warning` or `error`."""
        return self.name.lower()


class Applicability(enum.Enum):
    """Whether a fix keeps the promise (same function, gradients, parameter names) or needs consent."""

    SAFE = "safe"
    UNSAFE = "unsafe"

"""What a framework's exception comes to in one line."""

from __future__ import annotations

import re
import textwrap

MAX_REASON = 240
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def describe(error: BaseException) -> str:
    """Class and first telling line of an exception; Keras prefixes others by one that names the layer."""
    lines = (_ANSI.sub("", line).strip() for line in str(error).splitlines())
    first = next((line for line in lines if line and not line.startswith("Exception encountered when")), "")
    return textwrap.shorten(f"{type(error).__name__}: {first}", MAX_REASON, placeholder=" ...").rstrip(": ")

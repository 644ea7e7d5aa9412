"""What a framework's exception comes to in one line."""

from __future__ import annotations

import re
import textwrap

MAX_REASON = 240
_EXTRAS = {
    **dict.fromkeys(("numpy", "torch"), "torch"),
    **dict.fromkeys(("keras", "tensorflow"), "tensorflow"),
    **dict.fromkeys(("flax", "jax"), "jax"),
    **dict.fromkeys(("onnx", "onnxruntime", "onnxscript"), "onnx"),
}
"""The extra of padlint that brings a module."""
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


def remedy(module: str | None) -> str:
    """How to install a module that is missing, for the end of a message; nothing for others."""
    if extra := _EXTRAS.get((module or "").partition(".")[0]):
        return f"; pip install '.[{extra}]' in padlint's folder installs it"
    return ""


def describe(error: BaseException) -> str:
    """Class and first telling line of an exception; Keras prefixes others by one that names the layer."""
    lines = (_ANSI.sub("", line).strip() for line in str(error).splitlines())
    first = next((line for line in lines if line and not line.startswith("Exception encountered when")), "")
    return textwrap.shorten(f"{type(error).__name__}: {first}", MAX_REASON, placeholder=" ...").rstrip(": ")

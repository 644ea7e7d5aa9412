"""What a notebook is, as bytes."""

from __future__ import annotations

import codecs

from padlint.files.problems import FileError
from padlint.files.source import Source

SUFFIX = ".ipynb"


def is_notebook(filename: str) -> bool:
    """Whether a file of that name is a notebook."""
    return filename.endswith(SUFFIX)


def decode_notebook(data: bytes) -> Source:
    """Decode JSON, which is UTF-8 and knows no encoding cookie. Raises FileError."""
    encoding = "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
    try:
        return Source(data, data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        place = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        raise FileError(f"cannot decode as utf-8: {place}; a notebook is JSON in UTF-8") from None


def searchable(filename: str, content: bytes) -> bytes:
    """The content as the prefilter searches it: in a notebook, names may follow an escaped line end."""
    if not is_notebook(filename):
        return content
    return content.replace(b"\\n", b"\n").replace(b"\\t", b"\t").replace(b"\\r", b"\r")

"""Bytes to text and back, as Python itself reads a source file: byte order mark, encoding cookie, UTF-8."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from padlint.files.problems import FileError

_NON_ASCII = re.compile(rb"[\x80-\xff]")
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)")


class Source(NamedTuple):
    """The bytes of a file, their text (line ends kept, no byte order mark), and the encoding between them."""

    data: bytes
    text: str
    encoding: str

    def encode(self, text: str) -> bytes:
        """The bytes of a changed text. Raises FileError where not even the old text gives the old bytes."""
        try:
            if self.text.encode(self.encoding) == self.data:
                return text.encode(self.encoding)
        except UnicodeError as error:
            raise FileError(f"the fixed text cannot be written as {self.encoding}: {error}") from None
        raise FileError(f"its {self.encoding} bytes would not survive rewriting; convert the file to UTF-8")


def decode(data: bytes) -> Source:
    """Decode a file. Raises FileError that says where and why it cannot be done."""
    encoding = "utf-8"
    try:
        if not data.isascii() or b"coding" in data[:1000]:
            encoding = _declared(data)
        return Source(data, data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        row = 1 + len(_LINE.findall(data[: error.start]))
        place = f"byte 0x{data[error.start]:02x} at offset {error.start}, line {row}"
        advice = "save the file as UTF-8 or declare its encoding in the first line"
        raise FileError(f"cannot decode as {encoding}: {place}; {advice}") from None
    except (LookupError, UnicodeError) as error:
        raise FileError(f"cannot decode as {encoding}: {error}") from None


def _declared(data: bytes) -> str:
    """The encoding that the byte order mark or the cookie declares, else UTF-8."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    start = _NON_ASCII.sub(b"?", data[len(mark) : 10_000])  # a cookie may share its line with any letters
    lines = (match.group() for match in _LINE.finditer(mark + start + b"\n"))
    import tokenize  # which few files need

    try:
        return tokenize.detect_encoding(lambda: next(lines, b""))[0]
    except SyntaxError as error:
        raise FileError(f"{error.msg}; correct the encoding declaration") from None

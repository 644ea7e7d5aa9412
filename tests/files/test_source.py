"""Decoding and encoding: what Python reads, and nothing that would not come back."""

from __future__ import annotations

import tokenize
from io import BytesIO

import pytest

from padlint.files.problems import FileError
from padlint.files.source import decode

READABLE = [
    b"",
    b"x = 1",
    b"x = 1\r\ny = 2\r\n",
    b"x = 1\ry = 2\r",
    "s = 'größe 日本 😀'\n".encode(),
    b"\xef\xbb\xbfx = 1\n",
    b"\xef\xbb\xbf# coding: utf-8\n",
    b"# coding: latin-1\ns = '\xe9'\n",
    b"#!/usr/bin/env python\n# -*- coding: cp1252 -*-\ns = '\x80'\n",
    b"\n# vim: set fileencoding=iso-8859-15 :\ns = '\xa4'\n",
    b"# coding: shift_jis\ns = '\x93\xfa'\n",
    b"x = 1\n# coding: latin-1\ns = '\xc3\xa9'\n",  # not in the first line, and that is code
    b"# a\n# b\n# coding: latin-1\ns = '\xc3\xa9'\n",  # the third line
]


@pytest.mark.parametrize("content", READABLE)
def test_decodes_as_python_does_and_back(content: bytes) -> None:
    source = decode(content)
    encoding, _ = tokenize.detect_encoding(BytesIO(content).readline)
    assert source.text == content.decode(encoding)
    assert source.encode(source.text) == content
    assert source.encode(source.text + "pass") == content + b"pass"


def test_the_cookie_may_stand_in_a_file_with_bare_carriage_returns() -> None:
    assert decode(b"#!python\r# coding: latin-1\rs = '\xe9'\r").text.endswith("s = 'é'\r")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"s = '\xe9'\n", "utf-8: byte 0xe9 at offset 5, line 1"),
        (b"\r\n\r\xff", "byte 0xff at offset 3, line 3"),
        (b"# coding: ascii\n\xe9", "ascii: byte 0xe9 at offset 16, line 2"),
        (b"# coding: nonsense\n", "unknown encoding"),
        (b"# coding: rot13\n\xe9", "not a text encoding"),
        (b"\xef\xbb\xbf# coding: latin-1\n\xe9", "correct the encoding declaration"),
    ],
)
def test_what_cannot_be_decoded_says_where(content: bytes, message: str) -> None:
    with pytest.raises(FileError) as error:
        decode(content)
    assert message in str(error.value)


def test_bytes_that_would_not_come_back_are_refused() -> None:
    content = b"# coding: utf-7\ns = '+AGE-'\xe9\n".replace(b"\xe9", b"")
    source = decode(content)
    if source.text.encode(source.encoding) == content:
        pytest.skip("the codec is faithful here")
    with pytest.raises(FileError, match="would not survive"):
        source.encode(source.text)


def test_text_that_the_encoding_lacks_is_refused() -> None:
    source = decode(b"# coding: latin-1\n\xe9")
    with pytest.raises(FileError, match="cannot be written as iso-8859-1"):
        source.encode(source.text + "日本")

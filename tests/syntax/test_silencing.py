from __future__ import annotations

import pytest

from padlint.findings import Finding, Location, Severity
from padlint.syntax.silencing import silence
from padlint.syntax.source import Source, apply_edits


def silenced(text: str, first: int, last: int) -> str | None:
    finding = Finding("PAD101", "", Severity.WARNING, "", Location(first, 1), Location(last, 2))
    edit = silence(Source(text), finding)
    return apply_edits(text, [edit]) if edit else None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(1)\n", "f(1)  # noqa: PAD101\n"),
        ("f(1)  \r\n", "f(1)  # noqa: PAD101  \r\n"),
        ("f(1)", "f(1)  # noqa: PAD101"),
        ("f(1)  # why\n", "f(1)  # why  # noqa: PAD101\n"),
        ("f(1)  # noqa: E501\n", "f(1)  # noqa: E501, PAD101\n"),
        ("f(1)  # noqa:E501,F401 since\n", "f(1)  # noqa:E501,F401, PAD101 since\n"),
        ("f(1)  # padlint: ignore[PAD102] since\n", "f(1)  # padlint: ignore[PAD102, PAD101] since\n"),
        ("f(\n    1,\n)\n", "f(\n    1,\n)  # noqa: PAD101\n"),
        ('f(1, """\n""")\n', 'f(1, """\n""")  # noqa: PAD101\n'),
        ('f(1); x = """\n"""\n', None),
        ("f(1) + \\\n    2\n", None),
        ('f(\n    1) + g("""\n""")\n', 'f(  # noqa: PAD101\n    1) + g("""\n""")\n'),
    ],
)
def test_the_comment_stands_where_it_silences(before: str, after: str | None) -> None:
    last = 3 if before.startswith("f(\n    1,") else 2 if before.startswith(("f(\n", 'f(1, """')) else 1
    assert silenced(before, 1, last) == after

"""Which comments silence which findings."""

from __future__ import annotations

import pytest

from padlint.findings import Finding, Location, Severity
from padlint.syntax.source import Source
from padlint.syntax.suppressions import Suppressions


def _covered(text: str, code: str = "PAD101", first: int = 1, last: int | None = None) -> bool:
    finding = Finding(code, "", Severity.WARNING, "", Location(first, 1), Location(last or first, 2))
    return Suppressions(Source(text)).cover(finding)


@pytest.mark.parametrize(
    ("comment", "covered"),
    [
        ("# noqa", True),
        ("#noqa", True),
        ("# NOQA", True),
        ("# noqa: PAD101", True),
        ("# noqa:PAD101", True),
        ("# noqa : PAD101", True),
        ("# noqa: pad101", True),
        ("# noqa: F401,PAD101", True),
        ("# noqa: F401, PAD101", True),
        ("# noqa: F401 PAD101", True),
        ("# noqa: PAD101 because the model is old", True),
        ("# noqa: PAD101  # and more", True),
        ("# type: ignore  # noqa: PAD101", True),
        ("# a reason, then # noqa", True),
        ("# noqa: PAD102", False),
        ("# noqa: F401", False),
        ("# noqa: PAD1011", False),
        ("# noqa: PAD10", False),
        ("# noqab", False),
        ("# no qa", False),
        ("# nothing", False),
        ("# padlint: ignore[PAD101]", True),
        ("# padlint:ignore[PAD101]", True),
        ("# padlint: ignore[pad101] the reason", True),
        ("# padlint: ignore[PAD104, PAD101] the reason", True),
        ("# padlint: ignore", True),
        ("# padlint: ignore[PAD104]", False),
        ("# padlint: ignore[]", False),
        ("# padlint: ignored by nobody", False),
        ("# padlint: input-size=3", False),
    ],
)
def test_comment_behind_a_call(comment: str, covered: bool) -> None:
    assert _covered(f"x = f()  {comment}\n") is covered


@pytest.mark.parametrize(
    ("text", "last", "covered"),
    [
        ("x = f(  # noqa\n    a,\n)\n", 3, True),
        ("x = f(\n    a,  # noqa: PAD101\n)\n", 3, True),
        ("x = f(\n    a,\n)  # noqa: PAD101\n", 3, True),
        ("x = f(\n    a,\n)\ny = 3  # noqa\n", 3, False),
        ("x = f(\n    # noqa\n    a,\n)\n", 4, False),
        ("x = f(\n    a,\n    # padlint: ignore[PAD101]\n)\n", 4, False),
        ("x = f('''\n# noqa\n''')\n", 3, False),
        ("x = f('# noqa: PAD101')\n", 1, False),
        ("x = f('a')  # noqa: PAD101\n", 1, True),
        ("x = f('#')  # noqa: PAD101\n", 1, True),
        ("x = f(f'{a}# noqa')\n", 1, False),
        ("a = f(); b = g()  # noqa\n", 1, True),
        ("x = f(\r\n    a,  # noqa\r\n)\r\n", 3, True),
        ("x = f(\r    a,  # noqa\r)\r", 3, True),
        ("x = f(\r\n    a,  # noqa\n)\r", 3, True),
        ("\fx = f()  # noqa\n", 1, True),
        ("x = f()  # noqa", 1, True),
        ("x = 'ü'; y = f()  # noqa\n", 1, True),
        ("x = f('\u2028')  # noqa\n", 1, True),
        ("x = f(a,\\\n    b)  # noqa\n", 2, True),
    ],
)
def test_rows_of_a_call(text: str, last: int, covered: bool) -> None:
    assert _covered(text, last=last) is covered


def test_a_comment_above_or_below_silences_nothing() -> None:
    text = "# noqa\nx = f()\n# noqa\n"
    assert not _covered(text, first=2)


def test_rows_behind_odd_line_ends_are_the_right_ones() -> None:
    text = "s = '''\r\n\x0c\x85\r'''\nx = f()\ny = f()  # noqa\n"
    assert not _covered(text, first=4)
    assert _covered(text, first=5)


@pytest.mark.parametrize(
    ("text", "skipped"),
    [
        ("# padlint: skip-file\nx = f()\n", True),
        ("x = f()\n# padlint: skip-file\n", True),
        ("x = f()  # padlint: skip-file, it is generated\n", True),
        ("# PADLINT: SKIP-FILE\n", True),
        ("x = '# padlint: skip-file'\n", False),
        ('"""\n# padlint: skip-file\n"""\n', False),
        ("# padlint: skip-files\n", False),
        ("# padlint: skip\n", False),
    ],
)
def test_skip_file(text: str, skipped: bool) -> None:
    assert Suppressions(Source(text)).whole_file is skipped


def test_where_nothing_can_be_tokenised_every_comment_counts() -> None:
    assert _covered("x = f()  # noqa\ny = (\n")


def test_other_codes_are_not_silenced() -> None:
    text = "x = f()  # noqa: PAD101\n"
    assert _covered(text, "PAD101")
    assert not _covered(text, "PAD104")

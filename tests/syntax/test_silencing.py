from __future__ import annotations

import pytest

from padlint.findings import Finding, Location, Severity
from padlint.syntax.silencing import silence, silence_all
from padlint.syntax.source import Source, apply_edits
from padlint.syntax.suppressions import Suppressions


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


def at(row: int, code: str = "PAD101", last: int | None = None) -> Finding:
    return Finding(code, "", Severity.WARNING, "", Location(row, 1), Location(last or row, 2))


@pytest.mark.parametrize(
    ("before", "findings", "after"),
    [
        ("f()\n", [at(1), at(1, "PAD305"), at(1)], "f()  # noqa: PAD101, PAD305 why\n"),
        ("f()  # noqa: E501\n", [at(1), at(1, "PAD305")], "f()  # noqa: E501, PAD101, PAD305 why\n"),
        ("f()  # noqa: E501 long\n", [at(1)], "f()  # noqa: E501, PAD101 long\n"),
        ("f()\r\ng()\r\n", [at(1), at(2)], "f()  # noqa: PAD101 why\r\ng()  # noqa: PAD101 why\r\n"),
        ("f()\rg()", [at(2)], "f()\rg()  # noqa: PAD101 why"),
        ("f(\n  # old\n  1\n)\n", [at(1, last=3)], "f(\n  # old\n  1  # noqa: PAD101 why\n)\n"),
        ("f(\n  # old\n  1\n)\n", [at(1, last=2)], "f(  # noqa: PAD101 why\n  # old\n  1\n)\n"),
        ("f(1,\\\n  2)\n", [at(1, last=2)], "f(1,\\\n  2)  # noqa: PAD101 why\n"),
        ("f(1,  # \\\n  '''\n''')\n", [at(1, last=2)], "f(1,  # \\  # noqa: PAD101 why\n  '''\n''')\n"),
        ("f(f'''{1}\n''')\n", [at(1, last=2)], "f(f'''{1}\n''')  # noqa: PAD101 why\n"),
        ("x = 'ü\u2028'; f()\n", [at(1)], "x = 'ü\u2028'; f()  # noqa: PAD101 why\n"),
        ("\x0cf()\n", [at(1)], "\x0cf()  # noqa: PAD101 why\n"),
    ],
)
def test_all_at_once(before: str, findings: list[Finding], after: str) -> None:
    done = silence_all(Source(before), findings, "why")
    assert done.text == after
    assert not done.refused
    assert all(Suppressions(Source(after)).cover(finding) for finding in findings)


@pytest.mark.parametrize(
    "text", ["f() + \\\n  2\n", "f(); x = '''\n'''\n", "f(); x = f'''{1}\n'''\n", "f(\n"]
)
def test_where_no_comment_can_stand(text: str) -> None:
    done = silence_all(Source(text), [at(1)])
    assert (done.text, done.silenced, len(done.refused)) == (text, (), 1)

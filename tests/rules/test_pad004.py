from __future__ import annotations

import pytest

from padlint.engine import check, fix
from padlint.findings import Finding
from padlint.options import Options
from tests.rules.table import each

OPTIONS = Options(codes=frozenset({"PAD004"}))
CALL = 'a = nn.Conv2d(3, 8, 3, padding="same")'
HEAD = "from torch import nn\n"


def found(text: str) -> list[Finding]:
    return check(f"{HEAD}{text}\n", OPTIONS)


SILENT = {
    "a code": "# noqa: PAD305",
    "several": "# noqa: E501, PAD305",
    "bare": "# noqa",
    "bare, with a reason": "# noqa the exporter wants it",
    "brackets": "# padlint: ignore[PAD305, PAD101] why",
    "lower case": "# PADLINT: ignore[pad305]",
    "everything": "# padlint: ignore",
    "everything, with a reason": "# padlint: ignore since the exporter wants it",
    "everything, with a colon": "# padlint: ignore: the exporter wants it",
    "codes of others": "# noqa: E501, XYZ999",
    "a prefix, which flake8 knows": "# noqa: PAD3",
    "no colon, codes of others": "# noqa E501",
    "other tools": "# pylint: disable=no-member  # type: ignore  # ruff: noqa  # fmt: skip",
    "prose": "# padlint: see the manual about disable=PAD101",
    "prose that starts with a directive of others": "# padlint: on purpose",
    "prose about skipping": "# padlint: skip the last row",
    "a longer word": "# padlint: ignored by nobody",
    "a promise": "# padlint: input-size=224  # padlint: input-multiple=32",
    "a promise that PAD003 reports": "# padlint: input-size=what",
    "itself": "# noqa: PAD999, PAD004",
    "behind a bare noqa": "# padlint: skip_file  # noqa",
}
NOT_CODE = {"in a string": "a = '# noqa: PAD999'", "in a docstring": '"""# padlint: disable=PAD101"""'}

# Comment, message, what is written instead (None: no fix), and whether that is safe.
REPORTED: dict[str, tuple[str, str, str | None, str]] = {
    "no brackets": (
        *("# padlint: ignore PAD401", "belong in brackets; read as ignore[PAD401]"),
        *("# padlint: ignore[PAD401]", "safe"),
    ),
    "no brackets, a reason": (
        *("# padlint: ignore PAD401 PAD305 why", "read as ignore[PAD401, PAD305]"),
        *("# padlint: ignore[PAD401, PAD305] why", "safe"),
    ),
    "a colon": (
        *("# padlint: ignore: pad401, the reason", "brackets"),
        *("# padlint: ignore[PAD401], the reason", "safe"),
    ),
    "an equals sign": ("# padlint: ignore=PAD401", "brackets", "# padlint: ignore[PAD401]", "safe"),
    "round brackets": ("# padlint: ignore(PAD401) x", "brackets", "# padlint: ignore[PAD401] x", "safe"),
    "an open bracket": ("# padlint: ignore[PAD401", "brackets", "# padlint: ignore[PAD401]", "safe"),
    "a blank": ("# padlint: ignore [PAD401] x", "brackets", "# padlint: ignore[PAD401] x", "safe"),
    "noqa without a colon": (
        *(
            "# noqa PAD305 why",
            "`noqa` lacks a colon: for other tools it silences everything, not only PAD305",
        ),
        *("# noqa: PAD305 why", "unsafe"),
    ),
    "no such rule": ("# noqa: PAD999", "PAD999 is the code of no rule, and silences nothing", None, ""),
    "no such rule in brackets": ("# padlint: ignore[PAD305, PAD999]", "PAD999 is the code of no", None, ""),
    "a prefix": ("# padlint: ignore[PAD3]", "PAD3 is the code of no rule", None, ""),
    "another tool's code in brackets": ("# padlint: ignore[E501]", "E501 is the code of no rule", None, ""),
    "a name": (
        *("# padlint: ignore[same-string]", "same-string is named by its code in comments, PAD305"),
        *("# padlint: ignore[PAD305]", "unsafe"),
    ),
    "nothing listed": ("# padlint: ignore[]", "an empty list silences nothing", None, ""),
    "disable": (
        *(
            "# padlint: disable=PAD101, PAD102",
            "padlint has no directive `disable`, so that this comment does",
        ),
        *("# padlint: ignore[PAD101, PAD102]", "unsafe"),
    ),
    "disable without a code": ("# padlint: disable", "ignore[CODE] silences one", None, ""),
    "disable for a name": ("# padlint: disable=same-string", "ignore[CODE] silences one", None, ""),
    "noqa for padlint": ("# padlint: noqa: PAD305 x", "`noqa`", "# padlint: ignore[PAD305] x", "unsafe"),
    "skip_file": ("# padlint: skip_file", "no directive `skip_file`", "# padlint: skip-file", "unsafe"),
    "skip": ("# padlint: skip  # x", "no directive `skip`", "# padlint: skip-file  # x", "unsafe"),
    "off": ("# padlint: off", "no directive `off`", None, ""),
    "ignore-file": ("# padlint: ignore-file", "no directive `ignore-file`", "# padlint: skip-file", "unsafe"),
    "the next line": ("# padlint: ignore-next-line", "no directive `ignore-next-line`", None, ""),
    "input_size": ("# padlint: input_size=224", "`input_size`", "# padlint: input-size=224", "unsafe"),
    "another value": ("# padlint: level=3", "no directive `level`", None, ""),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert found(f"{CALL}  {row}") == []


@each(NOT_CODE)
def test_silent_in_strings(row: str) -> None:
    assert found(f"{row}\n{CALL}") == []


@each(REPORTED)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_reported_and_fixed(row: tuple[str, str, str | None, str], end: str) -> None:
    comment, message, after, applicability = row
    text = f"{HEAD}{CALL}  {comment}{end}"
    (finding,) = check(text, OPTIONS)
    assert message in finding.message
    assert finding.location.row == 2
    assert (finding.fix is None) == (finding.no_fix_reason is not None) == (after is None)
    if after is not None:
        assert finding.fix is not None
        assert finding.fix.applicability.value == applicability
        fixed = fix(text, OPTIONS, unsafe=True)
        assert (fixed.text, fixed.remaining) == (f"{HEAD}{CALL}  {after}{end}", ())


SILENCES = {
    "what it names": ("# padlint: ignore PAD305", []),
    "nothing else": ("# padlint: ignore PAD101", ["PAD305"]),
    "noqa, what it names": ("# noqa PAD305", []),
    "noqa, nothing else": ("# noqa PAD101", ["PAD305"]),
    "an open bracket": ("# padlint: ignore[PAD101", ["PAD305"]),
    "another directive": ("# padlint: ignore-next-line", ["PAD305"]),
}


@each(SILENCES)
def test_lists_without_brackets_silence_what_they_name(row: tuple[str, list[str]]) -> None:
    comment, left = row
    found = check(f"{HEAD}{CALL}  {comment}\n", Options(codes=frozenset({"PAD305"})))
    assert [finding.code for finding in found] == left


def test_unused_codes_without_brackets_go() -> None:
    options = Options(codes=frozenset({"PAD002", "PAD104"}), unfixable=frozenset({"PAD104"}))
    call = "a = nn.Conv2d(3, 8, 3)"
    assert fix(f"{HEAD}{call}  # padlint: ignore PAD104\n", options).text == f"{HEAD}{call}\n"
    both = fix(f"{HEAD}{call}  # padlint: ignore PAD104, PAD999 why\n", options).text
    assert both == f"{HEAD}{call}  # padlint: ignore PAD999 why\n"

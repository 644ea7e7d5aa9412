from __future__ import annotations

import pytest

from padlint.engine import check, fix
from padlint.findings import Finding
from padlint.options import Options
from padlint.syntax.source import Source
from padlint.syntax.suppressions import Suppressions
from tests.rules.table import each

OPTIONS = Options(codes=frozenset({"PAD002", "PAD104", "PAD305"}))

# A call that PAD305 reports, one that no rule does, and a row without code.
SAME = 'a = nn.Conv2d(3, 8, 3, padding="same")'
PLAIN = "a = nn.Conv2d(3, 8, 3, padding=1)"


def found(text: str, options: Options = OPTIONS) -> list[Finding]:
    return [f for f in check(f"from torch import nn\n{text}\n", options) if f.code == "PAD002"]


SILENT = {
    "used": f"{SAME}  # noqa: PAD305",
    "used, with a reason": f"{SAME}  # padlint: ignore[PAD305] the exporter wants it",
    "used on another row of the call": "a = nn.Conv2d(\n    3, 8, 3,  # noqa: PAD305\n    padding='same')",
    "used twice in two comments": f"{SAME}  # noqa: PAD305  # padlint: ignore[PAD305]",
    "used beside a bare noqa": f"{SAME}  # padlint: ignore  # noqa: PAD305",
    "bare": f"{PLAIN}  # noqa",
    "bare ignore": f"{PLAIN}  # padlint: ignore",
    "nothing listed": f"{PLAIN}  # padlint: ignore[]",
    "the code of another tool": f"{PLAIN}  # noqa: E501",
    "the rule did not run": f"{PLAIN}  # noqa: PAD101",
    "there is no such rule": f"{PLAIN}  # noqa: PAD999",
    "itself": f"{PLAIN}  # noqa: PAD002",
    "silenced by itself": f"{PLAIN}  # noqa: PAD305, PAD002",
    "silenced by a bare noqa": f"{PLAIN}  # padlint: ignore[PAD305]  # noqa",
    "of the whole file": f"# ruff: noqa: PAD305\n{PLAIN}",
    "the file is skipped": f"# padlint: skip-file\n{PLAIN}  # noqa: PAD305",
    "in a string": 'a = "# noqa: PAD305"',
    "a word": f"{PLAIN}  # padlint: ignore[PADnnn]",
}

# Before, after and the columns of the findings. Only what is unused goes.
FIXED = {
    "alone in the comment": (f"{PLAIN}  # noqa: PAD305", PLAIN, [44]),
    "behind a tab": (f"{PLAIN}\t# noqa: PAD305", PLAIN, [43]),
    "lower case": (f"{PLAIN}  # NOQA:pad305", PLAIN, [43]),
    "first of the list": (f"{PLAIN}  # noqa: PAD305, E501", f"{PLAIN}  # noqa: E501", [44]),
    "last of the list": (f"{PLAIN}  # noqa: E501,PAD305", f"{PLAIN}  # noqa: E501", [49]),
    "in the middle": (f"{PLAIN}  # noqa: E501, PAD305, F401", f"{PLAIN}  # noqa: E501, F401", [50]),
    "separated by blanks": (f"{PLAIN}  # noqa: PAD305 E501", f"{PLAIN}  # noqa: E501", [44]),
    "beside one that is used": (f"{SAME}  # noqa: PAD104, PAD305", f"{SAME}  # noqa: PAD305", [49]),
    "all of the list": (f"{PLAIN}  # noqa: PAD104, PAD305", PLAIN, [44, 52]),
    "the same twice": (f"{PLAIN}  # noqa: PAD305, PAD305", PLAIN, [44, 52]),
    "outer ones of three": (
        f"{PLAIN}  # noqa: PAD104, E501, PAD305",
        f"{PLAIN}  # noqa: E501",
        [44, 58],
    ),
    "brackets": (f"{PLAIN}  # padlint: ignore[PAD305]", PLAIN, [54]),
    "brackets with more": (
        f"{PLAIN}  # padlint: ignore[ PAD305, PAD101 ] why",
        f"{PLAIN}  # padlint: ignore[ PAD101 ] why",
        [55],
    ),
    "a reason": (f"{PLAIN}  # padlint: ignore[PAD305] why", f"{PLAIN}  # why", [54]),
    "a reason behind noqa": (f"{PLAIN}  # noqa: PAD305 why, and how", f"{PLAIN}  # why, and how", [44]),
    "a directive in front": (f"{PLAIN}  # type: ignore  # noqa: PAD305", f"{PLAIN}  # type: ignore", [60]),
    "a directive behind": (f"{PLAIN}  # noqa: PAD305  # fmt: skip", f"{PLAIN}  # fmt: skip", [44]),
    "one in front and one behind": (
        f"{PLAIN}  # type: ignore # noqa: PAD305 # fmt: skip",
        f"{PLAIN}  # type: ignore # fmt: skip",
        [59],
    ),
    "words on both sides": (f"{PLAIN}  # one # noqa: PAD305 two", f"{PLAIN}  # one # two", [50]),
    "both words": (f"{PLAIN}  # noqa: PAD305  # padlint: ignore[PAD305]", PLAIN, [44, 70]),
    "on a row of the call": (
        "a = nn.Conv2d(\n    3, 8, 3,  # noqa: PAD104\n    padding='same')  # noqa: PAD305",
        "a = nn.Conv2d(\n    3, 8, 3,\n    padding='same')  # noqa: PAD305",
        [23],
    ),
    "on a row of nothing": ("a = 1  # noqa: PAD305", "a = 1", [16]),
}

# A comment in a row of its own does not count, even where the row below has what it names.
ALONE = {
    "above the call": (f"# noqa: PAD305\n{SAME}", SAME),
    "inside of the call": (
        "a = nn.Conv2d(\n    3, 8, 3,\n    # padlint: ignore[PAD305]\n    padding='same')",
        "a = nn.Conv2d(\n    3, 8, 3,\n    padding='same')",
    ),
    "with a reason": (f"    # noqa: PAD305 why\n{SAME}", f"    # why\n{SAME}"),
    "with another code": (f"# noqa: PAD305, E501\n{SAME}", f"# noqa: E501\n{SAME}"),
    "behind another directive": (f"# fmt: off  # noqa: PAD305\n{SAME}", f"# fmt: off\n{SAME}"),
    "itself": (f"# noqa: PAD002\n{SAME}", SAME),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert found(row) == []


def fixed(text: str) -> str:
    others = OPTIONS.codes - {"PAD002"}
    return fix(text, Options(codes=OPTIONS.codes, unfixable=others)).text


@each(FIXED)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_reported_and_fixed(row: tuple[str, str, list[int]], end: str) -> None:
    before, after, columns = row
    findings = found(before)
    assert [finding.location.column for finding in findings] == columns
    for finding in findings:
        assert finding.message.endswith("in this comment silences nothing")
        assert finding.fix is not None
        assert finding.fix.applicability.value == "safe"
    newline = end or "\n"
    head = f"from torch import nn{newline}"
    text = before.replace("\n", newline)
    assert fixed(f"{head}{text}{end}") == f"{head}{after.replace(chr(10), newline)}{end}"


@each(ALONE)
def test_a_row_without_code(row: tuple[str, str]) -> None:
    before, after = row
    (finding,) = found(before)
    assert finding.message.endswith(
        "since the comment stands in a row of its own; it counts in a row of the call"
    )
    head = "from torch import nn\n"
    assert fixed(f"{head}{before}\n") == f"{head}{after}\n"


def test_last_row_of_the_file() -> None:
    assert fixed(f"from torch import nn\n{SAME}\n# noqa: PAD305") == f"from torch import nn\n{SAME}\n"


def test_where_comments_are_guessed_nothing_is_called_unused() -> None:
    text = "x = 1  # noqa: PAD305\n"
    assert list(Suppressions(Source(text)).unused([], {"PAD305"})) != []
    assert list(Suppressions(Source(f"{text}(\n")).unused([], {"PAD305"})) == []  # no tokeniser takes it


def test_it_has_to_run_itself() -> None:
    assert found(f"{PLAIN}  # noqa: PAD305", Options(codes=frozenset({"PAD305"}))) == []


def test_other_fixes_in_the_row_do_not_disturb_it() -> None:
    source = f"from torch import nn\n{SAME}  # noqa: PAD104 why\n"
    expected = f"from torch import nn\n{SAME.replace(chr(34) + 'same' + chr(34), '1')}  # why\n"
    assert fix(source, OPTIONS).text == expected

from __future__ import annotations

import pytest

from padlint.rules.pad001 import SyntaxErrorRule
from tests.rules.table import each, findings, only_finding

CODE = "PAD001"

SILENT = {
    "valid": "c = nn.Conv2d(3, 8, 3)",
    "newer grammar than the running Python's": "from torch import nn\n\ntype A = nn.Conv2d\n",
    "form feed": "from torch import nn\n\n  \f\nc = nn.Conv2d(3, 8, 3)\n",
    "empty": "import torch",
}

REPORTED = {
    "a bracket is left open": ("import torch\nc = torch.nn.Conv2d(3, 8, 3\n", 2, "'(' was never closed"),
    "indentation": ("import torch\n  c = torch.nn.Conv2d(3, 8, 3)\n", 2, "unexpected indent"),
    "Python 2": ("import torch\nprint torch.nn.Conv2d(3, 8, 3)\n", 2, "print"),
    "a null byte": ("import torch\nc = torch.nn.Conv2d(3, 8, 3)\0\n", 1, "cannot be parsed"),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, int, str]) -> None:
    text, line, message = row
    finding = only_finding(CODE, text)
    assert finding.location.row == line
    assert message in finding.message
    assert finding.no_fix_reason == "the file has to be valid Python first"


@pytest.mark.parametrize("code", ["PAD101", "PAD305"])
def test_other_rules_say_nothing_of_a_broken_file(code: str) -> None:
    assert findings(code, "import torch\nc = torch.nn.Conv2d(3, 8, 3, padding='same'\n") == []


def test_a_parsed_file_has_no_such_finding() -> None:
    assert SyntaxErrorRule.severity.label == "error"

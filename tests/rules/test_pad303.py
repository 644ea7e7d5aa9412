from __future__ import annotations

from pathlib import Path

import pytest

from padlint.engine import fix
from padlint.verify import LayerProver
from tests.rules.exported import Exported
from tests.rules.table import (
    Fixed,
    assert_fixed,
    assert_not_fixed,
    assert_reported,
    each,
    findings,
    only_finding,
    options_for,
)

CODE = "PAD303"


def forward(*rows: str) -> str:
    """A module with these rows in its forward pass."""
    body = "\n".join(f"        {row}" for row in rows)
    return (
        "import math\nimport numpy as np\nfrom torch import nn\nfrom torch.nn import functional as F\n\n"
        f"class Net(nn.Module):\n    def forward(self, x):\n{body}\n"
    )


def padded(amount: str, *rows: str) -> str:
    """A module that pads the last axis by an amount that is computed from its size n."""
    return forward("n = x.shape[-1]", *rows, f"return F.pad(x, (0, {amount}))")


SILENT = {
    "what every exporter writes as it is meant": padded("(n + 31) // 32 * 32 - n"),
    "the same, the other way around": padded("((n - 1) // 32 + 1) * 32 - n"),
    "a remainder as a number": padded("-n % 32"),
    "a remainder of a remainder": padded("(32 - n % 32) % 32"),
    "rounding down": padded("n // 32"),
    "rounding up what is no size": padded("n + -(-self.kernel // 2)"),
    "rounding up constants": padded("n % 2 + math.ceil(7 / 2)"),
    "rounding that feeds no pad": padded("-n % 2", "self.patches = -(-n // 16)"),
    "a size that only a shape needs": padded("-n % 2", "x = x.view(-(-n // 2), 2)"),
    "an axis that is not padded by its size": forward("n = -(-x.shape[-1] // 2)", "return F.pad(x, (0, 1))"),
    "a test on something else": padded("n % 2", "if self.training and x.shape[0]:", "    x = x + 1"),
    "what is computed another way for a trace": padded(
        "p",
        "if isinstance(n, torch.Tensor):",
        "    p = (n + 1) // 2",
        "else:",
        "    p = math.ceil(n / 2)",
    ),
    "np.ceil, which makes a float": padded("np.ceil(n / 2)"),
    "ceil of something else": padded("math.ceil(n * 0.5)"),
    "a function of one's own": """
        from torch import nn
        from torch.nn import functional as F
        from mine import math

        class Net(nn.Module):
            def forward(self, x):
                return F.pad(x, (0, math.ceil(x.shape[-1] / 2)))
        """,
    "data, not a model": "def collate(x):\n    return F.pad(x, (0, -(-x.shape[-1] // 2)))",
    "a helper that gets no size": """
        def up(n, s):
            return -(-n // s)

        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                return F.pad(x, (0, up(self.k, 2) + w % 2, 0, h % 2))
        """,
}

REPORTED = {
    "negated floor division": (
        padded("-(-n // 32) * 32 - n"),
        "-(-n // 32) feeds F.pad in line 9",
        "both ONNX exporters of PyTorch write a division that rounds towards zero",
        "write (n + 31) // 32",
    ),
    "by a negative divisor": (padded("-(n // -2)"), "-(n // -2) feeds F.pad", "write (n + 1) // 2"),
    "math.ceil": (
        padded("math.ceil(n / 2)"),
        "computed once, for the example, by torch.jit.trace and the TorchScript ONNX exporter",
    ),
    "int of math.ceil": (
        padded("int(math.ceil(n / 2))"),
        "int(math.ceil(n / 2)) feeds",
        "computed once, for the example, by both ONNX exporters of PyTorch",
    ),
    "int of np.ceil": (padded("int(np.ceil(float(n) / float(2)))"), "by both ONNX", "write (n + 1) // 2"),
    "a test in an expression": (
        padded("3 - (2 if n % 2 == 0 else 1)"),
        "n % 2 decides about F.pad in line 9: it is computed once, for the example, by both ONNX exporters",
    ),
    "a test by or": (padded("3 - (n % 2 or 2)"), "n % 2 decides"),
    "a test in a statement": (
        padded("p", "p = 1", "if n % 2:", "    p = 2"),
        "n % 2 decides about F.pad in line 12",
    ),
    "a test around the pad": (
        forward("n = x.shape[-1]", "if n % 4 != 0:", "    x = F.pad(x, (0, 4 - n % 4))", "return x"),
        "n % 4 decides about F.pad in line 10",
    ),
    "a test with a name": (
        forward(
            "odd = x.shape[-1] % 2 == 1", "if odd:", "    x = F.pad(x, (0, x.shape[-1] % 2))", "return x"
        ),
        "x.shape[-1] % 2 decides",
    ),
    "in a function of the module": (
        """
        import math
        from torch import nn
        from torch.nn import functional as F

        def total(n, k, s):
            return max((math.ceil(n / s) - 1) * s + k - n, 0)

        class Net(nn.Module):
            def forward(self, x):
                p = total(x.shape[-1], 3, 2)
                return F.pad(x, (p // 2, p - p // 2))
        """,
        "math.ceil(n / s) feeds F.pad in line 11",
        "write (n + s - 1) // s",
    ),
    "in a method that another one calls": (
        """
        class Net(nn.Module):
            def up(self, n):
                return -(-n // 8)

            def missing(self, size):
                return self.up(size) * 8 - size

            def forward(self, x):
                return F.pad(x, (0, self.missing(x.size(-1))))
        """,
        "-(-n // 8) feeds",
    ),
    "in a method that gets the tensor": (
        """
        class Net(nn.Module):
            def amounts(self, x):
                if x.size(3) % self.stride == 0:
                    return (0, 1)
                return (1, 1 + x.size(3) % 2)

            def forward(self, x):
                return F.pad(x, self.amounts(x))
        """,
        "x.size(3) % self.stride decides",
    ),
}

FIXED = {
    "negated floor division": Fixed(padded("-(-n // 32) * 32 - n"), padded("(n + 31) // 32 * 32 - n")),
    "by a negative divisor": Fixed(padded("-(n // -2)"), padded("(n + 1) // 2")),
    "math.ceil": Fixed(padded("math.ceil(n / 2) - 1"), padded("(n + 1) // 2 - 1")),
    "int of math.ceil": Fixed(padded("int(math.ceil(n / 2))"), padded("(n + 1) // 2")),
    "int of np.ceil of floats": Fixed(padded("int(np.ceil(float(n) / float(2)))"), padded("(n + 1) // 2")),
    "a size as it is": Fixed(
        forward("return F.pad(x, (0, -(-x.shape[-1] // 2)))"),
        forward("return F.pad(x, (0, (x.shape[-1] + 1) // 2))"),
    ),
    "a size of a call": Fixed(
        forward("return F.pad(x, (0, -(-x.size(3) // 2)))"),
        forward("return F.pad(x, (0, (x.size(3) + 1) // 2))"),
        layer=None,
    ),
    "amounts of a layer": Fixed(
        forward("n = x.shape[-1]", "return nn.ConstantPad1d((0, -(-n // 2)), 0.5)(x)"),
        forward("n = x.shape[-1]", "return nn.ConstantPad1d((0, (n + 1) // 2), 0.5)(x)"),
        layer=None,
    ),
    "brackets where a factor follows": Fixed(padded("2 * -(-n // 3)"), padded("2 * ((n + 2) // 3)")),
    "brackets where a power follows": Fixed(padded("math.ceil(n / 3) ** 2"), padded("((n + 2) // 3) ** 2")),
    "brackets where a sign precedes": Fixed(padded("- math.ceil(n / 9)"), padded("- ((n + 8) // 9)")),
    "own brackets go": Fixed(padded("(-(-n // 2)) + 1"), padded("(n + 1) // 2 + 1")),
    "a divisor with a name": Fixed(
        padded("-(-n // S) * S - n", "S = 16"), padded("(n + S - 1) // S * S - n", "S = 16")
    ),
    "divisor 1": Fixed(padded("-(-n // 1)"), padded("(n + 1 - 1) // 1")),
    "ceil by its own name": Fixed(
        "from math import ceil\n" + padded("ceil(n / 2)"), "from math import ceil\n" + padded("(n + 1) // 2")
    ),
    "two in one row": Fixed(
        forward("h, w = x.shape[-2:]", "return F.pad(x, (0, -(-w // 2), 0, -(-h // 2)))"),
        forward("h, w = x.shape[-2:]", "return F.pad(x, (0, (w + 1) // 2, 0, (h + 1) // 2))"),
    ),
    "a size that was computed on": Fixed(
        padded("-(-m // 2)", "m = max(n - 1, 1) + 2 * n"),
        padded("(m + 1) // 2", "m = max(n - 1, 1) + 2 * n"),
    ),
    # -- why a fix is not safe
    "an unknown divisor": Fixed(
        padded("-(-n // self.stride[0])"),
        padded("(n + self.stride[0] - 1) // self.stride[0]"),
        "unsafe",
        doubt="self.stride[0] may be no positive int",
    ),
    "a size that was divided": Fixed(
        padded("-(-n // 2)", "n /= 4"), padded("(n + 1) // 2", "n /= 4"), "unsafe", doubt="n may be no int"
    ),
    "a size or something else": Fixed(
        padded("-(-m // 2)", "m = n if self.whole else self.half"),
        padded("(m + 1) // 2", "m = n if self.whole else self.half"),
        "unsafe",
        doubt="m may be no int",
    ),
    "a divisor by default": Fixed(
        """
        class Net(nn.Module):
            def forward(self, x, s=2):
                n = x.shape[-1]
                return F.pad(x, (0, -(-n // s)))
        """,
        """
        class Net(nn.Module):
            def forward(self, x, s=2):
                n = x.shape[-1]
                return F.pad(x, (0, (n + s - 1) // s))
        """,
        "unsafe",
        doubt="s may be no positive int",
    ),
    "a name that may be no int": Fixed(
        padded("-(-m // 2)", "m = n * self.scale"),
        padded("(m + 1) // 2", "m = n * self.scale"),
        "unsafe",
        doubt="m may be no int",
    ),
    "a helper": Fixed(
        """
        def up(n, s):
            return -(-n // s)

        class Net(nn.Module):
            def forward(self, x):
                return F.pad(x, (0, up(x.shape[-1], 2)))
        """,
        """
        def up(n, s):
            return (n + s - 1) // s

        class Net(nn.Module):
            def forward(self, x):
                return F.pad(x, (0, up(x.shape[-1], 2)))
        """,
        "unsafe",
        doubt="s may be no positive int; n may be no int",
    ),
}

NOT_FIXED = {
    "a dividend that may be no int": (
        padded("math.ceil(n * self.scale / 2)"),
        "the dividend may be no int",
    ),
    "a dividend that is none": (padded("math.ceil(n / 2 / 2)"), "the dividend may be no int"),
    "a test": (padded("3 - (n % 2 or 2)"), "what computes the same without a test is open"),
    "a float as divisor": (padded("math.ceil(n / 2.0)"), "the divisor is no positive int"),
    "a negative divisor": (padded("math.ceil(n / -2)"), "the divisor is no positive int"),
    "a divisor that a call makes": (
        padded("-(-n // self.stride())"),
        "the divisor would be computed twice",
    ),
    "a comment": (
        padded("-(  # up\n            -n // 2)"),
        "a comment stands in the text that would be replaced",
    ),
    "operands on two rows": (
        padded("-(-n // self.sizes[\n            0])"),
        "its operands stand on several rows",
    ),
}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(FIXED)
def test_fixed(row: Fixed, prover: LayerProver) -> None:
    assert_fixed(CODE, row, prover)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


def test_the_finding_stands_at_the_arithmetic() -> None:
    finding = only_finding(CODE, REPORTED["in a function of the module"][0])
    assert (finding.location.row, finding.location.column) == (6, 17)
    assert finding.end_location.column == 33


BRANCHES = """
class Merge(nn.Module):
    def forward(self, x):
        if x.ndim == 5:
            b, d, h, w, c = x.shape
            odd = h % 2 == 1
            if odd:
                x = F.pad(x, (0, 0, 0, w % 2, 0, h % 2))
        else:
            b, h, w, c = x.shape
            odd = h % 2 == 1
            if odd:
                x = F.pad(x, (0, 0, 0, w % 2, 0, h % 2))
        return x
"""


def test_a_message_names_the_pad_that_a_name_decides_about() -> None:
    found = findings(CODE, BRANCHES)
    assert [(f.location.row, f"F.pad in line {f.location.row + 2}:" in f.message) for f in found] == [
        (12, True),
        (17, True),
    ]


# -- what the message and the fix say of exporters ---------------------------------------------------------------

SAME = """
import math
from torch import nn
from torch.nn import functional as F

class SameConv(nn.Conv2d):
    def forward(self, x):
        h, w = x.shape[-2:]
        ph = max(({} - 1) * 2 + 3 - h, 0)
        pw = max(({} - 1) * 2 + 3 - w, 0)
        x = F.pad(x, (pw // 2, pw - pw // 2, ph // 2, ph - ph // 2))
        return F.conv2d(x, self.weight, self.bias, 2)
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dynamo", [True, False], ids=["default exporter", "TorchScript exporter"])
@pytest.mark.parametrize(
    ("idiom", "wrong_by_default"),
    [("-(-{} // 2)", True), ("math.ceil({} / 2)", False), ("int(math.ceil({} / 2))", True)],
)
def test_exports_are_wrong_before_and_right_after_the_fix(
    idiom: str, wrong_by_default: bool, dynamo: bool, tmp_path: Path
) -> None:
    before = SAME.format(idiom.format("h"), idiom.format("w"))
    done = fix(before, options_for(CODE))
    assert len(done.applied) == 2
    wrong = wrong_by_default or not dynamo
    old, new = (
        Exported(text, "SameConv(3, 4, 3)", tmp_path / name, dynamo=dynamo)
        for text, name in ((before, "before.onnx"), (done.text, "after.onnx"))
    )
    assert all(old.agrees()) != wrong
    assert all(new.agrees())

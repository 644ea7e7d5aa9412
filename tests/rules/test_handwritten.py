from __future__ import annotations

import textwrap

import libcst as cst

from padlint.rules.handwritten import Parts, larger, parts_of, smaller, total
from padlint.sites.collecting import interesting_names
from padlint.syntax.formulas import Formula, Formulas
from padlint.syntax.units import open_file
from tests.rules.table import each

# What is computed before `F.pad(x, amount)`, and what plays size, kernel, stride and dilation in it.
SAME = {
    "math.ceil": ("max((math.ceil(n / s) - 1) * s + k - n, 0)", ("n", "k", "s", 1)),
    "unclamped": ("(math.ceil(n / s) - 1) * s + k - n", ("n", "k", "s", 1)),
    "minus floor of minus": ("max((-(-n // s) - 1) * s + k - n, 0)", ("n", "k", "s", 1)),
    "rounded up": ("max(((n + s - 1) // s - 1) * s + (k - 1) + 1 - n, 0)", ("n", "k", "s", 1)),
    "rounded down": ("max((n - 1) // s * s + k - n, 0)", ("n", "k", "s", 1)),
    "by the remainder": ("max(k - s, 0) if n % s == 0 else max(k - n % s, 0)", ("n", "k", "s", 1)),
    "by the negative remainder": ("max(k - s + -n % s, 0)", ("n", "k", "s", 1)),
    "dilated": ("max((math.ceil(n / s) - 1) * s + (k - 1) * d + 1 - n, 0)", ("n", "k", "s", "d")),
    "effective kernel": (
        """
        keff = d * (k - 1) + 1
        out = int(np.ceil(float(n) / float(s)))
        amount = max(0, (out - 1) * s + keff - n)
        """,
        ("n", "k", "s", "d"),
    ),
    "branches": (
        """
        if n % s == 0:
            amount = max(k - s, 0)
        else:
            amount = max(k - (n % s), 0)
        """,
        ("n", "k", "s", 1),
    ),
    "stride 2": ("max((math.ceil(n / 2) - 1) * 2 + k - n, 0)", ("n", "k", 2, 1)),
    "kernel 3": ("max((math.ceil(n / s) - 1) * s + 3 - n, 0)", ("n", 3, "s", 1)),
    "stride 2, dilated": ("max((math.ceil(n / 2) - 1) * 2 + (k - 1) * d + 1 - n, 0)", ("n", "k", 2, "d")),
    "shapes": (
        "max((math.ceil(x.shape[-1] / self.stride[0]) - 1) * self.stride[0] + w.size(-1) - x.shape[-1], 0)",
        ("x.shape[-1]", "w.size(-1)", "self.stride[0]", 1),
    ),
    "unpacked": (
        """
        (kh, kw), (sh, sw) = w.size()[-2:], self.stride
        ih, iw = x.size()[-2:]
        out = math.ceil(ih / sh)
        amount = max((out - 1) * self.stride[0] + (kh - 1) * self.dilation[0] + 1 - ih, 0)
        """,
        ("x.size()[-2:][0]", "w.size()[-2:][0]", "self.stride[0]", "self.dilation[0]"),
    ),
    "itself": (
        """
        self.s = self.s if self.s else 1
        amount = max((math.ceil(n / self.s) - 1) * self.s + k - n, 0)
        """,
        ("n", "k", "self.s", 1),
    ),
    "functions of tensors": ("torch.clamp(((n / s).ceil() - 1) * s + k - n, min=0)", ("n", "k", "s", 1)),
    "numpy": ("np.maximum((np.ceil(n / s) - 1) * s + k - n, 0)", ("n", "k", "s", 1)),
}

OTHER = {
    "nothing": "0",
    "one size": "n",
    "half a kernel": "k // 2",
    "kernel and dilation": "d * (k - 1)",
    "up to a multiple": "(32 - n % 32) % 32",
    "up to a multiple of a name": "(s - n % s) % s",
    "up to a multiple of 64": "64 - n % 64 + p",
    "a part of a multiple of 64": "s - n % 64",
    "kernel and stride": "k - s",
    "valid": "(n - k) // s + 1",
    "too little": "max((math.ceil(n / s) - 1) * s + k - n - 1, 0)",
    "floor": "max((n // s - 1) * s + k - n, 0)",
    "transposed": "(n - 1) * s + k",
    "dilation in the wrong place": "max((math.ceil(n / s) - 1) * s + k * d - n, 0)",
    "five things": "max((math.ceil(n / s) - 1) * s + (k - 1) * d + 1 - n + p, 0)",
    "a call": "same(n, k, s)",
}

HALVES = {
    "floor": ("total // 2", "smaller"),
    "int of a half": ("int(total / 2)", "smaller"),
    "rest": ("total - total // 2", "larger"),
    "rounded up": ("(total + 1) // 2", "larger"),
    "ceil": ("math.ceil(total / 2)", "larger"),
    "with the remainder": ("total // 2 + total % 2", "larger"),
    "minus floor of minus": ("-(-total // 2)", "larger"),
    "all of it": ("total", "total"),
    "twice": ("total * 2", ""),
}
TOTAL = "total = max((math.ceil(n / s) - 1) * s + k - n, 0)"


def formula_of(text: str) -> Formula:
    """The formula of the last expression in a function."""
    text = textwrap.dedent(text).strip()
    if "amount" not in text:
        text = f"amount = {text}"
    body = textwrap.indent(f"{text}\nreturn F.pad(x, amount)", " " * 8)
    other = (
        "    def other(self, x):\n        ih, iw = x.shape\n"  # names of another function mean nothing here
    )
    source = f"class Net:\n{other}    def forward(self, x, w, n, k, s, d, p):\n{body}\n"
    (unit,) = open_file(source, interesting_names()).units
    (call,) = (c for c in unit.index.calls if cst.Module([]).code_for_node(c.func) == "F.pad")
    formula = Formulas(unit).of(call.args[1].value)
    assert formula is not None
    return formula


def written(parts: Parts | None) -> tuple[str | int, ...] | None:
    if parts is None:
        return None
    roles = (parts.size, parts.kernel, parts.stride, parts.dilation)
    return tuple(role if isinstance(role, int) else role.text for role in roles)


@each(SAME)
def test_same(row: tuple[str, tuple[str | int, ...]]) -> None:
    text, expected = row
    assert written(parts_of(formula_of(text), total)) == expected
    assert parts_of(formula_of(text), smaller) is None


@each(OTHER)
def test_other(row: str) -> None:
    formula = formula_of(row)
    assert [parts_of(formula, amount) for amount in (total, smaller, larger)] == [None] * 3


@each(HALVES)
def test_halves(row: tuple[str, str]) -> None:
    half, expected = row
    formula = formula_of(f"{TOTAL}\namount = {half}")
    found = [amount.__name__ for amount in (total, smaller, larger) if parts_of(formula, amount) is not None]
    assert found == ([expected] if expected else [])

from __future__ import annotations

import pytest

from padlint.sites.collecting import interesting_names
from padlint.sizes.origins import Origin, Origins
from padlint.syntax.units import open_file

IMPORTS = "import math\nfrom math import ceil\nfrom torch.nn import functional as F\n"
HELPERS = """
def half(n, other=2):
    return n // 2

def sizes_of(tensor):
    return tensor.shape[-2:]

def endless(n):
    return endless(n - 1) + n
"""


def origin(*rows: str) -> Origin:
    """The origin of what a method f(self, x, k) returns, for these rows of its body."""
    body = "\n".join(f"        {row}" for row in rows)
    text = f"{IMPORTS}{HELPERS}\nclass Net:\n    def f(self, x, k):\n{body}\n        F.pad(x, k)\n"
    file = open_file(text, interesting_names())
    unit = next(unit for unit in file.units if unit.index.classes)
    origins = Origins(file)
    (returned,) = (
        name for name in unit.index.names["r"] if unit.index.parents[name].__class__.__name__ == "Return"
    )
    return origins.of(unit, returned)


def names(origin: Origin) -> tuple[str, str, bool]:
    """Values, sizes and whether it is whole, in short."""
    values, sizes = (
        "".join(sorted(root.name.value for root in roots)) for roots in (origin.values, origin.sizes)
    )
    return values, sizes, origin.whole


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # values and sizes
        (["r = x"], ("x", "", False)),
        (["r = x.shape"], ("", "x", True)),
        (["r = x.size(-1)"], ("", "x", True)),
        (["r = self.norm(x).shape[2]"], ("", "x", True)),
        (["r = self.weight.shape[2]"], ("", "", False)),
        (["r = x.stride"], ("x", "", False)),
        (["r = k - x.shape[1]"], ("k", "x", False)),
        (["_, _, h, w = x.shape", "r = h"], ("", "x", True)),
        (["*rest, r = x.shape[-2:]"], ("", "x", True)),
        (["for r in x.shape:", "    pass"], ("", "x", True)),
        (["r = [n // 2 for n in x.shape]"], ("", "x", True)),
        (["r = [x for x in x.shape]"], ("", "x", True)),
        (["if (r := x.shape[0]) > 2:", "    pass"], ("", "x", True)),
        (["r = 1", "if x.shape[0] % 2:", "    r = 2"], ("", "x", True)),
        (["r = 1 if x.shape[0] else 2"], ("", "x", True)),
        (["r = torch.zeros(k)"], ("k", "", False)),
        (["y = torch.zeros(x.shape)", "r = y.shape"], ("", "", False)),
        # ints
        (["r = 2 * x.shape[0] // 3 % 4 - -1"], ("", "x", True)),
        (["r = x.shape[0] / 2"], ("", "x", False)),
        (["r = x.shape[0] ** -1"], ("", "x", False)),
        (["r = 0.5"], ("", "", False)),
        (["r = max(x.shape[0], 3)"], ("", "x", True)),
        (["r = max(x.shape[0], k)"], ("k", "x", False)),
        (["r = int(x.shape[0] / 2)"], ("", "x", True)),
        (["r = math.ceil(x.shape[0] / 2)"], ("", "x", True)),
        (["r = ceil(x.shape[0] / 2)"], ("", "x", True)),
        (["r = math.sqrt(x.shape[0])"], ("", "x", False)),
        (["r = x.shape[0]", "r /= 2"], ("", "x", False)),
        (["r = x.shape[0]", "r //= 2"], ("", "x", True)),
        (["r = x.shape[0]", "for _ in k:", "    r = r + 1"], ("", "x", True)),
        (["r = x.shape[0]", "for _ in k:", "    r = s", "    s = r / 2"], ("", "x", False)),
        (["int = k", "r = int(x.shape[0])"], ("", "x", False)),
        # helpers
        (["r = half(x.shape[0])"], ("", "x", False)),
        (["r = half(k, x.shape[0])"], ("k", "", False)),
        (["r = half(other=x.shape[0], n=k)"], ("k", "", False)),
        (["r = half(*k)"], ("k", "", False)),
        (["h, r = sizes_of(x)"], ("", "x", True)),
        (["r = sizes_of(x.shape)"], ("", "", True)),
        (["r = endless(x.shape[0])"], ("", "x", False)),
        (["third = lambda n: n // 3", "r = third(x.shape[0])"], ("", "x", False)),
    ],
)
def test_origins(rows: list[str], expected: tuple[str, str, bool]) -> None:
    assert names(origin(*rows, "return r")) == expected


def test_a_chain_against_the_order_of_the_rows_is_linear() -> None:
    rows = [f"    a{i} = a{i + 1}" for i in range(2000)]
    rows = ["for _ in k:", *rows, "    a2000 = x.shape[0]", "r = a0", "return r"]
    assert names(origin(*rows))[1] == "x"

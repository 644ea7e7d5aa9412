from __future__ import annotations

from padlint.verify import LayerProver
from tests.rules.table import (
    Fixed,
    assert_fixed,
    assert_not_fixed,
    assert_reported,
    each,
    findings,
    only_finding,
)

CODE = "PAD302"

SILENT = {
    "constant amounts": """
        class Net(nn.Module):
            def forward(self, x):
                return F.conv2d(F.pad(x, (0, 1, 0, 1)), self.weight)
        """,
    "amounts of a parameter": """
        class Net(nn.Module):
            def forward(self, x, p):
                return F.conv2d(F.pad(x, (p, p, p, p)), self.weight)
        """,
    "amounts of an attribute": """
        class Net(nn.Module):
            def forward(self, x):
                p = self.kernel_size[0] // 2
                return F.conv2d(F.pad(x, (p, p, p, p)), self.weight)
        """,
    "one axis that nothing with a window reads": """
        class Net(nn.Module):
            def forward(self, x):
                return F.pad(x, (0, 0, 0, 64 - x.shape[1]))
        """,
    "the size of a weight": """
        class Blur(nn.Module):
            def forward(self, x, kernel):
                p, q = kernel.shape[-1] // 2, kernel.shape[-2] // 2
                x = F.pad(x, (p, p, q, q))
                kernel = kernel.repeat(x.shape[1], 1, 1, 1)
                x = F.conv2d(x, kernel, groups=x.shape[1])
                return x
        """,
    "the size of an attribute": """
        class Blur(nn.Module):
            def forward(self, x):
                p = self.weight.shape[-1] // 2
                return F.conv2d(F.pad(x, (p, p, p, p)), self.weight)
        """,
    "the size of another tensor": """
        class Net(nn.Module):
            def forward(self, x, mask):
                h, w = mask.shape[-2:]
                return F.pad(x, (0, w, 0, h))
        """,
    "data, not a model": """
        def collate(image, height, width):
            h, w = image.shape[-2:]
            return F.pad(image, (0, width - w, 0, height - h))
        """,
    "a class without forward": """
        class Collate:
            def __call__(self, image):
                h, w = image.shape[-2:]
                return F.pad(image, (0, 640 - w, 0, 640 - h))
        """,
    "at the module's level": "h, w = x.shape[-2:]\ny = F.conv2d(F.pad(x, (0, w % 2, 0, h % 2)), weight)",
    "a layer": """
        class Net(nn.Module):
            def __init__(self, size):
                super().__init__()
                self.pad = nn.ZeroPad2d((0, size % 2, 0, size % 2))
        """,
    "amounts that are themselves, which nothing is": """
        class Net(nn.Module):
            def forward(self, x):
                pads = pads * 2
                return F.pad(x, pads)
        """,
    "Keras": """
        def block(x):
            return layers.ZeroPadding2D(((0, x.shape[1] % 2), (0, x.shape[2] % 2)))(x)
        """,
    "a helper of one's own with the name": """
        from torch import nn
        from mine import F

        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                return F.pad(x, (0, w % 2, 0, h % 2))
        """,
    "a helper whose result has nothing to do with the size": """
        def amount(size, kernel):
            return kernel // 2

        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                return F.pad(x, (0, amount(w, 3), 0, amount(h, 3)))
        """,
}

REPORTED = {
    "two axes": (
        """
        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                return F.pad(x, (0, -w % 32, 0, -h % 32))
        """,
        "F.pad pads by amounts computed from the size of its input",
        "a trace may keep those of its example",
        "a Pad that cannot be folded",
    ),
    "one axis, read by a convolution": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv1d(8, 8, 3, stride=2)

            def forward(self, x):
                x = F.pad(x, (0, x.size(-1) % 2))
                return self.conv(x)
        """,
        "F.pad before nn.Conv1d pads by amounts",
    ),
    "read by a pool, outside of any class": (
        "def pool(x):\n    return F.max_pool1d(F.pad(x, (0, x.shape[2] % 2)), 2)",
        "F.pad before F.max_pool1d",
    ),
    "behind a test": (
        """
        class Net(nn.Module):
            def forward(self, x):
                n, c, h, w = x.shape
                bottom, right = -h % 4, -w % 4
                if bottom or right:
                    x = F.pad(x, (0, right, 0, bottom))
                return x
        """,
        "and the test around it is decided by the example",
    ),
    "one amount, repeated": (
        """
        class Net(nn.Module):
            def forward(self, x):
                p = max(3 - x.size()[-1] % 2, 0)
                return F.pad(x, [p // 2, p - p // 2] * 2)
        """,
        "F.pad pads by amounts",
    ),
    "amounts with a name, of another tensor made from the input": (
        """
        class Net(nn.Module):
            def forward(self, x):
                x = self.norm(x)
                _, h, w, _ = x.shape
                pads = (0, 0, 0, -w % 7, 0, -h % 7)
                shifted = torch.roll(x, 3, dims=1)
                return F.pad(shifted, pads)
        """,
        "F.pad pads by amounts",
    ),
    "through a function of the module": (
        """
        def total(n, k, s):
            return max(((n + s - 1) // s - 1) * s + k - n, 0)

        class Net(nn.Module):
            def forward(self, x):
                h, w = total(x.shape[-2], 3, 2), total(x.shape[-1], 3, 2)
                return F.pad(x, (w // 2, w - w // 2, h // 2, h - h // 2))
        """,
        "F.pad pads by amounts",
    ),
    "through a method that gets the tensor": (
        """
        class Net(nn.Module):
            def amount(self, x, axis):
                size = x.shape[axis]
                return -size % self.multiple

            def forward(self, x):
                return F.pad(x, (0, self.amount(x, -1), 0, self.amount(x, -2)))
        """,
        "F.pad pads by amounts",
    ),
    "a layer that is built in the forward pass": (
        """
        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                x = nn.ZeroPad2d((0, -w % 8, 0, -h % 8))(x)
                return F.max_pool2d(x, 8)
        """,
        "nn.ZeroPad2d before F.max_pool2d pads by amounts",
    ),
    "through a lambda and a comprehension": (
        """
        class Net(nn.Module):
            def forward(self, x):
                missing = lambda n: -n % 8
                h, w = [missing(n) for n in x.shape[-2:]]
                return F.pad(x, (0, w, 0, h))
        """,
        "F.pad pads by amounts",
    ),
    "in a function that a model calls": (
        """
        def whole(x):
            h, w = x.shape[-2:]
            return F.pad(x, (0, -w % 8, 0, -h % 8))

        class Net(nn.Module):
            def forward(self, x):
                return self.conv(whole(x))
        """,
        "F.pad pads by amounts",
    ),
    "in a function that says what it is for": (
        """
        def pad_same(x):
            h, w = x.shape[-2:]
            return F.pad(x, (0, 2 - w % 2, 0, 2 - h % 2))
        """,
        "F.pad pads by amounts",
    ),
}

# The pad stays as dynamic as it was; what exports get wrong is mended where all of it can be.
FIXED = {
    "roundings on both axes": Fixed(
        """
        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                bottom = -(-h // 32) * 32 - h
                return F.pad(x, (0, -(-w // 32) * 32 - w, 0, bottom))
        """,
        """
        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                bottom = (h + 31) // 32 * 32 - h
                return F.pad(x, (0, (w + 31) // 32 * 32 - w, 0, bottom))
        """,
        doubt="Write (w + 31) // 32 and (h + 31) // 32",
    ),
}

NOT_FIXED = {name: (row[0], "no constant amounts compute the same") for name, row in REPORTED.items()} | {
    "a rounding that is not certain": (
        """
        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                return F.pad(x, (0, -(-w // self.s) * self.s - w, 0, -(-h // 32) * 32 - h))
        """,
        "no constant amounts compute the same",
    ),
    "a rounding behind a test": (
        """
        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                right, bottom = -(-w // 32) * 32 - w, -(-h // 32) * 32 - h
                if right > 0:
                    x = F.pad(x, (0, right, 0, bottom))
                return x
        """,
        "no constant amounts compute the same",
    ),
    "a rounding beside a test": (
        """
        class Net(nn.Module):
            def forward(self, x):
                h, w = x.shape[-2:]
                return F.pad(x, (0, -(-w // 32) * 32 - w, 0, 1 if h % 2 else 0))
        """,
        "no constant amounts compute the same",
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


def test_numbers() -> None:
    assert only_finding(CODE, REPORTED["two axes"][0]).numbers["others"] == {"computed_axes": 2}


def test_a_long_function_is_walked_once_for_all_of_its_pads() -> None:
    rows = [f"        x{i} = F.pad(x{i - 1}, (0, x{i - 1}.shape[-1] % 2, 0, 1))" for i in range(1, 400)]
    text = "class Net(nn.Module):\n    def forward(self, x0):\n" + "\n".join(rows) + "\n        return x399\n"
    assert findings(CODE, text) == []

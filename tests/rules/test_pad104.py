from __future__ import annotations

from padlint.verify import LayerProver
from tests.rules.table import Fixed, assert_fixed, assert_not_fixed, assert_reported, each, findings

CODE = "PAD104"

SILENT = {
    "odd kernel": "y = layers.Conv2D(8, 3, padding='same')(x)",
    "dilation makes the total even": "y = layers.Conv2D(8, 4, padding='same', dilation_rate=2)(x)",
    "kernel 1": "y = layers.Conv2D(8, 1, padding='same')(x)",
    "valid": "y = layers.Conv2D(8, 4)(x)",
    "strided": "y = layers.Conv2D(8, 4, 2, 'same')(x)",
    "unknown kernel": "y = layers.Conv2D(8, k, padding='same')(x)",
    "weight of unknown shape": "y = tf.nn.conv2d(x, w, 1, 'SAME')",
    "pooling": "y = layers.MaxPooling2D(2, 1, 'same')(x)",
    "transposed": "y = layers.Conv2DTranspose(8, 4, padding='same')(x)",
    "odd kernel in PyTorch": "c = nn.Conv2d(3, 8, 3, padding='same')",
    "PyTorch raises for upper case": "c = nn.Conv2d(3, 8, 4, padding='SAME')",
    "PyTorch raises with a stride": "c = nn.Conv2d(3, 8, 4, 2, padding='same')",
    "an int": "c = nn.Conv2d(3, 8, 4, padding=2)",
    "own class of the name": """
        from torch import nn

        class Conv2d(nn.Module):
            pass

        c = Conv2d(3, 8, 4, padding="same")
        """,
}

REPORTED = {
    "Keras": (
        "y = layers.Conv2D(8, 4, padding='same')(x)",
        "layers.Conv2D with kernel 4 and SAME padding pads (1, 2) at every size",
        "no symmetric padding equals it",
    ),
    "one axis only": (
        "y = layers.Conv2D(8, (3, 2), padding='same')(x)",
        "with kernel (3, 2) and SAME padding pads height (1, 1); width (0, 1)",
    ),
    "dilated": (
        "y = layers.Conv2D(8, 4, padding='same', dilation_rate=3)(x)",
        "pads (4, 5)",
    ),
    "tf.nn": ("y = tf.nn.conv2d(x, tf.ones([2, 2, 3, 8]), 1, 'SAME')", "pads (0, 1)"),
    "PyTorch": ("c = nn.Conv2d(3, 8, 4, padding='same')", "nn.Conv2d with kernel 4"),
    "PyTorch function": ("y = F.conv2d(x, torch.ones(8, 3, 4, 4), padding='same')", "F.conv2d with kernel 4"),
}

FIXED = {
    "Keras": Fixed(
        """
        def block(x):
            x = layers.Conv2D(8, (3, 4), padding="same", activation="relu")(x)
            return x
        """,
        """
        def block(x):
            x = layers.ZeroPadding2D(((1, 1), (1, 2)))(x)
            x = layers.Conv2D(8, (3, 4), padding="valid", activation="relu")(x)
            return x
        """,
    ),
    "tf.nn": Fixed(
        """
        def block(x):
            return tf.nn.conv2d(x, tf.ones([2, 2, 3, 8]), 1, "SAME")
        """,
        """
        def block(x):
            return tf.nn.conv2d(x, tf.ones([2, 2, 3, 8]), 1, [[0, 0], [0, 1], [0, 1], [0, 0]])
        """,
    ),
    "an attribute in PyTorch": Fixed(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, (2, 3), 1, "same", groups=3)

            def forward(self, x):
                return self.conv(self.conv(x))
        """,
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 3, (2, 3), 1, 0, groups=3)

            def forward(self, x):
                return self.conv(F.pad(self.conv(F.pad(x, (1, 1, 0, 1))), (1, 1, 0, 1)))
        """,
        "unsafe",
        doubt="the attribute .padding changes, and the traced graph stays the same",
    ),
    "a function in PyTorch": Fixed(
        """
        import torch

        def block(x):
            return torch.nn.functional.conv1d(input=x, weight=torch.ones(8, 3, 4), padding="same")
        """,
        """
        import torch

        def block(x):
            return torch.nn.functional.conv1d(input=torch.nn.functional.pad(x, (1, 2)), weight=torch.ones(8, 3, 4), padding=0)
        """,
        "unsafe",
        doubt="(unsafe: the traced graph stays the same)",
    ),
}

NOT_FIXED = {
    "a Sequential in PyTorch": (
        "net = nn.Sequential(nn.Conv2d(3, 8, 4, padding='same'))",
        "it is not called in a forward pass",
    ),
    "other padding modes pad with other values": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 4, padding="same", padding_mode="reflect")

            def forward(self, x):
                return self.conv(x)
        """,
        "padding_mode is not zeros",
    ),
    "F.pad has no name": (
        """
        from torch.nn import Conv2d, Module

        class Net(Module):
            def __init__(self):
                super().__init__()
                self.conv = Conv2d(3, 8, 4, padding="same")

            def forward(self, x):
                return self.conv(x)
        """,
        "the file has no name for torch.nn.functional.pad",
    ),
    "F is another F in the forward pass": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 4, padding="same")

            def forward(self, F, x):
                return self.conv(x)
        """,
        "F.pad means something else where it would be called",
    ),
    "reached from outside": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 4, padding="same")

            def forward(self, x):
                return self.conv(x)

        features = Net().conv(x)
        """,
        ".conv is also reached from outside of the class",
    ),
    "kernel by default of a parameter": (
        "def block(x, k=4):\n    return layers.Conv2D(8, k, padding='same')(x)",
        "(default of k in block())",
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

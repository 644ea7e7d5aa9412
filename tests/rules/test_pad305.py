from __future__ import annotations

from padlint.verify import LayerProver
from tests.rules.table import Fixed, assert_fixed, assert_not_fixed, assert_reported, each, findings

CODE = "PAD305"

SILENT = {
    "an int": "c = nn.Conv2d(3, 8, 3, padding=1)",
    "valid": "c = nn.Conv2d(3, 8, 3, padding='valid')",
    "an even kernel": "c = nn.Conv2d(3, 8, 4, padding='same')",
    "an odd total on one axis": "c = nn.Conv2d(3, 8, (3, 2), padding='same')",
    "kernel 1": "c = nn.Conv2d(3, 8, 1, padding='same')",
    "a stride": "c = nn.Conv2d(3, 8, 3, stride=2, padding='same')",
    "a word that raises": "c = nn.Conv2d(3, 8, 3, padding='SAME')",
    "unknown kernel": "c = nn.Conv2d(3, 8, k, padding='same')",
    "kernel in *args": "c = nn.Conv2d(*sizes, padding='same')",
    "unknown dilation": "c = nn.Conv2d(3, 8, 3, dilation=d, padding='same')",
    "weight of unknown shape": "y = F.conv2d(x, w, padding='same')",
    "transposed": "c = nn.ConvTranspose2d(3, 8, 3, padding='same')",
    "Keras": "c = layers.Conv2D(8, 3, padding='same')",
    "own class of the name": """
        from torch import nn

        class Conv2d(nn.Module):
            pass

        c = Conv2d(3, 8, 3, padding="same")
        """,
}

REPORTED = {
    "one number": (
        "c = nn.Conv2d(3, 8, 3, padding='same')",
        'nn.Conv2d with kernel 3 and padding="same" pads 1 on each side at every size',
        "quantisation and older exporters need the int",
    ),
    "one number per axis": (
        "c = nn.Conv2d(3, 8, (3, 5), dilation=(1, 2), padding='same')",
        "with kernel (3, 5)",
        "pads (1, 4) on each side",
    ),
    "an even kernel with an even dilation": (
        "c = nn.Conv1d(3, 8, 4, dilation=2, padding='same')",
        "pads 3 on",
    ),
}

FIXED = {
    "a keyword": Fixed(
        'c = nn.Conv2d(3, 8, 3, padding="same")',
        "c = nn.Conv2d(3, 8, 3, padding=1)",
    ),
    "by position": Fixed("c = nn.Conv2d(3, 8, (1, 3), 1, 'same')", "c = nn.Conv2d(3, 8, (1, 3), 1, (0, 1))"),
    "in brackets": Fixed("c = nn.Conv1d(3, 8, 5, padding=('same'))", "c = nn.Conv1d(3, 8, 5, padding=2)"),
    "three axes, dilated": Fixed(
        "c = nn.Conv3d(3, 8, 3, dilation=(1, 2, 3), padding='same', groups=1)",
        "c = nn.Conv3d(3, 8, 3, dilation=(1, 2, 3), padding=(1, 2, 3), groups=1)",
    ),
    "other padding modes pad as much": Fixed(
        "c = nn.Conv2d(3, 8, 3, padding='same', padding_mode='reflect')",
        "c = nn.Conv2d(3, 8, 3, padding=1, padding_mode='reflect')",
    ),
    "a function": Fixed(
        "y = F.conv2d(x, torch.ones(8, 3, 3, 3), padding='same')",
        "y = F.conv2d(x, torch.ones(8, 3, 3, 3), padding=1)",
    ),
    "a lazy layer": Fixed("c = nn.LazyConv2d(8, 3, padding='same')", "c = nn.LazyConv2d(8, 3, padding=1)"),
    "an attribute of the same value": Fixed(
        """
        class Net(nn.Module):
            KERNEL = 3

            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(
                    3,  # RGB
                    8,
                    kernel_size=3,
                    padding="same",  # as in the paper
                    # no bias
                    bias=False,
                )
        """,
        """
        class Net(nn.Module):
            KERNEL = 3

            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(
                    3,  # RGB
                    8,
                    kernel_size=3,
                    padding=1,  # as in the paper
                    # no bias
                    bias=False,
                )
        """,
    ),
    "several in one row": Fixed(
        "a = nn.Conv1d(3, 8, 3, padding='same'); b = nn.Conv1d(8, 8, 5, padding='same')",
        "a = nn.Conv1d(3, 8, 3, padding=1); b = nn.Conv1d(8, 8, 5, padding=2)",
    ),
    # -- why a fix is not safe
    "the file asks for .padding": Fixed(
        "c = nn.Conv2d(3, 8, 3, padding='same')\nif c.padding == 'same':\n    print()\n",
        "c = nn.Conv2d(3, 8, 3, padding=1)\nif c.padding == 'same':\n    print()\n",
        "unsafe",
        doubt="the file reads or changes the geometry of layers",
    ),
    "the file sets .dilation": Fixed(
        "c = nn.Conv2d(3, 8, 3, padding='same')\nc.dilation = (2, 2)\n",
        "c = nn.Conv2d(3, 8, 3, padding=1)\nc.dilation = (2, 2)\n",
        "unsafe",
        doubt="the file reads or changes the geometry of layers",
    ),
    "the file sets .kernel_size": Fixed(
        "c = nn.Conv2d(3, 8, 3, padding='same')\nc.kernel_size = (5, 5)\n",
        "c = nn.Conv2d(3, 8, 3, padding=1)\nc.kernel_size = (5, 5)\n",
        "unsafe",
        doubt="the file reads or changes the geometry of layers",
    ),
    "the file sets .padding_mode": Fixed(
        "c = nn.Conv2d(3, 8, 3, padding='same')\nc.padding_mode = 'circular'\n",
        "c = nn.Conv2d(3, 8, 3, padding=1)\nc.padding_mode = 'circular'\n",
        "unsafe",
        doubt="the file reads or changes the geometry of layers",
    ),
    "keywords may carry a stride": Fixed(
        "c = nn.Conv2d(3, 8, 3, padding='same', **options)",
        "c = nn.Conv2d(3, 8, 3, padding=1, **options)",
        "unsafe",
        "no reference",
        doubt="**kwargs may change stride, dilation or kernel",
    ),
    "one candidate of the name is unknown": Fixed(
        """
        try:
            from torch import nn
        except ImportError:
            from mine import nn
        c = nn.Conv2d(3, 8, 3, padding="same")
        """,
        """
        try:
            from torch import nn
        except ImportError:
            from mine import nn
        c = nn.Conv2d(3, 8, 3, padding=1)
        """,
        "unsafe",
        doubt="nn.Conv2d may also be something else",
    ),
}

NOT_FIXED = {
    "a constant that others may use": (
        "PAD = 'same'\nc = nn.Conv2d(3, 8, 3, padding=PAD)",
        "the word comes from somewhere else, which may serve other layers too",
    ),
    "kernel by default of a parameter": (
        "def make(k=3):\n    return nn.Conv2d(3, 8, k, padding='same')",
        "its arguments may also have other values (default of k in make())",
    ),
    "*args may carry a stride": (
        "c = nn.Conv2d(3, 8, 3, *more, padding='same')",
        "*args or **kwargs may carry other values",
    ),
    "a comment beside the word": (
        "c = nn.Conv2d(3, 8, 3, padding=(  # as in TF\n    'same'\n))",
        "a comment stands in the text that would be replaced",
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

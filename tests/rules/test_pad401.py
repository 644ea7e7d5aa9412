from __future__ import annotations

from padlint.verify import LayerProver
from tests.rules.table import Fixed, assert_fixed, assert_not_fixed, assert_reported, each, findings

CODE = "PAD401"

SILENT = {
    "stride 1": "c = nn.Conv2d(3, 8, 3, padding='same')",
    "stride 1 per axis": "c = nn.Conv2d(3, 8, 3, (1, 1), 'same')",
    "an int": "c = nn.Conv2d(3, 8, 3, stride=2, padding=1)",
    "valid": "c = nn.Conv2d(3, 8, 3, stride=2, padding='valid')",
    "unknown stride": "c = nn.Conv2d(3, 8, 3, stride=s, padding='same')",
    "stride by default of a parameter, 1": """
        def make(s=1):
            return nn.Conv2d(3, 8, 3, stride=s, padding="same")
        """,
    "stride in keywords": "c = nn.Conv2d(3, 8, 3, padding='same', **options)",
    "same where unstrided": """
        def make(s):
            return nn.Conv2d(3, 8, 3, stride=s, padding="same" if s == 1 else 1)
        """,
    "Keras": "c = layers.Conv2D(8, 3, strides=2, padding='same')",
    "a pool": "c = nn.MaxPool2d(3, 2, padding='same')",
}

REPORTED = {
    "a layer": (
        "c = nn.Conv2d(3, 8, 3, stride=2, padding='same')",
        'nn.Conv2d raises: padding="same" is not supported with stride 2',
        "TensorFlow's SAME would pad even: (0, 1), odd: (1, 1)",
    ),
    "a stride on one axis": (
        "c = nn.Conv2d(3, 8, 3, stride=(1, 2), padding='same')",
        "with stride (1, 2)",
        "height (1, 1); width even: (0, 1), odd: (1, 1)",
    ),
    "kernel 1 raises too": ("c = nn.Conv2d(3, 8, 1, 2, 'same')", "raises", "would pad (0, 0)"),
    "a function": ("y = F.conv2d(x, w, stride=2, padding='same')", "F.conv2d raises"),
    "stride by default of a parameter": (
        "def make(s=2):\n    return nn.Conv2d(3, 8, 3, stride=s, padding='same')",
        "(default of s in make())",
    ),
    "unknown kernel": ("c = nn.Conv2d(3, 8, k, 2, 'same')", "is not supported with stride 2"),
    "in upper case": ("c = nn.Conv2d(3, 8, 3, 2, 'SAME')", "is not supported with stride 2"),
}

FIXED = {
    "the usual symmetric padding": Fixed(
        "c = nn.Conv2d(3, 8, (3, 5), stride=2, padding='same', dilation=2)",
        "c = nn.Conv2d(3, 8, (3, 5), stride=2, padding=(2, 4), dilation=2)",
        "unsafe",
        "no reference",
        doubt="the usual symmetric padding",
    ),
    "kernel 1": Fixed(
        "c = nn.Conv2d(3, 8, 1, 2, 'same')",
        "c = nn.Conv2d(3, 8, 1, 2, 0)",
        "unsafe",
        "no reference",
        doubt="Write padding=0",
    ),
    "TensorFlow's pads where they hold for every size": Fixed(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 4, stride=2, padding="same")

            def forward(self, x):
                return self.conv(x)
        """,
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 4, stride=2, padding=0)

            def forward(self, x):
                return self.conv(F.pad(x, (1, 2, 1, 2)))
        """,
        "unsafe",
        "no reference",
        doubt="Pad (1, 2) with F.pad, TensorFlow's SAME",
    ),
    "TensorFlow's pads at the promised size": Fixed(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, stride=2, padding="same")

            def forward(self, x):
                return self.conv(x)
        """,
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=0)

            def forward(self, x):
                return self.conv(F.pad(x, (0, 1, 0, 1)))
        """,
        "unsafe",
        "no reference",
        options={"input_size": (224, 224)},
    ),
    "symmetric at the promised size": Fixed(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, stride=2, padding="same", padding_mode="reflect")

            def forward(self, x):
                return self.conv(x)
        """,
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1, padding_mode="reflect")

            def forward(self, x):
                return self.conv(x)
        """,
        "unsafe",
        "no reference",
        doubt="Write padding=1, TensorFlow's SAME",
        options={"input_size": (225, 225)},
    ),
    "in a Sequential": Fixed(
        "net = nn.Sequential(nn.Conv1d(3, 8, 2, 2, 'same'))\n",
        '''
        class PaddedConv1d(nn.Conv1d):
            """nn.Conv1d behind an explicit zero pad: `pad` is (before, after) per axis, last axis first."""

            def __init__(self, *args, pad, **kwargs):
                super().__init__(*args, **kwargs)
                self.pad = pad

            def forward(self, input):
                return self._conv_forward(F.pad(input, self.pad), self.weight, self.bias)


        net = nn.Sequential(PaddedConv1d(3, 8, 2, 2, 0, pad=(0, 1)))
        ''',
        "unsafe",
        None,
    ),
}

NOT_FIXED = {
    "no padding of PyTorch keeps the shape": (
        "c = nn.Conv2d(3, 8, 4, stride=3, padding='same')",
        "the pads of SAME depend on the input size, and no symmetric padding keeps the shape",
    ),
    "unknown kernel": ("c = nn.Conv2d(3, 8, k, 2, 'same')", "the kernel size is not known"),
    "stride by default of a parameter": (
        "def make(s=2):\n    return nn.Conv2d(3, 8, 3, stride=s, padding='same')",
        "its arguments may also have other values (default of s in make())",
    ),
    "in upper case": ("c = nn.Conv2d(3, 8, 3, 2, 'SAME')", "write the word in lower case first"),
    "another padding mode": (
        "y = nn.Conv2d(3, 8, 4, 2, 'same', padding_mode='reflect')(x)",
        "padding_mode is not zeros",
    ),
    "called nowhere": ("c = nn.Conv2d(3, 8, 4, 2, 'same')", "c is a name of the module"),
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

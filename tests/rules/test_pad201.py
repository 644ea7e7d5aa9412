from __future__ import annotations

from padlint.verify import LayerProver
from tests.rules.table import Fixed, assert_fixed, assert_not_fixed, assert_reported, each, findings

CODE = "PAD201"

SILENT = {
    "one number": "c = nn.Conv2d(3, 8, 3, padding=1)",
    "one number per axis": "c = nn.Conv2d(3, 8, 3, padding=(1, 2))",
    "one number per axis, as a list": "c = nn.Conv2d(3, 8, 3, padding=[1, 2])",
    "one number for all axes, in a tuple": "c = nn.Conv2d(3, 8, 3, padding=(1,))",
    "another number of entries": "c = nn.Conv2d(3, 8, 3, padding=(1, 2, 3))",
    "a word": "c = nn.Conv2d(3, 8, 3, padding='same')",
    "unknown": "c = nn.Conv2d(3, 8, 3, padding=p)",
    "one possibility of several": "c = nn.Conv2d(3, 8, 3, padding=((1, 2), (3, 4)) if flag else 1)",
    "a parameter's default": """
        def make(p=((1, 2), (3, 4))):
            return nn.Conv2d(3, 8, 3, padding=p)
        """,
    "pads take sides": "p = nn.ZeroPad2d((0, 1, 0, 1))",
    "Keras pads take pairs": "p = layers.ZeroPadding2D(((0, 1), (0, 1)))",
    "tf.nn takes pairs": "y = tf.nn.conv2d(x, w, 2, [[0, 0], [0, 1], [0, 1], [0, 0]])",
    "words in a tuple": "c = nn.Conv2d(3, 8, 3, padding=('a', 'b', 'c', 'd'))",
}

REPORTED = {
    "pairs": (
        "c = nn.Conv2d(3, 8, 3, padding=((1, 2), (3, 4)))",
        "nn.Conv2d raises when it is called: padding=((1, 2), (3, 4)) is not one number per axis",
        "(as pairs: height (1, 2); width (3, 4))",
    ),
    "a flat tuple: both readings": (
        "c = nn.Conv2d(3, 8, 3, padding=(0, 1, 2, 3))",
        "as (left, right, top, bottom) it means height (2, 3), width (0, 1)",
        "as (top, bottom, left, right) height (0, 1), width (2, 3)",
    ),
    "six numbers": ("c = nn.Conv3d(3, 8, 3, padding=(0, 1, 0, 1, 0, 1))", "not one number per axis"),
    "a pool": ("p = nn.MaxPool2d(3, 2, padding=((0, 1), (0, 1)))", "nn.MaxPool2d raises"),
    "a function": ("y = F.conv2d(x, w, padding=((0, 1), (0, 1)))", "F.conv2d raises"),
    "a constant": ("PAD = ((0, 1), (0, 1))\nc = nn.Conv2d(3, 8, 3, padding=PAD)", "height (0, 1)"),
}

FIXED = {
    "unequal sides need F.pad": Fixed(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(1, 32, 4, padding=((1, 2), (3, 4)))  # text

            def forward(self, x):
                return self.conv(x)
        """,
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(1, 32, 4, padding=0)  # text

            def forward(self, x):
                return self.conv(F.pad(x, (3, 4, 1, 2)))
        """,
        "unsafe",
        "no reference",
    ),
    "equal sides are one number per axis": Fixed(
        "c = nn.Conv2d(1, 32, 3, padding=((1, 1), (2, 2)), padding_mode='circular')",
        "c = nn.Conv2d(1, 32, 3, padding=(1, 2), padding_mode='circular')",
        "unsafe",
        "no reference",
        doubt="Write padding=(1, 2)",
    ),
    "equal everywhere": Fixed(
        "c = nn.Conv1d(1, 32, 3, padding=(2, 2))",
        "c = nn.Conv1d(1, 32, 3, padding=2)",
        "unsafe",
        "no reference",
    ),
    "a number beside a pair": Fixed(
        "y = F.conv2d(x, w, padding=(1, (2, 3)))",
        "y = F.conv2d(F.pad(x, (2, 3, 1, 1)), w, padding=0)",
        "unsafe",
        "no reference",
    ),
    "one axis": Fixed(
        "y = F.conv1d(x, w, None, 1, (1, 2))",
        "y = F.conv1d(F.pad(x, (1, 2)), w, None, 1, 0)",
        "unsafe",
        "no reference",
    ),
    "in a Sequential a subclass keeps the index": Fixed(
        """
        # The first block.
        block = nn.Sequential(nn.Conv1d(1, 8, 4, padding=((1, 2),)), nn.ReLU())


        def tail():
            return nn.Sequential(nn.Conv1d(8, 8, 4, padding=((1, 2),)))
        """,
        '''
        class PaddedConv1d(nn.Conv1d):
            """nn.Conv1d behind an explicit zero pad: `pad` is (before, after) per axis, last axis first."""

            def __init__(self, *args, pad, **kwargs):
                super().__init__(*args, **kwargs)
                self.pad = pad

            def forward(self, input):
                return self._conv_forward(F.pad(input, self.pad), self.weight, self.bias)


        # The first block.
        block = nn.Sequential(PaddedConv1d(1, 8, 4, padding=0, pad=(1, 2)), nn.ReLU())


        def tail():
            return nn.Sequential(PaddedConv1d(8, 8, 4, padding=0, pad=(1, 2)))
        ''',
        "unsafe",
        None,
    ),
}

NOT_FIXED = {
    "a flat tuple": ("c = nn.Conv2d(3, 8, 3, padding=(0, 1, 0, 1))", "the order of a flat tuple is open"),
    "a pool": ("p = nn.AvgPool2d(3, 2, ((0, 1), (0, 1)))", "a pool pads with -inf"),
    "transposed": (
        "c = nn.ConvTranspose2d(3, 8, 3, padding=((0, 1), (0, 1)))",
        "the padding of a transposed convolution crops its output",
    ),
    "three numbers per axis": (
        "c = nn.Conv2d(3, 8, 3, padding=((0, 1, 2), (0, 1, 2)))",
        "what these pairs mean is open",
    ),
    "negative": ("c = nn.Conv2d(3, 8, 3, padding=((-1, 1), (0, 1)))", "what these pairs mean is open"),
    "more pairs than axes": (
        "c = nn.Conv2d(3, 8, 3, padding=((0, 0), (0, 0), (0, 1), (0, 1)))",
        "what these pairs mean is open",
    ),
    "another padding mode": (
        "y = nn.Conv2d(3, 8, 3, padding=((0, 1), (0, 1)), padding_mode='reflect')(x)",
        "padding_mode is not zeros",
    ),
    "called nowhere": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Conv2d(3, 8, 3, padding=((0, 1), (0, 1)))
        """,
        "where it is applied is not seen",
    ),
    "a lazy layer in a Sequential": (
        "net = nn.Sequential(nn.LazyConv2d(8, 3, padding=((0, 1), (0, 1))))",
        "a lazy layer becomes an instance of another class at its first call",
    ),
    "the subclass's name is taken": (
        "PaddedConv2d = None\nnet = nn.Sequential(nn.Conv2d(3, 8, 3, padding=((0, 1), (0, 1))))",
        "the name PaddedConv2d is taken in this file",
    ),
    "names of a function only": (
        """
        def make():
            from torch import nn
            from torch.nn import functional as F
            return nn.Sequential(nn.Conv2d(3, 8, 3, padding=((0, 1), (0, 1))))
        """,
        "the file has no module-level names for the convolution and for F.pad",
    ),
    "another container": (
        "net = nn.ModuleList([nn.Conv2d(3, 8, 3, padding=((0, 1), (0, 1)))])",
        "it is an argument of another call",
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

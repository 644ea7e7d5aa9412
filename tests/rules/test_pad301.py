from __future__ import annotations

from pathlib import Path

import pytest

from padlint.engine import fix
from padlint.verify import LayerProver
from tests.rules.exported import SIZES, Exported
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

CODE = "PAD301"


def net(forward: str, *layers: str, after: str = "") -> str:
    """A module with these layers and this forward pass."""
    rows = "".join(f"        {layer}\n" for layer in layers)
    body = "".join(f"        {row}\n" for row in forward.splitlines())
    return (
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        f"{rows}\n"
        "    def forward(self, x):\n"
        f"{body}{after}"
    )


PAD, CONV = "self.pad = nn.ZeroPad2d(1)", "self.conv = nn.Conv2d(3, 8, 3)"
NO_PAD, FOLDED = "self.pad = nn.Identity()", "self.conv = nn.Conv2d(3, 8, 3, padding=1)"

INIT = """
for m in Net().modules():
    if isinstance(m, nn.Conv2d):
        nn.init.kaiming_normal_(m.weight)
"""
KEEPS = """
for m in Net().modules():
    if isinstance(m, nn.Conv2d):
        kept.append(m)
"""

SILENT = {
    "asymmetric": "net = nn.Sequential(nn.ZeroPad2d((0, 1, 0, 1)), nn.Conv2d(3, 8, 3))",
    "a crop": "net = nn.Sequential(nn.ZeroPad2d(-1), nn.Conv2d(3, 8, 3))",
    "nothing is padded": "net = nn.Sequential(nn.ZeroPad2d(0), nn.Conv2d(3, 8, 3))",
    "other values": "net = nn.Sequential(nn.ReflectionPad2d(1), nn.Conv2d(3, 8, 3))",
    "another constant": "net = nn.Sequential(nn.ConstantPad2d(1, 1.0), nn.Conv2d(3, 8, 3))",
    "unknown amounts": "net = nn.Sequential(nn.ZeroPad2d(p), nn.Conv2d(3, 8, 3))",
    "unknown constant": "net = nn.Sequential(nn.ConstantPad2d(1, value), nn.Conv2d(3, 8, 3))",
    "another layer between": "net = nn.Sequential(nn.ZeroPad2d(1), nn.BatchNorm2d(3), nn.Conv2d(3, 8, 3))",
    "sigmoid makes zeros something else": "net = nn.Sequential(nn.ZeroPad2d(1), nn.Sigmoid(), nn.Conv2d(3, 8, 3))",
    "so does a clipped tanh": "net = nn.Sequential(nn.ZeroPad2d(1), nn.Hardtanh(1.0, 2.0), nn.Conv2d(3, 8, 3))",
    "arguments that are not seen": "net = nn.Sequential(nn.ZeroPad2d(1), nn.Hardtanh(*a), nn.Conv2d(3, 8, 3))",
    "a function that is not known between": net("return self.conv(act(self.pad(x)))", PAD, CONV),
    "a layer that others replace": net(
        "return self.conv(self.act(self.pad(x)))", PAD, CONV, "self.act = nn.ReLU()"
    )
    + "\nNet().act = nn.Sigmoid()\n",
    "before a max pool": "net = nn.Sequential(nn.ZeroPad2d(1), nn.MaxPool2d(3))",
    "an average pool that counts no pads": "net = nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(3, count_include_pad=False))",
    "one that may not": "net = nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(3, count_include_pad=flag))",
    "an average pool with a divisor": "net = nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(3, divisor_override=4))",
    "more than an average pool takes": "net = nn.Sequential(nn.ZeroPad2d(2), nn.AvgPool2d(3, 2))",
    "more with its own": "net = nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(3, 2, padding=1))",
    "an average pool of unknown size": "net = nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(k))",
    "before a transposed convolution": "net = nn.Sequential(nn.ZeroPad2d(1), nn.ConvTranspose2d(3, 8, 3))",
    "another number of axes": "net = nn.Sequential(nn.ZeroPad1d(1), nn.Conv2d(3, 8, 3))",
    "no Sequential": "blocks = [nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3)]",
    "a ModuleList": "blocks = nn.ModuleList([nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3)])",
    "Keras": "net = keras.Sequential([layers.ZeroPadding2D(1), layers.Conv2D(8, 3)])",
    "F.pad reflects": net("return self.conv(F.pad(x, (1, 1, 1, 1), 'reflect'))", CONV),
    "F.pad with ones": net("return self.conv(F.pad(x, (1, 1, 1, 1), value=1.0))", CONV),
    "F.pad of a mask": net("return self.conv(x) * F.pad(x.new_ones(3), (0, 1))", CONV),
    "F.pad of channels": net("return self.conv(F.pad(x, (0, 0, 0, 0, 0, 2)))", CONV),
    "F.pad without a convolution": net("return F.pad(x, (1, 1, 1, 1))", CONV),
    "one branch only": net("if self.training:\n    x = self.pad(x)\nreturn self.conv(x)", PAD, CONV),
    "another pad in between": net("y = self.pad(x)\ny = self.act(y)\nreturn self.conv(y)", PAD, CONV),
    "a parameter called pad": net("return self.conv(pad(x))", CONV),
    "a loop": net("for _ in range(3):\n    x = self.pad(x)\nreturn self.conv(x)", PAD, CONV),
    "own class of the name": """
        from torch import nn

        class ZeroPad2d(nn.Module):
            pass

        net = nn.Sequential(ZeroPad2d(1), nn.Conv2d(3, 8, 3))
        """,
}

REPORTED = {
    "in a Sequential": (
        "net = nn.Sequential(nn.ZeroPad2d(2), nn.Conv2d(3, 8, 3))",
        "nn.ZeroPad2d pads 2 on both sides before nn.Conv2d",
        "without a copy of the tensor",
    ),
    "axes differ": (
        "net = nn.Sequential(nn.ZeroPad2d((1, 1, 2, 2)), nn.Conv2d(3, 8, 3))",
        "pads (2, 1) on both sides",
    ),
    "F.pad": (net("return self.conv(F.pad(x, (1, 1, 1, 1)))", CONV), "F.pad pads 1 on both sides"),
    "F.pad of one axis": (net("return self.conv(F.pad(x, (1, 1)))", CONV), "pads (0, 1) on both sides"),
}

FIXED = {
    # -- in a Sequential
    "an element keeps its index": Fixed(
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3), nn.ReLU())",
        "net = nn.Sequential(nn.Identity(), nn.Conv2d(3, 8, 3, padding=1), nn.ReLU())",
    ),
    "its own padding is added": Fixed(
        """
        net = nn.Sequential(
            nn.ReLU(),
            nn.ZeroPad2d((1, 1, 2, 2)),  # as in the paper
            nn.Conv2d(3, 8, (5, 3), 2, (1, 1), bias=False),
        )
        """,
        """
        net = nn.Sequential(
            nn.ReLU(),
            nn.Identity(),  # as in the paper
            nn.Conv2d(3, 8, (5, 3), 2, (3, 2), bias=False),
        )
        """,
    ),
    "a constant pad with zero": Fixed(
        "net = nn.Sequential(nn.ConstantPad1d(2, 0.0), nn.Conv1d(3, 8, 3, dilation=2))",
        "net = nn.Sequential(nn.Identity(), nn.Conv1d(3, 8, 3, dilation=2, padding=2))",
    ),
    "three axes": Fixed(
        "net = nn.Sequential(nn.ZeroPad3d((1, 1, 1, 1, 0, 0)), nn.Conv3d(3, 8, (1, 3, 3)))",
        "net = nn.Sequential(nn.Identity(), nn.Conv3d(3, 8, (1, 3, 3), padding=(0, 1, 1)))",
    ),
    "behind a starred part, and in a starred list": Fixed(
        "net = nn.Sequential(*head(), nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3))\n"
        "tail = nn.Sequential(*[nn.ZeroPad2d(1), nn.Conv2d(8, 8, 3)])\n",
        "net = nn.Sequential(*head(), nn.Identity(), nn.Conv2d(3, 8, 3, padding=1))\n"
        "tail = nn.Sequential(*[nn.Identity(), nn.Conv2d(8, 8, 3, padding=1)])\n",
    ),
    "a kernel that is not known": Fixed(
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, k, stride=s))",
        "net = nn.Sequential(nn.Identity(), nn.Conv2d(3, 8, k, stride=s, padding=1))",
        layer="no reference",
    ),
    "a lazy layer": Fixed(
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.LazyConv2d(8, 3))",
        "net = nn.Sequential(nn.Identity(), nn.LazyConv2d(8, 3, padding=1))",
    ),
    "an import is extended": Fixed(
        """
        from torch.nn import Conv2d, Sequential, ZeroPad2d
        net = Sequential(ZeroPad2d(1), Conv2d(3, 8, 3))
        """,
        """
        from torch.nn import Conv2d, Sequential, ZeroPad2d, Identity
        net = Sequential(Identity(), Conv2d(3, 8, 3, padding=1))
        """,
    ),
    "zeros stay zeros in between": Fixed(
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.LeakyReLU(0.2), nn.Identity(), nn.Conv2d(3, 8, 3))",
        "net = nn.Sequential(nn.Identity(), nn.LeakyReLU(0.2), nn.Identity(), nn.Conv2d(3, 8, 3, padding=1))",
    ),
    "dropout draws other numbers": Fixed(
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Dropout(), nn.Conv2d(3, 8, 3))",
        "net = nn.Sequential(nn.Identity(), nn.Dropout(), nn.Conv2d(3, 8, 3, padding=1))",
        "unsafe",
        doubt="nn.Dropout draws as many random numbers as its input has elements",
    ),
    "an average pool": Fixed(
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(3, 2))",
        "net = nn.Sequential(nn.Identity(), nn.AvgPool2d(3, 2, padding=1))",
    ),
    "an average pool with padding of its own": Fixed(
        "net = nn.Sequential(nn.ZeroPad1d(1), nn.AvgPool1d(5, 3, 1, count_include_pad=True))",
        "net = nn.Sequential(nn.Identity(), nn.AvgPool1d(5, 3, 2, count_include_pad=True))",
    ),
    "a function of average pooling": Fixed(
        net("return F.avg_pool2d(F.relu(F.pad(x, (1, 1, 2, 2))), (4, 2))"),
        net("return F.avg_pool2d(F.relu(x), (4, 2), padding=(2, 1))"),
    ),
    # -- in a forward pass
    "pad layer and convolution": Fixed(
        net("return self.conv(self.pad(x))", PAD, CONV), net("return self.conv(self.pad(x))", NO_PAD, FOLDED)
    ),
    "one name all along": Fixed(
        net("x = self.pad(x)\nx = self.conv(x)\nreturn x", PAD, CONV),
        net("x = self.pad(x)\nx = self.conv(x)\nreturn x", NO_PAD, FOLDED),
    ),
    "zeros stay zeros under names": Fixed(
        net("y = self.pad(x)\ny = self.act(y)\nreturn self.conv(y)", PAD, "self.act = nn.PReLU()", CONV),
        net("y = self.pad(x)\ny = self.act(y)\nreturn self.conv(y)", NO_PAD, "self.act = nn.PReLU()", FOLDED),
    ),
    "zeros stay zeros inside the call": Fixed(
        net("x = F.pad(x, (1, 1, 1, 1))\nreturn self.conv(F.gelu(torch.tanh(x)))", CONV),
        net("return self.conv(F.gelu(torch.tanh(x)))", FOLDED),
    ),
    "F.pad inside the call": Fixed(
        net("return self.conv(F.pad(x, (1, 1, 1, 1)))", CONV), net("return self.conv(x)", FOLDED)
    ),
    "F.pad in a row of its own": Fixed(
        net("x = F.pad(x, [1] * 4, mode='constant', value=0)\nx = self.conv(x)\nreturn x", CONV),
        net("x = self.conv(x)\nreturn x", FOLDED),
    ),
    "the row has a comment": Fixed(
        net("x = F.pad(x, (1, 1, 1, 1))  # as in Caffe\nreturn self.conv(x)", CONV),
        net("x = x  # as in Caffe\nreturn self.conv(x)", FOLDED),
    ),
    "another name": Fixed(
        net("p = F.pad(x, (1, 1, 1, 1), 'constant', None)\nreturn self.conv(p)", CONV),
        net("p = x\nreturn self.conv(p)", FOLDED),
    ),
    "another name, and an input of two rows": Fixed(
        net("p = F.pad(x +\n          1, (1, 1, 1, 1))\nreturn self.conv(p)", CONV),
        net("p = (x +\n          1)\nreturn self.conv(p)", FOLDED),
    ),
    "at every call": Fixed(
        net(
            "y = self.conv(F.pad(x, (1, 1, 1, 1)))\nreturn self.conv(F.pad(y, pad=(1,) * 4))",
            "self.conv = nn.Conv2d(3, 3, 3)",
        ),
        net("y = self.conv(x)\nreturn self.conv(y)", "self.conv = nn.Conv2d(3, 3, 3, padding=1)"),
    ),
    "in each other": Fixed(
        net("return self.conv(self.pad(self.conv(self.pad(x))))", PAD, "self.conv = nn.Conv2d(3, 3, 3)"),
        net(
            "return self.conv(self.pad(self.conv(self.pad(x))))",
            NO_PAD,
            "self.conv = nn.Conv2d(3, 3, 3, padding=1)",
        ),
    ),
    "functions": Fixed(
        "y = F.conv2d(F.pad(x, (2, 2, 1, 1)), w, None, 2)\n",
        "y = F.conv2d(x, w, None, 2, padding=(1, 2))\n",
    ),
    "a local convolution": Fixed(
        "def run(x):\n    conv = nn.Conv1d(3, 8, 3)\n    return conv(F.pad(x, (1, 1)))\n",
        "def run(x):\n    conv = nn.Conv1d(3, 8, 3, padding=1)\n    return conv(x)\n",
    ),
    # -- why a fix is not safe
    "the file reads .padding": Fixed(
        net("return self.conv(self.pad(x))", PAD, CONV, after="\nprint(Net().stem.padding)\n"),
        net("return self.conv(self.pad(x))", NO_PAD, FOLDED, after="\nprint(Net().stem.padding)\n"),
        "unsafe",
        doubt="the file reads or changes the geometry of layers",
    ),
    "the file asks for the class": Fixed(
        net("return self.conv(self.pad(x))", PAD, CONV, after="\nprint(isinstance(m, nn.ZeroPad2d))\n"),
        net("return self.conv(self.pad(x))", NO_PAD, FOLDED, after="\nprint(isinstance(m, nn.ZeroPad2d))\n"),
        "unsafe",
        doubt="the file also asks for the class ZeroPad2d",
    ),
    "the file walks over its modules": Fixed(
        net("return self.conv(self.pad(x))", PAD, CONV, after="\nprint(list(Net().children())[1])\n"),
        net("return self.conv(self.pad(x))", NO_PAD, FOLDED, after="\nprint(list(Net().children())[1])\n"),
        "unsafe",
        doubt="the file walks over its modules",
    ),
    "the file traces a graph": Fixed(
        net("return self.conv(self.pad(x))", PAD, CONV, after="\nprint(torch.fx.symbolic_trace(Net()))\n"),
        net(
            "return self.conv(self.pad(x))", NO_PAD, FOLDED, after="\nprint(torch.fx.symbolic_trace(Net()))\n"
        ),
        "unsafe",
        doubt="the file traces graphs",
    ),
    "a loop that keeps modules": Fixed(
        net("return self.conv(self.pad(x))", PAD, CONV, after=KEEPS),
        net("return self.conv(self.pad(x))", NO_PAD, FOLDED, after=KEEPS),
        "unsafe",
        doubt="the file walks over its modules",
    ),
    "a loop that sets weights": Fixed(
        net("return self.conv(self.pad(x))", PAD, CONV, after=INIT),
        net("return self.conv(self.pad(x))", NO_PAD, FOLDED, after=INIT),
    ),
    "the Sequential is handed on": Fixed(
        "net = f(nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 3, 3)))",
        "net = f(nn.Sequential(nn.Identity(), nn.Conv2d(3, 3, 3, padding=1)))",
        "unsafe",
        doubt="the Sequential is handed to a call",
    ),
    "the input changes in between": Fixed(
        net("p = self.pad(x)\nx.add_(1)\nreturn self.conv(p)", PAD, CONV),
        net("p = self.pad(x)\nx.add_(1)\nreturn self.conv(p)", NO_PAD, FOLDED),
        "unsafe",
        doubt="what stands between the pad and the convolution may change its input",
    ),
    "the input changes afterwards": Fixed(
        net("y = self.conv(F.pad(x, (1, 1, 1, 1)))\nx += y\nreturn x", CONV),
        net("y = self.conv(x)\nx += y\nreturn x", FOLDED),
        "unsafe",
        doubt="the tensor is changed in place",
    ),
    "a part of the input changes afterwards": Fixed(
        net("y = self.conv(F.pad(x, (1, 1, 1, 1)))\nx[0] = 0\nreturn x, y", CONV),
        net("y = self.conv(x)\nx[0] = 0\nreturn x, y", FOLDED),
        "unsafe",
        doubt="the tensor is changed in place",
    ),
    "the input of a Sequential is changed": Fixed(
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 3, 3))\n\ndef run(x):\n    x += net(x)\n",
        "net = nn.Sequential(nn.Identity(), nn.Conv2d(3, 3, 3, padding=1))\n\ndef run(x):\n    x += net(x)\n",
        "unsafe",
        doubt="the tensor is changed in place",
    ),
    "the convolution's name is not sure": Fixed(
        "from torch.nn import *\nfrom mine import *\nnet = Sequential(ZeroPad2d(1), Conv2d(3, 8, 3))\n",
        "from torch.nn import *\nfrom mine import *\nnet = Sequential(Identity(), Conv2d(3, 8, 3, padding=1))\n",
        "unsafe",
        doubt="Conv2d may also be something else",
    ),
    "the pad's name is not sure": Fixed(
        "from torch import nn\nfrom torch.nn import *\nnet = nn.Sequential(ZeroPad2d(1), nn.Conv2d(3, 8, 3))\n",
        "from torch import nn\nfrom torch.nn import *\nnet = nn.Sequential(nn.Identity(), nn.Conv2d(3, 8, 3, padding=1))\n",
        "unsafe",
        doubt="ZeroPad2d may also be something else",
    ),
}

NOT_FIXED = {
    "in place in between": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.ReLU(inplace=True), nn.Conv2d(3, 8, 3))",
        "nn.ReLU works in place, and without the pad it would change another tensor",
    ),
    "another reader in between": (
        net("x = self.act(self.pad(x))\nreturn self.conv(x) + x.mean()", PAD, CONV, "self.act = nn.ReLU()"),
        "the padded tensor has other readers",
    ),
    "a last window of an average pool": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.AvgPool2d(2, 2, ceil_mode=True))",
        "the rewrite does not compute the same",
    ),
    "another padding mode": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, padding_mode='reflect'))",
        "the convolution pads itself with something other than zeros",
    ),
    "a word as its own padding": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, padding='same'))",
        "the convolution's own padding is a word or not known",
    ),
    "its own padding is not known": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, padding=p))",
        "the convolution's own padding is a word or not known",
    ),
    "its own padding is per side": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, padding=((0, 1), (0, 1))))",
        "the convolution's own padding is not one number per axis",
    ),
    "its own padding is negative": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, padding=-1))",
        "the convolution's own padding is not one number per axis",
    ),
    "keywords may hold a padding": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, **options))",
        "the convolution",
    ),
    "keywords beside a padding": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3, padding=0, padding_mode='zeros', **options))",
        "*args or **kwargs may carry the convolution's own padding",
    ),
    "elements by index": (
        "net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3))\ny = net[1](x)",
        "elements of net are also reached one by one",
    ),
    "elements in a loop": (
        net(
            "for layer in self.net:\n    x = layer(x)\nreturn x",
            "self.net = nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 8, 3))",
        ),
        "elements of net are also reached one by one",
    ),
    "Identity has no name": (
        "from torch.nn import Sequential\nfrom torch.nn.modules.conv import Conv2d\n"
        "from torch.nn.modules.padding import ZeroPad2d\nnet = Sequential(ZeroPad2d(1), Conv2d(3, 8, 3))",
        "the file has no name for Identity",
    ),
    "the padded tensor is read again": (
        net("p = self.pad(x)\nreturn self.conv(p) + p.mean()", PAD, CONV),
        "the padded tensor has other readers",
    ),
    "the padded tensor is read by an augmented assignment": (
        net("x = F.pad(x, (1, 1, 1, 1))\ny = self.conv(x)\nx += 1\nreturn x, y", CONV),
        "the padded tensor has other readers",
    ),
    "the pad has another reader": (
        net("return self.conv(self.pad(x)) + F.max_pool2d(self.pad(x), 3)", PAD, CONV),
        "the pad layer also runs before something else",
    ),
    "two convolutions share the pad": (
        net(
            "return self.conv(self.pad(x)) + self.other(self.pad(x))",
            PAD,
            CONV,
            "self.other = nn.Linear(1, 1)",
        ),
        "the pad layer also runs before something else",
    ),
    "the convolution also runs bare": (
        net("return self.conv(self.pad(x)) + self.conv(x)", PAD, CONV),
        "the convolution also runs without the pad",
    ),
    "different pads": (
        net("return self.conv(F.pad(x, (1, 1, 1, 1))) + self.conv(F.pad(x, (2, 2, 2, 2)))", CONV),
        "the convolution runs behind different pads",
    ),
    "the convolution is reached from outside": (
        net("return self.conv(self.pad(x))", PAD, CONV, after="\ny = Net().conv(x)\n"),
        ".conv is also reached from outside of the class",
    ),
    "the pad is reached from outside": (
        net("return self.conv(self.pad(x))", PAD, CONV, after="\ny = Net().pad(x)\n"),
        ".pad is also reached from outside of the class",
    ),
    "subclassed": (
        net("return self.conv(self.pad(x))", PAD, CONV, after="\nclass Wide(Net):\n    pass\n"),
        "Net is subclassed in the file",
    ),
    "the convolution is a value": (
        net("return self.conv(self.pad(x)), self.conv.weight", PAD, CONV),
        "self.conv is also used without being called",
    ),
    "a comment inside F.pad": (
        net("return self.conv(F.pad(\n    x,\n    (1, 1, 1, 1),  # as in Caffe\n))", CONV),
        "a comment stands in the text that would be replaced",
    ),
    "a comment inside the pad layer": (
        "net = nn.Sequential(\n    nn.ZeroPad2d(\n        1,  # as in Caffe\n    ),\n    nn.Conv2d(3, 8, 3),\n)",
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


def test_a_finding_stands_at_the_pad() -> None:
    finding = only_finding(CODE, "net = nn.Sequential(\n    nn.ZeroPad2d(1),\n    nn.Conv2d(3, 8, 3),\n)\n")
    assert (finding.location.row, finding.location.column) == (9, 5)
    assert [axis["pads"] for axis in finding.numbers["axes"]] == [[1, 1], [1, 1]]


# -- what the page and the fix say of exporters ------------------------------------------------------------------

EXPORTED = """
import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.ZeroPad2d(2), nn.Conv2d(3, 4, 5, stride=2), nn.ReLU())
        self.conv = nn.Conv2d(4, 4, 3, padding=1)
        self.mean = nn.AvgPool2d(3, 2)

    def forward(self, x):
        x = self.conv(F.pad(self.stem(x), (2, 2, 1, 1)))
        return self.mean(F.pad(x, (1, 1, 1, 1)))
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dynamo", [True, False], ids=["default exporter", "TorchScript exporter"])
def test_graphs_compute_the_same_before_and_after_the_fix(dynamo: bool, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    done = fix(EXPORTED, options_for(CODE))
    assert len(done.applied) == 3
    old, new = (
        Exported(text, "Net()", tmp_path / name, dynamo=dynamo)
        for text, name in ((EXPORTED, "before.onnx"), (done.text, "after.onnx"))
    )
    new.module.load_state_dict(old.module.state_dict())
    assert all(old.agrees())
    assert all(new.agrees())
    for size in SIZES:
        image = torch.randn(1, 3, *size)
        assert abs(old.run(image) - new.run(image)).max() <= 1e-5
    assert old.operators.count("Pad") == (1 if dynamo else 3)  # the default exporter leaves that of the mean
    assert new.operators.count("Pad") == 0

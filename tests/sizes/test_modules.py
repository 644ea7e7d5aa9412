"""Sizes in modules of torch: through attributes, containers, other classes, and what may change these."""

from __future__ import annotations

import pytest

from padlint.options import Options
from tests.sizes.table import known, told

SIZE = Options(frozenset(), input_size=(64, 48))
HEAD = """
import torch
import torch.nn.functional as F
from collections import OrderedDict
from functools import partial
from torch import nn
"""
C = "nn.Conv2d(3, 3, 3)  # here"
BLOCK = """
class Block(nn.Module):
    def __init__(self, k=1, stride=2):
        super().__init__()
        self.down = nn.MaxPool2d(k, stride)
    def forward(self, x):
        return self.down(x)
"""


def net(init: str, forward: str, *, more: str = "", behind: str = "", name: str = "Net") -> str:
    """A module class; `C` is the convolution that is asked for."""

    def indented(rows: str) -> str:
        return "\n".join(f"        {row}" for row in rows.replace("CONV", C).split("\n"))

    return f"""{HEAD}{BLOCK}{more}
class {name}(nn.Module):
    def __init__(self, n=4, norm=None):
        super().__init__()
{indented(init)}
    def forward(self, x):
{indented(forward)}
{behind}
"""


CALL = "x = self.a(x)\nreturn self.c(x)"
PLAIN = "self.a = nn.MaxPool2d(2)\nself.c = CONV"
FORWARD = "    def forward(self, x):\n        x"
FOLLOWED = {
    "layer": net(PLAIN, CALL),
    "Identity": net("self.a = nn.Sequential(nn.Identity(), nn.MaxPool2d(2))\nself.c = CONV", CALL),
    "Sequential": net("self.a = nn.Sequential(nn.ReLU(), nn.MaxPool2d(2))\nself.c = CONV", CALL),
    "in a Sequential": net(
        "self.a = nn.ReLU()\nself.c = nn.Sequential(\n  nn.MaxPool2d(2),\n  CONV\n)", CALL
    ),
    "nested Sequentials": net(
        "self.a = nn.Sequential(nn.Sequential(nn.ReLU()), nn.Sequential(nn.MaxPool2d(2)))\nself.c = CONV",
        CALL,
    ),
    "OrderedDict": net(
        "self.a = nn.Sequential(OrderedDict([('r', nn.ReLU()), ('p', nn.MaxPool2d(2))]))\nself.c = CONV", CALL
    ),
    "starred list": net(
        "layers = [nn.ReLU()]\nlayers.append(nn.MaxPool2d(2))\nlayers += [nn.ReLU()]\n"
        "self.a = nn.Sequential(*layers)\nself.c = CONV",
        CALL,
    ),
    "list of a local function": net(
        "def block(k):\n  return [nn.ReLU(), nn.MaxPool2d(k)]\nlayers = []\nfor k in (1, 2):\n"
        "  layers.extend(block(k))\nself.a = nn.Sequential(*layers, *block(1))\nself.c = CONV",
        CALL,
    ),
    "built in a training loop": net(PLAIN, CALL, behind="model = Net()\nfor x in data:\n    model(x)"),
    "comprehension": net(
        "self.a = nn.Sequential(*[nn.MaxPool2d(2, padding=i) for i in range(1)])\nself.c = CONV", CALL
    ),
    "own class": net("self.a = Block()\nself.c = CONV", CALL),
    "own class, its arguments": net("self.a = Block(2, stride=2)\nself.c = CONV", CALL),
    "own classes in a Sequential": net(
        "self.a = nn.Sequential(Block(stride=1), Block(2))\nself.c = CONV", CALL
    ),
    "class as an argument": net("self.a = self.made(Block, 2)\nself.c = CONV", CALL).replace(
        FORWARD,
        "    def made(self, block, k):\n        layers = []\n        layers.append(block(k))\n"
        "        return nn.Sequential(*layers)\n    def forward(self, x):\n        x",
    ),
    "operator as an argument": net(
        "norm = norm or nn.BatchNorm2d\nself.a = nn.Sequential(norm(3), nn.MaxPool2d(2))\nself.c = CONV",
        CALL,
        behind="Net(norm=nn.InstanceNorm2d)(torch.zeros(1, 3, 9, 9))",
    ),
    "function that builds": net(
        "self.a = pool(2)\nself.c = CONV", CALL, more="def pool(k):\n    return nn.MaxPool2d(k)\n"
    ),
    "function with a branch": net(
        "self.a = pool(2)\nself.c = CONV",
        CALL,
        more="def pool(k):\n    if k == 1:\n        return nn.Identity()\n    return nn.MaxPool2d(k)\n",
    ),
    "ModuleList, by index": net(
        "self.a = nn.ModuleList([nn.ReLU(), nn.MaxPool2d(2)])\nself.c = CONV",
        "x = self.a[-1](x)\nreturn self.c(x)",
    ),
    "ModuleList, in a loop": net(
        "self.a = nn.ModuleList([nn.ReLU(), nn.MaxPool2d(2)])\nself.c = CONV",
        "for layer in self.a:\n  x = layer(x)\nreturn self.c(x)",
    ),
    "ModuleList, with enumerate": net(
        "self.a = nn.ModuleList([nn.ReLU(), nn.MaxPool2d(2)])\nself.c = CONV",
        "for i, layer in enumerate(self.a):\n  x = layer(x)\nreturn self.c(x)",
    ),
    "ModuleList, appended": net(
        "self.a = nn.ModuleList()\nfor i in range(2):\n  self.a.append(nn.MaxPool2d(i + 1))\nself.c = CONV",
        "for layer in self.a:\n  x = layer(x)\nreturn self.c(x)",
    ),
    "ModuleList of convolutions": net(
        "self.a = nn.MaxPool2d(2)\nself.c = nn.ModuleList([\n  CONV\n])",
        "x = self.a(x)\nfor c in self.c:\n  x = c(x)\nreturn x",
    ),
    "ModuleDict": net(
        "self.a = nn.ModuleDict({'p': nn.MaxPool2d(2)})\nself.c = CONV",
        "x = self.a['p'](x)\nreturn self.c(x)",
    ),
    "one of two with one size": net(
        "self.a = nn.MaxPool2d(2) if n else nn.AvgPool2d(2)\nself.c = CONV", CALL
    ),
    "assigned in both branches": net(
        "if n:\n  self.a = nn.MaxPool2d(2)\nelse:\n  self.a = nn.AvgPool2d(2)\nself.c = CONV", CALL
    ),
    "module or None": net(
        "self.b = None\nif n:\n  self.b = nn.ReLU()\nself.a = nn.MaxPool2d(2)\nself.c = CONV",
        "if self.b is not None:\n  x = self.b(x)\nx = self.a(x)\nreturn self.c(x)",
    ),
    "constant attribute": net("self.k = 2\nself.c = CONV", "x = F.max_pool2d(x, self.k)\nreturn self.c(x)"),
    "method": net(
        PLAIN,
        "x = self.first(x)\nreturn self.c(x)",
        behind="    def first(self, x):\n        return self.a(x)\n",
    ),
    "forward by name": net("self.a = Block(2)\nself.c = CONV", "x = self.a.forward(x)\nreturn self.c(x)"),
    "weight norm": net("self.a = nn.utils.weight_norm(nn.Conv2d(3, 3, 2, 2))\nself.c = CONV", CALL),
    "weights filled": net(f"{PLAIN}\nnn.init.zeros_(self.c.weight)\nself.c.bias.data.fill_(1)", CALL),
    "weights filled in a loop": net(
        "self.a = nn.MaxPool2d(2)\nself.c = CONV\nfor m in self.modules():\n"
        "  if isinstance(m, nn.Conv2d):\n    nn.init.zeros_(m.weight)",
        CALL,
    ),
    "skip connection": net(
        "self.a = nn.MaxPool2d(2)\nself.b = nn.ReLU()\nself.c = CONV",
        "x = self.a(x)\nx = x + self.b(x)\nreturn self.c(x)",
    ),
    "concatenated": net(
        PLAIN,
        "x = self.a(x)\nx = torch.cat([x, F.relu(x)], dim=1)\nreturn self.c(x)",
    ),
    "no_grad": net(PLAIN, CALL).replace(
        FORWARD, "    @torch.no_grad()\n    def forward(self, x):\n        x"
    ),
    "Lightning": net(PLAIN, CALL).replace(
        "class Net(nn.Module)", "import pytorch_lightning as pl\nclass Net(pl.LightningModule)"
    ),
    "a mixin behind": net(PLAIN, CALL).replace(
        "class Net(nn.Module)", "from a import Mixin\nclass Net(nn.Module, Mixin)"
    ),
    "in another class": net(
        "self.a = nn.MaxPool2d(2)\nself.b = Part()",
        "return self.b(self.a(x))",
        more=f"class Part(nn.Module):\n    def __init__(self):\n        self.c = {C}\n"
        "    def forward(self, x):\n        return self.c(x)\n",
    ),
}


@pytest.mark.parametrize("text", FOLLOWED.values(), ids=FOLLOWED)
def test_followed(text: str) -> None:
    assert told(known(text, SIZE), channels_last=False) == "32x24 ASSUMED"


COMMENT = "# padlint: input-size=64x48"


@pytest.mark.parametrize("options", [SIZE, Options(frozenset(), input_size=(9, 9)), Options(frozenset())])
def test_a_comment_promises_the_input_of_a_class(options: Options) -> None:
    text = net(PLAIN, CALL, behind="class Outer(nn.Module):\n    def __init__(self): self.n = f(Net)")
    text = text.replace("class Net(nn.Module):", f"class Net(nn.Module):  {COMMENT}")
    assert told(known(text, options), channels_last=False) == "32x24 PROMISE"


def test_a_part_of_a_promised_class_may_be_used_elsewhere() -> None:
    part = f"class Part(nn.Module):\n    def __init__(self):\n        self.c = {C}\n"
    part += "    def forward(self, x):\n        return self.c(x)\n"
    text = net("self.a = nn.MaxPool2d(2)\nself.b = Part()", "return self.b(self.a(x))", more=part)
    text = text.replace("class Net(nn.Module):", f"class Net(nn.Module):  {COMMENT}")
    assert told(known(text), channels_last=False) == "32x24 ASSUMED"
    behind = text.replace("  # here", "").replace(
        "return self.b(self.a(x))", "return self.c(self.b(self.a(x)))"
    )
    behind = behind.replace("self.b = Part()", f"self.b = Part()\n        self.c = {C}")
    assert told(known(behind), channels_last=False) == "30x22 PROMISE"


def test_a_class_that_is_built_with_arguments() -> None:
    text = net("self.a = nn.MaxPool2d(n)\nself.c = CONV", CALL, behind="Net(2)(torch.zeros(1, 3, 9, 9))")
    text = text.replace("class Net(nn.Module):", f"class Net(nn.Module):  {COMMENT}")
    assert told(known(text), channels_last=False) == "32x24 ASSUMED"


# The convolution reads both sizes.
SEVERAL = {
    "two sizes": net("self.a = nn.MaxPool2d(2) if n else nn.Identity()\nself.c = CONV", CALL),
    "two sizes, by branches": net(
        "if n:\n  self.a = nn.MaxPool2d(2)\nelse:\n  self.a = nn.ReLU()\nself.c = CONV", CALL
    ),
    "a branch of forward": net(PLAIN, "if self.training:\n  x = self.a(x)\nreturn self.c(x)"),
    "early return of a block": net(
        "self.a = Part()\nself.c = CONV",
        CALL,
        more="class Part(nn.Module):\n    def forward(self, x):\n        if x.sum() > 0:\n"
        "            return x\n        return F.max_pool2d(x, 2)\n",
    ),
    "applied at two sizes": net(PLAIN, "self.c(x)\nreturn self.c(self.a(x))"),
}


@pytest.mark.parametrize("text", SEVERAL.values(), ids=SEVERAL)
def test_several_sizes(text: str) -> None:
    assert told(known(text, SIZE), channels_last=False) == "a multiple of 32xa multiple of 24 ASSUMED"


LOST = {
    "hook": net(PLAIN, CALL, behind="def f(m, h): m.register_forward_hook(h)"),
    "hook on the layer": net(f"{PLAIN}\nself.a.register_forward_hook(h)", CALL),
    "stride assigned": net(PLAIN, CALL, behind="def f(m): m.a.stride = 3"),
    "stride set by a name": net(PLAIN, CALL, behind="def f(m): setattr(m.a, 'stride', 3)"),
    "something set by a computed name": net(PLAIN, CALL, behind="def f(m, n): setattr(m, n, 3)"),
    "layer assigned from outside": net(PLAIN, CALL, behind="def f(m): m.a = nn.ReLU()"),
    "layer assigned from a function": net(PLAIN, CALL, behind="def f(self): self.a = nn.ReLU()"),
    "layer assigned in forward": net(PLAIN, f"self.a = nn.ReLU()\n{CALL}"),
    "layer deleted": net(PLAIN, f"del self.a\n{CALL}"),
    "layer unpacked": net(f"{PLAIN}\nself.a, self.b = f()", CALL),
    "layer of an unknown call": net("self.a = f()\nself.c = CONV", CALL),
    "unknown wrapper": net("self.a = f(nn.MaxPool2d(2))\nself.c = CONV", CALL),
    "handed to a function": net(PLAIN, f"f(self.a)\n{CALL}"),
    "handed to a function of the constructor": net(f"{PLAIN}\nf(self.a)", CALL),
    "returned": net(PLAIN, f"if x is None:\n  return self.c\n{CALL}"),
    "given another name": net(PLAIN, f"c = self.c\n{CALL}"),
    "children": net(PLAIN, f"for m in self.children():\n  x = m(x)\n{CALL}"),
    "getattr": net(PLAIN, f"x = getattr(self, n)(x)\n{CALL}"),
    "subclassed": net(PLAIN, CALL, behind="class Other(Net): pass"),
    "class attribute": net(PLAIN, CALL, behind="    a = 3"),
    "__getattr__": net(PLAIN, CALL, behind="    def __getattr__(self, name): return f"),
    "two definitions of forward": net(PLAIN, CALL, behind="    def forward(self, x): return self.c(x)"),
    "unknown decorator": net(PLAIN, CALL).replace(FORWARD, f"    @f\n{FORWARD}"),
    "a mixin in front": net(PLAIN, CALL).replace(
        "class Net(nn.Module)", "from a import Mixin\nclass Net(Mixin, nn.Module)"
    ),
    "a base of the file": net(PLAIN, CALL).replace("class Net(nn.Module)", "class Net(nn.Module, Block)"),
    "a method called from outside": net(
        PLAIN, "return self.last(x)", behind="    def last(self, x): return self.c(x)\ndef f(m, x): m.last(x)"
    ),
    "a method that is also called on something else": net(
        PLAIN,
        "y = self.last(g(x))\nreturn self.last(x)",
        behind="    def last(self, x): return self.c(x)\n",
    ),
    "applied in a method of its own": net(PLAIN, CALL, behind="    def other(self, y): return self.c(y)"),
    "applied in a lambda": net(PLAIN, f"f = lambda y: self.c(y)\n{CALL}"),
    "parameter of the constructor": net("self.a = nn.MaxPool2d(n)\nself.c = CONV", CALL),
    "list of unknown length": net(
        "self.a = nn.Sequential(*[nn.MaxPool2d(2) for _ in range(n)])\nself.c = CONV", CALL
    ),
    "part of another class, also of a third": net(
        PLAIN, CALL, behind="class Outer(nn.Module):\n    def __init__(self):\n        self.n = f(Net)"
    ),
    "part of another class by way of a table": net(
        PLAIN, CALL, behind="NETS = {'net': Net}\nclass Outer(nn.Module):\n    def f(self, n): return NETS[n]"
    ),
    "part of another class by way of a function": net(
        PLAIN,
        CALL,
        behind="def build(): return Net()\nclass Outer(nn.Module):\n    def f(self): return build()",
    ),
    "layer built for several": net(
        "self.a = made()\nself.b = made()",
        "return self.a(x)",
        more=f"def made():\n    return {C}\n",
    ),
    "indices returned": net("self.a = nn.MaxPool2d(2, return_indices=True)\nself.c = CONV", CALL),
    "view": net(PLAIN, "x = self.a(x).view(1, 3, 9, 9)\nreturn self.c(x)"),
    "permuted": net(PLAIN, "x = self.a(x).permute(0, 2, 3, 1)\nreturn self.c(x)"),
    "flattened": net(PLAIN, "x = self.a(x).flatten(2)\nreturn self.c(x)"),
    "a tensor of the constructor's list": net(
        "self.a = [nn.MaxPool2d(2)]\nself.c = CONV", "x = self.a[0](x)\nself.a.append(3)\nreturn self.c(x)"
    ),
}


@pytest.mark.parametrize("text", LOST.values(), ids=LOST)
def test_lost(text: str) -> None:
    assert told(known(text, SIZE), channels_last=False).startswith("lost: ")

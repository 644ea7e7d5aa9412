"""Files of any length, one kind of code each: analysis must take time in proportion to their lines."""

from __future__ import annotations

from collections.abc import Callable

KERAS = "import keras\nfrom keras import Input, layers\n\n"
TORCH = "from torch import nn\nfrom torch.nn import functional as F\n\n"
SAME = "layers.Conv2D(8, 3, strides=2, padding='same')"


def functions(lines: int) -> str:
    """Small functions that know nothing of each other."""
    return KERAS + "".join(
        f"def block_{i}(x, filters=8):\n"
        f"    y = {SAME}(x)\n"
        "    return layers.ReLU()(y)\n"
        "\n"
        for i in range(lines // 4)
    )  # fmt: skip


def wrappers(lines: int) -> str:
    """Functions that hand their stride on to the one before, in chains of ten."""
    text = [KERAS]
    for i in range(lines // 3):
        inner = (
            f"block_{i - 1}(x, strides)"
            if i % 10
            else "layers.Conv2D(8, 3, strides=strides, padding='same')(x)"
        )
        text.append(f"def block_{i}(x, strides=1):\n    return {inner}\n\n")
    return "".join(text)


def one_chain(lines: int) -> str:
    """Functions that each call the one before: a single chain as deep as the file is long."""
    text = [KERAS, f"def block_0(x, strides=2):\n    return {SAME}(x)\n\n"]
    text += (
        f"def block_{i}(x, strides=2):\n    return block_{i - 1}(x, strides)\n\n"
        for i in range(1, lines // 3)
    )
    return "".join(text)


def callers(lines: int) -> str:
    """One wrapper that the whole file calls."""
    return (
        f"{KERAS}def block(x, filters, strides=1):\n"
        "    return layers.Conv2D(filters, 3, strides=strides, padding='same')(x)\n\n"
        "x = Input((1024, 1024, 3))\n"
    ) + "".join(f"x = block(x, {8 + i % 9}, strides={i % 2 + 1})\n" for i in range(lines))


def recursion(lines: int) -> str:
    """Functions that call themselves and their neighbours."""
    count = lines // 5
    return KERAS + "".join(
        f"def block_{i}(x, depth, strides=2):\n"
        "    if depth:\n"
        f"        return block_{i}(block_{(i + 1) % count}(x, depth - 1), depth - 1, strides)\n"
        f"    return {SAME}(x)\n\n"
        for i in range(count)
    )


def functional(lines: int) -> str:
    """One functional model, of which each layer reads the one before."""
    return f"{KERAS}x = Input((224, 224, 3))\n" + "".join(
        f"x = {SAME}(x)\n" if i % 2 else "x = layers.UpSampling2D()(x)\n" for i in range(lines)
    )


def sequential(lines: int) -> str:
    """One Sequential."""
    layers = "".join(f"    {SAME},\n    layers.UpSampling2D(),\n" for _ in range(lines // 2))
    return f"{KERAS}model = keras.Sequential([\n    Input((224, 224, 3)),\n{layers}])\n"


def added(lines: int) -> str:
    """One Sequential that grows by `add`."""
    return f"{KERAS}model = keras.Sequential()\nmodel.add(Input((224, 224, 3)))\n" + "".join(
        f"model.add({SAME})\n" if i % 2 else "model.add(layers.UpSampling2D())\n" for i in range(lines)
    )


def reassigned(lines: int) -> str:
    """One name, assigned in every line."""
    values = "".join(f"strides = {i % 2 + 1}\n" for i in range(lines))
    return f"{KERAS}{values}x = layers.Conv2D(8, 3, strides=strides, padding='same')(x)\n"


def branches(lines: int) -> str:
    """Conditions after one another: two worlds each, 2 to the n together."""
    return f"{KERAS}def model(x, strides=1, **flags):\n" + "".join(
        f"    if flags['f{i}']:\n"
        f"        x = {SAME}(x)\n"
        "    else:\n"
        "        strides = 2\n"
        for i in range(lines // 4)
    )  # fmt: skip


def loops(lines: int) -> str:
    """Loops in loops over literals."""
    return f"{KERAS}x = Input((224, 224, 3))\n" + "".join(
        "for width in (8, 16):\n    for strides in range(1, 3):\n"
        "        x = layers.Conv2D(width, 3, strides=strides, padding='same')(x)\n"
        for _ in range(lines // 3)
    )


def numbers(lines: int) -> str:
    """A list of ten numbers to the line."""
    rows = "".join("    " + ", ".join(str(i * 10 + j) for j in range(10)) + ",\n" for i in range(lines))
    return f"{KERAS}weights = [\n{rows}]\nx = {SAME}(weights)\n"


def modules(lines: int) -> str:
    """Modules of PyTorch with a pad of their own."""
    return TORCH + "".join(
        f"class Block{i}(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.conv = nn.Conv2d(8, 8, 3, stride=2)\n\n"
        "    def forward(self, x):\n"
        "        return self.conv(F.pad(x, (1, 1, 1, 1)))\n\n"
        for i in range(lines // 8)
    )


def calls(lines: int) -> str:
    """One expression: a chain of method calls as long as the file, one to the line."""
    chained = "".join("    .add(nn.Conv2d(3, 3, 3, padding='same'))\n" for _ in range(lines))
    return f"{TORCH}model = (\n    nn.Sequential()\n{chained})\n"


KINDS: dict[str, Callable[[int], str]] = {
    kind.__name__.replace("_", "-"): kind
    for kind in (
        functions, wrappers, one_chain, callers, recursion, functional, sequential, added,
        reassigned, branches, loops, numbers, modules, calls,
    )
}  # fmt: skip

"""Random torch modules as source text, and the sizes that reach their layers when they run."""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from types import FrameType, SimpleNamespace
from typing import Any

NAME = "<generated>"

_LAYERS = (
    "nn.Conv2d(4, 4, {k}, stride={s}, padding={p})",
    "nn.Conv2d(4, 4, {k}, {s}, dilation={d})",
    "nn.Conv2d(4, 4, ({k}, 1), padding='same')",
    "nn.MaxPool2d({k}, {s})",
    "nn.MaxPool2d(3, {s}, ceil_mode=True)",
    "nn.AvgPool2d({k}, {s})",
    "nn.ConvTranspose2d(4, 4, {k}, {s})",
    "nn.ZeroPad2d((0, {p}, {d}, 1))",
    "nn.Upsample(scale_factor=2)",
    "nn.AdaptiveAvgPool2d({n})",
    "nn.ReLU()",
    "nn.BatchNorm2d(4)",
    "nn.Identity()",
)
_FUNCTIONS = (
    "F.max_pool2d({x}, {k}, {s})",
    "F.avg_pool2d({x}, {k})",
    "F.pad({x}, (0, {p}, {d}, 1))",
    "F.interpolate({x}, size={n})",
    "F.interpolate({x}, scale_factor=2)",
    "F.relu({x})",
    "{x}[:, :, 1:, {d}:-1]",
    "{x}[..., ::2, :]",
    "{x}.transpose(2, 3)",
    "{x}.contiguous()",
    "{x} * 2",
    "torch.sigmoid({x})",
    "{x} + F.relu({x})",
)


class Writer:
    """Writes one random file."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.classes: list[str] = []

    def file(self) -> str:
        """The text; its last class is the model."""
        rows = ["import torch", "import torch.nn.functional as F", "from torch import nn", ""]
        rows += ["def made(k, s=1):", "    return nn.Sequential(", "        nn.Conv2d(4, 4, k, s),"]
        rows += ["        nn.ReLU(),", "    )", ""]
        for i in range(self.draw.randint(1, 3)):
            rows += self._class(f"Part{i}")
            self.classes.append(f"Part{i}")
        rows += self._class("Model", last=True)
        if self.draw.random() < 0.5:
            self._disturb(rows)
        else:
            rows += ["def made_last():", "    return Model()"]
        return "\n".join(rows) + "\n"

    def _disturb(self, rows: list[str]) -> None:
        """Let something change what the classes do, out of their own sight."""
        i, layer, part = self.draw.randrange(2), self._layer(), self.draw.choice([*self.classes, "Model"])
        start = rows.index(f"class {part}(nn.Module):")
        forward = next(n for n in range(start, len(rows)) if rows[n].startswith("    def forward"))
        kind = self.draw.randrange(11)
        if kind == 0:
            rows += ["class Last(Model):", "    def __init__(self):", "        super().__init__()"]
            rows += [f"        self.m{i} = {layer}", "", "def made_last():", "    return Last()"]
            return
        rows += ["def made_last():", "    model = Model()", "    parts = [model]"]
        rows += ["    for module in model.modules():", "        parts.append(module)"]
        rows += ["    for module in parts:", f"        if type(module).__name__ == '{part}':"]
        inside = " " * 12
        if kind == 1:
            rows += [f"{inside}module.m{i} = {layer}"]
        elif kind == 2:
            rows += [f"{inside}setattr(module, 'm' + '{i}', {layer})"]
        elif kind == 3:
            rows += [f"{inside}module.m{i}.stride = (3, 3)"]
        elif kind == 4:
            rows += [f"{inside}module.m{i}.register_forward_hook(lambda m, x, y: y[..., 1:])"]
        elif kind == 5:
            rows += [f"{inside}module.change()"]
            rows[forward:forward] = ["    def change(self):", f"        self.m{i} = {layer}", ""]
        elif kind == 6:
            rows += [f"{inside}pass"]
            rows[forward + 1 : forward + 1] = [f"        self.m{i} = {layer}"]
        elif kind == 7:
            rows += [f"{inside}pass"]
            rows[forward + 1 : forward + 1] = [f"        part = self.m{i}", "        x = part(x)"]
        elif kind == 8:
            rows += [f"{inside}pass"]
            rows[forward + 1 : forward + 1] = [f"        x = twice(self.m{i}, x)"]
            rows[start:start] = ["def twice(m, x):", "    return m(m(x))", ""]
        elif kind == 9:
            rows += [f"{inside}pass"]
            rows[forward + 1 : forward + 1] = [
                "        for child in self.children():",
                "            x = child(x)",
            ]
        else:
            rows += [f"{inside}module.several.append({layer})"]
        rows += ["    return model"]

    def _numbers(self) -> dict[str, int]:
        draw = self.draw.choice
        return {
            "k": draw((1, 2, 3)),
            "s": draw((1, 1, 2)),
            "p": draw((0, 1)),
            "d": draw((1, 2)),
            "n": draw((9, 12)),
        }

    def _layer(self) -> str:
        return self.draw.choice(_LAYERS).format(**self._numbers())

    def _module(self, depth: int = 0) -> str:
        kind = self.draw.random()
        if kind < 0.25 and self.classes:
            name = self.draw.choice(self.classes)
            return f"{name}({self.draw.choice(('', '2', 'k=1', '1, s=2', 'k=3, s=1'))})"
        if kind < 0.4 and depth < 2:
            inner = f",\n{' ' * (12 + 4 * depth)}".join(
                self._module(depth + 1) for _ in range(self.draw.randint(1, 3))
            )
            return f"nn.Sequential(\n{' ' * (12 + 4 * depth)}{inner})"
        if kind < 0.45:
            return f"made({self.draw.choice(('1', '3, 2', '2, s=1'))})"
        if kind < 0.6:
            return self.draw.choice(_LAYERS).format(k="k", s="s", p=1, d=1, n=10)
        return self._layer()

    def _class(self, name: str, last: bool = False) -> list[str]:
        count = self.draw.randint(2, 5)
        rows = [
            f"class {name}(nn.Module):",
            "    def __init__(self, k=2, s=1):",
            "        super().__init__()",
        ]
        rows.append("        self.k = k")
        for i in range(count):
            rows += self._attribute(i)
        rows += ["        self.several = nn.ModuleList(["]
        rows += [f"            {self._layer()}," for _ in range(2)] + ["        ])", ""]
        rows += ["    def helper(self, x):", *self._body(count, "y", 2), "        return y", ""]
        rows += ["    def forward(self, x):", "        x = self.helper(x)"][: self.draw.choice((1, 2))]
        rows += [*self._body(count, "x", 5 if last else 3)]
        return [*rows, "        return x", ""]

    def _attribute(self, i: int) -> list[str]:
        kind = self.draw.random()
        if kind < 0.12:
            return [
                f"        self.m{i} = (",
                f"            {self._module(1)}",
                f"            if {self.draw.choice(('s > 1', 'k == 2', 'random() < 0.5'))} else",
                f"            {self._module(1)}",
                "        )",
            ]
        if kind < 0.2:
            rows = [f"        if {self.draw.choice(('s > 1', 'random() < 0.5'))}:"]
            rows += [f"            self.m{i} = {self._module(1)}", "        else:"]
            return [*rows, f"            self.m{i} = {self._module(1)}"]
        return [f"        self.m{i} = {self._module()}"]

    def _body(self, count: int, target: str, length: int) -> list[str]:
        rows = [f"        {target} = x"] if target != "x" else []
        for _ in range(length):
            rows += self._statement(count, target)
        return rows

    def _statement(self, count: int, x: str) -> list[str]:
        kind, i = self.draw.random(), self.draw.randrange(count)
        if kind < 0.45:
            return [f"        {x} = self.m{i}({x})"]
        if kind < 0.55:
            step = self.draw.choice(_FUNCTIONS).format(x=x, **{**self._numbers(), "k": "self.k"})
            return [f"        {x} = {step}"]
        if kind < 0.7:
            return [f"        {x} = {self.draw.choice(_FUNCTIONS).format(x=x, **self._numbers())}"]
        if kind < 0.76:
            return ["        for part in self.several:", f"            {x} = part({x})"]
        if kind < 0.82:
            return [f"        {x} = self.several[{self.draw.choice((0, 1, -1))}]({x})"]
        if kind < 0.86:
            return ["        for _ in range(2):", f"            {x} = self.m{i}({x})"]
        if kind < 0.92:
            test = self.draw.choice(("self.k > 1", "self.training", "random() < 0.5"))
            rows = [f"        if {test}:", f"            {x} = self.m{i}({x})"]
            return [*rows, f"            return {x}"] if self.draw.random() < 0.3 else rows
        return [f"        {x} = self.helper({x})"] if x == "x" else [f"        {x} = self.m{i}.forward({x})"]


def sizes_when_run(text: str, size: tuple[int, int], seed: int) -> dict[int, set[tuple[int, ...]]]:
    """The spatial sizes that reach the layers and functions of each row. Raises what the model raises."""
    import torch
    from torch import nn
    from torch.nn import functional
    from torch.nn.modules.module import register_module_forward_pre_hook

    found: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    rows: dict[int, int] = {}

    def recording(name: str) -> Any:
        function = getattr(functional, name)

        def call(x: Any, *args: Any, **kwargs: Any) -> Any:
            found[_row()].add(tuple(x.shape[2:]))
            return function(x, *args, **kwargs)

        return call

    space: dict[str, Any] = {"random": random.Random(seed).random}
    names = ("max_pool2d", "avg_pool2d", "pad", "interpolate", "relu")
    original = nn.Module.__init__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        rows[id(self)] = _row()
        original(self, *args, **kwargs)

    nn.Module.__init__ = init  # type: ignore[method-assign]
    hook = register_module_forward_pre_hook(
        lambda module, inputs: (
            found[rows[id(module)]].add(tuple(inputs[0].shape[2:]))
            if type(module).__module__.startswith("torch.") and not isinstance(module, nn.Sequential)
            else None
        )
    )
    try:
        exec(compile(text, NAME, "exec"), space)
        space["F"] = SimpleNamespace(**{name: recording(name) for name in names})
        with torch.device("meta"):  # which computes sizes only
            model = space["made_last"]()
            for training in (False, True):
                model.train(training)(torch.zeros(2, 4, *size))
    finally:
        hook.remove()
        nn.Module.__init__ = original  # type: ignore[method-assign]
    return found


def _row() -> int:
    """The row of the generated file that is being run."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename != NAME:
        frame = frame.f_back
    assert frame is not None
    return frame.f_lineno

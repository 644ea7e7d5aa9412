"""Random programs that build Keras models: layers, joins, branches, loops, wrappers, lists and closures."""

from __future__ import annotations

from random import Random

HEAD = """import keras
from keras import layers


def unknown(value):
    return value

"""
_SMALL = 24  # tensors are not made smaller than about this


class Program:
    """Writes one program; every layer stands in a row of its own."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._rows: list[str] = []
        self._wrappers: list[str] = []
        self._makers: list[str] = []
        self._fresh = 0

    @property
    def text(self) -> str:
        """The program. Its function `build` makes a model."""
        for i in range(self._random.randint(0, 3)):
            self._define(i)
        size = self._random.choice([31, 32, 45, 64, 96])
        self._add(0, "def build():")
        self._add(1, f"x = keras.Input(({size}, {self._random.choice([size, 40])}, 4))")
        self._add(1, "y = x")
        self._add(1, "z = layers.ReLU()(x)")
        self._add(1, f"s = {self._random.randint(1, 2)}")
        self._add(1, "kept = [x]")
        if self._random.random() < 0.4:
            self._nested()
        self._statements(1, self._random.randint(4, 12), 0)
        self._add(1, "return x")
        return HEAD + "\n".join(self._rows) + "\n\n\nbuild()\n"

    def _add(self, level: int, row: str) -> None:
        self._rows.append("    " * level + row)

    def _define(self, number: int) -> None:
        """A wrapper, or a function that makes one."""
        wrappers = list(self._wrappers)
        name = f"{self._random.choice(['', '_'])}block{number}"
        if self._random.random() < 0.3:
            self._add(0, f"def {name}(s=1, k=3):")
            self._add(1, "def apply(x):")
            self._body(2, wrappers)
            self._add(1, "return apply")
            self._makers.append(name)
        else:
            self._add(0, f"def {name}(x, s=1, k=3):")
            self._body(1, wrappers)
            self._wrappers.append(name)

    def _body(self, level: int, wrappers: list[str]) -> None:
        self._add(level, "y = z = x")
        self._add(level, "kept = [x]")
        self._statements(level, self._random.randint(1, 4), 1)
        if self._random.random() < 0.3:
            self._add(level, f"if {self._test()}:")
            self._add(level + 1, "return y")
        self._add(level, "return x")

    def _nested(self) -> None:
        self._add(1, "def inner(x):")
        self._body(2, [])
        self._wrappers.append("inner")

    def _statements(self, level: int, count: int, depth: int) -> None:
        for _ in range(count):
            self._statement(level, depth)

    def _statement(self, level: int, depth: int) -> None:
        kind = self._random.random()
        if kind < 0.45 or depth > 2:
            self._add(level, f"{self._name()} = {self._layer()}({self._name()})")
        elif kind < 0.6:
            self._join(level)
        elif kind < 0.7 and (self._wrappers or self._makers):
            self._call(level)
        elif kind < 0.8:
            self._branch(level, depth)
        elif kind < 0.9:
            self._loop(level, depth)
        else:
            self._constant(level)

    def _name(self) -> str:
        return self._random.choice("xxxyz")

    def _layer(self) -> str:
        pick = self._random.choice
        kernel, stride, padding = pick([1, 2, 3, 4, "k"]), pick([1, 1, 2, 3, "s"]), pick(["same", "valid"])
        if kernel == "k" and not self._rows[-1].startswith("  "):
            kernel = 3
        conv = f"layers.Conv2D(4, {3 if kernel == 'k' else kernel}, strides={stride}, padding='{padding}')"
        return pick(
            [
                conv,
                conv,
                conv,
                f"layers.MaxPooling2D(2, strides={stride}, padding='{padding}')",
                f"layers.AveragePooling2D({pick([2, 3])}, padding='{padding}')",
                f"layers.DepthwiseConv2D(3, strides={pick([1, 2])}, padding='{padding}')",
                f"layers.ZeroPadding2D((({pick([0, 1])}, 1), (2, {pick([0, 3])})))",
                "layers.Cropping2D(((0, 1), (1, 0)))",
                f"layers.UpSampling2D({pick([1, 2])})",
                f"layers.Conv2DTranspose(4, {pick([2, 3])}, strides=2, padding='{padding}')",
                "layers.BatchNormalization()",
                "layers.Dropout(0.5)",
                f"layers.Resizing({pick([32, 33])}, 40)",
                "layers.Dense(4)",
                "keras.Sequential([layers.ReLU(), layers.MaxPooling2D(2)])",
            ]
        )

    def _join(self, level: int) -> None:
        first, second = self._name(), self._name()
        row = self._random.choice(
            [
                f"layers.Add()([{first}, {second}])",
                f"layers.add([{first}, {second}])",
                f"{first} + {second}",
                f"{first} * unknown({second})",
                f"layers.Concatenate()([{first}, unknown({second})])",
                f"layers.Concatenate(axis={self._random.choice([1, 2, 3, -1, -2])})([{first}, {second}])",
                f"layers.maximum([kept[{self._random.choice([0, -1])}], {first}])",
                f"{first} * 2",
            ]
        )
        self._add(level, "try:")  # sizes that do not fit raise, and nothing happens
        self._add(level + 1, f"joined = {row}")
        self._add(level, "except ValueError:")
        self._add(level + 1, "return x")
        self._add(level, f"{self._name()} = joined")

    def _call(self, level: int) -> None:
        stride = self._random.choice(["", ", 2", ", s", ", s=1", ", unknown(2)"])
        names = [name for name in self._wrappers if name != "inner" or level]
        if self._makers and (not names or self._random.random() < 0.5):
            maker = self._random.choice(self._makers)
            self._add(level, f"{self._name()} = {maker}({stride.strip(', ')})({self._name()})")
        elif names:
            name = self._random.choice(names)
            stride = "" if name == "inner" else stride
            self._add(level, f"{self._name()} = {name}({self._name()}{stride})")

    def _test(self) -> str:
        return self._random.choice(
            ["s == 1", "s > 1", "unknown(True)", "unknown(False)", "s == 2 and unknown(1)"]
        )

    def _branch(self, level: int, depth: int) -> None:
        self._add(level, f"if {self._test()}:")
        self._statements(level + 1, self._random.randint(1, 3), depth + 1)
        if self._random.random() < 0.5:
            self._add(level, "else:")
            self._statements(level + 1, self._random.randint(1, 2), depth + 1)

    def _loop(self, level: int, depth: int) -> None:
        pick = self._random.choice
        self._fresh += 1
        index = f"i{self._fresh}"
        row = pick(
            [
                f"for {index} in range({pick([1, 2])}):",
                f"for {index} in range(unknown({pick([0, 1, 2])})):",
                f"for {index}, s in enumerate([1, 2]):",
                f"for {index}, s in [(1, 2), (2, 1)]:",
                f"for {index} in kept:",
            ]
        )
        self._add(level, row)
        self._statements(level + 1, self._random.randint(1, 2), depth + 1)
        if self._random.random() < 0.2:
            self._add(level + 1, f"if {self._test()}:")
            self._add(level + 2, pick(["break", "continue"]))

    def _constant(self, level: int) -> None:
        self._add(
            level,
            self._random.choice(
                [
                    f"s = {self._random.randint(1, 3)}",
                    "s = 2 if s == 1 else 1",
                    "s = unknown(1)",
                    "kept.append(x)",
                    "kept.append(y)",
                    "x, y = y, x",
                    "kept = [y, z]",
                    "unknown(kept).append(z)",
                    "more = kept",
                    "z = kept[0]",
                ]
            ),
        )

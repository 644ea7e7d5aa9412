"""When a pad layer in a functional model of Keras may move the weights of others."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from padlint.engine import check, fix
from padlint.options import Options
from padlint.rewrites.order import CAVEAT

IMPORTS = "from keras import Input, Model, layers\n"
PADDED = 'layers.Conv2D(3, 3, strides=2, padding="same")'

IN_ORDER = {
    "a chain": f"""
        image = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(image)
        x = {PADDED}(x)
        model = Model(image, layers.ReLU()(x))
        """,
    "a chain under several names": f"""
        image = Input((32, 32, 3))
        a = layers.Conv2D(3, 3, padding="same")(image)
        b = {PADDED}(a)
        c = {PADDED}(b)
        model = Model(image, c)
        """,
    "branches behind it": f"""
        image = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(image)
        x = {PADDED}(x)
        y = layers.Conv2D(3, 3, padding="same")(x)
        model = Model(image, layers.add([x, y]))
        """,
    "branches in front of it": f"""
        image = Input((32, 32, 3))
        a = layers.Conv2D(3, 3, padding="same")(image)
        b = layers.Conv2D(3, 5, padding="same")(image)
        x = layers.add([a, b])
        x = {PADDED}(x)
        model = Model(image, x)
        """,
    "the first layer of a branch": f"""
        image = Input((32, 32, 3))
        a = {PADDED}(image)
        b = layers.Conv2D(3, 2, strides=2)(image)
        model = Model(image, layers.add([a, b]))
        """,
    "behind layers without weights": f"""
        image = Input((32, 32, 3))
        x = layers.Rescaling(1 / 255)(image)
        a = {PADDED}(x)
        b = layers.Conv2D(3, 2, strides=2)(x)
        model = Model(image, layers.add([a, b]))
        """,
    "a model each": f"""
        one = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(one)
        first = Model(one, {PADDED}(x))
        two = Input((32, 32, 3))
        y = layers.Conv2D(3, 3, padding="same")(two)
        second = Model(two, {PADDED}(y))
        """,
    "a builder with numbers": f"""
        def build(input_tensor=None, filters=8, classes=10, name=None):
            image = Input((32, 32, 3))
            x = layers.Conv2D(filters, 3, padding="same")(image)
            x = {PADDED}(x)
            x = layers.Dense(classes)(x)
            return Model(image, x, name=name)
        """,
    "a builder whose callers give numbers": f"""
        def net(width, blocks=None, table="default"):
            if table == "default":
                table = [1, 2]
            image = Input((32, 32, 3))
            x = layers.Conv2D(3, 3, padding="same")(image)
            x = {PADDED}(x)
            table = list(table)
            for i in table:
                x = layers.Conv2D(wide(i, width) + len(blocks), 1)(x)
            return Model(image, x)

        def wide(n, width):
            return int(n * width)

        def build():
            return net(2.0, blocks=[3])
        """,
    "a loop": f"""
        image = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(image)
        for _ in range(2):
            x = {PADDED}(x)
        model = Model(image, x)
        """,
    "a Sequential": f"""
        import keras
        model = keras.Sequential([
            Input((32, 32, 3)), {PADDED}, layers.Flatten(), layers.Dense(3)
        ])
        """,
    "a function that is called in a chain": f"""
        def build():
            def down(x):
                x = layers.ReLU()(x)
                return {PADDED}(x)

            image = Input((32, 32, 3))
            x = layers.Conv2D(3, 3, padding="same")(image)
            x = down(x)
            return Model(image, x)
        """,
}

OUT_OF_ORDER = {
    "a branch that a capitalised function continues": f"""
        def Block(x):
            return layers.Conv2D(3, 1, strides=2)(x)

        image = Input((32, 32, 3))
        r = layers.Conv2D(3, 3, padding="same")(image)
        p = layers.Conv2D(3, 3, padding="same")(image)
        q = {PADDED}(p)
        model = Model(image, layers.add([q, Block(r)]))
        """,
    "one of two branches": f"""
        image = Input((32, 32, 3))
        b = layers.Conv2D(3, 3, padding="same")(image)
        b = layers.MaxPooling2D(2)(b)
        a = layers.Conv2D(3, 3, padding="same")(image)
        a = {PADDED}(a)
        model = Model(image, layers.Concatenate()([b, a]))
        """,
    "a shortcut": f"""
        image = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(image)
        short = layers.Conv2D(3, 1, strides=2)(x)
        x = layers.Conv2D(3, 3, padding="same")(x)
        x = {PADDED}(x)
        model = Model(image, layers.add([x, short]))
        """,
    "a shortcut under another name": f"""
        image = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(image)
        y = {PADDED}(x)
        short = x
        short = layers.MaxPooling2D(2)(short)
        model = Model(image, layers.add([y, short]))
        """,
    "two outputs": f"""
        image = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(image)
        y = layers.Conv2D(3, 3, padding="same")(x)
        y = {PADDED}(y)
        model = Model(image, [x, y])
        """,
    "two inputs": f"""
        one = Input((32, 32, 3))
        a = layers.Conv2D(3, 3, padding="same")(one)
        a = {PADDED}(a)
        two = Input((16, 16, 3))
        b = layers.Conv2D(3, 3, padding="same")(two)
        model = Model([one, two], layers.add([a, b]))
        """,
    "within one statement": f"""
        image = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(image)
        y = layers.add([{PADDED}(x), layers.MaxPooling2D(2)(x)])
        model = Model(image, y)
        """,
    "in a closure": f"""
        image = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(image)
        def head(z):
            return layers.add([z, layers.MaxPooling2D(2)(x)])
        y = {PADDED}(x)
        model = Model(image, head(y))
        """,
    "a parameter that a caller gives a tensor": f"""
        def net(image, other):
            x = layers.Conv2D(3, 3, padding="same")(image)
            x = {PADDED}(x)
            return Model(image, layers.add([x, other]))

        def build():
            image = Input((32, 32, 3))
            return net(image, layers.MaxPooling2D(2)(image))
        """,
    "a parameter that nobody gives": f"""
        def net(other):
            image = Input((32, 32, 3))
            x = layers.Conv2D(3, 3, padding="same")(image)
            x = {PADDED}(x)
            return Model(image, down(x, other))
        """,
    "a parameter that is given nothing": f"""
        def net(other=None):
            image = Input((32, 32, 3))
            x = layers.Conv2D(3, 3, padding="same")(image)
            x = {PADDED}(x)
            return Model(image, x if other is None else layers.add([x, down(other)]))

        model = net(None)
        """,
    "an input that a function makes": f"""
        def pictures():
            return Input((32, 32, 3))

        image = pictures()
        net = layers.Conv2D(3, 3, padding="same")(image)
        x = Input((32, 32, 3))
        x = layers.Conv2D(3, 3, padding="same")(x)
        y = {PADDED}(x)
        model = Model(image, layers.add([y, layers.MaxPooling2D(2)(net)]))
        """,
    "a function that is called in a branch": f"""
        def build():
            def down(x):
                x = layers.ReLU()(x)
                return {PADDED}(x)

            image = Input((32, 32, 3))
            x = layers.Conv2D(3, 3, padding="same")(image)
            y = down(x)
            return Model(image, layers.add([y, layers.MaxPooling2D(2)(x)]))
        """,
}


def sources(table: dict[str, str]) -> list[object]:
    return [pytest.param(IMPORTS + textwrap.dedent(text), id=name) for name, text in table.items()]


def caveats(text: str) -> list[bool]:
    found = check(text, Options(codes=frozenset({"PAD101"})))
    assert found
    return [CAVEAT in finding.fix.message for finding in found if finding.fix is not None]


@pytest.mark.parametrize("text", sources(IN_ORDER))
def test_in_order(text: str) -> None:
    assert not any(caveats(text))


@pytest.mark.parametrize("text", sources(OUT_OF_ORDER))
def test_out_of_order(text: str) -> None:
    assert all(caveats(text))


def _models(text: str) -> list[object]:
    import keras

    names: dict[str, object] = {}
    exec(text, names)
    built = names["build"]() if "build" in names else None
    return [value for value in (built, *names.values()) if isinstance(value, keras.Model)]


@pytest.mark.parametrize("text", sources(IN_ORDER))
def test_weights_go_over_by_their_order(text: str) -> None:
    fixed = fix(text, Options(codes=frozenset({"PAD101"})))
    x = np.random.default_rng(0).normal(size=(1, 32, 32, 3)).astype("float32")
    for before, after in zip(_models(text), _models(fixed.text), strict=True):
        after.set_weights(before.get_weights())
        assert np.abs(np.asarray(before(x)) - np.asarray(after(x))).max() < 1e-5


def test_weights_would_go_astray() -> None:
    text = IMPORTS + textwrap.dedent(OUT_OF_ORDER["one of two branches"])
    fixed = fix(text, Options(codes=frozenset({"PAD101"})), unsafe=True)
    (before,), (after,) = _models(text), _models(fixed.text)
    after.set_weights(before.get_weights())
    x = np.random.default_rng(0).normal(size=(1, 32, 32, 3)).astype("float32")
    assert np.abs(np.asarray(before(x)) - np.asarray(after(x))).max() > 1e-2

"""Every way to spell an operator leads to it, and nothing else does."""

from __future__ import annotations

import importlib

import pytest

from padlint import catalogue
from padlint.catalogue.model import Family

from .frameworks import module, resolve

OPERATORS = catalogue.operators()
BY_NAME = {operator.name: operator for operator in OPERATORS if not operator.retired}

LOOK_ALIKES = (
    *("detectron2.layers.Conv2d", "mxnet.gluon.nn.Conv2D", "paddle.nn.Conv2D", "my.nn.Conv2d", "nn.Conv2d"),
    *("mmcv.cnn.Conv2d", "torchvision.ops.Conv2d", "torchx.nn.Conv2d", "jaxlib.lax.conv"),
    *("torch.nn.Foo", "torch.nn.conv2d", "torch.nn.functional.Conv2d", "torch.Conv2d", "torch.pad", "torch"),
    *("torch.max_pool4d", "torch.nn.Conv4d", "torch.nn.quantized.conv2d", "torch.ao.nn.Conv2d"),
    *("torch.nn.intrinsic.ConvReLU2d", "torch.jit.nn.Conv2d", "torch.nn", "torch.nn.functional", "Conv2d"),
    *(
        "keras.Conv2D",
        "keras.layers.conv2d",
        "keras.models.Conv2D",
        "keras.layers",
        "keras.layers.ConvLSTM2D",
    ),
    *("keras_cv.layers.Conv2D", "keras.src.backend.Conv2D", "keras.losses.Conv2D", "mykeras.layers.Conv2D"),
    *("keras.layers.Conv4D", "keras.utils.Sequential", "keras.Sequential.Model", "keras.activations.Conv2D"),
    *(
        "keras.layers.DepthwiseConv3D",
        "tensorflow.layers.conv4d",
        "tensorflow.conv2d",
        "tensorflow.nn.Conv2D",
    ),
    *("tensorflow.compat.nn.conv2d", "tensorflow.nn.pad", "slim.conv2d", "tf_slim.nets.conv2d"),
    *("tensorflow.contrib.nn.conv2d", "tensorflow.compat.v2.layers.conv2d", "tensorflow.linalg.sigmoid"),
    *("torch.nn.quantized.MaxPool3d", "torch.ao.nn.intrinsic.ConvReLU2d", "torch.nn.quantized.nn.Conv2d"),
    *(
        "keras.ops.conv2d",
        "keras.ops.nn.pad",
        "keras.ops.numpy.conv",
        "tf_keras.ops.conv",
        "keras.ops.Conv2D",
    ),
    *("flax.nn.Conv", "flax.linen.Conv2D", "flax.linen.conv", "flax.Conv", "flax.nnx.linen.Conv"),
    *("flax.nnx.PReLU6", "flax.linen.mish", "flax.linen.pad", "jax.conv", "jax.nn.conv", "jax.numpy.conv"),
    *("jax.lax.max_pool", "jax.lax.lax.pad", "haiku.Conv4D", "haiku.SeparableDepthwiseConv2D"),
    *("tf_slim.arg_scope", "tf_slim.repeat", "tf_slim.stack", "onnx.helper.make_node", "onnx.Conv"),
    *("keras.layers.AtrousConvolution3D", "keras.layers.Deconvolution3D", "tf_keras.layers.AtrousConv2D"),
    *("tf.nn.conv2d", "tensorflow.nn.conv2d.conv2d", "Conv2D", "self.conv2d", ""),
    *("torch.nnx.Conv2d", "torch.nn.modulesx.Conv2d", "keras.layersx.Conv2D", "xkeras.layers.Conv2D"),
    *("keras.layers.X.Conv2D", "tensorflow.nnx.conv2d", "tensorflow.compat.v3.nn.conv2d", "torch.nn..Conv2d"),
)


@pytest.mark.parametrize("dotted", LOOK_ALIKES)
def test_look_alikes_are_not_known(dotted: str) -> None:
    assert catalogue.lookup(dotted) is None


@pytest.mark.parametrize(
    ("dotted", "name"),
    [
        ("torch.nn.Conv2d", "torch.nn.Conv2d"),
        ("torch.nn.modules.conv.Conv2d", "torch.nn.Conv2d"),
        ("torch.nn.modules.Conv2d", "torch.nn.Conv2d"),
        ("torch.conv2d", "torch.nn.functional.conv2d"),
        ("keras.layers.Convolution2D", "keras.layers.Conv2D"),
        ("keras.layers.AvgPool2D", "keras.layers.AveragePooling2D"),
        ("keras.layers.convolutional.Conv2D", "keras.layers.Conv2D"),
        ("keras.src.layers.convolutional.conv2d.Conv2D", "keras.layers.Conv2D"),
        ("keras.api.layers.Conv2D", "keras.layers.Conv2D"),
        ("keras.api._v2.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("keras._tf_keras.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.compat.v1.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.python.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.python.keras.layers.convolutional.Conv2D", "keras.layers.Conv2D"),
        ("tensorflow.contrib.keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("tf_keras.layers.Conv2D", "keras.layers.Conv2D"),
        ("keras.layers.Input", "keras.Input"),
        ("keras.Input", "keras.Input"),
        ("keras.engine.topology.Input", "keras.Input"),
        ("keras.models.Sequential", "keras.Sequential"),
        ("tensorflow.keras.Sequential", "keras.Sequential"),
        ("tensorflow.keras.activations.relu", "keras.activations.relu"),
        ("tensorflow.nn.conv2d", "tf.nn.conv2d"),
        ("tensorflow.compat.v2.nn.conv2d", "tf.nn.conv2d"),
        ("tensorflow.compat.v1.nn.conv2d", "tf.compat.v1.nn.conv2d"),
        ("tensorflow.compat.v1.nn.max_pool2d", "tf.nn.max_pool2d"),
        ("tensorflow.compat.v1.nn.relu", "tf.nn.relu"),
        ("tensorflow.sigmoid", "tf.nn.sigmoid"),
        ("torch.nn.quantized.Conv2d", "torch.ao.nn.quantized.Conv2d"),
        ("torch.ao.nn.quantized.modules.conv.Conv2d", "torch.ao.nn.quantized.Conv2d"),
        ("torch.nn.quantized.MaxPool2d", "torch.nn.MaxPool2d"),
        ("torch.nn.quantized.functional.conv2d", "torch.ao.nn.quantized.functional.conv2d"),
        ("torch.nn.quantized.dynamic.modules.conv.Conv1d", "torch.ao.nn.quantized.dynamic.Conv1d"),
        ("torch.nn.qat.Conv2d", "torch.ao.nn.qat.Conv2d"),
        ("torch.nn.intrinsic.qat.ConvBnReLU2d", "torch.ao.nn.intrinsic.qat.ConvBnReLU2d"),
        ("keras.ops.conv", "keras.ops.conv"),
        ("keras.ops.nn.max_pool", "keras.ops.max_pool"),
        ("keras.ops.numpy.pad", "keras.ops.pad"),
        ("keras.src.ops.nn.depthwise_conv", "keras.ops.depthwise_conv"),
        ("tensorflow.keras.ops.conv", "keras.ops.conv"),
        ("keras.layers.add", "keras.layers.add"),
        ("keras.layers.merging.concatenate.Concatenate", "keras.layers.Concatenate"),
        ("keras.layers.AtrousConv2D", "keras.layers.AtrousConvolution2D"),
        ("keras.layers.convolutional.Deconv2D", "keras.layers.Deconvolution2D"),
        ("tensorflow.layers.conv2d", "tf.compat.v1.layers.conv2d"),
        ("tensorflow.compat.v1.layers.Conv2D", "tf.compat.v1.layers.Conv2D"),
        ("tensorflow.python.layers.convolutional.Deconv2D", "tf.compat.v1.layers.Conv2DTranspose"),
        ("tf_slim.conv2d", "tf_slim.conv2d"),
        ("tf_slim.layers.layers.separable_convolution2d", "tf_slim.separable_conv2d"),
        ("tensorflow.contrib.slim.conv2d", "tf_slim.conv2d"),
        ("tensorflow.contrib.layers.conv2d", "tf_slim.conv2d"),
        ("tensorflow.contrib.layers.python.layers.layers.max_pool2d", "tf_slim.max_pool2d"),
        ("flax.linen.Conv", "flax.linen.Conv"),
        ("flax.linen.linear.Conv", "flax.linen.Conv"),
        ("flax.linen.relu", "jax.nn.relu"),
        ("flax.linen.normalize", "jax.nn.standardize"),
        ("flax.linen.pooling.min_pool", "flax.nnx.min_pool"),
        ("flax.nnx.Conv", "flax.nnx.Conv"),
        ("flax.experimental.nnx.Conv", "flax.nnx.Conv"),
        ("flax.nnx.max_pool", "flax.linen.max_pool"),
        ("flax.nnx.gelu", "jax.nn.gelu"),
        ("jax.lax.conv_general_dilated", "jax.lax.conv_general_dilated"),
        ("jax.nn.swish", "jax.nn.silu"),
        ("haiku.Conv2D", "haiku.Conv2D"),
        ("tensorflow.concat", "tf.concat"),
        ("tensorflow.math.add", "tf.add"),
        ("tensorflow.image.resize_images", "tf.compat.v1.image.resize"),
        ("tensorflow.depth_to_space", "tf.compat.v1.nn.depth_to_space"),
        ("tensorflow.nn.depthwise_conv2d_native", "tf.compat.v1.nn.depthwise_conv2d_native"),
        ("tensorflow.pad", "tf.pad"),
        ("tensorflow.compat.v1.pad", "tf.compat.v1.pad"),
    ],
)
def test_lookup(dotted: str, name: str) -> None:
    found = catalogue.lookup(dotted)
    assert found is not None
    assert found.name == name


def test_keras_2_packages_give_its_signatures() -> None:
    for dotted in ("tf_keras.layers.Conv3DTranspose", "tensorflow.python.keras.layers.Conv3DTranspose"):
        found = catalogue.lookup(dotted)
        assert found is not None
        assert found == catalogue.older(BY_NAME["keras.layers.Conv3DTranspose"])
        assert found != catalogue.lookup("keras.layers.Conv3DTranspose")


def test_older_functions_are_those_of_tf_1() -> None:
    old = catalogue.older(BY_NAME["tf.nn.conv2d"])
    assert old is catalogue.lookup("tensorflow.compat.v1.nn.conv2d")
    assert old is not None
    assert old.roles["weight"] == "filter"
    assert old.aliases == {"filters": "filter"}
    assert catalogue.older(BY_NAME["tf.pad"]) is catalogue.lookup("tensorflow.compat.v1.pad")
    assert catalogue.older(old) is None
    assert catalogue.older(BY_NAME["tf.image.resize"]) is catalogue.lookup(
        "tensorflow.compat.v1.image.resize"
    )
    assert catalogue.older(BY_NAME["tf.nn.relu"]) is None
    assert catalogue.older(BY_NAME["torch.nn.Conv2d"]) is None


STARS = (
    *(
        "torch",
        "torch.nn",
        "torch.nn.modules",
        "torch.nn.functional",
        "keras",
        "keras.layers",
        "keras.models",
    ),
    *("keras.activations", "keras.ops", "tensorflow", "tensorflow.keras", "tensorflow.keras.layers"),
    *("tensorflow.keras.models", "tensorflow.keras.activations", "tensorflow.nn", "tensorflow.math"),
    *("tensorflow.compat.v1", "tensorflow.compat.v1.nn", "tensorflow.compat.v1.math", "tensorflow.image"),
    *("jax.lax", "jax.nn", "jax.numpy", "flax.linen", "flax.nnx", "haiku", "tf_slim"),
    *(
        "tensorflow.python.keras.layers",
        "tf_keras",
        "tf_keras.layers",
        "tf_keras.models",
        "tf_keras.activations",
    ),
)


def test_keras_1_comes_before_keras_2() -> None:
    pool = BY_NAME["keras.layers.AveragePooling2D"]
    second = catalogue.older(pool)
    assert second is not None
    first = catalogue.older(second)
    assert first is not None
    assert [p.signature[2].name for p in (pool, second, first)] == ["padding", "padding", "border_mode"]
    assert [p.retired for p in (pool, second, first)] == [False, False, True]
    assert {p.name for p in (pool, second, first)} == {pool.name}
    assert catalogue.older(first) is None


def test_keras_1_counts_rows_and_columns() -> None:
    conv = catalogue.older(BY_NAME["keras.layers.Conv2D"])
    assert conv is not None
    assert [p.name for p in conv.signature[:3]] == ["nb_filter", "nb_row", "nb_col"]
    assert conv.per_axis == {"kernel": ("nb_row", "nb_col")}
    assert (conv.roles["stride"], conv.roles["padding"]) == ("subsample", "border_mode")
    assert conv.default("stride") == (1, 1)


def test_quantized_operators_are_marked() -> None:
    for operator in OPERATORS:
        assert operator.quantized == operator.name.startswith("torch.ao.nn."), operator.name


@pytest.mark.parametrize(
    "dotted",
    [
        *("tf_slim.arg_scope", "tf_slim.ops.arg_scope.arg_scope", "tensorflow.contrib.slim.arg_scope"),
        *("tensorflow.contrib.framework.arg_scope", "tensorflow.contrib.framework.python.ops.arg_scope"),
    ],
)
def test_arg_scopes(dotted: str) -> None:
    assert catalogue.is_arg_scope(dotted)
    assert not catalogue.is_arg_scope(dotted + ".x")
    assert not catalogue.is_arg_scope(dotted.replace("arg_scope", "add_arg_scope"))
    if dotted.startswith("tf_slim"):
        module("tf_slim")
        assert resolve(dotted) is resolve("tf_slim.arg_scope")


@pytest.mark.parametrize("name", STARS)
def test_star_exports(name: str) -> None:
    module(name.partition(".")[0])
    found = resolve(name) if "." in name else importlib.import_module(name)
    exported = set(getattr(found, "__all__", [n for n in dir(found) if not n.startswith("_")]))
    known = {n for n in exported if catalogue.lookup(f"{name}.{n}")}
    claimed = catalogue.star_exports(name)
    assert known <= claimed
    assert {n for n in claimed if catalogue.lookup(f"{name}.{n}") is None} == set()
    if name.startswith(("torch", "keras", "tensorflow.nn", "flax", "tf_slim")):
        assert claimed == known


def test_star_exports_of_unknown_modules_are_empty() -> None:
    for name in ("mxnet.gluon.nn", "detectron2.layers", "os", "torch.optim", "keras.losses", "tensorflow.io"):
        assert catalogue.star_exports(name) == frozenset()


def test_is_module() -> None:
    for name in (
        *STARS,
        "torch.nn.modules.conv",
        "keras.layers.convolutional",
        "tensorflow.python.keras.layers",
    ):
        assert catalogue.is_module(name), name
    for name in ("torch.nn.Conv2d", "torch.optim", "keras.layers.Conv2D", "numpy", "keras.losses", ""):
        assert not catalogue.is_module(name), name


def test_operator_names() -> None:
    names = catalogue.operator_names()
    assert {"Conv2d", "Convolution2D", "conv2d", "ZeroPad2d", "pad", "relu", "Sequential"} <= names
    padded = catalogue.operator_names(catalogue.PADDED)
    assert {"Conv2d", "Convolution2D", "AvgPool2D", "avg_pool2d", "pad", "Unfold"} <= padded
    assert not padded & {"ReLU", "Sequential", "Flatten", "Input", "Dense", "Cropping2D"}
    assert catalogue.operator_names({Family.UNFOLD}) == {"Unfold", "unfold", "conv_general_dilated_patches"}


def test_prefilter_literals_are_in_every_name() -> None:
    literals = catalogue.prefilter_literals()
    assert len(literals) <= 7
    for name in catalogue.operator_names(catalogue.PADDED):
        assert any(literal in name.encode() for literal in literals), name
    assert not any(literal in b"import torch; relu(Linear(x)).softmax(load: bool)" for literal in literals)

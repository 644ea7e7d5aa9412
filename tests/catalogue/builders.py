"""Elementwise operators of every framework as functions from array to array, to measure what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from padlint.catalogue.model import REQUIRED, Kind, Operator

from .frameworks import canonical, module

Array = Any
Function = Callable[[Array], Array]

CHANNELS = 4
# Values for the parameters that have no default.
ARGUMENTS: dict[str, Any] = {
    "num_features": CHANNELS,
    "num_groups": 2,
    "num_channels": CHANNELS,
    "groups": 2,
    "normalized_shape": (5,),
    "size": 3,
    "dim": 1,
    "axis": -1,
    "threshold": 0.1,
    "value": 20.0,
    "default_value": 20.0,
    "rate": 0.3,
    "stddev": 0.3,
    "scale": 2.0,
    "offset": 1.0,
    "activation": "sigmoid",
    "variance_epsilon": 1e-3,
    "create_scale": True,
    "create_offset": True,
    "decay_rate": 0.9,
}
# What a norm or a dropout needs to run as it does after training.
TRAINED = {"use_running_average": True, "deterministic": True}


def shape(operator: Operator) -> tuple[int, ...]:
    """The shape of an input: two samples, `CHANNELS` channels, spatial axes of size 5."""
    rank = {"1d": 1, "1D": 1, "3d": 3, "3D": 3}.get(operator.short[-2:], 2)
    spatial = (5,) * rank
    return (2, *spatial, CHANNELS) if channels_last(operator) else (2, CHANNELS, *spatial)


def channels_last(operator: Operator) -> bool:
    """Where an elementwise operator expects the channels."""
    return operator.framework != "torch"


def build(operator: Operator, **more: Any) -> Function:
    """The operator with plausible arguments, and these."""
    by_framework = {
        "torch": _torch,
        "jax": _jax,
        "flax": _flax,
        "haiku": _haiku,
        "slim": _graph,
        "tf_layers": _graph,
    }
    return by_framework.get(operator.framework, _tensorflow)(operator, more)


def arguments(operator: Operator, arrays: dict[str, Array], more: dict[str, Any]) -> dict[str, Any]:
    """A value for every parameter without default, and arrays for those that may have one."""
    values = {**ARGUMENTS, **arrays} if operator.kind is Kind.FUNCTION else ARGUMENTS
    given = {
        p.name: values[p.name]
        for p in operator.signature
        if p.name in values
        and p.name != operator.roles.get("input")
        and (
            p.default is REQUIRED
            or (p.default is None and p.name in arrays)
            or p.name in ("groups", "num_groups", "rate")
        )
    }
    trained = {name: value for name, value in TRAINED.items() if operator.parameter(name)}
    return given | trained | more


def ones(operator: Operator) -> dict[str, Array]:
    """Statistics and weights as after training: an operator that adds an offset shows it."""
    size = 5 if operator.short in ("layer_norm", "rms_norm") else CHANNELS
    one = module("numpy").ones(size, "float32")
    return dict.fromkeys(
        ("weight", "bias", "running_mean", "running_var", "mean", "variance", "scale", "offset", "beta"), one
    )


def plain(tensor: Any) -> Array:
    """A tensor as an array of numpy."""
    return module("numpy").asarray(tensor)


def _torch(operator: Operator, more: dict[str, Any]) -> Function:
    torch = module("torch")
    arrays = {name: torch.from_numpy(array) for name, array in ones(operator).items()}
    if operator.short in ("layer_norm", "rms_norm"):
        arrays.pop("running_mean")
    found, given = canonical(operator), arguments(operator, arrays, more)
    if operator.kind is Kind.LAYER:
        layer = found(**given).eval()
        return lambda x: layer(torch.from_numpy(x)).detach().numpy()
    return lambda x: found(**{operator.roles["input"]: torch.from_numpy(x)}, **given).numpy()


def _tensorflow(operator: Operator, more: dict[str, Any]) -> Function:
    tensorflow = module("tensorflow")
    found, given = canonical(operator), arguments(operator, ones(operator), more)
    if operator.kind is Kind.LAYER:
        layer = found(**given)
        return lambda x: layer(tensorflow.constant(x)).numpy()
    return lambda x: found(**{operator.roles["input"]: tensorflow.constant(x)}, **given).numpy()


def _jax(operator: Operator, more: dict[str, Any]) -> Function:
    jax = module("jax")
    found, given = canonical(operator), arguments(operator, ones(operator), more)
    return lambda x: plain(found(jax.numpy.asarray(x), **given))


def _flax(operator: Operator, more: dict[str, Any]) -> Function:
    jax = module("jax")
    found, given = canonical(operator), arguments(operator, {}, more)
    if operator.name.startswith("flax.nnx."):
        rngs = {"rngs": module("flax.nnx").Rngs(0)} if operator.parameter("rngs") else {}
        layer = found(**given, **rngs)
        return lambda x: plain(layer(jax.numpy.asarray(x)))
    linen = found(**given)
    return lambda x: plain(linen.init_with_output(jax.random.key(0), jax.numpy.asarray(x))[0])


def _haiku(operator: Operator, more: dict[str, Any]) -> Function:
    haiku, jax = module("haiku"), module("jax")
    found, given = canonical(operator), arguments(operator, {}, more)

    def forward(x: Array) -> Array:
        if operator.kind is Kind.FUNCTION:
            return found(rng=haiku.next_rng_key(), x=x, **given)
        return found(**given)(x, **({"is_training": True} if operator.short == "BatchNorm" else {}))

    def function(x: Array) -> Array:
        transformed, key = haiku.transform_with_state(forward), jax.random.key(0)
        return plain(transformed.apply(*transformed.init(key, x), key, jax.numpy.asarray(x))[0])

    return function


def _graph(operator: Operator, more: dict[str, Any]) -> Function:
    v1 = module("tensorflow").compat.v1
    found, given = canonical(operator), arguments(operator, {}, more)

    def function(x: Array) -> Array:
        with v1.Graph().as_default(), v1.Session() as session:
            if operator.kind is Kind.LAYER:
                y = found(**given)(v1.constant(x))
            else:
                y = found(**{operator.roles["input"]: v1.constant(x)}, **given)
            session.run(v1.global_variables_initializer())
            return session.run(y)

    return function


def sizes(operator: Operator, n: int, padding: Any) -> tuple[int, ...]:
    """The spatial sizes behind a convolution or pool of JAX's libraries: windows of 3 on an input of 9."""
    jnp, first = module("jax.numpy"), not operator.channels_last
    given: dict[str, Any] = {
        "input": jnp.ones((1, 1, *(9,) * n) if first else (1, *(9,) * n, 1)),
        "weight": jnp.ones((1, 1, *(3,) * n) if first else (*(3,) * n, 1, 1)),
        "kernel": (1, *(3,) * n, 1) if operator.short == "reduce_window" else (3,) * n,
        "stride": 1 if operator.kind is Kind.LAYER else (1,) * n,
        "padding": padding,
        "out_channels": 1,
        "in_channels": 1,
        "rank": n,
    }
    if operator.short == "reduce_window":
        given["stride"] = (1,) * (n + 2)
    named = {operator.roles[role]: value for role, value in given.items() if role in operator.roles}
    reduction = module("jax.lax").add
    rest = {"init_value": 0.0, "init": 0.0, "computation": reduction, "reduce_fn": reduction}
    rest |= {"channel_multiplier": 1, "lhs_dilation": None, "rhs_dilation": None}
    if operator.short == "conv_general_dilated_local":
        rest["rhs"] = jnp.ones((1, 3**n, *(9 + before + after - 2 for before, after in padding)))
    named |= {name: value for name, value in rest.items() if operator.parameter(name)}
    y = _apply(operator, named)
    return tuple(y.shape[2:] if first else y.shape[1:-1])


def _apply(operator: Operator, named: dict[str, Any]) -> Array:
    jax, found = module("jax"), canonical(operator)
    if operator.kind is Kind.FUNCTION:
        return found(**named)
    x = jax.numpy.ones((1, *(9,) * len(named["kernel_size"]), 1)) if "kernel_size" in named else None
    if operator.framework == "haiku":
        n = len(named["kernel_shape"])
        transformed = module("haiku").transform(lambda y: found(**named)(y))
        x = jax.numpy.ones((1, *(9,) * n, 1))
        return transformed.apply(transformed.init(jax.random.key(0), x), None, x)
    if operator.name.startswith("flax.nnx."):
        return found(**named, rngs=module("flax.nnx").Rngs(0))(x)
    return found(**named).init_with_output(jax.random.key(0), x)[0]

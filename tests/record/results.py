"""Programs that print what they compute, to be compared with and without tracing."""

from __future__ import annotations

_DIGEST = """\
import hashlib

import numpy as np


def digest(*values):
    return hashlib.sha256(b"".join(np.asarray(value).tobytes() for value in values)).hexdigest()


"""

TORCH = (
    _DIGEST
    + """\
import copy
import pickle
import sys
import warnings

import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3, 2, padding=1)
        self.b = nn.Conv2d(8, 8, 2, padding="same")
        self.drop = nn.Dropout(0.5)
        self.norm = nn.BatchNorm2d(8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = F.relu(self.a(F.pad(x, (0, 1, 0, 1))), inplace=True)
        x = self.drop(self.norm(self.b(x)))
        return self.head(F.max_pool2d(x, 3, 2, ceil_mode=True).mean((2, 3)))


torch.set_num_threads(1)
torch.manual_seed(0)
net, x = Net().eval(), torch.randn(2, 3, 33, 32)
with warnings.catch_warnings(record=True) as caught, torch.no_grad():
    warnings.simplefilter("always")
    print("inference", digest(net(x)), [str(warning.message) for warning in caught])
net.train()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for _ in range(3):
    loss = F.cross_entropy(net(x), torch.tensor([0, 1]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("loss", digest(loss.detach()))
print("gradients", digest(*(p.grad for p in net.parameters())))
print("state", list(net.state_dict()), digest(*net.state_dict().values()))
print("random", digest(torch.get_rng_state(), torch.rand(3)))
net.eval().requires_grad_(False)
for made in (
    torch.jit.trace(net, x),
    torch.jit.script(net),
    torch.fx.symbolic_trace(net),
    torch.export.export(net, (x,)).module(),
    copy.deepcopy(net),
    pickle.loads(pickle.dumps(net)),
):
    print(type(made).__name__, digest(made(x)))
print(net, sorted(vars(net)), net._forward_hooks, net._forward_pre_hooks)
sys.stdout.flush()
sys.stdout.buffer.write(b"\\x00\\xff")
sys.exit(3)
"""
)

KERAS = (
    _DIGEST
    + """\
import inspect

import keras
from keras import layers


class Own(layers.Layer):
    def __init__(self, filters, **kwargs):
        super().__init__(**kwargs)
        self.conv = layers.Conv2D(filters, 3, 2, "same")
        self.filters = filters

    def call(self, x):
        return self.conv(x)


def build():
    image = keras.Input((33, 32, 3))
    x = layers.Conv2D(8, 3, 2, "same", activation="relu")(image)
    x = layers.MaxPooling2D(3, 2, "same")(layers.BatchNormalization()(x))
    x = layers.Dropout(0.5, seed=1)(Own(4)(x))
    return keras.Model(image, layers.Dense(3)(layers.GlobalAveragePooling2D()(x)))


keras.utils.set_random_seed(1)
model = build()
rng = np.random.default_rng(0)
images, labels = rng.normal(size=(6, 33, 32, 3)).astype("float32"), rng.integers(0, 3, 6)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(images, labels, batch_size=2, shuffle=False, verbose=0)
print("fit", history.history)
print("predict", digest(model.predict(images, batch_size=3, verbose=0)))
print("weights", digest(*model.get_weights()))
model.summary()
print(model.to_json(), rng.normal())
for method in (layers.Conv2D.__init__, layers.Conv2D.__new__, layers.Layer.__call__, Own.__init__):
    print(inspect.signature(method))
"""
)
TF_KERAS = KERAS.replace("import keras", "import tf_keras as keras").replace("from keras", "from tf_keras")

FLAX = (
    _DIGEST
    + """\
import jax
from flax import linen as nn
from jax import lax


def digests(tree):
    return digest(*jax.tree_util.tree_leaves(tree)), jax.tree_util.tree_structure(tree)


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train=False):
        x = nn.Conv(8, (3, 3), (2, 2))(x)
        x = nn.max_pool(nn.relu(x), (3, 3), strides=(2, 2), padding="SAME")
        x = nn.Dropout(0.5, deterministic=not train)(nn.Conv(4, (3, 3), name="last")(x))
        w = self.param("w", nn.initializers.ones, (3, 3, 4, 4))
        return lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def loss(params):
    return (net.apply(params, x, True, rngs={"dropout": jax.random.PRNGKey(2)}) ** 2).mean()


net, x = Net(), jax.random.normal(jax.random.PRNGKey(1), (2, 33, 32, 3))
params = net.init(jax.random.PRNGKey(0), x)
print("init", digests(params))
print("apply", digests(net.apply(params, x)))
print("jit", digests(jax.jit(net.apply)(params, x)))
print("gradients", digests(jax.grad(loss)(params)), digests(jax.jit(jax.grad(loss))(params)))
print("vmap", digests(jax.vmap(lambda one: net.apply(params, one[None]))(x)))
print(jax.make_jaxpr(net.apply)(params, x), jax.jit(net.apply).lower(params, x).as_text())
print(net, nn.Conv(8, (3, 3)) == nn.Conv(8, (3, 3)))
"""
)

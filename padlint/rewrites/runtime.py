"""SAME padding that is computed when the model runs: by a helper, in front of an operator without padding."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import libcst as cst

from padlint.catalogue.model import Family, Kind
from padlint.rewrites import helpers, keras
from padlint.rewrites.calls import padded_inputs, set_padding, set_padding_word
from padlint.rewrites.geometry import Geometry, geometry_of
from padlint.rewrites.helpers import Helper
from padlint.rewrites.insertion import Inserted, insert, package_of
from padlint.rewrites.model import Refusal, Rewrite, unique
from padlint.rewrites.names import Spelled
from padlint.rewrites.torch import not_zeros
from padlint.sites.reading import Reading, data_format
from padlint.sites.site import Site
from padlint.syntax.repeating import repeatable
from padlint.syntax.scopes import BindingKind
from padlint.syntax.units import File
from padlint.syntax.uses import UseKind

_PACKAGES = frozenset({"keras", "keras.src", "tensorflow.keras", "tensorflow.compat.v1.keras", "tf_keras"})
# What only the Keras before the third has.
_KERAS_2 = re.compile(r"keras\.(engine|layers\.[a-z]|utils\.(np|generic|conv)_utils|objectives|legacy)\b")
_FUNCTIONS = {
    **dict.fromkeys(("tf", "tf_layers", "slim"), helpers.TENSORFLOW),
    **dict.fromkeys(("flax", "jax", "haiku"), helpers.JAX),
    "torch": helpers.TORCH,
}


@dataclass(frozen=True)
class Computed:
    """A rewrite with a helper called `name`, and the texts that this gets."""

    rewrite: Rewrite
    geometry: Geometry
    name: str


def computed_padding(file: File, site: Site, reading: Reading, fill: str = "") -> Computed | Refusal:
    """`valid`, and a helper around every input that pads like SAME; `fill` is the text of one but zero."""
    geometry = geometry_of(site, reading)
    if isinstance(geometry, Refusal):
        return geometry
    problem = _problem(site, geometry)
    if problem:
        return Refusal(problem)
    helper = _helper(file, site)
    inserted = insert(file, site, helper) if isinstance(helper, Helper) else helper
    if isinstance(inserted, Refusal):
        return inserted
    if site.operator.framework == "keras":
        rewrite = _layer(file, site, geometry, inserted, fill)
    elif site.operator.framework == "torch":
        rewrite = _torch(site, geometry, inserted)
    else:
        rewrite = _function(site, geometry, inserted, fill)
    if isinstance(rewrite, Refusal):
        return rewrite
    return Computed(_completed(rewrite, geometry, inserted), geometry, inserted.name)


def _problem(site: Site, geometry: Geometry) -> str:
    """Why the helper would not pad what the operator does; empty if it would."""
    depthwise = site.operator.family is Family.DEPTHWISE and site.operator.framework == "tf"
    if depthwise and geometry.dilation.text != "1":
        return "tf.nn.depthwise_conv2d computes something irregular for strides with dilations"
    if site.operator.framework == "torch":
        refusal = not_zeros(site)
        return refusal.reason if refusal is not None else ""
    if geometry.literal or site.use.kind is not UseKind.LOCAL or site.operator.kind is Kind.FUNCTION:
        return ""
    return geometry.changes()


def _helper(file: File, site: Site) -> Helper | Refusal:
    if site.operator.framework != "keras":
        return _FUNCTIONS[site.operator.framework]
    if site.operator.kind is Kind.FUNCTION:
        return Refusal("a function of keras.ops takes no layer in front of it")
    package = package_of(site)
    if package not in _PACKAGES:
        return Refusal("which Keras it is from decides how its sizes are asked for, and that is not certain")
    if package in ("keras", "keras.src") and not _of_keras_2(file):
        return helpers.LAYER
    return helpers.LAYER_OF_KERAS_2


def _of_keras_2(file: File) -> bool:
    """Whether the module imports what Keras 3 has no more."""
    bindings = [binding for bound in file.module.bindings.values() for binding in bound]
    return any(b.kind is BindingKind.IMPORT and _KERAS_2.match(b.path) for b in bindings)


def _layer(file: File, site: Site, geometry: Geometry, inserted: Inserted, fill: str) -> Rewrite | Refusal:
    """Keras: a layer, made with the texts of the site's own arguments."""
    arguments = [geometry.kernel.text, geometry.stride.text]
    if geometry.dilation.text != "1":
        arguments.append(f"dilation_rate={geometry.dilation.text}")
    layout = site.bound.arguments.get("data_format") or site.bound.unknown.get("data_format")
    if layout is not None:
        if not repeatable(site.unit, layout.value):
            return Refusal("data_format is computed in a way that a second time may not repeat")
        arguments.append(f"data_format={site.unit.text(layout.value)}")
    if fill:
        arguments.append(f"value={fill}")
    pad = Spelled(f"{inserted.name}({', '.join(arguments)})", inserted.edits, inserted.added)
    return keras.padded_by_layer(file, site, pad)


def _function(site: Site, geometry: Geometry, inserted: Inserted, fill: str) -> Rewrite | Refusal:
    """JAX and TensorFlow: a function around the tensor."""
    layout = data_format(site)
    if layout is None:
        return Refusal("data_format is computed, and the axes to be padded depend on it")
    texts = [geometry.kernel.text, geometry.stride_text]
    texts += [geometry.dilation.text] if geometry.dilation.text != "1" else []
    texts += [f"value={fill}"] if fill else []
    texts += ["channels_last=False"] if layout == "channels_first" else []
    arguments = ", ".join(texts)
    valid = set_padding_word(site, "valid")
    return padded_inputs(site, inserted.name, lambda call: arguments, valid, arguments)


def _torch(site: Site, geometry: Geometry, inserted: Inserted) -> Rewrite | Refusal:
    """PyTorch: a function around the tensor; where the numbers are not known, the layer tells them."""
    numbers = [geometry.kernel.text, geometry.stride.text]
    numbers += [geometry.dilation.text] if geometry.dilation.text != "1" else []
    known = geometry.literal or site.operator.kind is Kind.FUNCTION
    if not known and site.use.kind is UseKind.APPLIED:
        return Refusal("its arguments may also have other values, and no name of the layer shows them")

    def arguments(call: cst.Call) -> str:
        if known:
            return ", ".join(numbers)
        layer = site.unit.text(call.func)
        return f"{layer}.kernel_size, {layer}.stride, {layer}.dilation"

    shared = ", ".join(numbers) if known else ""
    return padded_inputs(site, inserted.name, arguments, set_padding(site, "0"), shared)


def _completed(rewrite: Rewrite, geometry: Geometry, inserted: Inserted) -> Rewrite:
    """The rewrite with the definition of the helper, in the file and in the layer proof."""
    before, after = rewrite.before, rewrite.after
    samples = geometry.samples()
    layout = geometry.site.argument("data_format")
    known = geometry.site.value("data_format").known
    if layout is not None and not known and isinstance(layout.value, (cst.Name, cst.Attribute)):
        samples = (*samples, f'{geometry.site.unit.text(layout.value)} = "channels_last"')
    if before is not None and after is not None:
        before = replace(before, setup=(*samples, *before.setup))
        after = replace(after, setup=(inserted.text, *samples, *after.setup))
    caveat = "the pads are computed at every call"
    return Rewrite(
        unique((*inserted.edits, *rewrite.edits)),
        before,
        after,
        (caveat, *rewrite.caveats),
        tuple(dict.fromkeys((*rewrite.added, *inserted.added))),
    )

"""PAD103: a transposed convolution with SAME padding."""

from __future__ import annotations

from collections.abc import Iterator

from padlint.findings import Finding, Severity
from padlint.rules import wording
from padlint.rules.base import Rule
from padlint.rules.context import FileContext
from padlint.rules.same import sizes_of
from padlint.rules.transposed import crops_of, same_transposed, torch_twin, transposed_fix
from padlint.sites.reading import Reading
from padlint.sites.site import Site


class SameTransposedConv(Rule):
    """A transposed convolution uses SAME padding, which crops its output.

    Why
        SAME cuts kernel - stride elements off the full output, to leave stride times the input. If that is
        odd, the end loses one more than the start, which no `padding` and `output_padding` of PyTorch's
        ConvTranspose does: with kernel 3 and stride 2, `padding=1, output_padding=1` has the right shape and
        is shifted by one. A kernel up to the stride crops nothing and is not reported.

    Example
        from keras import layers

        def up(x):
            x = layers.Conv2DTranspose(8, 3, strides=2, padding="same")(x)
            return x

    Use instead
        from keras import layers

        def up(x):
            x = layers.Conv2DTranspose(8, 3, strides=2, padding="valid")(x)
            x = layers.Cropping2D(((0, 1), (0, 1)))(x)
            return x

    Fix safety
        The same at every size. Safe if the activation is absent or works on each element alone and there is
        no activity regularizer; unsafe if the layer may be reached by its index or its name, and where
        PyTorch has an equal, since nothing but a visible crop is gained there. tf.nn gets a slice where the
        output shape is written as numbers. Flax, JAX and Haiku take the amounts as pairs, which pad the
        spread input there.

    References
        https://keras.io/api/layers/convolution_layers/convolution2d_transpose/
        https://pytorch.org/docs/stable/generated/torch.nn.ConvTranspose2d.html
    """

    code = "PAD103"
    name = "same-transposed-conv"
    severity = Severity.WARNING
    fix = "sometimes"

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Report SAME transposed convolutions that crop, strided or more at the end than at the start."""
        reported: set[Site] = set()
        for site, reading in same_transposed(context):
            if site in reported:
                continue
            crops = crops_of(site, reading)
            if crops is None or not any(map(any, crops)):
                continue
            twin = torch_twin(crops)
            if twin and not reading.strided:
                continue  # as symmetric as a convolution
            reported.add(site)
            sizes = sizes_of(site, reading, context.input_of(site))
            axes = [
                wording.axis_numbers(axis, size, None) for axis, size in zip(reading.axes, sizes, strict=True)
            ]
            others = {"crops": [list(pair) for pair in crops], "torch_transposed": twin or None}
            yield context.finding(
                type(self),
                site,
                _message(site, reading, crops, twin),
                transposed_fix(context, site, reading, twin),
                {"op": site.operator.name, "axes": axes, "others": others},
                severity=Severity.INFO if twin else None,
            )


def _message(site: Site, reading: Reading, crops: list[tuple[int, int]], twin: str) -> str:
    axes = reading.axes
    what = f"{site.written} with kernel {wording.kernel_text(axes)}, stride {wording.stride_text(axes)} and "
    what += f"SAME padding{wording.learned(reading)} crops {wording.pads_text(crops)} of the full output"
    if twin:
        return f"{what}, as PyTorch's {twin} does"
    return f"{what}; no padding of PyTorch's ConvTranspose does that"

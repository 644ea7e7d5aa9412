"""The share of positions with fewer uses, as PyTorch counts them: the gradient of a sum, all weights 1."""

from __future__ import annotations

import pytest

from padlint.record.flow import rows
from padlint.traces.model import Layer, Place, Run, Trace

torch = pytest.importorskip("torch")


@pytest.mark.parametrize(
    ("size", "kernel", "stride", "pad"), [(8, 3, 1, 1), (9, 5, 2, 2), (12, 3, 2, 0), (7, 2, 2, 0)]
)
def test_border_positions(size: int, kernel: int, stride: int, pad: int) -> None:
    conv = torch.nn.Conv2d(1, 1, kernel, stride, pad, bias=False)
    torch.nn.init.ones_(conv.weight)

    def uses(n: int) -> object:
        x = torch.ones(1, 1, n, n, requires_grad=True)
        conv(x).sum().backward()
        return x.grad[0, 0]

    middle = 8 * stride * kernel  # of an input so large that nothing there is near the border
    large = uses(2 * middle)[middle : middle + size, middle : middle + size]
    fewer = float((uses(size) < large).double().mean())
    arguments = (("kernel", kernel), ("stride", stride), ("padding", pad), ("dilation", 1))
    output = (size + 2 * pad - kernel) // stride + 1
    run = Run(arguments, "channels_first", (size,) * 2, (output,) * 2, "float32")
    trace = Trace()
    trace.flow[Layer("c", Place("net.py", 1), "torch.nn.Conv2d", run, (kernel,) * 2, (stride,) * 2)] = None
    (row,) = rows(trace)
    assert row.fewer == pytest.approx(fewer)
    assert row.pads == ((pad, pad),) * 2

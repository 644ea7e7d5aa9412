from __future__ import annotations

from padlint.config.selection import default_codes
from tests.rules.table import assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD205"

SILENT = {
    "by default": "p = nn.MaxPool2d(3, 2)",
    "off": "p = nn.MaxPool2d(3, 2, ceil_mode=False)",
    "nothing to round": "p = nn.MaxPool2d(2, 1, ceil_mode=True)",
    "unknown": "p = nn.MaxPool2d(3, 2, ceil_mode=ceil_mode)",
    "Keras": "y = layers.MaxPooling2D(3, 2, 'same')(x)",
    "a convolution": "c = nn.Conv2d(3, 8, 3, 2)",
    "own class of the name": """
        from torch import nn

        class MaxPool2d(nn.Module):
            pass

        p = MaxPool2d(3, 2, ceil_mode=True)
        """,
}

REPORTED = {
    "SAME at every size": (
        "p = nn.MaxPool2d(2, 2, ceil_mode=True)",
        "nn.MaxPool2d rounds its output size up; TensorFlow's SAME computes the same at every size",
    ),
    "SAME at even sizes": (
        "p = nn.MaxPool2d(3, 2, ceil_mode=True)",
        "TensorFlow's SAME computes the same at even sizes only",
    ),
    "stride 3": (
        "p = nn.MaxPool2d(4, 3, padding=1, ceil_mode=True)",
        "computes the same where n % 3 == 1 or n % 3 == 2 only",
    ),
    "SAME at odd sizes": (
        "p = nn.MaxPool2d(3, 2, padding=1, ceil_mode=True)",
        "computes the same at odd sizes only",
    ),
    "a stride that a caller may change": (
        """
        class Net(nn.Module):
            def __init__(self, stride=1):
                super().__init__()
                self.pool = nn.AvgPool2d(stride, stride, ceil_mode=True)
        """,
        "nn.AvgPool2d rounds its output size up",
    ),
    "axes differ": (
        "p = nn.MaxPool2d((2, 3), 2, ceil_mode=True)",
        "height at every size; width at even sizes only",
    ),
    "a mean that counts": ("p = nn.AvgPool2d(4, 2, 1, ceil_mode=True)", "computes the same at no size"),
    "a mean that does not": (
        "p = nn.AvgPool2d(4, 2, 1, ceil_mode=True, count_include_pad=False)",
        "computes the same at every size",
    ),
    "a function": (
        "y = F.avg_pool2d(x, kernel_size=3, stride=2, padding=1, ceil_mode=True)",
        "F.avg_pool2d rounds its output size up; TensorFlow's SAME computes the same at no size",
    ),
    "LP pooling": ("p = nn.LPPool2d(2, 3, 2, ceil_mode=True)", "nn.LPPool2d rounds its output size up"),
    "unknown window": ("p = nn.MaxPool2d(k, 2, ceil_mode=True)", "nn.MaxPool2d rounds its output size up"),
}

NOT_FIXED = {name: (row[0], "without ceil_mode the output may be smaller") for name, row in REPORTED.items()}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


def test_on_for_targets_without_it() -> None:
    assert CODE not in default_codes(frozenset())
    assert CODE not in default_codes(frozenset({"torch"}))
    assert all(CODE in default_codes(frozenset({name})) for name in ("keras", "jax", "onnx", "tflite"))


def test_numbers() -> None:
    numbers = only_finding(CODE, "p = nn.MaxPool2d((2, 3), 2, ceil_mode=True)").numbers
    assert [(axis["kernel"], axis["stride"]) for axis in numbers["axes"]] == [(2, 2), (3, 2)]

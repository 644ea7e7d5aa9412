from __future__ import annotations

from padlint.config.selection import default_codes
from tests.rules.table import assert_not_fixed, assert_reported, each, findings, only_finding

CODE = "PAD203"

SILENT = {
    "no padding": "p = nn.AvgPool2d(3, 2)",
    "padding 0": "p = nn.AvgPool2d(3, 2, padding=(0, 0))",
    "not counted": "p = nn.AvgPool2d(3, 2, padding=1, count_include_pad=False)",
    "perhaps not counted": "p = nn.AvgPool2d(3, 2, padding=1, count_include_pad=flag)",
    "another divisor": "p = nn.AvgPool2d(3, 2, padding=1, divisor_override=4)",
    "unknown padding": "p = nn.AvgPool2d(3, 2, padding=p)",
    "a maximum": "p = nn.MaxPool2d(3, 2, padding=1)",
    "adaptive": "p = nn.AdaptiveAvgPool2d(1)",
    "Keras": "y = layers.AveragePooling2D(3, 1, 'same')(x)",
    "Flax, not counted": """
        from flax import linen as nn
        y = nn.avg_pool(x, (3, 3), padding="SAME", count_include_pad=False)
        """,
    "Flax without padding": """
        from flax import linen as nn
        y = nn.avg_pool(x, (3, 3), (2, 2))
        """,
    "Flax, window 1": """
        from flax import linen as nn
        y = nn.avg_pool(x, (1, 1), (2, 2), "SAME")
        """,
    "Flax, pairs of zero": """
        from flax import linen as nn
        y = nn.avg_pool(x, (3, 3), (2, 2), ((0, 0), (0, 0)))
        """,
}

REPORTED = {
    "a layer": (
        "p = nn.AvgPool2d(3, 2, padding=1)",
        "nn.AvgPool2d with window 3 and padding 1 counts the pads in its mean",
        "TensorFlow's average pools leave them out",
    ),
    "a function": ("y = F.avg_pool1d(x, 4, 2, 2)", "F.avg_pool1d with window 4 and padding 2"),
    "one axis": ("p = nn.AvgPool2d((3, 1), 1, (1, 0))", "window (3, 1) and padding (1, 0)"),
    "said outright": ("p = nn.AvgPool3d(3, padding=1, count_include_pad=True)", "nn.AvgPool3d"),
    "Flax": (
        "from flax import linen as nn\ny = nn.avg_pool(x, (3, 3), padding='SAME')",
        "nn.avg_pool with window 3 and padding 'SAME'",
    ),
    "Flax with pairs": (
        "from flax import linen as nn\ny = nn.avg_pool(x, (3, 3), padding=((0, 1), (0, 1)))",
        "nn.avg_pool with window 3 and padding ((0, 1), (0, 1))",
    ),
}

NOT_FIXED = {name: (row[0], "another divisor computes another mean") for name, row in REPORTED.items()}


@each(SILENT)
def test_silent(row: str) -> None:
    assert findings(CODE, row) == []


@each(REPORTED)
def test_reported(row: tuple[str, ...]) -> None:
    assert_reported(CODE, row)


@each(NOT_FIXED)
def test_not_fixed(row: tuple[str, str]) -> None:
    assert_not_fixed(CODE, row)


def test_on_for_targets_that_leave_the_pads_out() -> None:
    assert CODE not in default_codes(frozenset())
    assert CODE not in default_codes(frozenset({"jax"}))
    assert CODE in default_codes(frozenset({"keras"}))
    assert CODE in default_codes(frozenset({"tflite"}))


def test_numbers() -> None:
    numbers = only_finding(CODE, "p = nn.AvgPool2d((3, 1), 2, (1, 0))").numbers
    assert [(axis["kernel"], axis["stride"]) for axis in numbers["axes"]] == [(3, 2), (1, 2)]
    assert numbers["others"] == {"padding": (1, 0)}

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from padlint.conventions import at_size, transposed_conventions, window_conventions
from padlint.geometry import UNKNOWN, Exact, Pads, Size, multiple_of, residue_table, same_padding

SMALL = st.integers(1, 9)


@pytest.mark.parametrize(
    ("kernel", "stride", "size", "same", "torch"),
    [
        pytest.param(3, 2, Exact(224), ((0, 1), 112), ((1, 1), 112), id="even"),
        pytest.param(3, 2, Exact(225), ((1, 1), 113), ((1, 1), 113), id="odd"),
        pytest.param(4, 2, Exact(9), ((1, 2), 5), ((1, 1), 4), id="even kernel"),
        pytest.param(2, 1, Exact(5), ((0, 1), 5), ((0, 0), 4), id="stride 1"),
    ],
)
def test_windows(
    kernel: int, stride: int, size: Size, same: tuple[Pads, int], torch: tuple[Pads, int]
) -> None:
    rows = window_conventions(kernel, stride, 1, size)
    assert (rows[0].pads, rows[0].output) == (same[0], Exact(same[1]))
    assert (rows[2].pads, rows[2].output) == (torch[0], Exact(torch[1]))
    assert bool(rows[3].refused) == (stride > 1)


@pytest.mark.parametrize(
    ("size", "expected"), [(UNKNOWN, None), (multiple_of(3), None), (multiple_of(32), (0, 1))]
)
def test_pads_are_those_of_the_framework_not_some_that_do_as_well(size: Size, expected: Pads | None) -> None:
    """(1, 2) serves every size with kernel 4 and stride 2, but it is not what is padded."""
    assert at_size(residue_table(3, 2), size) == expected
    assert at_size(residue_table(4, 2), UNKNOWN) is None


@given(n=st.integers(1, 60), kernel=SMALL, stride=SMALL, dilation=st.integers(1, 3))
def test_same_at_every_size(n: int, kernel: int, stride: int, dilation: int) -> None:
    same, lower, torch, *_ = window_conventions(kernel, stride, dilation, Exact(n))
    pads = same_padding(n, kernel, stride, dilation)
    assert same.pads == pads
    assert lower.pads == pads[::-1]
    assert torch.equals_same is not None
    assert (torch.pads == pads) == (n % stride in torch.equals_same)


@pytest.mark.parametrize(
    ("kernel", "stride", "who", "alike"),
    [
        (4, 2, "padding=1 of PyTorch", True),
        (2, 3, "padding=0, output_padding=1 of PyTorch", True),
        (3, 2, "padding=1, output_padding=1 of PyTorch", False),
    ],
)
def test_transposed(kernel: int, stride: int, who: str, alike: bool) -> None:
    same, _, torch, _ = transposed_conventions(kernel, stride, 1, Exact(7))
    assert torch.who == who
    assert same.output == torch.output == Exact(7 * stride)
    assert bool(torch.equals_same) == alike == (same.pads == torch.pads)

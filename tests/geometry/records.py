"""Whether a tap map explains what was measured, by code that shares nothing with the geometry but `Taps`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from padlint.geometry import Row, Taps
from tests.geometry.probes import Probe


def explains(row: Row, probe: Probe) -> bool:
    """True if the tap map of the probed axis is what the probe measured, in every detail it recorded."""
    if probe.result in (None, "garbage"):
        return False
    if "arg" in probe.arguments:
        return list(probe.result) == [_pad_symbol(cell) for cell in row]
    if len(row) != probe.result[0]:
        return False
    if not row:
        return probe.result[1:3] == [None, None]
    outputs = [cell for cell in row if isinstance(cell, Taps)]
    if probe.result[1] is None or len(outputs) != len(row):
        return False
    return _EXPLAINS[outputs[0].kind](outputs, probe)


def _explains_conv(row: list[Taps], probe: Probe) -> bool:
    befores, after, kind = probe.result[1:]
    taps = [cell.reads for cell in row]
    for before in _listed(befores):
        if kind == "n":
            if taps != _taps(probe, before, "z") or any("zero" in reads for reads in taps):
                return False
            continue
        modes = _recognised(probe.n, before, _after(probe, before))
        if {mode for mode in modes if taps == _taps(probe, before, mode)} != set(kind):
            return False
    return _after(probe, _listed(befores)[0]) == after


def _explains_pool(row: list[Taps], probe: Probe) -> bool:
    """Which inputs each window holds: all of an LP pool, and a part of the others."""
    befores, after = probe.result[1:3]
    held = [{cell for cell in taps.reads if cell != "zero"} for taps in row]
    windows = [_held(probe, before) for before in _listed(befores)]
    return all(held == window for window in windows) and _after(probe, _listed(befores)[0]) == after


def _explains_max(row: list[Taps], probe: Probe) -> bool:
    if not _explains_pool(row, probe):
        return False
    if any(not taps.reads for taps in row):
        kind = "I"
    else:
        kind = "i" if any(len(taps.reads) < probe.at("k") for taps in row) else "n"
    return probe.result[3] == kind


def _explains_average(row: list[Taps], probe: Probe) -> bool:
    if not _explains_pool(row, probe):
        return False
    if probe.op == "torch.nn.LPPool2d":
        return True
    kernel, counts = probe.at("k"), [len(taps.reads) for taps in row]
    divisors = [taps.divisor if taps.reads else 0 for taps in row]  # of nothing, it cannot be measured
    if set(counts) == {kernel}:
        kind = "n"
    elif divisors == counts:
        kind = "x"
    else:
        kind = "k" if set(divisors) == {kernel} else "m"
    return probe.result[3:] == [kind, divisors[0], divisors[-1]]


def _explains_transposed(row: list[Taps], probe: Probe) -> bool:
    out, befores, after = probe.result[:3]
    flipped = probe.result[3:] == ["flip"]
    reads = [taps.reads for taps in row]
    full = (probe.n - 1) * probe.at("s") + (probe.at("k") - 1) * probe.at("d") + 1
    return full - _listed(befores)[0] - after == out and all(
        reads == _scattered(probe, before, flipped) for before in _listed(befores)
    )


def _scattered(probe: Probe, before: int, flipped: bool) -> list[tuple[Any, ...]]:
    """What each output reads if every input is spread over the outputs and `before` of them are cut off."""
    kernel, out = probe.at("k"), probe.result[0]
    reads: list[list[Any]] = [["zero"] * kernel for _ in range(out)]
    for i in range(probe.n):
        for position in range(kernel):
            output = i * probe.at("s") + position * probe.at("d") - before
            if 0 <= output < out:
                reads[output][kernel - 1 - position if flipped else position] = i
    return [tuple(read) for read in reads]


_EXPLAINS = {
    "conv": _explains_conv,
    "max": _explains_max,
    "average": _explains_average,
    "transposed": _explains_transposed,
}


def _recognised(n: int, before: int, after: int) -> str:
    """The padding modes that the measurement tried: it unfolded one reflection on each side."""
    modes = "zec"
    if before <= 2 * n - 2 and after <= n - 1:
        modes += "r"
    if before <= 2 * n and after <= n:
        modes += "s"
    return modes


def _taps(probe: Probe, before: int, mode: str) -> list[tuple[Any, ...]]:
    """What the taps read if `before` elements are padded in the given mode."""
    kernel, stride, dilation = probe.at("k"), probe.at("s"), probe.at("d")
    starts = range(0, probe.result[0] * stride, stride)
    read = _extended(probe.n, mode)
    positions = range(-before, starts[-1] + kernel * dilation - before)
    padded = tuple(read(position) for position in positions)
    return [padded[start : start + (kernel - 1) * dilation + 1 : dilation] for start in starts]


def _held(probe: Probe, before: int) -> list[set[int]]:
    return [{i for i in window if 0 <= i < probe.n} for window in _windows(probe, before)]


def _windows(probe: Probe, before: int) -> list[range]:
    kernel, stride, dilation = probe.at("k"), probe.at("s"), probe.at("d")
    starts = [output * stride - before for output in range(probe.result[0])]
    return [range(start, start + kernel * dilation, dilation) for start in starts]


def _after(probe: Probe, before: int) -> int:
    last = (probe.result[0] - 1) * probe.at("s") + (probe.at("k") - 1) * probe.at("d")
    return last + 1 - probe.n - before


def _extended(n: int, mode: str) -> Any:
    """Index read at a position inside or outside of 0 .. n - 1, by unrolling the periodic extension."""
    forward = list(range(n))
    if mode == "z":
        return lambda i: i if 0 <= i < n else "zero"
    if mode == "e":
        return lambda i: forward[0] if i < 0 else forward[min(i, n - 1)]
    backward = forward[::-1] if mode == "s" else forward[1:-1][::-1]
    period = forward if mode == "c" else forward + backward
    return lambda i: period[i % len(period)]


def _listed(before: Any) -> Sequence[int]:
    return before if isinstance(before, list) else [before]


def _pad_symbol(cell: Any) -> int:
    return cell + 1 if isinstance(cell, int) else {"zero": 0, "9": 9}[cell]

"""Programs that are traced, and what is seen in them."""

from __future__ import annotations

from pathlib import Path

from padlint.traces.model import Call, Trace
from padlint.traces.reading import read
from tests.cli.command import padlint

NET = """\
import sys

import torch
from torch import nn
from torch.nn import functional as F


def conv(channels, **options):
    return nn.Conv2d(channels, 8, 3, **options)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = conv(3, stride=2, padding=1)
        self.body = nn.Sequential(*[nn.Sequential(conv(8, padding="same"), nn.ReLU()) for _ in range(3)])
        self.pool = nn.MaxPool2d(3, 2)

    def forward(self, x):
        x = self.first(F.pad(x, (0, 1, 0, 1)))
        return F.max_pool2d(self.pool(self.body(F.relu(x))), 2)


def build():
    return Net()


if __name__ == "__main__":
    torch.manual_seed(0)
    print(sys.argv[1:], float(build()(torch.ones(2, 3, 64, 64)).detach().sum()))
    sys.exit(7)
"""


def traced(folder: Path, name: str, text: str, *arguments: str, status: int = 0) -> Trace:
    """The trace of `name.py`, or of a callable in it."""
    file = name.partition("::")[0]
    (folder / file).write_text(text, encoding="utf-8")
    done = padlint("trace", name, "-o", "out.json", *arguments, cwd=folder)
    assert done.returncode == status, done.stderr.decode()
    return loaded(folder / "out.json")


def loaded(path: Path) -> Trace:
    return read(path)[0]


def seen(trace: Trace, file: str) -> list[str]:
    """The runs of a file in order: `9:12-9:48 torch.nn.Conv2d 65x65 -> 32x32, stride 2, 'same', once`."""
    calls = sorted(trace.files[file].calls.values(), key=lambda call: (call.place.row, call.place.column))
    return [text for call in calls for text in _runs(call)]


def _runs(call: Call) -> list[str]:
    place = call.place
    where = (
        f"{place.row}:{place.column}-{place.end_row}:{place.end_column}" if place.column else f"{place.row}"
    )
    shown = []
    for run, count in call.runs.items():
        sizes = " -> ".join("x".join(map(str, size)) for size in (run.input, run.output))
        geometry = f"k{run.get('kernel')} s{run.get('stride')} {run.get('padding')!r}"
        symbolic = f"+{call.symbolic[run]}" if run in call.symbolic else ""
        shown.append(f"{where} {call.operator} {sizes} {geometry} x{count}{symbolic}")
    return shown

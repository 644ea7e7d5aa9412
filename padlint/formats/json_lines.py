"""JSON, one finding per line, for programs that read line by line."""

from __future__ import annotations

import json

from padlint.formats.json import items
from padlint.formats.report import Report


def render(report: Report) -> str:
    """The findings, or their counts, as one JSON object per line."""
    return "".join(f"{json.dumps(item, separators=(',', ':'))}\n" for item in items(report))

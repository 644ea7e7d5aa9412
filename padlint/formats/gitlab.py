"""The report of GitLab's Code Quality, which compares findings by their fingerprints."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from padlint.findings import Finding, Location
from padlint.formats.places import below, fingerprints, message, placed, portable
from padlint.formats.report import Report
from padlint.levels import Severity

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def render(report: Report) -> str:
    """The findings as one JSON list."""
    root = Path(os.environ.get("CI_PROJECT_DIR") or Path.cwd())
    items = [_item(finding, fingerprint, root) for finding, fingerprint in fingerprints(report)]
    return json.dumps(items, indent=2) + "\n"


def _item(finding: Finding, fingerprint: str, root: Path) -> dict[str, Any]:
    start, end, _ = placed(finding)
    return {
        "check_name": finding.code,
        "description": f"{finding.code}: {message(finding)}",
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": fingerprint,
        "location": {
            "path": portable(below(finding.filename, root)),
            "positions": {"begin": _position(start), "end": _position(end)},
        },
    }


def _position(location: Location) -> dict[str, int]:
    return {"line": location.row, "column": location.column}

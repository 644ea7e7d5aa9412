"""JSON: a list of findings, or of counts by rule."""

from __future__ import annotations

import json
from typing import Any

from padlint.findings import Edit, Finding, Fix, LayerProof, Location, Proof
from padlint.formats.report import Report


def render(report: Report) -> str:
    """The findings, or their counts, as one JSON list."""
    return json.dumps(items(report), indent=2) + "\n"


def items(report: Report) -> list[dict[str, Any]]:
    """The findings, or their counts, as data."""
    if report.statistics:
        return [
            {"code": example.code, "name": example.name, "count": count, "fixable": fixable}
            for example, count, fixable in report.counts()
        ]
    return [_finding(finding) for finding in report.findings]


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.label,
        "message": finding.message,
        "filename": finding.filename,
        "cell": finding.cell,
        "location": _location(finding.location),
        "end_location": _location(finding.end_location),
        "fix": finding.fix and _fix(finding.fix),
        "no_fix_reason": finding.no_fix_reason,
        "numbers": dict(finding.numbers),
    }


def _location(location: Location) -> dict[str, int]:
    return {"row": location.row, "column": location.column}


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "applicability": fix.applicability.value,
        "message": fix.message,
        "edits": [_edit(edit) for edit in fix.edits],
        "proof": fix.proof and proof(fix.proof),
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return {
        "content": edit.content,
        "location": _location(edit.location),
        "end_location": _location(edit.end_location),
        **({} if edit.cell is None else {"cell": edit.cell}),
    }


def proof(proof: Proof) -> dict[str, Any]:
    """What is claimed about a fix, and what was run to check it."""
    return {"taps": proof.taps, "sizes": proof.sizes, "layer": proof.layer and layer(proof.layer)}


def layer(proof: LayerProof) -> dict[str, Any]:
    """What was run in a framework: a layer, or by `padlint verify` a whole model."""
    return {
        "framework": proof.framework,
        "result": proof.result,
        "max_abs": proof.max_abs,
        "dtype": proof.dtype,
        "sizes": proof.sizes,
    }

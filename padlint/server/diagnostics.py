"""Findings as an editor shows them."""

from __future__ import annotations

from lsprotocol import types

from padlint.findings import Finding, Severity
from padlint.server.analysis import Analysis

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_UNNECESSARY = "PAD002"  # a suppression that silences nothing


def diagnostics(analysis: Analysis) -> list[types.Diagnostic]:
    """One per finding."""
    return [diagnostic(analysis, finding) for finding in analysis.findings]


def diagnostic(analysis: Analysis, finding: Finding) -> types.Diagnostic:
    """The finding; what cannot be fixed says why."""
    message = finding.message
    if finding.fix is None and finding.no_fix_reason:
        message += f"\nno fix: {finding.no_fix_reason}"
    url = analysis.url.replace("{code}", finding.code).replace("{name}", finding.name)
    return types.Diagnostic(
        range=analysis.positions.range(finding),
        message=message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(url) if url else None,
        source="padlint",
        tags=[types.DiagnosticTag.Unnecessary] if finding.code == _UNNECESSARY else None,
    )

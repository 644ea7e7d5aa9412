"""SARIF 2.1.0, which code scanning services and editors read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from padlint import __version__
from padlint.findings import Finding, Fix, Location
from padlint.formats.json import proof
from padlint.formats.page import page
from padlint.formats.places import absolute, advice, fingerprints, message
from padlint.formats.report import Failure, Report
from padlint.levels import Severity
from padlint.rules import ALL, Rule

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_ROOT = "%SRCROOT%"


def render(report: Report) -> str:
    """The findings as a log with one run."""
    codes = sorted({finding.code for finding in report.findings})
    rules = {rule.code: rule for rule in ALL}
    driver = {
        "name": "padlint",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(report, rules[code]) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [_invocation(report)],
        "originalUriBaseIds": {_ROOT: {"uri": _uri(Path.cwd(), "/")}},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [
            _result(finding, fingerprint, codes.index(finding.code))
            for finding, fingerprint in fingerprints(report)
        ],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(report: Report, rule: type[Rule]) -> dict[str, Any]:
    text = rule.documentation()
    described = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": text.summary},
        "fullDescription": {"text": f"{text.summary}\n\n{text.why}"},
        "help": {"text": page(rule), "markdown": page(rule)},
        "defaultConfiguration": {"enabled": not rule.targets, "level": _LEVELS[rule.severity]},
        "properties": {"tags": ["padding"], "problem.severity": _problem_severity(rule.severity)},
    }
    if url := report.documentation_url:
        described["helpUri"] = url.replace("{code}", rule.code).replace("{name}", rule.name)
    return described


def _problem_severity(severity: Severity) -> str:
    return "recommendation" if severity is Severity.INFO else severity.label


def _invocation(report: Report) -> dict[str, Any]:
    return {
        "executionSuccessful": not report.failures,
        "exitCode": report.status,
        "workingDirectory": {"uri": _uri(Path.cwd(), "/")},
        "toolExecutionNotifications": [_notification(failure) for failure in report.failures],
    }


def _notification(failure: Failure) -> dict[str, Any]:
    notification: dict[str, Any] = {"level": "error", "message": {"text": _message(failure.message)}}
    if failure.filename:
        place: dict[str, Any] = {"artifactLocation": _artifact(failure.filename)}
        if failure.location is not None:
            place["region"] = {"startLine": failure.location.row, "startColumn": failure.location.column}
        notification["locations"] = [{"physicalLocation": place}]
    return notification


def _result(finding: Finding, fingerprint: str, rule_index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(message(finding))},
        "locations": [_location(finding)],
        "partialFingerprints": {"findingText/v1": fingerprint},
        "properties": {"numbers": dict(finding.numbers), "noFixReason": finding.no_fix_reason},
    }
    if finding.fix is not None and finding.cell is None:
        result["fixes"] = [_fix(finding, finding.fix)]
    return result


def _location(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(finding.filename)}
    if finding.cell is None:
        place["region"] = _region(finding.location, finding.end_location)
        return {"physicalLocation": place}
    return {  # the lines of a cell are not those of the file
        "physicalLocation": place,
        "logicalLocations": [{"fullyQualifiedName": f"cell {finding.cell}", "kind": "cell"}],
    }


def _fix(finding: Finding, fix: Fix) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": _region(edit.location, edit.end_location),
            "insertedContent": {"text": edit.content},
        }
        for edit in fix.edits
    ]
    return {
        "description": {"text": _message(advice(finding))},
        "artifactChanges": [{"artifactLocation": _artifact(finding.filename), "replacements": replacements}],
        "properties": {"applicability": fix.applicability.value, "proof": fix.proof and proof(fix.proof)},
    }


def _region(start: Location, end: Location) -> dict[str, int]:
    return {
        "startLine": start.row,
        "startColumn": start.column,
        "endLine": end.row,
        "endColumn": end.column,
    }


def _artifact(filename: str) -> dict[str, str]:
    """The file as seen from the folder of the run, or absolute if it is elsewhere."""
    path = absolute(filename)
    if not path.is_relative_to(Path.cwd()):
        return {"uri": _uri(path)}
    return {"uri": _uri(path.relative_to(Path.cwd())), "uriBaseId": _ROOT}


def _uri(path: Path, end: str = "") -> str:
    """The path as a URI, whatever bytes it consists of; a relative one stays relative."""
    quoted = quote_from_bytes(os.fsencode(path.as_posix().rstrip("/") + end), safe="/")
    if path.is_absolute():
        return f"file://{'' if quoted.startswith('/') else '/'}{quoted}"
    return quoted


def _message(text: str) -> str:
    """Braces stand for arguments in messages, so those that mean themselves are doubled."""
    return text.replace("{", "{{").replace("}", "}}")

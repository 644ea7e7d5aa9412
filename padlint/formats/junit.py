"""A JUnit report: a suite per file, a failed case per finding."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from padlint.findings import Finding
from padlint.formats.places import advice, message, placed
from padlint.formats.printable import printable
from padlint.formats.report import Failure, Report


def render(report: Report) -> str:
    """The report as XML."""
    errors, failures = len(report.failures), len(report.findings)
    total = _counts(max(errors + failures, 1), failures, errors)
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="padlint" {total}>',
            *_suites(report),
            "</testsuites>\n",
        )
    )


def _suites(report: Report) -> Iterator[str]:
    for filename, findings in groupby(report.findings, key=lambda finding: finding.filename):
        yield from _suite(filename, [_failed(finding) for finding in findings])
    if report.failures:
        yield from _suite("padlint", [_error(failure) for failure in report.failures], errors=True)
    elif not report.findings:  # a report without a test counts as a failed one in some systems
        yield f'  <testsuite name="padlint" {_counts(1, 0, 0)}>'
        yield '    <testcase name="no problems found" classname="padlint"/>'
        yield "  </testsuite>"


def _suite(name: str, cases: list[str], *, errors: bool = False) -> Iterator[str]:
    number = len(cases)
    counts = _counts(number, 0, number) if errors else _counts(number, number, 0)
    yield f'  <testsuite name="{_xml(name)}" {counts}>'
    yield from cases
    yield "  </testsuite>"


def _failed(finding: Finding) -> str:
    start, _, _ = placed(finding)
    place = f'line="{start.row}" column="{start.column}"'
    text = f"line {start.row}, column {start.column}, {message(finding)}\nhelp: {advice(finding)}"
    return (
        f'    <testcase name="{finding.code} {start.row}:{start.column}" '
        f'classname="{_xml(finding.filename)}" file="{_xml(finding.filename)}" {place}>\n'
        f'      <failure type="{finding.severity.label}" message="{_xml(message(finding))}">'
        f"{escape(text)}</failure>\n"
        "    </testcase>"
    )


def _error(failure: Failure) -> str:
    return (
        f'    <testcase name="{_xml(failure.filename or "configuration")}" classname="padlint">\n'
        f'      <error message="{_xml(failure.message)}"/>\n'
        "    </testcase>"
    )


def _counts(tests: int, failures: int, errors: int) -> str:
    return f'tests="{tests}" failures="{failures}" errors="{errors}" skipped="0"'


def _xml(text: str) -> str:
    """XML has no way to write most control characters, so they are made visible."""
    return escape(printable(text))

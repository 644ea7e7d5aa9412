"""Findings as text for people and for programs. A format is a module with a function `render(report)`."""

from __future__ import annotations

from importlib import import_module

from padlint.formats.report import Failure, Report

__all__ = ["COUNTING", "FORMATS", "READABLE", "Failure", "Report", "render"]

FORMATS = {
    "text": "padlint.formats.text",
    "full": "padlint.formats.text",
    "concise": "padlint.formats.concise",
    "grouped": "padlint.formats.grouped",
    "json": "padlint.formats.json",
    "json-lines": "padlint.formats.json_lines",
    "github": "padlint.formats.github",
    "gitlab": "padlint.formats.gitlab",
    "sarif": "padlint.formats.sarif",
    "junit": "padlint.formats.junit",
    "rdjson": "padlint.formats.rdjson",
    "pylint": "padlint.formats.pylint",
    "azure": "padlint.formats.azure",
}
"""Module by name of the format; loaded when asked for."""

READABLE = frozenset({"text", "full", "concise", "grouped"})
"""The formats for people: a diff can take their place."""
COUNTING = READABLE | {"json", "json-lines"}
"""The formats that can hold counts by rule."""


def render(name: str, report: Report) -> str:
    """The report in the format of that name."""
    text: str = import_module(FORMATS[name]).render(report)
    return text

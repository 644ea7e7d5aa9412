"""Findings as text for people and for programs. A format is a module with a function `render(report)`."""

from __future__ import annotations

from importlib import import_module

from padlint.formats.report import Report

__all__ = ["FORMATS", "Report", "render"]

FORMATS = {
    "text": "padlint.formats.text",
    "json": "padlint.formats.json",
}
"""Module by name of the format; loaded when asked for."""


def render(name: str, report: Report) -> str:
    """The report in the format of that name."""
    text: str = import_module(FORMATS[name]).render(report)
    return text

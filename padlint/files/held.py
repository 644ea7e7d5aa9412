"""Texts that other programs hold: editors, flake8, LibCST. They are treated as the file in their place."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from padlint.config import Settings
from padlint.files.notebook import is_notebook
from padlint.files.prefilter import is_candidate

if TYPE_CHECKING:
    from padlint.options import Options


def options_of(settings: Settings, path: Path, text: str) -> Options | None:
    """The options for a text at an absolute path; None if its place is excluded or it can hold no finding.

    What they hold of a notebook is its JSON text, which is no program. A trace counts only if it is one of
    this very text.
    """
    content = text.encode("utf-8", "surrogatepass")
    if is_notebook(path.name) or settings.excludes(path) or not is_candidate(content, settings.operators):
        return None
    options = settings.options(path)
    if options.trace is not None:
        from padlint.traces.model import digest

        if options.trace.sha256 != digest(content):
            return replace(options, trace=None)
    return options

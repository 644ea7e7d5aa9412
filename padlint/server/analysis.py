"""One version of one document, analysed as `padlint check` would do it with the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from padlint import engine
from padlint.config import Configuration, absolute, parse
from padlint.explain import Explanation, explain
from padlint.files import is_candidate
from padlint.findings import Finding, Location
from padlint.options import Options
from padlint.server.positions import BOM, Positions
from padlint.syntax.source import Source


@dataclass(frozen=True)
class Document:
    """What the editor holds. `path` need not exist."""

    uri: str
    version: int | None
    path: Path
    text: str
    encoding: str


@dataclass(frozen=True)
class Analysis:
    """Findings of a document, under the options that its place gives it; `url` is that of the rules."""

    document: Document
    source: Source
    positions: Positions
    options: Options
    findings: tuple[Finding, ...]
    url: str

    @cached_property
    def fixed(self) -> str:
        """The text with all safe fixes."""
        return engine.fix(self.source.text, self.options).text if self.findings else self.source.text

    def explain(self, location: Location) -> Explanation | None:
        """What the innermost call around a place pads."""
        found = explain(self.source.text, self.options, location.row, location.column)
        return found[0] if found else None


def analyse(document: Document, settings: Mapping[str, Any]) -> Analysis:
    """Check a document. `settings` are those of the editor, over the configuration files.

    These are read anew each time, so that a change of them counts from now on. Raises ConfigError.
    """
    path = absolute(document.path)
    flags = parse(settings, Path.cwd(), "settings of the editor: ")
    chosen = Configuration(flags).settings(path.parent)
    bom = document.text.startswith(BOM)
    text = document.text[bom:]
    source = Source(text)
    positions = Positions(source, document.encoding, bom=bom)
    options = _current(chosen.options(path), document.text)
    content = text.encode("utf-8", "surrogatepass")
    skipped = chosen.excludes(path) or not is_candidate(content, chosen.operators)
    findings = () if skipped else tuple(engine.check(text, options, str(path)))
    return Analysis(document, source, positions, options, findings, chosen.documentation_url)


def _current(options: Options, text: str) -> Options:
    """The options without a trace of another text."""
    if options.trace is None:
        return options
    from padlint.traces.model import digest

    stale = options.trace.sha256 != digest(text.encode("utf-8", "surrogatepass"))
    return replace(options, trace=None) if stale else options

"""One version of one document, analysed as `padlint check` would do it with the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from padlint import engine
from padlint.config import Configuration, absolute, parse
from padlint.explain import Explanation, explain
from padlint.files.held import options_of
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
    """Findings of a document, under the options that its place gives it, if any; `url` is that of rules."""

    document: Document
    source: Source
    positions: Positions
    options: Options | None
    findings: tuple[Finding, ...]
    url: str

    @cached_property
    def fixed(self) -> str:
        """The text with all safe fixes."""
        if self.options is None or not self.findings:
            return self.source.text
        return engine.fix(self.source.text, self.options).text

    def explain(self, location: Location) -> Explanation | None:
        """What the innermost call around a place pads."""
        if self.options is None:
            return None
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
    options = options_of(chosen, path, text)
    findings = () if options is None else tuple(engine.check(text, options, str(path)))
    return Analysis(document, source, positions, options, findings, chosen.documentation_url)

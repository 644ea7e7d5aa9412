"""What a run found, as every format gets it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from padlint.levels import Applicability

if TYPE_CHECKING:
    from padlint.findings import Finding, Location


class Failure(NamedTuple):
    """Something that could not be done, and in which file (none for the configuration)."""

    filename: str
    message: str
    location: Location | None = None


class Report(NamedTuple):
    """The findings that are left, sorted, with the text of their files, and what was done about the others.

    `color` and `encoding` describe the stream that the text goes to. `statistics` asks for counts by rule
    instead of findings. `documentation_url` is where the user's pages about the rules are, with `{code}` and
    `{name}` in it; `hyperlinks` says that the stream shows links. `status` is the exit status of the run.
    """

    findings: tuple[Finding, ...]
    texts: Mapping[str, str] = MappingProxyType({})
    fixed: int = 0
    files: int = 0
    failures: tuple[Failure, ...] = ()
    fix: bool = False
    unsafe_fixes: bool = False
    statistics: bool = False
    quiet: bool = False
    color: bool = False
    encoding: str = "utf-8"
    documentation_url: str = ""
    hyperlinks: bool = False
    status: int = 0
    cells: Mapping[tuple[str, int], str] = MappingProxyType({})

    def is_fixable(self, finding: Finding) -> bool:
        """Whether `--fix` would apply the finding's fix as the run is set up."""
        if finding.fix is None:
            return False
        return self.unsafe_fixes or finding.fix.applicability is Applicability.SAFE

    @property
    def fixable(self) -> int:
        """Number of findings that `--fix` would fix."""
        return sum(map(self.is_fixable, self.findings))

    @property
    def unsafely_fixable(self) -> int:
        """Number of further findings that `--unsafe-fixes` would fix."""
        return sum(finding.fix is not None for finding in self.findings) - self.fixable

    def text_of(self, filename: str, cell: int | None) -> str:
        """The text in which a finding's rows count: that of its file, or of its cell."""
        return self.texts.get(filename, "") if cell is None else self.cells.get((filename, cell), "")

    def url(self, finding: Finding) -> str:
        """Where the user's documentation of the finding's rule is; empty if there is none."""
        return self.documentation_url.replace("{code}", finding.code).replace("{name}", finding.name)

    def counts(self) -> list[tuple[Finding, int, int]]:
        """Per rule an example, the number of findings and of fixable ones; the most frequent rule first."""
        total = Counter(finding.code for finding in self.findings)
        fixable = Counter(finding.code for finding in self.findings if self.is_fixable(finding))
        examples = {finding.code: finding for finding in self.findings}
        order = sorted(examples, key=lambda code: (-total[code], code))
        return [(examples[code], total[code], fixable[code]) for code in order]

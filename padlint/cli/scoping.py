"""Which findings a run is about: not those of the baseline, and only those in changed lines."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from padlint.cli.demands import Demands
from padlint.config import Settings
from padlint.files import Found, Outcome

if TYPE_CHECKING:
    from padlint.scope import Scope


class Scoping:
    """The baseline and the changes that hold for a run. Raises ConfigError where they cannot be had."""

    def __init__(self, settings: Settings, demands: Demands) -> None:
        self._settings = settings
        self._baseline = self._changes = None
        if settings.baseline is not None and not demands.whole:
            from padlint.files.baseline import Baseline

            self._baseline = Baseline.load(settings.baseline)
        if demands.since is not None:
            from padlint.files.changes import Changes

            self._changes = Changes(demands.since)

    @property
    def narrows(self) -> bool:
        """Whether some findings may not count."""
        return self._baseline is not None or self._changes is not None

    def of(self, path: Path) -> Scope | None:
        """What counts in a file; None if everything does."""
        if self._baseline is None and self._changes is None:
            return None
        from padlint.files.baseline import scoped

        return scoped(self._baseline, path, self._changes.of(path) if self._changes is not None else None)

    def stale(self, found: Iterable[Found], outcomes: Iterable[Outcome]) -> int:
        """How many findings of the baseline are gone, as far as this run would have met them."""
        if self._baseline is None:
            return 0
        codes = self._settings.codes()
        met = {outcome.filename: outcome for outcome in outcomes}
        count, seen = 0, set()
        for file in found:
            entry = self._baseline.entry(file.path)
            outcome = met.get(str(file.path))
            if entry is None or (outcome is not None and outcome.problem is not None):
                continue
            seen.add(entry)
            for kind, number in self._baseline.files[entry].items():
                if kind.partition(" ")[0] in codes:
                    count += number - ((outcome.met or {}).get(kind, 0) if outcome is not None else 0)
        gone = (self._baseline.files[name] for name in self._baseline.gone() if name not in seen)
        return count + sum(sum(kinds.values()) for kinds in gone)

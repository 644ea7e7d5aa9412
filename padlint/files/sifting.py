"""Which files are to be looked into: not those that can hold nothing, nor those that the cache knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from padlint.config import absolute
from padlint.files.discovery import Found
from padlint.files.notebook import decode_notebook, is_notebook, searchable
from padlint.files.prefilter import is_candidate
from padlint.files.problems import FileError, Problem
from padlint.files.source import decode
from padlint.files.work import Outcome, digest_of, read

if TYPE_CHECKING:
    from padlint.files.cache import Cache

_MANY = 64  # files from which on looking them up is quicker than looking for operators in them
_CACHED = (".py", ".pyi")


class Sifting:
    """Sorts the files of a run. `project` is the folder of the cache, None if there is to be none.

    `clean_only` says that of what is known only files without findings count: the others are to be worked on.
    """

    def __init__(self, project: Path | None = None, *, clean_only: bool = False) -> None:
        self.problems: list[Problem] = []
        self.known: list[Outcome] = []
        self._project = project
        self._clean_only = clean_only
        self._cache: Cache | None = None
        self._keys: dict[str, tuple[str, bytes]] = {}

    def candidates(self, files: Sequence[Found]) -> list[Found]:
        """The files to be looked into. `known` and `problems` have what became of others."""
        return [file for file in files if self._is_wanted(file, many=len(files) >= _MANY)]

    def _is_wanted(self, file: Found, *, many: bool) -> bool:
        try:
            content = read(file.path)
            if many and self._is_known(file, content):
                return False
            (decode_notebook if is_notebook(file.path.name) else decode)(content)
        except FileError as error:
            self.problems.append(Problem(str(file.path), str(error)))
            return False
        if is_candidate(searchable(file.path.name, content), file.settings.operators):
            return many or not self._is_known(file, content)
        if many and (kept := self._keys.pop(str(file.path), None)) and self._cache is not None:
            self._cache.put(kept[0], ())
        return False

    def _is_known(self, file: Found, content: bytes) -> bool:
        """Whether the cache knows the outcome; else its key is kept."""
        if self._project is None or file.settings.trace is not None or file.path.suffix not in _CACHED:
            return False
        if self._cache is None:
            from padlint.files.cache import Cache  # with what a run without candidates does not need

            self._cache = Cache(self._project)
        name = str(file.path)
        digest = digest_of(content)
        key = self._cache.key(digest, file.settings.told(absolute(file.path)))
        self._keys[name] = key, digest
        findings = self._cache.get(key, name)
        if findings is None or (findings and self._clean_only):
            return False
        if findings:
            self.known.append(Outcome(name, findings, decode(content).text))
        return True

    def learn(self, outcomes: Iterable[Outcome]) -> None:
        """Remember what was found in files that are as they were."""
        if self._cache is None:
            return
        for outcome in outcomes:
            key, digest = self._keys.get(outcome.filename, (None, b""))
            if key is None or outcome.digest != digest:  # it was written in the meantime
                continue
            if not (outcome.problem or outcome.applied or outcome.silenced):
                self._cache.put(key, outcome.findings)
        self._cache.save()

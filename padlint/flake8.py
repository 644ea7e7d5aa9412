"""The plugin for flake8, which finds it by its entry point.

Which rules run, and what is promised about sizes, comes from the configuration nearest to each file, as for
`padlint check`; flake8 selects among what these rules find. PAD000 is what could not be done.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from padlint import __version__

if TYPE_CHECKING:
    import ast

    from padlint.config import Configuration

_FAILED = "PAD000"
_Row = tuple[int, int, str, type]


class Plugin:
    """Checks one file. flake8 reads `name` and `version`, and passes what the constructor asks for."""

    name: ClassVar[str] = "padlint"
    version: ClassVar[str] = __version__

    def __init__(self, tree: ast.AST, lines: list[str], filename: str) -> None:
        self._text = "".join(lines)
        self._path = Path(filename)

    def run(self) -> Iterator[_Row]:
        """Rows, columns (from 0) and texts of the findings. flake8 would give up where a plugin raises."""
        try:
            yield from self._findings()
        except Exception as error:
            from padlint.config import ConfigError

            what = "" if isinstance(error, ConfigError) else f"internal error: {type(error).__name__}: "
            yield 1, 0, f"{_FAILED} {what}{error}", type(self)

    def _findings(self) -> Iterator[_Row]:
        from padlint.config import absolute
        from padlint.files.held import options_of

        path = absolute(self._path)
        settings = _configuration().settings(path.parent)
        options = options_of(settings, path, self._text)
        if options is None:
            return
        from padlint import engine

        for finding in engine.check(self._text, options):
            row, column = finding.location.row, finding.location.column
            yield row, column - 1, f"{finding.code} {finding.message}", type(self)


@cache
def _configuration() -> Configuration:
    from padlint.config import Configuration, parse

    return Configuration(parse({}, Path.cwd(), ""))

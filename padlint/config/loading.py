"""Finding and reading configuration files, and what holds for a folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from padlint.config.errors import ConfigError
from padlint.config.globs import Globs
from padlint.config.schema import Layer, parse
from padlint.config.settings import Settings

OWN_FILE = "padlint.toml"
PROJECT_FILE = "pyproject.toml"


class Configuration:
    """Settings by folder: the nearest configuration file, with the flags of the command line on top."""

    def __init__(self, flags: Layer, file: Path | None = None, *, isolated: bool = False) -> None:
        self._flags = flags
        self._cache: dict[Path, Settings | ConfigError] = {}
        self._fixed: Settings | None = None
        if isolated:
            self._fixed = self._settings(None, Path.cwd())
        elif file is not None:
            self._fixed = self._settings(file, Path.cwd())

    def settings(self, folder: Path) -> Settings:
        """The settings for the files of an absolute folder. Raises ConfigError, every time anew."""
        if self._fixed is not None:
            return self._fixed
        passed = []
        while folder not in self._cache:
            passed.append(folder)
            nearest = self._own(folder)
            if nearest is not None or folder.parent == folder:
                self._cache[folder] = nearest or self._settings(None, folder)
            else:
                folder = folder.parent
        found = self._cache[folder]
        self._cache.update(dict.fromkeys(passed, found))
        if isinstance(found, ConfigError):
            raise found
        return found

    def _own(self, folder: Path) -> Settings | ConfigError | None:
        """The settings that a folder's own configuration file gives."""
        own, project = folder / OWN_FILE, folder / PROJECT_FILE
        try:
            if _is_file(own):
                return self._settings(own, folder)
            if _is_file(project) and b"padlint" in (content := _bytes(project)):  # quicker than reading TOML
                document = _document(project, content)
                if "padlint" in document.get("tool", {}):
                    return self._settings(project, folder, document)
        except ConfigError as error:
            return error
        return None

    def _settings(
        self, file: Path | None, folder: Path, document: Mapping[str, Any] | None = None
    ) -> Settings:
        layers = [self._flags]
        if file is not None:
            folder = file.absolute().parent
            layers.insert(0, parse(table(file, document), folder, f"{file}: "))
        values: dict[str, Any] = {"exclude": Globs(folder, Settings().exclude.patterns)}
        for layer in layers:
            values |= layer.values
        if "input_size" in self._flags.values:
            values.pop("per_file_input_size", None)  # the command line is about this very run
        extended = tuple(globs for layer in layers for globs in layer.values.get("extend_exclude", ()))
        return Settings(
            **values | {"extend_exclude": extended},
            rules=tuple(layer.rules for layer in layers),
            fixes=tuple(layer.fixes for layer in layers),
            source=file,
        )


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - which raises where a folder may not be searched


def table(file: Path, document: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """The settings of a file: `[tool.padlint]` where there are tool tables, else the whole file."""
    if document is None:
        document = _document(file, _bytes(file))
    if file.name != PROJECT_FILE and "tool" not in document:
        return document
    own = document.get("tool", {}).get("padlint")
    if not isinstance(own, dict):
        raise ConfigError(f"{file}: there is no [tool.padlint] table in it")
    return own


def _document(file: Path, content: bytes) -> dict[str, Any]:
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        document: dict[str, Any] = toml.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from None
    return document


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ConfigError(f"{file}: cannot read the configuration: {str(error.strerror).lower()}") from None

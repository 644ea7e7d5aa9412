"""The fixes as a codemod: `python -m libcst.tool codemod -x padlint.codemod.ExplicitPadding PATH`.

LibCST writes the files, and formats them unless `--no-format` is given; `padlint check --fix` is safer.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import libcst as cst
from libcst.codemod import CodemodCommand, CodemodContext

from padlint import engine
from padlint.config import Configuration, absolute, parse
from padlint.files import FileError
from padlint.files.held import options_of
from padlint.files.source import decode
from padlint.files.work import read

_NO_FILE = "untitled.py"


class ExplicitPadding(CodemodCommand):
    """Writes out padding that differs between frameworks, at other input sizes or after export."""

    DESCRIPTION = "Write out padding that differs between frameworks, input sizes and exporters (padlint)."

    def __init__(
        self,
        context: CodemodContext,
        unsafe: bool = False,
        input_size: str | None = None,
        input_multiple: int | None = None,
    ) -> None:
        super().__init__(context)
        self._unsafe = unsafe
        given = {"input-size": input_size, "input-multiple": input_multiple}
        flags = {name: value for name, value in given.items() if value is not None}
        self._configuration = Configuration(parse(flags, Path.cwd(), "--"))

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Add the options that `padlint check` calls the same."""
        add = arg_parser.add_argument
        add("--unsafe", action="store_true", help="Apply unsafe fixes, too.")
        add("--input-size", metavar="HxW|N", help="Spatial size of every model input.")
        add("--input-multiple", type=int, metavar="N", help="What divides every size of every model input.")

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The module with the fixes applied; all else stays as it is."""
        path = absolute(Path(self.context.filename or _NO_FILE))
        text = _text_of(tree, path) if self.context.filename else tree.code
        options = options_of(self._configuration.settings(path.parent), path, text)
        if options is None:
            return _written(tree, text)
        fixed = engine.fix(text, options, unsafe=self._unsafe)
        if left := len(fixed.remaining):
            self.warn(f"{path}: {left} finding{'s' * (left != 1)} left, which `padlint check` shows")
        if fixed.text == text:
            return _written(tree, text)
        return _written(cst.parse_module(fixed.text, tree.config_for_parsing), fixed.text)


def _text_of(tree: cst.Module, path: Path) -> str:
    r"""The text of the file that a tree was parsed from: trees lose form feeds, and a `\r` at the end."""
    try:
        text = decode(read(path)).text
    except FileError:
        return tree.code
    same = text == tree.code or cst.parse_module(text, tree.config_for_parsing).code == tree.code
    return text if same else tree.code


@dataclass(frozen=True)
class _Written(cst.Module):
    """A module that knows the text which it was parsed from, for as long as its tree stays the same."""

    text: str = ""
    parsed: str = ""

    @property
    def code(self) -> str:
        code = super().code
        return self.text if code == self.parsed else code


def _written(tree: cst.Module, text: str) -> cst.Module:
    code = tree.code
    if code == text:
        return tree
    values: dict[str, Any] = {field.name: getattr(tree, field.name) for field in fields(tree)}
    return _Written(**values, text=text, parsed=code)

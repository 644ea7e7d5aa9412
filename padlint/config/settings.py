"""What a run does, and how each file is analysed: the result of defaults, configuration file and flags."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from padlint.config.globs import Globs
from padlint.config.selection import Selection, covered, default_codes, rules
from padlint.config.tracing import traced
from padlint.levels import Severity

if TYPE_CHECKING:
    from padlint.options import Options

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".padlint_cache",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)


class Settings(NamedTuple):
    """Everything that can be configured.

    The fields down to `baseline` concern the whole run and come from the configuration of the folder
    that holds all its paths; those below concern one file and come from the configuration nearest to it.
    """

    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    verify: bool = False
    output_format: str = "text"
    statistics: bool = False
    exit_zero: bool = False
    fail_on: Severity = Severity.WARNING
    no_cache: bool = False
    jobs: int | None = None
    color: str = "auto"
    quiet: bool = False
    verbose: bool = False
    output_file: Path | None = None
    documentation_url: str = ""
    baseline: Path | None = None

    rules: tuple[Selection, ...] = ()
    fixes: tuple[Selection, ...] = ()
    target: frozenset[str] = frozenset()
    input_size: tuple[int, ...] | None = None
    input_multiple: int | None = None
    keras_pad: str = "layer"
    unknown_size: str = "report"
    operators: tuple[tuple[str, str], ...] = ()
    trace: Path | None = None
    per_file_input_size: tuple[tuple[Globs, tuple[int, ...]], ...] = ()
    per_file_ignores: tuple[tuple[Globs, tuple[str, ...]], ...] = ()
    exclude: Globs = Globs(Path(), DEFAULT_EXCLUDE)
    extend_exclude: tuple[Globs, ...] = ()
    force_exclude: bool = False
    source: Path | None = None

    def options(self, path: Path) -> Options:
        """The options under which the file at the (absolute) path is analysed."""
        from padlint.options import Options

        codes = self.codes()
        for globs, ignored in self.per_file_ignores:
            if globs.covers(path):
                codes -= covered(ignored, codes)
        size, promised_by = self.input_size, ""
        for globs, promised in self.per_file_input_size:
            if globs.covers(path):
                size, promised_by = promised, "per-file-input-size"
        return Options(
            codes,
            self.target,
            size,
            self.input_multiple,
            self.keras_pad,
            self.unknown_size,
            self.operators,
            self._unfixable(),
            promised_by,
            traced(self.trace, path) if self.trace is not None else None,
        )

    def told(self, path: Path) -> bytes:
        """All that `options` for the path depend on, found without loading the rules; not the trace."""
        ignored = [codes for globs, codes in self.per_file_ignores if globs.covers(path)]
        sizes = [size for globs, size in self.per_file_input_size if globs.covers(path)]
        told = (self.rules, self.fixes, sorted(self.target), self.input_size, self.input_multiple)
        return repr((*told, self.keras_pad, self.unknown_size, self.operators, ignored, sizes)).encode()

    def excludes(self, path: Path, *, is_folder: bool = False) -> bool:
        """Whether the path, or a folder above it, is excluded."""
        return any(globs.covers(path, is_folder=is_folder) for globs in self.exclusions)

    @property
    def exclusions(self) -> tuple[Globs, ...]:
        """All that is excluded."""
        return self.exclude, *self.extend_exclude

    def _unfixable(self) -> frozenset[str]:
        known = frozenset(rule.code for rule in rules())
        chosen = known
        for layer in self.fixes:
            chosen = layer.apply(chosen, known)
        return known - chosen

    def codes(self) -> frozenset[str]:
        """The codes of the rules that run."""
        chosen = default_codes(self.target)
        known = frozenset(rule.code for rule in rules())
        for layer in self.rules:
            chosen = layer.apply(chosen, known)
        return chosen

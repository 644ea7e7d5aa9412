"""`padlint check`: what the command line asks for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from padlint.cli.demands import NAMES, Command, Demands, demands
from padlint.cli.options import check_options
from padlint.cli.run import Run
from padlint.config import ConfigError, Configuration, absolute, parse
from padlint.formats import COUNTING, FORMATS, READABLE

_STDIN = Path("-")
_NOT_SETTINGS = frozenset({"paths", "watch", "config", "isolated", "stdin_filename"}) | NAMES


@click.command(cls=Command, short_help="Find padding that differs between frameworks, and fix it.")
@check_options
@click.pass_context
def check(context: click.Context, /, paths: tuple[Path, ...], **flags: Any) -> None:
    """Find padding that means something else in another framework, at another size or after export.

    Reads the files and folders given, or the current folder; `-` is the source on stdin. Exits with 0 if
    nothing is left, 1 if errors or warnings are left, and 2 if the job could not be done.
    """
    stdin_name: Path | None = flags["stdin_filename"]
    is_stdin = _STDIN in paths or (stdin_name is not None and not paths)
    if is_stdin and len(paths) > 1:
        raise click.UsageError("`-` cannot be combined with other paths.")
    if stdin_name is not None and not is_stdin:
        raise click.UsageError("--stdin-filename needs `-` as the path.")
    if flags["isolated"] and flags["config"]:
        raise click.UsageError("--isolated and --config exclude each other.")
    if flags["watch"] and is_stdin:
        raise click.UsageError("--watch needs files.")
    _check_formats(flags)
    asked = demands(flags, is_stdin=is_stdin)

    def run() -> int:
        name = (stdin_name or Path("<stdin>")) if is_stdin else None
        return _run(context, paths or (Path(),), name, asked)

    if flags["watch"]:
        from padlint.cli.watch import watch

        watch(run, lambda: configuration(context), paths or (Path(),), quiet=flags["quiet"])
        context.exit(0)
    context.exit(run())


def _run(context: click.Context, paths: Sequence[Path], stdin_name: Path | None, asked: Demands) -> int:
    """One run, on stdin if that has a name, and its exit status."""
    try:
        found = configuration(context)
        if stdin_name is not None:
            return Run(found, found.settings(absolute(stdin_name).parent)).stdin(stdin_name)
        return Run(found, found.settings(common_folder(paths)), asked).files(paths)
    except ConfigError as error:
        click.echo(f"error: {error}", err=True)
        return 2


def _check_formats(flags: Mapping[str, Any]) -> None:
    """Refuse a format that cannot hold what is asked for along with it."""
    chosen = flags["output_format"]
    if chosen and flags["diff"] and chosen not in READABLE:
        raise click.UsageError(
            f"--diff shows a diff, not findings: without it, --output-format {chosen} holds the fixes, too."
        )
    if chosen and flags["statistics"] and chosen not in COUNTING:
        formats = ", ".join(name for name in FORMATS if name in COUNTING)
        raise click.UsageError(f"--statistics needs one of the formats {formats}.")


def given(context: click.Context) -> dict[str, Any]:
    """The settings of `padlint check` that were given explicitly on the command line."""
    shared = {parameter.name for parameter in check.params if parameter in context.command.params}
    settings = shared - _NOT_SETTINGS
    return {
        name.replace("_", "-"): value
        for name, value in context.params.items()
        if name in settings and context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }


def configuration(context: click.Context) -> Configuration:
    """What was given on the command line, over the configuration files that it allows."""
    flags = parse(given(context), Path.cwd(), "--")
    return Configuration(flags, context.params["config"], isolated=context.params["isolated"])


def common_folder(paths: Sequence[Path]) -> Path:
    """The folder whose configuration holds for the whole run."""
    folders = [path if path.is_dir() else path.parent for path in map(absolute, paths)]
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:  # several drives
        return Path.cwd()

"""The options of `padlint check`. Each is also a setting of the same name, but for the last four."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from padlint.cli.completing import Completer, complete_codes, complete_targets
from padlint.config import COLORS, KERAS_PADS, LEVELS, OUTPUT_FORMATS, TARGETS, UNKNOWN_SIZES

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _flag(*names: str, help: str) -> Callable[[_Function], _Function]:
    return click.option(*names, is_flag=True, help=help)


def _list(
    name: str, metavar: str, help: str, complete: Completer | None = None
) -> Callable[[_Function], _Function]:
    return click.option(name, multiple=True, metavar=metavar, help=help, shell_complete=complete)


def _codes(name: str, help: str) -> Callable[[_Function], _Function]:
    return _list(name, "CODES", help, complete_codes)


_PATHS = click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path))
_OPTIONS = (
    _flag("--fix/--no-fix", help="Apply safe fixes."),
    _flag("--interactive", "-i", help="Ask about each fix."),
    _flag("--unsafe-fixes/--no-unsafe-fixes", help="Count and apply unsafe fixes, too."),
    _flag("--diff", help="Show what --fix would change; write nothing."),
    _flag("--verify/--no-verify", help="Run each fix in the real framework before believing it."),
    _codes("--select", "Run these rules only: codes, prefixes (PAD1) or ALL, with commas between."),
    _codes("--ignore", "Do not run these rules."),
    _codes("--extend-select", "Run these rules, too."),
    _codes("--extend-ignore", "Do not run these rules, either."),
    _codes("--fixable", "Apply fixes of these rules only."),
    _codes("--unfixable", "Do not apply fixes of these rules."),
    _list(
        "--target",
        "NAMES",
        f"Where the model goes, for rules about that: {', '.join(TARGETS)}.",
        complete_targets,
    ),
    click.option("--input-size", metavar="HxW|N", help="Spatial size of every model input (DxHxW in 3-D)."),
    click.option(
        "--input-multiple",
        type=click.IntRange(min=1),
        metavar="N",
        help="Every spatial size of every model input is a multiple of N.",
    ),
    click.option("--keras-pad", type=click.Choice(KERAS_PADS), help="How fixes pad in Keras.  [layer]"),
    click.option(
        "--unknown-size",
        type=click.Choice(UNKNOWN_SIZES),
        help="What to do where no size decides the pads: report it, or have an unsafe fix write a pad that "
        "is computed at every call.  [report]",
    ),
    click.option(
        "--trace",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="What `padlint trace` has recorded: sizes and arguments that the code does not show.",
    ),
    click.option(
        "--output-format", type=click.Choice(OUTPUT_FORMATS), help="Format of the findings.  [text]"
    ),
    click.option(
        "--output-file",
        type=click.Path(path_type=Path),
        help="Write the findings to this file, once all are there.",
    ),
    click.option(
        "--documentation-url",
        metavar="URL",
        help="Where your pages about the rules are, with {code} or {name} in it: codes become links.",
    ),
    _flag("--statistics", help="Show counts by rule instead of findings."),
    click.option("--fail-on", type=click.Choice(LEVELS), help="What makes the exit status 1.  [warning]"),
    _flag("--exit-zero", help="Exit with 0 even if there are findings."),
    _list("--exclude", "PATTERNS", "Skip these paths instead of the usual .venv, build and the like."),
    _list("--extend-exclude", "PATTERNS", "Skip these paths, too."),
    _flag(
        "--force-exclude/--no-force-exclude", help="Skip excluded paths even if they are named explicitly."
    ),
    click.option("--add-noqa", metavar="[=REASON]", help="Silence what is found by `# noqa` comments."),
    click.option(
        "--baseline",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Pass over what is in this file, which `padlint baseline` writes.",
    ),
    _flag("--no-baseline", help="Pass over nothing."),
    click.option(
        "--report",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Also write what was fixed, how that was proved, and what is left and why: Markdown, or .html.",
    ),
    click.option("--since", metavar="REV", help="Only what touches lines changed since a Git revision."),
    click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Number of processes."),
    click.option(
        "--no-cache/--cache",
        envvar="PADLINT_NO_CACHE",
        show_envvar=True,
        help="Do not use or write .padlint_cache, which knows what was found in files that are unchanged.",
    ),
    click.option("--color", type=click.Choice(COLORS), help="When to use colours.  [auto]"),
    _flag("--quiet", "-q", help="Print findings and errors only."),
    _flag(
        "--verbose",
        "-v",
        help="Say what is done, what is passed over and why; show internal errors.",
    ),
    _flag("--watch", help="Check again whenever a file changes, until you interrupt."),
    click.option(
        "--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file."
    ),
    _flag("--isolated", help="Ignore all configuration files."),
    click.option(
        "--stdin-filename",
        type=click.Path(path_type=Path),
        metavar="NAME",
        help="Name of the source on stdin.",
    ),
)


def check_options(function: _Function) -> _Function:
    """Decorate the command with its paths and options."""
    for option in reversed((_PATHS, *_OPTIONS)):
        function = option(function)
    return function

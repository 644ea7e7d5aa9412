"""What `padlint verify` does: where both sides come from, the comparison, and its result."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import click

from padlint.cli.check import configuration
from padlint.cli.output import wants_color, write_stdout
from padlint.cli.verify_output import as_json, as_text
from padlint.config import ConfigError, Configuration, absolute
from padlint.files import Mode, Task, process
from padlint.verify.models import (
    Comparison,
    Input,
    Limits,
    PlaceError,
    Request,
    Side,
    is_unchanged,
    revision,
    standing_in,
    working,
)
from padlint.verify.models.against import PortVerifier
from padlint.verify.models.verifier import Verifier

_EXPORTERS = {"onnx": "torch", "onnx_legacy": "torch-legacy"}


@dataclass(frozen=True)
class _Sides:
    """Both sides, what they are called, and what should be known about them."""

    before: Side
    after: Side
    names: tuple[str, str]
    notes: tuple[str, ...] = ()


def run(context: click.Context, path: Path, callable_: str, target: str) -> int:
    """Compare both sides, print the result, and return the exit status."""
    flags = context.params
    try:
        request = _request(flags)
        with tempfile.TemporaryDirectory(prefix="padlint-") as folder:
            if flags["against"]:
                result = _compare_port(path, callable_, request, target, flags)
            else:
                result = _compare(_sides(context, path, callable_, Path(folder)), request, flags)
    except (PlaceError, ConfigError) as error:
        raise click.ClickException(str(error)) from None
    if flags["output_format"] == "json":
        write_stdout(as_json(result, target))
    else:
        write_stdout(as_text(result, target, quiet=flags["quiet"], color=wants_color("auto", sys.stdout)))
    return result.status


def _request(flags: dict[str, Any]) -> Request:
    try:
        inputs = tuple(map(Input.parse, flags["inputs"]))
    except ValueError as error:
        raise click.UsageError(f"--input: {error}") from None
    return Request(inputs, flags["kwargs"], flags["call_kwargs"], flags["seed"])


def _sides(context: click.Context, path: Path, callable_: str, folder: Path) -> _Sides:
    """Where both sides come from."""
    flags = context.params
    here = working(path, callable_, "after")
    if flags["fix"]:
        fixed, note = _fixed(context, path)
        (content := folder / "fixed.py").write_bytes(fixed)
        before = working(path, callable_, "before")
        return _Sides(before, standing_in(here, content, "after"), ("the file", "the fixed file"), note)
    after, name = here, "the working tree"
    if flags["after"]:
        after, name = standing_in(here, Path(flags["after"]), "after"), flags["after"]
    given = flags["before"] or "HEAD"
    if flags["before"] and Path(given).is_file():
        return _Sides(standing_in(here, Path(given), "before"), after, (given, name))
    before = revision(here, given, "before", folder)
    unchanged = not flags["after"] and is_unchanged(here.file, given)
    notes = (f"Git shows no change since {given}",) * unchanged
    return _Sides(before, after, (given, name), notes)


def _fixed(context: click.Context, path: Path) -> tuple[bytes, tuple[str, ...]]:
    """What `check --fix` would write, and whether that is anything new."""
    found: Configuration = configuration(context)
    settings = found.settings(absolute(path).parent)
    task = Task(str(path), path, settings.options(absolute(path)), Mode.PREVIEW, settings.unsafe_fixes)
    outcome = process(task)
    if outcome.problem:
        raise click.ClickException(f"{path}: {outcome.problem.message}")
    count = len(outcome.applied)
    if not count:
        more = sum(finding.fix is not None for finding in outcome.findings)
        hint = f"; {more} of its findings have an unsafe fix (--unsafe-fixes)" if more else ""
        return outcome.before, (f"`check --fix` would change nothing with these options{hint}",)
    codes = ", ".join(sorted({finding.code for finding in outcome.applied}))
    return outcome.after, (f"{count} fix{'es' * (count > 1)}: {codes}",)


def _compare(sides: _Sides, request: Request, flags: dict[str, Any]) -> Comparison:
    exporters = tuple(exporter for flag, exporter in _EXPORTERS.items() if flags[flag])
    verifier = Verifier(
        sides.before,
        sides.after,
        request,
        Limits(flags["timeout"], int(flags["memory"] * 2**30)),
        flags["residues"],
        exporters,
    )
    with _progress(verifier.steps, quiet=flags["quiet"]) as bar:
        verifier.on_progress = lambda what: bar.update(1, what)
        result = verifier.compare()
    result.before, result.after = sides.names
    result.notes[:0] = sides.notes
    return result


def _compare_port(
    path: Path, callable_: str, request: Request, target: str, flags: dict[str, Any]
) -> Comparison:
    other = flags["against"]
    there, _, name = other.rpartition("::")
    labels = ("of the first model", "of the second model")
    verifier = PortVerifier(
        working(path, callable_, labels[0]),
        working(Path(there), name, labels[1]),
        request,
        Limits(flags["timeout"], int(flags["memory"] * 2**30)),
        flags["residues"],
    )
    with _progress(verifier.steps, quiet=flags["quiet"]) as bar:
        verifier.on_progress = lambda what: bar.update(1, what)
        result = verifier.compare()
    result.before, result.after = target, other
    return result


@contextmanager
def _progress(steps: int, *, quiet: bool) -> Iterator[Any]:
    """A progress bar on a terminal."""
    screen = sys.stderr if sys.stderr.isatty() and not quiet else StringIO()
    with click.progressbar(
        length=steps, label="Verifying", item_show_func=lambda i: i or "", file=screen
    ) as bar:
        yield bar

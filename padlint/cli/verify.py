"""`padlint verify`: a whole model before and after a change, in its framework."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from padlint.cli.check import check, configuration
from padlint.cli.output import wants_color, write_stdout
from padlint.cli.verify_output import as_json, as_text
from padlint.config import ConfigError, Configuration, absolute
from padlint.files import Mode, Task, process

if TYPE_CHECKING:
    from padlint.verify.models import Comparison, Request, Side

_EXPORTERS = {"onnx": "torch", "onnx_legacy": "torch-legacy"}
_ANALYSIS = frozenset(
    (
        *("unsafe_fixes", "select", "ignore", "extend_select", "extend_ignore", "fixable", "unfixable"),
        *("target", "input_size", "input_multiple", "keras_pad", "config", "isolated"),
    )
)
"""The options of `check` that decide what `--fix` does."""


class _Json(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """A JSON object."""

    name = "JSON"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            found = json.loads(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(f"no valid JSON: {error}", param, ctx)
        if not isinstance(found, dict):
            self.fail('expected an object such as {"classes": 10}', param, ctx)
        return found


@dataclass(frozen=True)
class _Sides:
    """Both sides, what they are called, and what should be known about them."""

    before: Side
    after: Side
    names: tuple[str, str]
    notes: tuple[str, ...] = ()


@click.command(short_help="Run a whole model before and after a change.")
@click.argument("model", metavar="PATH::CALLABLE")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    required=True,
    metavar="SHAPE",
    help="Shape of an input: 1x3x224x224; int64:1x16:1000 (integers below 1000); mask=bool:1x16 (by name); "
    "1x3xH64xW64 (letters: every size from there on).",
)
@click.option("--kwargs", type=_Json(), default="{}", help="Keyword arguments of CALLABLE.")
@click.option("--call-kwargs", type=_Json(), default="{}", help="Keyword arguments of the model's call.")
@click.option(
    "--before", metavar="FILE|REV", help="What to compare with: another file, or a Git revision.  [HEAD]"
)
@click.option("--after", metavar="FILE", help="A file to take instead of PATH.")
@click.option("--fix", is_flag=True, help="Compare PATH with what `check --fix` would write; write nothing.")
@click.option("--onnx", is_flag=True, help="Export both, and run the ONNX file of the code after.")
@click.option("--onnx-legacy", is_flag=True, help="The same with PyTorch's TorchScript exporter.")
@click.option(
    "--residues", type=click.IntRange(1, 256), default=32, metavar="N", help="Sizes of a free axis.  [32]"
)
@click.option(
    "--seed", type=click.IntRange(0, 2**31), default=0, help="Seed of inputs and random layers.  [0]"
)
@click.option(
    "--timeout", type=click.FloatRange(min=1), default=300.0, metavar="SECONDS", help="For each step.  [300]"
)
@click.option(
    "--memory", type=click.FloatRange(min=0.5), default=8.0, metavar="GIB", help="For each process.  [8]"
)
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
@click.option("--quiet", "-q", is_flag=True, help="Print the result only.")
@click.pass_context
def verify(context: click.Context, /, model: str, **flags: Any) -> None:
    """Run the model that PATH::CALLABLE makes, or is, before and after a change, and compare everything.

    This executes your code, in child processes. By default the working tree is compared with Git's HEAD.
    CALLABLE is a model, a class or function that makes one, or a function of arrays. Exits with 0 if both
    compute the same, 1 if they differ, and 2 if they could not be compared.
    """
    path, separator, callable_ = model.rpartition("::")
    if not separator or not path or not callable_:
        raise click.UsageError(f"{model!r} is no PATH::CALLABLE such as model.py::build")
    if flags["fix"] and (flags["before"] or flags["after"]):
        raise click.UsageError("--fix excludes --before and --after.")
    from padlint.verify.models import PlaceError

    try:
        request = _request(flags)
        with tempfile.TemporaryDirectory(prefix="padlint-") as folder:
            sides = _sides(context, Path(path), callable_, Path(folder))
            result = _compare(sides, request, flags)
    except (PlaceError, ConfigError) as error:
        raise click.ClickException(str(error)) from None
    if flags["output_format"] == "json":
        write_stdout(as_json(result, model))
    else:
        write_stdout(as_text(result, model, quiet=flags["quiet"], color=wants_color("auto", sys.stdout)))
    context.exit(result.status)


verify.params.extend(option for option in check.params if option.name in _ANALYSIS)


def _request(flags: dict[str, Any]) -> Request:
    from padlint.verify.models import Input, Request

    try:
        inputs = tuple(map(Input.parse, flags["inputs"]))
    except ValueError as error:
        raise click.UsageError(f"--input: {error}") from None
    return Request(inputs, flags["kwargs"], flags["call_kwargs"], flags["seed"])


def _sides(context: click.Context, path: Path, callable_: str, folder: Path) -> _Sides:
    """Where both sides come from."""
    from padlint.verify.models import is_unchanged, revision, standing_in, working

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
    task = Task(
        str(path),
        path,
        settings.options(absolute(path)),
        settings.fixable(),
        Mode.PREVIEW,
        settings.unsafe_fixes,
    )
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
    from padlint.verify.models import Limits
    from padlint.verify.models.verifier import Verifier

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


@contextmanager
def _progress(steps: int, *, quiet: bool) -> Iterator[Any]:
    """A progress bar on a terminal."""
    screen = sys.stderr if sys.stderr.isatty() and not quiet else StringIO()
    with click.progressbar(
        length=steps, label="Verifying", item_show_func=lambda i: i or "", file=screen
    ) as bar:
        yield bar

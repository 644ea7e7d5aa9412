"""`padlint verify`: a whole model before and after a change, in its framework."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from padlint.cli.check import check

_ANALYSIS = frozenset(
    (
        *("unsafe_fixes", "select", "ignore", "extend_select", "extend_ignore", "fixable", "unfixable"),
        *(
            "target",
            "input_size",
            "input_multiple",
            "keras_pad",
            "unknown_size",
            "trace",
            "config",
            "isolated",
        ),
    )
)
"""The options of `check` that decide what `--fix` does."""


class Json(click.ParamType):  # type: ignore[type-arg]  # generic in new versions of click only
    """A JSON object."""

    name = "JSON"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The object."""
        import json

        try:
            found = json.loads(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(f"no valid JSON: {error}", param, ctx)
        if not isinstance(found, dict):
            self.fail('expected an object such as {"classes": 10}', param, ctx)
        return found


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
@click.option("--kwargs", type=Json(), default="{}", help="Keyword arguments of CALLABLE.")
@click.option("--call-kwargs", type=Json(), default="{}", help="Keyword arguments of the model's call.")
@click.option(
    "--before", metavar="FILE|REV", help="What to compare with: another file, or a Git revision.  [HEAD]"
)
@click.option("--after", metavar="FILE", help="A file to take instead of PATH.")
@click.option(
    "--against",
    metavar="PATH::CALLABLE",
    help="A port of the model to another framework, which gets its weights.",
)
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
    path, callable_ = _target(model)
    if flags["against"]:
        _target(flags["against"])
        others = ("before", "after", "fix", "onnx", "onnx_legacy")
        if unwanted := [f"--{name.replace('_', '-')}" for name in others if flags[name]]:
            raise click.UsageError(f"--against excludes {unwanted[0]}.")
    if flags["fix"] and (flags["before"] or flags["after"]):
        raise click.UsageError("--fix excludes --before and --after.")
    from padlint.cli.verify_run import run  # with all that it needs, which the other commands do not

    context.exit(run(context, Path(path), callable_, model))


def _target(text: str) -> tuple[str, str]:
    """The file and the callable of PATH::CALLABLE."""
    path, separator, callable_ = text.rpartition("::")
    if not separator or not path or not callable_:
        raise click.UsageError(f"{text!r} is no PATH::CALLABLE such as model.py::build")
    return path, callable_


verify.params.extend(option for option in check.params if option.name in _ANALYSIS)

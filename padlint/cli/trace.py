"""`padlint trace`: a run with hooks in its frameworks, and what it showed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from padlint.cli.verify import Json

_EPILOG = (
    "The file is JSON, by path relative to the project: the SHA-256 of its content and, per call, where it "
    "stands, its operator, and each way in which it ran (arguments, spatial sizes in and out, layout, dtype, "
    "count). `python -m pydoc padlint.traces` describes it."
)


@click.command(short_help="Run a program, and record the sizes and paddings of its layers.", epilog=_EPILOG)
@click.argument(
    "words", nargs=-1, metavar="[PATH::CALLABLE | SCRIPT] [-- ARGUMENT...]", type=click.UNPROCESSED
)
@click.option("-m", "module", metavar="MODULE", help="Run a module as a script, as `python -m` does.")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="SHAPE",
    help="Shape of an input of the model, as for `padlint verify`; without any, CALLABLE is called alone.",
)
@click.option("--kwargs", type=Json(), default="{}", help="Keyword arguments of CALLABLE.")
@click.option("--call-kwargs", type=Json(), default="{}", help="Keyword arguments of the model's call.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    default="padlint.trace.json",
    show_default=True,
    help="The trace; what it holds already stays, but for files that have changed.",
)
@click.option("--timeout", type=click.FloatRange(min=1), metavar="SECONDS", help="End the program then.")
@click.option("--memory", type=click.FloatRange(min=0.5), metavar="GIB", help="All that it may use.")
@click.option(
    "--output-format",
    type=click.Choice(("text", "json")),
    default="text",
    help="Format of the flow: every layer with its sizes, pads, receptive field and total stride.  [text]",
)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
@click.pass_context
def trace(context: click.Context, /, words: tuple[str, ...], **flags: Any) -> None:
    """Run a model or a program, and record every convolution, pool and pad that it runs.

    This executes your code, in a child process with its own arguments, folder and streams; its exit status
    becomes that of this command. What is recorded goes to a file that `padlint check --trace` uses, and the
    flow of the feature maps to stdout, behind what the program prints: a star marks the first size that is
    odd, `?` what cannot be followed, and `border` is the share of input positions with fewer uses than in
    the middle.
    """
    from padlint.cli.trace_run import run  # with all that it needs, which the other commands do not

    context.exit(run(words, flags))

"""`padlint report`: what is found, as a page or a Markdown file; sources are only read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from padlint.cli.baseline import ANALYSIS
from padlint.cli.check import check, common_folder, configuration
from padlint.cli.demands import Demands
from padlint.cli.migration import check_place
from padlint.cli.output import Messages
from padlint.cli.run import Run
from padlint.config import ConfigError

_OPTIONS = ANALYSIS | {"verify", "baseline", "no_baseline", "since", "fixable", "unfixable"}


@click.command(short_help="Write what is found as a page: numbers, proofs, and the change of each fix.")
@click.option(
    "--output-file",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    required=True,
    help="A page if it ends in .html, else Markdown.",
)
@click.pass_context
def report(
    context: click.Context,
    /,
    paths: tuple[Path, ...],
    output_file: Path,
    no_baseline: bool,
    since: str | None,
    **_: Any,
) -> None:
    """Write what `padlint check` finds to a file for people, and change nothing.

    File by file: the code, what each framework pads, the change of each fix with its proof, and why the rest
    is left. Exits with 0 if all could be read, with 2 if not.
    """
    check_place(output_file, "-o")
    demands = Demands(since=since, whole=no_baseline, report=output_file)
    try:
        context.exit(_write(context, paths or (Path(),), demands))
    except ConfigError as error:
        raise click.ClickException(str(error)) from None


report.params[:0] = [option for option in check.params if option.name in _OPTIONS]


def _write(context: click.Context, paths: tuple[Path, ...], demands: Demands) -> int:
    found = configuration(context)
    settings = found.settings(common_folder(paths))._replace(fix=False, diff=False)
    messages = Messages(settings)
    run = Run(found, settings, demands)
    outcomes = run.reported(paths)[1]
    problems = [*run.problems, *(outcome.problem for outcome in outcomes if outcome.problem)]
    for problem in problems:
        messages.error(problem)
    if run.interrupted is not None:
        return run.interrupted.status
    if not any(problem.filename == str(demands.report) for problem in problems):
        messages.summary(f"Wrote {demands.report}")
    return 2 if problems else 0

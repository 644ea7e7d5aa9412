"""`padlint baseline`: writes down what is found now, so that `check --baseline` reports only what is new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from padlint.cli.check import check, common_folder, configuration
from padlint.cli.demands import Demands
from padlint.cli.output import Messages
from padlint.cli.results import counted
from padlint.cli.run import Run
from padlint.config import ConfigError, absolute
from padlint.files import FileError, Outcome, Problem

ANALYSIS = frozenset(
    (
        *("paths", "select", "ignore", "extend_select", "extend_ignore", "target", "input_size"),
        *("input_multiple", "keras_pad", "unknown_size", "trace", "exclude", "extend_exclude"),
        *("force_exclude", "jobs", "config", "isolated", "quiet", "verbose"),
    )
)


@click.command(short_help="Write down what is found now, so that only new findings are reported.")
@click.option(
    "--output-file", "-o", type=click.Path(path_type=Path), metavar="FILE", help="[.padlint-baseline.json]"
)
@click.pass_context
def baseline(context: click.Context, /, paths: tuple[Path, ...], output_file: Path | None, **_: Any) -> None:
    """Write down what `padlint check` finds now; `padlint check --baseline FILE` reports only what is new.

    Without -o, the file is the one that the configuration names, or .padlint-baseline.json in this folder.
    What an old baseline says about files outside of the paths stays.
    """
    try:
        context.exit(_write(context, paths or (Path(),), output_file))
    except ConfigError as error:
        raise click.ClickException(str(error)) from None


baseline.params[:0] = [option for option in check.params if option.name in ANALYSIS]


def _write(context: click.Context, paths: tuple[Path, ...], file: Path | None) -> int:
    from padlint.files.baseline import NAME, Baseline, content
    from padlint.files.publishing import publish

    found = configuration(context)
    settings = found.settings(common_folder(paths))
    settings = settings._replace(fix=False, diff=False, verify=False)
    file = file or settings.baseline or Path(NAME)
    old = Baseline.load(file) if file.exists() else Baseline(file, {})
    run = Run(found, settings, Demands(whole=True))
    outcomes = run.outcomes(paths)[1]
    problems = [*run.problems, *(outcome.problem for outcome in outcomes if outcome.problem)]
    failed = {absolute(Path(problem.filename)) for problem in problems}
    tops = [absolute(path) for path in paths]
    files = {name: old.files[name] for name in old.files if _stays(old.place(name), tops, failed)}
    files |= {
        old.name(Path(outcome.filename)): _kinds(outcome) for outcome in outcomes if not outcome.problem
    }
    if run.interrupted is not None:
        raise run.interrupted
    try:
        publish(file, content(files))
    except FileError as error:
        problems.append(Problem(str(file), str(error)))
    else:
        count = counted(sum(sum(kinds.values()) for kinds in files.values()), "finding")
        where = counted(sum(map(bool, files.values())), "file")
        Messages(settings).summary(
            f"Wrote {file}: {count} in {where}; `padlint check --baseline {file}` passes over them"
        )
    for problem in problems:
        Messages(settings).error(problem)
    return 2 if problems else 0


def _stays(place: Path, tops: list[Path], failed: set[Path]) -> bool:
    """Whether an entry is of a file that is there, and that this run did not check."""
    return place.exists() and (place in failed or not any(place.is_relative_to(top) for top in tops))


def _kinds(outcome: Outcome) -> dict[str, int]:
    from collections import Counter

    from padlint.scope import kind
    from padlint.syntax.source import Source

    cells: dict[int | None, str] = {None: outcome.text}
    cells.update(outcome.cells.items())
    sources = {cell: Source(cells[cell]) for cell in {finding.cell for finding in outcome.findings}}
    return Counter(kind(finding, sources[finding.cell]) for finding in outcome.findings)

"""`padlint explain`: what the calls in a line pad."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from padlint.cli.output import write_stdout
from padlint.config import ConfigError, Configuration, absolute, parse
from padlint.files.notebook import is_notebook
from padlint.files.problems import FileError
from padlint.files.source import decode
from padlint.files.work import read
from padlint.formats.printable import printable

if TYPE_CHECKING:
    from padlint.explain import Explanation
    from padlint.findings import Finding
    from padlint.options import Options

_PLACE = re.compile(r"(?P<file>.+?):(?P<row>[1-9]\d*)(?::(?P<column>[1-9]\d*))?", re.S)


@click.command(short_help="Say what the calls in a line pad.")
@click.argument("place", metavar="FILE:LINE[:COLUMN]")
@click.option("--input-size", metavar="HxW|N", help="Spatial size of every model input.")
@click.option("--input-multiple", type=click.IntRange(min=1), metavar="N", help="... or what divides it.")
@click.option("--trace", type=click.Path(path_type=Path), metavar="FILE", help="What a run has shown.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration.")
@click.option("--isolated", is_flag=True, help="Ignore all configuration files.")
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
def explain(place: str, config: Path | None, isolated: bool, output_format: str, **flags: Any) -> None:
    """Say what the convolutions, pools and pads in a line pad, here and in other frameworks.

    A column names the innermost call around that character. What padlint finds there is listed, too.
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise click.UsageError(f"{place!r} is no FILE:LINE, such as model.py:12.")
    path, row = Path(match["file"]), int(match["row"])
    column = int(match["column"]) if match["column"] else None
    given = {name.replace("_", "-"): value for name, value in flags.items() if value is not None}
    try:
        configuration = Configuration(parse(given, Path.cwd(), "--"), config, isolated=isolated)
        options = configuration.settings(absolute(path).parent).options(absolute(path))
        if is_notebook(path.name):
            raise FileError("a notebook has no lines to name; `padlint check` says what its cells pad")
        text = decode(read(path)).text
    except (ConfigError, FileError) as error:
        where = "" if isinstance(error, ConfigError) else f"{printable(str(path))}: "
        raise click.ClickException(f"{where}{error}") from None
    found = _explained(text, options, row, column)
    findings = _findings(text, options, row)
    if not found and not findings:
        message = f"{printable(place)}: no convolution, pool or pad that padlint knows is called there"
        raise click.ClickException(message)
    write_stdout(_json(found) if output_format == "json" else _text(str(path), found, findings))


def _explained(text: str, options: Options, row: int, column: int | None) -> list[Explanation]:
    from padlint.explain import explain as explained

    return explained(text, options, row, column)


def _findings(text: str, options: Options, row: int) -> list[Finding]:
    from padlint.engine import check

    return [f for f in check(text, options) if f.location.row <= row <= f.end_location.row]


def _text(name: str, found: list[Explanation], findings: list[Finding]) -> str:
    from padlint.explain import lines

    parts = []
    for item in found:
        place = f"{printable(name)}:{item.location.row}:{item.location.column}"
        parts.append(f"{place}: " + "\n  ".join(map(printable, lines(item))) + "\n")
    for finding in findings:
        place = f"{printable(name)}:{finding.location.row}:{finding.location.column}"
        help = finding.fix.message if finding.fix is not None else f"no fix: {finding.no_fix_reason}"
        parts.append(f"{place}: {finding.code} {printable(finding.message)}\n  help: {printable(help)}\n")
    return "\n".join(parts)


def _json(found: list[Explanation]) -> str:
    import json

    return json.dumps([_item(item) for item in found], indent=2) + "\n"


def _item(item: Explanation) -> dict[str, Any]:
    return {
        "written": item.written,
        "operator": item.operator,
        "family": item.family,
        "location": vars(item.location),
        "end_location": vars(item.end_location),
        "ways": [{**vars(way), "others": dict(way.others)} for way in item.ways],
    }

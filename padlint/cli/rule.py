"""`padlint rule`: the documentation of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from padlint.cli.completing import complete_codes
from padlint.cli.output import write_stdout
from padlint.config import suggestion
from padlint.config.selection import rules

if TYPE_CHECKING:
    from padlint.rules import Rule


@click.command(short_help="Explain a rule.")
@click.argument("code", required=False, shell_complete=complete_codes)
@click.option("--all", "every", is_flag=True, help="Explain all rules.")
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
def rule(code: str | None, every: bool, output_format: str) -> None:
    """Explain a rule: what it reports, why that is bad, an example, what to write instead, and its fix."""
    if (code is None) != every:
        raise click.UsageError("Name one rule, or pass --all.")
    chosen = [rule for rule in rules() if every or code in (rule.code, rule.code.lower(), rule.name)]
    if code is not None and not chosen:
        hint = (
            suggestion(code, [rule.code for rule in rules()], 0.8) or "; `padlint rule --all` lists the rules"
        )
        raise click.UsageError(f"unknown rule {code!r}{hint}")
    write_stdout(_json(chosen) if output_format == "json" else _pages(chosen))


def _pages(chosen: Sequence[type[Rule]]) -> str:
    from padlint.formats.page import page

    return "\n".join(map(page, chosen))


def _json(chosen: Sequence[type[Rule]]) -> str:
    import json

    items = [
        {
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity.label,
            "fix": rule.fix,
            "targets": sorted(rule.targets),
            **vars(rule.documentation()),
        }
        for rule in chosen
    ]
    return json.dumps(items, indent=2) + "\n"

"""`padlint rule`: the documentation of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from padlint.cli.output import write_stdout
from padlint.config import suggestion
from padlint.config.selection import rules

if TYPE_CHECKING:
    from padlint.rules import Rule

_FIXES = {
    "safe": "has a safe fix",
    "unsafe": "has an unsafe fix",
    "sometimes": "has a fix in some cases",
    "none": "has no fix",
}


@click.command(short_help="Explain a rule.")
@click.argument("code", required=False)
@click.option("--all", "every", is_flag=True, help="Explain all rules.")
@click.option("--output-format", type=click.Choice(("text", "json")), default="text", help="[text]")
def rule(code: str | None, every: bool, output_format: str) -> None:
    """Explain a rule: what it reports, why that is bad, an example, what to write instead, and its fix."""
    if (code is None) != every:
        raise click.UsageError("Name one rule, or pass --all.")
    chosen = [rule for rule in rules() if every or rule.code == code]
    if code is not None and not chosen:
        hint = (
            suggestion(code, [rule.code for rule in rules()], 0.8) or "; `padlint rule --all` lists the rules"
        )
        raise click.UsageError(f"unknown rule {code!r}{hint}")
    write_stdout(_json(chosen) if output_format == "json" else "\n".join(map(_page, chosen)))


def _page(rule: type[Rule]) -> str:
    """The rule as Markdown."""
    text = rule.documentation()
    targets = f" With `--target` {', '.join(sorted(rule.targets))} only." * bool(rule.targets)
    return (
        f"# {rule.name} ({rule.code})\n\n{text.summary}\n\n"
        f"Severity: {rule.severity.label}. It {_FIXES[rule.fix]}.{targets}\n\n"
        f"## Why\n\n{text.why}\n\n"
        f"## Example\n\n{_block(text.example)}\n\n"
        f"## Use instead\n\n{_block(text.use_instead)}\n\n"
        f"## Fix safety\n\n{text.fix_safety}\n\n"
        f"## References\n\n{text.references}\n"
    )


def _block(text: str) -> str:
    return text if "```" in text else f"```python\n{text}\n```"


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

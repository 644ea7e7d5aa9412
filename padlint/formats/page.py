"""The documentation of a rule as Markdown."""

from __future__ import annotations

from padlint.rules import Rule

_FIXES = {
    "safe": "has a safe fix",
    "unsafe": "has an unsafe fix",
    "sometimes": "has a fix in some cases",
    "none": "has no fix",
}


def page(rule: type[Rule]) -> str:
    """What the rule reports, why that is bad, an example, what to write instead, and its fix."""
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

"""README.md taken apart. `python -m tests.readme` writes its table of rules anew."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from padlint.rules import ALL, Rule

PATH = Path(__file__).parents[1] / "README.md"
_BLOCK = re.compile(r"(?:^`(?P<name>[\w./]+)`:\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
_TABLE = re.compile(r"(?<=<!-- rules -->\n).*?(?=<!-- /rules -->)", re.S)


class Block(NamedTuple):
    """A fenced block; `name` is that of a file if a line such as "`model.py`:" stands before the block."""

    name: str | None
    language: str
    text: str


def blocks(*languages: str) -> list[Block]:
    """The blocks in these languages, or all."""
    found = (Block(*match.group("name", "language", "text")) for match in _BLOCK.finditer(_read()))
    return [block for block in found if not languages or block.language in languages]


def commands(block: Block) -> list[str]:
    """The commands of a console block, each after a `$`."""
    return re.findall(r"^\$ (.*)$", block.text, re.M)


def written_table() -> str:
    """The table of rules as the README has it."""
    match = _TABLE.search(_read())
    assert match, "README.md has no <!-- rules --> ... <!-- /rules -->"
    return match[0]


def current_table() -> str:
    """The table of rules as it should be."""
    rows = "".join(map(_row, ALL))
    return f"| Code | Name | Reports | Severity | Fix |\n| --- | --- | --- | --- | --- |\n{rows}"


def _row(rule: type[Rule]) -> str:
    summary = " ".join(rule.documentation().summary.split()).replace("|", "\\|")
    only = f" (with `--target` {', '.join(sorted(rule.targets))})" if rule.targets else ""
    return f"| {rule.code} | {rule.name} | {summary}{only} | {rule.severity.label} | {rule.fix} |\n"


def _read() -> str:
    return PATH.read_text(encoding="utf-8")


if __name__ == "__main__":
    table = current_table()
    PATH.write_text(_TABLE.sub(lambda _: table, _read()), encoding="utf-8")

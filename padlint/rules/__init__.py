"""The rules, one per file. `ALL` lists them in the order of their codes."""

from __future__ import annotations

from padlint.rules.base import Documentation, Rule

__all__ = ["ALL", "Documentation", "Rule"]

ALL: tuple[type[Rule], ...] = ()

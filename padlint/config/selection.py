"""Which rules run: codes, prefixes and ALL, in the order and with the precedence that Ruff users know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import padlint
from padlint.config.errors import ConfigError, suggestion

if TYPE_CHECKING:
    from padlint.rules import Rule

ALL = "ALL"
_SELECTOR = r"ALL|PAD\d{0,3}"


class Selection(NamedTuple):
    """What one layer (a configuration file, the command line) says about the rules.

    A `select` starts afresh; without it the layer changes what the layers below it chose. Within a layer the
    more specific code wins, and of two equally specific ones that which ignores.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def apply(self, chosen: frozenset[str], known: Iterable[str]) -> frozenset[str]:
        """The codes after this layer, given those before it."""
        wanted = (*(self.select or ()), *self.extend_select)
        before = chosen if self.select is None else frozenset[str]()
        return frozenset(
            code
            for code in known
            if (_specificity(wanted, code) > _specificity(self.ignore, code))
            or (code in before and _specificity(self.ignore, code) < 0)
        )


def _specificity(selectors: Iterable[str], code: str) -> int:
    """Length of the longest selector that covers `code` (ALL counts as 0), -1 if none does."""
    lengths = (0 if s == ALL else len(s) for s in selectors if s == ALL or code.startswith(s))
    return max(lengths, default=-1)


def rules() -> tuple[type[Rule], ...]:
    """All rules. Loading them takes a parser, so nobody asks before it is needed."""
    from padlint.rules import ALL as all_rules

    return all_rules


def known_codes() -> list[str]:
    """The codes of all rules, read from the names of their modules, which need not be loaded for that."""
    folder = Path(padlint.__file__).parent / "rules"
    return sorted(path.stem.upper() for path in folder.glob("pad[0-9][0-9][0-9].py"))


def default_codes(targets: frozenset[str]) -> frozenset[str]:
    """The rules that run when nothing is selected: those of every target, and those of the chosen ones."""
    return frozenset(rule.code for rule in rules() if not rule.targets or rule.targets & targets)


def covered(selectors: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """The codes that any of the selectors covers."""
    selectors = tuple(selectors)
    return frozenset(code for code in known if _specificity(selectors, code) >= 0)


def check_selectors(selectors: Sequence[str]) -> None:
    """Raise ConfigError for a selector that is no code, no prefix of one, and not ALL."""
    if not selectors:
        return
    known = known_codes()
    for selector in selectors:
        valid = re.fullmatch(_SELECTOR, selector)
        if not valid or (selector != ALL and not any(code.startswith(selector) for code in known)):
            hint = suggestion(selector, [*known, ALL], 0.8) or "; `padlint rule --all` lists the rules"
            raise ConfigError(f"unknown rule or prefix {selector!r}{hint}")

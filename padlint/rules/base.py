"""What a rule is: a class with a code, a docstring that is its documentation, and pure detection."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from padlint.findings import Severity

if TYPE_CHECKING:
    from padlint.findings import Finding
    from padlint.rules.context import FileContext

SECTIONS = ("Why", "Example", "Use instead", "Fix safety", "References")
_HEADING = re.compile(rf"^({'|'.join(SECTIONS)})$", re.M)


@dataclass(frozen=True)
class Documentation:
    """A rule's docstring, taken apart: the first paragraph and one text per heading of `SECTIONS`."""

    summary: str
    why: str
    example: str
    use_instead: str
    fix_safety: str
    references: str


class Rule:
    """One problem that padlint knows. Subclasses set the class variables and implement `check`."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    fix: ClassVar[str]  # "safe", "unsafe", "sometimes" or "none": what --fix can do at best
    targets: ClassVar[frozenset[str]] = (
        frozenset()
    )  # empty: on by default; else only with one of these targets

    def check(self, context: FileContext) -> Iterator[Finding]:
        """Yield the findings of one file."""
        raise NotImplementedError

    @classmethod
    def documentation(cls) -> Documentation:
        """The docstring as sections; `ValueError` where one is missing."""
        text = inspect.cleandoc(cls.__doc__ or "")
        summary, *rest = _HEADING.split(text)
        sections = {
            heading: inspect.cleandoc(body).strip()
            for heading, body in zip(rest[::2], rest[1::2], strict=True)
        }
        if missing := [section for section in SECTIONS if section not in sections]:
            raise ValueError(f"{cls.__name__} documents no {', '.join(missing)}")
        return Documentation(summary.strip(), *(sections[section] for section in SECTIONS))

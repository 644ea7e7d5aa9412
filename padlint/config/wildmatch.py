"""Git's patterns for paths, as gitignore(5) describes them and Git's wildmatch.c reads them: on bytes."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from functools import cached_property
from operator import methodcaller
from typing import NamedTuple

_SPECIAL = re.compile(rb"[*?\[\\]")
_CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, (*range(32), 127))),
    "digit": string.digits,
    "graph": "".join(map(chr, range(33, 127))),
    "lower": string.ascii_lowercase,
    "print": "".join(map(chr, range(32, 127))),
    "punct": string.punctuation,
    "space": " \t\n\r",
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}


class Pattern(NamedTuple):
    """One pattern: what it says about an entry, and about which.

    Without a slash inside, it is about the name of an entry, else about its path from the pattern's folder.
    """

    glob: bytes
    negated: bool = False
    only_folders: bool = False
    on_path: bool = False

    @classmethod
    def parse(cls, text: bytes) -> Pattern:
        """Read a pattern that is no comment."""
        negated = text.startswith(b"!")
        text = text[negated:]
        only_folders = text.endswith(b"/")
        text = text[: len(text) - only_folders]
        return cls(text.removeprefix(b"/"), negated, only_folders, b"/" in text)

    @property
    def literal_length(self) -> int:
        """How much of it, from the start, means nothing but itself."""
        special = _SPECIAL.search(self.glob)
        return special.start() if special else len(self.glob)

    @property
    def regex(self) -> bytes | None:
        """A regular expression for the whole name or path; None if nothing matches."""
        start = self.literal_length if self.on_path else 0  # Git cuts it off: `**` may come first behind it
        rest = _Translation(self.glob[start:].decode("latin-1"), on_path=self.on_path).regex()
        return None if rest is None else re.escape(self.glob[:start]) + rest.encode("latin-1")

    def matcher(self) -> Callable[[bytes], object]:
        """Whether the whole name or path matches."""
        if self.literal_length == len(self.glob):
            return self.glob.__eq__
        if self.glob.startswith(b"*") and not self.on_path and not _SPECIAL.search(self.glob, 1):
            return methodcaller("endswith", self.glob[1:])
        return re.compile(self.regex or b"(?!)", re.DOTALL).fullmatch


class Patterns:
    """Patterns of one folder, of which the last that matches decides. `fold`: in either case."""

    def __init__(self, patterns: Iterable[Pattern], *, fold: bool = False) -> None:
        self._fold = fold
        self._patterns = tuple(p._replace(glob=p.glob.lower()) if fold else p for p in patterns)

    def validate(self) -> None:
        """Raise ValueError for a pattern that matches nothing."""
        for pattern in self._patterns:
            if not pattern.glob or pattern.regex is None:
                raise ValueError(f"the pattern {pattern.glob.decode('utf-8', 'replace')!r} can match nothing")

    def without(self, pattern: Pattern) -> Patterns:
        """The others."""
        return Patterns((other for other in self._patterns if other != pattern), fold=self._fold)

    def decisive(self, path: bytes, *, is_folder: bool) -> Pattern | None:
        """The last pattern that matches an entry, whose path is relative to the folder of the patterns."""
        if self._fold:
            path = path.lower()
        name = path.rpartition(b"/")[2]
        if (
            name not in self._literals
            and path not in self._literals
            and not any(match(path if pattern.on_path else name) for pattern, match in self._wild)
        ):
            return None  # nearly always
        for pattern, match in reversed(self._matchers):
            if (is_folder or not pattern.only_folders) and match(path if pattern.on_path else name):
                return pattern
        return None

    @cached_property
    def _literals(self) -> frozenset[bytes]:
        return frozenset(p.glob for p in self._patterns if p.literal_length == len(p.glob))

    @cached_property
    def _wild(self) -> list[tuple[Pattern, Callable[[bytes], object]]]:
        return [matcher for matcher in self._matchers if matcher[0].glob not in self._literals]

    @cached_property
    def _matchers(self) -> list[tuple[Pattern, Callable[[bytes], object]]]:
        return [(pattern, pattern.matcher()) for pattern in self._patterns]


class _Star(NamedTuple):
    """A run of stars, and the regular expression for what follows it up to the next."""

    regex: str
    is_double: bool
    behind: list[str]


class _Translation:
    """From a pattern to a regular expression."""

    def __init__(self, glob: str, *, on_path: bool) -> None:
        self._glob = glob
        self._on_path = on_path
        self._place = 0
        self._groups = 0

    def regex(self) -> str | None:
        """None if nothing matches: a class that does not end, a backslash at the end."""
        stars = [_Star("", True, [])]
        while self._place < len(self._glob):
            if self._glob[self._place] == "*":
                stars.append(self._star())
            elif (item := self._character()) is not None:
                stars[-1].behind.append(item)
            else:
                return None
        return self._joined(stars)

    def _star(self) -> _Star:
        start = self._place
        while self._glob.startswith("*", self._place):
            self._place += 1
        is_double = self._place - start > 1 and self._glob[start - 1 : start] in ("", "/")
        if self._on_path and is_double and self._glob.startswith("/", self._place):
            self._place += 1
            return _Star("(?:.*?/)??", True, [])
        if self._on_path and is_double and self._glob[self._place : self._place + 2] in ("", "\\/"):
            return _Star(".*?", True, [])
        return _Star("[^/]*?", False, [])

    def _joined(self, stars: list[_Star]) -> str:
        """The expression, in which no star is tried again once all up to the next one of its kind matched.

        A shorter match leaves all that a longer one does to the star behind it; without this, a pattern of
        many stars could take for ever. A double star spans folders, a single one does not.
        """
        *outer, last = self._runs(stars)
        return "".join(map(self._once, outer)) + last

    def _runs(self, stars: list[_Star]) -> list[str]:
        """The expressions from each double star up to the next."""
        doubles = [number for number, star in enumerate(stars) if star.is_double]
        runs = []
        for start, end in zip(doubles, [*doubles[1:], len(stars)], strict=True):
            first, *others = ("".join((star.regex, *star.behind)) for star in stars[start:end])
            inner = "".join(map(self._once, others[:-1])) + "".join(others[-1:])
            runs.append(first + inner)
        return runs

    def _once(self, regex: str) -> str:
        """An atomic group, which Python has had only since 3.11."""
        self._groups += 1
        return f"(?=(?P<g{self._groups}>{regex}))(?P=g{self._groups})"

    def _character(self) -> str | None:
        """The expression for one character."""
        character = self._next()
        if character == "?":
            return "[^/]"
        if character == "[":
            return self._class()
        if character == "\\":
            character = self._next()
        return re.escape(character) if character else None

    def _class(self) -> str | None:
        """The expression for a class, of which the `[` is read."""
        negated = self._glob[self._place : self._place + 1] in ("!", "^")
        self._place += negated
        members = set[str]()
        before = ""  # from where a range may go
        character = self._next()
        while True:
            named = self._named_class() if character == "[" else None
            if named is not None:
                if named not in _CLASSES:
                    return None
                members.update(_CLASSES[named])
                before = ""
            elif character == "-" and before and self._glob[self._place : self._place + 1] not in ("", "]"):
                end = self._member(self._next())
                if not end:
                    return None
                members.update(map(chr, range(ord(before), ord(end) + 1)))
                before = ""
            elif before := self._member(character):
                members.add(before)
            else:
                return None
            if (character := self._next()) == "]":
                break
        if negated:
            members = set(map(chr, range(256))) - members
        chosen = "".join(f"\\x{ord(member):02x}" for member in sorted(members - {"/"}))
        return f"[{chosen}]" if chosen else "(?!)"

    def _named_class(self) -> str | None:
        """The name in `[:name:]`, of which the `[` is read, if that is what comes; "" for one without end."""
        if not self._glob.startswith(":", self._place):
            return None
        start, end = self._place + 1, self._glob.find("]", self._place + 1)
        if end < 0:
            return ""
        if end == start or self._glob[end - 1] != ":":
            return None
        self._place = end + 1
        return self._glob[start : end - 1]

    def _member(self, character: str) -> str:
        """A member of a class that may be escaped; "" at the end of the pattern."""
        return self._next() if character == "\\" else character

    def _next(self) -> str:
        """The next character, "" at the end."""
        self._place += 1
        return self._glob[self._place - 1 : self._place]

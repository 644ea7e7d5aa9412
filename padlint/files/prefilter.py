"""Which files can hold a finding at all, decided on their bytes: all that follows costs far more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

# An operator is found through the import of one of these, `layers` may be handed in or come from a relative
# import. Suppressions and `auto_pad` count without an operator.
_FRAMEWORKS = (b"torch", b"keras", b"tensorflow", b"onnx", b"flax", b"jax", b"haiku", b"slim", b"layers")
_ALONE = (b"auto_pad", b"padlint:")
_HEAD = re.compile(rb"\w*\Z")
_LONGEST = 64


def is_candidate(content: bytes, operators: Sequence[tuple[str, str]] = ()) -> bool:
    """Whether a file may hold a finding. True for every file that does; some others are let through.

    `operators` are the user's own wrappers, by dotted path.
    """
    if any(path.rpartition(".")[2].encode() in content for path, _ in operators):
        return True
    if any(literal in content for literal in _ALONE) or (b"noqa" in content and b"PAD" in content):
        return True
    return any(word in content for word in _FRAMEWORKS) and _names_operator(content)


def _names_operator(content: bytes) -> bool:
    for pattern, names in _patterns():
        for match in pattern.finditer(content):
            start = match.start()
            head = _HEAD.search(content, max(0, start - _LONGEST), start)
            if head and head.group() + match.group() in names:
                return True
    return False


@cache
def _patterns() -> tuple[tuple[re.Pattern[bytes], frozenset[bytes]], ...]:
    """Per literal, what ends an operator's name from there on, and the whole names.

    A pattern that starts with a literal is searched for ten times as fast as one that starts with a choice.
    """
    from padlint.catalogue import PADDED, operator_names, prefilter_literals

    names = [name.encode() for name in operator_names(PADDED)]
    patterns = []
    for literal in prefilter_literals():
        holders = frozenset(name for name in names if literal in name)
        tails = sorted({name[name.index(literal) + len(literal) :] for name in holders}, reverse=True)
        pattern = re.escape(literal) + rb"(?:" + b"|".join(map(re.escape, tails)) + rb")(?!\w)"
        patterns.append((re.compile(pattern), holders))
    return tuple(patterns)

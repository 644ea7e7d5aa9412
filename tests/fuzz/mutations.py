"""Random damage to a source: what editors, merges and hurried people do to code, and worse.

All chance comes from the `Random` that is passed in, so that a seed repeats a case.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from random import Random

_TOKEN = re.compile(r"""\w+|"[^"\n]*"|'[^'\n]*'|\s+|.""", re.S)
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_WORD = re.compile(r"""(["'])(same|valid|SAME|VALID|reflect|constant|zeros|circular)\1""")
_CALL = re.compile(r"\b(?:\w+\.)+\w+\([^()\n]*\)")
_NUMBERS = (0, 1, 2, 3, 4, 5, 7, 8, 16, 33, 224, 1000003, -1)
_WORDS = ("same", "valid", "SAME", "VALID", "Same", "causal", "reflect", "", "full")
_ODD = (
    *"\0\x0c\t\ufeff\u2028\x85é日\\#\"'()[]{},:;@=*\r\n",
    "\r\n",
    '"""',
    "lambda: ",
    "await ",
    "not ",
    "*args, ",
    "# noqa: PAD101 ",
    "# padlint: ignore[PAD101]\n",
    "# padlint: input-size=32\n",
)
_AROUND = ("({})", "[{}][0]", "(lambda: {})()", "f({})", "({} if flag else None)", "({} or {})", "(y := {})")
_LINES = ("if True:", "for i in range(3):", "try:", "pass", "return x", "x = x", "del x", "global x", "break")


def mutated(text: str, random: Random, others: Sequence[str]) -> str:
    """A text with one to four random changes; three times out of four one that is still Python.

    `others` are texts to take lines from.
    """
    for _ in range(12 if random.random() < 0.75 else 1):
        changed = text
        for _ in range(random.randint(1, 4)):
            changed = random.choice(_MUTATIONS)(changed, random, others)
        if _is_python(changed):
            return changed
    return changed


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) or [""]


def _delete_lines(text: str, random: Random, others: Sequence[str]) -> str:
    lines = _lines(text)
    start = random.randrange(len(lines))
    del lines[start : start + random.choice((1, 1, 1, 2, 5))]
    return "".join(lines)


def _repeat_lines(text: str, random: Random, others: Sequence[str]) -> str:
    lines = _lines(text)
    start = random.randrange(len(lines))
    block = lines[start : start + random.choice((1, 1, 2, 5))]
    lines[start:start] = block * random.choice((1, 1, 2, 7))
    return "".join(lines)


def _swap_lines(text: str, random: Random, others: Sequence[str]) -> str:
    lines = _lines(text)
    first = random.randrange(len(lines))
    second = min(first + random.choice((1, 1, 2, 9)), len(lines) - 1)
    lines[first], lines[second] = lines[second], lines[first]
    return "".join(lines)


def _foreign_lines(text: str, random: Random, others: Sequence[str]) -> str:
    lines, taken = _lines(text), _lines(random.choice(others))
    start = random.randrange(len(taken))
    place = random.randrange(len(lines) + 1)
    lines[place:place] = taken[start : start + random.randint(1, 6)]
    return "".join(lines)


def _statement(text: str, random: Random, others: Sequence[str]) -> str:
    lines = _lines(text)
    place = random.randrange(len(lines))
    line = lines[place]
    indent = line[: len(line) - len(line.lstrip())]
    word = random.choice(_LINES)
    if word.endswith(":"):
        lines[place] = f"{indent}{word} {line.lstrip()}"
    else:
        lines[place:place] = [f"{indent}{word}\n"]
    return "".join(lines)


def _token(text: str, random: Random, others: Sequence[str]) -> str:
    tokens = _TOKEN.findall(text) or [""]
    place = random.randrange(len(tokens))
    match random.randrange(3):
        case 0:
            del tokens[place]
        case 1:
            tokens.insert(place, tokens[place])
        case _:
            other = random.randrange(len(tokens))
            tokens[place], tokens[other] = tokens[other], tokens[place]
    return "".join(tokens)


def _one(pattern: re.Pattern[str], text: str, random: Random, change: Callable[[re.Match[str]], str]) -> str:
    """The text with one match replaced."""
    matches = list(pattern.finditer(text))
    if not matches:
        return text
    match = random.choice(matches)
    return text[: match.start()] + change(match) + text[match.end() :]


def _number(text: str, random: Random, others: Sequence[str]) -> str:
    return _one(_NUMBER, text, random, lambda match: str(random.choice(_NUMBERS)))


def _word(text: str, random: Random, others: Sequence[str]) -> str:
    return _one(_WORD, text, random, lambda match: f"{match[1]}{random.choice(_WORDS)}{match[1]}")


def _name(text: str, random: Random, others: Sequence[str]) -> str:
    """One name of the file instead of another."""
    names = re.findall(r"\b[A-Za-z_]\w*\b", text)
    return _one(re.compile(r"\b[A-Za-z_]\w*\b"), text, random, lambda match: random.choice(names))


def _wrap(text: str, random: Random, others: Sequence[str]) -> str:
    around = random.choice(_AROUND)
    return _one(_CALL, text, random, lambda match: around.replace("{}", match.group()))


def _truncate(text: str, random: Random, others: Sequence[str]) -> str:
    return text[: random.randrange(len(text) + 1)] if random.random() < 0.3 else text.rstrip("\r\n")


def _odd(text: str, random: Random, others: Sequence[str]) -> str:
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice(_ODD) + text[place:]


def _white_space(text: str, random: Random, others: Sequence[str]) -> str:
    match random.randrange(4):
        case 0:
            return text.replace("\n", random.choice(("\r\n", "\r", "\n")))
        case 1:
            return text.replace("    ", random.choice(("\t", "  ")))
        case 2:
            return _one(re.compile(r"[(,]"), text, random, lambda m: m.group() + random.choice(("\n", "  ")))
        case _:
            return _one(re.compile(r"(?<=\S) (?=\S)"), text, random, lambda match: " \\\n    ")


_MUTATIONS = (
    _delete_lines,
    _repeat_lines,
    _swap_lines,
    _foreign_lines,
    _statement,
    _token,
    _token,
    _number,
    _number,
    _word,
    _name,
    _name,
    _wrap,
    _truncate,
    _odd,
    _white_space,
)

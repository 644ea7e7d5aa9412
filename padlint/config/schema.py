"""The settings by name: how the value of each is written, in a configuration file and on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from padlint.config.errors import ConfigError, suggestion
from padlint.config.globs import Globs
from padlint.config.selection import Selection, check_selectors
from padlint.levels import Severity

TARGETS = ("keras", "torch", "jax", "onnx", "onnx-legacy", "tflite", "coreml", "tensorrt", "ncnn")
OUTPUT_FORMATS = (
    "text",
    "full",
    "concise",
    "grouped",
    "json",
    "json-lines",
    "github",
    "gitlab",
    "sarif",
    "junit",
    "rdjson",
    "pylint",
    "azure",
)
COLORS = ("auto", "always", "never")
KERAS_PADS = ("layer", "ops")
UNKNOWN_SIZES = ("report", "runtime")
LEVELS = tuple(level.label for level in reversed(Severity))
_SIZE = r"[1-9]\d*(x[1-9]\d*){0,2}"


class Layer(NamedTuple):
    """The settings that one source gives: values by field of `Settings`, and its selections of rules."""

    values: Mapping[str, Any]
    rules: Selection
    fixes: Selection


def parse(table: Mapping[str, Any], base: Path, where: str) -> Layer:
    """Read the settings of one source; `base` is the folder of its relative paths."""
    parsed = {}
    for key, value in table.items():
        if key not in _PARSERS:
            raise ConfigError(f"{where}{key}: unknown setting{suggestion(key, _PARSERS)}")
        try:
            parsed[key.replace("-", "_")] = _PARSERS[key](value, base)
        except (ValueError, ConfigError) as error:
            raise ConfigError(f"{where}{key}: {error}") from None
    ignore = (*parsed.pop("ignore", ()), *parsed.pop("extend_ignore", ()))
    extend_select = parsed.pop("extend_select", ())
    rules = Selection(parsed.pop("select", None), extend_select, ignore)
    fixes = Selection(parsed.pop("fixable", None), (), parsed.pop("unfixable", ()))
    return Layer(parsed, rules, fixes)


def _boolean(value: object, _base: Path) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, not {value!r}")
    return value


def _number(value: object, _base: Path) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"expected a number from 1, not {value!r}")
    return value


def _strings(value: object, _base: Path) -> tuple[str, ...]:
    """A list of strings; one string may hold several, with commas between them."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
        raise ValueError(f"expected a list of strings, not {value!r}")
    return tuple(part.strip() for item in items for part in item.split(",") if part.strip())


def _codes(value: object, base: Path) -> tuple[str, ...]:
    selectors = _strings(value, base)
    check_selectors(selectors)
    return selectors


def _choice(*choices: str) -> Callable[[object, Path], str]:
    def parse_choice(value: object, _base: Path) -> str:
        if not isinstance(value, str) or value not in choices:
            hint = suggestion(str(value), choices)
            raise ValueError(f"expected one of {', '.join(choices)}, not {value!r}{hint}")
        return value

    return parse_choice


def _targets(value: object, base: Path) -> frozenset[str]:
    target = _choice(*TARGETS)
    return frozenset(target(name, base) for name in _strings(value, base))


def _level(value: object, base: Path) -> Severity:
    return Severity[_choice(*LEVELS)(value, base).upper()]


def _size(value: object, base: Path) -> tuple[int, ...]:
    """`224x224` or 224 (every axis); 32x224x224 for three axes."""
    if isinstance(value, (list, tuple)) and 0 < len(value) <= 3:
        return tuple(_number(item, base) for item in value)
    if isinstance(value, bool) or not isinstance(value, (int, str)) or not re.fullmatch(_SIZE, str(value)):
        raise ValueError(f"expected a size such as 224 or 224x224 (height x width), not {value!r}")
    return tuple(map(int, str(value).split("x")))


def _path(value: object, base: Path) -> Path:
    if not isinstance(value, (str, Path)) or not str(value):
        raise ValueError(f"expected a path, not {value!r}")
    return base / value


def _url(value: object, _base: Path) -> str:
    """Where pages about the rules are; printed to terminals, so nothing but plain characters."""
    if not isinstance(value, str) or not re.fullmatch(r"(https?|file)://[!-~]+", value):
        raise ValueError(f"expected a URL such as https://example.org/{{code}}, not {value!r}")
    return value


def _globs(value: object, base: Path) -> Globs:
    globs = Globs(base, _strings(value, base))
    if negated := [pattern for pattern in globs.patterns if pattern.startswith("!")]:
        raise ValueError(f"the pattern {negated[0]!r} starts with `!`, which has no meaning here")
    globs.validate()
    return globs


def _several_globs(value: object, base: Path) -> tuple[Globs, ...]:
    return (_globs(value, base),)


def _per_file_ignores(value: object, base: Path) -> tuple[tuple[Globs, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise ValueError(f"expected a table of path patterns and lists of codes, not {value!r}")
    return tuple((_globs([pattern], base), _codes(codes, base)) for pattern, codes in value.items())


def _per_file_input_size(value: object, base: Path) -> tuple[tuple[Globs, tuple[int, ...]], ...]:
    if not isinstance(value, dict):
        raise ValueError(f"expected a table of path patterns and sizes, not {value!r}")
    return tuple((_globs([pattern], base), _size(size, base)) for pattern, size in value.items())


def _operators(value: object, _base: Path) -> tuple[tuple[str, str], ...]:
    """`"mmcv.cnn.ConvModule" = "torch.nn.Conv2d"`: a wrapper, and the operator that it behaves like."""
    from padlint.catalogue import lookup

    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise ValueError(f"expected a table of dotted paths, not {value!r}")
    for path, target in value.items():
        if not all(part.isidentifier() for part in path.lstrip(".").split(".")):
            raise ValueError(f"{path!r} is no dotted path of a class or function")
        if lookup(target) is None:
            raise ValueError(f"{target!r} is no operator that padlint knows (an example is torch.nn.Conv2d)")
    return tuple(sorted(value.items()))


def names() -> tuple[str, ...]:
    """The names of all settings."""
    return tuple(_PARSERS)


_PARSERS: Mapping[str, Callable[[Any, Path], Any]] = {
    "select": _codes,
    "ignore": _codes,
    "extend-select": _codes,
    "extend-ignore": _codes,
    "fixable": _codes,
    "unfixable": _codes,
    "per-file-ignores": _per_file_ignores,
    "per-file-input-size": _per_file_input_size,
    "target": _targets,
    "input-size": _size,
    "input-multiple": _number,
    "keras-pad": _choice(*KERAS_PADS),
    "unknown-size": _choice(*UNKNOWN_SIZES),
    "operators": _operators,
    "trace": _path,
    "baseline": _path,
    "exclude": _globs,
    "extend-exclude": _several_globs,
    "force-exclude": _boolean,
    "fix": _boolean,
    "unsafe-fixes": _boolean,
    "diff": _boolean,
    "verify": _boolean,
    "output-format": _choice(*OUTPUT_FORMATS),
    "output-file": _path,
    "documentation-url": _url,
    "statistics": _boolean,
    "exit-zero": _boolean,
    "fail-on": _level,
    "jobs": _number,
    "no-cache": _boolean,
    "color": _choice(*COLORS),
    "quiet": _boolean,
    "verbose": _boolean,
}

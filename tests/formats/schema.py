"""The schema of the JSON format, and a check of the part of JSON Schema that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_NULL = {"type": None}
_PLACE = {
    "type": dict,
    "properties": {"row": {"type": int, "minimum": 1}, "column": {"type": int, "minimum": 1}},
}
_SIZES = {"type": list, "items": {"type": list, "items": {"type": int}}}
_LAYER = {
    "type": dict,
    "properties": {
        "framework": {"type": str},
        "result": {"enum": ["equal", "differs", "no reference"]},
        "max_abs": {"any": [{"type": float}, {"type": int}, _NULL]},
        "dtype": {"type": str},
        "sizes": _SIZES,
    },
}
_PROOF = {
    "type": dict,
    "properties": {
        "taps": {"enum": ["equal"]},
        "sizes": {"any": [{"enum": ["all"]}, _SIZES]},
        "layer": {"any": [_NULL, _LAYER]},
    },
}
_EDIT = {"type": dict, "properties": {"content": {"type": str}, "location": _PLACE, "end_location": _PLACE}}
_FIX = {
    "type": dict,
    "properties": {
        "applicability": {"enum": ["safe", "unsafe"]},
        "message": {"type": str},
        "edits": {"type": list, "items": _EDIT},
        "proof": {"any": [_NULL, _PROOF]},
    },
}
FINDINGS = {
    "type": list,
    "items": {
        "type": dict,
        "properties": {
            "code": {"type": str, "pattern": r"PAD\d{3}"},
            "name": {"type": str, "pattern": r"[a-z0-9]+(-[a-z0-9]+)*"},
            "severity": {"enum": ["error", "warning", "info"]},
            "message": {"type": str},
            "filename": {"type": str},
            "cell": {"any": [_NULL, {"type": int, "minimum": 1}]},
            "location": _PLACE,
            "end_location": _PLACE,
            "fix": {"any": [_NULL, _FIX]},
            "no_fix_reason": {"any": [_NULL, {"type": str}]},
            "numbers": {"type": dict},
        },
    },
}


def conforms(value: Any, schema: dict[str, Any], where: str = "$") -> list[str]:
    """What is wrong with the value; every property is required and no other is allowed."""
    return list(_faults(value, schema, where))


def _faults(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    if "any" in schema and all(conforms(value, choice, where) for choice in schema["any"]):
        yield f"{where}: no alternative fits {value!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not one of {schema['enum']}"
    if "type" in schema and (type(value) is not schema["type"] if schema["type"] else value is not None):
        yield f"{where}: {value!r} is no {schema['type']}"
        return
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{where}: {value!r} is too small"
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        yield f"{where}: {value!r} does not look right"
    for index, item in enumerate(value if "items" in schema else ()):
        yield from _faults(item, schema["items"], f"{where}[{index}]")
    if "properties" in schema:
        if value.keys() != schema["properties"].keys():
            yield f"{where}: has {sorted(value)}, not {sorted(schema['properties'])}"
        for name in value.keys() & schema["properties"].keys():
            yield from _faults(value[name], schema["properties"][name], f"{where}.{name}")

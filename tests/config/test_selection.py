"""Which rules run."""

from __future__ import annotations

from pathlib import Path

import pytest

from padlint.config import ConfigError, Configuration, parse
from padlint.options import Options

EVERY = {"PAD101", "PAD102", "PAD203", "PAD301", "PAD304"}
DEFAULT = {"PAD101", "PAD102", "PAD301"}


def options(tmp_path: Path, toml: str = "", name: str = "a.py", **flags: object) -> Options:
    (tmp_path / "padlint.toml").write_text(toml)
    given = {key.replace("_", "-"): value for key, value in flags.items()}
    settings = Configuration(parse(given, tmp_path, "--")).settings(tmp_path)
    return settings.options(tmp_path / name)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, DEFAULT),
        ({"select": "ALL"}, EVERY),
        ({"select": "PAD"}, EVERY),
        ({"select": "PAD1"}, {"PAD101", "PAD102"}),
        ({"select": "PAD2,PAD304"}, {"PAD203", "PAD304"}),
        ({"select": ("PAD2", "PAD304")}, {"PAD203", "PAD304"}),
        ({"select": "ALL", "ignore": "PAD1"}, {"PAD203", "PAD301", "PAD304"}),
        ({"select": "PAD101", "ignore": "PAD1"}, {"PAD101"}),  # the more specific one wins
        ({"select": "PAD1", "ignore": "PAD101"}, {"PAD102"}),
        ({"select": "PAD101", "ignore": "PAD101"}, set()),
        ({"ignore": "ALL"}, set()),
        ({"ignore": "PAD102"}, {"PAD101", "PAD301"}),
        ({"ignore": "PAD102", "extend_ignore": "PAD3"}, {"PAD101"}),
        ({"extend_select": "PAD203"}, DEFAULT | {"PAD203"}),
        ({"select": "PAD1", "extend_select": "PAD203"}, {"PAD101", "PAD102", "PAD203"}),
        ({"ignore": "ALL", "extend_select": "PAD203"}, {"PAD203"}),
        ({"target": "torch"}, DEFAULT | {"PAD203"}),
        ({"target": "torch,onnx"}, EVERY),
        ({"target": "torch", "ignore": "PAD203"}, DEFAULT),
        ({"target": "torch", "select": "PAD3"}, {"PAD301", "PAD304"}),
    ],
)
def test_selection(tmp_path: Path, flags: dict[str, object], expected: set[str]) -> None:
    assert options(tmp_path, **flags).codes == expected


@pytest.mark.parametrize(
    ("toml", "flags", "expected"),
    [
        ('select = ["PAD1"]', {}, {"PAD101", "PAD102"}),
        ('select = ["PAD1"]', {"select": "PAD3"}, {"PAD301", "PAD304"}),
        ('select = ["PAD1"]', {"ignore": "PAD101"}, {"PAD102"}),
        ('select = ["PAD1"]', {"extend_select": "PAD3"}, {"PAD101", "PAD102", "PAD301", "PAD304"}),
        ('ignore = ["PAD101"]', {}, {"PAD102", "PAD301"}),
        ('ignore = ["PAD101"]', {"extend_select": "PAD101"}, DEFAULT),
        ('ignore = ["PAD101"]', {"select": "PAD101"}, {"PAD101"}),
        ('select = ["PAD101"]', {"ignore": "PAD1"}, set()),
        ('target = ["torch"]', {"target": "onnx"}, DEFAULT | {"PAD304"}),
        ('per-file-ignores = { "a.py" = ["PAD1"] }', {}, {"PAD301"}),
        ('per-file-ignores = { "a.py" = ["ALL"], "b.py" = [] }', {}, set()),
        ('per-file-ignores = { "*.py" = ["PAD3"], "a*" = ["PAD102"] }', {}, {"PAD101"}),
        ('per-file-ignores = { "sub/a.py" = ["ALL"] }', {}, DEFAULT),
        ('per-file-ignores = { "a.py" = ["PAD1"] }', {"select": "PAD1"}, set()),
    ],
)
def test_flags_over_a_file(tmp_path: Path, toml: str, flags: dict[str, object], expected: set[str]) -> None:
    assert options(tmp_path, toml, **flags).codes == expected


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, set()),
        ({"fixable": "PAD1"}, {"PAD203", "PAD301", "PAD304"}),
        ({"unfixable": "PAD1"}, {"PAD101", "PAD102"}),
        ({"fixable": "ALL", "unfixable": "PAD203"}, {"PAD203"}),
        ({"unfixable": "ALL"}, EVERY),
    ],
)
def test_unfixable(tmp_path: Path, flags: dict[str, object], expected: set[str]) -> None:
    assert options(tmp_path, "", **flags).unfixable == expected


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("PAD3O1", "did you mean PAD301?"),
        ("pad101", "did you mean PAD101?"),
        ("all", "did you mean ALL?"),
        ("PAD9", "padlint rule --all"),
        ("PAD1011", "did you mean PAD101?"),
        ("E501", "padlint rule --all"),
    ],
)
@pytest.mark.parametrize(
    "key", ["select", "ignore", "extend-select", "extend-ignore", "fixable", "unfixable"]
)
def test_unknown_code(tmp_path: Path, key: str, code: str, hint: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse({key: [code]}, tmp_path, "--")
    assert str(error.value).startswith(f"--{key}: unknown rule or prefix {code!r}; ")
    assert hint in str(error.value)


@pytest.mark.parametrize(
    ("written", "expected"),
    [("224", (224,)), (224, (224,)), ("224x160", (224, 160)), ("8x224x160", (8, 224, 160)), ([8, 9], (8, 9))],
)
def test_input_size(tmp_path: Path, written: object, expected: tuple[int, ...]) -> None:
    assert options(tmp_path, input_size=written).input_size == expected


def test_other_options(tmp_path: Path) -> None:
    given = options(tmp_path, input_multiple=32, keras_pad="ops", target="keras")
    assert (given.input_multiple, given.keras_pad, given.targets) == (32, "ops", {"keras"})

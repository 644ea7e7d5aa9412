"""Configuration files: which one holds, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from padlint.config import ConfigError, Configuration, Settings, parse
from padlint.findings import Severity


def settings(folder: Path, file: Path | None = None, *, isolated: bool = False, **flags: object) -> Settings:
    layer = parse({key.replace("_", "-"): value for key, value in flags.items()}, folder, "--")
    return Configuration(layer, file, isolated=isolated).settings(folder)


def test_every_setting_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "padlint.toml").write_text("""
        select = ["ALL"]
        ignore = ["PAD101"]
        extend-select = []
        extend-ignore = "PAD102"
        fixable = ["ALL"]
        unfixable = ["PAD301"]
        per-file-ignores = { "tests/**" = ["PAD3"] }
        per-file-input-size = { "small/*.py" = 32, "wide.py" = "224x448" }
        target = ["torch", "onnx"]
        input-size = "224x224"
        input-multiple = 32
        keras-pad = "ops"
        exclude = ["gen"]
        extend-exclude = ["*_pb2.py"]
        force-exclude = true
        fix = true
        unsafe-fixes = true
        diff = true
        verify = true
        output-format = "json"
        output-file = "report.json"
        statistics = true
        exit-zero = true
        fail-on = "info"
        jobs = 3
        no-cache = true
        color = "never"
        quiet = true
        verbose = true
    """)
    found = settings(tmp_path)
    assert (found.fix, found.unsafe_fixes, found.diff, found.verify) == (True,) * 4
    assert (found.statistics, found.exit_zero, found.quiet, found.verbose, found.no_cache) == (True,) * 5
    assert (found.fail_on, found.jobs, found.color) == (Severity.INFO, 3, "never")
    assert (found.output_format, found.output_file) == ("json", tmp_path / "report.json")
    assert found.options(tmp_path / "a.py").codes == {"PAD203", "PAD301", "PAD304"}
    assert found.options(tmp_path / "tests/deep/a.py").codes == {"PAD203"}
    assert found.options(tmp_path / "a.py").unfixable == {"PAD301"}
    assert found.excludes(tmp_path / "gen/a.py")
    assert found.excludes(tmp_path / "a_pb2.py")
    assert not found.excludes(tmp_path / ".venv/a.py"), "exclude replaces the default"


def test_the_nearest_file_holds(tmp_path: Path) -> None:
    inner = tmp_path / "a/b/c"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.padlint]\njobs = 1\n")
    (tmp_path / "a/pyproject.toml").write_text("[tool.other]\njobs = 2\n")
    assert settings(inner).jobs == 1, "a pyproject.toml without our table does not count"
    (tmp_path / "a/pyproject.toml").write_text("[tool.padlint]\njobs = 2\n")
    assert settings(inner).jobs == 2
    (tmp_path / "a/padlint.toml").write_text("jobs = 3\n")
    assert settings(inner).jobs == 3, "padlint.toml comes before pyproject.toml"
    assert settings(tmp_path).jobs == 1
    assert settings(inner, jobs=9).jobs == 9, "flags come before files"
    assert settings(inner, isolated=True).jobs is None


def test_config_flag(tmp_path: Path) -> None:
    (tmp_path / "padlint.toml").write_text("jobs = 1\n")
    (tmp_path / "other").mkdir()
    own, project = tmp_path / "other/own.toml", tmp_path / "other/pyproject.toml"
    own.write_text('jobs = 2\nexclude = ["gen"]\n')
    project.write_text("[tool.padlint]\njobs = 3\n")
    assert settings(tmp_path, own).jobs == 2
    assert settings(tmp_path, own).excludes(tmp_path / "other/gen/a.py")
    assert settings(tmp_path, project).jobs == 3


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    found = settings(tmp_path)
    assert found.options(tmp_path / "a.py").codes == {"PAD101", "PAD102", "PAD301"}
    assert found.fail_on is Severity.WARNING
    assert found.excludes(tmp_path / ".venv/lib/a.py")
    assert found.excludes(tmp_path / "src/build/a.py")
    assert not found.excludes(tmp_path / "src/build.py")


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("fixx = true", "fixx: unknown setting; did you mean fix?"),
        ("input_size = 3", "input_size: unknown setting; did you mean input-size?"),
        ("[plugins]", "plugins: unknown setting"),
        ("stdin-filename = 'a'", "stdin-filename: unknown setting"),
        ("fix = 'yes'", "fix: expected true or false, not 'yes'"),
        ("fix = 1", "fix: expected true or false, not 1"),
        ("select = 3", "select: expected a list of strings, not 3"),
        ("select = [3]", "select: expected a list of strings, not [3]"),
        ("select = ['PAD999']", "select: unknown rule or prefix 'PAD999'"),
        ("jobs = 0", "jobs: expected a number from 1, not 0"),
        ("jobs = true", "jobs: expected a number from 1, not True"),
        ("jobs = 1.5", "jobs: expected a number from 1, not 1.5"),
        (
            "input-size = '0x3'",
            "input-size: expected a size such as 224 or 224x224 (height x width), not '0x3'",
        ),
        ("input-size = [1, 2, 3, 4]", "input-size: expected a size"),
        ("input-size = [1, 0]", "input-size: expected a number from 1, not 0"),
        ("input-size = true", "input-size: expected a size"),
        ("target = ['tourch']", "target: expected one of keras, torch,"),
        ("target = ['tourch']", "; did you mean torch?"),
        ("keras-pad = 'op'", "keras-pad: expected one of layer, ops, not 'op'; did you mean ops?"),
        ("fail-on = 'never'", "fail-on: expected one of error, warning, info, not 'never'"),
        ("output-format = 'xml'", "output-format: expected one of text, full, concise, grouped, json, "),
        ("per-file-input-size = 224", "per-file-input-size: expected a table of path patterns and sizes"),
        ("per-file-input-size = { a = 'big' }", "per-file-input-size: expected a size such as 224"),
        ("per-file-ignores = ['a']", "per-file-ignores: expected a table of path patterns"),
        ("per-file-ignores = { a = ['X'] }", "per-file-ignores: unknown rule or prefix 'X'"),
        ("exclude = ['!a']", "exclude: the pattern '!a' starts with `!`"),
        ("exclude = ['a\\']", "exclude: "),
        ("output-file = 3", "output-file: expected a path, not 3"),
        ("fix = ", "not valid TOML: "),
    ],
)
def test_errors_name_file_and_key(tmp_path: Path, toml: str, message: str) -> None:
    file = tmp_path / "padlint.toml"
    file.write_text(toml)
    with pytest.raises(ConfigError) as error:
        settings(tmp_path)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    for content, message in ((b"\xff", "not valid TOML"), (b"x = 1\n", "no [tool.padlint] table")):
        (tmp_path / "pyproject.toml").write_bytes(content)
        with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
            settings(tmp_path, tmp_path / "pyproject.toml")
    (tmp_path / "pyproject.toml").write_text("[tool]\npadlint = 3\n")
    with pytest.raises(ConfigError, match="padlint"):
        settings(tmp_path)
    with pytest.raises(ConfigError, match="cannot read the configuration: no such file"):
        settings(tmp_path, tmp_path / "nowhere.toml")
    with pytest.raises(ConfigError, match="cannot read the configuration: is a directory"):
        settings(tmp_path, tmp_path)


def test_the_size_of_a_file_is_that_of_the_last_pattern_that_covers_it(tmp_path: Path) -> None:
    (tmp_path / "padlint.toml").write_text("""
        input-size = 224
        per-file-input-size = { "small/*" = 32, "small/tiny.py" = "8x16" }
        """)
    found = settings(tmp_path)
    sizes = {name: found.options(tmp_path / name) for name in ("a.py", "small/b.py", "small/tiny.py")}
    assert [options.input_size for options in sizes.values()] == [(224,), (32,), (8, 16)]
    assert [options.promised_by for options in sizes.values()] == ["", *["per-file-input-size"] * 2]
    flagged = settings(tmp_path, input_size=64).options(tmp_path / "small/b.py")
    assert (flagged.input_size, flagged.promised_by) == ((64,), "")

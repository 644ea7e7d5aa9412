"""What `padlint check` prints: colours, statistics, JSON, files, notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from padlint.cli import cli
from tests.cli.command import BROKEN, CLEAN, SAME, SAME_FIXED, STRIDED, padlint, write
from tests.formats.schema import FINDINGS, conforms


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)


def check(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["check", *arguments])


@pytest.mark.parametrize(
    ("arguments", "environment", "colored"),
    [
        ([], {}, False),  # not a terminal
        (["--color", "always"], {}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "0"}, False),
        ([], {"FORCE_COLOR": ""}, False),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
def test_colour(tmp_path: Path, arguments: list[str], environment: dict[str, str], colored: bool) -> None:
    write(tmp_path, a=SAME)
    for command in (["check"], ["check", "--diff"]):
        shown = CliRunner().invoke(cli, [*command, ".", *arguments], env=environment, color=True)
        assert ("\x1b[" in shown.stdout) == colored


def test_no_colour_in_a_pipe(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    assert b"\x1b[" not in padlint("check", ".", cwd=tmp_path).stdout


def test_text(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    lines = check(".").output.split("\n")
    assert lines[0].startswith("a.py:3:8: PAD305 [*] ")
    assert lines[1:6] == [
        "  |",
        "2 |",
        '3 | conv = nn.Conv2d(3, 8, 3, padding="same")',
        "  |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        "  |",
    ]
    assert lines[6].startswith("help: ")
    assert lines[-2:] == ["Found 1 problem (1 fixable with --fix)", ""]


def test_json_keeps_to_its_schema(tmp_path: Path) -> None:
    write(tmp_path, a=SAME + STRIDED, b=BROKEN, c=CLEAN)
    items = json.loads(check("--output-format", "json", "--select", "ALL", ".").output)
    assert conforms(items, FINDINGS) == []
    assert {"PAD001", "PAD305", "PAD401"} <= {item["code"] for item in items}
    for item in items:
        assert (item["fix"] is None) != (item["no_fix_reason"] is None)


def test_findings_are_sorted(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    write(tmp_path, b=STRIDED + SAME, a_=SAME)
    write(tmp_path / "a", z=SAME)
    items = json.loads(check("--output-format", "json", "--select", "PAD305,PAD401", ".").output)
    assert [(item["filename"], item["location"]["row"], item["code"]) for item in items] == [
        (str(Path("a/z.py")), 3, "PAD305"),
        ("a_.py", 3, "PAD305"),
        ("b.py", 3, "PAD401"),
        ("b.py", 6, "PAD305"),
    ]


def test_json_lists_what_is_left(tmp_path: Path) -> None:
    write(tmp_path, a=SAME + STRIDED)
    arguments = ("--output-format", "json", "--select", "PAD305,PAD401", ".")
    assert [item["code"] for item in json.loads(check(*arguments).output)] == ["PAD305", "PAD401"]
    assert [item["code"] for item in json.loads(check("--fix", *arguments).output)] == ["PAD401"]


def test_unfixable_rules_keep_their_findings(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    (item,) = json.loads(check("--output-format", "json", "--unfixable", "PAD305", "--fix", ".").output)
    assert (item["fix"], item["no_fix_reason"]) == (None, "fixes of PAD305 are switched off")
    assert (tmp_path / "a.py").read_text() == SAME


def test_statistics(tmp_path: Path) -> None:
    write(tmp_path, a=SAME, b=SAME + STRIDED)
    shown = check("--statistics", "--select", "PAD305,PAD401", ".")
    assert shown.exit_code == 1
    assert shown.output.split("\n")[:2] == ["2  PAD305  [*] same-string", "1  PAD401  [ ] same-with-stride"]


def test_output_file(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    shown = check("--output-file", "report.json", "--output-format", "json", ".")
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert conforms(json.loads((tmp_path / "report.json").read_text()), FINDINGS) == []
    failed = check("--output-file", "nowhere/report.json", ".")
    assert failed.exit_code == 2
    assert "nowhere/report.json: cannot write: no such file or directory" in failed.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--diff --output-format json", "--output-format json holds the fixes, too"),
        ("--diff --output-format sarif", "--diff shows a diff, not findings"),
        ("--statistics --output-format sarif", "--statistics needs one of the formats text, full, concise"),
        ("--documentation-url nowhere", "--documentation-url: expected a URL such as https://"),
        ("--documentation-url https://x\x1b[2J", "--documentation-url: expected a URL such as https://"),
    ],
)
def test_what_does_not_go_together(tmp_path: Path, arguments: str, message: str) -> None:
    write(tmp_path, a=SAME)
    shown = check(*arguments.split(" "), ".")
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert message in " ".join(shown.stderr.split())


def test_a_configured_format_steps_back(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    (tmp_path / "padlint.toml").write_text('output-format = "sarif"\n')
    assert check("--diff", ".").stdout.startswith("--- a.py\n")
    assert check("--statistics", ".").stdout.startswith("1  PAD305  [*] same-string\n")
    assert check("--diff", "--output-format", "concise", ".").stdout.startswith("--- a.py\n")


def test_an_output_file_appears_at_once(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    out, link = tmp_path / "out.txt", tmp_path / "link.txt"
    out.write_text("old")
    out.chmod(0o640)
    link.symlink_to(out)
    before = out.stat().st_ino
    assert check("--output-file", "link.txt", ".").exit_code == 0
    assert out.read_text().startswith("a.py:3:8: PAD305")
    assert (link.is_symlink(), out.stat().st_mode & 0o777) == (True, 0o640)
    assert out.stat().st_ino != before, "another file took its place"
    assert {path.name for path in tmp_path.iterdir()} == {"a.py", "out.txt", "link.txt"}
    assert check("--output-file", "/dev/null", ".").exit_code == 0
    assert not Path("/dev/null").is_file()
    failed = check("--output-file", ".", "a.py")
    assert (failed.exit_code, failed.stdout) == (2, "")
    assert "cannot write: is a directory" in failed.stderr


def test_notes(tmp_path: Path) -> None:
    write(tmp_path, a=SAME, b=CLEAN)
    (tmp_path / ".venv").mkdir()
    shown = check("-v", "--fix", ".")
    assert "note: 1 of 2 files may hold a finding" in shown.stderr
    assert "note: a.py: PAD305 fixed" in shown.stderr


def test_configuration_of_the_common_folder_holds_for_the_run(tmp_path: Path) -> None:
    for project, level in (("one", "info"), ("two", "error")):
        (tmp_path / project).mkdir()
        write(tmp_path / project, a=SAME)
        (tmp_path / project / "padlint.toml").write_text(f'fail-on = "{level}"\n')
    assert check("one").exit_code == 1
    assert check("two").exit_code == 0
    assert check("one", "two").exit_code == 0, "that of the folder above"
    assert check("one", "--fail-on", "error").exit_code == 0, "flags win"
    assert check("one", "--isolated").exit_code == 0


def test_a_flag_can_switch_off_what_the_configuration_switches_on(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    (tmp_path / "padlint.toml").write_text("fix = true\n")
    check("--no-fix", ".")
    assert (tmp_path / "a.py").read_text() == SAME
    check(".")
    assert (tmp_path / "a.py").read_text() == SAME_FIXED


def test_configuration_of_the_nearest_folder_holds_for_a_file(tmp_path: Path) -> None:
    for project in ("one", "two"):
        (tmp_path / project).mkdir()
        write(tmp_path / project, a=STRIDED)
    (tmp_path / "one/pyproject.toml").write_text('[tool.padlint]\nignore = ["PAD401"]\n')
    items = json.loads(check("--output-format", "json", "--ignore", "PAD1,PAD2,PAD3", ".").output)
    assert [item["filename"] for item in items] == [str(Path("two/a.py"))]


@pytest.mark.parametrize(
    ("arguments", "toml", "message"),
    [
        ([], "fixx = true", "padlint.toml: fixx: unknown setting; did you mean fix?"),
        ([], "select = ['PAD3O5']", "select: unknown rule or prefix 'PAD3O5'; did you mean PAD305?"),
        (["--select", "PAD3O5"], "", "--select: unknown rule or prefix 'PAD3O5'; did you mean PAD305?"),
        (["--target", "troch"], "", "--target: expected one of keras, torch,"),
        (["--input-size", "3x"], "", "--input-size: expected a size such as 224 or 224x224"),
        (["--config", "gone.toml"], "", "gone.toml: cannot read the configuration: no such file"),
        (["--config", "padlint.toml", "--isolated"], "", "--isolated and --config exclude each other"),
        (["--fail-on", "never"], "", "'never' is not one of 'error', 'warning', 'info'"),
    ],
)
def test_wrong_usage_says_what_to_do(tmp_path: Path, arguments: list[str], toml: str, message: str) -> None:
    write(tmp_path, a=SAME)
    (tmp_path / "padlint.toml").write_text(toml)
    shown = check(*arguments, "--fix", ".")
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert message in shown.stderr
    assert (tmp_path / "a.py").read_text() == SAME, "nothing was done"


def test_version_and_help() -> None:
    assert CliRunner().invoke(cli, ["--version"]).output.startswith("padlint ")
    for arguments in ([], ["check"], ["rule"]):
        shown = CliRunner().invoke(cli, [*arguments, "-h"])
        assert shown.exit_code == 0
        assert shown.output.startswith("Usage: ")

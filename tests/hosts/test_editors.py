"""What can be checked of `.github/EDITORS.md` without the editors."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import padlint

ROOT = Path(__file__).parents[2]
BLOCKS = dict(re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / ".github/EDITORS.md").read_text(), re.M | re.S))


def json_command() -> list[str]:
    settings = json.loads(BLOCKS["json"])
    assert settings["glspc.server.languageId"] == ["python"]
    return [settings["glspc.server.command"], *settings["glspc.server.commandArguments"]]


def toml_command() -> list[str]:
    toml: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    languages = toml.loads(BLOCKS["toml"])
    (language,) = languages["language"]
    (name,) = language["language-servers"]
    server = languages["language-server"][name]
    return [server["command"], *server["args"]]


def lua_command() -> list[str]:
    match = re.search(r"cmd = \{(.*)\}", BLOCKS["lua"])
    assert match
    return re.findall(r'"(.*?)"', match[1])


@pytest.mark.parametrize("command", [json_command(), toml_command(), lua_command()])
def test_the_command_exists(tmp_path: Path, command: list[str]) -> None:
    assert command == ["padlint", "server"]
    assert padlint(*command[1:], "--help", cwd=tmp_path).returncode == 0


def test_the_readme_names_the_page() -> None:
    assert "(.github/EDITORS.md)" in (ROOT / "README.md").read_text()

"""Everything in README.md that can be run is run, and everything generated is current."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from padlint.cli import cli
from tests import readme
from tests.cli.command import padlint, write

ROOT = readme.PATH.parent
TEXT = readme.PATH.read_text(encoding="utf-8")
SETUP = re.compile(
    r"python3 -m venv \.venv && \.venv/bin/pip install (\S+|-e '\.\[dev\]') && \.venv/bin/(.+)\n"
)


def play(folder: Path) -> Iterator[tuple[readme.Block, str]]:
    """Every console block with what really happens, in a folder where the files appear as the README goes."""
    for block in readme.blocks():
        if block.name:
            (folder / block.name).write_text(block.text, encoding="utf-8")
        if block.language == "console":
            yield block, "".join(f"$ {line}\n{run(line, folder)}" for line in readme.commands(block))


def run(command: str, folder: Path) -> str:
    """What a command prints, first on stdout; of scripts only that, since frameworks log to stderr."""
    path = os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "KERAS_BACKEND": "tensorflow"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout + done.stderr * (not command.startswith("python "))


def test_commands_print_what_is_shown(tmp_path: Path) -> None:
    for framework in ("torch", "tensorflow", "keras"):
        pytest.importorskip(framework)
    shown, printed = zip(*((block.text, happened) for block, happened in play(tmp_path)), strict=True)
    assert "".join(printed).splitlines() == "".join(shown).splitlines()


def test_every_block_is_checked() -> None:
    commands = "".join(block.text for block in readme.blocks("console"))
    for block in readme.blocks():
        assert block.language in {"console", "python", "sh", "toml", "yaml"}
        if block.language == "python":
            assert block.name
            assert block.name in commands


def test_set_up_commands() -> None:
    commands = [SETUP.fullmatch(block.text) for block in readme.blocks("sh")]
    assert all(commands)
    assert [match.groups() for match in commands if match] == [
        (".", "padlint check fixtures"),
        ("-e '.[dev]'", "pytest -n auto"),
    ]


def test_configuration_is_valid_and_has_its_effect(tmp_path: Path) -> None:
    (source,) = (block for block in readme.blocks("python") if block.name == "open.py")
    (configuration,) = readme.blocks("toml")
    write(tmp_path, open=source.text)
    assert b"fixable" not in padlint("check", cwd=tmp_path).stdout
    (tmp_path / "pyproject.toml").write_text(configuration.text)
    assert b"1 fixable with --fix" in padlint("check", cwd=tmp_path).stdout


def test_table_of_rules_is_current() -> None:
    assert readme.written_table() == readme.current_table(), "run python -m tests.readme"


def options() -> Iterator[str]:
    yield "--help"
    context = click.Context(cli)
    for command in (cli, *(cli.get_command(context, name) for name in cli.list_commands(context))):
        for parameter in command.params if command else ():
            yield from (*parameter.opts, *parameter.secondary_opts)


def test_every_option_exists() -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT))
    assert named <= set(options())


def test_every_path_exists() -> None:
    paths = re.findall(r"`((?:padlint|tests|fixtures|\.ci)/[\w./]*)`", TEXT)
    assert paths
    for path in paths:
        assert "NNN" in path or (ROOT / path).exists(), path

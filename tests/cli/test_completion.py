"""`padlint completion`, in the shells themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from padlint.cli import cli
from padlint.config import OUTPUT_FORMATS
from tests.cli.command import ROOT

BASH = """
source <(padlint completion bash)
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_padlint_completion padlint
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = """
padlint completion fish | source
complete --do-complete (string join " " -- $argv)
"""
ZSH = """
compdef() { :; }
autoload -Uz compinit
eval "$(padlint completion zsh)"
_describe() { print -rl -- "${(@P)${@[-2]}}" "${(@P)${@[-1]}}"; }
compadd() { for word; do [[ $word == -* ]] || print -r -- $word; done; print -rl -- "${(@P)${@[-1]}}"; }
words=("$@"); CURRENT=$#; typeset -A compstate
_padlint_completion "$@"
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Surroundings in which `padlint` is this checkout."""
    command = tmp_path / "bin" / "padlint"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m padlint "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(command.parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}


def completions(shell: str, environment: dict[str, str], folder: Path, *words: str) -> list[str]:
    script = {"bash": BASH, "fish": FISH, "zsh": ZSH}[shell]
    command = [shell, "-c", script] + ([] if shell == "fish" else [shell])
    done = subprocess.run(
        [*command, *words],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stderr == ""
    return [line.partition("\t")[0].partition(":")[0] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes(tmp_path: Path, environment: dict[str, str], shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    for words, some, none in (
        (["padlint", "ch"], {"check"}, {"rule"}),
        (["padlint", "check", "--select", "PAD30"], {"PAD301", "PAD303"}, {"PAD101"}),
        (["padlint", "check", "--ignore", "PAD101,PAD10"], {"PAD101,PAD102"}, {"PAD101,PAD101", "PAD101"}),
        (["padlint", "check", "--output-format", "js"], {"json", "json-lines"}, {"sarif"}),
        (["padlint", "check", "--target", "onnx,tf"], {"onnx,tflite"}, set()),
        (["padlint", "rule", "PAD40"], {"PAD401"}, {"PAD101"}),
        (["padlint", "config", "fail"], {"fail-on"}, set()),
        (["padlint", "check", "--unsafe"], {"--unsafe-fixes"}, set()),
    ):
        found = {*completions(shell, environment, tmp_path, *words)}
        assert some <= found, (words, found)
        assert not none & found, (words, found)


def test_all_formats_are_offered(tmp_path: Path, environment: dict[str, str]) -> None:
    if shutil.which("bash") is None:
        pytest.skip("needs bash")
    words = ["padlint", "check", "--output-format", ""]
    assert completions("bash", environment, tmp_path, *words) == [*OUTPUT_FORMATS]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_per_shell(shell: str) -> None:
    done = CliRunner().invoke(cli, ["completion", shell])
    assert done.exit_code == 0
    assert "_PADLINT_COMPLETE" in done.stdout


def test_an_unknown_shell_is_refused() -> None:
    assert CliRunner().invoke(cli, ["completion", "csh"]).exit_code == 2

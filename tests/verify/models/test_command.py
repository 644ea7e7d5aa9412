"""`padlint verify` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import padlint, write
from tests.verify.models.comparing import git, project

NET = "import numpy as np\n\n\ndef build(scale=2):\n    return lambda x: x * scale\n"
TRIPLE = NET.replace("* scale", "* (scale + 1)")


def verify(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Exit status, stdout and stderr."""
    done = padlint("verify", *arguments, cwd=folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def as_json(folder: Path, *arguments: str) -> tuple[int, Any]:
    status, shown, _ = verify(folder, *arguments, "--output-format", "json")
    return status, json.loads(shown)


def test_the_working_tree_against_head(tmp_path: Path) -> None:
    project(tmp_path, net=NET)
    status, shown, errors = verify(tmp_path, "net.py::build", "--input", "2x3")
    assert (status, errors) == (0, "")
    assert shown.startswith("equal: net.py::build, HEAD and the working tree (numpy)\n")
    assert "note: Git shows no change since HEAD" in shown
    write(tmp_path, net=TRIPLE)
    status, data = as_json(tmp_path, "net.py::build", "--input", "2x3", "--kwargs", '{"scale": 4}')
    assert status == 1
    assert (data["before"], data["after"], data["result"]) == ("HEAD", "the working tree", "differs")
    assert data["difference"]["what"] == "output"
    assert data["difference"]["after"] == pytest.approx(data["difference"]["before"] * 5 / 4)
    assert data["difference"]["cause"] == "every value is multiplied by 1.25"
    assert set(data["proof"]) == {"framework", "result", "max_abs", "dtype", "sizes"}, (
        "as in `check --verify`"
    )
    assert data["proof"]["result"] == "differs"


def test_other_revisions_and_files(tmp_path: Path) -> None:
    project(tmp_path, net=NET)
    git(tmp_path, "tag", "old")
    project(tmp_path, net=TRIPLE)
    write(tmp_path, other=NET)
    for arguments, status in [
        (("--before", "old"), 1),
        (("--before", "other.py"), 1),
        (("--before", "old", "--after", "other.py"), 0),
        (("--after", "other.py"), 1),
    ]:
        assert verify(tmp_path, "net.py::build", "--input", "3", *arguments)[0] == status, arguments


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["net.py", "--input", "3"], "'net.py' is no PATH::CALLABLE such as model.py::build"),
        (["net.py::build"], "Missing option '--input'"),
        (["net.py::build", "--input", "3;4"], "--input: '3;4' is no input such as 1x3x224x224"),
        (
            ["net.py::build", "--input", "3", "--fix", "--after", "net.py"],
            "--fix excludes --before and --after",
        ),
        (["net.py::build", "--input", "3", "--against", "net.py"], "'net.py' is no PATH::CALLABLE"),
        (["net.py::build", "--input", "3", "--against", "x.py::y", "--onnx"], "--against excludes --onnx"),
        (["net.py::build", "--input", "3", "--against", "none.py::y"], "none.py is no file"),
        (["net.py::build", "--input", "3", "--kwargs", "[1]"], "expected an object such as"),
        (["net.py::build", "--input", "3", "--kwargs", "{"], "no valid JSON"),
        (["net.py::build", "--input", "3"], "is in no Git repository; say what to compare with"),
        (["net.py::build", "--input", "3", "--before", "none"], "is in no Git repository"),
        (["none.py::build", "--input", "3"], "none.py is no file"),
        (["net.py::build", "--input", "3", "--fix", "--select", "XYZ1"], "XYZ1"),
    ],
)
def test_bad_usage(tmp_path: Path, arguments: list[str], said: str) -> None:
    write(tmp_path, net=NET)
    status, shown, errors = verify(tmp_path, *arguments)
    assert (status, shown) == (2, "")
    assert said in errors


def test_a_model_against_another(tmp_path: Path) -> None:
    write(tmp_path, net=NET, port=TRIPLE)
    arguments = ("net.py::build", "--against", "port.py::build", "--input", "2x3")
    status, shown, errors = verify(tmp_path, *arguments)
    assert (status, errors) == (1, "")
    first, second, *_ = shown.splitlines()
    assert first == "differs: net.py::build and port.py::build (numpy)"
    assert second.startswith("  output differs by up to ")
    assert " and there " in second
    assert "likely cause: every value is multiplied by 1.5" in shown
    status, data = as_json(tmp_path, *arguments)
    assert (status, data["result"], data["proof"]["result"]) == (1, "differs", "differs")
    assert (data["before"], data["after"]) == ("net.py::build", "port.py::build")
    assert data["difference"]["what"] == "output"
    write(tmp_path, port=NET.replace("x * scale", "x + x"))
    assert verify(tmp_path, *arguments)[0] == 0
    write(tmp_path, port="import numpy\n\n\ndef build(x):\n    return 1 / 0\n")
    status, shown, _ = verify(tmp_path, *arguments)
    assert status == 2
    assert "the code of the second model cannot be run: ZeroDivisionError" in shown


def test_what_cannot_be_run_is_said(tmp_path: Path) -> None:
    write(tmp_path, net="import os\nimport numpy\n\n\ndef build(x):\n    os._exit(7)\n")
    status, data = as_json(tmp_path, "net.py::build", "--input", "3", "--before", "net.py")
    assert status == 2
    assert data["result"] == data["proof"]["result"] == "incomparable"
    assert data["reason"] == (
        "the code before cannot be run: the process ended with exit code 7 at net.py:6, when it was run"
    )


def test_what_fix_would_write(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    net = (
        "from torch import nn\n\n\ndef build():\n    return nn.Sequential(\n        nn.ZeroPad2d(1),\n"
        "        nn.Conv2d(3, 4, 3, stride=2),\n        nn.Conv2d(4, 4, 3, padding='same'),\n    )\n"
    )
    write(tmp_path, net=net)
    status, shown, errors = verify(tmp_path, "net.py::build", "--fix", "--input", "1x3x8x8", "--quiet")
    assert (status, errors) == (0, "")
    assert shown == "equal: net.py::build, the file and the fixed file (torch)\n"
    assert (tmp_path / "net.py").read_text() == net
    status, data = as_json(tmp_path, "net.py::build", "--fix", "--select", "PAD101", "--input", "1x3x8x8")
    assert data["notes"] == ["`check --fix` would change nothing with these options"]

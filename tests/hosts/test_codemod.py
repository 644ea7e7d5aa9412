from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from libcst.codemod import CodemodContext

from padlint.codemod import ExplicitPadding
from tests.cli.command import BROKEN, CLEAN, SAME, SAME_FIXED, STRIDED, write
from tests.hosts.conftest import Host

CODEMOD = ("libcst.tool", "codemod", "-x", "padlint.codemod.ExplicitPadding", "--no-format")
NO_SIZE = """\
from keras import Input, layers

x = layers.Conv2D(8, 3, 2, padding="same")(Input((None, None, 3)))
"""
UNSAFE = """\
import torch.nn as nn


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 4, stride=2, padding="same")

    def forward(self, x):
        return self.conv(x)
"""


def test_safe_fixes(host: Host, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN, same=SAME, strided=STRIDED)
    done = host(*CODEMOD, ".")
    assert done.returncode == 0, done.stderr
    texts = {path.stem: path.read_text() for path in tmp_path.glob("*.py")}
    assert texts == {"clean": CLEAN, "same": SAME_FIXED, "strided": STRIDED}
    assert b"strided.py: 1 finding left, which `padlint check` shows" in done.stderr


def test_options(host: Host, tmp_path: Path) -> None:
    write(tmp_path, strided=UNSAFE, sized=NO_SIZE)
    done = host(*CODEMOD, "--unsafe", "--input-multiple", "2", "-j1", ".")
    assert done.returncode == 0, done.stderr
    assert "nn.functional.pad(x, (1, 2, 1, 2))" in (tmp_path / "strided.py").read_text()
    assert "ZeroPadding2D(((0, 1), (0, 1)))" in (tmp_path / "sized.py").read_text()
    assert b"--unsafe" in host(*CODEMOD, "--help").stdout


def test_configuration(host: Host, tmp_path: Path) -> None:
    (tmp_path / "padlint.toml").write_text('extend-exclude = ["generated*"]\ninput-multiple = 32\n')
    write(tmp_path, generated=SAME, sized=NO_SIZE)
    assert host(*CODEMOD, ".").returncode == 0
    assert (tmp_path / "generated.py").read_text() == SAME
    assert "ZeroPadding2D" in (tmp_path / "sized.py").read_text()


@pytest.mark.parametrize("text", [SAME, CLEAN], ids=["fixed", "clean"])
@pytest.mark.parametrize(
    "encode",
    [
        pytest.param(lambda t: t.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(lambda t: t.replace("\n", "\r").encode(), id="CR at the end"),
        pytest.param(lambda t: (t + "# 1\r\n# 2\n# 3\r").encode(), id="mixed"),
        pytest.param(lambda t: b"\xef\xbb\xbf" + t.encode(), id="byte order mark"),
        pytest.param(lambda t: f"# coding: latin-1\n# \xe9\n{t}".encode("latin-1"), id="cookie"),
        pytest.param(lambda t: t.rstrip().encode(), id="no line end"),
        pytest.param(lambda t: f"{t}\f\n\t# x\n\n".encode(), id="white space"),
    ],
)
def test_other_bytes_stay(tmp_path: Path, text: str, encode: object) -> None:
    assert callable(encode)
    path = tmp_path / "a.py"
    path.write_bytes(encode(text))
    codemod = ExplicitPadding(CodemodContext(filename=str(path)))
    after = codemod.transform_module(cst.parse_module(path.read_bytes())).bytes
    assert after == encode(SAME_FIXED if text is SAME else text)


def test_a_tree_that_is_changed_further_is_not_replaced_by_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(f"{SAME}# 1\r".encode())
    module = ExplicitPadding(CodemodContext(filename=str(path))).transform_module(
        cst.parse_module(path.read_bytes())
    )
    assert module.code == f"{SAME_FIXED}# 1\r"
    assert module.with_changes(body=()).code == "# 1"
    changed = cst.parse_module(path.read_bytes()).with_changes(body=())
    assert ExplicitPadding(CodemodContext(filename=str(path))).transform_module(changed).code == "# 1"


def test_a_final_cr_is_kept_by_the_tool(host: Host, tmp_path: Path) -> None:
    write(tmp_path, a=SAME.replace("\n", "\r"), b=CLEAN.replace("\n", "\r"), broken=BROKEN)
    host(*CODEMOD, "-j1", ".")
    assert (tmp_path / "a.py").read_bytes() == SAME_FIXED.replace("\n", "\r").encode()
    assert (tmp_path / "b.py").read_bytes() == CLEAN.replace("\n", "\r").encode()
    assert (tmp_path / "broken.py").read_text() == BROKEN


def test_stdin(host: Host) -> None:
    done = host(*CODEMOD, "-", stdin=SAME.encode())
    assert done.stdout.decode() == f"{SAME_FIXED}\n"  # by print()

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("flake8")

from tests.cli.command import CLEAN, SAME, STRIDED, write
from tests.hosts.conftest import Host

SELECT = ("flake8", "--isolated", "--select", "PAD")


def test_it_is_listed(host: Host) -> None:
    assert b"padlint: 0." in host("flake8", "--version").stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_findings(host: Host, tmp_path: Path, jobs: str) -> None:
    write(tmp_path, clean=CLEAN, info=SAME, strided=STRIDED)
    done = host(*SELECT, "-j", jobs, ".")
    assert done.returncode == 1, done.stderr
    info, strided = sorted(done.stdout.decode().splitlines())
    assert info.startswith("./info.py:3:8: PAD305 ")
    assert strided.startswith("./strided.py:3:8: PAD401 ")


def test_stdin(host: Host, tmp_path: Path) -> None:
    (tmp_path / "padlint.toml").write_text('[per-file-ignores]\n"quiet.py" = ["PAD4"]\n')
    done = host(*SELECT, "--stdin-display-name", "loud.py", "-", stdin=STRIDED.encode())
    assert done.stdout.startswith(b"loud.py:3:8: PAD401 ")
    done = host(*SELECT, "--stdin-display-name", "quiet.py", "-", stdin=STRIDED.encode())
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_places(host: Host, tmp_path: Path, newline: str, start: str) -> None:
    text = "import torch.nn as nn\n\f\nx = '😋', [nn.Conv2d(3, 8, 3, padding='same')]\n"
    write(tmp_path, a=start + text.replace("\n", newline))
    assert host(*SELECT, "a.py").stdout.startswith(b"a.py:3:11: PAD305 ")


def test_each_file_has_its_own_configuration(host: Host, tmp_path: Path) -> None:
    for folder, text in (("a", 'ignore = ["PAD305"]'), ("b", 'extend-exclude = ["*.py"]'), ("c", "")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "padlint.toml").write_text(text)
        write(tmp_path / folder, m=SAME)
    lines = host(*SELECT, ".").stdout.decode().splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["./c/m.py:3:8:"]


@pytest.mark.parametrize(
    ("comment", "found"),
    [
        ("", ["PAD305"]),
        ("  # noqa", []),
        ("  # noqa: PAD305", []),
        ("  # noqa: PAD3", []),
        ("  # padlint: ignore[PAD305] since", []),
        ("  # noqa: E501", ["PAD305"]),
        ("  # noqa: PAD101", ["PAD002", "PAD305"]),
    ],
)
def test_suppressions(host: Host, tmp_path: Path, comment: str, found: list[str]) -> None:
    write(tmp_path, a=SAME.replace(")\n", f"){comment}\n"))
    lines = host(*SELECT, "a.py").stdout.decode().splitlines()
    assert sorted(line.split()[1] for line in lines) == found


def test_what_cannot_be_done_is_said_and_flake8_goes_on(host: Host, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "padlint.toml").write_text("nonsense = 1\n")
    write(tmp_path / "bad", a=SAME)
    write(tmp_path, z=SAME)
    bad, good = host(*SELECT, "-j1", ".").stdout.decode().splitlines()
    assert bad.startswith("./bad/a.py:1:1: PAD000 ")
    assert "nonsense: unknown setting" in bad
    assert good.startswith("./z.py:3:8: PAD305 ")


def test_files_without_candidates_load_no_parser(host: Host, tmp_path: Path) -> None:
    write(
        tmp_path,
        a=CLEAN,
        spy="import sys\nfrom flake8.main import cli\ncli.main(sys.argv[1:])\n"
        "assert 'padlint.flake8' in sys.modules\n"
        "print(*{'libcst', 'padlint.engine', 'padlint.catalogue'} & set(sys.modules))\n",
    )
    done = host("spy", "--isolated", "-j1", "--select", "PAD", "a.py")
    assert (done.stdout, done.returncode) == (b"\n", 0), done.stderr

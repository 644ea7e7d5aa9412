"""Where both sides come from: revisions, files, packages, scripts, submodules."""

from __future__ import annotations

from pathlib import Path

import pytest

from padlint.verify.models import Comparison, PlaceError, is_unchanged, revision, standing_in, working
from tests.verify.models.comparing import compare, compare_texts, git, project, write

NET = "import numpy as np\n\n\ndef f(x):\n    return x * 2\n"
TRIPLE = NET.replace("* 2", "* 3")


def against_head(folder: Path, path: str, callable_: str = "f", name: str = "HEAD") -> Comparison:
    """The working tree compared with a revision."""
    here = working(folder / path, callable_, "after")
    checkout = folder.parent / "checkout"
    checkout.mkdir()
    return compare(revision(here, name, "before", checkout), here, "2x3")


def test_the_working_tree_with_a_revision(tmp_path: Path) -> None:
    folder = tmp_path / "a b-c"
    project(folder, **{"my-net": NET})
    project(folder, **{"my-net": TRIPLE})
    write(folder, **{"my-net": NET, "untracked": "this is no Python"})
    assert not is_unchanged(folder / "my-net.py", "HEAD")
    assert is_unchanged(folder / "my-net.py", "HEAD~1")
    status = git(folder, "status", "--porcelain")
    assert against_head(folder, "my-net.py").result == "differs"
    assert git(folder, "status", "--porcelain") == status, "nothing is left behind"
    assert git(folder, "worktree", "list").count("\n") == 1


def test_relative_imports_come_from_the_same_side(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    net = (
        "from .parts import factor\nimport pkg.parts\n\ndef f(x):\n    return x * factor * pkg.parts.factor\n"
    )
    project(
        folder,
        **{"src/pkg/__init__": "from pkg import net", "src/pkg/net": net, "src/pkg/parts": "factor = 2"},
    )
    write(folder, **{"src/pkg/parts": "factor = 3"})
    found = against_head(folder, "src/pkg/net.py").difference
    assert found is not None
    assert found.before is not None
    assert found.after == pytest.approx(found.before * 9 / 4)


def test_a_namespace_package_and_an_import_from_the_root(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    net = "from . import parts\nimport settings\n\ndef f(x):\n    return x * parts.factor * settings.scale\n"
    project(folder, **{"models/net": net, "models/parts": "factor = 2", "settings": "scale = 1"})
    assert against_head(folder, "models/net.py").result == "equal"
    write(folder, settings="scale = 5")
    (folder.parent / "checkout").rename(folder.parent / "old")
    assert against_head(folder, "models/net.py").result == "differs"


def test_a_script_beside_its_helpers_with_code_at_its_top(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    script = (
        "import argparse\nimport helper\n\nprint(argparse.ArgumentParser().parse_args())\n"
        "f = lambda x: x * helper.factor\nif __name__ == '__main__':\n    raise SystemExit('run')\n"
    )
    project(folder, **{"tools/train": script, "tools/helper": "factor = 2", "setup": ""})
    assert against_head(folder, "tools/train.py").result == "equal"


def test_an_editable_installation_does_not_hide_the_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "p"
    net = "import library\n\ndef f(x):\n    return x * library.factor\n"
    project(folder, **{"app/net": net, "libs/library/__init__": "factor = 2"})
    write(folder, **{"libs/library/__init__": "factor = 3"})
    monkeypatch.setenv("PYTHONPATH", str(folder / "libs"))
    found = against_head(folder, "app/net.py")
    assert (found.result, found.reason) == ("differs", None)


def test_submodules_and_what_git_does_not_track(tmp_path: Path) -> None:
    sub, folder = tmp_path / "sub", tmp_path / "p"
    project(sub, factor="value = 2")
    net = "from parts import factor\nimport _version\nfrom pathlib import Path\n\n"
    net += "data = Path(__file__).with_name('data') / 'numbers.txt'\n\n"
    net += "def f(x):\n    return x * factor.value * int(data.read_text()) + _version.value\n"
    project(folder, net=net)
    (folder / ".gitignore").write_text("_version.py\n")
    git(folder, "submodule", "add", "-q", str(sub), "parts")
    project(folder)
    write(folder, _version="value = 1")
    (folder / "data").mkdir()
    (folder / "data/numbers.txt").write_text("7")
    found = against_head(folder, "net.py")
    assert (found.result, found.reason) == ("equal", None)
    write(folder, **{"parts/factor": "value = 3"})
    (tmp_path / "checkout").rename(tmp_path / "old")
    assert against_head(folder, "net.py").result == "differs"


def test_a_file_may_stand_in_for_another(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "pkg/__init__": "",
            "pkg/net": "from .parts import two\ndef f(x): return x * two",
            "pkg/parts": "two = 2",
        },
    )
    write(tmp_path, **{"elsewhere.v2": "from .parts import two\ndef f(x): return x + x + 0 * two"})
    side = working(tmp_path / "pkg/net.py", "f", "before")
    found = compare(side, standing_in(side, tmp_path / "elsewhere.v2.py", "after"), "2x3")
    assert (found.result, found.reason) == ("equal", None)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("def f(x):\n    return 1 / 0", "net.py:2"),
        ("def f(x:\n", "net.py:1"),
        ("import missing_module", "net.py:1"),
    ],
)
def test_stale_bytecode_is_not_used_and_errors_say_where(tmp_path: Path, text: str, where: str) -> None:
    found = compare_texts(tmp_path, NET, text, "2x3", callable_="f")
    assert found.result == "incomparable"
    assert found.reason is not None
    assert found.reason.startswith("the code after cannot be run: ")
    assert where in found.reason


def test_what_git_does_not_have(tmp_path: Path) -> None:
    write(tmp_path, net=NET)
    here = working(tmp_path / "net.py", "f", "after")
    with pytest.raises(PlaceError, match="is in no Git repository; say what to compare with by --before"):
        revision(here, "HEAD", "before", tmp_path / "checkout")
    project(tmp_path, other="")
    write(tmp_path, late=NET)
    with pytest.raises(PlaceError, match=r"Git has no late\.py in HEAD"):
        revision(working(tmp_path / "late.py", "f", "after"), "HEAD", "before", tmp_path / "checkout")
    with pytest.raises(PlaceError, match="nonsense is neither a file nor a revision"):
        revision(here, "nonsense", "before", tmp_path / "checkout")
    with pytest.raises(PlaceError, match="is no file"):
        working(tmp_path / "missing.py", "f", "after")

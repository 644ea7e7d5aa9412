"""Which files are read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from padlint.config import Configuration, parse
from padlint.files import Discovery

POSIX = pytest.mark.skipif(os.name == "nt", reason="POSIX file types")


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def make(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"# " + os.fsencode(name))


def discovery(**flags: object) -> Discovery:
    given = {key.replace("_", "-"): value for key, value in flags.items()}
    return Discovery(Configuration(parse(given, Path.cwd(), "--")))


def found(*arguments: str, **flags: object) -> list[str]:
    finder = discovery(**flags)
    files = [file.path.as_posix() for file in finder.collect([Path(a) for a in arguments or ["."]])]
    assert finder.problems == []
    return files


def problems(*arguments: str, **flags: object) -> list[str]:
    finder = discovery(**flags)
    finder.collect([Path(a) for a in arguments])
    return [f"{problem.where}: {problem.message}" for problem in finder.problems]


def test_python_files_below_a_folder() -> None:
    make("b.py", "a.pyi", "sub/c.py", "sub/deep/d.py", "e.txt", "py", "f.pyc", ".hidden.py", ".config/g.py")
    assert found() == [".config/g.py", ".hidden.py", "a.pyi", "b.py", "sub/c.py", "sub/deep/d.py"]
    assert found("sub") == ["sub/c.py", "sub/deep/d.py"]
    assert found(str(Path.cwd() / "sub/deep")) == [(Path.cwd() / "sub/deep/d.py").as_posix()]


def test_explicit_files_need_no_suffix() -> None:
    make("script", "a.py")
    assert found("script", "./a.py") == ["a.py", "script"]


def test_each_file_comes_once() -> None:
    make("sub/a.py")
    assert found(".", "sub", "sub/a.py", str(Path.cwd() / "sub/a.py")) == ["sub/a.py"]


@POSIX
def test_links() -> None:
    make("z/real.py", "elsewhere/other.py")
    Path("alias.py").symlink_to("z/real.py")
    Path("linked").symlink_to("elsewhere")
    os.link("elsewhere/other.py", "z/same.py")
    assert found() == ["elsewhere/other.py", "z/real.py"]
    assert found("alias.py") == ["alias.py"]
    assert found("linked") == ["linked/other.py"]


@pytest.mark.parametrize(
    "folder",
    [
        ".git",
        ".venv",
        "venv",
        "node_modules",
        "build",
        "dist",
        "__pycache__",
        ".tox",
        ".nox",
        ".eggs",
        "site-packages",
        "sub/.venv",
    ],
)
def test_default_exclusions(folder: str) -> None:
    make(f"{folder}/lib/a.py", "builder/b.py", "dist.py")
    assert found() == ["builder/b.py", "dist.py"]
    assert found(folder) == [f"{folder}/lib/a.py"], "a folder that is named explicitly is read"
    assert found(f"{folder}/lib") == [f"{folder}/lib/a.py"]
    assert found(f"{folder}/lib/a.py") == [f"{folder}/lib/a.py"]
    assert found(folder, f"{folder}/lib/a.py", "dist.py", force_exclude=True) == ["dist.py"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("gen", ["a.py", "sub/a_pb2.py", "sub/b.py"]),
        ("sub/gen", ["a.py", "gen/c.py", "sub/a_pb2.py", "sub/b.py"]),
        ("./gen", ["a.py", "sub/a_pb2.py", "sub/b.py", "sub/gen/d.py"]),
        ("/gen", ["a.py", "sub/a_pb2.py", "sub/b.py", "sub/gen/d.py"]),
        ("*_pb2.py", ["a.py", "gen/c.py", "sub/b.py", "sub/gen/d.py"]),
        ("sub/*.py", ["a.py", "gen/c.py", "sub/gen/d.py"]),
        ("**/gen/**", ["a.py", "sub/a_pb2.py", "sub/b.py"]),
        ("a.py", ["gen/c.py", "sub/a_pb2.py", "sub/b.py", "sub/gen/d.py"]),
        ("gen,a.py", ["sub/a_pb2.py", "sub/b.py"]),
    ],
)
def test_exclude(pattern: str, left: list[str]) -> None:
    make("a.py", "gen/c.py", "sub/a_pb2.py", "sub/b.py", "sub/gen/d.py")
    assert found(extend_exclude=pattern) == left
    assert found(exclude=pattern) == left
    absolute = ",".join(f"{Path.cwd().as_posix()}/{p.removeprefix('./')}" for p in pattern.split(","))
    if pattern.startswith(("./", "sub")):
        assert found(exclude=absolute) == left


def test_exclude_replaces_the_default_and_extend_exclude_adds_to_it() -> None:
    make(".venv/a.py", "gen/b.py", "c.py")
    assert found(exclude="gen") == [".venv/a.py", "c.py"]
    assert found(extend_exclude="gen") == ["c.py"]


def test_exclusions_of_the_nearest_configuration() -> None:
    make("a.py", "gen/b.py", "project/gen/c.py", "project/d.py", "project/sub/gen/e.py")
    Path("project/padlint.toml").write_text('extend-exclude = ["/gen", "d.py"]\nforce-exclude = true\n')
    assert found() == ["a.py", "gen/b.py", "project/sub/gen/e.py"]
    assert found("project/d.py", "gen/b.py") == ["gen/b.py"]


def test_a_named_folder_keeps_the_other_exclusions() -> None:
    make("tests/fixtures/a.py", "tests/fixtures/b_pb2.py")
    patterns = "tests/fixtures,*_pb2.py"
    assert found(extend_exclude=patterns) == []
    assert found("tests/fixtures", extend_exclude=patterns) == ["tests/fixtures/a.py"]


def test_gitignore() -> None:
    make("a.py", "b.py", "sub/b.py", "sub/c.py", "out/d.py", "sub/keep/e.py", "sub/keep/f.py", "root.py")
    Path(".gitignore").write_text("# comment\nb.py\n/out/\n/root.py\n**/keep/*\n")
    Path("sub/.gitignore").write_text("c.py\n!b.py\n!keep/e.py\n")
    assert found() == ["a.py", "sub/b.py", "sub/keep/e.py"]
    assert found("b.py", "out/d.py") == ["b.py", "out/d.py"], "explicit files are read"
    assert found("out") == ["out/d.py"], "explicit folders are read"
    Path(".git").mkdir()
    assert found("out") == ["out/d.py"], "in a repository, too"


def test_gitignore_above_the_folder_counts_inside_a_repository() -> None:
    make("sub/a.py", "sub/skip.py")
    Path(".gitignore").write_text("skip.py\n")
    assert found("sub") == ["sub/a.py", "sub/skip.py"]
    Path(".git").mkdir()
    assert found("sub") == ["sub/a.py"]
    os.chdir("sub")
    assert found(".") == ["a.py"]


def test_gitignore_that_makes_little_sense() -> None:
    make("a.py", "b.py", "é.py")
    Path(".gitignore").write_bytes(b"\xef\xbb\xbfb.py\r\n\xff\xfe\n!\n\\\n\n   \nx[\n")
    assert found() == ["a.py", "é.py"]


@POSIX
def test_what_is_no_regular_file_is_skipped_in_folders_and_refused_if_named() -> None:
    make("folder.py/a.py")
    os.mkfifo("pipe.py")
    Path("loop.py").symlink_to("loop.py")
    Path("dangling.py").symlink_to("nowhere")
    Path("round").symlink_to(".")
    Path("linked.py").symlink_to("folder.py")
    assert found() == ["folder.py/a.py"]
    assert problems("pipe.py", "loop.py", "dangling.py", "gone.py") == [
        "pipe.py: not a regular file; to read from a pipe, pass `-`",
        "loop.py: cannot read: too many levels of symbolic links",
        "dangling.py: cannot read: no such file or directory",
        "gone.py: cannot read: no such file or directory",
    ]


def test_a_folder_that_cannot_be_read_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.py", "locked/b.py", "open/c.py")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    finder = discovery()
    assert [file.path.as_posix() for file in finder.collect([Path()])] == ["a.py", "open/c.py"]
    assert [problem.message for problem in finder.problems] == ["cannot read the folder: permission denied"]


@POSIX
@pytest.mark.skipif(hasattr(os, "getuid") and os.getuid() == 0, reason="the superuser may read everything")
def test_a_folder_without_permission() -> None:
    make("locked/b.py")
    Path("locked").chmod(0)
    try:
        assert problems(".") == ["locked: cannot read the folder: permission denied"]
    finally:
        Path("locked").chmod(0o755)


@POSIX
def test_names_that_are_no_utf8() -> None:
    name = os.fsdecode(b"caf\xe9.py")
    make(name, "sub/a.py")
    Path(".gitignore").write_text("sub\n")
    assert found() == [name]


def test_a_broken_configuration_is_said_once_and_the_rest_goes_on() -> None:
    make("a.py", "project/b.py", "project/sub/c.py", "project/sub/d.py")
    Path("project/padlint.toml").write_text("nonsense = 1\n")
    finder = discovery()
    arguments = [Path(), Path("project/sub/c.py"), Path("project")]
    assert [file.path.as_posix() for file in finder.collect(arguments)] == ["a.py"]
    assert len(finder.problems) == 1
    assert "padlint.toml: nonsense: unknown setting" in finder.problems[0].message


def test_deep_folders() -> None:
    deep = "/".join("d" * 60)
    make(f"{deep}/a.py")
    assert found() == [f"{deep}/a.py"]

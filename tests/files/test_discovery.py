"""Which files are read."""

from __future__ import annotations

import ast
import os
import socket
import subprocess
from pathlib import Path

import pytest

from padlint.config import ConfigError, Configuration, parse
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


def as_nobody(*arguments: str) -> tuple[list[str], list[str]]:
    """The files and the problems that a user without rights gets, in a process of its own."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            finder = discovery()
            files = [file.path.as_posix() for file in finder.collect([Path(a) for a in arguments])]
            told = files, [f"{problem.where}: {problem.message}" for problem in finder.problems]
            os.write(writer, repr(told).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        told = ast.literal_eval(pipe.read().decode())
    os.waitpid(child, 0)
    return told


@POSIX
def test_what_may_not_be_read_is_said_and_the_rest_goes_on() -> None:
    make("a.py", "locked/b.py", "names/c.py", "names/sub/d.py", "open/e.py", "secret.py")
    Path().chmod(0o755)
    Path("locked").chmod(0)
    Path("names").chmod(0o444 if os.getuid() == 0 else 0o400)
    names = ["names/c.py: cannot read: permission denied"]
    folders = [f"{name}: cannot read the folder: permission denied" for name in ("locked", "names/sub")]
    try:
        files, said = as_nobody(".")
        assert files == ["a.py", "open/e.py", "secret.py"], "whether a file can be read is known when it is"
        assert sorted(said) == sorted(names + folders)
        assert as_nobody("locked") == ([], folders[:1])
        assert as_nobody("names/c.py", "locked/b.py", "a.py") == (
            ["a.py"],
            [*names, "locked/b.py: cannot read: permission denied"],
        )
    finally:
        for folder in ("locked", "names"):
            Path(folder).chmod(0o755)


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


@POSIX
def test_odd_names() -> None:
    names = [
        "a\nb.py",
        " .py",
        "-.py",
        "a\tb.py",
        "\x1b[31m.py",
        "\N{RIGHT-TO-LEFT OVERRIDE}yp.py",
        "x\ny/c.py",
    ]
    make(*names)
    assert found() == sorted(names, key=lambda name: Path(name).parts)
    assert found(*names) == found()
    assert found("x\ny") == ["x\ny/c.py"]


@POSIX
def test_one_file_by_many_names() -> None:
    make("real/a.py", "b.py")
    Path("also").symlink_to("real")
    Path("c.py").symlink_to("real/a.py")
    os.link("real/a.py", "d.py")
    assert found("also/a.py", "real", "c.py", "d.py", "real/../real/a.py") == ["also/a.py"], "as named first"
    assert found(".", "also") == ["also/a.py", "b.py"]
    assert found(".") == ["b.py", "d.py"]
    assert found("c.py", "c.py") == ["c.py"]


@POSIX
def test_sockets_and_devices() -> None:
    make("a.py")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s.py")
        assert found() == ["a.py"]
        assert problems("s.py", "/dev/null") == [
            f"{name}: not a regular file; to read from a pipe, pass `-`" for name in ("s.py", "/dev/null")
        ]


@pytest.mark.parametrize(
    ("flags", "arguments", "left"),
    [
        ({"exclude": "gen/"}, ["."], ["a.py", "sub/x_pb2.py"]),
        ({"exclude": "[!a]*.py"}, ["."], ["a.py", "gen/a.py"]),
        ({"extend_exclude": "#*"}, ["."], ["a.py", "gen/a.py", "gen/b.py", "sub/x_pb2.py"]),
        ({"extend_exclude": "gen/"}, ["gen"], ["gen/a.py", "gen/b.py"]),
        ({"extend_exclude": "gen/", "force_exclude": True}, ["gen", "gen/a.py", "a.py"], ["a.py"]),
        ({"extend_exclude": "gen/*", "force_exclude": True}, ["gen", "gen/a.py", "a.py"], ["a.py"]),
        ({"extend_exclude": "gen/b.py", "force_exclude": True}, ["gen", "gen/b.py"], ["gen/a.py"]),
        ({"extend_exclude": "a.py/", "force_exclude": True}, ["a.py"], ["a.py"]),
        ({"extend_exclude": "*.py", "force_exclude": False}, ["gen/b.py", "gen"], ["gen/b.py"]),
        ({"extend_exclude": "../*"}, ["a.py", "gen"], ["a.py", "gen/a.py", "gen/b.py"]),
    ],
)
def test_exclusions_and_what_is_named(
    flags: dict[str, object], arguments: list[str], left: list[str]
) -> None:
    make("a.py", "gen/a.py", "gen/b.py", "sub/x_pb2.py")
    if "sub/gen" in left:
        Path("sub/gen").touch()
        left = [name for name in left if name != "sub/gen"]
    assert found(*arguments, **flags) == left


def test_a_pattern_that_can_match_nothing_is_refused() -> None:
    for pattern in ("[a", "a\\", "/", "[[:nonsense:]]"):
        with pytest.raises(ConfigError, match="can match nothing"):
            discovery(extend_exclude=pattern)


@POSIX
def test_deep_folders() -> None:
    """Deeper than Python may recurse, and than the system takes a path."""
    deep = "ddd/" * 980
    top = os.open(".", os.O_RDONLY)
    try:
        for number in range(1_100):
            Path("ddd").mkdir()
            os.chdir("ddd")
            if number == 979:
                make("a.py")
        os.fchdir(top)
        finder = discovery()
        assert [file.path.as_posix() for file in finder.collect([Path()])] == [f"{deep}a.py"]
        said = [problem.message for problem in finder.problems]
        assert said == ["cannot read the folder: file name too long"]
        assert found(f"{deep}a.py") == [f"{deep}a.py"]
    finally:
        os.fchdir(top)
        os.close(top)
        subprocess.run(["rm", "-r", "ddd"], check=True)  # pytest would recurse


def test_many_files() -> None:
    """What does not depend on the file is looked up once for its folder."""
    for folder in range(40):
        Path(f"p{folder}").mkdir()
        for number in range(50):
            Path(f"p{folder}/m{number}.py").touch()
    Path(".gitignore").write_text("*.log\n/p1/*\n!/p1/m1.py\n__pycache__/\n*~\n")
    asked = 0
    of = Configuration.settings

    def counted(self: Configuration, folder: Path) -> object:
        nonlocal asked
        asked += 1
        return of(self, folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Configuration, "settings", counted)
        assert len(found()) == 39 * 50 + 1
    assert asked <= 45

"""What is ignored, compared with what Git itself says."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from padlint.config import Configuration, parse
from padlint.files import Discovery

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="asks Git"),
    pytest.mark.skipif(os.name == "nt", reason="names that Windows refuses"),
]


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, and the folder of a repository."""
    home, place = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    place.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.chdir(place)
    return home


def git(*arguments: str | Path) -> bytes:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    return subprocess.run(["git", *identity, *arguments], check=True, capture_output=True).stdout


def make(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"# " + os.fsencode(name))


def write(name: str | Path, content: str | bytes) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())


def found(folder: str = ".") -> list[str]:
    """What is read: nothing is excluded but what Git ignores."""
    flags = parse({"exclude": ".git"}, Path.cwd(), "--")
    discovery = Discovery(Configuration(flags, isolated=True))
    files = [file.path.as_posix() for file in discovery.collect([Path(folder)])]
    assert not discovery.problems
    return sorted(files)


def untracked(*flags: str) -> list[str]:
    """What Git does not ignore."""
    names = git("ls-files", "-z", "--others", "--exclude-standard", *flags).split(b"\0")
    return sorted(os.fsdecode(name) for name in names if name.endswith(b".py"))


NAMES = (
    "a.py",
    "A.py",
    "b.py",
    "ab.py",
    "#a.py",
    "!a.py",
    " a.py",
    "a .py",
    "a*.py",
    "a[b].py",
    "a\\b.py",
    "a-b.py",
    "é.py",
    "a\nb.py",
    os.fsdecode(b"caf\xe9.py"),
    "x.py/a.py",
    "tail /a.py",
    "d/a.py",
    "d/b.py",
    "d/e/a.py",
    "d/e/b.py",
    "d/e/f/a.py",
    "e/a.py",
    "e/d/a.py",
    "e/f/d/a.py",
    "f/g/a.py",
    "dir]/a.py",
    "^x/a.py",
    ".h/a.py",
)

TABLE = (
    "",
    "\n\n#a.py\n# a.py\n",
    "*.py\n!a.py\n",
    "*\n!*/\n!a.py\n",
    "*\n!.h\n",
    "d/\n!d/a.py\n",
    "d/*\n!d/a.py\n!d/e\nd/e/*\n!d/e/b.py\n",
    "d\n!d\n",
    "!a.py\na.py\n",
    "/a.py\n",
    "/d/a.py\n",
    "d/a.py\n",
    "e/\n",
    "/e/\n",
    "a.py/\n",
    "x.py/\n",
    "x.py\n",
    "**/a.py\n",
    "**/d/a.py\n",
    "d/**/a.py\n",
    "d/**\n",
    "d/**/\n",
    "**\n",
    "**/\n",
    "*/\n",
    "/**/d\n",
    "/**\n",
    "**/**/a.py\n",
    "d/**/**/a.py\n",
    "d**/a.py\n",
    "d/e**/a.py\n",
    "**d/a.py\n",
    "d/**a.py\n",
    "d/**.py\n",
    "***/a.py\n",
    "d/***/a.py\n",
    "d/**\\/a.py\n",
    "d/*/a.py\n",
    "*/*/a.py\n",
    "a.py   \n",
    "a.py\t\n",
    "tail\\ \n",
    "tail\\  \n",
    "tail \n",
    "tail\\\\ \n",
    " a.py\n",
    "\\#a.py\n",
    "\\!a.py\n",
    "\\ a.py\n",
    "!\\!a.py\n",
    "!!a.py\n",
    "a\\ .py\n",
    "a\\*.py\n",
    "a\\[b\\].py\n",
    "a\\\\b.py\n",
    "\\a.py\n",
    "a.py\\\n",
    "\\\n",
    "!\n",
    "/\n",
    "//\n",
    "/!a.py\n",
    "//a.py\n",
    "d//a.py\n",
    "./a.py\n",
    "../a.py\n",
    "d/./a.py\n",
    "[ab].py\n",
    "[a-b].py\n",
    "[b-a].py\n",
    "[!a].py\n",
    "[^a].py\n",
    "[!a]*.py\n",
    "[]a].py\n",
    "[!]a].py\n",
    "[a-].py\n",
    "[-a].py\n",
    "[--b].py\n",
    "[\\a].py\n",
    "[a\\-b].py\n",
    "[\\!-\\#]a.py\n",
    "[[]a.py\n",
    "a[[]b].py\n",
    "[[:alpha:]].py\n",
    "[[:upper:]].py\n",
    "[![:upper:]].py\n",
    "[[:alpha:]-b].py\n",
    "[[:space:]]a.py\n",
    "[[:punct:]]a.py\n",
    "[[:cntrl:]b].py\n",
    "a[[:cntrl:]]b.py\n",
    "[[:nonsense:]].py\n",
    "[[:alpha].py\n",
    "[[:].py\n",
    "[[::]].py\n",
    "[[:alpha:].py\n",
    "[a.py\n",
    "[a\\\n",
    "[\n",
    "[]\n",
    "[].py\n",
    "[!\n",
    "dir]\n",
    "[\\^]x\n",
    "?.py\n",
    "??.py\n",
    "caf?.py\n",
    "d?a.py\n",
    "d/?.py\n",
    "d[/]a.py\n",
    "d[!x]a.py\n",
    "d/[a/b].py\n",
    "*a*b*.py\n",
    "*.p*y\n",
    "*\\.py\n",
    "*.py*\n",
    "é.py\n",
    b"caf\xe9.py\n",
    b"\xef\xbb\xbfa.py\n",
    b"\xef\xbb\xbf#\na.py\n",
    "a.py\r\nb.py \r\n",
    "a.py\rb.py\n",
    "a.py",
    "a.py\r",
    "\r\n",
    b"a.py\0x\nb.py\n",
    "a.py\fb.py\u2028b.py\n",
    "a.py\vb.py\n",
    "A.PY\n",
    ".*\n",
    "*/a.py\n!d/\n!/d/a.py\n",
)


def test_odd_patterns_are_read_as_git_reads_them() -> None:
    make(*NAMES)
    git("init", "--quiet")
    wrong = {}
    for content in TABLE:
        write(".gitignore", content)
        if found() != untracked():
            wrong[content] = sorted(set(found()) ^ set(untracked()))
    assert not wrong


PIECES = r"a b d e f A .py * ** ? / / \ ! # - . [ab] [!a] [a- ] [ [[:alpha:]] **/ /** d/ a.py *.py */ é"
LINES = st.lists(st.sampled_from(PIECES.split()) | st.just(" "), min_size=1, max_size=6).map("".join)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(LINES, max_size=4), st.lists(LINES, max_size=3), st.sampled_from(["false", "true"]))
def test_any_patterns_are_read_as_git_reads_them(outer: list[str], inner: list[str], fold: str) -> None:
    if not Path(".git").exists():
        make(*NAMES)
        git("init", "--quiet")
    config = Path(".git/config").read_text().partition("\tignorecase")[0]
    write(".git/config", f"{config}\tignorecase = {fold}\n")
    write(".gitignore", "\n".join(outer))
    write("d/.gitignore", "\n".join(inner))
    assert found() == untracked()


def test_nested_files_and_what_cannot_be_taken_back() -> None:
    make("a.py", "b.py", "sub/b.py", "sub/c.py", "sub/keep/e.py", "sub/keep/f.py", "out/a.py", "sub/out/a.py")
    git("init", "--quiet")
    write(".gitignore", "b.py\n/out/\n!out/a.py\n**/keep/*\n")
    write("sub/.gitignore", "c.py\n!b.py\n!keep/e.py\n")
    write("out/.gitignore", "!*\n")
    assert found() == untracked() == ["a.py", "sub/b.py", "sub/keep/e.py", "sub/out/a.py"]


def test_a_link_is_no_file_of_patterns() -> None:
    make("a.py", "b.py")
    write("patterns", "a.py\n")
    Path(".gitignore").symlink_to("patterns")
    git("init", "--quiet")
    assert found() == untracked() == ["a.py", "b.py"]
    Path(".git/info/exclude").unlink()
    Path(".git/info/exclude").symlink_to(Path("patterns").absolute())
    assert found() == untracked() == ["b.py"]


def test_order_of_the_files_of_patterns(alone: Path) -> None:
    make("a.py", "b.py", "c.py", "d.py", "sub/a.py", "sub/b.py")
    git("init", "--quiet")
    write(alone / "config/git/ignore", "*.py\n")
    write(".git/info/exclude", "!a.py\n!b.py\n/sub/b.py\n")
    write(".gitignore", "b.py\n!c.py\n")
    write("sub/.gitignore", "!b.py\n")
    assert found() == untracked() == ["a.py", "c.py", "sub/a.py", "sub/b.py"]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("config/git/config", "[core]\n\texcludesFile = ~/mine\n"),
        (".gitconfig", "[core]\nEXCLUDESFILE=~/mine\n"),
        (".gitconfig", "[include]\npath = more\n"),
        (".gitconfig", '[includeIf "gitdir:**"]\npath = more\n'),
        (".gitconfig", "[core]\nexcludesFile = mine\n"),
        (".gitconfig", "[core]\nexcludesFile = ~/gone\n"),
        (".gitconfig", "[core]\nexcludesFile =\n"),
        (".gitconfig", "[include]\npath = gone\n"),
        ("work", "[core]\nexcludesFile = ~/mine\n"),
        (".gitconfig", "[user]\nname = excludesfile\n"),
    ],
)
def test_the_users_file_is_where_the_configuration_says(alone: Path, place: str, text: str) -> None:
    make("a.py", "b.py", "c.py")
    git("init", "--quiet")
    write(alone / "mine", "a.py\n")
    write("mine", "c.py\n")
    write(alone / "more", "[core]\nexcludesFile = ~/mine\n")
    write(alone / "config/git/ignore", "b.py\n")
    if place == "work":
        write(".git/config", Path(".git/config").read_text() + text)
    else:
        write(alone / place, text)
    assert found() == untracked()


def test_the_configuration_may_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, alone: Path
) -> None:
    make("a.py", "b.py")
    git("init", "--quiet")
    write(alone / "mine", "a.py\n")
    write(alone / "other", "[core]\nexcludesFile = ~/mine\n")
    write(alone / ".config/git/ignore", "b.py\n")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert found() == untracked() == ["a.py"]
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(alone / "other"))
    assert found() == untracked() == ["b.py"]
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    for name, value in (("COUNT", "1"), ("KEY_0", "core.excludesFile"), ("VALUE_0", str(alone / "mine"))):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    assert found() == untracked() == ["b.py"]


def test_git_is_started_only_for_a_configuration_that_may_name_a_file(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("a.py", "b.py")
    git("init", "--quiet")
    write(alone / "config/git/ignore", "a.py\n")
    write(alone / ".gitconfig", "[user]\nname = a\n")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("started"))
    assert found() == ["b.py"]


def test_without_git_the_users_file_is_the_default(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.py", "b.py")
    git("init", "--quiet")
    write(alone / "config/git/ignore", "a.py\n")
    write(alone / ".gitconfig", "[core]\nexcludesFile = ~/mine\n")
    monkeypatch.setenv("PATH", "")
    assert found() == ["b.py"]


def test_linked_work_trees() -> None:
    make("main/a.py")
    os.chdir("main")
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "first")
    git("worktree", "add", "--quiet", "../linked")
    write(".git/info/exclude", "b.py\n")
    os.chdir("../linked")
    make("a.py", "b.py", "sub/b.py", "sub/c.py")
    assert found() == untracked() == ["a.py", "sub/c.py"]
    assert found("sub") == ["sub/c.py"]


def test_a_repository_inside_another_has_its_own_patterns() -> None:
    make("inner/x.txt", "outer/a.py", "outer/b.py", "outer/nested/a.py", "outer/nested/b.py")
    git("init", "--quiet", "inner")
    git("-C", "inner", "add", ".")
    git("-C", "inner", "commit", "--quiet", "--message", "first")
    git("init", "--quiet", "outer")
    git("init", "--quiet", "outer/nested")
    write("outer/.gitignore", "a.py\n/ignored\n")
    write("outer/nested/.git/info/exclude", "b.py\n")
    git("-C", "outer", "submodule", "--quiet", "add", Path("inner").absolute(), "module")
    git("clone", "--quiet", "inner", "outer/ignored")
    make("outer/module/a.py", "outer/module/b.py", "outer/module/c.py", "outer/ignored/c.py")
    write("outer/module/.gitignore", "b.py\n")
    write("outer/.git/modules/module/info/exclude", "c.py\n")
    assert found("outer") == ["outer/b.py", "outer/module/a.py", "outer/nested/a.py"]
    for repository in ("outer", "outer/module", "outer/nested"):
        here = [name for name in found(repository) if Path(name).parent == Path(repository)]
        os.chdir(repository)
        assert [Path(name).name for name in here] == untracked()
        os.chdir(Path(*[".."] * len(Path(repository).parts)))


def test_patterns_count_for_tracked_files_too() -> None:
    make("a.py", "b.py")
    git("init", "--quiet")
    git("add", ".")
    write(".gitignore", "a.py\n")
    assert found() == ["b.py"]
    assert found("a.py") == ["a.py"]


def test_outside_of_a_repository_only_the_files_in_the_tree_count(alone: Path) -> None:
    make("a.py", "b.py", "sub/a.py", "sub/c.py")
    write(alone / "config/git/ignore", "b.py\n")
    write(".gitignore", "a.py\n")
    write("sub/.gitignore", "!a.py\n")
    assert found() == ["b.py", "sub/a.py", "sub/c.py"]
    os.chdir("sub")
    assert found() == ["a.py", "c.py"]


@pytest.mark.parametrize(
    ("patterns", "folder", "left"),
    [
        ("out\n", "out", ["a.py", "b.py", "deep/a.py", "deep/b.py"]),
        ("out\n", "out/deep", ["a.py", "b.py"]),
        ("out\na.py\n", "out", ["b.py", "deep/b.py"]),
        ("out/*\n", "out", []),
        ("out/*\n", "out/deep", ["a.py", "b.py"]),
        ("*\n", "out", ["a.py", "b.py", "deep/a.py", "deep/b.py"]),
        ("*\n!*/\n!a.py\n", "out", ["a.py", "deep/a.py"]),
        ("*\n!*/\n!a.py\n", ".", ["a.py", "out/a.py", "out/deep/a.py"]),
    ],
)
def test_a_folder_that_is_named_is_read_even_if_it_is_ignored(
    patterns: str, folder: str, left: list[str]
) -> None:
    make("a.py", "b.py", "out/a.py", "out/b.py", "out/deep/a.py", "out/deep/b.py")
    git("init", "--quiet")
    write(".gitignore", patterns)
    assert found(folder) == [(Path(folder) / name).as_posix() for name in left]
    os.chdir(folder)
    assert found() == left


def test_patterns_that_could_be_tried_for_ever() -> None:
    name = "a" * 200 + ".py"
    deep = "/".join("a" * 300)
    make(name, f"{deep}/b.py")
    write(
        ".gitignore",
        "*a" * 50 + "b\n" + "**/a/" * 50 + "c\n" + "**/*a/" * 50 + "c\n" + "a/**/" * 50 + "c*b\n",
    )
    assert found() == sorted([name, f"{deep}/b.py"])

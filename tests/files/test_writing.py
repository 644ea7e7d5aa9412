"""Writing never loses what was there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from padlint.files import beside, writing
from padlint.files.problems import FileError
from padlint.files.writing import write

BEFORE, AFTER = b"before, and longer\r\n", b"after\r\n"
POSIX = pytest.mark.skipif(os.name == "nt", reason="POSIX permissions and links")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "model.py"
    file.write_bytes(BEFORE)
    return file


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@POSIX
@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o620])
def test_mode_is_kept(path: Path, mode: int) -> None:
    path.chmod(mode)
    write(path, BEFORE, AFTER)
    assert path.read_bytes() == AFTER
    assert path.stat().st_mode & 0o7777 == mode
    assert names(path.parent) == ["model.py"]


@POSIX
def test_symbolic_links_are_written_through(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "link.py").symlink_to(path)
    (tmp_path / "link.py").symlink_to(folder / "link.py")
    write(tmp_path / "link.py", BEFORE, AFTER)
    assert path.read_bytes() == AFTER
    assert (tmp_path / "link.py").is_symlink()
    assert (folder / "link.py").is_symlink()
    assert names(folder) == ["link.py"]


@POSIX
def test_hard_links_stay_together(path: Path, tmp_path: Path) -> None:
    (tmp_path / "other.py").hardlink_to(path)
    write(path, BEFORE, AFTER)
    assert path.read_bytes() == (tmp_path / "other.py").read_bytes() == AFTER
    assert path.samefile(tmp_path / "other.py")
    assert names(tmp_path) == ["model.py", "other.py"]


@POSIX
def test_an_owner_that_cannot_be_given_is_kept_by_writing_in_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inode = path.stat().st_ino
    monkeypatch.setattr(writing, "_give", lambda *given: False)
    write(path, BEFORE, AFTER)
    assert path.read_bytes() == AFTER
    assert path.stat().st_ino == inode
    assert names(path.parent) == ["model.py"]


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only the superuser may give files away")
def test_owner_is_kept(path: Path) -> None:
    os.chown(path, 12345, 54321)
    path.chmod(0o664)
    write(path, BEFORE, AFTER)
    status = path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (12345, 54321, 0o664)


@pytest.mark.parametrize("linked", [False, True])
def test_a_file_that_changed_is_left_alone(path: Path, tmp_path: Path, linked: bool) -> None:
    if linked:
        (tmp_path / "other.py").hardlink_to(path)
    path.write_bytes(b"the user's edit")
    with pytest.raises(FileError, match="changed while it was being fixed; nothing was written"):
        write(path, BEFORE, AFTER)
    assert path.read_bytes() == b"the user's edit"
    assert not [name for name in names(tmp_path) if name.startswith(".")]


@POSIX
def test_protected_files_and_folders_are_refused(path: Path) -> None:
    """By their permission bits, which do not stop the superuser."""
    path.chmod(0o444)
    with pytest.raises(FileError, match="the file is read-only"):
        write(path, BEFORE, AFTER)
    path.chmod(0o644)
    path.parent.chmod(0o555)
    try:
        with pytest.raises(FileError, match="its folder is read-only"):
            write(path, BEFORE, AFTER)
    finally:
        path.parent.chmod(0o755)
    assert path.read_bytes() == BEFORE
    assert names(path.parent) == ["model.py"]


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="not a regular file"):
        write(tmp_path, BEFORE, AFTER)


def test_a_file_that_is_gone_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot write: no such file or directory; nothing was changed"):
        write(tmp_path / "gone.py", BEFORE, AFTER)


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_half_way_leaves_the_old_content(
    path: Path, tmp_path: Path, linked: bool, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    if linked:
        (tmp_path / "other.py").hardlink_to(path)

    def fail(file: Path, data: bytes) -> None:
        if data == AFTER:
            file.write_bytes(data[:3])
            raise error
        file.write_bytes(data)

    monkeypatch.setattr(writing, "_store", fail)
    with pytest.raises((FileError, KeyboardInterrupt)):
        write(path, BEFORE, AFTER)
    assert path.read_bytes() == BEFORE
    assert names(tmp_path) == ["model.py", "other.py"][: 1 + linked]


def test_if_all_fails_the_copy_is_kept(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other.py").hardlink_to(path)

    def fail(file: Path, data: bytes) -> None:
        if file.name == "model.py":
            file.write_bytes(b"gar")
            raise OSError(5, "Input/output error")
        file.write_bytes(data)

    monkeypatch.setattr(writing, "_store", fail)
    with pytest.raises(FileError, match="the old content is in") as error:
        write(path, BEFORE, AFTER)
    kept = tmp_path / ".model.py.padlint-backup"
    assert kept.read_bytes() == BEFORE
    assert str(kept) in str(error.value)
    with pytest.raises(FileError, match=r"is in \.model\.py\.padlint-backup; move that back or delete it"):
        write(path, b"gar", AFTER)
    assert names(tmp_path) == [".model.py.padlint-backup", "model.py", "other.py"]


def leftover(path: Path) -> Path:
    return path.with_name(f".{path.name}.padlint-new")


def test_what_a_killed_run_left_is_used_again(path: Path) -> None:
    leftover(path).write_bytes(b"half of a much longer file")
    leftover(path).chmod(0o644)
    path.chmod(0o600)
    write(path, BEFORE, AFTER)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (AFTER, 0o600)
    assert names(path.parent) == ["model.py"]


@POSIX
def test_what_another_process_writes_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(beside, "_PATIENCE", 0.05)
    with leftover(path).open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(FileError, match=r"another process is writing it, see \.model\.py\.padlint-new"):
            write(path, BEFORE, AFTER)
        assert path.read_bytes() == BEFORE
    write(path, BEFORE, AFTER)
    assert path.read_bytes() == AFTER


def test_what_another_process_has_fixed_already_is_no_change(path: Path) -> None:
    path.write_bytes(AFTER)
    time = path.stat().st_mtime_ns
    write(path, BEFORE, AFTER)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (AFTER, time)
    assert names(path.parent) == ["model.py"]


@POSIX
@pytest.mark.parametrize("kind", ["symlink", "hardlink"])
def test_a_link_in_the_way_is_not_followed(path: Path, tmp_path: Path, kind: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    getattr(leftover(path), f"{kind}_to")(victim)
    with pytest.raises(FileError, match=r"too many levels of symbolic links|is in the way"):
        write(path, BEFORE, AFTER)
    assert (path.read_bytes(), victim.read_bytes()) == (BEFORE, b"precious")


def test_the_longest_name(tmp_path: Path) -> None:
    path = tmp_path / ("m" * 250 + ".py")
    path.write_bytes(BEFORE)
    write(path, BEFORE, AFTER)
    assert path.read_bytes() == AFTER
    assert names(tmp_path) == [path.name]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="extended attributes of Linux")
@pytest.mark.parametrize("granted", [True, False])
def test_extended_attributes_are_kept(path: Path, granted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copied, or kept by writing in place."""
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    leftover(path).touch()
    os.setxattr(leftover(path), "user.other", b"foreign")
    if not granted:
        monkeypatch.setattr(os, "setxattr", lambda *given: Path("/nowhere").stat())
    write(path, BEFORE, AFTER)
    assert path.read_bytes() == AFTER
    assert {name: os.getxattr(path, name) for name in os.listxattr(path)} == {"user.note": b"kept"}
    assert names(path.parent) == ["model.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs strace-like order checks")
def test_content_is_on_disk_before_it_takes_the_place(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (calls.append("fsync"), fsync(fd))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (calls.append("replace"), replace(self, to))[1])
    write(path, BEFORE, AFTER)
    assert calls == ["fsync", "replace"]

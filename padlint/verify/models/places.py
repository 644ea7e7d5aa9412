"""Where the sides of a comparison come from: files, packages, and what Git has of them."""

from __future__ import annotations

import ast
import os
import subprocess
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from padlint.verify.models.request import Side

_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
_SUBMODULE = "160000"
_NO_REPOSITORY = "not a git repository"
_HOOK_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")


class PlaceError(Exception):
    """A side cannot be had; the message is for the user."""


def working(file: Path, callable_: str, label: str) -> Side:
    """The side that is the file as it lies there."""
    file = file.resolve()
    if not file.is_file():
        raise PlaceError(f"{file} is no file")
    project = project_of(file)
    package = file.parent
    while (package / "__init__.py").is_file() and package != package.parent:
        package = package.parent
    if package == file.parent and package != project and _imports_relatively(file):
        package = project  # a namespace package
    parts = (*file.parent.relative_to(package).parts, file.stem)
    if file.name == "__init__.py":
        parts = parts[:-1] or (file.parent.name,)
    paths = dict.fromkeys([package, project, *(path for path in [project / "src"] if path.is_dir())])
    try:
        root = repository(file) or project
    except PlaceError:
        root = project
    return Side(label, file, ".".join(parts), root, tuple(paths), callable_, Path.cwd())


def standing_in(side: Side, content: Path, label: str) -> Side:
    """The side with its file read from elsewhere."""
    if not content.is_file():
        raise PlaceError(f"{content} is no file")
    return replace(side, label=label, overlay={side.file: content.resolve()})


def revision(side: Side, name: str, label: str, folder: Path) -> Side:
    """The side as it is in a revision, checked out below `folder`."""
    top = repository(side.file)
    if top is None:
        raise PlaceError(
            f"{side.file} is in no Git repository; say what to compare with by --before or --fix"
        )
    commit = _git(top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").decode().strip()
    inner = side.file.relative_to(top)
    if not commit:
        raise PlaceError(f"{name} is neither a file nor a revision of {top}")
    if not _git(top, "ls-tree", commit, "--", inner.as_posix()):
        raise PlaceError(
            f"Git has no {inner.as_posix()} in {name}; say what to compare with by --before or --fix"
        )
    target = (folder / f"checkout-{label}").resolve()
    _extract(top, commit, target)
    _link_untracked(top, target)
    return replace(
        side,
        label=label,
        file=target / inner,
        root=target,
        folder=target / _within(side.folder, top) if side.folder.is_relative_to(top) else side.folder,
        paths=tuple(dict.fromkeys(target / _within(path, top) for path in side.paths)),
        instead_of=top,
    )


def repository(file: Path) -> Path | None:
    """The top folder of the repository that the file is in."""
    try:
        return Path(os.fsdecode(_git(file.parent, "rev-parse", "--show-toplevel")).rstrip("\n")).resolve()
    except PlaceError as error:
        if _NO_REPOSITORY in str(error):
            return None
        raise


def is_unchanged(file: Path, name: str) -> bool:
    """Whether the working tree equals a revision, as far as Git tracks it."""
    top = repository(file)
    return top is not None and not _git(top, "diff", "--name-only", name, "--")


def _within(path: Path, top: Path) -> Path:
    """A path relative to the repository; its top for what is outside."""
    return path.relative_to(top) if path.is_relative_to(top) else Path()


def project_of(file: Path) -> Path:
    """The folder of the project: the nearest that looks like one, else that of the outermost package."""
    for folder in file.parents:
        if any((folder / marker).exists() for marker in _MARKERS):
            return folder
    folder = file.parent
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        folder = folder.parent
    return folder


def _imports_relatively(file: Path) -> bool:
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return False
    return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))


def _extract(top: Path, commit: str, target: Path) -> None:
    """The files of a commit, and of its submodules as far as they are there.

    An index of its own leaves no trace in the repository, and Git's filters apply as in any checkout.
    """
    target.mkdir(parents=True, exist_ok=True)
    index = target.with_name(f"{target.name}.index")
    _git(top, "read-tree", commit, index=index)
    _git(top, "checkout-index", "--all", "--force", f"--prefix={target}/", index=index)
    for line in _git(top, "ls-tree", "-r", "-z", commit).split(b"\0"):
        head, _, path = os.fsdecode(line).partition("\t")
        mode, _, rest = head.partition(" ")
        if mode == _SUBMODULE and (top / path / ".git").exists():
            _extract(top / path, rest.split()[-1], target / path)


def _link_untracked(top: Path, target: Path) -> None:
    """Links to what Git does not track (data, compiled modules, generated files), which the code may need."""
    listed = _git(top, "ls-files", "--others", "--directory", "--no-empty-directory", "-z")
    for name in filter(None, os.fsdecode(listed).split("\0")):
        link = target / name.rstrip("/")
        if "__pycache__" in PurePosixPath(name).parts or link.exists() or link.is_symlink():
            continue
        link.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):  # where links are not allowed, the code may still do without
            link.symlink_to(top / name.rstrip("/"))


def _git(folder: Path, *arguments: str, index: Path | None = None) -> bytes:
    """What Git prints; nothing where a quiet question is answered by no."""
    environment = {key: value for key, value in os.environ.items() if key not in _HOOK_VARIABLES}
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    try:
        done = subprocess.run(
            ("git", "-C", str(folder), *arguments),
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env=environment | {"LC_ALL": "C"},
        )
    except OSError as error:
        raise PlaceError(f"cannot run git: {error.strerror}") from None
    if done.returncode and "--quiet" not in arguments:
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise PlaceError(f"git {arguments[0]}: {words[-1] if words else done.returncode}")
    return done.stdout

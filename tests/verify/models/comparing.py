"""Projects on disk, and comparisons of what is in them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from padlint.verify.models import Comparison, Input, Limits, Request, Side, standing_in, working
from padlint.verify.models.verifier import Verifier

LIMITS = Limits(seconds=120.0)


def git(folder: Path, *arguments: str) -> str:
    """Run git as somebody."""
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(
        ["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


def project(folder: Path, **texts: str) -> None:
    """Write files (`net="..."` is `net.py`) and commit everything."""
    folder.mkdir(exist_ok=True)
    write(folder, **texts)
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all", "--allow-empty")


def write(folder: Path, **texts: str) -> None:
    """Write files."""
    for name, text in texts.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def request(*inputs: str, **options: Any) -> Request:
    """A request with inputs as the command line has them."""
    return Request(tuple(map(Input.parse, inputs)), **options)


def compare(before: Side, after: Side, *inputs: str, limits: Limits = LIMITS, **options: Any) -> Comparison:
    """The result for two sides."""
    given = options.pop("request", None) or request(*inputs)
    return Verifier(before, after, given, limits, **options).compare()


def compare_texts(
    folder: Path, before: str, after: str, *inputs: str, callable_: str = "build", **options: Any
) -> Comparison:
    """The result for two texts of one file."""
    write(folder, net=before, other=after)
    side = working(folder / "net.py", callable_, "before")
    return compare(side, standing_in(side, folder / "other.py", "after"), *inputs, **options)

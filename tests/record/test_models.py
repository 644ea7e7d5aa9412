"""A traced run gives an exact fix for every site that hides its sizes, proved on the whole model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import padlint
from tests.record import models

FLAGS = ("--isolated", "--select", "PAD101,PAD102,PAD302")
MODELS = [
    # sites, of which the code alone gives so many a fix
    ("keras", models.KERAS, "1x64x64x3", (2, 0)),
    ("tensorflow", models.TENSORFLOW_1, "1x64x64x3", (3, 0)),
    ("torch", models.TORCH, "1x3x64x64", (1, 0)),
    ("flax", models.FLAX, "1x64x64x3", (3, 0)),
]


@pytest.mark.parametrize(("framework", "text", "given", "counts"), MODELS, ids=[m[0] for m in MODELS])
def test_every_site_is_fixed(
    tmp_path: Path, framework: str, text: str, given: str, counts: tuple[int, int]
) -> None:
    pytest.importorskip(framework)
    sites, static = counts
    (tmp_path / "net.py").write_text(text)
    assert sum(fixes(tmp_path)) == static
    done = padlint("trace", "net.py::build", "--input", given, "-q", "-o", "t.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert fixes(tmp_path, "--trace", "t.json") == [True] * sites
    flags = ("--fix", "--unsafe-fixes", "--trace", "t.json", "--input", given)
    done = padlint("verify", "net.py::build", *FLAGS, *flags, cwd=tmp_path)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert f"{sites} fix".encode() in done.stdout


def fixes(folder: Path, *flags: str) -> list[bool]:
    """Whether the sites that are found have a fix."""
    done = padlint("check", *FLAGS, "--output-format", "json", *flags, "net.py", cwd=folder)
    return [finding["fix"] is not None for finding in json.loads(done.stdout)]

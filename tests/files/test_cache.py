from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from padlint import engine
from padlint.config import Settings
from padlint.files import Found, Sifting, Task, process
from padlint.files.cache import FOLDER, Cache
from padlint.files.packing import pack, unpack
from tests.cli.command import BROKEN, CLEAN, ROOT, SAME, SAME_FIXED, STRIDED, padlint, write

pytestmark = pytest.mark.usefixtures("cached")
FIXTURES = sorted((ROOT / "fixtures").glob("*.py"))
SIZED = """\
from keras import Input, layers

image = Input((224, 224, 3))
x = layers.Conv2D(8, 3, strides=2, padding="same")(image)
"""


@pytest.fixture
def cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PADLINT_NO_CACHE")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path, a=SAME, b=CLEAN, c=STRIDED, d=BROKEN, e=SIZED, f="import torch\n")
    (tmp_path / "pyproject.toml").write_text("[tool.padlint]\n")
    return tmp_path


def stored(folder: Path) -> Path:
    return folder / FOLDER / "findings.json"


def output(folder: Path, *arguments: str) -> tuple[int, bytes, bytes]:
    done = padlint("check", *arguments, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def loads_libcst(folder: Path, *arguments: str) -> bool:
    code = f"import sys, padlint.cli\ntry: padlint.cli.main(['check', *{arguments!r}])\n"
    code += "finally: print('libcst' in sys.modules, file=sys.stderr)\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    return {"True": True, "False": False}[done.stderr.split()[-1]]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_findings_come_back_as_they_were(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    options = Settings(input_multiple=32).options(path)
    for finding in engine.check(text, options, path.name):
        packed = pack(finding)
        assert packed is not None
        back = unpack(json.loads(json.dumps(packed)), path.name)
        assert json.dumps(pack(back)) == json.dumps(packed)
        assert (back.fix is None) == (finding.fix is None)
        if finding.fix is not None and back.fix is not None:
            assert back.fix.edits == finding.fix.edits
            assert back.fix.partners == finding.fix.partners


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit", "gitlab"])
def test_the_second_run_prints_the_same(project: Path, form: str) -> None:
    arguments = (".", "--output-format", form)
    assert (
        output(project, *arguments)
        == output(project, *arguments)
        == output(project, *arguments, "--no-cache")
    )


def test_what_is_known_is_not_parsed_again(project: Path) -> None:
    assert loads_libcst(project, ".")
    assert not loads_libcst(project, ".")
    write(project, c=STRIDED + "\n")
    assert loads_libcst(project, "."), "another content"
    assert loads_libcst(project, ".", "--input-size", "32"), "other settings"
    assert not loads_libcst(project, ".", "--input-size", "32")


def test_many_files_are_looked_up_first(project: Path) -> None:
    write(project, **{f"more_{i}": f"import torch\n\nx = {i}\n" for i in range(70)})
    first = output(project, ".")
    assert len(json.loads(stored(project).read_bytes())["entries"]) == 76
    assert output(project, ".") == first
    assert not loads_libcst(project, ".")


def test_fixing_uses_what_is_known_to_be_clean(project: Path) -> None:
    output(project, ".")
    assert output(project, "--fix", "a.py")[0] == 0
    assert (project / "a.py").read_text() == SAME_FIXED
    output(project, "a.py")
    assert not loads_libcst(project, "--fix", "a.py")
    assert b"would be fixed" in output(project, "--diff", "e.py")[2]


def test_a_baseline_sees_all(project: Path) -> None:
    output(project, ".")
    padlint("baseline", ".", cwd=project)
    assert output(project, "--baseline", ".padlint-baseline.json", "a.py")[0] == 0
    write(project, a=CLEAN)
    assert output(project, "a.py")[1].strip() == b"All checks passed!"


def test_per_file_settings_count(project: Path) -> None:
    write(project, same=STRIDED, other=STRIDED)
    (project / "pyproject.toml").write_text('[tool.padlint.per-file-ignores]\n"same.py" = ["PAD4"]\n')
    for _ in range(2):
        assert output(project, "same.py")[0] == 0
        assert output(project, "other.py")[0] == 1


def test_none_is_written_without_need(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN)
    output(tmp_path, "a.py")
    assert not (tmp_path / FOLDER).exists(), "no candidate"
    write(tmp_path, a=SAME)
    output(tmp_path, "a.py", "--no-cache")
    assert not (tmp_path / FOLDER).exists()
    output(tmp_path, "a.py")
    assert (tmp_path / FOLDER / ".gitignore").read_text() == "*\n"


def test_what_is_written_meanwhile_is_not_taken_for_what_was(project: Path) -> None:
    path, settings = project / "a.py", Settings()
    found = [Found(path, 1, settings)]
    sifting = Sifting(project)
    assert sifting.candidates(found)
    write(project, a=STRIDED)
    sifting.learn([process(Task(str(path), path, settings.options(path)))])
    write(project, a=SAME)
    again = Sifting(project)
    assert again.candidates(found)
    again.learn([process(Task(str(path), path, settings.options(path)))])
    known = Sifting(project)
    assert not known.candidates(found)
    assert [finding.code for outcome in known.known for finding in outcome.findings] == ["PAD305"]


CORRUPT = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"stamp": 1, "entries": {}}',
    b'{"entries": []}',
]


@pytest.mark.parametrize("content", CORRUPT)
def test_a_corrupt_cache_is_rebuilt(project: Path, content: bytes) -> None:
    first = output(project, ".")
    good = stored(project).read_bytes()
    stored(project).write_bytes(content)
    assert output(project, ".") == first
    assert json.loads(stored(project).read_bytes()) == json.loads(good)


def test_whatever_its_entries_are(project: Path) -> None:
    """No entry of another shape is believed, and none is fatal."""
    cache = Cache(project)
    text = (project / "e.py").read_text()
    finding = engine.check(text, Settings().options(project / "e.py"), "e.py")[0]
    rng = random.Random(0)
    odd: list[object] = [None, True, -1, 1e300, "x", [], {}, [[]], "\ud800"]
    for _ in range(500):
        item = json.loads(json.dumps(pack(finding)))
        place = item
        while isinstance(place, list) and place and rng.random() < 0.7:
            index = rng.randrange(len(place))
            if isinstance(place[index], list) and place[index]:
                place = place[index]
            else:
                place[index] = rng.choice(odd)
                break
        cache._entries["k"] = [cache._today, [item]]
        cache.get("k", "e.py")
    for entry in odd:
        cache._entries["k"] = entry
        assert cache.get("k", "e.py") is None


def test_a_cache_from_elsewhere_is_not_believed(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    output(project, ".")
    copy = tmp_path_factory.mktemp("clone") / "project"
    subprocess.run(["cp", "-r", str(project), str(copy)], check=True)
    assert Cache(project)._entries
    assert not Cache(copy)._entries


def test_a_cache_that_cannot_be_written_is_none(project: Path) -> None:
    (project / FOLDER).write_text("in the way")
    assert output(project, ".")[0] == 1
    assert (project / FOLDER).read_text() == "in the way"


def test_links_are_not_followed(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (project / FOLDER).symlink_to(elsewhere)
    assert output(project, ".")[0] == 1
    assert not list(elsewhere.iterdir())


def test_runs_at_once_lose_nothing(project: Path) -> None:
    write(project, **{f"n{i}": SAME + f"# {i}\n" for i in range(8)})
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: output(project, f"n{i}.py"), range(8)))
    assert json.loads(stored(project).read_bytes())["entries"]
    output(project, ".")
    assert not loads_libcst(project, ".")

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import padlint
from tests.record.programs import NET, loaded, seen, traced

pytest.importorskip("torch")

RUNS = [
    "9:12-9:48 torch.nn.Conv2d 66x65 -> 33x33 k(3, 3) s(2, 2) (1, 1) x1",
    "9:12-9:48 torch.nn.Conv2d 33x33 -> 33x33 k(3, 3) s(1, 1) 'same' x3",
    "17:21-17:39 torch.nn.MaxPool2d 33x33 -> 16x16 k3 s2 0 x1",
    "20:24-20:46 torch.nn.functional.pad 65x64 -> 66x65 kNone sNone (0, 1, 0, 1) x1",
    "21:16-21:64 torch.nn.functional.max_pool2d 16x16 -> 8x8 k2 sNone 0 x1",
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose trace has a run of the model, and then one of the script."""
    folder = tmp_path_factory.mktemp("torch")
    traced(folder, "net.py::build", NET, "--input", "1x3x65x64")
    (folder / "first.json").write_bytes((folder / "out.json").read_bytes())
    return folder


def test_a_model(project: Path) -> None:
    assert seen(loaded(project / "first.json"), "net.py") == RUNS


def test_the_flow_follows_tensors_through_functions(project: Path) -> None:
    flow = loaded(project / "first.json").flow
    assert [(layer.name, layer.field, layer.step) for layer in flow] == [
        ("pad", (1, 1), (1, 1)),
        ("first", (3, 3), (2, 2)),
        ("body.0.0", (7, 7), (2, 2)),
        ("body.1.0", (11, 11), (2, 2)),
        ("body.2.0", (15, 15), (2, 2)),
        ("pool", (19, 19), (4, 4)),
        ("max_pool2d", (23, 23), (8, 8)),
    ]


def test_a_script_runs_as_without_and_its_trace_is_merged(project: Path) -> None:
    plain = subprocess.run(
        [sys.executable, "net.py", "--x", "-m"], cwd=project, capture_output=True, check=False
    )
    done = padlint("trace", "net.py", "-q", "-o", "out.json", "--", "--x", "-m", cwd=project)
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout) == (7, plain.stdout)
    assert b"['--x', '-m']" in plain.stdout
    found = seen(loaded(project / "out.json"), "net.py")
    assert RUNS[2].replace(" x1", " x2") in found


def test_what_has_changed_replaces_what_was_seen_before(project: Path) -> None:
    (project / "changed").mkdir()
    folder = project / "changed"
    traced(folder, "net.py::build", NET, "--input", "1x3x65x64")
    (folder / "net.py").write_text(NET + "# changed\n")
    done = padlint("trace", "net.py::build", "--input", "1x3x32x32", "-o", "out.json", cwd=folder)
    assert b"net.py has changed since it was traced before" in done.stderr
    assert len(seen(loaded(folder / "out.json"), "net.py")) == len(RUNS)


def test_a_crash_keeps_what_was_seen(tmp_path: Path) -> None:
    text = NET.replace("    sys.exit(7)", "    raise KeyError('here')")
    (tmp_path / "net.py").write_text(text)
    done = padlint("trace", "net.py", cwd=tmp_path)
    assert done.returncode == 1
    assert b"KeyError: 'here'" in done.stderr
    assert b"padlint/record" not in done.stderr, "the traceback is the program's own"
    assert len(seen(loaded(tmp_path / "padlint.trace.json"), "net.py")) == len(RUNS)


def test_a_killed_process_keeps_what_was_seen(tmp_path: Path) -> None:
    text = NET.replace("    sys.exit(7)", "    import os; os._exit(3)")
    trace = traced(tmp_path, "net.py", text, status=3)
    assert len(seen(trace, "net.py")) == len(RUNS)


def test_a_module(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "__main__.py").write_text(NET)
    done = padlint("trace", "-m", "package", "--", "a", cwd=tmp_path)
    assert done.returncode == 7, done.stderr
    assert b"['a']" in done.stdout
    assert len(seen(loaded(tmp_path / "padlint.trace.json"), "package/__main__.py")) == len(RUNS)


def test_the_flow_is_shown(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET)
    flags = ("--input", "1x3x65x64", "--output-format", "json")
    rows = json.loads(padlint("trace", "net.py::build", *flags, cwd=tmp_path).stdout)
    assert [(row["layer"], row["pads"], row["fewer_uses"], row["first_odd"]) for row in rows] == [
        ("pad", [[0, 1], [0, 1]], None, True),
        ("first", [[1, 1], [1, 1]], 0.0152, False),
        *[(f"body.{i}.0", [[1, 1], [1, 1]], 0.1175, False) for i in range(3)],
        ("pool", [[0, 0], [0, 0]], 0.1175, False),
        ("max_pool2d", [[0, 0], [0, 0]], 0.0, False),
    ]
    assert {row["filename"] for row in rows} == {"net.py"}

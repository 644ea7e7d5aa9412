"""How traced programs end, what they start, and several traces of one file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from padlint.record.program import save
from padlint.traces.file import merged
from padlint.traces.model import MOST_RUNS, Layer, Place, Run, Trace
from padlint.traces.reading import read
from tests.cli.command import ROOT, padlint
from tests.record.programs import loaded, seen, traced

LAYERS = """\
import torch
from torch.nn import functional as F


def conv(size):
    return F.conv2d(torch.ones(1, 1, size, size), torch.ones(1, 1, 3, 3))


"""


def text_of(at: int) -> str:
    return f"6:12-6:74 torch.nn.functional.conv2d {at}x{at} -> {at - 2}x{at - 2} k(3, 3) s1 0"


def started(folder: Path, text: str, *flags: str) -> subprocess.Popen[bytes]:
    """A traced program in a group of its own, as a terminal has it, which has reached its `ready`."""
    (folder / "net.py").write_text(LAYERS + text)
    process = subprocess.Popen(
        [sys.executable, "-m", "padlint", "trace", "net.py", *flags],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    deadline = time.monotonic() + 100
    while not (folder / "ready").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return process


SLEEPING = """\
import pathlib, time
conv(9)
pathlib.Path("ready").touch()
time.sleep(100)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_program_keeps_what_was_seen(tmp_path: Path, sent: signal.Signals) -> None:
    pytest.importorskip("torch")
    process = started(tmp_path, SLEEPING)
    process.send_signal(sent)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + sent
    assert b"padlint/record" not in stderr
    if sent == signal.SIGINT:
        assert seen(loaded(tmp_path / "padlint.trace.json"), "net.py") == [f"{text_of(9)} x1"]


def test_the_time_is_over(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = LAYERS + SLEEPING.replace("time.sleep(100)", "\nfor _ in range(10**9): time.sleep(0.1); conv(9)")
    (tmp_path / "net.py").write_text(text)
    done = padlint("trace", "net.py", "--timeout", "20", cwd=tmp_path)
    assert done.returncode == 2
    assert b"it took more than 20 seconds" in done.stderr
    assert seen(loaded(tmp_path / "padlint.trace.json"), "net.py")


CHILDREN = """\
import multiprocessing, sys
from torch.utils.data import DataLoader, Dataset


class Data(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return conv(20 + index)[0, 0, 0, 0]


if __name__ == "__main__":
    torch.set_num_threads(1)
    method = sys.argv[1]
    print(sorted(float(x) for x in DataLoader(Data(), None, num_workers=2, multiprocessing_context=method)))
    process = multiprocessing.get_context(method).Process(target=conv, args=(30,))
    process.start()
    process.join()
    conv(9)
    sys.exit(process.exitcode)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize(("method", "sizes"), [("fork", [9, 20, 21, 22, 23, 30]), ("spawn", [9])])
def test_processes_that_the_program_starts(tmp_path: Path, method: str, sizes: list[int]) -> None:
    pytest.importorskip("torch")
    (tmp_path / "net.py").write_text(LAYERS + CHILDREN)
    done = padlint("trace", "net.py", "--", method, cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.startswith(b"[9.0, 9.0, 9.0, 9.0]\n")
    found = seen(loaded(tmp_path / "padlint.trace.json"), "net.py")
    assert sorted(found) == sorted(f"{text_of(size)} x1" for size in sizes)


TESTS = """\
import pytest
from net import conv


@pytest.mark.parametrize("size", [9, 8])
def test_net(size):
    assert conv(size).shape[2] == 7
"""


def test_a_module_with_arguments(tmp_path: Path) -> None:
    """pytest on a folder of tests, of which one fails."""
    pytest.importorskip("torch")
    (tmp_path / "net.py").write_text(LAYERS)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_net.py").write_text(TESTS)
    done = padlint("trace", "-q", "-m", "pytest", "--", "-q", "-p", "no:cacheprovider", "tests", cwd=tmp_path)
    assert done.returncode == 1, done.stderr.decode()
    assert b"1 failed, 1 passed" in done.stdout
    trace = loaded(tmp_path / "padlint.trace.json")
    assert list(trace.files) == ["net.py"]
    assert seen(trace, "net.py") == [f"{text_of(9)} x1", f"{text_of(8)} x1"]


THREADS = {
    "torch": """\
import torch
from torch.nn import functional as F


def conv(x):
    return F.conv2d(x, torch.ones(1, 1, 3, 3), stride=2)


data = torch.ones(1, 1, 8, 8)
""",
    "flax": """\
import jax
import jax.numpy as jnp
from flax import linen as nn


def conv(x):
    return nn.Conv(1, (3, 3), strides=2).init_with_output(jax.random.key(0), x)


data = jnp.ones((1, 8, 8, 1))
""",
}


@pytest.mark.parametrize("framework", THREADS)
def test_threads_are_recorded_and_fail_as_they_did(tmp_path: Path, framework: str) -> None:
    pytest.importorskip(framework)
    text = """\
import threading


class Own(threading.Thread):
    def run(self):
        conv(data)
        raise ValueError("of the thread")


thread = Own()
thread.start()
thread.join()
"""
    (tmp_path / "net.py").write_text(THREADS[framework] + text)
    done = padlint("trace", "net.py", "-o", "out.json", cwd=tmp_path)
    assert done.returncode == 0
    assert b"ValueError: of the thread" in done.stderr
    assert b"padlint/record" not in done.stderr
    (found,) = seen(loaded(tmp_path / "out.json"), "net.py")
    assert " 8x8 -> " in found


def test_the_main_module_of_a_script_is_as_without_padlint(tmp_path: Path) -> None:
    text = """\
import atexit, os, pickle, sys, threading, time

class Data:
    pass

def copied(when):
    print(when, type(pickle.loads(pickle.dumps(Data()))) is Data)

def later():
    time.sleep(0.2)
    copied("thread")

atexit.register(copied, "exit")
threading.Thread(target=later).start()
os.chdir(os.sep)
print(__name__, __builtins__.__name__, __file__, os.path.exists(__file__), __spec__, sys.argv)
raise ValueError("of the script")
"""
    (tmp_path / "net.py").write_text(text)
    plain = subprocess.run([sys.executable, "net.py", "-x"], cwd=tmp_path, capture_output=True)
    done = padlint("trace", "--quiet", "net.py", "--", "-x", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, plain.stdout, plain.stderr)
    assert b"thread True" in done.stdout
    assert b"exit True" in done.stdout


def test_the_main_module_of_a_module_is_as_without_padlint(tmp_path: Path) -> None:
    text = """\
import atexit, pickle, sys

class Data:
    pass

atexit.register(lambda: print(type(pickle.loads(pickle.dumps(Data()))) is Data))
print(__name__, __builtins__.__name__, __file__, __spec__.name, __package__, sys.argv)
raise ValueError("of the module")
"""
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "__main__.py").write_text(text)
    plain = subprocess.run([sys.executable, "-m", "net", "-x"], cwd=tmp_path, capture_output=True)
    done = padlint("trace", "--quiet", "-m", "net", "--", "-x", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, plain.stdout, plain.stderr)


def test_what_cannot_be_recorded_is_said_and_the_call_is_known_to_be_incomplete(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    text = """\
class Odd(torch.nn.Conv2d):
    stride = property(lambda self: (2.5, 2.5), lambda self, value: None)

    def _conv_forward(self, x, weight, bias):
        return torch.nn.functional.conv2d(x, weight, bias)


layer = Odd(1, 1, 3)
for _ in range(3):
    print(layer(torch.zeros(1, 1, 9, 9)).shape)
"""
    trace = traced(tmp_path, "net.py", LAYERS + text)
    (call,) = trace.files["net.py"].calls.values()
    assert (call.more, call.runs) == (3, {})
    ((missed, count),) = trace.missed.items()
    assert (missed.what, count) == ("torch.nn.Conv2d", 3)
    done = padlint("trace", "net.py", "--output-format", "json", cwd=tmp_path)
    assert b"note: torch.nn.Conv2d could not be recorded 3 times: " in done.stderr
    rows = json.loads(done.stdout.partition(b"\n[")[2].join([b"[", b""]))
    assert rows[-1]["missed"]["count"] == 3


# -- several traces of one file ------------------------------------------------------------------------------


def trace_of(*sizes: int, sha256: str = "a" * 64) -> Trace:
    trace = Trace()
    for size in sizes:
        run = Run((("kernel", 3),), "channels_first", (size,), (size - 2,), "float32")
        trace.add(Layer("c", Place("net.py", 1, 1, 1, 9), "torch.nn.Conv1d", run, (3,), (1,)), sha256)
    return trace


def test_more_ways_than_are_kept_are_counted() -> None:
    trace = trace_of(*range(10, 10 + MOST_RUNS + 5))
    (call,) = trace.files["net.py"].calls.values()
    assert (len(call.runs), call.more) == (MOST_RUNS, 5)
    (both,) = merged(trace, trace_of(7)).trace.files["net.py"].calls.values()
    assert (len(both.runs), both.more) == (MOST_RUNS, 6)


def test_a_file_that_cannot_be_added_to_is_said_before_the_program_runs(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("open('ran', 'w')\n")
    (tmp_path / "x.json").write_text("{}")
    for output, said in (("x.json", b"x.json: it is no trace"), ("no/x.json", b"no such file or directory")):
        done = padlint("trace", "net.py", "-o", output, cwd=tmp_path)
        assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "ran").exists()


SAVING = """\
import sys
from pathlib import Path
from padlint.record.program import save
from tests.record.test_processes import trace_of

for size in range(int(sys.argv[1]), int(sys.argv[1]) + 20):
    save(trace_of(size), Path("t.json"), Path())
"""


def test_two_traces_into_one_file_at_once(tmp_path: Path) -> None:
    starts = (10, 40, 70)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SAVING, str(start)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for start in starts
    ]
    assert [process.wait() for process in processes] == [0] * 3
    (call,) = read(tmp_path / "t.json")[0].files["net.py"].calls.values()
    assert {run.input[0] for run in call.runs} == {s + i for s in starts for i in range(20)}
    assert [path.name for path in tmp_path.iterdir()] == ["t.json"]


def test_the_rights_of_a_new_file_are_as_usual(tmp_path: Path) -> None:
    save(trace_of(9), tmp_path / "t.json", tmp_path)
    (tmp_path / "other").touch()
    assert (tmp_path / "t.json").stat().st_mode == (tmp_path / "other").stat().st_mode

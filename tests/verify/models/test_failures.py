"""Code that does not survive: which side, why, and at which line is said; nothing is left running."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pytest

from padlint.verify.models import Limits
from tests.verify.models.comparing import compare_texts

GOOD = "def build():\n    return lambda x: x\n"
TOP = "import os, sys, time, ctypes, threading, dataclasses\nimport numpy as np\n\ndef build():\n"
RUN = TOP + "    return run\n\ndef run(x):\n"
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")

RAISES = [
    ("raise ValueError('nope\\nmore')", "ValueError: nope at other.py:5, when it was built"),
    ("sys.exit(3)", "it called sys.exit(3) at other.py:5, when it was built"),
    ("sys.exit()", "it called sys.exit() at other.py:5"),
    ("return None", "it returns None, which is neither a model nor a function, when it was built"),
    ("return 3", "it returns an object of class int, which"),
    ("input()", "EOFError: EOF when reading a line at other.py:5"),
    ("raise KeyboardInterrupt", "KeyboardInterrupt at other.py:5"),
    ("build()", "RecursionError: maximum recursion depth exceeded at other.py:5"),
]
DIES = [
    ("os._exit(4)", "the process ended with exit code 4 at other.py:5, when it was built"),
    ("ctypes.string_at(0)", "it killed the process (SIGSEGV) at other.py:5, when it was built"),
    ("os.kill(os.getpid(), 8)", "it killed the process (SIGFPE) at other.py:5, when it was built"),
    ("os.kill(os.getpid(), 9)", "it killed the process (SIGKILL), when it was built"),
    ("os.abort()", "it killed the process (SIGABRT) at other.py:5, when it was built"),
]


def in_its_own_file(reason: str) -> str:
    """The file that stands in for another is reported under the name of that."""
    return reason.replace("other.py", "net.py")


@posix
@pytest.mark.parametrize(("code", "reason"), RAISES + DIES)
def test_build_fails(tmp_path: Path, code: str, reason: str) -> None:
    found = compare_texts(tmp_path, GOOD, f"{TOP}    {code}\n", "2x3")
    assert (found.result, found.status) == ("incomparable", 2)
    assert found.reason is not None
    assert found.reason.startswith("the code after cannot be run: " + in_its_own_file(reason))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "    return 1 / 0\n",
            "the code before cannot be run: ZeroDivisionError: division by zero at net.py:8",
        ),
        (
            "    return object()\n",
            "the code before cannot be run: output is an object of object, which cannot be",
        ),
        ("    return None\n", "nothing to compare: the code before returns no number, or only"),
        ("    return np.log(-np.abs(x))\n", "nothing to compare: the code before returns no number"),
        ("    return {'a': [], 'b': 'text'}\n", "nothing to compare: the code before returns no number"),
        (
            "    return x + int.from_bytes(os.urandom(4), 'big')\n",
            "the code before differs from itself when it is run twice",
        ),
        (
            "    return np.ones(10**11)\n",
            "the code before cannot be run: MemoryError: Unable to allocate 745. GiB",
        ),
    ],
)
def test_run_fails(tmp_path: Path, code: str, reason: str) -> None:
    found = compare_texts(tmp_path, RUN + code, RUN + code, "2x3")
    assert found.result == "incomparable"
    assert found.reason is not None
    assert found.reason.startswith(reason)


def test_what_shows_little_is_said(tmp_path: Path) -> None:
    code = RUN + "    return (x * 0).astype('float32')\n"
    found = compare_texts(tmp_path, code, code, "2x3")
    assert found.result == "equal"
    assert found.notes == [
        "in float64, outputs are float32 and compared to 1e-05",
        "for random inputs, each output is one number throughout, which shows little",
    ]


def test_kinds_of_inputs_without_a_number_are_said(tmp_path: Path) -> None:
    code = RUN + "    return np.log(x)\n"
    found = compare_texts(tmp_path, code, code, "2x3")
    assert found.result == "equal"
    (note,) = found.notes
    assert note.startswith(
        "the code before returns no number, or only infinities and NaN, for negative inputs"
    )


def test_kinds_of_inputs_that_the_code_before_refuses_do_not_count(tmp_path: Path) -> None:
    code = RUN + "    assert not (x < 0).all()\n    return x * 2\n"
    found = compare_texts(tmp_path, code, code, "2x3")
    assert found.result == "equal"
    assert found.notes == [
        "not compared at negative inputs: the code before raises AssertionError at net.py:8"
    ]
    found = compare_texts(tmp_path, code.replace("    assert not (x < 0).all()\n", ""), code, "2x3")
    assert found.result == "incomparable"


@posix
@pytest.mark.parametrize("code", ["while True: pass", "time.sleep(1000)"])
def test_hanging(tmp_path: Path, code: str) -> None:
    start = time.monotonic()
    found = compare_texts(tmp_path, GOOD, f"{TOP}    {code}\n", "2x3", limits=Limits(seconds=3))
    assert time.monotonic() - start < 15
    assert found.reason == (
        "the code after cannot be run: it was not done after 3 seconds (--timeout) at net.py:5, "
        "when it was built"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_is_printed_forked_and_started_disturbs_nothing_and_ends(tmp_path: Path) -> None:
    code = (
        "    print('{}'); os.write(1, b'[]\\n'); print(sys.argv, file=sys.stderr)\n"
        "    if os.fork() == 0: time.sleep(500)\n"
        "    threading.Thread(target=time.sleep, args=(500,)).start()\n"
        "    return lambda x: (print('[1]'), x)[1]\n"
    )
    found = compare_texts(tmp_path, GOOD, TOP + code, "2x3")
    assert found.result == "equal"
    time.sleep(0.2)
    left = [path for path in Path("/proc").glob("[0-9]*/cmdline") if str(tmp_path).encode() in _read(path)]
    assert not left
    children = [path for path in Path("/proc").glob("[0-9]*/cmdline") if b"padlint-verify" in _read(path)]
    assert not children


def test_outputs_of_all_kinds(tmp_path: Path) -> None:
    code = RUN + (
        "    Out = dataclasses.make_dataclass('Out', ['a', 'b'])\n"
        "    return {'y': [x, (x[0], 3)], 'o': Out(None, 'text'), 'n': np.float32(2), 'c': x + 1j,"
        " 'i': x > 0}\n"
    )
    assert compare_texts(tmp_path, code, code, "2x3").result == "equal"
    for old, new, said in [
        ("3)", "4)", r"output\['y'\]\[1\]\[1\] differs by up to 1: at \[\] 3 became 4"),
        ("1j", "2j", r"output\['c'\] differs by up to 1: at \[0, 0, 1\] 1 became 2"),
        ("x > 0", "x >= -1", r"output\['i'\] differs by up to 1"),
        ("'text'", "'other'", r"structure .* output\['o'\].b = 'text' became output\['o'\].b = 'other'"),
        ("'n':", "'m':", r"structure .* output\['n'\] became output\['m'\]"),
        (
            "[x, (x[0], 3)]",
            "[x, (x[:1], 3)]",
            r"shape of output\['y'\]\[1\]\[0\] changed: \(3,\) became \(1, 3\)",
        ),
    ]:
        found = compare_texts(tmp_path, code, code.replace(old, new), "2x3")
        assert found.difference is not None, new
        assert re.search(said, found.difference.message), found.difference.message


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""

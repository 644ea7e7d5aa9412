"""Trace files that are not as padlint writes them: each is refused, saying what is wrong."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from padlint.traces import reading
from padlint.traces.file import dumps, merged
from padlint.traces.model import Layer, Place, Run, Trace
from padlint.traces.reading import BadTrace, loads, read
from tests.cli.command import padlint


def example() -> Trace:
    trace = Trace()
    for at, size in enumerate((224, 112, 225)):
        arguments = (("kernel", (3, 3)), ("stride", (2, 2)), ("padding", "same"), ("ceil_mode", False))
        run = Run(arguments, "channels_last", (size, None), (size // 2, None), "float32", ("net.py", 9))
        place = Place("net.py", 7, 3, 8, 20) if at else Place("net.py", 9)
        layer = Layer(f"c{at}", place, "keras.layers.Conv2D", run, (3, None), (2, None))
        trace.add(layer, "a" * 64)
        trace.add(layer, "a" * 64, symbolic=True)
    trace.miss("torch.nn.Conv2d", "it takes or makes no tensor")
    return trace


def test_what_is_written_is_read() -> None:
    text = dumps(example(), "..")
    trace, project = loads(text)
    assert (trace, project) == (example(), "..")
    assert dumps(trace, project) == text


def data() -> Any:
    return json.loads(dumps(example(), "."))


CALL = ("files", "net.py", "calls", 0)
RUN = (*CALL, "runs", 0)
BAD: list[tuple[tuple[Any, ...], Any, str]] = [
    (("version",), True, "its version is true"),
    (("version",), "1", 'its version is "1"'),
    (("project",), 5, "project is 5, not a string"),
    (("project",), "\0", "project is no path"),
    (("files",), [], "files is [], not an object"),
    (("flow",), {}, "flow is {}, not a list"),
    (("files", "net.py"), None, 'files["net.py"] is null, not an object'),
    (("files", "net.py", "sha256"), "abc", "not 64 hexadecimal digits"),
    (("files", "net.py", "calls"), "x", 'files["net.py"].calls is "x", not a list'),
    ((*CALL, "row"), "x", 'calls[0].row is "x", not a whole number'),
    ((*CALL, "row"), 0, "calls[0].row is 0, not a whole number from 1"),
    ((*CALL[:3], 1, "end_row"), 6, "calls[1].end_row is not behind the start"),
    ((*CALL, "operator"), 5, "calls[0].operator is 5, not a string"),
    ((*CALL, "more"), -1, "calls[0].more is -1, not a whole number from 0"),
    ((*RUN, "count"), "x", 'runs[0].count is "x", not a whole number'),
    ((*RUN, "count"), 1.5, "runs[0].count is 1.5, not a whole number"),
    ((*RUN, "symbolic"), -1, "symbolic is -1"),
    ((*RUN, "input"), "224", 'runs[0].input is "224", not a list'),
    ((*RUN, "input"), [-1, 2], "runs[0].input[0] is -1, not a whole number from 0"),
    ((*RUN, "output"), [True], "runs[0].output[0] is true"),
    ((*RUN, "input"), [10**30], "runs[0].input[0] is 1000000"),
    ((*RUN, "arguments", "stride"), [0, 0], 'arguments["stride"][0] is 0, not a whole number from 1'),
    ((*RUN, "arguments", "kernel"), 2.5, 'arguments["kernel"] is 2.5, not a whole number from 1'),
    ((*RUN, "arguments", "padding"), {"a": 1}, 'arguments["padding"] is {"a": 1}, not'),
    ((*RUN, "arguments", "padding"), [[[[[1]]]]], "nested too deeply"),
    ((*RUN, "arguments", "padding"), "\ud800", "not a string of whole characters"),
    ((*RUN, "layout"), "NHWC", 'layout is "NHWC", none of'),
    ((*RUN, "used"), ["net.py"], "used is no path and row"),
    ((*RUN, "dtype"), None, "dtype is null, not a string"),
    (("flow", 0, "call"), 99, "flow[0].call is 99"),
    (("flow", 0, "file"), "x.py", 'flow[0].file is "x.py", none of the files'),
    (("flow", 0, "field"), [0], "flow[0].field[0] is 0"),
    (("missed", 0, "count"), 0, "count is 0"),
]


@pytest.mark.parametrize(("path", "value", "said"), BAD)
def test_a_wrong_value_is_named(path: tuple[Any, ...], value: Any, said: str) -> None:
    found = data()
    part = found
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(BadTrace) as error:
        loads(json.dumps(found))
    assert said in str(error.value)


@pytest.mark.parametrize("key", ["project", "files", "flow", "version"])
def test_a_missing_key_is_named(key: str) -> None:
    found = data()
    del found[key]
    with pytest.raises(BadTrace, match=f"{key} is missing"):
        loads(json.dumps(found))


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "{", "[" * 10**5, '{"a":' * 10**5, '{"format": "padlint-trace"}'),
        '{"format": "padlint-trace", "version": NaN}',
        '{"format": "padlint-trace", "version": ' + "1" * 5000 + "}",
    ],
)
def test_text_that_is_no_trace(text: str) -> None:
    with pytest.raises(BadTrace):
        loads(text)


def test_calls_and_runs_stand_once() -> None:
    found = data()
    found["files"]["net.py"]["calls"] *= 2
    with pytest.raises(BadTrace, match="same call as an earlier one"):
        loads(json.dumps(found))


def test_mutated_traces_load_or_are_refused() -> None:
    values = (
        *(None, True, 0, -1, 1, 3, 10**40, 0.5, 1e308, "", "x", "same", "\0", "\ud800"),
        *([], {}, [[]], [1, 1], [None], ["net.py", 1], {"row": 1}),
    )
    for seed in range(2000):
        source = random.Random(seed)
        found = data()
        for _ in range(source.randint(1, 3)):
            _mutate(found, source, values)
        try:
            trace, project = loads(json.dumps(found))
        except BadTrace:
            continue
        again, _ = loads(dumps(merged(Trace(), trace).trace, project))
        assert again.files == trace.files


def _mutate(found: Any, source: random.Random, values: tuple[Any, ...]) -> None:
    part, parts = found, []
    while isinstance(part, (dict, list)) and part:
        key = source.choice(sorted(part)) if isinstance(part, dict) else source.randrange(len(part))
        parts.append((part, key))
        part = part[key]
    part, key = source.choice(parts)
    kind = source.randrange(4)
    if kind == 0:
        del part[key]
    elif kind == 1 and isinstance(part, list):
        part.append(deepcopy(part[key]))
    elif kind == 2 and isinstance(part, dict):
        part[source.choice(["more", "symbolic", "x", "\0"])] = deepcopy(source.choice(values))
    else:
        part[key] = deepcopy(source.choice(values))


def test_random_bytes_load_or_are_refused(tmp_path: Path) -> None:
    content, path = dumps(example(), ".").encode(), tmp_path / "t.json"
    for seed in range(200):
        source = random.Random(seed)
        changed = bytearray(content)
        for _ in range(3):
            changed[source.randrange(len(changed))] = source.randrange(256)
        path.write_bytes(changed[: source.randrange(len(changed)) if seed % 4 == 0 else None])
        try:
            read(path)
        except BadTrace:
            continue


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 100)
    (tmp_path / "t.json").write_text(dumps(example(), "."))
    with pytest.raises(BadTrace, match="larger than"):
        read(tmp_path / "t.json")


@pytest.mark.parametrize("content", [b"\xff", b'{"format": "padlint-trace", "version": 1, "files": 5}'])
def test_the_command_names_the_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "net.py").write_text("from torch import nn\nnn.Conv2d(3, 8, 3)\n")
    (tmp_path / "t.json").write_bytes(content)
    done = padlint("check", "--trace", "t.json", "net.py", cwd=tmp_path)
    assert done.returncode == 2
    assert b"t.json: it is no" in done.stderr
    assert b"Traceback" not in done.stderr

"""Fixes that rest on a trace: what is offered, what is refused, and that it computes the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from padlint.engine import check, fix
from padlint.findings import Applicability
from padlint.options import Options
from padlint.syntax.source import Source
from padlint.traces.model import Call, FileTrace, Place, Run
from tests.cli.command import padlint

KERAS = "keras.layers.Conv2D"
HEAD = "from keras import layers\n"


def trace_of(text: str, *calls: tuple[str, str, list[Run]], more: int = 0) -> FileTrace:
    """A trace of calls, each given by its text; one with a row only if that is marked by `@`."""
    source, found = Source(text), []
    for written, operator, runs in calls:
        start = text.index(written.removeprefix("@"))
        first, last = source.location(start), source.location(start + len(written.removeprefix("@")))
        place = Place("net.py", first.row, first.column, last.row, last.column)
        if written.startswith("@"):
            place = Place("net.py", first.row)
        found.append(Call(place, operator, dict.fromkeys(runs, 1), more))
    return FileTrace("", tuple(found))


def run(size: int, kernel: int = 3, stride: int = 2, padding: str = "same") -> Run:
    arguments = (("kernel", (kernel,) * 2), ("stride", (stride,) * 2), ("padding", padding))
    return Run(arguments, "channels_last", (size, size), (size // stride,) * 2, "float32")


def options(trace: FileTrace) -> Options:
    return Options(frozenset({"PAD101"}), trace=trace)


LITERAL = HEAD + 'def f(x):\n    return layers.Conv2D(8, 3, 2, "same")(x)\n'
WRAPPER = HEAD + 'def f(x, k, s):\n    return layers.Conv2D(8, k, s, padding="same")(x)\n'
KWARGS = HEAD + "def f(x, **kw):\n    return layers.Conv2D(8, **kw)(x)\n"
CALL = 'layers.Conv2D(8, k, s, padding="same")'
FIXES = [
    (
        LITERAL,
        'layers.Conv2D(8, 3, 2, "same")',
        [run(112), run(56)],
        ["(0, 1)", '"valid"'],
        "112 and 56",
    ),
    (LITERAL, 'layers.Conv2D(8, 3, 2, "same")', [run(225), run(113)], ["(1, 1)"], "225 and 113"),
    (LITERAL, '@layers.Conv2D(8, 3, 2, "same")', [run(112)], ["(0, 1)"], "112"),
    (WRAPPER, 'layers.Conv2D(8, k, s, padding="same")', [run(64), run(32, 3)], ["(0, 1)"], "sizes 64 and 32"),
    (
        WRAPPER,
        CALL,
        [run(224, 7), run(56, 3, 1), run(28)],
        ["(same_pads(2, k, s))(x)", '"valid"'],
        "56 and 28",
    ),
    (
        WRAPPER,
        CALL,
        [run(225, 7), run(113), run(57, 3, 1)],
        ["same_pads(2, k, s, over=1)"],
        "225, 113 and 57",
    ),
    (
        WRAPPER,
        CALL,
        [run(226, 7, 4), run(57, 3, 1), run(50)],
        ["same_pads(2, k, s, over=2)"],
        "226, 57 and 50",
    ),
    (KWARGS, "layers.Conv2D(8, **kw)", [run(97, 5)], ["(2, 2)", '**{**kw, "padding": "valid"}'], "size 97"),
]


@pytest.mark.parametrize(("text", "call", "runs", "written", "sizes"), FIXES)
def test_fixed(text: str, call: str, runs: list[Run], written: list[str], sizes: str) -> None:
    given = options(trace_of(text, (call, KERAS, runs)))
    (finding,) = check(text, given)
    assert f"; seen {'once' if len(runs) == 1 else f'{len(runs)} times'} in the traced run" in finding.message
    assert finding.fix is not None
    assert finding.fix.applicability is Applicability.UNSAFE
    assert sizes in finding.fix.message
    fixed = fix(text, given, unsafe=True)
    assert all(part in fixed.text for part in written)
    assert not fixed.remaining
    assert len(fixed.applied) == 1, "the changed call is not what was traced any more"


REFUSED = [
    (LITERAL, [run(112), run(225)], "112 and 225"),
    (
        WRAPPER,
        [run(64), run(65), run(64, 3, 1)],
        "(0, 1) with kernel 3, stride 2 at 64; (1, 1) with kernel 3, stride 2 at 65; (1, 1) with kernel 3, "
        "stride 1 at 64; nor does one formula of kernel and stride, since the sizes differ modulo the stride",
    ),
    (
        WRAPPER.replace(", k, s,", ", get(k), s,"),
        [run(64), run(64, 3, 1)],
        "nor can they be computed from kernel and stride: its kernel is computed in a way that a second time",
    ),
    (
        KWARGS,
        [run(64), run(64, 3, 1)],
        "nor can they be computed from kernel and stride: its kernel is not written in the call, and *args ",
    ),
    (KWARGS, [run(64), run(64, padding="valid")], "not SAME with kernel 3, stride 2 at 64"),
]


@pytest.mark.parametrize(("text", "runs", "reason"), REFUSED)
def test_no_fix_serves_all(text: str, runs: list[Run], reason: str) -> None:
    call = text[text.index("layers.Conv2D") : text.rindex("(x)")]
    (finding,) = check(text, options(trace_of(text, (call, KERAS, runs))))
    assert finding.fix is None
    assert reason in str(finding.no_fix_reason)


POOLS = [
    (
        HEAD + "def f(x, **kw):\n    return layers.MaxPooling2D(**kw)(layers.ReLU()(x))\n",
        "keras.layers.MaxPooling2D",
        [run(64), run(32, 5)],
        "no pads serve all that was seen 2 times in the traced run: (0, 1) with kernel 3, stride 2 at 64; "
        "(1, 2) with kernel 5, stride 2 at 32; nor can they be computed from kernel and stride: its kernel",
        None,
    ),
    (
        HEAD + "def f(x, **kw):\n    return layers.MaxPooling2D(**kw)(layers.ReLU()(x))\n",
        "keras.layers.MaxPooling2D",
        [run(64), run(32)],
        "Pad (0, 1) with zeros, since nothing in the input is negative, exact for what was seen 2 times",
        'Pooling2D(**{**kw, "padding": "valid"})(layers.ZeroPadding2D(((0, 1), (0, 1)))(layers.ReLU()(x)))',
    ),
    (
        "from flax import linen as nn\ndef f(x, k, s, p):\n    return nn.max_pool(x, k, s, p)\n",
        "flax.linen.max_pool",
        [run(64, padding="SAME"), run(32, 5, padding="SAME")],
        "Pad same_pads(2, k, s or 1) in the arguments of the pool itself, exact for what was seen 2 times",
        "nn.max_pool(x, k, s, same_pads(2, k, s or 1))",
    ),
]


@pytest.mark.parametrize(("text", "operator", "runs", "said", "written"), POOLS)
def test_pools(text: str, operator: str, runs: list[Run], said: str, written: str | None) -> None:
    call = text[text.index("return ") + 7 :].partition("(layers.ReLU")[0].strip()
    given = replace(options(trace_of(text, (call, operator, runs))), codes=frozenset({"PAD102"}))
    (finding,) = check(text, given)
    assert said in (finding.fix.message if finding.fix is not None else str(finding.no_fix_reason))
    assert (finding.fix is not None) is (written is not None)
    assert written is None or written in fix(text, given, unsafe=True).text


def test_what_is_missing_is_said_of_both_ways() -> None:
    call = "layers.Conv2D(8, **kw)"
    given = options(trace_of(KWARGS, (call, KERAS, [run(64), run(65)])))
    (finding,) = check(KWARGS, replace(given, unknown_size="runtime"))
    reason = str(finding.no_fix_reason)
    assert reason.startswith(
        "no pads serve all that was seen 2 times in the traced run: (0, 1) with kernel 3"
    )
    assert reason.endswith("nor are they computed at every call: **kw may carry another padding than SAME")


WEIGHT = """\
import tensorflow as tf


def conv(x, w, s):
    return tf.nn.conv2d(x, w, [1, s, s, 1], "SAME")
"""


def in_tf(size: int, kernel: int, stride: int) -> Run:
    numbers = (("kernel", (kernel, kernel)), ("stride", stride), ("padding", "SAME"))
    return Run(numbers, "channels_last", (size, size), (size // stride,) * 2, "float32")


def test_a_kernel_that_is_in_the_weight() -> None:
    """The shape of the weight is read: what the first run had is not that of the others."""
    runs, call = [in_tf(224, 7, 2), in_tf(56, 3, 1)], 'tf.nn.conv2d(x, w, [1, s, s, 1], "SAME")'
    fixed = fix(WEIGHT, options(trace_of(WEIGHT, (call, "tf.nn.conv2d", runs))), unsafe=True)
    assert "[(0, 0), *same_pads(2, w.shape[:2], (s, s)), (0, 0)])" in fixed.text
    assert len(fixed.applied) == 1, "a call that was fixed is not what was traced any more"
    given = options(trace_of(WEIGHT, (call, "tf.nn.conv2d", [*runs, in_tf(225, 3, 2)])))
    computed = fix(WEIGHT, replace(given, unknown_size="runtime"), unsafe=True).text
    assert "pad_same(x, w.shape[:2], (s, s))" in computed


def test_what_was_left_out_is_no_ground() -> None:
    call = 'layers.Conv2D(8, k, s, padding="same")'
    (finding,) = check(WRAPPER, options(trace_of(WRAPPER, (call, KERAS, [run(64)]), more=9)))
    assert finding.fix is None
    assert "seen 10 times" in finding.message


SILENT = [
    (WRAPPER, 'layers.Conv2D(8, k, s, padding="same")', "keras.layers.MaxPooling2D"),  # another operator
    (WRAPPER, "layers.Conv2D(8, k, s", KERAS),  # another place
    (WRAPPER.replace("same", "valid"), 'layers.Conv2D(8, k, s, padding="valid")', KERAS),  # not what ran
]


@pytest.mark.parametrize(("text", "call", "operator"), SILENT)
def test_what_does_not_fit_says_nothing(text: str, call: str, operator: str) -> None:
    assert check(text, options(trace_of(text, (call, operator, [run(64)])))) == []


def test_a_trace_moves_with_the_edits() -> None:
    """Rounds: the second call is fixed where the fix of the first one has moved it."""
    text = HEAD + dedent(
        """
        def f(x):
            return layers.Conv2D(8, 3, 2, "same")(layers.Conv2D(4, 3, 2, "same")(x))
        """
    )
    calls = [
        ('layers.Conv2D(8, 3, 2, "same")', KERAS, [run(56)]),
        ('layers.Conv2D(4, 3, 2, "same")', KERAS, [run(113)]),
    ]
    fixed = fix(text, options(trace_of(text, *calls)), unsafe=True)
    assert len(fixed.applied) == 2
    assert 'layers.Conv2D(4, 3, 2, "valid")(layers.ZeroPadding2D(((1, 1), (1, 1)))(x))' in fixed.text
    assert "ZeroPadding2D(((0, 1), (0, 1)))(layers.Conv2D(4" in fixed.text


NET = """\
from keras import Input, Model, layers


def block(x, filters, **options):
    x = layers.Conv2D(filters, 3, padding="same", **options)(x)
    return layers.BatchNormalization()(x)


def build(size=97):
    image = Input((size, size, 3))
    x = image
    for filters in (4, 8):
        x = block(x, filters, strides=2)
    return Model(image, layers.MaxPooling2D(3, 2, "same")(x))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A traced project."""
    pytest.importorskip("keras")
    folder = tmp_path_factory.mktemp("project")
    (folder / "net.py").write_text(NET)
    done = padlint("trace", "net.py::build", cwd=folder)
    assert done.returncode == 0, done.stderr.decode()
    return folder


def test_a_fixed_model_computes_the_same(project: Path) -> None:
    flags = ("--trace", "padlint.trace.json", "--fix", "--unsafe-fixes")
    done = padlint("verify", "net.py::build", *flags, "--input", "1x97x97x3", cwd=project)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert b"2 fixes: PAD101, PAD102" in done.stdout


def test_a_trace_is_a_setting(project: Path) -> None:
    (project / "padlint.toml").write_text('trace = "padlint.trace.json"\n')
    done = padlint("check", "net.py", cwd=project)
    (project / "padlint.toml").unlink()
    assert b"seen in the traced run while a model was built or compiled, sizes 97 and 49" in done.stdout


def test_a_changed_file_is_refused_aloud(project: Path, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET.replace("(4, 8)", "(4, 16)"))
    (tmp_path / "padlint.trace.json").write_bytes((project / "padlint.trace.json").read_bytes())
    done = padlint("check", "--trace", "padlint.trace.json", "net.py", cwd=tmp_path)
    assert done.returncode == 2
    assert b"net.py: it has changed since it was traced" in done.stderr
    assert b"traced run" not in done.stdout
    assert b"PAD101" in done.stdout, "the run goes on"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, b"cannot read the trace"),
        ("{}", b"it is no trace of padlint"),
        ("x", b"no valid trace"),
        ('{"format": "padlint-trace", "version": 2}', b"its version is 2"),
    ],
)
def test_a_file_that_is_no_trace(tmp_path: Path, content: str | None, said: bytes) -> None:
    (tmp_path / "net.py").write_text(NET)
    if content is not None:
        (tmp_path / "t.json").write_text(content)
    done = padlint("check", "--trace", "t.json", "net.py", cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr


DYNAMIC = """\
from torch.nn import functional as F
def f(x, k, s):
    h, w = x.shape[-2:]
    ph, pw = max((-(-h // s) - 1) * s + k - h, 0), max((-(-w // s) - 1) * s + k - w, 0)
    return F.conv2d(F.pad(x, [pw // 2, pw - pw // 2, ph // 2, ph - ph // 2]), k, stride=2)
"""


@pytest.mark.parametrize(
    ("amounts", "fixed"), [([(0, 1, 0, 1)], True), ([(0, 1, 0, 1), (1, 1, 1, 1)], False)]
)
def test_a_dynamic_pad(amounts: list[tuple[int, ...]], fixed: bool) -> None:
    runs = [
        Run((("padding", a),), "channels_first", (64 + i,) * 2, (65,) * 2, "") for i, a in enumerate(amounts)
    ]
    call = DYNAMIC[DYNAMIC.index("F.pad(") : DYNAMIC.index(", k, stride=2)")]
    trace = trace_of(DYNAMIC, (call, "torch.nn.functional.pad", runs))
    given = Options(frozenset({"PAD302"}), trace=trace)
    (finding,) = check(DYNAMIC, given)
    assert (finding.fix is not None) is fixed
    assert ("F.pad(x, (0, 1, 0, 1))" in fix(DYNAMIC, given, unsafe=True).text) is fixed

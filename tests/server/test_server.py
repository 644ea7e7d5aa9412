from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from tests.cli.command import BROKEN, SAME, SAME_FIXED, STRIDED, padlint
from tests.server.client import COMMAND, TIMEOUT, Client, apply

HEAD = "import torch.nn as nn\n\n"
UNSAFE = """\
from keras import layers, Input

x = layers.Conv2D(8, 3, strides=2, padding="same")(Input((224, 224, 3)))
y = layers.MaxPooling2D(3, 2, "same")(x)
"""


@pytest.fixture
def uri(tmp_path: Path) -> str:
    """A file that is not on disk."""
    return (tmp_path / "model.py").as_uri()


def edits(action: dict[str, Any], uri: str, version: int) -> list[dict[str, Any]]:
    """The edits of an action, which name the document and its version."""
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": version}
    found: list[dict[str, Any]] = change["edits"]
    return found


def test_findings_follow_the_text(tmp_path: Path, uri: str) -> None:
    with Client(tmp_path) as client:
        assert client.capabilities["textDocumentSync"]["change"] == 1
        (found,) = client.open(uri, STRIDED)
        assert found["range"] == {"start": {"line": 2, "character": 7}, "end": {"line": 2, "character": 51}}
        assert (found["code"], found["severity"], found["source"]) == ("PAD401", 1, "padlint")
        assert "codeDescription" not in found
        assert "no fix: " not in found["message"] or "\nno fix: " in found["message"]
        client.change(uri, SAME, 2)
        assert [d["code"] for d in client.diagnostics(uri, 2)] == ["PAD305"]
        client.change(uri, BROKEN, 3)
        assert [d["code"] for d in client.diagnostics(uri, 3)] == ["PAD001"]
        client.change(uri, "x = 1  # noqa: PAD101\n", 4)
        (unused,) = client.diagnostics(uri, 4)
        assert (unused["code"], unused["tags"]) == ("PAD002", [1])
        client.change(uri, STRIDED, 5)
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert client.diagnostics(uri, 5)
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        assert client.diagnostics(uri, None) == []
        assert client.actions(uri, 2) == []


def test_only_the_last_of_quick_changes_is_looked_at(tmp_path: Path, uri: str) -> None:
    with Client(tmp_path) as client:
        client.open(uri, SAME)
        for version in range(2, 12):
            client.change(uri, STRIDED if version % 2 else SAME, version)
        note = client.note("textDocument/publishDiagnostics")
        assert (note["version"], [d["code"] for d in note["diagnostics"]]) == (11, ["PAD401"])


@pytest.mark.parametrize(
    ("encodings", "agreed", "more"),
    [
        pytest.param((), "utf-16", 1, id="default"),
        pytest.param(("utf-8", "utf-16"), "utf-8", 3, id="utf-8"),
        pytest.param(("utf-32",), "utf-32", 0, id="utf-32"),
    ],
)
def test_columns(tmp_path: Path, uri: str, encodings: tuple[str, ...], agreed: str, more: int) -> None:
    row = 'face = "😋"; z = [nn.Conv2d(3, 8, 3, padding="same"), "😋"]\n'
    with Client(tmp_path, encodings=encodings) as client:
        assert client.capabilities["positionEncoding"] == agreed
        (found,) = client.open(uri, f"{HEAD}\f\n{row}")
        place = found["range"]["start"]
        assert place == {"line": 3, "character": row.index("nn.") + more}, "a form feed ends no line"
        hover = client.hover(uri, 3, place["character"] + 1)
        assert hover["range"] == found["range"]
        assert client.hover(uri, 3, place["character"] - 1) is None


def test_columns_of_edits(tmp_path: Path, uri: str) -> None:
    text = (
        f'{HEAD}face = [nn.Conv2d(3, 8, 3, padding="same"), "😋", nn.Conv2d(3, 8, 5, padding="same")]  # 😋\n'
    )
    with Client(tmp_path) as client:
        client.open(uri, text)
        _, _, every = client.actions(uri, 2)
        assert apply(text, edits(every, uri, 1)) == text.replace('3, padding="same"', "3, padding=1").replace(
            '5, padding="same"', "5, padding=2"
        )


def test_actions(tmp_path: Path, uri: str) -> None:
    with Client(tmp_path) as client:
        client.open(uri, SAME, 7)
        fix, silence, every = client.actions(uri, 2)
        assert (fix["kind"], fix["isPreferred"]) == ("quickfix", True)
        assert fix["title"].startswith("PAD305: ")
        assert [d["code"] for d in fix["diagnostics"]] == ["PAD305"]
        assert apply(SAME, edits(fix, uri, 7)) == SAME_FIXED
        assert silence["title"] == "PAD305: disable for this line"
        assert not silence["isPreferred"]
        silenced = apply(SAME, edits(silence, uri, 7))
        assert silenced == SAME.replace(")\n", ")  # noqa: PAD305\n")
        assert every["kind"] == "source.fixAll.padlint"
        assert apply(SAME, edits(every, uri, 7)) == SAME_FIXED
        client.change(uri, silenced, 8)
        assert client.diagnostics(uri, 8) == []
        assert client.actions(uri, 2) == []


def test_actions_are_those_of_the_newest_version(tmp_path: Path, uri: str) -> None:
    with Client(tmp_path) as client:
        client.open(uri, SAME)
        changed = f"# a line more\n{SAME}"
        client.change(uri, changed, 2)
        assert client.actions(uri, 2, "quickfix") == []
        fix, _ = client.actions(uri, 3, "quickfix")
        assert apply(changed, edits(fix, uri, 2)) == f"# a line more\n{SAME_FIXED}"


def test_fixes_that_are_safe_only_together_are_made_together(tmp_path: Path, uri: str) -> None:
    text = """\
from keras import Sequential, layers

model = Sequential([
    layers.Input((32, 32, 3)),
    layers.Conv2D(8, 3, strides=2, padding="same"),
    layers.Conv2D(8, 3, strides=2, padding="same"),
    layers.Flatten(),
    layers.Dense(10),
])
"""
    with Client(tmp_path) as client:
        client.open(uri, text)
        fix, _ = client.actions(uri, 4, "quickfix")
        assert fix["isPreferred"]
        fixed = apply(text, edits(fix, uri, 1))
        assert fixed.count("layers.ZeroPadding2D(((0, 1), (0, 1)))") == 2


def test_unsafe_fixes_are_labelled_and_not_in_fix_all(tmp_path: Path, uri: str) -> None:
    with Client(tmp_path) as client:
        client.open(uri, UNSAFE)
        (safe, _) = client.actions(uri, 2, "quickfix")
        assert "(unsafe" not in safe["title"]
        (unsafe, _) = client.actions(uri, 3, "quickfix")
        assert "(unsafe" in unsafe["title"]
        assert not unsafe["isPreferred"]
        (every,) = client.actions(uri, 0, "source.fixAll")
        fixed = apply(UNSAFE, edits(every, uri, 1))
        assert "ZeroPadding2D" in fixed
        assert 'layers.MaxPooling2D(3, 2, "same")(x)' in fixed
        assert client.actions(uri, 0, "source.organizeImports") == []


def test_what_a_call_pads_is_shown(tmp_path: Path, uri: str) -> None:
    text = HEAD + "layer = nn.MaxPool2d(3, 2, 1)\n"
    with Client(tmp_path) as client:
        assert client.open(uri, text) == []
        hover = client.hover(uri, 2, 12)
        assert hover["contents"]["kind"] == "markdown"
        assert (
            "nn.MaxPool2d is torch.nn.MaxPool2d\nkernel 3, stride 2, padding 1\npads (1, 1)"
            in (hover["contents"]["value"])
        )
        assert hover["range"]["start"] == {"line": 2, "character": 8}
        assert client.hover(uri, 0, 3) is None


def test_configuration_of_each_folder_is_read_again(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "padlint.toml").write_text('ignore = ["PAD305"]\nextend-exclude = ["generated"]\n')
    here, there = (tmp_path / "a.py").as_uri(), (other / "a.py").as_uri()
    with Client(tmp_path) as client:
        (request,) = client.note("client/registerCapability")["registrations"]
        globs = [watcher["globPattern"] for watcher in request["registerOptions"]["watchers"]]
        assert globs == ["**/pyproject.toml", "**/padlint.toml"]
        assert len(client.open(here, SAME)) == 1
        assert client.open(there, SAME) == []
        assert client.open((other / "generated" / "a.py").as_uri(), STRIDED) == []
        (other / "padlint.toml").write_text('documentation-url = "https://example.org/{code}"\n')
        event = {"uri": (other / "padlint.toml").as_uri(), "type": 2}
        client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
        (found,) = client.diagnostics(there, 1)
        assert found["codeDescription"] == {"href": "https://example.org/PAD305"}
        (other / "padlint.toml").write_text("nonsense = 1\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})
        assert "nonsense: unknown setting" in client.note("window/showMessage")["message"]


def test_saving_reads_the_configuration_again(tmp_path: Path, uri: str) -> None:
    with Client(tmp_path) as client:
        assert len(client.open(uri, SAME)) == 1
        (tmp_path / "padlint.toml").write_text('ignore = ["PAD305"]\n')
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert client.diagnostics(uri, 1) == []


def test_settings_of_the_editor(tmp_path: Path, uri: str) -> None:
    settings = {"select": ["PAD401"]}
    with Client(tmp_path, initializationOptions={"settings": settings}) as client:
        assert client.open(uri, SAME) == []
        changed = {"settings": {"padlint": {"select": ["PAD305"]}}}
        client.notify("workspace/didChangeConfiguration", changed)
        assert len(client.diagnostics(uri, 1)) == 1


def test_documents_without_a_file_and_other_languages(tmp_path: Path) -> None:
    with Client(tmp_path) as client:
        assert len(client.open("untitled:Untitled-1", SAME)) == 1
        assert client.open((tmp_path / "a.md").as_uri(), SAME, language="markdown") == []
        assert client.open("vscode-notebook-cell:/a.ipynb#W0sZ", SAME) == []


@pytest.mark.parametrize(
    "text", ["\ud800 = nn.Conv2d(", "(" * 3000 + "nn.Conv2d", "\0" + SAME, "\ufeff" + SAME]
)
def test_hostile_texts(tmp_path: Path, uri: str, text: str) -> None:
    with Client(tmp_path) as client:
        client.open(uri, text)
        client.actions(uri, 0)
        client.change(uri, SAME, 2)
        assert len(client.diagnostics(uri, 2)) == 1


def test_an_internal_error_is_logged_and_the_server_lives(tmp_path: Path, uri: str) -> None:
    code = (
        "from padlint import engine\nfrom padlint.cli import main\ncheck = engine.check\n"
        "def fails(text, *rest):\n    if 'strid' in text: raise ZeroDivisionError('planted')\n"
        "    return check(text, *rest)\n"
        "engine.check = fails\nmain(['server'])"
    )
    with Client(tmp_path, [sys.executable, "-c", code]) as client:
        assert client.open(uri, STRIDED) == []
        client.change(uri, SAME, 2)
        assert len(client.diagnostics(uri, 2)) == 1
        client.change(uri, STRIDED, 3)
        log = client.note("window/logMessage")["message"]
        assert "ZeroDivisionError: planted" in log
        assert "please report it" in log


def test_tcp(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([*COMMAND, "--tcp", f"127.0.0.1:{port}"], cwd=Path(__file__).parents[2])
    try:
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                assert time.monotonic() < end
                time.sleep(0.05)
        with connection:
            body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            connection.settimeout(TIMEOUT)
            assert b"Content-Length" in connection.recv(4096)
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("--tcp", "nowhere"), "expected HOST:PORT"), (("--tcp", "a:1", "--stdio"), "exclude each other")],
)
def test_bad_usage(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = padlint("server", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr.decode()


def test_without_pygls_the_server_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['pygls'] = None; from padlint.cli import main; main(['server'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True)
    assert done.returncode == 2
    assert b"pip install 'padlint[server]'" in done.stderr

"""A language client: talks to a real server process, and edits documents as an editor does."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[2]
TIMEOUT = 60
COMMAND = [sys.executable, "-m", "padlint", "server"]
CAPABILITIES = {
    "workspace": {
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {"publishDiagnostics": {"versionSupport": True}},
}


class Client:
    """Starts a server and initialises it. What it sends without being asked is kept in `notes`."""

    def __init__(
        self, folder: Path, command: list[str] | None = None, encodings: tuple[str, ...] = (), **more: Any
    ) -> None:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(
            command or COMMAND,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.notes: queue.Queue[dict[str, Any]] = queue.Queue()
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = (
            {**CAPABILITIES, "general": {"positionEncodings": list(encodings)}} if encodings else None
        )
        parameters = {
            "processId": None,
            "rootUri": folder.as_uri(),
            "capabilities": capabilities or CAPABILITIES,
            **more,
        }
        self.capabilities = self.request("initialize", parameters)["capabilities"]
        self.notify("initialized", {})

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.request("shutdown", None)
            self.notify("exit", None)
            assert self.process.wait(TIMEOUT) == 0
        else:
            self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def request(self, method: str, params: Any) -> Any:
        """The result of a request."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            answer = self._answers.get(timeout=TIMEOUT)
            if answer["id"] == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def notify(self, method: str, params: Any) -> None:
        """Send what is not answered."""
        self._send({"method": method, "params": params})

    def note(self, method: str) -> Any:
        """The next note of a kind; others are skipped."""
        while True:
            note = self.notes.get(timeout=TIMEOUT)
            if note["method"] == method:
                return note["params"]

    def open(self, uri: str, text: str, version: int = 1, language: str = "python") -> list[Any]:
        """Open a document; its diagnostics."""
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(uri, version)

    def change(self, uri: str, text: str, version: int) -> None:
        """Change the whole document."""
        identifier = {"uri": uri, "version": version}
        changes = [{"text": text}]
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": changes})

    def diagnostics(self, uri: str, version: int | None) -> list[Any]:
        """The diagnostics of a version of a document, once they arrive."""
        while True:
            note = self.note("textDocument/publishDiagnostics")
            if note["uri"] == uri and note.get("version") == version:
                found: list[Any] = note["diagnostics"]
                return found

    def actions(self, uri: str, line: int, *only: str) -> list[dict[str, Any]]:
        """The code actions at the start of a line."""
        here = {"line": line, "character": 8}
        context = {"diagnostics": [], **({"only": list(only)} if only else {})}
        params = {"textDocument": {"uri": uri}, "range": {"start": here, "end": here}, "context": context}
        found: list[dict[str, Any]] = self.request("textDocument/codeAction", params)
        return found

    def hover(self, uri: str, line: int, character: int) -> Any:
        """What is shown at a place."""
        position = {"line": line, "character": character}
        return self.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})

    def _send(self, message: dict[str, Any]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
        self.process.stdin.flush()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            if "method" in message and "id" in message:  # a request of the server
                self._send({"id": message["id"], "result": None})
            (self.notes if "method" in message else self._answers).put(message)


def apply(text: str, edits: list[dict[str, Any]], encoding: str = "utf-16-le") -> str:
    """The text after edits, whose columns count the units of an encoding."""
    width = {"utf-16-le": 2, "utf-8": 1}[encoding]
    rows = text.split("\n")
    starts = [sum(len(row) + 1 for row in rows[:i]) for i in range(len(rows) + 1)]

    def offset(place: dict[str, int]) -> int:
        row = rows[place["line"]] if place["line"] < len(rows) else ""
        before = row.encode(encoding)[: place["character"] * width].decode(encoding)
        return min(starts[place["line"]] + len(before), len(text))

    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        start, end = (offset(edit["range"][side]) for side in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text

"""The server itself: what it answers, and when it looks at a document again."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from padlint import __version__
from padlint.config import ConfigError
from padlint.explain import lines
from padlint.server.actions import KINDS, actions
from padlint.server.analysis import Analysis, Document, analyse
from padlint.server.diagnostics import diagnostics

_T = TypeVar("_T")
_DELAY = 0.25  # seconds without a change before a document is looked at
_STACK = 64 * 2**20  # bytes: syntax is walked recursively
_SCHEMES = ("file", "untitled")
_CONFIGURATION = ("**/pyproject.toml", "**/padlint.toml")


class Server(LanguageServer):
    """Keeps the analysis of every open document. One thread computes, so that the server always answers."""

    def __init__(self) -> None:
        # Clients send whole texts: in pieces pygls would count rows at form feeds, too.
        super().__init__("padlint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.settings: dict[str, Any] = {}
        self._generation = 0
        self._running: dict[str, tuple[object, asyncio.Task[Analysis | None]]] = {}
        self._pending: dict[str, asyncio.Task[None]] = {}
        self._said: set[str] = set()
        before = threading.stack_size(_STACK)
        self._worker = ThreadPoolExecutor(1)
        self._worker.submit(int).result()  # the thread starts now, with this stack
        threading.stack_size(before)

    async def compute(self, function: Callable[..., _T], *arguments: Any) -> _T | None:
        """Run a function in the worker. What goes wrong is said to the editor, and the server goes on."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, function, *arguments)
        except ConfigError as error:
            self._complain(str(error))
        except Exception:
            self.log(f"internal error; please report it:\n{traceback.format_exc()}")
        return None

    def log(self, message: str) -> None:
        """Write an error to the log of the editor."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"padlint: {message}"))

    def _complain(self, message: str) -> None:
        """Show a wrong configuration, once."""
        if message not in self._said:
            self._said.add(message)
            shown = types.ShowMessageParams(types.MessageType.Error, f"padlint: {message}")
            self.window_show_message(shown)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What pygls could not do goes to the log, not into a window."""
        self.log(f"{type(error).__name__}: {error}")

    async def analysis(self, uri: str) -> Analysis | None:
        """What is found in the present version of an open document."""
        document = self._document(uri)
        if document is None:
            return None
        key = (document.version, self._generation)
        known = self._running.get(uri)
        if known is None or known[0] != key:
            task = asyncio.create_task(self.compute(self._analyse, key, document))
            known = self._running[uri] = (key, task)
        return await asyncio.shield(known[1])

    def _analyse(self, key: object, document: Document) -> Analysis | None:
        """In the worker: nothing is computed of what has been replaced while it waited."""
        known = self._running.get(document.uri)
        return analyse(document, self.settings) if known is not None and known[0] == key else None

    def _document(self, uri: str) -> Document | None:
        held = self.workspace.text_documents.get(uri)
        if held is None or held.language_id not in (None, "", "python"):
            return None
        if uri.partition(":")[0] not in _SCHEMES:
            return None  # cells of notebooks, or another version of a file
        path = to_fs_path(uri) if uri.startswith("file:") else None
        place = Path(path) if path else Path(self.workspace.root_path or ".") / "untitled.py"
        encoding = self.workspace.position_encoding
        return Document(uri, held.version, place, held.source, getattr(encoding, "value", str(encoding)))

    def look(self, uri: str, delay: float = 0) -> None:
        """Look at a document after a while, unless it changes again until then."""
        if (pending := self._pending.pop(uri, None)) is not None:
            pending.cancel()
        self._pending[uri] = asyncio.create_task(self._look(uri, delay))

    async def _look(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        analysis = await self.analysis(uri)
        held = self.workspace.text_documents.get(uri)
        if held is None or (analysis is not None and held.version != analysis.document.version):
            return  # closed or changed meanwhile
        found = diagnostics(analysis) if analysis is not None else []
        self.publish(uri, held.version, found)

    def look_afresh(self, uri: str) -> None:
        """Look at a document now, and at its configuration, of whose changes not every editor tells."""
        self._running.pop(uri, None)
        self.look(uri)

    def look_at_all(self) -> None:
        """Look at every open document again, since what holds for them has changed."""
        self._generation += 1
        self._said.clear()
        for uri in self.workspace.text_documents:
            self.look(uri)

    def forget(self, uri: str) -> None:
        """A document is closed."""
        if (pending := self._pending.pop(uri, None)) is not None:
            pending.cancel()
        self._running.pop(uri, None)
        self.publish(uri, None, [])

    def publish(self, uri: str, version: int | None, found: list[types.Diagnostic]) -> None:
        """Tell the editor what is found in a document."""
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found, version))


def create() -> Server:
    """A server that knows what to answer."""
    server = Server()

    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.settings = _settings(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, params: types.InitializedParams) -> None:
        await _watch(ls)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.look(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.look(params.text_document.uri, _DELAY)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.look_afresh(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.forget(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        ls.look_at_all()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        if isinstance(params.settings, dict) and "padlint" in params.settings:
            ls.settings = _settings(params.settings["padlint"])
        ls.look_at_all()

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(KINDS))
    async def code_action(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        analysis = await ls.analysis(params.text_document.uri)
        if analysis is None:
            return []
        workspace = ls.client_capabilities.workspace
        edits = workspace.workspace_edit if workspace is not None else None
        versioned = bool(edits is not None and edits.document_changes)
        only = params.context.only
        kinds = None if only is None else [getattr(kind, "value", str(kind)) for kind in only]
        found = await ls.compute(lambda: actions(analysis, params.range, kinds, versioned=versioned))
        return found or []

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        analysis = await ls.analysis(params.text_document.uri)
        if analysis is None:
            return None
        location = analysis.positions.location(params.position)
        found = await ls.compute(analysis.explain, location)
        if found is None:
            return None
        text = "\n".join(lines(found)).replace("```", "'''")
        content = types.MarkupContent(types.MarkupKind.Markdown, f"```text\n{text}\n```")
        return types.Hover(content, analysis.positions.range(found))

    return server


def _settings(given: Any) -> dict[str, Any]:
    """The settings of the editor: those of `[tool.padlint]`, at once or below `settings`."""
    if isinstance(given, dict):
        inner = given.get("settings", given)
        return inner if isinstance(inner, dict) else {}
    return {}


async def _watch(server: Server) -> None:
    """Ask the editor to tell about changed configuration files, if it can."""
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(glob) for glob in _CONFIGURATION]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration("padlint", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except Exception as error:
        server.log(f"the editor does not watch the configuration files: {error}")

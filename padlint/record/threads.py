"""Contexts that a framework keeps for each thread. Runs in the child process."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import Any

_CONTEXTS: list[Callable[[], AbstractContextManager[Any]]] = []
_KEPT = ExitStack()
"""Those of the thread that imported the frameworks, which last as long as the program."""


def enter_everywhere(context: Callable[[], AbstractContextManager[Any]]) -> None:
    """Enter a context here for the rest of the program, and in each thread that starts from now on."""
    _KEPT.enter_context(context())
    if not _CONTEXTS:
        _hook_threads()
    _CONTEXTS.append(context)


def _hook_threads() -> None:
    thread: Any = threading.Thread
    # Not `run`, which classes override, and which the traceback of an exception would show.
    inner = getattr(thread, "_bootstrap_inner", None)
    if inner is None:
        return

    @functools.wraps(inner)
    def bootstrap(self: Any) -> None:
        with ExitStack() as stack:
            for context in _CONTEXTS:
                with suppress(Exception):  # who started the thread waits for it
                    stack.enter_context(context())
            inner(self)

    thread._bootstrap_inner = bootstrap

"""Sides that run in this process: starting one of their own takes seconds. The rest is as in a session."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from padlint.verify.models.child import failure
from padlint.verify.models.project import is_own
from padlint.verify.models.request import Request, Side
from padlint.verify.models.seat import Seat
from padlint.verify.models.session import Failed, Limits


class LocalSession:
    """Answers as a session does."""

    def __init__(self, side: Side, request: Request, dtype: str, folder: Path, limits: Limits) -> None:
        self.side = side
        self.dtype = dtype
        self._seat = Seat(side, request, dtype)
        self._asked: dict[str, Any] = {}
        self._registered: dict[str, Any] = {}  # what the classes of Keras are called on this side

    def send(self, do: str, **details: Any) -> None:
        """Keep the question."""
        self._asked = {"do": do, **details}

    def receive(self) -> Mapping[str, Any]:
        """Answer it."""
        paths, finders, arguments = sys.path[:], sys.meta_path[:], sys.argv[:]
        known = set(sys.modules)
        registry = keras.saving.get_custom_objects() if (keras := sys.modules.get("keras")) else {}
        registry.clear()
        registry.update(self._registered)
        if self._asked["do"] == "build" and keras:
            keras.utils.clear_session(free_memory=False)  # a collection takes longer than most tests
        if jax := sys.modules.get("jax"):
            jax.config.update("jax_enable_x64", self.dtype == "float64")
        try:
            answer = self._seat.answer(json.loads(json.dumps(self._asked)))
            found: Mapping[str, Any] = json.loads(json.dumps(answer))
            return found
        except Exception as error:
            said = failure(error, self.side.root)
            raise Failed(self.side.label, "", said["error"], said["where"], is_over=False) from error
        finally:
            if keras := sys.modules.get("keras"):
                self._registered = dict(keras.saving.get_custom_objects())
            sys.path[:], sys.meta_path[:], sys.argv[:] = paths, finders, arguments
            for name in set(sys.modules) - known:
                if is_own(getattr(sys.modules[name], "__file__", None) or "", self.side.root):
                    del sys.modules[name]

    def ask(self, do: str, **details: Any) -> Mapping[str, Any]:
        """Ask and answer."""
        self.send(do, **details)
        return self.receive()

    def close(self) -> None:
        """Leave the frameworks as they were."""
        if torch := sys.modules.get("torch"):
            torch.set_default_dtype(torch.float32)
        if keras := sys.modules.get("keras"):
            keras.config.set_floatx("float32")
            keras.config.set_dtype_policy("float32")
        if jax := sys.modules.get("jax"):
            jax.config.update("jax_enable_x64", False)

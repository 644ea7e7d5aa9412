"""The child process: `python -m padlint.verify.worker torch` proves the pairs that it reads from stdin."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from padlint.verify.child import ignore_interrupts, limit_memory, lines, protocol
from padlint.verify.protocol import decode

if TYPE_CHECKING:
    from padlint.verify.backend import Backend

MEMORY = 8 * 2**30
"""Bytes that a worker may allocate."""


def main(framework: str) -> None:
    """Answer line after line."""
    ignore_interrupts()
    with protocol() as say:
        try:
            backend = _load(framework)
        except ImportError as error:
            say(missing=str(error))
            return
        from padlint.verify.proof import (
            prove,
        )  # after the framework: it needs NumPy, which may be missing too

        limit_memory(MEMORY)
        say(ready=framework)
        for line in lines():
            outcome = prove(decode(line), backend, lambda side: say(stage=side))
            say(outcome=asdict(outcome))


def _load(framework: str) -> Backend:
    if framework == "torch":
        from padlint.verify.torch_backend import TorchBackend

        return TorchBackend()
    from padlint.verify.tensorflow_backend import TensorflowBackend

    return TensorflowBackend()


if __name__ == "__main__":
    main(sys.argv[1])

"""Wrong rewrites on purpose, and what must be said of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from padlint.verify.models import Comparison
from tests.verify.models.comparing import compare_texts
from tests.verify.models.local import LocalSession

_HEAD = {
    "torch": "import torch\nfrom torch.nn import functional as F\n",
    "tensorflow": "import tensorflow as tf\n",
    "jax": "import jax\nfrom jax import numpy as jnp\n",
    "numpy": "import numpy as np\n",
}


@dataclass(frozen=True)
class Wrong:
    """`old` became `new`. It must be refuted by `what`; the other texts are in the message, layer and cause.

    `seen` are other attributes of the difference: the kind of input and the mode that showed it.
    """

    old: str
    new: str
    what: str = "output"
    said: str = ""
    layer: str = ""
    cause: str = ""
    inputs: tuple[str, ...] = ()
    seen: dict[str, Any] = field(default_factory=dict)


def refute(folder: Path, text: str, wrong: Wrong, *inputs: str, residues: int = 4) -> Comparison:
    """Check that the rewrite is refuted as the row says."""
    after = text.replace(wrong.old, wrong.new)
    assert after != text, "nothing was planted"
    found = compare_texts(
        folder, text, after, *(wrong.inputs or inputs), residues=residues, open_session=LocalSession
    )
    assert (found.result, found.proof.result) == ("differs", "differs"), found.reason
    difference = found.difference
    assert difference is not None
    assert difference.what == wrong.what, difference.message
    assert wrong.said in difference.message, difference.message
    assert (difference.layer or "").startswith(wrong.layer), difference.layer
    assert wrong.cause in (difference.cause or ""), difference.cause
    for name, value in wrong.seen.items():
        assert getattr(difference, name) == value, difference
    return found


def function(framework: str, before: str, after: str, *inputs: str, **expected: Any) -> tuple[str, Wrong]:
    """A function of tensors `x` and `w`, with one expression and another."""
    row = Wrong(f"    return {before}\n", f"    return {after}\n", inputs=inputs, **expected)
    return f"{_HEAD[framework]}\n\ndef build(x, w=None):\n{row.old}", row

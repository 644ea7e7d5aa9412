"""How the tests call the command, and the sources they call it on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

CLEAN = "x = 1\n"
SAME = 'import torch.nn as nn\n\nconv = nn.Conv2d(3, 8, 3, padding="same")\n'
"""An info (PAD305) with a safe fix."""
SAME_FIXED = "import torch.nn as nn\n\nconv = nn.Conv2d(3, 8, 3, padding=1)\n"
STRIDED = 'import torch.nn as nn\n\nconv = nn.Conv2d(3, 8, 3, stride=2, padding="same")\n'
"""An error (PAD401) without a safe fix."""
BROKEN = "import torch.nn as nn\n\nconv = nn.Conv2d(3, 8, 3, padding=\n"
"""A syntax error (PAD001)."""


def padlint(
    *arguments: str | Path, cwd: Path, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own, without colours from the surroundings."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    path = os.pathsep.join(filter(None, [str(ROOT), inherited.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-m", "padlint", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        timeout=120,
        env={**inherited, "PYTHONPATH": path, **environment},
        check=False,
    )


def write(folder: Path, **texts: str | bytes) -> None:
    """Write files: `write(tmp_path, a="x = 1\\n")` writes `a.py`."""
    for name, text in texts.items():
        content = text if isinstance(text, bytes) else text.encode()
        (folder / f"{name}.py").write_bytes(content)

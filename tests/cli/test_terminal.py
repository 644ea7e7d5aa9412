"""What appears on a terminal only."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.command import SAME, padlint, write
from tests.cli.terminal import on_terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")

URL = "https://example.org/{code}"
LINK = "\x1b]8;;https://example.org/PAD305\x1b\\"


@pytest.mark.parametrize(
    ("arguments", "environment", "linked"),
    [
        (("--documentation-url", URL), {}, True),
        (("--documentation-url", URL, "--output-format", "concise"), {}, True),
        (("--documentation-url", URL, "--statistics"), {}, True),
        ((), {}, False),
        (("--documentation-url", URL, "--color", "never"), {}, False),
        (("--documentation-url", URL), {"NO_COLOR": "1"}, False),
        (("--documentation-url", URL), {"TERM": "dumb"}, False),
        (("--documentation-url", URL), {"TERM": "linux"}, False),
    ],
)
def test_codes_are_links(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], linked: bool
) -> None:
    write(tmp_path, a=SAME)
    status, shown = on_terminal("-m", "padlint", "check", *arguments, "a.py", cwd=tmp_path, **environment)
    assert status == 0
    assert "PAD305" in shown
    assert (LINK in shown) == linked
    assert shown.count("\x1b]8;;\x1b\\") == shown.count(LINK), "each link ends"


def test_no_links_in_a_pipe(tmp_path: Path) -> None:
    write(tmp_path, a=SAME)
    done = padlint("check", "--color", "always", "--documentation-url", URL, ".", cwd=tmp_path)
    assert b"\x1b[" in done.stdout
    assert b"\x1b]" not in done.stdout

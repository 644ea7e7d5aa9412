"""The fixtures: whole files whose comments say what padlint has to find in them.

`# expect: PAD101 safe` at the end of the row where a finding starts names its code and the class of its fix
(`safe`, `unsafe` or `none`); several are separated by commas. A first row `# options: input-size=96` sets
options. `<name>.fixed.py` beside `<name>.py` is what `--fix --unsafe-fixes` makes of it; run this module to
write those files anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from padlint.config.selection import default_codes
from padlint.engine import check, fix
from padlint.findings import Finding
from padlint.options import Options

FOLDER = Path(__file__).parent.parent / "fixtures"
_MARKER = re.compile(r"# expect: (.*)$")
_OPTIONS = re.compile(r"# options: (.*)")


@dataclass(frozen=True)
class Fixture:
    """One fixture file; the text is exact, line ends included."""

    path: Path

    @property
    def text(self) -> str:
        return self.path.read_bytes().decode()

    @property
    def golden(self) -> Path:
        return self.path.with_suffix(".fixed.py")

    @property
    def options(self) -> Options:
        """All rules that run for the targets, with what the first row sets."""
        match = _OPTIONS.match(self.text)
        given = dict(item.split("=") for item in match[1].split()) if match else {}
        targets = frozenset(given.get("target", "").split("+")) - {""}
        return Options(
            codes=default_codes(targets),
            targets=targets,
            input_size=tuple(map(int, given["input-size"].split("x"))) if "input-size" in given else None,
            input_multiple=int(given["input-multiple"]) if "input-multiple" in given else None,
            keras_pad=given.get("keras-pad", "layer"),
            unknown_size=given.get("unknown-size", "report"),
        )

    def expected(self) -> list[tuple[int, str, str]]:
        """Row, code and class of fix of every finding that the comments announce."""
        found = []
        for row, line in enumerate(re.split(r"\r\n|\n|\r", self.text), start=1):
            match = _MARKER.search(line)
            for item in match[1].split(",") if match else ():
                code, applicability = item.split()
                found.append((row, code, applicability))
        return sorted(found)

    def findings(self) -> list[Finding]:
        return check(self.text, self.options, self.path.name)

    def fixed(self, *, unsafe: bool = True) -> str:
        return fix(self.text, self.options, unsafe=unsafe).text


FIXTURES = [Fixture(path) for path in sorted(FOLDER.glob("*.py")) if not path.name.endswith(".fixed.py")]


def write_goldens() -> None:
    """Write `<name>.fixed.py` for every fixture that fixing changes."""
    for fixture in FIXTURES:
        fixed = fixture.fixed()
        if fixed != fixture.text:
            fixture.golden.write_bytes(fixed.encode())
        else:
            fixture.golden.unlink(missing_ok=True)


if __name__ == "__main__":
    write_goldens()

"""How much time and memory `padlint check` takes: `python -m tests.benchmark --help`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click

from tests.benchmark.generate import KINDS

PADLINT = [sys.executable, "-m", "padlint", "check", "--isolated", "--quiet", "-j", "1"]


def run(command: list[str], timeout: float) -> tuple[float, float, int | None]:
    """Seconds of CPU time, megabytes at the peak and the exit status (`None`: killed) of a child process."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ends = time.monotonic() + timeout
    while True:
        pid, status, used = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > ends:
            child.kill()
        time.sleep(0.005)
    child.returncode = os.waitstatus_to_exitcode(status)
    size = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    return used.ru_utime + used.ru_stime, size, None if child.returncode < 0 else child.returncode


@click.group()
def main() -> None:
    """Figures of the machine that it runs on; only the ratios mean something elsewhere."""


@main.command()
@click.argument("kinds", nargs=-1, type=click.Choice(list(KINDS)))
@click.option("--lines", multiple=True, type=int, default=(1000, 4000, 16000), show_default=True)
@click.option("--fix", is_flag=True, help="With --fix --unsafe-fixes, on a copy.")
@click.option("--timeout", type=float, default=300, show_default=True)
def scaling(kinds: tuple[str, ...], lines: tuple[int, ...], fix: bool, timeout: float) -> None:
    """Seconds of CPU time, and megabytes at the peak, over files of one kind and of several lengths."""
    click.echo(f"{'':12}" + "".join(f"{count:>20,} lines" for count in lines))
    for kind in kinds or KINDS:
        click.echo(f"{kind:12}", nl=False)
        for count in lines:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "generated.py")
                path.write_text(KINDS[kind](count), encoding="utf-8")
                flags = ["--fix", "--unsafe-fixes"] if fix else []
                seconds, size, status = run([*PADLINT, *flags, str(path)], timeout)
                # 2 may be right: a file can be too deep. But it is to be seen.
                ended = {0: "", 1: "", None: " killed"}.get(status, f" exit {status}")
                click.echo(f"{f'{seconds:.2f} s {size:.0f} MB{ended}':>26}", nl=False)
        click.echo()


@main.command()
@click.option("--runs", type=int, default=9, show_default=True)
def startup(runs: int) -> None:
    """How long a run takes that has nothing to do, and one over a small file, beside importing click."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pyproject.toml").write_text("[tool.padlint]\ninput-multiple = 32\n", encoding="utf-8")
        idle, busy = Path(folder, "idle.py"), Path(folder, "busy.py")
        idle.write_text("import os\n\nprint(os.name)\n", encoding="utf-8")
        busy.write_text(KINDS["functions"](20), encoding="utf-8")
        check = [sys.executable, "-m", "padlint", "check", "--quiet", "--no-cache"]
        commands = {
            "import click": [sys.executable, "-c", "import click"],
            "nothing to check": [*check, str(idle)],
            "20 lines": [*check, str(busy)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(runs):
            for name, command in commands.items():
                began = time.perf_counter()
                subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
                times[name].append(time.perf_counter() - began)
    medians = {name: statistics.median(measured) for name, measured in times.items()}
    for name, median in medians.items():
        click.echo(f"{name:18}{median * 1000:8.0f} ms{median / medians['import click']:8.2f}")


if __name__ == "__main__":
    main()

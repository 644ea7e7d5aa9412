"""Many random changes to the fixtures, each fixed and fixed again: `python -m tests.soak 10000`.

Case N of seed S is the same every time: `python -m tests.soak --seed S --only N` repeats it, with its text.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

import click

from padlint.options import Options
from tests.fixture import FIXTURES
from tests.fuzz.invariants import complaints
from tests.fuzz.mutations import mutated

SLOW = 20.0  # seconds of CPU time that one small file may take, on a busy machine, too


class Case(NamedTuple):
    """The outcome of one case."""

    number: int
    fixture: str
    seconds: float
    complaints: list[str]


def generated(seed: int, number: int) -> tuple[str, bytes, Options]:
    """Name of the fixture, changed content and options of one case."""
    random = Random(f"{seed}/{number}")
    fixture = random.choice(FIXTURES)
    text = mutated(fixture.text, random, [other.text for other in FIXTURES])
    content = bytearray(text.encode("utf-8", "surrogatepass"))
    if random.random() < 0.03 and content:
        content[random.randrange(len(content))] = random.randrange(256)
    return fixture.path.name, bytes(content), fixture.options


def tried(seed: int, number: int) -> Case:
    """Fix one case, and see what is wrong with it."""
    name, content, options = generated(seed, number)
    began = time.process_time()
    found = list(complaints(content, options))
    seconds = time.process_time() - began
    if seconds > SLOW:
        found.append(f"took {seconds:.1f} s")
    return Case(number, name, seconds, found)


@click.command()
@click.argument("count", type=int, default=10_000)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--start", type=int, default=0, show_default=True, help="Number of the first case.")
@click.option("--jobs", "-j", type=int, default=2, show_default=True)
@click.option("--only", type=int, help="Repeat one case and write its text to stdout.")
def main(count: int, seed: int, start: int, jobs: int, only: int | None) -> None:
    """Change fixtures at random COUNT times; exit with 1 if fixing any of them loses something."""
    if only is not None:
        _, content, _ = generated(seed, only)
        sys.stdout.buffer.write(content)
        case = tried(seed, only)
        click.echo("\n".join([f"\n{case.fixture}: {case.seconds:.2f} s", *case.complaints]), err=True)
        sys.exit(bool(case.complaints))
    failed, slowest, cpu = 0, Case(0, "", 0.0, []), 0.0
    with ProcessPoolExecutor(jobs, get_context("spawn")) as executor:
        numbers = range(start, start + count)
        for case in executor.map(partial(tried, seed), numbers, chunksize=20):
            cpu += case.seconds
            slowest = max(slowest, case, key=lambda c: c.seconds)
            failed += bool(case.complaints)
            for complaint in case.complaints:
                click.echo(f"--seed {seed} --only {case.number} ({case.fixture}): {complaint}")
            if case.number % 500 == 499:
                click.echo(f"{case.number + 1 - start} done, {failed} failed, {cpu:.0f} s", err=True)
    click.echo(
        f"seed {seed}: {count} cases, {failed} failed; {cpu:.0f} s of CPU time, "
        f"the slowest (--only {slowest.number}) {slowest.seconds:.1f} s"
    )
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()

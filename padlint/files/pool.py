"""Many files, in several processes where that pays. A process that dies costs one file, not the run."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from padlint.files.problems import Problem
from padlint.files.work import Outcome, Task, process

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

_WORTHWHILE = 100_000  # bytes of source below which starting processes takes longer than it saves


def run(
    tasks: Sequence[Task], jobs: int | None = None, done: Callable[[], None] = lambda: None
) -> list[Outcome]:
    """The outcome of each task, in the order of the tasks; `done` is called after each, in any thread."""
    jobs = min(jobs or _processors(), len(tasks))
    if jobs < 2 or sum(task.size for task in tasks) < _WORTHWHILE:
        return [_told(process(task), done) for task in tasks]
    return _run_parallel(tasks, jobs, done)


def _told(outcome: Outcome, done: Callable[[], None]) -> Outcome:
    done()
    return outcome


def _processors() -> int:
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _run_parallel(tasks: Sequence[Task], jobs: int, done: Callable[[], None]) -> list[Outcome]:
    from concurrent.futures.process import BrokenProcessPool

    executor = _executor(jobs)
    outcomes: dict[int, Outcome] = {}
    biggest_first = sorted(range(len(tasks)), key=lambda index: -tasks[index].size)
    try:
        with suppress(BrokenProcessPool):
            futures = [(index, executor.submit(_work, tasks[index])) for index in biggest_first]
            for _, future in futures:
                future.add_done_callback(lambda _: done())
            for index, future in futures:
                with suppress(BrokenProcessPool):
                    outcomes[index] = future.result()
    finally:
        executor.shutdown(cancel_futures=True)
    return [outcomes.get(index) or _run_alone(task) for index, task in enumerate(tasks)]


def _run_alone(task: Task) -> Outcome:
    """Run a task that was lost when a process died, to learn whether it was the one that killed it."""
    from concurrent.futures.process import BrokenProcessPool

    try:
        with _executor(1) as executor:
            return executor.submit(_work, task).result()
    except BrokenProcessPool:
        message = "the process that checked it died (out of memory, or killed); it was not checked"
        return Outcome(task.filename, problem=Problem(task.filename, message))


def _executor(jobs: int) -> ProcessPoolExecutor:
    """A pool whose processes inherit the loaded modules where the system can fork safely."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    import padlint.engine  # noqa: F401 - loaded once here instead of once per process

    gc.freeze()
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_ignore_interrupts)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(task: Task) -> Outcome:
    """The task, in a child: an interrupt, which the parent gets as well, ends it at once, silently."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return process(task)
    except KeyboardInterrupt:
        os._exit(1)
    finally:
        _ignore_interrupts()

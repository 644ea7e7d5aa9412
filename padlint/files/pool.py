"""Many files, in several processes where that pays. A process that dies costs one file, not the run."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from padlint import interrupts
from padlint.files.problems import Problem
from padlint.files.work import Outcome, Task, process

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

_WORTHWHILE = 100_000  # bytes of source below which starting processes takes longer than it saves


def run(tasks: Sequence[Task], jobs: int | None = None) -> Iterator[Outcome]:
    """The outcome of each task, as soon as it is there.

    An interrupt is raised once all that is done, or is being written, has come out; the rest is left alone.
    """
    jobs = min(jobs or _processors(), len(tasks))
    with interrupts.held():
        if jobs < 2 or sum(task.size for task in tasks) < _WORTHWHILE:
            yield from map(process, tasks)
            return
        lost: list[Task] = []
        yield from _run_parallel(sorted(tasks, key=lambda task: -task.size), jobs, lost)
        for task in lost:
            yield from _run_alone(task)


def _processors() -> int:
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _run_parallel(tasks: Sequence[Task], jobs: int, lost: list[Task]) -> Iterator[Outcome]:
    """The outcomes as they come; `lost` takes the tasks that were not done because a process died."""
    import multiprocessing
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    strangers = multiprocessing.active_children()
    with _executor(jobs) as executor:
        waiting: dict[Future[Outcome | None], Task] = {}
        try:
            for task in tasks:
                try:
                    waiting[executor.submit(_work, task)] = task
                except BrokenProcessPool:
                    lost.append(task)
            completed = as_completed([*waiting])
            while waiting:
                with interrupts.allowed():
                    future = next(completed)
                yield from _outcome(future, waiting.pop(future), lost)
        except KeyboardInterrupt:
            _end(executor, strangers)
            for future in waiting:
                if future.done() and not future.cancelled():
                    yield from _outcome(future, waiting[future], lost)
            raise


def _outcome(future: Future[Outcome | None], task: Task, lost: list[Task]) -> Iterator[Outcome]:
    """The outcome, if the task was done."""
    from concurrent.futures.process import BrokenProcessPool

    outcome = None
    with suppress(BrokenProcessPool):
        outcome = future.result()
    if outcome is None:
        lost.append(task)
    else:
        yield outcome


def _run_alone(task: Task) -> Iterator[Outcome]:
    """Run a task that was lost when a process died, to learn whether it was the one that killed it."""
    lost: list[Task] = []
    yield from _run_parallel([task], 1, lost)
    if lost:
        message = "the process that checked it died (out of memory, or killed); it was not checked"
        yield Outcome(task.filename, problem=Problem(task.filename, message))


def _end(executor: ProcessPoolExecutor, strangers: Sequence[BaseProcess]) -> None:
    """Let the processes finish what they write, and drop the rest."""
    import multiprocessing

    if sys.platform != "win32":  # there, the console tells them all
        for child in multiprocessing.active_children():
            if child.pid is not None and child not in strangers:
                with suppress(ProcessLookupError):
                    os.kill(child.pid, signal.SIGINT)
    executor.shutdown(cancel_futures=True)


def _executor(jobs: int) -> ProcessPoolExecutor:
    """A pool whose processes inherit the loaded modules where the system can fork safely."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    import padlint.engine  # noqa: F401 - loaded once here instead of once per process

    gc.freeze()
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_start)


def _start() -> None:
    """In a child: hold interrupts back but for what a task allows, and end when the parent is gone."""
    from threading import Thread

    interrupts.listen()
    interrupts.hold()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A killed parent cannot end its children, which would wait for work for ever."""
    import time
    from multiprocessing import connection, parent_process

    if (parent := parent_process()) is not None:
        connection.wait([parent.sentinel])
        signal.raise_signal(signal.SIGINT)
        time.sleep(1)  # for what is being written
        os._exit(1)


def _work(task: Task) -> Outcome | None:
    """The task, in a child; None if it was interrupted before anything was written."""
    try:
        return process(task)
    except KeyboardInterrupt:
        return None

"""From paths to the outcome for each file: finding, reading, checking, fixing and writing them."""

from padlint.files.discovery import Discovery, Found
from padlint.files.problems import FileError, Problem
from padlint.files.work import Mode, Outcome, Prover, Task, process, read

__all__ = [
    "Discovery",
    "FileError",
    "Found",
    "Mode",
    "Outcome",
    "Problem",
    "Prover",
    "Task",
    "process",
    "read",
]

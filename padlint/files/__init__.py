"""From paths to the outcome for each file: finding, reading, checking, fixing and writing them."""

from padlint.files.discovery import Discovery, Found
from padlint.files.notebook import searchable
from padlint.files.prefilter import is_candidate
from padlint.files.problems import FileError, Problem, reason
from padlint.files.sifting import Sifting
from padlint.files.work import Mode, Outcome, Task, process

__all__ = [
    "Discovery",
    "FileError",
    "Found",
    "Mode",
    "Outcome",
    "Problem",
    "Sifting",
    "Task",
    "is_candidate",
    "process",
    "reason",
    "searchable",
]

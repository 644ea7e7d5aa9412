"""What `padlint trace` does: the program, its trace, and what is said about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from padlint.cli.output import write_stdout
from padlint.cli.trace_output import as_json, as_text
from padlint.record.program import Program, check, save
from padlint.record.program import run as run_program
from padlint.traces.model import Trace
from padlint.traces.reading import BadTrace
from padlint.verify.models import Input, PlaceError, Request

_BY_SIGNAL = 128  # what shells add to the number of the signal that ended a program


def run(words: tuple[str, ...], flags: dict[str, Any]) -> int:
    """Run the program, write the trace, and return the program's exit status; 2 if there is no trace."""
    program = _program(words, flags)
    output: Path = flags["output"]
    try:
        check(output, program.root)  # before a program runs for hours
        result = run_program(program, flags["timeout"])
        stale = save(result.trace, output, program.root)
    except PlaceError as error:
        raise click.ClickException(str(error)) from None
    except BadTrace as error:
        raise click.ClickException(f"{output}: {error}") from None
    except OSError as error:
        raise click.ClickException(f"{output}: {(error.strerror or str(error)).lower()}") from None
    _report(result.trace, stale, output, flags)
    if result.is_late:
        raise click.ClickException(f"it took more than {flags['timeout']:g} seconds")
    return _BY_SIGNAL - result.status if result.status < 0 else result.status


def _report(trace: Trace, stale: list[str], output: Path, flags: dict[str, Any]) -> None:
    for name in stale:
        click.echo(f"note: {name} has changed since it was traced before; that was dropped", err=True)
    for missed, count in trace.missed.items():
        times = "once" if count == 1 else f"{count} times"
        click.echo(f"note: {missed.what} could not be recorded {times}: {missed.reason}", err=True)
    if not flags["quiet"]:
        write_stdout(as_json(trace) if flags["output_format"] == "json" else as_text(trace))
        click.echo(f"{_summary(trace)}, in {output}", err=True)


def _program(words: tuple[str, ...], flags: dict[str, Any]) -> Program:
    memory = int((flags["memory"] or 0) * 2**30)
    given = {"--input": flags["inputs"], "--kwargs": flags["kwargs"], "--call-kwargs": flags["call_kwargs"]}
    path, separator, callable_ = words[0].rpartition("::") if words else ("", "", "")
    if flags["module"] or not separator:
        if extra := next((name for name, value in given.items() if value), ""):
            raise click.UsageError(f"{extra} needs PATH::CALLABLE.")
        if flags["module"]:
            return Program("module", flags["module"], arguments=words, memory=memory)
        if not words:
            raise click.UsageError("Say what to run: PATH::CALLABLE, a script, or -m MODULE.")
        return Program("script", words[0], arguments=words[1:], memory=memory)
    if not path or not callable_:
        raise click.UsageError(f"{words[0]!r} is no PATH::CALLABLE such as model.py::build")
    if len(words) > 1:
        raise click.UsageError("PATH::CALLABLE takes no arguments; --kwargs gives some to it.")
    try:
        inputs = tuple(map(Input.parse, flags["inputs"]))
    except ValueError as error:
        raise click.UsageError(f"--input: {error}") from None
    request = Request(inputs, flags["kwargs"], flags["call_kwargs"])
    return Program("callable", path, callable_, request, memory=memory)


def _summary(trace: Trace) -> str:
    calls = [call for name, file in trace.files.items() if name for call in file.calls.values()]
    runs = sum(sum(call.runs.values()) + call.more for call in calls)
    symbolic = sum(sum(call.symbolic.values()) for call in calls)
    files = sum(1 for name in trace.files if name)
    counts = [_number(runs, "run")] if runs or not symbolic else []
    if symbolic:
        counts.append(f"{symbolic} while models were built or compiled")
    return f"{' and '.join(counts)}, of {_number(len(calls), 'call')} in {_number(files, 'file')}"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"

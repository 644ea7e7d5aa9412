"""Compares a model with its port to another framework: weights carried over, outputs in one layout."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from padlint.verify.models.carry import NoMatch
from padlint.verify.models.difference import (
    NOTHING,
    Tolerance,
    first_difference,
    max_abs,
    shows_something,
)
from padlint.verify.models.inputs import Array
from padlint.verify.models.layers import Ports
from padlint.verify.models.plan import RESIDUES, plan, shapes
from padlint.verify.models.request import Case, Request, Side
from padlint.verify.models.result import INCOMPARABLE, Comparison, Difference
from padlint.verify.models.runs import Runner
from padlint.verify.models.session import Failed, Limits, Session
from padlint.verify.models.verifier import DTYPES, Progress
from padlint.verify.protocol import DIFFERS, EQUAL

_TOLERANCES = {"float64": 1e-6, "float32": 1e-4}
"""Looser than for a fix: some constants, like the slope of a leaky ReLU, are kept in single precision."""


@dataclass
class PortVerifier:
    """Compares `before`, whose layout the inputs have, with `after`, its port. Outputs in eval mode only."""

    before: Side
    after: Side
    request: Request
    limits: Limits = field(default_factory=Limits)
    residues: int = RESIDUES
    on_progress: Progress = lambda what: None
    open_session: Callable[..., Session] = Session
    result: Comparison = field(init=False)

    @property
    def steps(self) -> int:
        """About how many steps there will be."""
        return 2 + len(plan(self.request, (False,), DTYPES[0], self.residues))

    def compare(self) -> Comparison:
        """The result. Weights without a counterpart, or code that cannot be run, make it `incomparable`."""
        self.result = Comparison(self.before.label, self.after.label)
        with tempfile.TemporaryDirectory(prefix="padlint-verify-") as folder:
            for dtype in DTYPES:
                try:
                    self._in(dtype, Path(folder))
                    break
                except NoMatch as reason:
                    self.result.reason = f"the weights cannot be carried over: {reason}"
                    break
                except Failed as failure:
                    if dtype == DTYPES[-1] or failure.is_over:
                        self.result.reason = str(failure)
                        break
                    self.result.notes.append(f"not compared in {dtype}: {failure}")
        if self.result.difference is None:
            self.result.result = INCOMPARABLE if self.result.reason else EQUAL
        return self.result

    def _in(self, dtype: str, folder: Path) -> None:
        self.on_progress(f"{dtype}, loading")
        runner = Runner(folder)
        with ExitStack() as stack:
            before, after = (
                self.open_session(side, self.request, dtype, folder, self.limits)
                for side in (self.before, self.after)
            )
            for session in (before, after):
                stack.callback(session.close)
            ports = self._ports(before, after, runner)
            for case in plan(self.request, (False,), dtype, self.residues):
                self.on_progress(f"{dtype}, {case.kind}")
                if not self._run(ports, replace(case, gradients=False), dtype):
                    return
        self.result.dtypes.append(dtype)
        cases = plan(self.request, (False,), dtype, self.residues)
        self.result.shapes = shapes(self.request, cases)
        kinds = ", ".join(dict.fromkeys(case.kind for case in cases))
        self.result.checks.append(
            f"{dtype}: {kinds} inputs; outputs in eval mode; to {_TOLERANCES[dtype]:g} of the largest"
        )

    def _ports(self, before: Session, after: Session, runner: Runner) -> Ports:
        """Both sides with the weights of the first."""
        old = before.ask("build")
        ranks = 3 if (found := {len(w["shape"]) for w in old["weights"]}) and max(found) == 3 else 4
        new = after.ask("build", first_axis=old["first_axis"], free=old["free"], ranks=ranks)
        self.request = self.request.freed(old["free"])
        names = (old["framework"], new["framework"])
        self.result.framework = " and ".join(dict.fromkeys(names))
        ports = Ports(before, after, runner, (old, new), ranks)
        ports.carry()
        if old["weights"]:
            count = sum(len(unit.weights) for unit, _ in ports.matched)
            self.result.checks.append(
                f"{count} weights of {len(ports.matched)} layers were carried over, in the order of the calls"
            )
        return ports

    def _run(self, ports: Ports, case: Case, dtype: str) -> bool:
        """Run one case; whether to go on."""
        old, new = ports.both(case)
        if not shows_something(old["outputs"]):
            self.result.reason = f"nothing to compare: for {case.kind} inputs, the first returns {NOTHING}"
            return False
        if text := _structures(old["outputs"], new["outputs"]):
            self._refute(Difference("structure", "output", text))
            return False
        if self.result.max_abs is None:
            self.result.max_abs = max_abs(old, new)
        found = first_difference(old, new, Tolerance.all(_TOLERANCES[dtype]))
        if found is None:
            return True
        if ports.permute(case):
            self.result.max_abs = None
            self.result.notes.append("rows of a dense layer behind a Flatten were put in the other layout")
            return self._run(ports, case, dtype)
        if ports.exchange(case):
            self.result.max_abs = None
            text = (
                "layers of one shape are called in another order there, and were told apart by running them"
            )
            self.result.notes += [text] * (text not in self.result.notes)
            return self._run(ports, case, dtype)
        shape = shapes(self.request, [case])[0]
        found = replace(found, dtype=dtype, kind=case.kind, shapes=shape)
        with suppress(Failed):  # the difference is there, explained or not
            found = ports.explain(found, case, dtype)
        self._refute(replace(found, message=found.message.replace(" became ", " and there ")))
        return False

    def _refute(self, difference: Difference) -> None:
        self.result.result = DIFFERS
        self.result.difference = difference
        self.result.max_abs = difference.max_abs


def _structures(old: Mapping[str, Array], new: Mapping[str, Array]) -> str | None:
    if len(old) == len(new):
        return None
    return f"one model returns {len(old)} arrays, the other {len(new)}"
